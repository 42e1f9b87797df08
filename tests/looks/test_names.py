"""No page of any window has a widget that a screen reader cannot name, or paints what it does not say."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
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

from curtain.qt import style
from curtain.qt.background import Background
from curtain.qt.forms.scale_bar import ScaleBar
from curtain.qt.level_meter import LevelMeter
from curtain.qt.style import Look
from curtain.qt.waveform import Waveform
from curtain.qt.windows.keys_dialog import KeyTableDialog
from curtain.review.pages.annotate_page import AnnotatePage
from curtain.review.pages.ruling_page import RulingPage
from curtain.review.panels.tag_grid import ShownTag, TagGrid
from curtain.review.panels.wave_view import WaveView
from curtain.session.turns.session_timeline import SessionTimeline, TimelineTurn
from curtain_drafts.desk.value_choices import ShownChip
from curtain_drafts.drafting.values import Chip, Choice, Value
from curtain_drafts.window.chip_row import ChipRow
from curtain_home.control.actions import Action, Field, OpenNow
from curtain_home.control.commands import Activity
from curtain_home.control.plans import CommandPlan, NewStudyWish
from curtain_home.pages.actions_dialog import ActionsDialog, CommandForm, ReadDialog
from curtain_home.pages.database_form import DatabaseForm
from curtain_home.pages.forms import ExportForm, NewStudyForm
from curtain_home.pages.settings_form import SettingsForm
from curtain_home.pages.window import HomeWindow
from curtain_home.panels.keys import KEYS
from curtain_home.timeline.timeline_view import TimelineView
from curtain_home.timeline.turn_sounds import TurnSounds
from curtain_judge.window.page import JudgePage
from curtain_practice.window.results_page import JudgedPage, ResultsPage
from subject_app.pages.talk_button import TalkButton
from tests.looks.test_visible_focus import PAGES
from wizard_app.desk.session.scenario_choice import ScenarioChoice
from wizard_app.desk.turn.deadline import Deadline
from wizard_app.window.pages.dialogs import EndScenarioDialog, NextScenarioDialog, NoteDialog
from wizard_app.window.panels.result_panel import SendButton
from wizard_app.window.panels.top_bar import DeadlineBar, Lamp


def _with_a_study(home: HomeWindow) -> QWidget:
    # Its words come with the study that is open.
    button = home.findChild(QPushButton, "do_next")
    assert button is not None
    button.setText("Start")
    return home


def _results(look: Look) -> QWidget:
    page = ResultsPage(look)
    page.show_sittings("kim", (), None)
    return page


def _alone(make: Callable[[Look, QWidget], QDialog]) -> Callable[[Look], QWidget]:
    """The dialog without the window that it was made over: whoever shows it closes it."""

    def made(look: Look) -> QWidget:
        window = QWidget()
        window.resize(1280, 690)
        dialog = make(look, window)
        dialog.setParent(None, dialog.windowFlags())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        return dialog

    return made


STUDY = Path("lab")
EXPORT = Action(("export",), "Export a corpus.", (
    Field("bundles", "Sessions or studies.", "path", required=True, many=True),
    Field("out", "The new folder to make.", "path", "--out", required=True),
    Field("live", "Include turns that nobody has transcribed and classed yet.", "flag", "--include-live"),
))  # fmt: skip
DIALOGS: dict[str, Callable[[Look], QWidget]] = {
    f"home: {name}": _alone(make)
    for name, make in {
        "actions": ActionsDialog,
        "command": lambda look, window: CommandForm(look, EXPORT, OpenNow(), window),
        "export": lambda look, window: ExportForm(look, STUDY, window),
        "keys": lambda look, window: KeyTableDialog(look, KEYS, window),
        "new study": lambda look, window: NewStudyForm(look, STUDY, window),
        "own database": lambda look, window: DatabaseForm(look, NewStudyWish(STUDY, "lab", STUDY), window),
        "printed": lambda look, window: ReadDialog(look, Activity(CommandPlan("export", "Export", ())), window),
        "settings": lambda look, window: SettingsForm(look, STUDY / "study.toml", 'domain = "personnel"', window),
    }.items()
} | {
    f"wizard: {name}": _alone(make)
    for name, make in {
        "end": lambda look, window: EndScenarioDialog(look, "fair", ("", "typed"), "", window),
        "next": lambda look, window: NextScenarioDialog(look, [ScenarioChoice("fair", "The fair")], None, window),
        "note": lambda look, window: NoteDialog(look, 1, [], window),
    }.items()
}
ALL: dict[str, Callable[[Look], QWidget]] = PAGES | {
    "home": lambda look: _with_a_study(HomeWindow(look)),
    "annotator: turn": AnnotatePage,
    "annotator: ruling": RulingPage,
    "judge: pair": JudgePage,
    "practice: judged": JudgedPage,
    "practice: results": _results,
    **DIALOGS,
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


TAGS = [ShownTag("one", "", False, False, False), ShownTag("two", "", False, True, True)]
BOSTON = ShownChip(Chip(0, 6, "boston", "city", Value("city", "BOSTON", "BOSTON")))
TIMELINE = SessionTimeline("e00-01", (TimelineTurn(1, (0, 9000)), TimelineTurn(2, (20_000, 24_000))), (), (), 30_000)


def _timeline(look: Look) -> TimelineView:
    return TimelineView(TIMELINE, TurnSounds(Background(1)), look)


def _talk(look: Look) -> TalkButton:
    return TalkButton("talk", look, "Hold SPACE", "Listening", "One moment")


Act = Callable[[Any], object]
STATES: dict[str, tuple[Callable[[Look], QWidget], list[tuple[Act, str]]]] = {
    "tags": (TagGrid, [
        (lambda tags: tags.show_tags(TAGS), "–"),
        (lambda tags: tags.show_tags([TAGS[0], replace(TAGS[1], chosen=True)]), "two (site)"),
    ]),
    "chips": (ChipRow, [
        (lambda chips: chips.show_chips([BOSTON], False), "BOSTON"),
        (lambda chips: chips.show_chips([replace(BOSTON, choice=Choice(0, 6, "boston", None))], False), "(taken out)"),
    ]),
    "level": (lambda look: LevelMeter(), [
        (lambda meter: meter.show_level(-30.0), "50 %"), (lambda meter: meter.show_level(0.0, True), "too loud"),
        (lambda meter: meter.show_silence(), "0 %"),
    ]),
    "send": (SendButton, [
        (lambda send: send.show_send("Send 14 rows"), "Send 14 rows"),
        (lambda send: send.show_take_back(3, 2.0, 2.0), "Take back turn 3"),
        (lambda send: send.show_take_back(4, 1.0, 2.0), "1 s"),
    ]),
    "lamp": (lambda look: Lamp("link", look), [
        (lambda lamp: lamp.show_state("link", "connected", "#000"), "connected"),
        (lambda lamp: lamp.show_state("link_off", "not connected", "#f00"), "not connected"),
    ]),
    "deadline": (DeadlineBar, [
        (lambda bar: bar.show_deadline(Deadline(60, 1.0)), "to answer"),
    ]),
    "sound": (Waveform, [(lambda wave: wave.show_place(0.5), "50%"), (lambda wave: wave.show_place(0.9), "90%")]),
    "recording": (WaveView, [
        (lambda wave: wave.show_seconds(1.5, 3.0), "1.5 s"), (lambda wave: wave.show_part((0.5, 1.0)), "0.5–1.0 s"),
    ]),
    "scale": (lambda look: ScaleBar([str(n) for n in range(11)]), [
        (lambda bar: None, "–"), (lambda bar: QTest.keyClick(bar, Qt.Key.Key_7), "7"),
    ]),
    "talk key": (_talk, [
        (lambda talk: talk.show_state("listening"), "Listening"), (lambda talk: talk.show_state("idle"), "Hold SPACE"),
    ]),
    "timeline": (_timeline, [
        (lambda view: view.show_turn(1), "Turn 1, 0:00:00"), (lambda view: view.go_to_turn(1), "Turn 2, 0:00:20"),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", STATES)
def test_a_screen_reader_hears_the_state_that_is_painted(qtbot: QtBot, qapp: QApplication, name: str) -> None:
    make, steps = STATES[name]
    widget = make(style.apply(qapp, "light"))
    qtbot.addWidget(widget)
    spoken = QAccessible.queryAccessibleInterface(widget)
    said = ""
    for act, words in steps:
        act(widget)
        before, said = said, " ".join(map(spoken.text, (QAccessible.Text.Name, QAccessible.Text.Description)))
        assert words in said and said != before


@pytest.mark.parametrize("name", ALL)
def test_every_widget_has_a_name(put_up: Callable[..., None], qapp: QApplication, name: str) -> None:
    page = ALL[name](style.apply(qapp, "light"))
    put_up(page)
    assert list(nameless(page)) == []
