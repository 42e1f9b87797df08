"""Every sentence of the windows has German, with the same blanks; no German is left of a sentence that is gone."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from curtain.commands.description import actions
from curtain.corpus.annotation.tag_table import load_table
from curtain.corpus.model.filters import NOT_CLASSED, NOT_TRANSCRIBED, PILOT
from curtain.corpus.model.gate import NO_FORM, NOT_COVERED, SCOPE_NOT_KNOWN, UNDISCLOSED, WITHDREW
from curtain.qt.languages.translation import FINISHED as PUT_TOGETHER
from curtain.qt.languages.translation import PARTS, SentenceTranslator, sentences_of
from curtain.qt.problems import UNEXPECTED
from curtain.review.control import wording
from curtain.review.panels.keys import KEYS as ANNOTATOR
from curtain.session.study.study import wanted_values
from curtain_home.control.actions import Action, Field
from curtain_home.control.plans import BUNDLED, in_our_words
from curtain_home.control.study_settings import settings
from curtain_home.control.week import NAMES, WEEK
from curtain_home.control.word_files import EVERY_FIELD
from curtain_home.pages.settings_form import CALLED, GROUPS
from curtain_home.panels.keys import KEYS as HOME
from curtain_home.timeline.timeline_dialog import KEYS as TIMELINE
from curtain_judge.labels import LABELS
from curtain_judge.window.keys import JUDGE_KEYS, RULING_KEYS
from tests.corpus.formats import FORMATS
from wizard_app.keys.table import KEYS as WIZARD

ROOT = Path(__file__).resolve().parents[3]
WINDOWS = ("curtain/qt", "curtain/review", "wizard_app", "companions")
# Modules without a widget whose finished sentences a window shows, and the steps of strips that stand in tuples.
FINISHED = (
    *(f"companions/home/curtain_home/control/{name}.py" for name in ("next_step", "outcome", "plans", "word_files")),
    "companions/browser/curtain_browser/places.py", "companions/experiments/curtain_experiments/desk/*.py",
    "companions/judge/curtain_judge/window/control.py",
    "companions/rooms/curtain_rooms/*/*.py", "curtain/audio/*.py", "curtain/base/disk.py", "curtain/base/privacy.py",
    "curtain/base/record_file.py", "curtain/base/scratch.py", "curtain/corpus/annotation/rules.py",
    "curtain/link/*.py", "curtain/corpus/annotation/sro.py", "curtain/domain/guard/*.py",
    "curtain/commands/run/check.py", "curtain/domain/pack/trust.py", "curtain/ports/*.py",
    "companions/practice/curtain_practice/judgement.py", "curtain/review/control/*.py",
    "curtain/session/bundle/bundle.py", "curtain/session/bundle/identity.py",
    "curtain/session/journal/journal.py", "curtain/session/questionnaires/*.py", "curtain/session/study/*.py",
    "curtain/session/turns/coverage.py", "curtain/session/turns/pace.py",
    "subject_app/**/*.py", "wizard_app/desk/**/*.py",
)  # fmt: skip
STEPS = (
    "companions/home/curtain_home/pages/presenter.py", "companions/home/curtain_home/panels/keys.py",
    "curtain/review/panels/keys.py", "companions/judge/curtain_judge/window/app.py",
)  # fmt: skip
KEY_NAMES = ("Ctrl", "Alt", "Shift", "Enter", "Esc", "Del", "Tab", "Space", "PgUp", "PgDn", "Up", "Down", "Left",
             "Right", "Arrows")  # fmt: skip
# No pattern; a backslash that stands alone is named as a sign.
SENTENCE = re.compile(r"[A-Z“{](?:[^\\]| \\ )*[a-z](?:[^\\]| \\ )* [^\\]*[.…:}]\Z")
RAISED = re.compile(r"setText\(str\((problem|error)\)\)")
BLANK = re.compile(r"\{\w*[^}]*\}")
# What stays as it is in every language.
SAME = re.compile(r"[\W\d_]*|F\d+|[A-Z]\d?|Ctrl\+\w+|\S*\.toml|SQL|[a-z]+_[a-z_]+")
AS_IT_IS = {"Curtain {0}", "{0}, port {1}", "{0} turn {1} {2} class {3} {4}", "“{0}” of {1}", "“rule_book” in {0}",
            "The subject's station.", "SELECT count(*) FROM {0}", "Column {0}",
            "Sorry, the system is unable to answer your query."}  # fmt: skip
# What shows a text that it is given.
SHOWS = {"setText", "setWindowTitle", "setTitle", "setToolTip", "setPlaceholderText", "setAccessibleName", "addItem",
         "setAccessibleDescription", "label", "heading", "QLabel", "QPushButton", "QCheckBox", "QRadioButton", "addTab",
         "show_notice", "setHeaderLabels", "ReviewWindow", "setPlainText"}  # fmt: skip


@cache
def german() -> dict[str, object]:
    made = sentences_of(QLocale("de"), None)
    assert made is not None
    return made


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def texts_in(node: ast.AST) -> Iterator[str]:
    """The sentences of a literal, of an f-string with its blanks numbered, and of both branches of a choice."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        count = iter(range(100))
        parts = (part.value if isinstance(part, ast.Constant) else f"{{{next(count)}}}" for part in node.values)
        yield "".join(map(str, parts))
    elif isinstance(node, ast.IfExp):
        yield from texts_in(node.body)
        yield from texts_in(node.orelse)


def translated_in(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and node.args:
            if name_of(node) == "tr":
                yield from texts_in(node.args[0])
            elif name_of(node) == "translate" and len(node.args) == 2:
                yield from texts_in(node.args[1])


def finished_in(path: Path) -> Iterator[str]:
    """Whatever reads like a sentence outside of docstrings, logs and patterns."""
    passed_over = {"compile", "info", "warning", "debug", "error", "getLogger", "tr", "translate", "startswith"}

    def walk(node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if isinstance(node, ast.Call) and name_of(node) in passed_over:
            return
        texts = [] if isinstance(node, ast.IfExp) else list(texts_in(node))
        yield from (text for text in texts if SENTENCE.match(text))
        if not texts:
            for child in ast.iter_child_nodes(node):
                yield from walk(child)

    yield from walk(tree_of(path))


def ends_in(path: Path) -> Iterator[str]:
    """What a command says at its end, which the home window shows."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and name_of(node) == "end_with" and node.args:
            yield from filter(None, texts_in(node.args[0]))


def steps_in(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Tuple) and len(node.elts) == 2:
            yield from texts_in(node.elts[1])
        if isinstance(node, ast.Dict):
            yield from (text for value in node.values for text in texts_in(value))


def in_tables() -> Iterator[str]:
    for table in (WIZARD, ANNOTATOR, HOME, JUDGE_KEYS, RULING_KEYS, TIMELINE):
        for binding in table.bindings:
            yield from (binding.group, binding.does)
            # A text of single keys is put together from their names.
            yield from [binding.shown] if set(re.findall(r"[A-Za-z]{2,}", binding.shown)) - {*KEY_NAMES} else []
    for words in (wording.CLASSES, wording.CATEGORIES, wording.READS, wording.LAYER_NAMES):
        yield from words.values()
    yield from ("text", "answer", "draft", "again", "to rule", "Session", "Turn", "State", "Class", "Query")
    yield from ("nothing; it is the first turn of its scenario", "Invite a subject in a browser")
    yield from ("a list", "how many", "the average", "the highest", "the lowest", "the total")
    yield from (label for labels in LABELS.values() for label in labels)
    yield from (title for _, title in BUNDLED)
    yield from (each.title for each in FORMATS)
    yield from (UNEXPECTED, *KEY_NAMES)
    fields = [field for action in actions() for field in asked_of(action)]
    yield from map(in_our_words, filter(None, (*(one["help"] for one in actions()), *(one.help for one in fields))))
    yield from (in_our_words(setting.remark) for setting in settings())
    yield from filter(None, (field.help for field in EVERY_FIELD))
    tags = load_table()
    yield from (tag.means for tag in tags.tags.values())
    yield from (reason.title for reason in tags.reasons.values())


def asked_of(action: dict[str, Any]) -> tuple[Field, ...]:
    return msgspec.convert(action, Action).asked


@cache
def sentences() -> dict[str, str]:
    """Each English sentence with the place where it stands first."""
    found: dict[str, str] = {}
    for room in WINDOWS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for text in translated_in(path):
                found.setdefault(text, path.name)
    for names, read in ((FINISHED, finished_in), (STEPS, steps_in)):
        for path in (path for name in names for path in sorted(ROOT.glob(name))):
            for text in read(path):
                found.setdefault(text, path.name)
    for path in (path for room in ("curtain/commands", "companions") for path in sorted((ROOT / room).rglob("*.py"))):
        for text in ends_in(path) if "tests" not in path.parts else ():
            found.setdefault(text, path.name)
    for text in in_tables():
        found.setdefault(text, "a table")
    return {text: place for text, place in found.items() if not SAME.fullmatch(text) and text not in AS_IT_IS}


def test_every_sentence_has_german() -> None:
    known = german()
    assert {text: place for text, place in sentences().items() if text not in known} == {}


def test_no_german_is_left_of_a_sentence_that_is_gone() -> None:
    known = german()
    assert [text for text, words in known.items() if isinstance(words, str) and text not in sentences()] == []


def test_what_a_subject_works_on_is_a_scenario_outside_of_the_subjects_window() -> None:
    assert [text for text in sentences() if re.search(r"\btasks?\b", text, re.IGNORECASE)] == []


def reasons_in(path: Path) -> Iterator[str]:
    """What a drafter says of a draft: it yields, returns or passes it on as `because`."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Yield | ast.Return) or (isinstance(node, ast.keyword) and node.arg == "because"):
            texts = texts_in(node.value) if node.value is not None else ()
            yield from (text for text in texts if " " in text and text[-1] != ".")


def test_why_there_is_a_draft_has_german() -> None:
    rooms = ("ranking/contradictions.py", "drafter/local.py", "serving/chat.py")
    reasons = {text for room in rooms for text in reasons_in(ROOT / "companions/drafts/curtain_drafts/tool" / room)}
    # Why an answer is wrong is said at practice, as the Comparator says it.
    reasons |= {*reasons_in(ROOT / "curtain/cas/reasons.py")}
    assert len(reasons) > 20 and reasons - set(cast("dict[str, str]", german()["Parts"])) == set()


def test_why_an_utterance_stays_out_of_an_export_has_german(qapp: QApplication) -> None:
    reasons = (
        PILOT, NOT_TRANSCRIBED, NOT_CLASSED, "practice", WITHDREW, UNDISCLOSED, NO_FORM, SCOPE_NOT_KNOWN,
        *NOT_COVERED.values(),
    )  # fmt: skip
    here = SentenceTranslator(german(), qapp)
    assert [reason for reason in reasons if here.translate(PARTS, reason) == reason] == []


def test_what_forms_ask_for_and_the_names_of_actions_have_german() -> None:
    tables = german()
    asked = {field.label for action in actions() for field in asked_of(action)}
    asked |= {*(field.label for field in EVERY_FIELD), *GROUPS}
    assert asked | set(CALLED.values()) == set(cast("dict[str, str]", tables["Fields"]))
    wanted = {wanted_values(setting.key) or "true or false" for setting in settings()}
    assert {*WEEK, *NAMES.values(), *wanted} - set(cast("dict[str, str]", tables["Parts"])) == set()


def test_each_part_of_a_sentence_stands_in_the_source() -> None:
    parts = german()["Parts"]
    assert isinstance(parts, dict)
    rooms = (ROOT / room for room in ("curtain", "wizard_app", "companions"))
    source = "".join(path.read_text("utf-8") for room in rooms for path in room.rglob("*.py")).lower()
    literal = {part: max(BLANK.split(part), key=len).strip(" ,;1") for part in parts}
    literal = {part: re.sub(" (is|are|was|were)$", "", text) for part, text in literal.items()}
    # A word with a plural, with its verb or at the beginning of a sentence is made by the code.
    assert [part for part, text in literal.items() if text.rstrip("s").lower() not in source] == []


def test_both_languages_have_the_same_blanks() -> None:
    known = german()
    # Of finished sentences German leaves “was” and “were” out.
    tables = [known, *(words for name, words in known.items() if isinstance(words, dict) and name != PUT_TOGETHER)]
    differing = [
        text
        for table in tables
        for text, words in table.items()
        if isinstance(words, str) and set(BLANK.findall(text)) != set(BLANK.findall(words.replace(":word}", "}")))
    ]
    assert differing == []


def literals_shown(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and name_of(node) in SHOWS:
            # Further arguments are names for tests.
            shown = [text for argument in node.args[:1] for text in texts_in(argument)]
            # The sentence of a problem is English until it is looked up, which lines of notices do by themselves.
            yield from [f"{path.name}: {called[0]}"] if (called := RAISED.search(ast.unparse(node))) else []
            yield from (f"{path.name}: {text}" for text in shown if re.search(r"[A-Za-z]{3}", BLANK.sub("", text)))


@pytest.mark.parametrize("room", [*WINDOWS, "subject_app"])
def test_no_text_is_shown_past_the_language(room: str) -> None:
    assert [text for path in sorted((ROOT / room).rglob("*.py")) for text in literals_shown(path)] == []


def test_a_text_past_the_language_is_noticed(tmp_path: Path) -> None:
    source = tmp_path / "page.py"
    lines = ['line.setText("Plain words")', 'line.setText(self.tr("Fine"))', 'line.setText(f"{count} more")']
    source.write_text("\n".join(lines), "utf-8")
    assert list(literals_shown(source)) == ["page.py: Plain words", "page.py: {0} more"]
