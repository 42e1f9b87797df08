"""What is on its way to the disk: in order, tried again until it is there, and known meanwhile."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from curtain.base.errors import CurtainError
from curtain.corpus.annotation.row import Layer
from curtain.review.control.ledger import Snapshot
from curtain.review.control.shelf import AnnotatedSessions

Values = dict[Layer, dict[str, Any]]
Write = Callable[[Callable[[], Snapshot], Callable[[Future[Snapshot]], None]], object]
"""Does the first where waiting for the disk is allowed, then calls the second on the thread of the window."""


class Outgoing:
    """`sent` is what was saved and may not be on the disk yet, by turn; `problem` is why something is not."""

    def __init__(self, shelf: AnnotatedSessions, write: Write, on_news: Callable[[], None]) -> None:
        """`on_news` is called after each writing, when the shelf holds what is written."""
        self._shelf = shelf
        self._write = write
        self._on_news = on_news
        self._waiting: list[tuple[str, Callable[[], Snapshot]]] = []
        self._under_way = 0
        self.sent: dict[str, Values] = {}
        self.problem = ""

    @property
    def busy(self) -> bool:
        """Whether something is on its way, or waits to be tried again."""
        return self._under_way > 0 or bool(self._waiting)

    def put(self, utterance_id: str, act: Callable[[], Snapshot]) -> None:
        """Queue a write. What the disk does not take is kept for `retry`."""
        self._under_way += 1
        self._write(act, partial(self._on_put, utterance_id, act))

    def retry(self) -> None:
        """Try again what the disk did not take."""
        waiting, self._waiting = self._waiting, []
        for utterance_id, act in waiting:
            self.put(utterance_id, act)

    def _on_put(self, utterance_id: str, act: Callable[[], Snapshot], future: Future[Snapshot]) -> None:
        self._under_way -= 1
        try:
            self._shelf.volume(utterance_id).update(future.result())
        except CurtainError as error:
            self.problem = str(error)
            # Tried again as it is: it looks at the rows anew, so what others wrote meanwhile does not matter.
            self._waiting.append((utterance_id, act))
        if not self.busy:
            self.problem = ""
            # Only now do the rows of the shelf hold all of it.
            self.sent.clear()
        self._on_news()
