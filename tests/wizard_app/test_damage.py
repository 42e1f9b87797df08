"""Damaged sessions go on: what is intact counts, the damage is shown, and nothing is answered twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from curtain.corpus.corpus import open_corpus
from curtain.session.bundle import Bundle
from curtain.session.checks import Damaged
from curtain.session.journal import read_journal
from curtain.session.turns import read_turns
from tests.wizard_app.room import CONTROL, PATIENCE_MS, Opening, Room


def answer_with_a_message(room: Room) -> None:
    turn = room.speak()
    room.send_query(f"query {turn}")
    room.key(Qt.Key.Key_M, CONTROL)
    room.type("3")
    room.key(Qt.Key.Key_Return)
    room.wait(state="idle", answered_turn=turn)


def leave(room: Room) -> Bundle:
    """Close the wizard's window in mid-session, as a crash does it to the files."""
    station = room.app.station
    assert station is not None and station.session.session is not None
    bundle = station.session.session.bundle
    room.app.close()
    room.app.station = None
    return bundle


def flip(path: Path, kind: str) -> int:
    """Alter one bit in the first line of a type; the number of that line."""
    reading = read_journal(path)
    place = next(n for n, entry in enumerate(reading.entries) if entry.type == kind)
    data = bytearray(path.read_bytes())
    data[reading.starts[place] + 25] ^= 8
    path.write_bytes(data)
    return reading.entries[place].seq


def problem(room: Room) -> str:
    told = room.window.findChild(QLabel, "problem_text")
    return told.text() if told is not None else ""


@pytest.mark.parametrize("kind", ["epoch", "scenario_started", "query_sent", "message_sent"])
def test_one_flipped_bit_in_the_wizards_journal_costs_its_line_alone(
    qtbot: QtBot, room: Room, opening: Opening, tmp_path: Path, kind: str
) -> None:
    room.begin()
    for _ in range(3):
        answer_with_a_message(room)
    bundle = leave(room)
    line = flip(bundle.wizard_journal, kind)
    entries = read_journal(bundle.wizard_journal).entries
    again = Room(qtbot, opening(resume=True), room.subject, room.link_name)
    again.wait(session="e00-01", link="up", open_turns=int(kind == "message_sent"))
    qtbot.waitUntil(lambda: f"Line {line} is damaged" in problem(again), timeout=PATIENCE_MS)
    assert again.close_session() == bundle
    assert read_journal(bundle.wizard_journal).entries[: len(entries)] == entries
    lost = ["open"] if kind == "message_sent" else ["message"]
    assert [turn.outcome for turn in read_turns(bundle)] == [*lost, "message", "message"]
    assert [fault.file for fault in bundle.verify()] == [bundle.wizard_journal.name]
    with pytest.raises(Damaged, match=f"Line {line} is damaged"):
        list(open_corpus([bundle.path]).sessions())
    bundle.repair(tmp_path / "e00-01")
    assert Bundle(tmp_path / "e00-01").verify() == []
    assert len(list(open_corpus([tmp_path / "e00-01"]).sessions())) == 1
