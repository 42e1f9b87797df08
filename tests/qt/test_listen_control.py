from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from curtain.audio.devices import SoundError
from curtain.base.errors import CurtainError
from curtain.qt.background import Background
from curtain.qt.listen_control import ListenControl, in_plain_words

WAV = Path("a.wav")
REFUSED = SoundError("The output “Desk” does not open (Error [PaErrorCode -9985]). Close other programs that use it.")


class Player:
    """Plays in no time, or refuses."""

    def __init__(self, refusal: CurtainError | None = None) -> None:
        self.refusal = refusal
        self.played: list[Path] = []
        self.closed = False
        self.position = 0.0
        self.playing: Path | None = None

    def play(self, wav: Path, start_seconds: float = 0.0, speed: float | None = None) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.played.append(wav)

    def back(self, seconds: float) -> None: ...
    def set_speed(self, speed: float) -> None: ...
    def stop(self) -> None: ...
    def chime(self, mark: str) -> None: ...
    def hush(self) -> None: ...
    def close(self) -> None:
        self.closed = True


Listen = Callable[[Player], ListenControl]


def _outline(wav: Path, points: int) -> SimpleNamespace:
    return SimpleNamespace(low=[], high=[], seconds=1.0)


@pytest.fixture
def listen_with(qtbot: QtBot, background: Background) -> Iterator[Listen]:
    # An owner on this thread: where the background held the last reference, a timer would end on its thread.
    owner = QObject()

    def make(player: Player) -> ListenControl:
        made = ListenControl(background, owner)
        made.set_player(player, _outline)
        made.show_take(1, WAV, play=False)
        return made

    yield make
    background.close()
    delete(owner)


def test_an_output_that_came_back_is_opened_anew_and_plays_what_was_asked_for(
    qtbot: QtBot, listen_with: Listen
) -> None:
    stale, fresh = Player(REFUSED), Player()
    listen = listen_with(stale)
    listen.reopen_requested.connect(lambda: listen.set_player(fresh, _outline))
    with qtbot.waitSignal(listen.playing_began), qtbot.assertNotEmitted(listen.problem):
        listen.play()
    assert fresh.played == [WAV]
    qtbot.waitUntil(lambda: stale.closed)


def test_an_output_that_stays_away_is_reported_in_plain_words_and_f2_asks_again(
    qtbot: QtBot, listen_with: Listen
) -> None:
    listen = listen_with(Player(REFUSED))
    asked: list[bool] = []
    listen.reopen_requested.connect(lambda: (asked.append(True), listen.set_player(Player(REFUSED), _outline)))
    with qtbot.waitSignal(listen.problem) as printed:
        listen.play()
    assert printed.args == ["The output “Desk” does not open. Close other programs that use it. F2 tries it again."]
    with qtbot.waitSignal(listen.problem):
        listen.play()
    assert len(asked) == 2


def test_a_take_that_cannot_be_read_is_reported_and_keeps_the_output(qtbot: QtBot, listen_with: Listen) -> None:
    player = Player(CurtainError(f"“{WAV}” cannot be read as sound (it is empty). Give a WAV file."))
    listen = listen_with(player)
    with qtbot.waitSignal(listen.problem) as shown, qtbot.assertNotEmitted(listen.reopen_requested):
        listen.play()
    assert "it is empty" in shown.args[0]
    assert not player.closed


def test_a_sentence_without_a_code_keeps_its_brackets() -> None:
    assert in_plain_words(CurtainError("No output (of two) is here.")).startswith("No output (of two) is here.")


def test_a_part_is_played_alone_and_round_and_round(qtbot: QtBot, listen_with: Listen) -> None:
    player = Player()
    starts: list[float] = []
    player.play = lambda wav, start_seconds=0.0, speed=None: (  # type: ignore[method-assign]
        starts.append(start_seconds), setattr(player, "playing", wav), setattr(player, "position", start_seconds),
    )  # fmt: skip
    listen = listen_with(player)
    listen.choose_part((0.2, 0.5))
    listen.toggle_loop()
    with qtbot.waitSignal(listen.playing_began):
        listen.play_or_stop()
    player.position = 0.6
    qtbot.waitUntil(lambda: starts == [0.2, 0.2])
    listen.play_or_stop()
    assert not listen.playing


def test_after_a_place_was_chosen_it_plays_once_from_there(qtbot: QtBot, listen_with: Listen) -> None:
    player = Player()
    starts: list[float] = []
    player.play = lambda wav, start_seconds=0.0, speed=None: starts.append(start_seconds)  # type: ignore[method-assign]
    listen = listen_with(player)
    listen.choose_place(0.7)
    for _ in range(2):
        with qtbot.waitSignal(listen.playing_began):
            listen.play()
    assert starts == [0.7, 0.0]


def test_slower_and_faster_go_step_by_step_and_stop_at_the_ends(listen_with: Listen) -> None:
    listen = listen_with(Player())
    reported: list[float] = []
    listen.speed_changed.connect(reported.append)
    for _ in range(5):
        listen.slower()
    listen.faster()
    assert reported == [0.8, 0.7, 0.6, 0.5, 0.5, 0.6]
