"""When a soft tone marks a new question, a call for help or a stated answer at this desk, and when it must not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from curtain.link.qt import SessionLink
from curtain.qt.listen_control import ListenControl, OpenedSound
from curtain.session.turns.turn_progress import TurnState
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.session.progress import SessionProgress

if TYPE_CHECKING:
    from curtain.audio.playback import ToneMark

# A tone that comes later than this marks nothing that the wizard has not seen.
OLD_NS = 10_000_000_000


class SoftTones(QObject):
    """Sounds where takes are played, if they are `wanted`. On one machine with the subject's station they are silent,
    unless another output plays them or the wizard wears `headphones`. While the subject speaks they wait for the
    release of the key. `changed`: `needs_headphones` may be another."""

    changed = Signal()

    def __init__(
        self,
        session: SessionControl,
        link: SessionLink,
        listen: ListenControl,
        sound: OpenedSound,
        now_ns: Callable[[], int],
    ) -> None:
        super().__init__(listen)
        self._session = session
        self._link = link
        self._listen = listen
        self._sound = sound
        self._now_ns = now_ns
        self._news: dict[ToneMark, int] | None = None
        self._waiting: dict[ToneMark, int] = {}
        self._speaking = False
        self.wanted = False
        self.headphones = False
        session.opened.connect(self._on_opened)
        session.progress_changed.connect(self._follow)
        session.link_changed.connect(lambda _up: self.changed.emit())
        sound.opened.connect(lambda _why: self.changed.emit())

    @property
    def needs_headphones(self) -> bool:
        """Whether the subject's microphone may hear what plays here."""
        return self._sound.shared and not self._link.from_elsewhere

    def _on_opened(self) -> None:
        # What an earlier start of the station has brought is no news.
        self._news = None
        self._waiting.clear()

    def _follow(self) -> None:
        progress = self._session.progress
        before, self._news = self._news, _news_of(progress)
        was_speaking = self._speaking
        self._speaking = any(turn.state is TurnState.SPEAKING for turn in progress.unfinished_turns)
        if before is not None and self.wanted and (self.headphones or not self.needs_headphones):
            came = {mark: self._now_ns() for mark, count in self._news.items() if count > before[mark]}
            self._waiting.update(came)
        if self._speaking and not was_speaking:
            self._listen.hush()
        if not self._speaking:
            self._sound_waiting()

    def _sound_waiting(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for mark, came_ns in waiting.items():
            if self._now_ns() - came_ns <= OLD_NS:
                self._listen.chime(mark)


def _news_of(progress: SessionProgress) -> dict[ToneMark, int]:
    newest = max((turn.number for turn in progress.open_turns), default=0)
    return {"help": progress.calls, "answer": len(progress.solutions), "question": newest}
