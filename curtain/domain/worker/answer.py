"""The answer to one statement, waited for: what `curtain answer` prints."""

from collections.abc import Callable
from pathlib import Path

from curtain.base.table import Show
from curtain.domain.pack.pack import Pack, database
from curtain.domain.pack.store import Progress
from curtain.domain.rules.cautions import cautions
from curtain.domain.worker.worker import Limits, Result, SqlWorker


def answer_statement(
    pack: Pack,
    sql: str,
    yes_no: bool = False,
    *,
    show: Show = "minimum",
    cache: Path | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    caution: Callable[[str], None] | None = None,
) -> Result:
    """Runs one SELECT over the pack's database, which is built if need be; raises PackError if it cannot be.

    What is wrong with the statement itself is in `Result.error`. What may not be meant by a statement that runs is
    warned of in `caution`, in sentences. `show` is how much of the answer goes into `Result.shown`.
    """
    worker = SqlWorker(database(pack, cache, progress=progress), pack, limits, with_spare=False, show=show)
    try:
        result = worker.run(sql, yes_no).result()
        if caution and not result.error and (facts := worker.look(sql).result()):
            for sentence in cautions(facts, yes_no):
                caution(sentence)
        return result
    finally:
        worker.close()
