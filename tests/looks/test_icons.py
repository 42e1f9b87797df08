"""One family of icons: what Qt shows by itself is our drawing or nothing, and every window wears the project's icon."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QApplication, QMessageBox, QProxyStyle, QStyle, QToolButton, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from curtain.qt import icons, style
from curtain.qt.app_icon import show_icon
from curtain.qt.style import Look
from curtain.qt.windows.dialog import FileDialog
from curtain.qt.windows.keys_dialog import KeyTableDialog
from curtain_home.panels.keys import KEYS
from tests.looks.test_themes import WINDOWS

DIALOGS: dict[str, Callable[[Look, QWidget], QWidget]] = {
    "a question": lambda look, parent: QMessageBox(QMessageBox.Icon.Question, "Leave", "Leave now?", parent=parent),
    "a file": lambda look, parent: FileDialog(parent, "Choose a file"),
    "the keys": lambda look, parent: KeyTableDialog(look, KEYS, parent),
}
SHOWN = ("MessageBoxQuestion", "MessageBoxWarning", "MessageBoxCritical", "MessageBoxInformation", "ArrowBack",
         "ArrowForward", "FileDialogToParent", "FileDialogNewFolder", "FileDialogListView", "FileDialogDetailedView",
         "LineEditClearButton", "DirIcon", "FileIcon", "DirHomeIcon", "ComputerIcon", "DriveHDIcon")  # fmt: skip


@pytest.fixture
def look(qapp: QApplication) -> Iterator[Look]:
    worn = style.apply(qapp, "light")
    show_icon(qapp)
    yield worn
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
