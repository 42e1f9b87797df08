import json
from pathlib import Path

import pytest

from curtain.domain.worker.worker import SqlWorker

CASES = (Path(__file__).parents[2] / "data" / "error_texts.jsonl").read_text("utf-8").splitlines()


@pytest.mark.parametrize("case", [*map(json.loads, CASES)], ids=lambda case: case["sql"])
def test_what_the_database_says_is_reported_in_plain_words_with_its_place(worker: SqlWorker, case: dict) -> None:
    result = worker.run(case["sql"]).result(timeout=60)

    assert result.error.startswith(case["sentence"])
    assert "\n" not in result.error
    if case["at"]:
        assert result.error_at == tuple(case["at"])
