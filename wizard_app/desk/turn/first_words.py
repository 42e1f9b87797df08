"""A first transcription of what was said, offered in the empty query field; it is never sent by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from curtain.qt.background import Background
from curtain.qt.sql_text import EditorSchema
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.turn.control import TurnControl

if TYPE_CHECKING:
    from curtain.recognition.transcriber import Transcriber

_MOST_IN_GROUP = 400


class FirstWords(QObject):
    """Asks for each take once and offers its words while the turn is worked on: `offered(words)`."""

    offered = Signal(str)

    def __init__(
        self, session: SessionControl, turns: TurnControl, background: Background,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session = session
        self._turns = turns
        self._background = background
        self._transcriber: Transcriber | None = None
        self._words: dict[int, str] = {}
        self._asked: set[int] = set()
        session.opened.connect(self._begin_session)
        session.take_here.connect(lambda turn, _: self._ask(turn))
        turns.turn_changed.connect(self._on_turn_changed)

    def set_transcriber(self, transcriber: Transcriber) -> None:
        """The transcriber is ready; the open turn is asked for now."""
        self._transcriber = transcriber
        self._on_turn_changed()

    def close(self) -> None:
        """End the transcriber, if there is one."""
        if self._transcriber is not None:
            self._transcriber.close()

    def _begin_session(self) -> None:
        self._words.clear()
        self._asked.clear()

    @Slot()
    def _on_turn_changed(self) -> None:
        turn = self._turns.turn
        if turn is not None:
            self._ask(turn.number)
            self._offer(turn.number)

    def _ask(self, turn: int) -> None:
        wav = self._session.take_path(turn)
        if self._transcriber is not None and wav is not None and turn not in self._asked:
            self._asked.add(turn)
            self._background.when_done(self._transcriber.transcribe(wav), partial(self._on_words, turn))

    def _on_words(self, turn: int, future: Future[str]) -> None:
        self._words[turn] = future.result()
        self._offer(turn)

    def _offer(self, turn: int) -> None:
        """Only on its own turn, and only as long as nobody has typed or sent anything."""
        current = self._turns.turn
        words = self._words.get(turn, "")
        if words and current is not None and current.number == turn and current.query is None:
            self.offered.emit(words)


def like_questions(questions: Iterable[str], schema: EditorSchema) -> tuple[list[str], list[Sequence[str]]]:
    """What is likely to be said: questions, and groups of values of which one may stand for another."""
    groups = [[value.lower() for value in values] for values in schema.values.values()]
    return list(questions), [group for group in groups if 1 < len(group) <= _MOST_IN_GROUP]
