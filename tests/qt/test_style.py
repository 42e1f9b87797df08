from dataclasses import asdict
from itertools import product
from typing import get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QListWidget, QListWidgetItem

from curtain.commands.options import TextSize
from curtain.commands.purposes import WindowTheme
from curtain.qt import icons, style
from curtain.qt.looks.appearance import TEXT_SIZES, Appearance, AppearanceControl
from curtain.qt.style import THEMES
from curtain.qt.widgets import label

LOOKS, NAMES = [style.LIGHT, style.DARK, style.CONTRAST], ["light", "dark", "contrast"]
READ_ON = ["window", "base"]
READ = ["text", "quiet", "accent", "subject", "good", "warning", "bad"]


@pytest.mark.parametrize("look", LOOKS, ids=NAMES)
def test_every_text_colour_is_legible_on_every_ground(look):
    for ground, ink in product(READ_ON, READ):
        assert style.contrast(asdict(look)[ink], asdict(look)[ground]) >= 4.5


@pytest.mark.parametrize("look", LOOKS, ids=NAMES)
def test_text_on_the_accent_is_legible(look):
    assert style.contrast(look.on_accent, look.accent) >= 4.5


def test_high_contrast_is_7_to_1():
    look = style.CONTRAST
    assert min(style.contrast(asdict(look)[ink], asdict(look)[on]) for ink in READ for on in READ_ON) >= 7
    assert style.contrast(look.on_accent, look.accent) >= 7
    assert style.contrast(look.line, look.window) >= 4.5


@pytest.mark.parametrize("look", LOOKS, ids=NAMES)
def test_no_two_colours_of_a_look_are_the_same(look):
    """A change of theme exchanges each colour for the one in its place."""
    colours = [value for value in asdict(look).values() if isinstance(value, str)]
    assert len(set(colours)) == len(colours)


def test_contrast_of_black_and_white_is_21():
    assert style.contrast("#000000", "#ffffff") == pytest.approx(21)


def test_dark_and_light_can_be_chosen_and_what_is_worn_is_not_put_on_again(qapp):
    assert style.apply(qapp, "dark").dark
    worn = style.apply(qapp, "light")
    assert not worn.dark and style.apply(qapp, "light") is worn
    assert style.apply(qapp, "light", 150) is not worn and not style.apply(qapp, "light").dark


def test_the_subject_frame_shows_its_colour(qtbot):
    frame = style.SubjectFrame(QLabel("the answer"), style.LIGHT)
    qtbot.addWidget(frame)
    frame.resize(100, 60)
    image = frame.grab().toImage()
    assert image.pixelColor(50, 1).name() == style.LIGHT.subject


def test_each_icon_draws_something(qtbot):
    for name in icons.names():
        image = icons.pixmap(name, "#ff0000", 32).toImage()
        drawn = sum(image.pixelColor(x, y).alpha() > 0 for x in range(32) for y in range(32))
        assert 20 < drawn < 32 * 32


@pytest.fixture
def dark(qtbot):
    yield style.apply(QApplication.instance(), "dark")
    style.apply(QApplication.instance(), "light")


def strongest_line(widget, ground):
    """The best contrast to the ground that any twelve pixels of the widget have: a line, not a speck."""
    picture = widget.grab().toImage()
    pixels = [picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())]
    return sorted((style.contrast(pixel, ground) for pixel in pixels), reverse=True)[12]


def test_an_empty_box_can_be_seen_in_the_dark(qtbot, dark):
    boxes = QListWidget()
    item = QListWidgetItem("")
    item.setCheckState(Qt.CheckState.Unchecked)
    boxes.addItem(item)
    qtbot.addWidget(boxes)
    boxes.resize(60, 40)
    assert strongest_line(boxes.viewport(), dark.base) >= 3


def test_an_empty_check_box_can_be_seen_in_the_dark(qtbot, dark):
    box = QCheckBox()
    qtbot.addWidget(box)
    assert strongest_line(box, dark.window) >= 3


@pytest.mark.parametrize("look", LOOKS, ids=NAMES)
@pytest.mark.parametrize("ground", READ_ON)
def test_outlines_and_the_ring_stand_out_from_every_ground(look, ground):
    """WCAG 2.2, 1.4.11."""
    assert min(style.contrast(ink, asdict(look)[ground]) for ink in (look.edge, look.accent, look.subject)) >= 3


@pytest.mark.parametrize("words", ["Please wait.", "Please wait, " * 20])
def test_the_mark_of_centred_words_stands_before_them(put_up, look, words):
    label = QLabel(words, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
    style.set_text_colour(label, look.bad)
    put_up(label, 600, 90)
    wraps = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
    written = label.fontMetrics().boundingRect(label.contentsRect(), wraps, words)
    mark = label.findChild(icons.Mark)
    assert mark.isVisible() and label.rect().contains(mark.geometry())
    assert mark.geometry().right() < written.left()


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
