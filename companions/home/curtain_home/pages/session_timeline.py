"""The timeline of a session over the home window, with an output of its own that is open as long as the timeline."""

from concurrent.futures import Future
from functools import partial
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.scratch import ScratchFolder
from curtain.corpus.model.reader import read_timeline
from curtain.qt.background import Background
from curtain.qt.listen_control import ListenControl, OpenedSound
from curtain.qt.style import Look
from curtain.qt.windows.keyed_window import KeyedWindow
from curtain.session.turns.session_timeline import TimelineTurn
from curtain_home.timeline.timeline_dialog import TimelineDialog


class HeardTimeline(TimelineDialog):
    """Plays what is chosen, with silence where something is hidden."""

    def __init__(self, session: Path, look: Look, window: KeyedWindow) -> None:
        super().__init__(session.name, lambda: read_timeline(session), look, window)
        # Sound apart from drawing: two hundred outlines must not hold up what is to be heard.
        self._sound = Background(1, self)
        self._listen = ListenControl(self._sound, self)
        self._output = OpenedSound(self._sound, self._listen, None)
        self._scratch = ScratchFolder("timeline")
        self._played = 0
        self._listen.problem.connect(self.show_problem)
        self._listen.place_moved.connect(self._on_place_moved)
        self.place_chosen.connect(self._play)
        self.ready.connect(self._output.begin)
        self.finished.connect(self._close)
        window.closed.connect(self.reject)

    def _close(self) -> None:
        self._listen.close()
        self._sound.close()
        self._scratch.close()

    def _play(self, turn: TimelineTurn, seconds: float) -> None:
        self._played += 1
        self._listen.stop()
        if turn.wav is not None:
            work = partial(_as_heard, turn, turn.wav, self._scratch.path)
            self._sound.run(work, partial(self._on_heard, self._played, turn.number, seconds))

    def _on_heard(self, played: int, number: int, seconds: float, future: Future[Path]) -> None:
        if played != self._played:
            return  # another place was chosen meanwhile
        try:
            self._listen.show_take(number, future.result(), play=False)
        except CurtainError as error:
            self.show_problem(str(error))
        else:
            self._listen.choose_place(seconds)
            self._listen.play()

    def _on_place_moved(self, seconds: float, length: float) -> None:
        if self._listen.turn is not None and self._listen.playing and length:
            self.show_playing(self._listen.turn, seconds)


def _as_heard(turn: TimelineTurn, wav: Path, scratch: Path) -> Path:
    from curtain.audio.wav import silenced_copy

    copy = scratch / wav.name
    return wav if not turn.hidden else copy if copy.exists() else silenced_copy(wav, turn.hidden, copy)
