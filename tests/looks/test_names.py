"""No page of any window has a widget that a screen reader cannot name, or paints what it does not say."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from curtain.home.window import HomeWindow
from curtain.qt import style
from curtain.qt.style import Look
from curtain.review.judge.page import JudgePage
from curtain.review.pages.annotate_page import AnnotatePage
from curtain.review.pages.ruling_page import RulingPage
from tests.looks.test_visible_focus import PAGES


def _with_a_study(home: HomeWindow) -> QWidget:
    # Its words come with the study that is open.
    button = home.findChild(QPushButton, "do_next")
    assert button is not None
    button.setText("Start")
    return home


ALL: dict[str, Callable[[Look], QWidget]] = PAGES | {
    "home": lambda look: _with_a_study(HomeWindow(look)),
    "annotator: turn": AnnotatePage,
    "annotator: ruling": RulingPage,
    "judge: pair": JudgePage,
}
USED = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit,
    QProgressBar, QTextEdit,
)  # fmt: skip
INNER = (QAbstractItemView, QAbstractSpinBox, QComboBox)


ORNAMENTS = ("_Ring", "Hairline", "Mark")
"""A line, a ring around what is named itself, an icon beside the words that say it."""


def kind_of(widget: QWidget) -> str:
    return type(widget).__name__


def _needs_name(widget: QWidget) -> bool:
    if (
        isinstance(widget, QScrollBar | QHeaderView)
        or kind_of(widget) in ORNAMENTS
        or isinstance(widget.parentWidget(), INNER)
    ):
        return False
    if isinstance(widget, QLabel) and not widget.text():
        return False
    # What the widget paints itself is nothing to a screen reader; a frame around others is named by what is in it.
    kind = type(widget)
    paints = kind.__module__.startswith(("curtain", "subject_app", "wizard_app")) and "paintEvent" in vars(kind)
    return isinstance(widget, USED) or (paints and not widget.findChildren(QWidget))


def nameless(page: QWidget) -> Iterator[str]:
    for widget in (page, *page.findChildren(QWidget)):
        spoken = QAccessible.queryAccessibleInterface(widget)
        name = spoken.text(QAccessible.Text.Name) if spoken is not None else ""
        # What is not shown yet gets its words with what it will show.
        if _needs_name(widget) and not name and (widget.isVisible() or isinstance(widget, QLineEdit)):
            yield f"{type(widget).__module__}.{type(widget).__name__} “{widget.objectName()}”"


@pytest.mark.parametrize("name", ALL)
def test_every_widget_has_a_name(qtbot: QtBot, qapp: QApplication, name: str) -> None:
    page = ALL[name](style.apply(qapp, "light"))
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    assert list(nameless(page)) == []
