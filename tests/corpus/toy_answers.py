"""Writes the answers of the toy corpus: `python -m tests.corpus.toy_answers` after a statement was changed."""

import json
from pathlib import Path

from curtain.domain.pack.pack import database, load_pack
from curtain.domain.worker.worker import Result, SqlWorker
from tests.corpus.toy_turns import statements

ANSWERS = Path(__file__).parents[1] / "data" / "toy_answers.jsonl"


def computed() -> list[dict[str, object]]:
    """The answers as the personnel database gives them now."""
    pack = load_pack("personnel")
    worker = SqlWorker(database(pack), pack, with_spare=False)
    try:
        return [row_of(worker.run(sql, yes_no).result()) for sql, yes_no in statements()]
    finally:
        worker.close()


def row_of(result: Result) -> dict[str, object]:
    """What the toy keeps of a result."""
    assert result.error is None, f"{result.sql}: {result.error}"
    names = ("sql", "cas_min", "cas_max", "sql_max", "max_error", "total")
    return {name: getattr(result, name) for name in names}


if __name__ == "__main__":
    ANSWERS.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in computed()), encoding="utf-8")
