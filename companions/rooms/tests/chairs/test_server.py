"""The session's own station answers what chairs wish for: granted on the disk, or refused in a sentence."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from hashlib import sha256
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from pytestqt.qtbot import QtBot

from curtain.base.clock import Clock
from curtain.base.table import Table
from curtain.domain.wire import Result
from curtain.link.messages import LiveSound
from curtain.qt.background import Background
from curtain.session.events import wizard_events as facts
from curtain.session.roles import CHAIRS, Chair
from curtain.session.study.messages import CannedMessage, MessageSet
from curtain.session.turns.turn_progress import TurnProgress
from curtain_rooms.chairs.fact_check import check_fact
from curtain_rooms.chairs.messages import (
    ChairHello,
    ChairMessage,
    ChairRefused,
    ChairWelcome,
    LivePiece,
    RequestGranted,
    RequestRefused,
    TakePart,
    WishedFact,
    WriteFacts,
)
from curtain_rooms.chairs.peer import chair_end
from curtain_rooms.chairs.rules import NotGranted
from curtain_rooms.chairs.server import ChairServer
from curtain_rooms.chairs.wire import ChairWire
from tests.corpus.toy import heard_of
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.subject.outbox import Outbox, ScenarioText
from wizard_app.desk.turn.control import Facts


class SlowDisk(QObject):
    """A session whose lines reach the disk, or do not, when the test says so."""

    opened = Signal()
    closed = Signal(object)
    write_failed = Signal(list)
    line_written = Signal(int)
    line_copied = Signal(int, bytes)
    take_here = Signal(int, object)
    live_sound_came = Signal(object)

    running = True
    session: SimpleNamespace | None = None
    progress = SessionProgress(
        opened=facts.SessionOpened(session_id="e00-01", speaker_id="e00", wizard_ids=["will"], scenario_ids=["one"]),
        turns={1: TurnProgress(1), 3: TurnProgress(3, typed="who is there", query="who is there")},
    )
    sorry = CannedMessage(id="sorry", number=1, text="No {what}.", blanks=("what",), counts_as="no_answer", when="x")
    texts = SimpleNamespace(messages=MessageSet((sorry,)))

    def __init__(self) -> None:
        super().__init__()
        self.written: Facts = []
        self.waiting: list[Callable[[bool], None]] = []

    def outbox(self, progress: SessionProgress) -> Outbox:
        return Outbox({"one": ScenarioText("Go.")}, "")

    def write(self, lines: Facts, done: Callable[[bool], None] | None = None) -> None:
        self.written += lines
        self.waiting += [done] if done is not None else []


class Desk:
    """A chair that says what it is told to, and keeps what it hears."""

    def __init__(self, qtbot: QtBot, wire: ChairWire) -> None:
        self.heard: list[ChairMessage] = []
        self._qtbot = qtbot
        self._wire = wire
        wire.came.connect(lambda _wire, message: self.heard.append(message))

    def send(self, message: Any) -> None:
        self._wire.send(message)

    def join(self, chair: Chair, who: str = "kim") -> None:
        self._wire.send(ChairHello(wizard_id=who, chair=chair))
        self.wait_for(ChairWelcome)

    def wish(self, number: int, fact: facts.WizardFact, turn: int | None, times: int = 1) -> None:
        data = msgspec.to_builtins(fact)
        wished = WishedFact(turn=turn, type=data.pop("type"), data=data)
        self._wire.send(WriteFacts(number=number, facts=[wished] * times))

    def wait_for(self, kind: type[ChairMessage]) -> ChairMessage:
        self._qtbot.waitUntil(lambda: any(isinstance(one, kind) for one in self.heard))
        return next(one for one in self.heard if isinstance(one, kind))


@pytest.fixture
def disk() -> SlowDisk:
    return SlowDisk()


@pytest.fixture
def granted() -> str:
    return "wizard"


class Database:
    """The database of the session's own station: what each statement gives there, by its own maximum."""

    def run(self, sql: str, _yes_no: bool, sql_max: str) -> Future[Result]:
        future: Future[Result] = Future()
        narrow = Result(sql="SELECT 1", headings=["n"], rows=[["1"]], numeric=[True], total=1, cas_min="((1))")
        wide = replace(narrow, sql_max="SELECT 2", cas_max="((2))", show="maximum", shown=WIDE)
        results = {("SELECT 1", ""): narrow, ("SELECT 1", "SELECT 2"): wide}
        future.set_result(results.get((sql, sql_max), Result(sql=sql, error="No such column.")))
        return future


@pytest.fixture
def now() -> list[int]:
    """The time at the session's own station: it stands still."""
    return [Clock().monotonic_ns()]


@pytest.fixture
def server(disk: SlowDisk, now: list[int]) -> Iterator[ChairServer]:
    made, background = ChairServer(disk, Clock(lambda: now[0]), None), Background()  # type: ignore[arg-type]
    made.check_with(Database(), background)  # type: ignore[arg-type]
    yield made
    background.close()


@pytest.fixture
def new_desk(qtbot: QtBot, server: ChairServer, granted: str) -> Iterator[Callable[..., Desk]]:
    clock, owner, listener, wires = Clock(), QObject(), QLocalServer(), list[ChairWire]()
    assert listener.listen(f"curtain-{uuid4().hex[:8]}")

    def make(mark: str = "") -> Desk:
        socket = QLocalSocket()
        socket.connectToServer(listener.serverName())
        qtbot.waitUntil(listener.hasPendingConnections)
        server.take_in(listener.nextPendingConnection(), granted, mark)  # type: ignore[arg-type]
        end = chair_end(clock.monotonic_ns())
        wires.append(ChairWire(socket, end, clock.monotonic_ns, owner))  # type: ignore[arg-type]
        return Desk(qtbot, wires[-1])

    yield make
    for wire in wires:
        wire.close()
    listener.close()


@pytest.fixture
def desk(new_desk: Callable[..., Desk]) -> Desk:
    return new_desk()


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_wish_is_granted_when_its_lines_are_on_the_disk_and_a_full_disk_is_one_sentence_at_the_chair(
    qtbot: QtBot, desk: Desk, disk: SlowDisk, is_kept: bool
) -> None:
    desk.join("transcriber")
    desk.wish(7, facts.QuerySent(text="who"), 1)
    qtbot.waitUntil(lambda: len(disk.waiting) == 1)
    assert not [one for one in desk.heard if isinstance(one, RequestGranted)]
    assert (facts.named(facts.QuerySent(text="who"), "kim"), 1) in disk.written
    disk.waiting[0](is_kept)
    answer = desk.wait_for(RequestGranted if is_kept else RequestRefused)
    assert isinstance(answer, RequestGranted | RequestRefused) and answer.number == 7
    if isinstance(answer, RequestRefused):
        assert answer.sentence.startswith("The session’s own station could not keep that. Look at its disk")


def test_a_session_that_is_resumed_under_a_connected_desk_seats_its_own_wizard_behind_those_who_left(
    desk: Desk, disk: SlowDisk
) -> None:
    desk.join("observer")
    disk.written.clear()
    sat = [facts.ChairJoined(wizard_id="kim", chair="observer"), facts.ChairJoined(wizard_id="will", chair="wizard")]
    nothing = SimpleNamespace(lines_after=lambda _seq: [])
    disk.session = SimpleNamespace(
        session_id="e00-01", identity="", progress=disk.progress, journal=nothing, replica=nothing,
        facts_after=lambda _seq: [(seq, None, fact) for seq, fact in enumerate(sat, 1)],
    )  # fmt: skip
    disk.opened.emit()
    left = [(facts.ChairLeft(wizard_id=who), None) for who in ("kim", "will")]
    assert disk.written == [*left, *((fact, None) for fact in reversed(sat))]


@pytest.mark.parametrize("chair", ["wizard", "answerer"])
def test_a_chair_cannot_end_the_session(desk: Desk, disk: SlowDisk, chair: Chair) -> None:
    desk.join(chair)
    before = list(disk.written)
    desk.wish(1, facts.SessionClosed(reason="finished"), None)
    refused = desk.wait_for(RequestRefused)
    assert isinstance(refused, RequestRefused)
    assert refused.sentence == "Only the session’s own station can end the session."
    assert disk.written == before


def test_speech_reaches_a_chair_while_it_is_spoken(desk: Desk, disk: SlowDisk) -> None:
    desk.join("observer")
    disk.live_sound_came.emit(LiveSound(turn=1, frame=320, rate=16000, data=b"\0\1" * 320))
    assert desk.wait_for(LivePiece) == LivePiece(turn=1, frame=320, rate=16000, data=b"\0\1" * 320)


@pytest.mark.parametrize(
    ("granted", "asked", "joins"),
    [
        *((chair, chair, True) for chair in CHAIRS),
        *((chair, "observer", True) for chair in CHAIRS),
        *(("wizard", chair, True) for chair in CHAIRS),
        ("observer", "wizard", False),
        ("observer", "answerer", False),
        ("transcriber", "wizard", False),
        ("transcriber", "answerer", False),
        ("answerer", "transcriber", False),
        ("", "wizard", False),  # paired by an earlier Curtain, which granted nothing
    ],
)
def test_a_desk_joins_as_what_its_pairing_grants(desk: Desk, disk: SlowDisk, asked: Chair, joins: bool) -> None:
    desk.send(ChairHello(wizard_id="kim", chair=asked))
    answer = desk.wait_for(ChairWelcome if joins else ChairRefused)
    assert isinstance(answer, ChairWelcome) or f"To join as {asked}, pair it again" in answer.sentence
    assert any(isinstance(fact, facts.ChairJoined) and fact.wizard_id == "kim" for fact, _ in disk.written) is joins


TABLE = Table(headings=["n"], rows=[["1"]], numeric=[True], total=1)
ANSWER = facts.AnswerSent(sql="SELECT 1", table=TABLE, cas_min="((1))")
SORRY = facts.MessageSent(message_id="sorry", blanks={"what": "plane"}, text="No plane.", counts_as="no_answer")
BEGUN = facts.ScenarioStarted(scenario_id="one", number=1, of=1)
RAN = facts.StatementRun(
    sql="SELECT 1", rows=1, ms=1, headings=["n"], first_rows=[["1"]], answer_sha256=sha256(b"((1))").hexdigest()
)


def of(fact: Any, **changed: Any) -> Any:
    return replace(fact, **changed)


WIDE = Table(headings=["m"], rows=[["2"]], numeric=[True], total=1)
WIDER = {"sql_max": "SELECT 2", "cas_max": "((2))", "show": "maximum", "shown": "maximum", "table": WIDE}
FORGED = Table(headings=["n"], rows=[["The wizard is a person."]], numeric=[False], total=1)
FALSE_RUN = facts.StatementRun(
    sql="SELECT 1", rows=1, ms=1, headings=["n"], first_rows=FORGED.rows, answer_sha256=sha256(b"((1))").hexdigest()
)


@pytest.mark.parametrize(
    ("run", "answer", "is_shown"),
    [
        (RAN, ANSWER, True),
        (RAN, of(ANSWER, **WIDER), True),
        (FALSE_RUN, of(ANSWER, table=FORGED), False),
        (RAN, of(ANSWER, **(WIDER | {"table": FORGED})), False),
        (RAN, of(ANSWER, **(WIDER | {"cas_max": "((3))"})), False),
        (RAN, of(ANSWER, **(WIDER | {"sql_max": "SELECT 3"})), False),
        (of(RAN, sql="SELECT 7"), of(ANSWER, sql="SELECT 7"), False),
        (of(RAN, answer_sha256=sha256(b"((7))").hexdigest()), of(ANSWER, cas_min="((7))"), False),
    ],
)
def test_rows_of_another_desk_are_shown_where_this_station_gets_the_same(
    qtbot: QtBot, desk: Desk, disk: SlowDisk, run: facts.StatementRun, answer: facts.AnswerSent, is_shown: bool
) -> None:
    desk.join("answerer")
    desk.wish(1, run, 1)
    desk.wish(2, answer, 1)
    if is_shown:
        qtbot.waitUntil(lambda: len(disk.waiting) == 2)
    else:
        refused = desk.wait_for(RequestRefused)
        assert isinstance(refused, RequestRefused)
        assert refused.sentence.startswith("The session’s own station gets something else of this statement.")
    assert any(isinstance(fact, facts.AnswerSent) for fact, _ in disk.written) is is_shown


def test_a_desk_that_sends_more_than_people_do_waits_and_holds_up_nobody(
    qtbot: QtBot, server: ChairServer, new_desk: Callable[..., Desk], disk: SlowDisk, now: list[int]
) -> None:
    notices: list[str] = []
    server.notice.connect(notices.append)
    kim, tom = new_desk("kim's"), new_desk("tom's")
    kim.join("wizard")
    tom.join("transcriber", "tom")
    for number in range(40):
        kim.wish(number + 1, facts.Note(text="x"), 1, times=16)
    qtbot.waitUntil(lambda: bool(notices))
    tom.send(TakePart(number=1, turn=1, part="transcription"))
    tom.wait_for(RequestGranted)
    assert notes(disk) == 48
    assert notices == ["“kim” sends more than a person can. It is taken in more slowly."]
    # Dialling again does not help, and what waits is taken in later.
    again = new_desk("kim's")
    again.send(ChairHello(wizard_id="kim2", chair="wizard"))
    for number in range(3):
        tom.wish(number + 2, facts.Note(text="y" * 9_000), 1)
    qtbot.waitUntil(lambda: notes(disk) == 48 + 3)
    assert again.heard == []
    now[0] += 1_000_000_000
    qtbot.waitUntil(lambda: notes(disk) > 48 + 3)


def notes(disk: SlowDisk) -> int:
    return sum(isinstance(fact, facts.Note) for fact, _ in disk.written)


def test_large_messages_wait_as_small_ones_do(qtbot: QtBot, server: ChairServer, desk: Desk, disk: SlowDisk) -> None:
    notices: list[str] = []
    server.notice.connect(notices.append)
    desk.join("wizard")
    for number in range(20):
        desk.wish(number + 1, facts.Note(text="x" * 120_000), 1)
    qtbot.waitUntil(lambda: bool(notices))
    assert notes(disk) == 8


def test_what_a_desk_writes_by_its_own_program_is_granted(qtbot: QtBot, desk: Desk, disk: SlowDisk) -> None:
    desk.join("wizard")
    honest: list[tuple[facts.WizardFact, int | None]] = [
        (BEGUN, None), (facts.TakeHeard(), 1), (heard_of("who"), 1), (facts.QuerySent(text="who"), 1), (RAN, 1),
        (ANSWER, 1), (heard_of("who", shown=False), 1),
        (of(SORRY, blanks={"what": " plane\n"}), 1), (facts.Note(text="x"), None), (facts.Note(text="x"), 1),
        (facts.Paused(), None),
    ]  # fmt: skip
    for number, (fact, turn) in enumerate(honest, 1):
        desk.wish(number, fact, turn)
    qtbot.waitUntil(lambda: len(disk.waiting) == len(honest))


@pytest.mark.parametrize(
    ("fact", "turn"),
    [
        # The turn.
        *((fact, turn) for fact in (facts.QuerySent(text="x"), ANSWER, SORRY) for turn in (None, 2, 99_999, 2**31 - 1)),
        *((fact, None) for fact in (facts.TakeHeard(), facts.TakenOver(system="s"), facts.Corrected(of_seq=1))),
        (heard_of("x"), None),
        *((fact, 1) for fact in (BEGUN, facts.Paused(), facts.DebriefDone())),
        (facts.Corrected(of_seq=2**40), 1), (facts.Corrected(of_seq=7), 1), (facts.Corrected(of_seq=-1), 1),
        # The scenario.
        *((of(BEGUN, **{field: number}), None) for field in ("number", "of") for number in (-1, 0, 2, 2**40, 2**62)),
        *((of(BEGUN, scenario_id=name), None) for name in ("../../x", "", "two", "x" * 5000, "\0")),
        (of(BEGUN, practice=True), None), (of(BEGUN, condition_id="c"), None),
        (facts.ScenarioEnded(scenario_id="one", reason="next"), None),  # it does not run
        # The message.
        *((of(SORRY, **{field: other}), 1) for field, other in (
            ("text", "Any words at all."), ("text", ""), ("message_id", "none"), ("blanks", {}),
            ("blanks", {"what": ""}), ("blanks", {"what": "x", "more": "y"}), ("counts_as", "neutral"))),
        # The table.
        *((of(ANSWER, table=of(TABLE, **{field: other})), 1) for field, other in (
            ("headings", []), ("rows", [[]]), ("rows", [["1", "2"]]), ("numeric", []), ("total", 0), ("total", 2**40),
            ("rows", [["x" * 9_000_000]]))),
        # What was not run, or gave something else.
        *((of(ANSWER, **{field: other}), 1) for field, other in (
            ("sql", "SELECT 2"), ("sql", ""), ("cas_min", "((2))"), ("cas_min", None), ("system", "s"))),
        *((of(ANSWER, table=of(TABLE, **{field: other})), 1) for field, other in (
            ("headings", ["m"]), ("rows", [["2"]]), ("rows", []), ("total", 7))),
        (of(ANSWER, shown="maximum", cas_min="((2))"), 1), (of(ANSWER, yes_no=True, cas_min="TRUE"), 1),
        # Numbers that no signal and no journal can carry.
        (of(RAN, rows=2**62), 1), (of(RAN, ms=-(2**40)), 1), (of(ANSWER, late_ms=2**33), 1),
        (facts.DraftShown(drafts=["x"], confidences=[float("nan")]), 1),
        (facts.DraftTaken(sql="x", confidence=float("inf"), place=2**40), 1),
        (facts.QuerySent(text="x" * 9_000_000), 1),
        # What the subject typed.
        (facts.QuerySent(text="x"), 3), (facts.QuerySent(text="who is there"), 3),
    ],
)  # fmt: skip
def test_a_desk_that_says_more_than_it_may_gets_one_sentence_and_nothing_is_written(
    fact: facts.WizardFact, turn: int | None
) -> None:
    disk = SlowDisk()
    with pytest.raises(NotGranted) as refused:
        runs, outbox = [of(RAN, error="No."), RAN], disk.outbox(disk.progress)
        check_fact(fact, turn, disk.progress, disk.texts.messages, outbox, runs)
    assert str(refused.value).endswith(".") and len(str(refused.value)) < 200


@pytest.mark.parametrize("turn", [2, 99_999, 2**31 - 1])
def test_no_part_of_a_turn_that_is_not_there_is_granted(desk: Desk, disk: SlowDisk, turn: int) -> None:
    desk.join("wizard")
    before = list(disk.written)
    desk.send(TakePart(number=3, turn=turn, part="answer"))
    refused = desk.wait_for(RequestRefused)
    assert refused == RequestRefused(number=3, sentence=f"There is no turn {turn} in this session.")
    assert disk.written == before


def test_a_typed_turn_has_an_answer_to_take_and_no_words_to_write_down(desk: Desk, disk: SlowDisk) -> None:
    desk.join("wizard")
    desk.send(TakePart(number=3, turn=3, part="transcription"))
    refused = desk.wait_for(RequestRefused)
    assert isinstance(refused, RequestRefused) and refused.sentence.startswith("The subject typed turn 3.")
    desk.send(TakePart(number=4, turn=3, part="answer"))
    desk.wait_for(RequestGranted)
    assert [one.part for one, _ in disk.written if isinstance(one, facts.PartTaken)] == ["answer"]
