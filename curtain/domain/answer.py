"""The answer to one statement, waited for: what `curtain answer` prints."""

from __future__ import annotations

from pathlib import Path

from .pack import Pack, database
from .store import Progress
from .worker import Limits, Result, SqlWorker


def answer_statement(
    pack: Pack,
    sql: str,
    yes_no: bool = False,
    *,
    cache: Path | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Result:
    """Runs one SELECT over the pack's database, which is built if need be; raises PackError if it cannot be.

    What is wrong with the statement itself is in `Result.error`.
    """
    worker = SqlWorker(database(pack, cache, progress=progress), pack, limits)
    try:
        return worker.run(sql, yes_no).result()
    finally:
        worker.close()
