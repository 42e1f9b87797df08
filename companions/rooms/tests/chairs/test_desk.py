"""A desk among several: who it is and how it joins, whom a part goes to, and which text stands in its field."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from companions.rooms.tests.network.rooms import Room
from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.session.chairs.table import ChairLine, ChairTable
from curtain.session.events import wizard_events as facts
from curtain.session.roles import CHAIRS, Chair
from curtain.session.turns.turn_progress import AnswerOutline, Sent, TurnProgress
from curtain_rooms.chairs.chair_link import PairingDialler, joined_link
from curtain_rooms.chairs.desk import ChairDesk, last_sent_by
from curtain_rooms.chairs.messages import AnyRequest, HandPartOver
from curtain_rooms.network.identity import own_station, stations_folder
from curtain_rooms.room_seat import ReceiverMenu
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.progress import Turns as AllTurns

PEOPLE: dict[str, Chair] = {"ann": "answerer", "will": "wizard"}


class Session(QObject):
    """What a desk reads of a session."""

    opened = Signal()
    progress_changed = Signal()

    def __init__(self, chairs: dict[str, Chair]) -> None:
        super().__init__()
        self.progress = SessionProgress(chairs=ChairTable(chairs=chairs))


class Turns(QObject):
    """The turn at work, and the statement in its field."""

    changed = Signal()
    turn = TurnProgress(3, query="who")
    sql = ""

    def set_sql(self, sql: str) -> None:
        self.sql = sql

    def work_on(self, choose: object, sent: object) -> None:
        """Which turns the desk works on is not asked here."""

    @property
    def fields(self) -> object:
        return type("Fields", (), {"query": "", "sql": self.sql})()


class KimsDesk:
    """The desk of kim, beside tess and these people."""

    def __init__(self, people: dict[str, Chair]) -> None:
        self.owner, self.wishes = QObject(), list[AnyRequest]()
        self.session, self.turns = Session({"kim": "wizard", "tess": "transcriber", **people}), Turns()
        self.desk = ChairDesk(self.session, self.turns, lambda: "kim", self._on_wish, self.owner)  # type: ignore[arg-type]

    def _on_wish(self, wish: Callable[[int], AnyRequest]) -> None:
        self.wishes.append(wish(7))

    def hear(self, *lines: ChairLine) -> None:
        for line in lines:
            self.session.progress = replace(self.session.progress, chairs=self.session.progress.chairs.after(line))
        self.desk.follow()


def test_one_key_hands_over_where_one_person_may_have_it(qapp: QObject) -> None:
    kim = KimsDesk({"ann": "answerer"})
    kim.desk.hand_over()
    assert kim.wishes == [HandPartOver(number=7, turn=3, part="answer", to="ann")]


def test_of_several_the_person_is_asked_who(qtbot: QtBot) -> None:
    kim = KimsDesk(PEOPLE)
    with qtbot.waitSignal(kim.desk.receivers_wanted) as asked:
        kim.desk.hand_over()
    assert asked.args == [PEOPLE] and not kim.wishes
    kim.desk.hand_to("will")
    assert kim.wishes == [HandPartOver(number=7, turn=3, part="answer", to="will")]


@pytest.mark.parametrize(("key", "chosen"), [(Qt.Key.Key_2, ["will"]), (Qt.Key.Key_Escape, [])])
def test_a_number_chooses_in_the_list_and_escape_leaves_it(qtbot: QtBot, key: Qt.Key, chosen: list[str]) -> None:
    window, taken = QWidget(), list[str]()
    qtbot.addWidget(window)
    window.resize(600, 400)
    window.show()
    menu = ReceiverMenu(PEOPLE, taken.append, window)
    assert [line.text() for line in menu.actions()] == ["Hand this part to", "&1  ann (answerer)", "&2  will (wizard)"]
    menu.open_over(window)
    qtbot.keyClick(menu, key)
    assert taken == chosen


def typed_by(who: str, text: str) -> ChairLine:
    return ChairLine(facts.PartTyped(wizard_id=who, part="answer", text=text), 3)


TAKEN = ChairLine(facts.PartTaken(wizard_id="kim", part="answer"), 3)


@pytest.mark.parametrize(
    ("field", "lines", "shown"),
    [
        ("", [typed_by("ann", "SELECT 1")], "SELECT 1"),
        ("", [typed_by("kim", "SELECT 1")], "SELECT 1"),
        ("SELECT", [typed_by("ann", "SELECT 1")], "SELECT 1"),
        # What this desk has typed on while its link was down is newer than all that is kept.
        ("SELECT 1 -- more", [typed_by("kim", "SELECT 1")], "SELECT 1 -- more"),
        ("SELECT 2", [typed_by("ann", "SELECT 1")], "SELECT 2"),
        # Its own line comes back after it has gone on typing, or has deleted.
        ("SELECT 12", [typed_by("kim", "SELECT 1")], "SELECT 12"),
        ("SEL", [typed_by("kim", "SELECT 1")], "SEL"),
    ],
)
def test_the_newer_text_stands_in_the_field(qapp: QObject, field: str, lines: list[ChairLine], shown: str) -> None:
    kim = KimsDesk({"ann": "answerer"})
    kim.turns.sql = field
    kim.hear(TAKEN, *lines)
    assert kim.turns.sql == shown


def test_a_text_that_came_from_another_gives_way_to_that_one_s_newer_text(qapp: QObject) -> None:
    kim = KimsDesk({"ann": "answerer"})
    for text in ("SELECT 1", "SELECT 2 -- after the link was back"):
        kim.hear(typed_by("ann", text), TAKEN)
    assert kim.turns.sql == "SELECT 2 -- after the link was back"


@pytest.mark.parametrize(("who", "turn"), [("kim", 2), ("ann", 4), ("tess", None)])
def test_each_desk_corrects_what_it_sent_itself(who: str, turn: int | None) -> None:
    """Turn 1 and 2 are of the time before others joined; the session's own station sent them."""
    senders = {1: None, 2: None, 3: "ann", 4: "ann"}
    answers = {n: Sent(10 * n, 0, AnswerOutline("SELECT 1", False, 1), by) for n, by in senders.items()}
    opened = facts.SessionOpened(session_id="e00-01", speaker_id="e00", wizard_ids=["kim"], scenario_ids=[])
    turns = {n: TurnProgress(n, sent=(sent,)) for n, sent in answers.items()}
    chairs = ChairTable(chairs={"kim": "wizard", "ann": "answerer", "tess": "transcriber"})
    progress = SessionProgress(chairs=chairs, opened=opened, turns=AllTurns(turns))
    last = last_sent_by(progress, who)
    assert (last.number if last is not None else None) == turn
    alone = last_sent_by(replace(progress, chairs=ChairTable()), "kim")
    assert alone is not None and alone.number == 4


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda _name: tmp_path / "home")


def test_two_desks_on_one_computer_are_two_and_the_first_takes_over_what_both_had() -> None:
    before = Room.made(stations_folder("chair").parent, "chair").identity.fingerprint
    kim, ann = (own_station("chair", who)[0] for who in ("kim", "ann"))
    assert kim.fingerprint == before != ann.fingerprint
    assert own_station("chair", "kim")[0].fingerprint == before
    assert kim.name.endswith(" kim")


def test_a_code_pairs_a_desk_as_soon_as_the_session_s_own_station_shows_codes(qtbot: QtBot, tmp_path: Path) -> None:
    listener = Room.made(tmp_path, "host").listener(role="chair", chairs=CHAIRS)
    listener.desk.in_sight = False
    code = listener.desk.codes["answerer"]
    dialler = PairingDialler(f"127.0.0.1:{listener.port}", code, "ann", "answerer", Clock())
    with qtbot.waitSignal(dialler.failed) as failed:
        dialler.dial()
    assert failed.args[0].endswith("during a session with Ctrl+Shift+D.")
    listener.desk.in_sight = True
    came: list[str] = []
    listener.station_came.connect(lambda _socket, station: came.append(station.chair))
    dialler.dial()
    qtbot.waitUntil(lambda: came == ["answerer"])
    listener.close()


@pytest.mark.parametrize("who", ["../ann", "a b", "", "x" * 65])
def test_an_id_that_the_other_station_would_not_take_is_refused_here(who: str) -> None:
    with pytest.raises(CurtainError, match="Take 1 to 64 letters, digits"):
        joined_link("127.0.0.1:7412", "", who, "observer", Clock())
