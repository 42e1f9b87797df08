"""How a statement stands to its last run; those that ran before, newest last, and walking through them with Ctrl+Up
and Ctrl+Down."""

from collections.abc import Iterable
from enum import Enum
from itertools import islice


class SqlState(Enum):
    """How the statement in the editor stands to the last run of this turn; the values are read by the driver."""

    NONE = "none"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STALE = "stale"


class PastStatements:
    """Distinct statements in the order of their last use. One more costs the same, however many there are."""

    def __init__(self, ran: Iterable[str] = ()) -> None:
        self._statements: dict[str, None] = {}
        # The place counts back from the newest; 0 is the own text.
        self._place = 0
        self._own_text = ""
        for sql in ran:
            self.add(sql)

    def add(self, sql: str) -> None:
        """One more statement was run; walking starts again from the end."""
        self.leave()
        if statement := sql.strip():
            self._statements.pop(statement, None)
            self._statements[statement] = None

    def leave(self) -> None:
        """Walking starts again from the end, with the text that will stand in the editor then."""
        self._place, self._own_text = 0, ""

    def earlier(self, text: str) -> str | None:
        """The text one step back, None before the first; the first step keeps `text`, which stands in the editor."""
        if self._place == 0:
            self._own_text = text
        return self._step(self._place + 1)

    def later(self) -> str | None:
        """The text one step on, at last the own text; None behind that."""
        return self._step(self._place - 1)

    def _step(self, place: int) -> str | None:
        if not 0 <= place <= len(self._statements):
            return None
        self._place = place
        return next(islice(reversed(self._statements), place - 1, None)) if place else self._own_text
