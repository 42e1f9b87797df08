"""From the SQL of an annotation to its answers, by the domain's guarded worker and under the session's rule-book."""

from __future__ import annotations

from dataclasses import dataclass

from curtain.corpus.model.domains import Domains
from curtain.corpus.model.utterance import Reference, Session
from curtain.domain.pack.pack import Pack, content_sha256, database
from curtain.domain.worker.worker import Result, SqlWorker, TableInfo


@dataclass(frozen=True)
class Recomputed:
    """What came of a statement. Without a `reference`, `error` is one plain sentence; `max_error` says why there is no
    maximum. `result` has the table to be shown."""

    reference: Reference | None
    error: str | None
    max_error: str | None
    result: Result


class Recomputer:
    """Runs statements one after another; its methods wait for the database: never on a thread that draws."""

    def __init__(self, pack: Pack) -> None:
        """Builds the database if need be. Raises PackError."""
        self.pack = pack
        self._database = database(pack)
        self._worker = SqlWorker(self._database, pack, with_spare=False)

    def run(self, sql_min: str, sql_max: str = "", *, yes_no: bool = False) -> Recomputed:
        """Minimum and maximum of one reading; without `sql_max` the maximum is derived. Never raises for bad SQL."""
        result = self._worker.run(sql_min, yes_no, sql_max).result()
        error = result.error or _why_no_minimum(result)
        reference = None if error else Reference(sql_min, result.cas_min, result.sql_max, result.cas_max)
        return Recomputed(reference, error, result.max_error, result)

    def is_database_of(self, session: Session) -> bool:
        """Whether this is the very database that the session ran on; takes a moment. True where that is not known."""
        return not session.content_sha256 or content_sha256(self._database) == session.content_sha256

    def tables(self) -> list[TableInfo]:
        """What there is to ask for, for the completion of names."""
        return self._worker.describe().result()

    def interrupt(self) -> None:
        """Stop the statement that runs now; may be called from another thread."""
        self._worker.interrupt()

    def close(self) -> None:
        """End the worker's child process."""
        self._worker.close()

    def __enter__(self) -> Recomputer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_recomputer(session: Session, domains: Domains | None = None) -> Recomputer:
    """For the domain of a session, under the rule-book it was run by. Raises PackError."""
    # The rule-book decides dialect and the form of yes/no answers; with another the old answers would not compare.
    year = int(session.rule_book) if session.rule_book.isdigit() else None
    return Recomputer((domains or Domains()).pack_under(session.domain, year))


def _why_no_minimum(result: Result) -> str | None:
    if result.cas_min is not None:
        return None
    if result.cas_error == "too_large":
        return "The answer is too large to be a reference; ask for less."
    return f"There is no minimum answer: {result.cas_error or 'the statement gives none'}."
