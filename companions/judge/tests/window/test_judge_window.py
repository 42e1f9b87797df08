"""The judge's window by its keys alone, from a packet to labels, and the adjudicator's from dissent to rulings."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton

from companions.judge.tests.judging.test_packets import label_all
from companions.judge.tests.window.test_judge_control import Material, disputed, pairs
from curtain.base.clock import Clock
from curtain.base.table import Table
from curtain.qt.windows.dialog import AskDialog
from curtain.rehearsal.stations import RunningStation
from curtain_judge.evaluation import Judge, new_evaluation, open_evaluation
from curtain_judge.items import ItemSource, JudgedItem
from curtain_judge.merging import merge_packets
from curtain_judge.packet import Packet
from curtain_judge.window.app import JudgeApp
from curtain_judge.window.material import JudgingMaterial
from tests.support.visible_focus import poor_stops

pytestmark = pytest.mark.stations

FARES = Table(headings=["Flight", "Fare"], rows=[["DL 139", "$ 210"], ["北京 7", "–"]], numeric=[False, False], total=2)


@pytest.fixture
def folder(tmp_path) -> Path:
    """Two sessions of three pairs; the second pair of each is a message that the log knows as an error."""
    sources = []
    for session in ("aaaa", "bbbb"):
        for number in (1, 2, 3):
            error = number == 2
            item = JudgedItem(
                f"{session}-{number}", session, number, "Find a flight to Denver that serves breakfast.",
                f"show flights number {number} من فضلك", None if error else FARES,
                "Please say it in another way." if error else None,
                "system error message" if error else "", None,
            )  # fmt: skip
            sources.append(ItemSource(item, f"e00-01-{number}", "e00-01", "study"))
    new_evaluation(tmp_path / "e1", sources, [Judge("ada"), Judge("ben")], seed=3, name="e1")
    return tmp_path / "e1"


def test_what_tab_reaches_shows_its_focus_and_has_a_name(qapp, qtbot, look, folder):
    judge = JudgeApp("e1", lambda: JudgingMaterial(Packet(folder / "ada.packet"), Clock()), look, None)
    with qtbot.waitSignal(judge.ready):
        judge.begin()
    assert poor_stops(qapp, look, judge.window) == ([], [])
    judge.window.close()
    judge.close()


class Lent(Material):
    """What the window hands back when it is done."""

    def close(self):
        pass


@pytest.fixture
def lent(qtbot, look):
    """Opens the window over a material that is written to nowhere."""
    opened = []

    def open_over(material):
        judge = JudgeApp("e1", lambda: material, look, None)
        opened.append(judge)
        with qtbot.waitSignal(judge.ready), qtbot.waitActive(judge.window):
            judge.begin()
        return judge

    yield open_over
    for judge in opened:
        judge.window.close()
        judge.close()


def typed_on(qtbot, judge, text, key=""):
    """The window and its line, in which this was typed behind a key."""
    window, note = judge.window, judge.window.findChild(QLineEdit, "note")
    if key:
        qtbot.keyClick(window, key)
    else:
        note.setFocus()
    qtbot.keyClicks(note, text)
    return window, note


@pytest.mark.parametrize(("answer", "stays"), [("go_back", True), ("leave_confirmed", False)])
def test_a_ruling_that_waits_for_its_reason_is_asked_for_when_the_window_is_closed(lent, qtbot, answer, stays):
    material = Lent(disputed(), adjudicates=True)
    window, note = typed_on(qtbot, lent(material), "the fare", "e")
    for _ in range(2):
        assert not window.close()
    (asked,) = window.findChildren(AskDialog)
    with qtbot.waitSignal(asked.finished):
        asked.findChild(QPushButton, answer).click()
    assert (window.isVisible(), note.text(), material.kept) == (stays, "the fare", [])
    qtbot.waitUntil(lambda: not window.findChildren(AskDialog))
    if stays:
        qtbot.keyClick(note, Qt.Key.Key_Return)
        assert [(label, reason) for _, _, label, _, reason in material.kept] == [("incorrect", "the fare")]
        assert window.close()


def test_esc_over_a_reason_that_was_begun_asks_before_nothing_is_ruled(lent, qtbot):
    window, note = typed_on(qtbot, lent(Lent(disputed(), adjudicates=True)), "the fare", "e")
    for answer, left in (("go_back", "the fare"), ("drop_confirmed", "")):
        qtbot.keyClick(note, Qt.Key.Key_Escape)
        (asked,) = (one for one in window.findChildren(AskDialog) if one.isVisible())
        asked.findChild(QPushButton, answer).click()
        assert (note.text(), note.isReadOnly()) == (left, not left)


def test_a_comment_that_the_disk_refuses_stays_in_its_line_and_is_reported_once_at_closing(lent, qtbot):
    material = Lent(pairs(2))
    window, note = typed_on(qtbot, lent(material), "cut off")
    material.fails = True
    qtbot.keyClick(note, Qt.Key.Key_Return)
    assert note.text() == "cut off"
    assert not window.close()
    assert "Close again to leave anyway." in window.findChild(QLabel, "problem_text").text()
    material.fails = False
    assert window.close()
    assert [kept[:3] for kept in material.kept] == [("p0", "comment", "cut off")]


def test_a_comment_is_kept_when_the_mouse_takes_the_cursor_out_of_its_line(lent, qtbot):
    material = Lent(pairs(2))
    window, _ = typed_on(qtbot, lent(material), "cut off")
    window.findChild(QPlainTextEdit, "earlier").setFocus(Qt.FocusReason.MouseFocusReason)
    assert [kept[:3] for kept in material.kept] == [("p0", "comment", "cut off")]


def test_six_pairs_are_judged_with_two_keys_each_over_a_comment_that_is_undone_and_a_kill(folder, window):
    def begin():
        window.append(RunningStation("judge", ["--packet", str(folder / "ada.packet")], folder / "judge.txt"))
        return window[-1]

    station = begin()
    station.wait("window", state="judging", place=1, done=0, total=6)
    # Typing a comment presses no label, and undo takes the last label back.
    station.keys("F9")
    station.type("query 1 was cut")
    station.wait("window", clarity="", correctness="")
    station.wait("key_strip", accessibleName={"contains": "Enter  Esc keep the comment"})
    station.keys("Ctrl+PgDown")
    station.wait("window", comment="", place=2)
    station.keys("Ctrl+PgUp")
    station.wait("window", comment="query 1 was cut", place=1)
    station.keys("2")
    station.keys("E")
    station.wait("window", place=2)
    station.keys("Ctrl+Z")
    station.wait("window", place=1, clarity="unclear", correctness="")
    station.keys("Ctrl+Z")
    station.keys("Ctrl+Z")
    # The comment was the first thing said.
    station.wait("window", place=1, clarity="", comment="")
    station.keys("Ctrl+Z")
    station.wait("key_strip", accessibleName={"contains": "Nothing to take back in this sitting."})
    keys = 0
    for place in range(1, 7):
        station.wait("window", place=place)
        if place == 3:
            # A killed window opens where the judge was.
            station.kill()
            station = begin()
            station.wait("window", state="judging", place=3, done=2)
        station.keys("1")
        keys += 1
        # The log knows of every third pair that it is an error.
        if place % 3 != 2:
            station.keys("W" if place == 1 else "Q")
            keys += 1
    station.wait("window", state="finished", done=6)
    assert keys == 10
    assert station.quit() == 0

    with Packet(folder / "ada.packet", read_only=True) as packet:
        standing = packet.standing()
        items = [item.id for item in packet.items]
    assert standing[items[0], "correctness"].label == "partially correct"
    assert standing[items[1], "correctness"].label == "system error message"
    assert len(standing) == 12


def test_an_adjudicator_rules_on_dissent_with_a_reason(folder, window):
    label_all(folder / "ada.packet", lambda item: "correct")
    label_all(folder / "ben.packet", lambda item: "incorrect" if item.id == "aaaa-3" else "correct")
    evaluation = open_evaluation(folder)
    merge_packets(evaluation, [folder / "ada.packet", folder / "ben.packet"])

    station = RunningStation("judge", ["--rule", str(folder), "--by", "dee"], folder / "judge.txt")
    window.append(station)
    station.wait("window", state="ruling", total=1, revealed=False)
    station.wait("earlier", text={"contains": "show flights number 1"})
    station.keys("F6")
    station.wait("window", revealed=True)
    station.keys("E")
    station.wait("window", correctness="incorrect", done=0)
    station.type("the fare is missing")
    station.keys("Return")
    station.wait("window", state="finished", done=1)
    assert station.quit() == 0
    assert evaluation.settled()["aaaa-3", "correctness"] == ("incorrect", "adjudicated")


@pytest.mark.parametrize(("name", "sentence"), [("nothing.packet", "cannot be read"), ("design.json", "is no packet")])
def test_a_packet_that_cannot_be_opened_is_one_sentence_in_the_window(qtbot, look, folder, name, sentence):
    judge = JudgeApp("e1", lambda: JudgingMaterial(Packet(folder / name), Clock()), look, None)
    judge.begin()
    qtbot.waitUntil(lambda: judge.window.property("state") == "failed")
    assert sentence in judge.window.findChild(QLabel, "loading").text()
    judge.window.close()
    judge.close()
