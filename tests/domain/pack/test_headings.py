import json
from pathlib import Path

import pytest

from curtain.domain.worker.worker import SqlWorker

CASES = (Path(__file__).parents[2] / "data" / "headings.jsonl").read_text("utf-8").splitlines()


@pytest.mark.parametrize("case", [*map(json.loads, CASES)], ids=lambda case: case["sql"])
def test_headings_are_the_words_of_the_pack_and_never_sql(worker: SqlWorker, case: dict) -> None:
    result = worker.run(case["sql"]).result(timeout=60)

    assert result.error is None
    assert result.headings == case["headings"]
