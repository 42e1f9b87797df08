"""Every action of the command line has its place in the home window, with a form that makes a call of it."""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItemIterator,
    QWidget,
)
from pytestqt.qtbot import QtBot
from typer.main import get_command

from companions.home.tests.conftest import Hands
from curtain.commands.cli import app
from curtain.commands.description import actions
from curtain.commands.table import ALL
from curtain.qt.languages.translation import SentenceTranslator, sentences_of
from curtain.qt.style import Look
from curtain_home.control.actions import Action, OpenNow, arguments_of, missing_in, with_yes
from curtain_home.control.plans import in_our_words
from curtain_home.control.week import NAMES, WEEK
from curtain_home.pages.actions_dialog import ActionsDialog
from curtain_home.pages.field_sheet import FieldSheet
from tests.corpus.toy import make_toy

ACTIONS = msgspec.convert(list(actions()), tuple[Action, ...])
BY_NAME = {" ".join(action.path): action for action in ACTIONS}


def test_every_command_has_one_place_in_the_week_and_a_name_of_its_own() -> None:
    names = {name for entries in ALL.values() for name in entries}
    assert {action.path[0] for action in ACTIONS} == names
    placed = [command for part in WEEK.values() for command in part]
    assert sorted(placed) == sorted(BY_NAME)
    assert len(set(NAMES.values())) == len(placed)


@pytest.mark.parametrize("action", ACTIONS, ids=list(BY_NAME))
def test_what_a_form_gives_is_a_call_that_the_command_line_takes(action: Action, tmp_path: Path) -> None:
    samples = {"number": "1", "path": str(tmp_path), "text": "-x y"}
    values = {
        one.name: True if one.kind == "flag" else (samples[one.kind],) if one.many else
        one.choices[-1] if one.choices else samples[one.kind]
        for one in action.asked
    }  # fmt: skip
    assert missing_in(action, values) is None
    given = with_yes(arguments_of(action, values)) if action.asks_first else arguments_of(action, values)
    context = get_command(app).make_context("curtain", list(given))
    for name in action.path:
        _, command, rest = context.command.resolve_command(context, [*context._protected_args, *context.args])
        context = command.make_context(name, rest, parent=context)
    assert {one.name for one in action.asked} <= context.params.keys()


CASES = [
    ("forget", {"speaker": "e00"}, ("forget", "--", "STUDY", "e00")),
    ("export", {"format_name": "sql", "include_live": True, "cancelled": False},
     ("export", "--format=sql", "--out=OUT", "--no-cancelled", "--include-live", "--", "STUDY")),
    ("score", {"answers": "a"}, ("score", "--out=STUDY-score", "--", "key.jsonl", "a")),
    ("repair", {}, ("repair", "--", "STUDY/sessions/e00-01")),
    ("domain check", {"pack": "atis"}, ("domain", "check", "--", "atis")),
    ("judge merge", {"packets": ("a b.packet", "c.packet")}, ("judge", "merge", "--", "a b.packet", "c.packet")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "typed", "call"), CASES, ids=[case[0] for case in CASES])
def test_what_is_open_is_filled_in(name: str, typed: dict[str, object], call: tuple[str, ...], tmp_path: Path) -> None:
    study = tmp_path / "lab"
    around = OpenNow(study, "personnel", study / "sessions" / "e00-01", Path("key.jsonl"))
    values = {**around.filled_in(BY_NAME[name]), **typed}
    words = {str(tmp_path / "lab-export"): "OUT", str(study): "STUDY"}
    given = arguments_of(BY_NAME[name], values)  # type: ignore[arg-type]
    for text, word in words.items():
        given = tuple(one.replace(text, word) for one in given)
    assert given == call


def test_a_value_that_is_missing_is_named_also_one_before_another() -> None:
    for command, values, name in (
        ("judge new", {"study": "x", "out": "y"}, "judges"), ("solution", {"study": "x", "scenario": "y"}, "session"),
    ):  # fmt: skip
        lacking = missing_in(BY_NAME[command], values)
        assert lacking is not None and lacking.name == name


def test_what_opens_a_window_of_its_own_does_not_if_it_only_lists() -> None:
    assert BY_NAME["train"].opens_window({}) and not BY_NAME["train"].opens_window({"table": True})
    assert BY_NAME["annotate"].opens_window({}) and not BY_NAME["annotate"].opens_window({"check": True})
    assert not BY_NAME["agreement"].opens_window({})


def test_nothing_in_a_form_speaks_of_a_terminal() -> None:
    said = [in_our_words(text) for action in ACTIONS for text in (action.help, *(one.help for one in action.asked))]
    assert [text for text in said if re.search(r"standard input|Exit \d|repeat the option", text)] == []
    assert {one.label for one in BY_NAME["score"].fields if one.option == "--by"} == {"Also score by"}


PICKED = [
    ("report", "studies", ["Directory", "ExistingFile"], "AcceptOpen"),
    ("domain new", "source", ["Directory", "ExistingFile"], "AcceptOpen"),
    ("train", "study", ["Directory"], "AcceptOpen"),
    ("score", "against", ["ExistingFile"], "AcceptOpen"),
    ("subject", "mic_file", ["Directory", "ExistingFile"], "AcceptOpen"),
    ("subject", "spool", ["AnyFile"], "AcceptSave"),
    ("study new", "folder", ["AnyFile"], "AcceptSave"),
    ("export", "out", ["AnyFile"], "AcceptSave"),
    ("domain build", "out", ["AnyFile"], "AcceptSave"),
]


def test_each_path_says_what_it_is_for() -> None:
    paths = [(action.command, field) for action in ACTIONS for field in action.fields if field.kind == "path"]
    assert [(command, field.name) for command, field in paths if not field.purpose] == []


@pytest.mark.parametrize(("command", "name", "modes", "accepts"), PICKED, ids=[f"{one[0]} {one[1]}" for one in PICKED])
def test_what_is_chosen_on_the_disk_is_what_is_meant(
    qtbot: QtBot, look: Look, command: str, name: str, modes: list[str], accepts: str
) -> None:
    sheet = FieldSheet(BY_NAME[command].asked, {}, look)
    qtbot.addWidget(sheet)
    label = next(one.label for one in BY_NAME[command].asked if one.name == name)
    assert sheet.problem_here(f"a.toml, line 8: “{name}” must be a list.") == f"“{label}” must be a list."
    buttons = [one for one in sheet.findChildren(QPushButton) if one.objectName().startswith(f"field_{name}_")]
    for button in buttons:
        button.click()
    dialogs = sheet.findChildren(QFileDialog)
    assert [one.fileMode().name for one in dialogs] == modes
    assert {one.acceptMode().name for one in dialogs} == {accepts}
    for dialog in dialogs:
        dialog.done(0)


def test_a_speaker_is_erased_by_keys_only_after_the_window_said_what_goes(
    make_home: Callable[..., Hands], tmp_path: Path
) -> None:
    home = make_home(make_toy(tmp_path / "toy"))
    home.keys("Ctrl+Shift+K")
    home.until("action_search", focus=True)
    home.type("erase everything")
    home.until("choose_action", enabled=True)
    home.keys("Return")
    home.until("field_speaker", visible=True)
    home.until("do_action", enabled=False)
    # The cursor is in the field that is to be filled in.
    home.type("zz9")
    home.until("do_action", enabled=True)
    home.keys("Return")
    home.until("agreed", visible=True)
    assert str(tmp_path / "toy" / "sessions" / "zz9-01") in home.text("printed")
    home.keys("Escape")
    assert (tmp_path / "toy" / "sessions" / "zz9-01").is_dir()
    home.keys("Ctrl+Shift+K")
    home.until("action_search", focus=True)
    home.type("forget")
    # Also before it is known what an action takes.
    home.keys("Return")
    home.until("field_speaker", visible=True)
    home.type("zz9")
    home.keys("Return")
    home.until("agreed", visible=True)
    home.keys("Shift+Tab", "Return")
    home.until("printed", text={"contains": "Not in Curtain's hands"})
    assert not (tmp_path / "toy" / "sessions" / "zz9-01").exists()


@pytest.mark.parametrize(
    ("language", "word", "first"),
    [("en", "withdraw", "consent"), ("en", "anonymise", "forget"), ("en", "csv", "export"), ("en", "backup", "export"),
     ("en", "observer", "wizard"), ("en", "delete", "discard"), ("en", "pdf", "report"), ("en", "sqlite", "domain new"),
     ("en", "second rater", "agreement"), ("en", "kappa", "agreement"), ("en", "survey", "questionnaires"),
     ("de", "widerrufen", "consent"), ("de", "beobachter", "wizard"), ("de", "löschen", "forget")],
)  # fmt: skip
def test_an_action_is_found_by_words_that_people_have_for_it(
    qtbot: QtBot, qapp: QApplication, look: Look, language: str, word: str, first: str
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    translator = SentenceTranslator(sentences_of(QLocale("de"), None) or {}, qapp)
    if language == "de":
        qapp.installTranslator(translator)
    dialog = ActionsDialog(look, window)
    dialog.findChild(QLineEdit, "action_search").setText(word)
    rows = QTreeWidgetItemIterator(dialog.findChild(QTreeWidget, "actions"))
    left = [item.text(1) for row in rows if (item := row.value()) and item.parent() and not item.isHidden()]
    qapp.removeTranslator(translator)
    assert f"curtain {first}" in left


def test_a_search_that_finds_nothing_says_so_and_nothing_is_chosen(qtbot: QtBot, look: Look) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = ActionsDialog(look, window)
    dialog.show_actions(ACTIONS)
    assert dialog.do_button.isEnabled()
    qtbot.keyClicks(dialog.findChild(QLineEdit, "action_search"), "zebra")
    assert dialog.findChild(QLabel, "notice").text() == "No action has these words."
    assert not dialog.do_button.isEnabled()
    assert dialog.findChild(QTreeWidget, "actions").topLevelItem(0).isHidden()
