import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

from curtain.audio.devices import DeviceMissing
from curtain.audio.disk import RecordingDisk
from curtain.audio.recorder import Recorder
from curtain.base.clock import Clock
from curtain.base.table import Table
from curtain.link.messages import (
    AnswerShown,
    AudioSafe,
    JournalLine,
    MessageShown,
    QueryShown,
    ScenarioShown,
    SessionOver,
    Welcome,
)
from curtain.qt.background import Background
from curtain.session.journal.lines import parse_line, read_journal
from subject_app.session.recovery import ThisStation
from subject_app.session.spool import Spool
from subject_app.session.spool_space import SpoolSpace
from subject_app.station import SubjectStation
from subject_app.talk.hold import Stamp
from subject_app.talk.microphone import Readiness
from tests.support.hand_turned_source import HandTurnedSource

RATE = 16000
TABLE = Table(headings=["Name"], rows=[["Ada"], ["Grace"]], numeric=[False], total=2)
IDENTITY, SECRET = "1" * 32, "2" * 32
ELSEWHERE = "b" * 32
NOW = "2026-03-01T00:00:00.000Z"
WELCOME = Welcome(
    session_id="e00-01", identity=IDENTITY, secret=SECRET, talk_key="space", microphone="", title="A session",
    briefing="Talk.", database_description="People.",
)  # fmt: skip


@dataclass
class HandSound:
    """Sound devices whose time is turned by hand; what is plugged in is a list."""

    connected: list[str] = field(default_factory=lambda: ["desk", "head"])
    opened: list[str] = field(default_factory=list)
    played: list[Path] = field(default_factory=list)
    audible: bool = True
    source: HandTurnedSource = field(default_factory=HandTurnedSource)
    others: dict[str, HandTurnedSource] = field(default_factory=dict)
    rates: list[int] = field(default_factory=list)
    disk: RecordingDisk = field(default_factory=RecordingDisk)

    def names(self, again: bool = False) -> list[str]:
        return list(self.connected)

    def open(self, name, listener, rescue: Path, again: bool, rate: int) -> Recorder:
        if name not in self.connected:
            raise DeviceMissing("microphone", name, self.connected)
        self.opened.append(name)
        self.rates.append(rate)
        source = self.others.get(name, self.source)
        source.name = name
        recorder = Recorder(source, listener, fallback=rescue, disk=self.disk)
        recorder.open()
        return recorder

    def play(self, wav: Path, done: Callable[[], None]) -> bool:
        self.played.append(wav)
        if self.audible:
            done()
        return self.audible

    def close(self) -> None:
        pass


class RecordingLink:
    """What would have gone out, and whether each line was on the disk by then."""

    def __init__(self, spool: Path) -> None:
        self.sent = []
        self.acks = []
        self.unsafe = []
        self.again = 0
        self.up = True
        self._spool = spool

    def send(self, message) -> bool:
        if self.up:
            self.sent.append(message)
        if isinstance(message, JournalLine) and not self._on_disk(message.line):
            self.unsafe.append(message.seq)
        return self.up

    def ack(self, seq: int) -> None:
        self.acks.append(seq)

    def begin_again(self) -> None:
        self.again += 1

    def _on_disk(self, line: bytes) -> bool:
        return any(line in path.read_bytes() for path in self._spool.rglob("subject.events.jsonl"))

    def of(self, kind) -> list:
        return [message for message in self.sent if isinstance(message, kind)]

    @property
    def types(self) -> list[str]:
        return [parse_line(message.line).type for message in self.of(JournalLine)]


class Room:
    """A station without a window, at a hand-turned microphone."""

    def __init__(self, qtbot, folder: Path, microphone: str = "", sound: HandSound | None = None, **options) -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.sound = sound or HandSound()
        self.link = RecordingLink(folder)
        self.background = Background(3)
        source = self.sound.source
        clock = Clock(lambda: round(source.time() * 1e9), lambda: datetime(2026, 3, 1, tzinfo=UTC))
        this = ThisStation(app_version="1", pid=1)
        spool = Spool(folder, options.pop("keep_days", 0))
        options.setdefault("space", SpoolSpace(folder, size=4096))
        self.station = SubjectStation(spool, self.sound, self.background, clock, this, microphone, **options)
        self.view = SimpleNamespace(page="waiting", state="idle")
        self.shown = None
        self.moments = []
        self.solutions = []
        self.station.view_changed.connect(lambda view: setattr(self, "view", view))
        self.station.shown_changed.connect(lambda shown: setattr(self, "shown", shown))
        self.station.one_moment_wanted.connect(self.moments.append)
        self.station.solution_noted.connect(self.solutions.append)
        self.dialled = []
        self.station.begin(self.link, lambda: self.dialled.append(True))
        self.until(lambda: self.dialled)

    def until(self, condition) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()))

    def page(self, page: str) -> None:
        self.until(lambda: self.view.page == page)

    def state(self, state: str) -> None:
        self.until(lambda: self.view.state == state)

    def welcome(self, **changes) -> None:
        self.station.on_message(msgspec.structs.replace(WELCOME, **changes))

    def ready(self) -> None:
        self.until(lambda: self.station.microphone.readiness is Readiness.READY)

    def settle_in(self, **changes) -> None:
        """To the main page, with a microphone."""
        self.welcome(microphone="desk", **changes)
        self.page("mic_test")
        self.ready()
        self.hear(0.1)
        self.station.acts.finish_mic_test()
        self.station.acts.finish_briefing()
        self.page("main")
        self.state("idle")

    def hear(self, seconds: float, value: int = 1000) -> None:
        self.sound.source.play(np.full(round(seconds * RATE), value, np.int16))

    def stamp(self) -> Stamp:
        return self.station.stamp()

    def press(self) -> None:
        self.station.acts.press(self.stamp(), "key")

    def release(self) -> None:
        self.station.acts.release(self.stamp())

    def ask(self, seconds: float = 1.0) -> None:
        self.press()
        self.hear(seconds)
        self.release()
        self.hear(0.5)

    def said(self, turn: int, seconds: float = 1.0) -> dict:
        """What the journal holds of the take of a question that is asked now."""
        self.ask(seconds)
        return self.journaled("take_saved", turn).data

    def left(self, folder: Path, **how) -> Path:
        """A copy of the spool, as a kill leaves it at this moment."""
        return Path(shutil.copytree(self.folder, folder, **how))

    def tell(self, kind, **fields) -> None:
        self.station.on_message(kind(**fields))

    def scenario(self, seq: int = 1, **changes) -> None:
        fields = {"scenario_id": "s1", "number": 1, "of": 2, "practice": False, "text": "Find Ada."} | changes
        self.tell(ScenarioShown, seq=seq, **fields)

    def answer(self, seq: int, turn: int, **changes) -> None:
        self.tell(AnswerShown, seq=seq, turn=turn, table=TABLE, **changes)

    def query(self, seq: int, turn: int) -> None:
        self.tell(QueryShown, seq=seq, turn=turn, text="who is there")

    def message(self, seq: int, turn: int) -> None:
        self.tell(MessageShown, seq=seq, turn=turn, text="Please say that again.")

    def over(self, seq: int) -> None:
        self.tell(SessionOver, seq=seq, text="Goodbye.")

    def safe(self, utterance_id: str, sha256: str) -> None:
        self.tell(AudioSafe, utterance_id=utterance_id, sha256=sha256)

    @property
    def session(self) -> Path:
        return self.folder / f"e00-01-{IDENTITY}"

    @property
    def entries(self) -> list:
        return list(read_journal(self.session / "subject.events.jsonl").entries)

    def types(self, turn: int | None = None) -> list[str]:
        return [entry.type for entry in self.entries if turn is None or entry.turn == turn]

    def journaled(self, kind: str, turn: int | None = None):
        self.until(lambda: kind in self.types(turn))
        return next(entry for entry in reversed(self.entries) if entry.type == kind and turn in (None, entry.turn))

    def close(self) -> None:
        self.station.close()
        self.background.close()

    def finish(self):
        """A question, its answer, and the end of the session; returns the sum of the take."""
        sha = self.said(1)["sha256"]
        self.answer(1, 1)
        self.over(2)
        assert self.view.page == "closing"
        return sha


@pytest.fixture
def make_room(qtbot, tmp_path):
    rooms = []

    def make(folder: Path | None = None, microphone: str = "", sound: HandSound | None = None, **options) -> Room:
        rooms.append(Room(qtbot, folder or tmp_path / "spool", microphone, sound, **options))
        return rooms[-1]

    yield make
    for room in rooms:
        room.close()


@pytest.fixture
def seated(room):
    room.settle_in()
    return room


@pytest.fixture
def room(make_room):
    return make_room()
