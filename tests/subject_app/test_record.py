"""A spool that lost a part of its record gets it back from the wizard's station before anything goes on."""

from functools import partial
from pathlib import Path

import pytest

from curtain.base.clock import Clock
from curtain.link.messages import Declined, JournalLine, LinesBack, WantLines
from curtain.session.events.subject_events import KeyDown, SubjectEpoch, TakeRecovered
from curtain.session.journal.journal import Journal, sum_of_lines
from curtain.session.journal.lines import parse_line, read_journal
from subject_app.session.record import RecordDiffers, joined_lines, replace_record
from tests.subject_app.conftest import IDENTITY, Room
from tests.support import damages

JOURNAL = "subject.events.jsonl"


DAMAGES = damages.DAMAGES | {"lost tail": partial(damages.without_its_tail, lines=3)}


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def give_back(room: Room, held: list[bytes], at_once: int = 4) -> None:
    """Answer each wish for lines, until there is none more."""
    given = 0
    while given < len(held):
        room.until(lambda: [one.after for one in room.link.of(WantLines)][-1:] == [given])  # noqa: B023
        room.station.on_message(LinesBack(after=given, lines=held[given : given + at_once]))
        given += at_once


@pytest.fixture
def spoken(room):
    """A session with two questions, as the wizard's station holds it."""
    room.settle_in()
    for turn in (1, 2):
        room.said(turn)
    return room


@pytest.mark.parametrize("starts", [1, 2])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_record_comes_back_and_the_session_goes_on(spoken, make_room, tmp_path, damage, starts) -> None:
    held = lines_of(spoken.session / JOURNAL)
    copy = spoken.left(tmp_path / "after")
    journal = copy / spoken.session.name / JOURNAL
    DAMAGES[damage](journal)
    for _ in range(starts):  # each start writes lines of its own behind what is left
        again = make_room(copy)
        assert again.station.hello().identity == IDENTITY
        again.station.close()
    again = make_room(copy)
    shown = {"journal_have": len(held), "journal_sum": sum_of_lines(held)}
    again.welcome(**shown)
    assert again.link.of(JournalLine) == []
    give_back(again, held)
    again.until(lambda: again.link.again == 1)
    assert lines_of(journal)[: len(held)] == held
    again.station.on_link_lost()
    again.welcome(**shown)
    again.page("main")
    again.ready()
    again.said(3)
    again.until(lambda: [one.line for one in again.link.of(JournalLine)] == lines_of(journal)[len(held) :])
    assert not read_journal(journal).is_damaged
    recovered = [entry for entry in again.entries if entry.type in ("take_saved", "take_recovered")]
    assert [entry.turn for entry in recovered] == [1, 2, 3]
    assert again.station.hello().epoch == 2


def test_lines_that_only_the_spool_has_stay_behind_those_that_came_back(spoken, make_room, tmp_path) -> None:
    held = lines_of(spoken.session / JOURNAL)
    copy = spoken.left(tmp_path / "after")
    journal = copy / spoken.session.name / JOURNAL
    data = bytearray(journal.read_bytes())
    data[len(held[0]) + 20] ^= 8
    journal.write_bytes(data)
    have = len(held) - 4
    again = make_room(copy)
    again.welcome(journal_have=have, journal_sum=sum_of_lines(held[:have]))
    give_back(again, held[:have])
    again.until(lambda: again.link.again == 1)
    assert lines_of(journal)[: len(held)] == held
    assert [parse_line(line).type for line in lines_of(journal)[len(held) :]] == ["epoch"]


def test_another_record_of_the_same_session_is_reported_and_taken_only_when_the_wizard_says_so(
    spoken, make_room, tmp_path
) -> None:
    held = lines_of(spoken.session / JOURNAL)
    with Journal(tmp_path / "other.jsonl", Clock()) as other:
        for turn in range(1, 4):
            other.append(KeyDown(source="button", pressed_ns=turn), turn).result()
        theirs = [line for _, line in other.lines_after(0)]
    copy = spoken.left(tmp_path / "after")
    again = make_room(copy)
    shown = {"journal_have": 3, "journal_sum": sum_of_lines(theirs)}
    again.welcome(**shown)
    give_back(again, theirs)
    again.page("stopped")
    assert [one.reason for one in again.link.of(Declined)] == ["differs"]
    assert lines_of(copy / spoken.session.name / JOURNAL)[: len(held)] == held
    again.station.on_link_lost()
    again.link.sent.clear()
    again.welcome(**shown, replaces=True)
    give_back(again, theirs)
    again.until(lambda: again.link.again == 1)
    assert lines_of(copy / spoken.session.name / JOURNAL)[:3] == theirs
    aside = copy / spoken.session.name / f"{JOURNAL}.torn-1"
    assert lines_of(aside)[: len(held)] == held


def test_lines_that_came_back_altered_are_not_taken(spoken, make_room, tmp_path) -> None:
    held = lines_of(spoken.session / JOURNAL)
    copy = spoken.left(tmp_path / "after")
    (copy / spoken.session.name / JOURNAL).unlink()
    again = make_room(copy)
    again.welcome(journal_have=len(held), journal_sum="0" * 16)
    give_back(again, held)
    again.until(lambda: again.link.again == 1)
    assert again.types()[0] == "epoch"
    assert again.types().count("take_saved") == 0


def test_a_station_that_is_in_the_session_does_not_take_another_record_by_itself(spoken) -> None:
    spoken.welcome(journal_have=2, journal_sum="0" * 16)
    spoken.page("stopped")
    assert [one.reason for one in spoken.link.of(Declined)] == ["differs"]


def line_of(folder: Path, *facts: object) -> list[tuple[int, bytes]]:
    path = folder / f"{len(list(folder.iterdir()))}.jsonl"
    with Journal(path, Clock()) as journal:
        for future in journal.append_all([(fact, None) for fact in facts]):
            future.result()
        return list(journal.lines_after(0))


EPOCH = SubjectEpoch(number=1, app_version="1", pid=1, session_id="e00-01")
PRESS = KeyDown(source="key", pressed_ns=1)
FOUND = TakeRecovered(utterance_id="e00-01-001", frames=1, sample_rate=16000, sha256="0" * 64, peak_dbfs=-9.0)


def test_what_a_start_wrote_gives_way_and_what_the_subject_did_does_not(tmp_path: Path) -> None:
    back = [line for _, line in line_of(tmp_path, EPOCH, PRESS, FOUND)]
    assert joined_lines(line_of(tmp_path, EPOCH, FOUND), back) == back
    assert joined_lines([], back) == back
    with pytest.raises(RecordDiffers):
        joined_lines(line_of(tmp_path, EPOCH, KeyDown(source="key", pressed_ns=2)), back)
    with pytest.raises(RecordDiffers):
        joined_lines(line_of(tmp_path, EPOCH, EPOCH, EPOCH, PRESS), back)


def test_the_record_as_it_was_is_kept_beside_the_one_that_takes_its_place(tmp_path: Path) -> None:
    journal = tmp_path / JOURNAL
    journal.write_bytes(b"old")
    replace_record(journal, [b"new\n"])
    assert journal.read_bytes() == b"new\n"
    assert (tmp_path / f"{JOURNAL}.torn-1").read_bytes() == b"old"
