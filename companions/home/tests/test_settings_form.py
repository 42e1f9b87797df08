"""The settings of a study as a form: what must not be written is refused, and no key waits for a check."""

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from curtain.session.study.study import new_study
from curtain_home.control.actions import Value
from curtain_home.control.settings_check import SettingsCheck, SettingsChecker
from curtain_home.control.study_settings import settings
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


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return new_study(tmp_path / "study", "personnel").folder


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_session_could_not_begin_with_is_refused_with_its_sentence(case: str, study: Path) -> None:
    values, sentence = REFUSED[case]
    path = study / "study.toml"
    fault = SettingsChecker(path, path.read_text("utf-8")).check(values).fault
    assert sentence in fault and bool(fault) == bool(sentence)
    assert str(study) not in fault


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
