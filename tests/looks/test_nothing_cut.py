"""Nothing on any page is cut, covered or off the grid, also with large letters in a small window."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTabBar,
    QTreeView,
    QWidget,
)

from curtain.commands.sessions.facts import SessionFacts, StudyFacts
from curtain.link.messages import ScenarioShown
from curtain.qt import style
from curtain.qt.languages.translation import SentenceTranslator, sentences_of
from curtain.qt.style import Look
from curtain_home.control.commands import Activity
from curtain_home.control.plans import CommandPlan
from curtain_home.pages.window import HomeWindow
from subject_app.pages.main_page import MainPage
from subject_app.session.screen_state import Exchange, ScreenState
from subject_app.session.texts import texts_in
from subject_app.window import Window
from tests.looks import test_visible_focus
from tests.looks.desk_states import NEWS, STATES, window_in
from tests.looks.test_names import ALL
from tests.looks.test_themes import WINDOWS


def _signed(look: Look) -> QWidget:
    """The form is signed: what it allows is in sight."""
    page = ALL["wizard: start"](look)
    consent, form = page.findChild(QCheckBox, "consent"), page.findChild(QLineEdit, "consent_id")
    assert consent is not None and form is not None
    consent.setChecked(True)
    form.setText("none")
    return page


def _home(look: Look) -> QWidget:
    """A study with sessions, and jobs that ran."""
    home, folder = HomeWindow(look), Path("/home/lab/airports")
    sessions = tuple(SessionFacts(f"e0{n}-01", folder, True, "2026-03-01 09:15", 12, 7, 48_000_000, is_read=True)
                     for n in range(4))  # fmt: skip
    study = StudyFacts(folder, "personnel", sessions)
    home.study.show_study(study, False)
    home.study.show_next("Everything is annotated.", "Export", "export", study)
    job = Activity(CommandPlan("export", "Export airports", ()), sentence="/home/lab/corpus", end="good",
                   study="airports", ended="2026-03-01T10:20:00")  # fmt: skip
    home.activity.show_activity(None, (job, job), None)
    return home


def _trial(look: Look, answered: bool) -> QWidget:
    """The subject's window in a trial, with a question and maybe its answer."""
    task = ScenarioShown(seq=1, scenario_id="s", number=1, of=2, practice=True, asks_answer=True, text=NEWS)
    asked = Exchange(1, query="who works in department 45", query_seq=2, typed=True)
    window, page = Window(look, test_visible_focus.TEXTS), MainPage(look, test_visible_focus.TEXTS)
    window.add_page("main", page)
    window.show_page("main")
    window.show_trial(True)
    page.show_input("text", types=True, talks=False)
    shown = replace(asked, table=test_visible_focus.TABLE, answer_seq=3)
    page.show_shown(ScreenState(scenario=task, exchanges=(shown if answered else asked,), newest=1))
    return window


AT_WORK = {f"wizard at work: {name}": partial(window_in, name) for name in STATES}
TRIALS = {f"trial: {name}": partial(_trial, answered=name == "answer") for name in ("question", "answer")}
PAGES: dict[str, Callable[[Look], QWidget]] = {
    **WINDOWS, **ALL, "wizard: start, signed": _signed, "home: sessions": _home, **AT_WORK, **TRIALS,
}  # fmt: skip
KINDS = (QLabel, QAbstractButton, QComboBox, QLineEdit, QTabBar, QPlainTextEdit, QAbstractItemView)
ALWAYS = ("query", "send_query", "drafts", "sql", "run", "result_table", "send_answer", "key_strip")
"""What a wizard has in sight while a turn is at work, whatever else is shown."""


# German has the longest words.
LETTERS = [(language, percent) for language in ("en", "de") for percent in (100, 150, 200)]


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
    if isinstance(widget, QTreeView):
        header = widget.header()
        shown = (at for at in range(header.count()) if not header.isSectionHidden(at))
        return any(header.sectionSize(at) < header.sectionSizeHint(at) for at in shown)
    if isinstance(widget, QTabBar):
        return any(widget.tabRect(at).right() > widget.width() for at in range(widget.count()))
    if isinstance(widget, QAbstractButton) and widget.text():
        words = widget.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, widget.text())
        return words.width() > widget.width() or words.height() > widget.height()
    return False


def _around(widget: QWidget, page: QWidget) -> Iterator[QWidget]:
    """What it lies in, up to the page or to something that scrolls."""
    parent = widget.parentWidget()
    while parent is not None and not isinstance(parent.parentWidget(), QAbstractScrollArea):
        yield parent
        parent = None if parent is page else parent.parentWidget()


def _place(widget: QWidget, within: QWidget) -> QRect:
    return QRect(widget.mapTo(within, QPoint()), widget.size())


def _problems(page: QWidget) -> Iterator[str]:
    shown = [each for each in page.findChildren(QWidget) if isinstance(each, KINDS) and each.isVisibleTo(page)]
    for widget in shown:
        if _texts_cut(widget) and (isinstance(widget, QTreeView) or not widget.toolTip()):
            yield f"cut: {_name(widget)} in {widget.width()}x{widget.height()}"
        for around in _around(widget, page):
            place = _place(widget, around)
            if not (around.rect().contains(place) or place.isEmpty()):
                yield f"cut: {_name(widget)} by {_name(around)}, {place} in {around.rect()}"
    for area in page.findChildren(QScrollArea):
        content = area.widget()
        if content is not None and content.isVisibleTo(page) and content.width() > area.viewport().width():
            yield f"scrolls sideways: {_name(area)}, {content.width()} in {area.viewport().width()}"
    placed = [(each, [*_around(each, page)][-1:], _place(each, page)) for each in shown]
    for (first, around, place), (other, also_around, also_there) in combinations(placed, 2):
        # What lies within another, such as a mark within a label, belongs to it.
        within = first.isAncestorOf(other) or other.isAncestorOf(first)
        if around == also_around and place.intersects(also_there) and not within:
            yield f"overlap: {_name(first)} and {_name(other)}"


def _out_of_sight(page: QWidget) -> Iterator[str]:
    for widget in page.findChildren(QWidget):
        # While a system answers in the wizard's place, the drafts may scroll.
        helped = widget.objectName() == "drafts" and page.findChild(QWidget, "operator").isVisibleTo(page)
        if widget.objectName() in ALWAYS and not helped and widget.isVisibleTo(page):
            around = [_place(each, page) for each in page.findChildren(QWidget) if each.isAncestorOf(widget)]
            if not all(each.contains(_place(widget, page)) for each in (page.rect(), *around)):
                yield f"out of sight: {_name(widget)}"


def _off_the_grid(page: QWidget, look: Look) -> Iterator[str]:
    sizes = {look.small_pt, look.body_pt, look.read_pt, look.title_pt, look.large_pt}
    spaces = {0, style.TIGHT, style.GAP, style.LOOSE, style.ROOMY, style.WIDE, style.LONE}
    for widget in page.findChildren(QWidget):
        # A widget without words of its own keeps what it was made with.
        if widget.property("text") and widget.font().pointSizeF() not in sizes:
            yield f"size of text: {_name(widget)}, {widget.font().pointSizeF()}"
    # Pages that lie on each other, and what Qt makes within its own widgets, have no margins to see.
    for layout in page.findChildren(QLayout):
        if isinstance(layout, QBoxLayout | QFormLayout | QGridLayout):
            margins = layout.getContentsMargins()
            if not {*margins} <= spaces:  # type: ignore[misc]
                yield f"space: {margins} of {_name(layout.parentWidget())}"


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
def test_no_text_is_cut_or_covered_and_each_text_and_space_is_one_of_five(
    put_up: Callable[..., None], qapp: QApplication, speak: Callable[[str], None],
    name: str, language: str, percent: int,
) -> None:  # fmt: skip
    speak(language)
    look = style.apply(qapp, "light", percent)
    page = PAGES[name](look)
    off = [*_off_the_grid(page, look)] if name in ALL else []
    # What shows every sign is no page of ours, and as high as it needs.
    high = 1200 if name == "every sign" else 720 if name in {**AT_WORK, **TRIALS} else 690
    size = QSize(*((800, 600) if name.startswith("subject") else (1280, high)))
    put_up(page, *size.toTuple())
    for _ in range(3):
        qapp.processEvents()
    assert ([*off, *_problems(page), *(_out_of_sight(page) if name in AT_WORK else ())], page.size()) == ([], size)
