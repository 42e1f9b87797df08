"""Where and when a soft tone sounds."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from curtain.session.turns.turn_progress import TurnState
from wizard_app.desk.sound.soft_tones import OLD_NS, SoftTones


class Desk(QObject):
    """A session, a link, an output and a clock, as far as tones look at them."""

    opened = Signal(object)
    progress_changed = Signal()
    link_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []
        self.hushed = 0
        self.now_ns = 0
        self.progress = SimpleNamespace(open_turns=[], unfinished_turns=[], calls=0, solutions=())

    def chime(self, mark: str) -> None:
        self.heard.append(mark)

    def hush(self) -> None:
        self.hushed += 1

    def goes_on(self, **news: object) -> None:
        vars(self.progress).update(news)
        self.progress_changed.emit()


class Output(QObject):
    opened = Signal(str)
    shared = True


def tones_of(desk: Desk, *, shared: bool = True, elsewhere: bool = False) -> SoftTones:
    output = Output(desk)
    output.shared = shared
    link = SimpleNamespace(from_elsewhere=elsewhere)
    tones = SoftTones(desk, link, desk, output, lambda: desk.now_ns)  # type: ignore[arg-type]
    tones.wanted = True
    desk.goes_on()
    return tones


@pytest.mark.parametrize(
    ("wanted", "shared", "elsewhere", "worn", "heard"),
    [
        (True, True, True, False, True),
        (True, False, False, False, True),
        (True, True, False, True, True),
        (True, True, False, False, False),
        (False, False, True, True, False),
    ],
    ids=["another computer", "another output", "headphones", "the subject's loudspeaker", "switched off"],
)
def test_no_tone_comes_near_the_subjects_microphone(
    qtbot: QtBot, wanted: bool, shared: bool, elsewhere: bool, worn: bool, heard: bool
) -> None:
    desk = Desk()
    tones = tones_of(desk, shared=shared, elsewhere=elsewhere)
    tones.wanted, tones.headphones = wanted, worn
    desk.goes_on(calls=1)
    assert desk.heard == ["help"] * heard


@pytest.mark.parametrize(("later_ns", "heard"), [(0, ["help"]), (OLD_NS, ["help"]), (OLD_NS + 1, [])])
def test_while_the_subject_speaks_a_tone_waits_and_an_old_one_is_dropped(
    qtbot: QtBot, later_ns: int, heard: list[str]
) -> None:
    desk = Desk()
    tones_of(desk, elsewhere=True)
    desk.goes_on(unfinished_turns=[SimpleNamespace(state=TurnState.SPEAKING)])
    assert desk.hushed == 1, "one that plays ends"
    desk.goes_on(calls=1)
    assert desk.heard == []
    desk.now_ns = later_ns
    desk.goes_on(unfinished_turns=[])
    desk.goes_on()
    assert desk.heard == heard
