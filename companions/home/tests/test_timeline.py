"""The timeline of a session: where things stand, what its keys and the mouse choose, what is hidden stays so."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from curtain.audio.wav import silenced_copy
from curtain.base.errors import CurtainError
from curtain.qt.background import Background
from curtain.qt.style import Look
from curtain.qt.windows.keys_dialog import KeyTableDialog
from curtain.session.chairs.steps import PersonStep
from curtain.session.turns.session_timeline import SessionTimeline, TimelineTurn
from curtain_home.timeline.timeline_dialog import TimelineDialog
from curtain_home.timeline.timeline_view import TimelineView, clock_text
from curtain_home.timeline.turn_sounds import TurnSounds

RATE = 16000


@pytest.fixture
def wav(tmp_path: Path) -> Path:
    tone = np.sin(np.arange(2 * RATE) * 2 * np.pi * 2000 / RATE) * 16384
    soundfile.write(tmp_path / "tone.wav", tone.astype(np.int16), RATE, subtype="PCM_16")
    return tmp_path / "tone.wav"


def session(wav: Path) -> SessionTimeline:
    spoken = TimelineTurn(1, (1000, 9000), wav, (1000, 3000), (1300, 2800), 5000, 8000, 8100, "answer", "who is it",
                          ((500, 1500),), (PersonStep("transcription", "w1", 3000, 5000),))  # fmt: skip
    typed = TimelineTurn(2, (20_000, 24_000), query_ms=21_000, reply_ms=24_000, reply="message", words="typed")
    last = TimelineTurn(4, (10_000_000, 10_003_000), wav, (10_000_000, 10_002_000), (10_000_000, 10_002_000))
    return SessionTimeline("e00-01", (spoken, typed, last), (((0, 30_000), "team"),), ((30_000, 60_000),), 10_800_000)


@pytest.fixture
def dialog(qtbot: QtBot, look: Look, wav: Path) -> Iterator[TimelineDialog]:
    parent = QWidget()
    parent.resize(1280, 690)
    qtbot.addWidget(parent)
    shown = TimelineDialog("e00-01", lambda: session(wav), look, parent)
    shown.show()
    qtbot.waitUntil(lambda: shown.view is not None)
    yield shown
    shown.close()


def view_of(dialog: TimelineDialog) -> TimelineView:
    assert dialog.view is not None
    return dialog.view


def test_keys_go_from_turn_to_turn_and_play_where_the_hand_is(qtbot: QtBot, dialog: TimelineDialog) -> None:
    view, chosen = view_of(dialog), []
    dialog.place_chosen.connect(lambda turn, seconds: chosen.append((turn.number, seconds)))
    turns = []
    for key in (Qt.Key.Key_Return, Qt.Key.Key_PageDown, Qt.Key.Key_Space, Qt.Key.Key_PageDown, Qt.Key.Key_PageDown):
        qtbot.keyClick(view, key)
        turns.append(view.property("turn"))
    assert turns == [1, 2, 2, 4, 4]
    # A typed turn has no sound; it is chosen all the same.
    assert chosen == [(1, 0.0), (2, 0.0)]
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert (view.property("turn"), view.property("place")) == (1, 0)
    span = view.span
    # From a button too, since it names its key.
    qtbot.keyClick(dialog.findChild(QPushButton, "timeline_levels"), Qt.Key.Key_Plus)
    assert view.span == span / 2
    assert "typed" not in view.accessibleDescription() and "answered after 5.3 s" in view.accessibleDescription()


def test_f1_lists_the_keys_over_the_timeline(qtbot: QtBot, dialog: TimelineDialog) -> None:
    qtbot.keyClick(view_of(dialog), Qt.Key.Key_F1)
    assert dialog.findChild(KeyTableDialog, "keys").isVisible() and dialog.isVisible()


def test_zoom_keeps_the_hand_in_sight_and_a_click_plays_from_there(qtbot: QtBot, dialog: TimelineDialog) -> None:
    view, chosen = view_of(dialog), []
    dialog.place_chosen.connect(lambda turn, seconds: chosen.append((turn.number, seconds)))
    dialog.show_turn(4, 0.5)
    for _ in range(20):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.span == 500 and view.begin <= 10_000_500 <= view.begin + view.span
    dialog.findChild(QPushButton, "timeline_turn").click()
    assert (view.begin, view.span) == (9_999_500, 4000)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(view.width() // 2, view.height() // 2))
    [(number, seconds)] = chosen
    assert number == 4 and 0.5 < seconds < 2
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert (view.begin, view.span) == (0, 10_800_000)


def test_what_is_hidden_is_silence_in_outline_spectrogram_and_what_is_heard(
    qtbot: QtBot, qapp: QApplication, wav: Path, tmp_path: Path
) -> None:
    background = Background(1)
    sounds, turn = TurnSounds(background), session(wav).turns[0]
    with qtbot.waitSignal(sounds.drawn):
        sounds.draw([turn], levels=True)
    background.close()
    sound = sounds.of(1)
    assert sound is not None and sound.levels is not None
    assert len(sound.low) == 400
    assert not sound.high[100:300].any() and sound.high[:99].min() > 0.4
    # The loudest row of the spectrogram is that of 2000 Hz, the highest frequency being 8000 Hz.
    rows = sound.levels[:, :40].sum(axis=1)
    assert abs(1 - rows.argmax() / (len(rows) - 1) - 2000 / 8000) < 0.02
    assert not sound.levels[:, 60:140].any()
    heard, _ = soundfile.read(silenced_copy(wav, turn.hidden, tmp_path / "copy.wav"), dtype="int16")
    assert not heard[RATE // 2 : 3 * RATE // 2].any() and heard[: RATE // 2 - 10].any() and len(heard) == 2 * RATE


def test_every_button_has_a_name_and_the_spectrogram_is_painted(qtbot: QtBot, dialog: TimelineDialog) -> None:
    buttons = dialog.findChildren(QPushButton)
    assert len(buttons) == 7 and all(one.accessibleName() for one in buttons)
    view = view_of(dialog)
    view.show_closely()
    before = view.grab().toImage()
    dialog.findChild(QPushButton, "timeline_levels").click()
    qtbot.waitUntil(lambda: view.grab().toImage() != before)


def test_the_turn_at_the_hand_leaves_no_trace_where_it_was(qtbot: QtBot, dialog: TimelineDialog) -> None:
    view = view_of(dialog)
    with qtbot.waitSignal(view.hand_moved):
        dialog.show_turn(2)
    first = view.grab().toImage()
    dialog.show_turn(4)
    assert view.grab().toImage() != first
    dialog.show_turn(2)
    assert view.grab().toImage() == first


def test_a_session_that_cannot_be_read_is_reported(qtbot: QtBot, look: Look) -> None:
    def read() -> SessionTimeline:
        raise CurtainError("There is no session here.")

    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = TimelineDialog("e00-01", read, look, parent)
    line = dialog.findChild(QLabel, "timeline_line")
    qtbot.waitUntil(lambda: line.text() == "There is no session here.")
    dialog.close()


def test_a_moment_is_written_as_hours_minutes_and_seconds() -> None:
    assert [clock_text(ms) for ms in (0, 61_999, 10_800_000)] == ["0:00:00", "0:01:01", "3:00:00"]
