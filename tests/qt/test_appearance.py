from typing import get_args

import pytest
from PySide6.QtWidgets import QLineEdit

from curtain.commands.options import TextSize
from curtain.commands.purposes import WindowTheme
from curtain.qt import style
from curtain.qt.looks.appearance import TEXT_SIZES, Appearance, AppearanceControl
from curtain.qt.style import THEMES
from curtain.qt.widgets import label


@pytest.fixture
def control(qapp, look):
    yield AppearanceControl(qapp, look, Appearance("light"))
    style.apply(qapp, "light")


def test_a_widget_keeps_the_place_of_its_size_and_colour_and_others_follow_the_application(qtbot, control, look):
    note, field = label("a note", look, small=True, quiet=True), QLineEdit()
    qtbot.addWidget(note)
    qtbot.addWidget(field)
    control.make_larger()
    control.take_next_theme()
    assert (control.appearance.theme, look.base) == ("dark", style.DARK.base)
    assert note.font().pointSizeF() == pytest.approx(look.small_pt) == pytest.approx(9 * 1.1)
    assert field.font().pointSizeF() == pytest.approx(look.body_pt) == pytest.approx(10.5 * 1.1)
    assert note.palette().windowText().color().name() == style.DARK.quiet


def test_every_theme_and_back_leaves_a_widget_as_it_was(qtbot, control, look):
    note = label("a note", look, small=True, quiet=True)
    qtbot.addWidget(note)
    before = note.palette().windowText().color().name(), note.font().pointSizeF()
    for _ in THEMES:
        control.take_next_theme()
        control.make_larger()
    control.make_ordinary()
    after = note.palette().windowText().color().name(), note.font().pointSizeF()
    assert after == (before[0], pytest.approx(before[1]))


def test_text_sizes_end_at_the_smallest_and_the_largest():
    assert Appearance(percent=80).smaller().percent == 80
    assert Appearance(percent=200).larger().percent == 200
    assert [Appearance(percent=size).larger().percent for size in TEXT_SIZES[:-1]] == list(TEXT_SIZES[1:])


def test_the_command_line_takes_what_the_windows_take():
    sizes = get_args(get_args(TextSize)[0])[0]
    assert (get_args(get_args(WindowTheme)[0]), get_args(sizes)) == (THEMES, TEXT_SIZES)
