"""F10 recolours every window, shapes say what colours do, and all icons that Qt or a window shows are of our family."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QListWidget,
    QMessageBox,
    QProgressBar,
    QProxyStyle,
    QScrollArea,
    QStyle,
    QToolButton,
    QTreeView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from curtain.qt import icons, style
from curtain.qt.app_icon import show_icon
from curtain.qt.icons import Mark
from curtain.qt.looks.recolouring import change
from curtain.qt.sql_editor import SqlEditor
from curtain.qt.style import Look
from curtain.qt.widgets import Band, box, button, column, heading, label
from curtain.qt.windows.dialog import FileDialog
from curtain.qt.windows.keys_dialog import KeyTableDialog
from curtain.review.pages.window import ReviewWindow
from curtain.review.panels.text_field import TextField
from curtain_home.pages.window import HomeWindow
from curtain_home.panels.keys import KEYS
from curtain_judge.window.app import JudgeWindow
from tests.looks.test_visible_focus import PAGES
from wizard_app.window.panels.query_field import QueryField
from wizard_app.window.window import WizardWindow

LOOKS = {"light": style.LIGHT, "dark": style.DARK, "contrast": style.CONTRAST}
SIGNS = ("subject", "warning", "bad")


def _every_sign(look: Look) -> QWidget:
    """What keeps a colour: bands, texts, items of lists, words in fields, icons on buttons."""
    colours = [look.bad, look.warning, look.subject, look.good, look.quiet, look.accent]
    bands = [Band(f"band{at}", colour, look) for at, colour in enumerate(colours)]
    for band in bands:
        band.show_text("Something is to be said")
    texts = [label("A line of text", look, colour=colour) for colour in colours]
    listed, tree, choice, progress = QListWidget(), QTreeWidget(), QComboBox(), QProgressBar()
    progress.setValue(40)
    for at, colour in enumerate(colours):
        listed.addItem("an item")
        listed.item(at).setForeground(QColor(colour))
        item = QTreeWidgetItem(tree, ["above"])
        below = QTreeWidgetItem(item, ["below"])
        below.setForeground(0, QColor(colour))
    tree.expandAll()
    sql = SqlEditor(look)
    sql.setPlainText("SELECT name FROM people WHERE age = 3 AND place = 'Rome' -- all of them")
    field = TextField("sro", "Transcription", look, 2)
    field.setPlainText("one two three four")
    field.show_marks([(0, 3)], [(4, 7)], [(8, 13)])
    query = QueryField(look)
    query.setPlainText("one two three four")
    query.mark([(0, 3)], [(4, 7)])
    parts = [heading("QUERY", look, "the subject sees this"), button("Play", "play"), choice, progress]
    return box(column(*bands, *texts, *parts, sql, field, query, listed, tree))


WINDOWS: dict[str, Callable[[Look], QWidget]] = {
    **PAGES,
    "every sign": _every_sign,
    "home": HomeWindow,
    "wizard": WizardWindow,
    "annotator": lambda look: ReviewWindow("Annotate", look),
    "judge": lambda look: JudgeWindow("Judge", look),
}


def _colours(widget: QWidget) -> dict[str, int]:
    """How many pixels there are of each colour that stands out: no greys, since edges of letters have them all."""
    picture = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(picture.constBits(), np.uint32) & 0xFFFFFF
    found, counts = np.unique(pixels, return_counts=True)
    return {f"#{colour:06x}": int(count) for colour, count in zip(found, counts, strict=True)}


@pytest.mark.parametrize("name", WINDOWS)
def test_no_colour_of_the_old_theme_is_left_in_an_open_window(
    put_up: Callable[..., None], qapp: QApplication, look: Look, name: str
) -> None:
    window = WINDOWS[name](look)
    put_up(window, 1280, 690)
    shown = [window]
    if name == "home":
        dialog = KeyTableDialog(look, KEYS, window)
        dialog.show()
        shown.append(dialog)
    before = [_colours(each) for each in shown]
    change(qapp, look, "dark", 100)
    qapp.processEvents()
    after = [_colours(each) for each in shown]
    old = {value for value in asdict(style.LIGHT).values() if isinstance(value, str)}
    old |= {style.washed(style.LIGHT, colour) for colour in old}
    assert all(set(was) & old for was in before)
    # One pixel in a letter's edge may be of any colour; a line or a ground is more.
    left = [{colour: count for colour, count in now.items() if colour in old and count > 3} for now in after]
    assert left == [{} for _ in shown]


# Machado, Oliveira and Fernandes 2009, table 1, severity 1.0: what is left of linear red, green and blue.
_SEEN = {
    "all colours": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def _lab(colour: str, seen: str) -> np.ndarray:
    """The colour in CIE L*a*b* (D65) as this eye has it."""
    parts = np.array(QColor(colour).getRgbF()[:3])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    white = _XYZ @ np.clip(np.array(_SEEN[seen]) @ linear, 0, 1) / _XYZ.sum(axis=1)
    root = np.where(white > 0.008856, np.cbrt(white), 7.787 * white + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


@pytest.mark.parametrize("seen", _SEEN)
@pytest.mark.parametrize("theme", LOOKS)
def test_a_warning_a_problem_and_what_the_subject_sees_differ_for_every_eye(theme: str, seen: str) -> None:
    """20 of CIE 1976: ten times what is just noticed side by side."""
    colours = {sign: _lab(asdict(LOOKS[theme])[sign], seen) for sign in SIGNS}
    near = {pair: np.linalg.norm(colours[pair[0]] - colours[pair[1]]) for pair in combinations(SIGNS, 2)}
    assert min(near.values()) >= 20, near


def test_each_of_the_three_has_a_shape_of_its_own(qtbot: QtBot, look: Look) -> None:
    shapes = [style.mark_of(asdict(look)[sign]) for sign in SIGNS]
    assert len(set(shapes)) == 3 and all(shapes)
    for sign, shape in zip(SIGNS, shapes, strict=True):
        band = Band(sign, asdict(look)[sign], look)
        qtbot.addWidget(band)
        assert [mark.name for mark in band.findChildren(Mark)] == [shape]
    line = label("The disk is full.", look, colour=look.bad)
    qtbot.addWidget(line)
    assert [mark.name for mark in line.findChildren(Mark)] == ["fault"]
    style.set_text_colour(line, look.quiet)
    assert not [mark.name for mark in line.findChildren(Mark) if mark.name]


def test_what_scrolls_has_the_ground_of_the_window(qtbot: QtBot, look: Look) -> None:
    """The outlines of lists come from the role that is the ground of whatever else scrolls."""
    area = QScrollArea(widgetResizable=True)
    area.setWidget(box(column()))
    qtbot.addWidget(area)
    assert area.grab().toImage().pixelColor(20, 20).name() == look.window


DIALOGS: dict[str, Callable[[Look, QWidget], QWidget]] = {
    "a question": lambda look, parent: QMessageBox(QMessageBox.Icon.Question, "Leave", "Leave now?", parent=parent),
    "a file": lambda look, parent: FileDialog(parent, "Choose a file"),
    "the keys": lambda look, parent: KeyTableDialog(look, KEYS, parent),
}
SHOWN = ("MessageBoxQuestion", "MessageBoxWarning", "MessageBoxCritical", "MessageBoxInformation", "ArrowBack",
         "ArrowForward", "FileDialogToParent", "FileDialogNewFolder", "FileDialogListView", "FileDialogDetailedView",
         "LineEditClearButton", "DirIcon", "FileIcon", "DirHomeIcon", "ComputerIcon", "DriveHDIcon")  # fmt: skip


@pytest.fixture
def look(qapp: QApplication, look: Look) -> Iterator[Look]:
    show_icon(qapp)
    yield look
    qapp.setWindowIcon(QIcon())


def picture(icon: QIcon) -> QImage:
    return icon.pixmap(QSize(16, 16)).toImage()


def ours() -> list[QImage]:
    return [picture(icons.icon(name)) for name in icons.names()]


def test_qt_shows_our_drawings_or_none(qapp: QApplication, look: Look) -> None:
    drawings = ours()
    for kind in QStyle.StandardPixmap:
        icon = qapp.style().standardIcon(kind)
        assert icon.isNull() or picture(icon) in drawings, kind
    missing = [name for name in SHOWN if qapp.style().standardIcon(QStyle.StandardPixmap[f"SP_{name}"]).isNull()]
    assert missing == []


def test_the_file_dialog_has_our_icons(qtbot: QtBot, look: Look, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.csv").touch()
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = FileDialog(parent, "Choose", str(tmp_path))
    dialog.setOption(FileDialog.Option.DontUseNativeDialog)
    dialog.show()
    tree = dialog.findChild(QTreeView)
    assert tree is not None
    rows, root = tree.model(), tree.rootIndex()
    qtbot.waitUntil(lambda: rows.rowCount(root) == 2)
    shown = [rows.index(at, 0, root).data(1) for at in range(2)] + [one.icon() for one in buttons_of(dialog)]
    drawings = ours()
    assert len(shown) > 5 and all(picture(icon) in drawings for icon in shown)


def buttons_of(dialog: FileDialog) -> list[QToolButton]:
    return [one for one in dialog.findChildren(QToolButton) if not one.icon().isNull()]


@pytest.mark.parametrize("name", [*WINDOWS, *DIALOGS])
def test_every_window_wears_the_icon_of_the_project(qtbot: QtBot, qapp: QApplication, look: Look, name: str) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    window = WINDOWS[name](look) if name in WINDOWS else DIALOGS[name](look, parent)
    qtbot.addWidget(window)
    assert not window.windowIcon().isNull() and window.windowIcon().cacheKey() == qapp.windowIcon().cacheKey()


def test_the_icon_is_no_default_of_qt(qapp: QApplication, look: Look) -> None:
    fusion = QProxyStyle("Fusion").standardIcon(QStyle.StandardPixmap.SP_TitleBarMenuButton)
    assert picture(qapp.windowIcon()) != picture(fusion)
