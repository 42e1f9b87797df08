"""The home window by its keys alone, with stand-ins for the stations."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QListWidget, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from companions.home.tests.conftest import Hands, Opened
from curtain.audio.devices import Device
from curtain.commands.sessions.facts import SessionFacts
from curtain.commands.sessions.study_reader import read_session
from curtain.domain.pack.pack import load_pack
from curtain.domain.worker.answer import answer_statement
from curtain.qt import style
from curtain.qt.looks.recolouring import change
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import load_study
from curtain_home.control import control as control_module
from curtain_home.control.memory import HomeMemory
from curtain_home.panels.keys import KEYS, label_of
from curtain_home.panels.study_panel import SessionTable
from tests.looks.test_names import nameless
from tests.support.visible_focus import poor_stops

MakeHome = Callable[..., Hands]


def test_without_a_study_the_window_proposes_one_and_keys_of_a_study_do_nothing(
    make_home: MakeHome, opened: Opened, tmp_path: Path
) -> None:
    hands = make_home()
    hands.until(state="empty", next="new_study")
    assert hands.text("next_step") == "Make a study, or open one that is there already."
    hands.keys("Ctrl+Return")
    hands.until("study_name", focus=True)
    hands.keys("Escape")
    hands.keys("Ctrl+Shift+O")
    hands.home.window.findChildren(QFileDialog)[-1].fileSelected.emit(str(tmp_path))
    assert "study.toml" in hands.text("problem_text")
    hands.keys("Escape")
    hands.keys("Ctrl+Shift+B", "Ctrl+Shift+A", "Ctrl+Shift+E", "Ctrl+Shift+V")
    hands.until(state="empty", running="", stations="")
    assert opened.calls == []
    hands.keys("F1")
    hands.until("keys", visible=True)
    shown = set(hands.ask(do="texts")["texts"])
    assert {binding.label for binding in KEYS.bound.values()} - {"F1"} <= shown
    hands.keys("F1")


def test_tab_reaches_every_button_and_field_which_show_their_focus_and_have_a_name(
    qapp: QApplication, make_home: MakeHome, toy: Path, opened: Opened
) -> None:
    hands = make_home(toy)
    hands.until(chosen="zz9-01")
    window = hands.home.window
    assert poor_stops(qapp, window.look, window) == ([], []) and list(nameless(window)) == []
    buttons = [one for one in window.findChildren(QAbstractButton) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    wanted = {one.objectName() for one in buttons if one.isVisible() and one.isEnabled()}
    wanted |= {"studies", "sessions"}
    reached = set()
    for _ in range(3 * len(wanted)):
        reached.add(window.focusWidget().objectName())
        hands.keys("Tab")
    assert wanted <= reached
    hands.keys("Ctrl+Shift+A")
    hands.until(stations="annotate")
    assert opened.calls == [["annotate", str(toy)]]


def test_another_study_is_opened_and_taken_off_the_list_by_keys(
    make_home: MakeHome, toy: Path, study: Path, memory: HomeMemory
) -> None:
    hands = make_home(toy, study)
    hands.keys("Ctrl+Shift+L", "Down", "Return")
    hands.until(state="study", study="empty", sessions=0)
    assert memory.studies == (study, toy)
    hands.keys("Ctrl+Shift+L", "End", "Delete")
    hands.until(study="empty")
    assert memory.studies == (study,)
    assert (toy / "study.toml").is_file()


def test_one_click_opens_a_study_and_what_is_highlighted_is_open(
    make_home: MakeHome, toy: Path, study: Path, qtbot: QtBot
) -> None:
    hands = make_home(toy, study)
    listed = hands.home.window.findChild(QListWidget, "studies")
    place = listed.visualItemRect(listed.item(1)).center()
    qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
    hands.until(state="study", study=study.name)
    assert listed.currentItem().text() == study.name
    # The cursor alone opens nothing, and goes back to the open study when the list is left.
    hands.keys("Ctrl+Shift+L", "End")
    assert (listed.currentItem().text(), hands.home.control.study.name) == (toy.name, study.name)  # type: ignore[union-attr]
    hands.home.window.studies.new.setFocus()
    qtbot.waitUntil(lambda: listed.currentItem().text() == study.name)


def test_a_session_that_is_closed_meanwhile_is_listed_so_by_itself(
    make_home: MakeHome, toy: Path, tmp_path: Path
) -> None:
    own = Path(shutil.copytree(toy, tmp_path / "own"))
    hands = make_home(own)
    hands.until(sessions=7)
    control = hands.home.control
    shutil.rmtree(own / "sessions" / "p00-01")
    control.look_for_changes()
    hands.until(state="study", sessions=6)
    Bundle(own / "sessions" / "m10-01").write_manifest()
    control.look_for_changes()
    hands.until(state="study", sessions=6, next="verify")


def test_sessions_are_found_by_speaker_state_day_or_a_word_of_a_question(
    make_home: MakeHome, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands, folders = make_home(toy), []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: folders.append(Path(url.toLocalFile())) or True)
    # What is proposed about annotating needs every session to be read.
    hands.until(state="study", sessions=7, unread=0)
    hands.keys("Ctrl+F")
    for wanted, found in (("E00", 2), ("not ended", 1), ("2026-03-02", 1), ("trial", 1), ("no such word", 0)):
        hands.keys("Ctrl+F", "Ctrl+A", "Delete")
        hands.type(wanted)
        hands.until("sessions", found=found)
    hands.until(chosen="")
    hands.until("sessions_empty", text="No session has these words.")
    hands.keys("Ctrl+A", "Delete")
    words = hands.home.control.study.session("e00-01").words.split()  # type: ignore[union-attr]
    hands.type(f"{words[-1].upper()} {words[0][:3]}")
    hands.keys("Down", "Home", "Ctrl+Shift+F")
    assert folders == [toy / "sessions" / hands.home.window.study.sessions.chosen]
    hands.keys("Ctrl+F", "Escape")
    hands.until("sessions", found=7, focus=True)
    # A folder that no program opens is named.
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: False)
    hands.home.window.study.study_folder_requested.emit()
    hands.until("problem_text", text={"contains": f"No program on this computer opens this: {toy}"})


def test_the_timeline_of_the_chosen_session_opens_over_the_window(make_home: MakeHome, toy: Path, qtbot: QtBot) -> None:
    hands = make_home(toy)
    hands.until(chosen="zz9-01")
    hands.keys("Ctrl+J")
    hands.until("session_timeline", turn=1)
    timeline = hands.home.window.findChild(QWidget, "session_timeline")
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageDown):
        qtbot.keyClick(timeline, key)
    assert timeline.property("turn") == 3 and "0:00:" in hands.text("timeline_line")
    qtbot.keyClick(timeline, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: hands.home.window.findChild(QWidget, "session_timeline") is None)


def test_a_session_that_did_not_change_is_not_read_again(
    make_home: MakeHome, toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, read = Path(shutil.copytree(toy, tmp_path / "own")), []

    def reading(begun: SessionFacts) -> SessionFacts:
        read.append(begun.session_id)
        return read_session(begun)

    monkeypatch.setattr(control_module, "read_session", reading)
    hands = make_home(own)
    hands.until(unread=0)
    assert len(read) == 7
    journal = own / "sessions" / "e00-01" / "wizard.events.jsonl"
    journal.write_bytes(journal.read_bytes()[:-200])
    hands.keys("F5")
    hands.until(state="study", unread=0)
    assert read[7:] == ["e00-01"]


def test_both_stations_open_over_the_study_and_one_that_refuses_is_reported_in_its_own_words(
    make_home: MakeHome, study: Path, opened: Opened
) -> None:
    hands = make_home(study)
    hands.keys("Ctrl+Shift+B")
    hands.until(stations="wizard subject", next="")
    assert opened.calls == [["wizard", "--study", str(study)], ["subject"]]
    hands.keys("Ctrl+Shift+W")
    hands.until("problem_text", visible=True)
    assert "open already" in hands.text("problem_text")
    for process in opened.processes:
        process.code = 0
    hands.until(stations="", next="trial_session")
    # A trial session is marked where it begins.
    opened.prints = "There is no display for the window.\n"
    hands.keys("Ctrl+Return")
    hands.until(stations="wizard subject")
    assert opened.calls[2:] == [["wizard", "--study", str(study), "--pilot"], ["subject"]]
    opened.processes[2].code = 2
    hands.until("problem_text", text="The wizard’s station: There is no display for the window.")


def test_large_letters_cut_no_button(qapp: QApplication, qtbot: QtBot, make_home: MakeHome, toy: Path) -> None:
    hands = make_home(toy)
    hands.until(chosen="zz9-01")
    window, sessions = hands.home.window, hands.home.window.study.sessions
    window.resize(1180, 680)
    buttons = [each for each in window.findChildren(QAbstractButton) if each.text()]

    def cut() -> list[str]:
        return [each.text() for each in buttons if each.isVisible() and each.width() < each.sizeHint().width()]

    for percent in (200, 150, 100):
        change(qapp, window.look, "light", percent)
        qtbot.waitUntil(lambda: cut() == [])
        qtbot.waitUntil(lambda: sessions.columnWidth(5) >= sessions.sizeHintForColumn(5))
        if percent == 150:
            qtbot.waitUntil(lambda: window.study.sessions.viewport().visibleRegion().boundingRect().height() > 50)
    qtbot.waitUntil(lambda: not sessions.isColumnHidden(4))
    # The sentence on what comes next has the width of its box, so that it is short.
    sentence, box = window.findChild(QWidget, "next_step"), window.findChild(QWidget, "next_box")
    qtbot.waitUntil(lambda: sentence.width() > 0.9 * box.width())
    first, last = (window.findChild(QAbstractButton, name) for name in ("both_stations", "sample_session"))
    qtbot.waitUntil(lambda: first.y() == last.y())


def test_a_state_takes_its_colour_from_the_new_colours(qapp: QApplication, qtbot: QtBot) -> None:
    look = style.apply(qapp, "light")
    table = SessionTable(look)
    table.resize(640, 200)
    qtbot.addWidget(table)
    table.show_sessions([SessionFacts("e00-01", Path("e00-01"), closed=True, soundness="sound")])
    change(qapp, look, "dark", 100)
    assert table.topLevelItem(0).foreground(5).color().name() == style.DARK.good
    # “Size” stands at the right of its column and “State” at the left of the next.
    header, row = table.header(), table.visualItemRect(table.topLevelItem(0))
    end = header.sectionViewportPosition(5)
    for painted, at in ((header.grab(), header.height() // 2), (table.viewport().grab(), row.center().y())):
        line = [painted.toImage().pixel(x, at) for x in range(end - style.GAP, end)]
        assert len(set(line)) == 1


def test_a_session_is_verified_and_the_window_remembers_it(make_home: MakeHome, toy: Path) -> None:
    hands = make_home(toy)
    hands.keys("Ctrl+Shift+S", "Home")
    hands.until(chosen="0a1-01")
    hands.keys("Return")
    hands.until(done="verify", end="good", running="", state="study")
    assert hands.text("activity_text") == "Session 0a1-01: everything is there and unchanged."
    session = hands.home.control.study.session("0a1-01")  # type: ignore[union-attr]
    assert session is not None and session.soundness == "sound"


def test_a_study_over_an_own_database_is_made_by_keys(make_home: MakeHome, tmp_path: Path) -> None:
    tables = tmp_path / "bikes"
    tables.mkdir()
    (tables / "bike.csv").write_text("bike_id,colour,bought\n1,red,01/02/2020\n2,blue,03/04/2020\n", "utf-8")
    (tables / "rider.csv").write_bytes("rider_id,name\n1,Γιώργος\n2,Ελένη\n".encode("cp1253"))
    hands = make_home()
    hands.keys("Ctrl+Shift+N")
    hands.until("study_name", focus=True)
    hands.type("rentals")
    hands.keys("Alt+I", "Ctrl+A")
    hands.type(str(tmp_path))
    hands.keys("Alt+A", "Down", "Down")
    hands.until("make_study", enabled=False)
    assert "DuckDB or SQLite file" in hands.text("notice")
    hands.keys("Alt+D")
    hands.type(str(tables))
    hands.until("make_study", enabled=True)
    hands.keys("Return")
    # The way back leads to what was filled in.
    hands.until("make_from_database", enabled=False)
    hands.keys("Escape")
    hands.until("make_study", enabled=True)
    hands.keys("Return")
    # Two files with other problems of reading: each choice holds for the table that is shown, or for all without one.
    hands.until("notice", text={"contains": "--encoding cp1253"})
    hands.keys("Alt+U", "Down", "Down", "Down", "Down")
    hands.until("make_from_database", enabled=True)
    hands.until("database_read_as", text={"contains": "bike.csv as it was read: names of columns in line 1; fields"})
    assert "01/02/2020, where day and month cannot be distinguished" in hands.text("database_notes")
    hands.until("database_encoding", text="cp1253")
    hands.keys("Alt+D", "Down")
    hands.until("database_read_as", text={"contains": "UTF-8; dates as day, month, year"})
    hands.until("make_from_database", enabled=True)
    hands.keys("Return")
    hands.until(state="study", study="rentals", done="new_study", end="good", running="")
    assert [task.study for task in hands.home.control.tasks] == ["rentals", "rentals"]
    assert Path(load_study(tmp_path / "rentals").domain) == tmp_path / "rentals-database"
    pack = load_pack(tmp_path / "rentals-database")
    assert '("Γιώργος")' in (answer_statement(pack, "SELECT name FROM rider").cas_min or "")
    assert answer_statement(pack, "SELECT bought FROM bike WHERE bike_id = 1").rows == [["1 Feb 2020"]]


def test_a_study_that_cannot_be_made_is_reported_and_leaves_the_open_one(
    make_home: MakeHome, study: Path, tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("a file", "utf-8")
    hands = make_home(study)
    hands.keys("Ctrl+Shift+N")
    hands.until("study_name", focus=True)
    hands.type("taken")
    hands.keys("Return")
    hands.until(done="new_study", end="bad", running="")
    assert "taken" in hands.text("activity_text")
    hands.until(state="study", study="empty")


def test_a_system_is_scored_and_the_page_is_offered(make_home: MakeHome, toy: Path, tmp_path: Path) -> None:
    (tmp_path / "refs.jsonl").write_text('{"id": "e00-01-001", "ref": "((1))", "class": "A"}\n', "utf-8")
    (tmp_path / "answers.jsonl").write_text('{"id": "e00-01-001", "hyp": "((1))"}\n', "utf-8")
    hands = make_home(toy)
    hands.keys("Ctrl+Shift+C")
    hands.until("activity_text", text="The form is being read.")
    hands.until("field_references", focus=True)
    hands.type(str(tmp_path / "refs.jsonl"))
    hands.keys("Tab", "Tab")
    hands.until("field_answers", focus=True)
    hands.until("do_action", enabled=False)
    hands.type(str(tmp_path / "answers.jsonl"))
    hands.keys("Ctrl+Return")
    hands.until(done="do score", end="good", running="")
    hands.until("open_result", visible=True)
    assert hands.home.window.findChild(QPlainTextEdit, "printed").lineWrapMode().name == "NoWrap"
    assert hands.text("activity_text").startswith("The page is ")
    assert (toy.parent / f"{toy.name}-score" / "score.html").is_file()


def test_each_button_s_mnemonic_is_the_letter_of_its_key(make_home: MakeHome, toy: Path) -> None:
    hands = make_home(toy)
    buttons = {one.objectName(): one for one in hands.home.window.findChildren(QAbstractButton)}
    # “Do it” has Ctrl+Enter, and its text is another for each proposal.
    actions = [name for name in buttons if name in KEYS.bound and name != "do_next"]
    assert len(actions) > 12
    letters = [buttons[name].text()[buttons[name].text().index("&") + 1].upper() for name in actions]
    assert letters == [KEYS.key_of(name)[-1] for name in actions]
    assert len(set(letters)) == len(letters)


def test_an_ampersand_in_a_text_is_shown() -> None:
    assert label_of("export", "R & Export") == "R && &Export"


def test_leaving_while_a_command_runs_is_asked_first_and_what_came_of_it_is_shown_at_its_study_alone(
    make_home: MakeHome, toy: Path, study: Path
) -> None:
    hands = make_home(toy, study)
    hands.keys("Ctrl+Shift+H")
    hands.until(running="check")
    assert not hands.home.window.close()
    hands.until("leave_confirmed", visible=True)
    hands.keys("Escape")
    hands.until(done="check", running="")
    sentence = hands.text("activity_text")
    hands.home.control.open_study(study)
    hands.until(state="study", study=study.name)
    assert hands.text("activity_text") == "Nothing is running."
    hands.home.control.open_study(toy)
    hands.until(state="study", study=toy.name)
    assert hands.text("activity_text") == sentence != "Nothing is running."
    assert hands.home.window.close()


def test_without_a_microphone_the_window_lets_subjects_type(
    make_home: MakeHome, study: Path, microphone: list[Device]
) -> None:
    microphone.clear()
    hands = make_home(study)
    hands.until(next="settings")
    assert hands.text("next_step").startswith("No microphone is connected. Connect one, or let subjects type")
    hands.keys("Ctrl+Return")
    hands.until("field_input", focus=True, text="both")
    hands.keys("Ctrl+Return")
    hands.until(state="study", next="trial_session")
    assert 'input = "both"' in (study / "study.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("spoilt", "key", "words"),
    [(True, "Ctrl+Shift+B", "cannot be written"), (False, "Ctrl+Shift+A", "no session to annotate")],
)
def test_nothing_opens_over_a_study_that_cannot_be_written_or_has_no_session_to_annotate(
    make_home: MakeHome, study: Path, opened: Opened, spoilt: bool, key: str, words: str
) -> None:
    hands = make_home(study)
    if spoilt:
        (study / "sessions").rmdir()
        (study / "sessions").write_text("", "utf-8")
    hands.keys(key)
    hands.until("problem_text", visible=True)
    assert words in hands.text("problem_text")
    assert opened.calls == []
