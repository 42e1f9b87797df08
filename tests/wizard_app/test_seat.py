"""Who may take the subject's place at the wizard's station, and what becomes of lines and records that do not fit."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from curtain.link.events import TurnedAway
from curtain.link.messages import AudioSafe, Declined, Welcome
from curtain.qt.windows.dialog import AskDialog
from curtain.session.events.subject_events import FormFilled
from curtain.session.journal.lines import parse_line, read_journal, write_line
from curtain.session.study.study import Study
from curtain.session.turns.turns import read_turns
from tests.wizard_app.room import CONTROL, SHIFT, Room
from tests.wizard_app.stand_in import StandIn


def test_neither_another_program_nor_a_station_of_another_study_takes_the_subjects_place(
    qtbot: QtBot, begun: Room, stand_in: Callable[[], StandIn]
) -> None:
    begun.speak()
    begun.qtbot.waitUntil(lambda: bool(begun.subject.shown_of(AudioSafe)))
    begun.subject.link.close()
    begun.wait(link="down")
    thief = stand_in()
    refusals: list[TurnedAway] = []
    thief.link.refused.connect(refusals.append)
    thief.dial(begun.link_name)
    qtbot.waitUntil(lambda: len(refusals) > 1)
    assert {one.code for one in refusals} == {"seat"} and thief.shown == []
    assert "wants to join" in begun.window.problem.text
    thief.close()
    begun.subject.dial(begun.link_name)
    begun.wait(link="up")
    journal = begun.app.station.controllers.session.session.bundle.wizard_journal

    def is_restored() -> bool:
        return "link_restored" in types_of(journal)[types_of(journal).index("link_lost") :]

    # The journal is written in order: what the thief caused would stand before the line of the subject's return.
    begun.qtbot.waitUntil(is_restored)
    assert types_of(journal).count("link_lost") == 1
    begun.subject.link.close()
    begun.wait(link="down")
    namesake = stand_in()
    namesake.session_id = "e00-01"
    namesake.welcome = msgspec.structs.replace(begun.subject.welcome, identity="f" * 32)
    with qtbot.waitSignal(namesake.link.refused) as refused:
        namesake.dial(begun.link_name)
    assert refused.args[0].code == "session"
    assert "still belongs to session e00-01" in begun.window.problem.text
    namesake.close()


def with_a_lost_spool(qtbot: QtBot, room: Room, stand_in: Callable[[], StandIn]) -> StandIn:
    """The subject's station is gone for good; another one with nothing of the session asks for its place."""
    room.begin()
    room.speak()
    room.qtbot.waitUntil(lambda: bool(room.subject.shown_of(AudioSafe)))
    for _ in range(20):  # more than fits into one piece
        room.subject.fact(FormFilled(form="how_it_went", values={"told": "x" * 5000}))
    session = room.app.station.controllers.session.session
    qtbot.waitUntil(lambda: session.replica.last_seq == room.subject.journal.last_seq)
    room.subject.link.close()
    room.wait(link="down")
    other = stand_in()
    other.dial(room.link_name)
    qtbot.waitUntil(lambda: offered(room).isVisible())
    return other


def offered(room: Room) -> QPushButton:
    button = room.window.findChild(QPushButton, "problem_button")
    assert button is not None
    return button


def test_a_station_that_lost_its_spool_is_let_in_with_a_key_and_gets_the_record_back(
    qtbot: QtBot, room: Room, stand_in: Callable[[], StandIn]
) -> None:
    other = with_a_lost_spool(qtbot, room, stand_in)
    before, old_secret = room.subject.journal.last_seq, room.subject.welcome.secret
    assert offered(room).text() == "Let it in  (Ctrl+Shift+L)"
    qtbot.mouseClick(offered(room), Qt.MouseButton.LeftButton)
    assert isinstance(QApplication.activeModalWidget(), AskDialog)
    # Nobody is let in when the wizard goes back.
    room.key(Qt.Key.Key_Escape)
    turned_away: list[TurnedAway] = []
    other.link.refused.connect(turned_away.append)
    qtbot.waitUntil(lambda: len(turned_away) > 1)
    assert other.shown == []
    room.key(Qt.Key.Key_L, CONTROL | SHIFT)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, AskDialog)
    assert any("Every announced recording is here." in shown.text() for shown in dialog.findChildren(QLabel))
    room.press_in_dialog("let_in_confirmed")
    room.wait(link="up")
    qtbot.waitUntil(lambda: other.session_id == "e00-01")
    assert not offered(room).isVisible()
    assert len(other.back) == before and other.pieces > 1
    assert other.welcome.secret != old_secret
    assert other.speak() == 2
    room.wait(open_turns=2)
    old = room.subject
    refusals: list[TurnedAway] = []
    old.link.refused.connect(refusals.append)
    old.dial(room.link_name)
    qtbot.waitUntil(lambda: {one.code for one in refusals} == {"seat"})
    old.close()
    room.close_session()


def test_a_record_that_differs_is_replaced_when_the_wizard_says_so(begun: Room) -> None:
    begun.speak()
    subject = begun.subject
    subject.link.send(Declined(session_id="e00-01", identity=subject.welcome.identity, reason="differs"))
    begun.qtbot.waitUntil(lambda: offered(begun).isVisible())
    assert "has a record of session e00-01 that differs" in begun.window.problem.text
    begun.key(Qt.Key.Key_L, CONTROL | SHIFT)
    begun.press_in_dialog("take_record_confirmed")
    begun.qtbot.waitUntil(lambda: subject.welcome.replaces)
    begun.wait(link="up")
    assert not offered(begun).isVisible()


def altered(line: bytes) -> bytes:
    return line.replace(b'"key_down"', b'"key_dawn"')


def of_another_number(line: bytes) -> bytes:
    entry = parse_line(line)
    return write_line(msgspec.structs.replace(entry, seq=entry.seq + 5))


RUDE: tuple[Callable[[bytes], bytes], ...] = (altered, of_another_number, lambda _: b"[" * 1000, lambda _: b"")


def test_after_a_line_that_is_none_the_stations_meet_again_and_nothing_is_lost(begun: Room) -> None:
    begun.speak()
    subject = begun.subject
    shown = begun.window.findChild(QLabel, "problem_text")
    for turn, rude in enumerate(RUDE, 2):
        subject.rude = {subject.journal.last_seq + 1: rude}
        assert subject.speak() == turn
        begun.wait(open_turns=turn, link="up")
        begun.qtbot.waitUntil(lambda: subject.rude == {})
        begun.qtbot.waitUntil(lambda: shown.text() == "")
    bundle = begun.close_session()
    assert bundle.verify() == [] and [one.turn for one in read_turns(bundle)] == [1, 2, 3, 4, 5]
    assert bundle.subject_journal.read_bytes() == (subject.folder / "e00-01.jsonl").read_bytes()


def test_a_station_that_has_only_a_damaged_line_is_reported_and_not_hung_up_on_for_ever(begun: Room) -> None:
    subject = begun.subject
    subject.damaged_line = subject.journal.last_seq + 1
    subject.press()
    shown = begun.window.findChild(QLabel, "problem_text")
    begun.qtbot.waitUntil(lambda: subject.damaged_sent == 4)
    begun.qtbot.waitUntil(lambda: "cut off or altered" in shown.text())
    begun.wait(link="up")


def test_the_start_page_tells_of_a_subjects_station_of_another_study_and_makes_nothing(
    room: Room, stand_in: Callable[[], StandIn], study: Study
) -> None:
    room.qtbot.waitUntil(room.domain_is_there)
    room.subject.link.close()
    room.wait(link="down")
    stranger = stand_in()
    stranger.session_id = "e01-01"
    stranger.welcome = Welcome(
        session_id="e01-01", identity="f" * 32, talk_key="Space", microphone="", title="", briefing="",
        database_description="",
    )  # fmt: skip
    stranger.dial(room.link_name)
    room.wait(link="up")
    shown = room.window.findChild(QLabel, "missing")
    belongs = "The subject’s station still belongs to session e01-01 of another study."
    room.qtbot.waitUntil(lambda: shown.text().startswith(belongs))
    assert not room.window.start.ready
    assert not list(study.sessions_folder.glob("*"))
    stranger.close()
    room.qtbot.waitUntil(lambda: shown.text().startswith("Still missing"))


def types_of(journal: Path) -> list[str]:
    return [entry.type for entry in read_journal(journal).entries]
