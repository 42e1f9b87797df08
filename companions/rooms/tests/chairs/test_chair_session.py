"""The session as a chair follows it: the deadline counts by the host's clock, wherever that stands."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from curtain.base.clock import Clock
from curtain.link.heartbeat import SECOND, Tie
from curtain.qt.background import Background
from curtain.session.chairs.messages import SessionHere
from curtain.session.events import subject_events, wizard_events
from curtain.session.journal.lines import JournalEntry, write_line
from curtain.session.study.study import new_study
from curtain_rooms.chairs.chair_link import ChairLink, ChairSession
from wizard_app.desk.session.progress import with_subject_fact
from wizard_app.desk.session.session_files import StationStart

SUBJECT_TO_HOST_NS = 300 * SECOND
HOST_TO_CHAIR_NS = -7200 * SECOND


class NoDialler(QObject):
    connected = Signal(object)
    failed = Signal(str)

    def dial(self) -> None:
        """Nobody answers here."""


def line(seq: int, fact: msgspec.Struct, turn: int | None = None) -> bytes:
    data = msgspec.to_builtins(fact)
    return write_line(JournalEntry(seq, turn, 0, "2026-03-01T09:30:00.000Z", data.pop("type"), data))


@pytest.fixture
def link(qapp: QObject) -> ChairLink:
    return ChairLink(NoDialler(), "kim", "answerer", Clock())


@pytest.fixture
def session(tmp_path: Path, link: ChairLink) -> Iterator[ChairSession]:
    owner = QObject()
    work, files = Background(1, owner), Background(1, owner)
    study = new_study(tmp_path / "study", "personnel", take_back_s=0)
    made = link.session(study, link, StationStart(Clock(), "0", 1), work, files, owner)
    link.session_here.emit(SessionHere(session_id="e00-01", identity="i"))
    tied = wizard_events.LinkRestored(subject_epoch=1, offset_ns=SUBJECT_TO_HOST_NS, rtt_ns=1)
    link.wizard_line.emit(1, line(1, tied))
    yield made
    made.leave()
    files.close()
    work.close()


def released_at(session: ChairSession) -> int | None:
    spoken = session.session.progress
    for fact in (
        subject_events.KeyDown(pressed_ns=SECOND, source="key"),
        subject_events.KeyUp(released_ns=2 * SECOND, held_ms=1000),
    ):
        spoken = with_subject_fact(spoken, fact, 1, 0)
    return spoken.released_on_wizard_clock(1)


def test_until_the_host_s_clock_is_known_waiting_counts_from_when_the_release_was_heard_of(
    session: ChairSession,
) -> None:
    assert released_at(session) is None


@pytest.mark.parametrize("lines_after", [0, 1])
def test_the_release_is_where_it_was_on_the_chair_s_own_clock(
    session: ChairSession, link: ChairLink, lines_after: int
) -> None:
    link.host_tied.emit(Tie(HOST_TO_CHAIR_NS, SECOND))
    for seq in range(2, 2 + lines_after):
        link.wizard_line.emit(seq, line(seq, wizard_events.Note(text="noise")))
    assert released_at(session) == 2 * SECOND + SUBJECT_TO_HOST_NS + HOST_TO_CHAIR_NS


def test_another_session_begins_without_the_ties_of_the_last_one(session: ChairSession, link: ChairLink) -> None:
    link.host_tied.emit(Tie(HOST_TO_CHAIR_NS, SECOND))
    link.session_here.emit(SessionHere(session_id="e01-01", identity="j"))
    assert released_at(session) is None


def test_at_a_chair_the_end_of_the_session_is_a_wish(qtbot: QtBot, session: ChairSession, link: ChairLink) -> None:
    with qtbot.waitSignal(link.refused):
        session.ending.begin()
