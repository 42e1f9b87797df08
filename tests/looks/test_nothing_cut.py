"""Nothing on any page is cut or covered, also with large letters in a small window."""

from collections.abc import Callable, Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import QLocale, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from curtain.qt import style
from curtain.qt.languages.translation import SentenceTranslator, sentences_of
from curtain.qt.style import Look
from subject_app.session.texts import texts_in
from tests.looks import test_visible_focus
from tests.looks.test_names import ALL
from tests.looks.test_themes import WINDOWS


def _signed(look: Look) -> QWidget:
    """The form is signed: what it allows is in sight."""
    page = ALL["wizard: start"](look)
    consent = page.findChild(QCheckBox, "consent")
    assert consent is not None
    consent.setChecked(True)
    return page


PAGES: dict[str, Callable[[Look], QWidget]] = {**WINDOWS, **ALL, "wizard: start, signed": _signed}
KINDS = (QLabel, QAbstractButton, QComboBox, QLineEdit, QTabBar)


# German has the longest words.
LETTERS = (("en", 100), ("de", 150), ("en", 200), ("de", 200))


def _name(widget: QWidget) -> str:
    text = widget.property("text") or ""
    return f"{type(widget).__name__} {widget.objectName()} “{str(text)[:40]}”"


def _texts_cut(widget: QWidget) -> bool:
    """Whether the widget has less room than its words need."""
    if isinstance(widget, QLabel):
        if not widget.text() or widget.pixmap().toImage().width():
            return False
        room = widget.contentsRect()
        if widget.wordWrap():
            return widget.heightForWidth(widget.width()) > widget.height() + 1
        drawn = widget.fontMetrics().size(Qt.TextFlag.TextExpandTabs, widget.text())
        return drawn.width() > room.width() or drawn.height() > widget.height() + 1
    if isinstance(widget, QTabBar):
        return any(widget.tabRect(at).right() > widget.width() for at in range(widget.count()))
    if isinstance(widget, QAbstractButton) and widget.text():
        words = widget.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, widget.text())
        return words.width() > widget.width() or words.height() > widget.height()
    return False


def _shown_area(widget: QWidget, page: QWidget) -> QRect | None:
    """Where it stands in the page; None where it lies in something that scrolls."""
    parent = widget.parentWidget()
    while parent is not None and parent is not page:
        if isinstance(parent, QScrollArea):
            return None
        parent = parent.parentWidget()
    return QRect(widget.mapTo(page, QPoint()), widget.size())


def _faults(page: QWidget) -> Iterator[str]:
    shown = [each for each in page.findChildren(QWidget) if isinstance(each, KINDS) and each.isVisibleTo(page)]
    for widget in shown:
        if _texts_cut(widget) and not widget.toolTip():
            yield f"cut: {_name(widget)} in {widget.width()}x{widget.height()}"
        place = _shown_area(widget, page)
        if place is not None and not page.rect().contains(place) and not place.isEmpty():
            yield f"beyond the page: {_name(widget)}"
    for area in page.findChildren(QScrollArea):
        content = area.widget()
        if content is not None and content.isVisibleTo(page) and content.width() > area.viewport().width():
            yield f"scrolls sideways: {_name(area)}, {content.width()} in {area.viewport().width()}"
    # What lies within another, such as a mark within a label, belongs to it.
    for first, other in combinations(shown, 2):
        if first.isAncestorOf(other) or other.isAncestorOf(first):
            continue
        if first.parentWidget() is other.parentWidget() and first.geometry().intersects(other.geometry()):
            yield f"overlap: {_name(first)} and {_name(other)}"


@pytest.fixture(scope="module")
def german(qapp: QApplication) -> SentenceTranslator:
    return SentenceTranslator(sentences_of(QLocale("de"), None) or {}, qapp)


@pytest.fixture
def speak(
    qapp: QApplication, german: SentenceTranslator, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], None]]:

    def in_language(language: str) -> None:
        monkeypatch.setattr(test_visible_focus, "TEXTS", texts_in(language))
        if language == "de":
            qapp.installTranslator(german)

    yield in_language
    qapp.removeTranslator(german)
    style.apply(qapp, "light")


@pytest.mark.parametrize(("language", "percent"), LETTERS)
@pytest.mark.parametrize("name", PAGES)
def test_no_text_is_cut_or_covered(
    qtbot: QtBot, qapp: QApplication, speak: Callable[[str], None], name: str, language: str, percent: int
) -> None:
    speak(language)
    page = PAGES[name](style.apply(qapp, "light", percent))
    qtbot.addWidget(page)
    # What shows every sign is no page of ours, and as high as it needs.
    size = QSize(*((800, 600) if name.startswith("subject") else (1280, 1200 if name == "every sign" else 690)))
    page.resize(size)
    with qtbot.waitExposed(page):
        page.show()
    for _ in range(3):
        qapp.processEvents()
    assert (list(_faults(page)), page.size()) == ([], size)
