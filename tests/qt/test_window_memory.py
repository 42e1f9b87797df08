"""A window comes back as it was left, and always where a person sees it."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from curtain.qt.looks.appearance import Appearance
from curtain.qt.windows.keyed_window import KeyedWindow
from curtain.qt.windows.window_memory import FRAME, WindowMemory
from curtain.qt.windows.window_options import WindowOptions
from subject_app.app import SubjectOptions


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("place", [(40, 30), (5000, 4000), (-3000, -900)])
def test_a_window_comes_back_where_it_was_or_at_least_in_sight(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, place: tuple[int, int], full: bool
) -> None:
    screen = qapp.primaryScreen().availableGeometry()
    left, again = KeyedWindow(), KeyedWindow()
    for window in (left, again):
        qtbot.addWidget(window)
    left.resize(420, 310)
    left.move(*place)
    left.showFullScreen() if full else left.show()
    left.close()
    WindowMemory("toy", tmp_path / "windows.ini").keep_place(left)
    WindowMemory("toy", tmp_path / "windows.ini").restore(again)
    again.show()
    assert again.isFullScreen() == full
    assert screen.contains(again.geometry())
    if full:
        again.toggle_full_screen()
    assert (again.width(), again.height()) == (420, 310) and screen.contains(again.geometry())
    if place == (40, 30) and not full:
        assert (again.pos().x(), again.pos().y()) == place


def test_the_first_time_a_window_is_in_sight_with_its_frame(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    window, screen = KeyedWindow(), qapp.primaryScreen().availableSize()
    qtbot.addWidget(window)
    window.resize(screen + FRAME)
    WindowMemory("toy", tmp_path / "windows.ini").restore(window)
    assert window.size() == screen - FRAME


def test_a_chosen_look_is_remembered_and_all_windows_but_the_subjects_follow_the_home_window(tmp_path: Path) -> None:
    def look(name: str, given: WindowOptions) -> tuple[str, int]:
        shown = WindowMemory(name, tmp_path / "windows.ini").appearance(given)
        return shown.theme, shown.percent

    assert look("subject", SubjectOptions()) == ("light", 100)
    WindowMemory("home", tmp_path / "windows.ini").keep_look(Appearance("contrast", 125))
    assert look("subject", SubjectOptions()) == ("light", 100), "another person reads it"
    WindowMemory("wizard", tmp_path / "windows.ini").keep_look(Appearance("dark", 150))
    assert [look(name, WindowOptions()) for name in ("wizard", "judge")] == [("dark", 150), ("contrast", 125)]
    # What the command line says counts for this start alone.
    assert look("wizard", WindowOptions(theme="light", text_size=200)) == ("light", 200)
    assert look("wizard", WindowOptions()) == ("dark", 150)
    memory = WindowMemory("wizard", tmp_path / "windows.ini")
    shown = memory.appearance(WindowOptions(text_size=200))
    memory.keep_look(Appearance("light", shown.percent))
    assert look("wizard", WindowOptions()) == ("light", 150), "only what a person changed is kept"


@pytest.mark.parametrize("content", [b"", b"\xff\x00[", b"[toy]\nplace=1\ntheme=pink\ntext_size=x\n"])
def test_a_memory_that_cannot_be_used_is_as_good_as_none(qtbot: QtBot, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "windows.ini").write_bytes(content)
    memory, window = WindowMemory("toy", tmp_path / "windows.ini"), KeyedWindow()
    qtbot.addWidget(window)
    window.resize(300, 200)
    memory.restore(window)
    assert window.width() == 300
    assert memory.appearance(WindowOptions()) == Appearance()
    nothing = WindowMemory("toy", None)
    nothing.keep_place(window)
    assert nothing.appearance(WindowOptions(theme="dark")) == Appearance("dark")
