"""A study's settings, in a form and in study.toml: what must not be is refused, and every remark stays."""

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from curtain.base.errors import CurtainError
from curtain.qt.style import Look
from curtain.session.study.study import load_study, study_of
from curtain_home.control.actions import Value
from curtain_home.control.study_settings import SettingsCheck, SettingsChecker, changed, settings
from curtain_home.pages.settings_form import GROUPS, SettingsForm

REFUSED: dict[str, tuple[Mapping[str, Value], str]] = {
    "a scenario": ({"scenarios": ("balance", "nonsense")}, "“scenarios” in study.toml names “nonsense”; the domain"),
    "the practice": ({"practice": "nonsense"}, "“practice” in study.toml names “nonsense”; the domain"),
    "a questionnaire": ({"questionnaires": ("nasa",)}, "There is no questionnaire “nasa”."),
    "a message set": ({"messages": ("nowhere",)}, "nowhere"),
    "a domain": ({"domain": "nowhere"}, "nowhere"),
    "a rule-book": ({"rule_book": "1066"}, "“rule_book”"),
    "a number": ({"deadline_s": "soon"}, "“deadline_s” must be a number of seconds"),
    "nothing": ({"scenarios": ("balance",), "practice": "none", "questionnaires": ("sus",)}, ""),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_session_could_not_begin_with_is_refused_with_its_sentence(case: str, study: Path) -> None:
    values, sentence = REFUSED[case]
    path = study / "study.toml"
    problem = SettingsChecker(path, path.read_text("utf-8")).check(values).problem
    assert sentence in problem and bool(problem) == bool(sentence)
    assert str(study) not in problem


def test_a_file_of_the_study_is_written_by_its_name(study: Path) -> None:
    path = study / "study.toml"
    (study / "mine.toml").write_text("", "utf-8")
    checked = SettingsChecker(path, path.read_text("utf-8")).check({"messages": ("base", str(study / "mine.toml"))})
    assert 'messages = ["base", "mine.toml"]' in checked.text


MakeForm = Callable[..., SettingsForm]


@pytest.fixture
def make_form(put_up: Callable[..., None], look: Look, study: Path) -> MakeForm:
    window = QWidget()
    put_up(window, 1280, 720)

    def make() -> SettingsForm:
        path = study / "study.toml"
        form = SettingsForm(look, path, path.read_text("utf-8"), window)
        form.window_kept = window  # type: ignore[attr-defined]
        form.open()
        return form

    return make


def test_keys_go_on_while_a_check_runs_and_only_the_last_state_is_checked(qtbot: QtBot, make_form: MakeForm) -> None:
    form = make_form()
    qtbot.waitUntil(lambda: "Enter" in form.notice.text())
    begun, go_on, seen = Event(), Event(), list[str]()

    def slowly(values: Mapping[str, Value]) -> SettingsCheck:
        seen.append(str(values["site"]))
        begun.set()
        go_on.wait()
        return SettingsCheck("", "It is full." if values["site"] == "lab a" else "")

    form.checker = slowly
    site = form.findChild(QLineEdit, "field_site")
    qtbot.keyClicks(site, "l")
    begun.wait()
    qtbot.keyClicks(site, "ab a")
    # Enter counts for what is there now, once that is checked.
    qtbot.keyClick(site, Qt.Key.Key_Return)
    assert site.text() == "lab a" and form.isVisible()
    go_on.set()
    qtbot.waitUntil(lambda: form.notice.text() == "It is full.")
    assert seen == ["l", "lab a"] and form.isVisible()
    assert not form.findChild(QPushButton, "write_settings").isEnabled()


def test_what_is_not_written_is_a_draft_for_the_next_time(
    qtbot: QtBot, make_form: MakeForm, look: Look, study: Path
) -> None:
    form = make_form()
    qtbot.keyClicks(form.findChild(QLineEdit, "field_site"), "lab")
    form.reject()
    assert (form.isVisible(), form.draft) == (False, {"site": "lab"})
    path = study / "study.toml"
    again = SettingsForm(look, path, path.read_text("utf-8"), form.parentWidget(), form.draft)
    assert again.findChild(QLineEdit, "field_site").text() == "lab"
    assert not again.findChild(QLabel, "draft_kept").isHidden()
    again.done(0)


def test_what_cannot_be_written_stays_in_the_form_until_it_can(qtbot: QtBot, make_form: MakeForm, study: Path) -> None:
    form, path = make_form(), study / "study.toml"
    given = path.read_text("utf-8")
    qtbot.keyClicks(form.findChild(QLineEdit, "field_site"), "lab")
    path.write_text("", "utf-8")
    for text in ("was changed meanwhile", ""):
        qtbot.keyClick(form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda text=text: text in form.notice.text() if text else not form.isVisible())
        path.write_text(given, "utf-8") if text else None
    assert 'site = "lab"' in path.read_text("utf-8")


def test_every_key_stands_under_one_heading() -> None:
    grouped = [key for keys in GROUPS.values() for key in keys]
    assert sorted(grouped) == sorted(one.key for one in settings())


def test_scenarios_are_ticked_and_moved_by_keys(qtbot: QtBot, make_form: MakeForm) -> None:
    form = make_form()
    scenarios = form.findChild(QListWidget, "field_scenarios")
    qtbot.waitUntil(lambda: scenarios.count() > 20)
    first, second = (scenarios.item(at).data(Qt.ItemDataRole.UserRole) for at in (0, 1))
    assert scenarios.item(0).text().startswith(first) and scenarios.item(0).text() != first
    qtbot.keyClick(scenarios, Qt.Key.Key_Space)
    qtbot.keyClick(scenarios, Qt.Key.Key_Down)
    qtbot.keyClick(scenarios, Qt.Key.Key_Space)
    qtbot.keyClick(scenarios, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    with qtbot.waitSignal(form.wished) as written:
        qtbot.keyClick(form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert f'scenarios = ["{second}", "{first}"]' in written.args[0]


OWN = 'domain = "personnel"  # ours\n\n[texts]\none_moment = "Wait"\n\n[[conditions]]\nid = "a"\nwho = "wizard"\n'

LIST = """scenarios = [
  "a",  # first, since easy
  "b",  # often left
  # the hard ones
  "c",  # hard
  # the end
]  # ours
"""

CASES = [
    ("a word, beside its remark", OWN, {"domain": "atis"}, OWN.replace('"personnel"', '"atis"')),
    ("a key that was left out comes in front of the tables", OWN, {"learn": False},
     OWN.replace("  # ours\n", "  # ours\nlearn = false\n")),
    ("what is as it was when it is left out is not written", OWN, {"seed": "1", "learn": True, "show": "minimum"}, OWN),
    ("a list, a number and a share", 'seed = 1\nscenarios = []\nwizard_level = 0\n',
     {"seed": "7", "scenarios": ("a", "b"), "wizard_level": "0.9"},
     'seed = 7\nscenarios = ["a", "b"]\nwizard_level = 0.9\n'),
    ("remarks inside a list, of what stays, of what goes, and in another order", LIST,
     {"scenarios": ("new", "c", "a")},
     'scenarios = [\n  "new",\n  # often left\n  # the hard ones\n  "c",  # hard\n  "a",  # first, since easy\n'
     '  # the end\n]  # ours\n'),
    ("a list over several lines that is emptied and has remarks", 'scenarios = [  # none yet\n  "a",\n]\n',
     {"scenarios": ()}, 'scenarios = [\n  # none yet\n]\n'),
    ("a list over several lines without remarks stays so", 'scenarios = [\n    "a",\n    "b"\n]\n',
     {"scenarios": ("b",)}, 'scenarios = [\n    "b",\n]\n'),
    ("a key does not come between a remark and its table", 'site = ""\n\n# Other words.\n[texts]\n',
     {"seed": "3"}, 'site = ""\nseed = 3\n\n# Other words.\n[texts]\n'),
    ("nor where there is no key", '# A study.\n\n# Other words, as [here].\n[texts]\n', {"seed": "3"},
     '# A study.\n\nseed = 3\n\n# Other words, as [here].\n[texts]\n'),
    ("nor into a text of several lines", 'site = """\n[a]\n"""\n[texts]\none_moment = """\n[b]"""\n', {"seed": "3"},
     'site = """\n[a]\n"""\nseed = 3\n[texts]\none_moment = """\n[b]"""\n'),
    ("a last line without its end", 'seed = 1', {"learn": False}, "seed = 1\nlearn = false\n"),
    ("an empty file", "", {"seed": "3", "learn": False}, "seed = 3\nlearn = false\n"),
    ("quotation marks as the remark has them", 'show = "minimum"\nsite = ""\nscenarios = []\n',
     {"show": '"full"', "site": '""', "scenarios": ('"a"', "b")},
     'show = "full"\nsite = ""\nscenarios = ["a", "b"]\n'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values", "after"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_set_is_written_and_all_else_stays(text: str, values: dict[str, object], after: str) -> None:
    assert changed(text, values) == after  # type: ignore[arg-type]


def test_each_setting_has_a_remark_and_those_of_a_few_words_offer_them() -> None:
    found = {one.key: one for one in settings()}
    assert all(one.remark.endswith((".", "”.")) for one in found.values())
    assert found["order"].choices == ("fixed", "seeded")
    assert set(found["show"].choices) == {"minimum", "readable", "maximum"}
    assert {"domain", "language", "consent_scopes", "retention_months"} <= found.keys()


def test_a_form_that_changes_nothing_leaves_a_new_study_as_it_is(study: Path) -> None:
    text = (study / "study.toml").read_text("utf-8")
    shown = {one.key: one.left_out for one in settings() if isinstance(one.left_out, bool)}
    assert changed(text, {**shown, "order": "fixed", "deadline_s": "60"}) == text


@pytest.mark.parametrize(("key", "value", "sentence"), [
    ("deadline_s", "soon", "“deadline_s” must be a number of seconds from 1 to 3600."),
    ("talk_key", "Enter", "“talk_key” must be the name of a key"),
    ("scenarios", ("1", "1"), "each named once"),
    ("language", "tlh", "tlh"),
])  # fmt: skip
def test_a_wrong_value_gets_the_sentence_of_a_check(key: str, value: object, sentence: str, study: Path) -> None:
    path = study / "study.toml"
    text = changed(path.read_text("utf-8"), {key: value})  # type: ignore[dict-item]
    with pytest.raises(CurtainError, match=sentence) as in_the_form:
        study_of(path, text)
    path.write_text(text, "utf-8")
    with pytest.raises(CurtainError) as in_the_check:
        load_study(path.parent)
    assert str(in_the_form.value) == str(in_the_check.value)
