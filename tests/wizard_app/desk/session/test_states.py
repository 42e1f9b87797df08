"""Every event in every state of a session at the wizard's station, also where it “cannot happen”."""

import errno
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from curtain.base.clock import Clock
from curtain.base.disk import Disk
from curtain.link import messages
from curtain.link.events import ClockTied, TurnedAway
from curtain.link.qt import SessionLink
from curtain.qt.background import Background
from curtain.session.bundle.bundle import Bundle
from curtain.session.events import wizard_events as wizard
from curtain.session.journal.lines import JournalEntry, write_line
from curtain.session.study.study import Study
from tests.wizard_app.room import PLAN
from wizard_app.desk.session import ending
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.session.session_files import StationStart


class HandLink(SessionLink):
    """A link that carries nothing and remembers what was sent."""

    up = False

    def __init__(self) -> None:
        super().__init__()
        self.out: list[Any] = []
        self.again: list[int] = []
        self.seats: list[str] = []

    def judge_with(self, judge: Callable[[messages.Hello], messages.HelloRefused | None]) -> None:
        """Stations join by hand."""
        self.judge = judge

    def welcome(self, answer: object) -> None:
        self.out.append(answer)

    send = ack = welcome

    def begin_again(self, have: int) -> None:
        self.again.append(have)

    def let_in(self) -> None:
        self.seats.append("let in")

    def free_seat(self) -> None:
        self.seats.append("free")


class Desk:
    """A session control over a study, with a link that is moved by hand."""

    def __init__(self, qtbot: QtBot, study: Study, work: Background, files: Background) -> None:
        self.qtbot = qtbot
        self.study = study
        self._files = files
        self.link = HandLink()
        self.control = SessionControl(study, self.link, StationStart(Clock(), "0", 1), work, files)  # type: ignore[arg-type]
        self.problems: list[str] = []
        self.control.problem.connect(lambda what, text: self.problems.append(what))

    @property
    def state(self) -> str:
        return type(self.control.state).__name__.lower()

    def until(self, state: str) -> None:
        self.qtbot.waitUntil(lambda: self.state == state)

    def settle(self) -> None:
        """Wait for everything that is done with files at this moment."""
        done: list[object] = []
        self._files.run(lambda: None, done.append)
        self.qtbot.waitUntil(lambda: bool(done))

    def start(self) -> None:
        self.control.start(PLAN, None)

    def join(self, hello: messages.Hello) -> None:
        self.link.up = True
        self.link.subject_joined.emit(hello)

    @property
    def bundles(self) -> list[Path]:
        return sorted(self.study.sessions_folder.iterdir()) if self.study.sessions_folder.is_dir() else []


@pytest.fixture
def desk(qtbot: QtBot, study: Study) -> Iterator[Desk]:
    work, files = Background(1), Background(1)
    made = Desk(qtbot, study, work, files)
    yield made
    made.control.leave()
    files.close()
    work.close()


def idle(desk: Desk) -> None:
    """As it is after the start."""


def opening(desk: Desk) -> None:
    desk.start()


def running(desk: Desk) -> None:
    desk.start()
    desk.until("running")
    desk.qtbot.waitUntil(lambda: desk.control.progress.scenario is not None)


def closing(desk: Desk) -> None:
    running(desk)
    desk.control.ending.begin()
    desk.until("closing")


ENTRY = JournalEntry(1, "help_called", None, 0, "2026-01-01T00:00:00.000Z", {})
STATES: tuple[Callable[[Desk], None], ...] = (idle, opening, running, closing)
EVENTS: dict[str, Callable[[Desk], object]] = {
    "start": lambda desk: desk.start(),
    "resume": lambda desk: desk.control.resume("e00-01"),
    "leave": lambda desk: desk.control.leave(),
    "write": lambda desk: desk.control.write([(wizard.Paused(), None)]),
    "describe": lambda desk: desk.control.describe({"note": "n"}, lambda future: future.result()),
    "scenario ended": lambda desk: desk.control.end_scenario(wizard.ScenarioEnded(scenario_id="fair", reason="next")),
    "next scenario": lambda desk: desk.control.begin_scenario("fair"),
    "pause": lambda desk: desk.control.toggle_pause(),
    "end of the session": lambda desk: desk.control.ending.begin(),
    "own answer": lambda desk: desk.control.fill_form("f", "i", "1"),
    "own form finished": lambda desk: desk.control.finish_form("f", []),
    "close as it is": lambda desk: desk.control.ending.close_as_it_is(),
    "seat given away": lambda desk: desk.control.seat.let_in(),
    "record taken": lambda desk: desk.control.seat.take_record(),
    "station joins": lambda desk: desk.join(messages.Hello()),
    "station of another session joins": lambda desk: desk.join(messages.Hello(session_id="x01-01", identity="9" * 32)),
    "station turned away": lambda desk: desk.link.turned_away.emit(TurnedAway("seat", "")),
    "line": lambda desk: desk.link.received.emit(messages.JournalLine(seq=1, line=write_line(ENTRY))),
    "lines wanted": lambda desk: desk.link.received.emit(messages.WantLines(after=0)),
    "audio": lambda desk: desk.link.received.emit(
        messages.AudioChunk(utterance_id="e00-01-001", offset=0, total=1, data=b"x")
    ),
    "live sound": lambda desk: desk.link.received.emit(messages.LiveSound(turn=1, rate=16000, frame=0, data=b"xx")),
    "declined": lambda desk: desk.link.received.emit(
        messages.Declined(session_id="e00-01", identity="", reason="behind")
    ),
    "acked": lambda desk: desk.link.acked.emit(1),
    "clocks tied": lambda desk: desk.link.clock_tied.emit(ClockTied(0, 0)),
    "link lost": lambda desk: desk.link.lost.emit(),
}

NO_SESSION = "ignored: it belongs to a session, and none is open"
OPEN_ALREADY = "ignored: a session is open, and its files must not be left without an end"
DONE = "done in the session, if there is anything to do"
OF_THE_LINK = "answered or shown, whether a session is open or not"
TABLE = {(event, state.__name__): (state.__name__, DONE) for event, state in product(EVENTS, (running, closing))}
TABLE |= {(event, "idle"): ("idle", NO_SESSION) for event in EVENTS}
TABLE |= {(event, "opening"): ("running", NO_SESSION) for event in EVENTS}
TABLE |= {
    (event, given): (after, OPEN_ALREADY)
    for event, (given, after) in product(
        ("start", "resume"), (("opening", "running"), ("running", "running"), ("closing", "closing"))
    )
}
TABLE |= {
    (event, state): (TABLE[event, state][0], OF_THE_LINK)
    for event, state in product(
        ("station joins", "station of another session joins", "station turned away", "declined", "link lost"),
        ("idle", "opening"),
    )
}
TABLE |= {
    ("start", "idle"): ("running", "opens a new session"),
    ("resume", "idle"): ("idle", "refused with a sentence: there is no such session"),
    ("leave", "opening"): ("idle", "the files are let go as soon as they are open"),
    ("leave", "running"): ("idle", "the files are let go; the session stays as it is"),
    ("leave", "closing"): ("idle", "the files are let go; the session stays as it is"),
    ("end of the session", "running"): ("closing", "journaled; what is on its way is waited for"),
    ("end of the session", "closing"): ("closing", "ignored: it was ended"),
    ("next scenario", "closing"): ("closing", "ignored: it was ended"),
    ("close as it is", "closing"): ("idle", "journaled; the files are listed and closed"),
}


def test_the_table_names_every_pair() -> None:
    assert set(TABLE) == set(product(EVENTS, (state.__name__ for state in STATES)))


@pytest.mark.parametrize("event, given", list(product(EVENTS, STATES)))
def test_every_event_has_its_outcome_in_every_state(desk: Desk, event: str, given: Callable[[Desk], None]) -> None:
    given(desk)
    assert desk.state == given.__name__
    session, sent = desk.control.session, len(desk.link.out)
    after, outcome = TABLE[event, given.__name__]
    EVENTS[event](desk)
    desk.until(after)
    if outcome == NO_SESSION and given is idle:
        assert (desk.bundles, len(desk.link.out), desk.problems) == ([], sent, [])
    elif outcome == OPEN_ALREADY:
        assert session in (None, desk.control.session)
        assert len(desk.bundles) == 1
    elif outcome.startswith("refused"):
        assert desk.problems == ["open"]
    elif outcome.startswith("the files are let go"):
        # Nobody holds them: the session can be opened again.
        desk.settle()
        desk.control.resume(desk.bundles[0].name)
        desk.until(given.__name__ if given is not opening else "running")
    elif outcome == OF_THE_LINK:
        assert len(desk.link.out) > sent or desk.problems or event == "link lost"


def test_a_session_that_was_ended_before_it_is_opened_goes_on_as_closing(desk: Desk) -> None:
    closing(desk)
    desk.control.leave()
    desk.control.resume(desk.bundles[0].name)
    desk.until("closing")
    assert desk.control.ending.still_awaited()


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("have", [20_000, 2**31 - 1, 2**31, 2**62])
def test_a_station_that_says_it_has_millions_of_lines_is_refused_and_nothing_is_written(desk: Desk, have: int) -> None:
    running(desk)
    desk.settle()
    before = size_of(desk.study.folder)
    of = desk.control.open_session
    hello = messages.Hello(
        session_id=of.name.session_id, identity=of.name.identity, secret=of.session.secret, have=have
    )
    refused = desk.link.judge(hello)
    assert refused is not None and refused.code == "session"
    desk.settle()
    assert size_of(desk.study.folder) == before


@pytest.mark.parametrize("call", ["write", "replace"])
def test_a_session_that_ends_on_a_full_disk_closes_when_there_is_room(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Nobody has to ask again: `write` refuses the line of its end, `replace` the list of its files."""
    monkeypatch.setattr(ending, "RETRY_MS", 1)
    running(desk)
    desk.settle()
    refused: list[object] = []

    def no_room(*of: object) -> None:
        refused.append(of)
        raise OSError(errno.ENOSPC, "No space left on device")

    def full() -> None:
        desk.qtbot.waitUntil(lambda: len(refused) >= 3)
        assert desk.state == ("running" if call == "write" else "closing")

    bundle = desk.bundles[0]
    with monkeypatch.context() as disk:
        if call == "write":
            disk.setattr(Disk, "write", no_room)
            desk.control.ending.begin()
            full()
        else:
            desk.control.ending.begin()
            desk.until("closing")
            disk.setattr(Disk, "replace", no_room)
            desk.control.ending.close_as_it_is()
            full()
    desk.until("closing" if call == "write" else "idle")
    if call == "write":
        desk.control.ending.close_as_it_is()
        desk.until("idle")
    assert Bundle(bundle).verify() == []


def test_the_link_is_restored_once_a_connection_and_later_measurements_have_a_name_of_their_own(desk: Desk) -> None:
    running(desk)
    for offset_s in (0, 0, 100, 200):
        if offset_s == 200:
            desk.link.lost.emit()
        if offset_s in (0, 200):
            desk.join(messages.Hello())
        desk.link.clock_tied.emit(ClockTied(offset_s * 10**9, 0))
    session = desk.control.session
    assert session is not None

    def kinds() -> list[str]:
        facts = [fact for _, _, fact in session.facts_after(0)]
        return [type(fact).__name__ for fact in facts if isinstance(fact, wizard.LinkRestored | wizard.LinkLost)]

    desk.qtbot.waitUntil(lambda: kinds() == ["LinkRestored", "LinkRestored", "ClocksTied", "LinkLost", "LinkRestored"])
