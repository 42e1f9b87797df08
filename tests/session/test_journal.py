"""The journal: what is acknowledged is read again, whatever happens in between."""

import errno
import json
import os
import sys
import zlib
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from curtain.base.clock import Clock
from curtain.base.disk import Disk
from curtain.base.errors import CurtainError
from curtain.session.bundle.checks import damage_of
from curtain.session.events.subject_events import FormFilled, KeyDown, KeyUp, TakeSaved
from curtain.session.events.subject_events import read as subject_fact
from curtain.session.events.wizard_events import Note, QuerySent
from curtain.session.events.wizard_events import read as wizard_fact
from curtain.session.journal.journal import Journal, JournalConflict, JournalUnwritable, Replica, sum_of_lines
from curtain.session.journal.lines import BadLine, JournalEntry, parse_line, read_journal, write_line
from tests.support.child_program import Child

CLOCK = Clock()
WAIT = 10.0

any_text = st.text(st.characters(exclude_categories=[]), max_size=30)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=6,
)
entries = st.builds(
    JournalEntry, seq=st.integers(1, 10**9), turn=st.none() | st.integers(1, 999), t_ns=st.integers(0, 2**63),
    wall_utc=any_text, type=any_text, data=st.dictionaries(any_text, json_values, max_size=4),
)  # fmt: skip


class FailingDisk(Disk):
    """Fails from the `first` write or sync on, `times` times; a failing write leaves half of its bytes."""

    def __init__(self, first: int, times: int, mend_fails: bool = False) -> None:
        self.calls = 0
        self._bad = range(first, first + times)
        self._mend_fails = mend_fails

    @property
    def failing(self) -> bool:
        self.calls += 1
        return self.calls in self._bad

    def write(self, descriptor: int, data: bytes) -> int:
        if self.failing:
            super().write(descriptor, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        if self.failing:
            raise OSError(errno.EIO, "Input/output error")
        super().sync(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        if self._mend_fails and self.failing:
            raise OSError(errno.EIO, "Input/output error")
        super().truncate(descriptor, length)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "subject.events.jsonl"


def outcomes(futures: list[Future[JournalEntry]]) -> Iterator[JournalEntry | BaseException]:
    for future in futures:
        problem = future.exception(WAIT)
        yield future.result() if problem is None else problem


def written(path: Path, count: int) -> bytes:
    with Journal(path, CLOCK) as journal:
        for n in range(count):
            journal.append(Note(text=f"note {n} «ü» 🎙 {'x' * (n % 120)}"), turn=n % 7 + 1)
    return path.read_bytes()


# -- the notation --------------------------------------------------------------------------------------


@given(entries)
@settings(max_examples=100)
def test_any_entry_comes_back_as_it_was_written(entry: JournalEntry) -> None:
    assert parse_line(write_line(entry)) == entry


@given(entries)
def test_a_line_is_one_json_object_whose_last_member_is_the_checksum(entry: JournalEntry) -> None:
    line = write_line(entry)
    assert line.count(b"\n") == 1 and line.endswith(b'"}\n')
    assert list(json.loads(line))[-1] == "crc"
    checked = line[: line.rindex(b',"crc":"')]
    assert json.loads(line)["crc"] == f"{zlib.crc32(checked):08x}"


NOTE = JournalEntry(1, None, 5, "2026-03-01T09:30:00.125Z", "note", {})
DEEP = b'{"data":' + b"[" * 200_000 + b"]" * 200_000


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{}\n",
        b'{"seq":1,"crc":"00000000"}\n',
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b'{"seq":1,"type":"note","turn":null,"t_ns":1,"wall_utc":"","data":{},"crc":"ABCDEF01"}\n',
        DEEP + b',"crc":"%08x"}\n' % zlib.crc32(DEEP),
        # A member of the wrong kind.
        *(
            write_line(structs.replace(NOTE, **broken))  # type: ignore[arg-type]
            for broken in (
                {"seq": "1"}, {"seq": True}, {"turn": "1"}, {"t_ns": 1.5}, {"wall_utc": None}, {"type": 3}, {"data": []}
            )
        ),
    ],
)  # fmt: skip
def test_what_is_not_a_journal_line_is_refused(line: bytes) -> None:
    with pytest.raises(BadLine):
        parse_line(line)


@given(members=json_values, name=any_text)
def test_a_line_says_what_any_reader_of_json_finds_in_it(members: object, name: str) -> None:
    line = write_line(JournalEntry(3, 2, 5, "2026-03-01T09:30:00.125Z", name, {name: members}))
    found = json.loads(line)
    assert structs.asdict(parse_line(line)) == {key: found[key] for key in JournalEntry.__struct_fields__}


@pytest.mark.parametrize(
    "member",
    [
        b'"half of a pair: \\ud83d"', b"1e400", b"NaN", b"-0.0", b"0.1234567890123456789",
        b"123456789012345678901234567890",
    ],
)  # fmt: skip
def test_a_line_of_any_other_writer_is_read_as_json_reads_it(member: bytes) -> None:
    body = b'{"seq":1,"type":"note","turn":null,"t_ns":1,"wall_utc":"","data":{"a":1,"a":%s},"later":[]' % member
    entry = parse_line(body + b',"crc":"%08x"}\n' % zlib.crc32(body))
    assert repr(entry.data) == repr({"a": json.loads(member)})


# -- reading -------------------------------------------------------------------------------------------


def test_every_prefix_of_a_journal_reads_to_a_prefix_of_its_events(path: Path) -> None:
    with Journal(path, CLOCK) as journal:
        for n in range(16):
            journal.append(Note(text=f"{n} «ü» 🎙 " * 40), turn=n + 1)
    whole = path.read_bytes()
    assert len(whole) > 8_000
    events = read_journal(path).entries
    cut = path.with_name("cut.jsonl")
    cut.write_bytes(whole)
    for length in range(len(whole), -1, -1):
        os.truncate(cut, length)
        reading = read_journal(cut)
        assert reading.entries == events[: whole.count(b"\n", 0, length)]
        assert reading.good_bytes + reading.torn_bytes == length


def test_every_single_bit_flip_is_noticed(path: Path) -> None:
    whole = written(path, 20)
    events = read_journal(path).entries
    flipped = path.with_name("flipped.jsonl")
    # A space in the last line may become a zero, as a power cut leaves them.
    spaces = [8 * at + 5 for at in range(whole.rindex(b"\n", 0, -1), len(whole)) if whole[at : at + 1] == b" "]
    for bit in (*range(0, len(whole) * 8, 13), *spaces):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        flipped.write_bytes(damaged)
        reading = read_journal(flipped)
        assert reading.is_damaged
        line = whole[: bit // 8].count(b"\n") + 1
        assert [entry for entry in events if entry not in reading.entries] in ([], [events[line - 1]])
        assert reading.lost in ((), (line,))
        assert reading.sound_lines == line - 1


def test_a_missing_journal_is_an_empty_one(path: Path) -> None:
    assert read_journal(path).entries == ()


def test_a_line_left_out_is_reported_and_those_behind_it_are_read(path: Path) -> None:
    lines = written(path, 5).splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    reading = read_journal(path)
    assert [entry.seq for entry in reading.entries] == [1, 2, 4, 5]
    assert reading.lost == (3,) and reading.torn_bytes == 0


@pytest.mark.parametrize("line", [1, 3, 5])
def test_a_journal_goes_on_behind_a_damaged_line_and_keeps_its_bytes(path: Path, line: int) -> None:
    damaged = bytearray(written(path, 5))
    damaged[read_journal(path).starts[line - 1] + 30] ^= 4
    path.write_bytes(damaged)
    with Journal(path, CLOCK) as journal:
        assert journal.append(Note(text="after")).result(WAIT).seq == 6
        lines = dict(journal.lines_after(0))
        assert parse_line(journal.line_of(6)).data == {"text": "after"}
    assert path.read_bytes()[: len(damaged)] == damaged and not list(path.parent.glob("*.torn-*"))
    assert read_journal(path).lost == (line,)
    types = [parse_line(lines[seq]).type for seq in range(1, 7)]
    assert types == ["damaged" if seq == line else "note" for seq in range(1, 7)]


def test_a_journal_goes_on_where_the_last_line_has_lost_its_newline(path: Path) -> None:
    whole = written(path, 3)
    path.write_bytes(whole[:-1] + b"\x0b")
    with Journal(path, CLOCK) as journal:
        journal.append(Note(text="after")).result(WAIT)
        assert [line for _, line in journal.lines_after(0)][:3] == whole.splitlines(keepends=True)
        assert parse_line(journal.line_of(4)).data == {"text": "after"}
    assert [entry.seq for entry in read_journal(path).entries] == [1, 2, 3, 4]


@pytest.mark.parametrize("tail", [b'{"seq":4,"type":"no', b'{"seq":4,"ty\0\0\0\0"}\n', b"\0" * 50])
def test_what_a_crash_leaves_is_a_torn_tail_and_no_damage(path: Path, tail: bytes) -> None:
    path.write_bytes(written(path, 3) + tail)
    reading = read_journal(path)
    assert (reading.is_damaged, reading.torn_bytes, reading.last_seq) == (False, len(tail), 3)


# -- writing -------------------------------------------------------------------------------------------


def test_an_acknowledged_fact_is_on_disk_with_its_number_turn_and_time(path: Path) -> None:
    with Journal(path, CLOCK) as journal:
        journal.append(KeyDown(source="key", pressed_ns=5), turn=1).result(WAIT)
        entry = journal.append(KeyUp(released_ns=9, held_ms=4), turn=1).result(WAIT)
        assert read_journal(path).entries[1] == entry
    assert (entry.seq, entry.turn, entry.type) == (2, 1, "key_up")
    assert subject_fact(entry) == KeyUp(released_ns=9, held_ms=4)


def test_the_time_of_a_fact_is_the_time_of_the_call(path: Path) -> None:
    ticks = iter(range(100, 200))
    with Journal(path, Clock(monotonic_ns=lambda: next(ticks))) as journal:
        first, second = journal.append(Note(text="a")), journal.append(Note(text="b"))
        third, fourth = journal.append_all([(Note(text="c"), None), (Note(text="d"), None)])
        times = [future.result(WAIT).t_ns for future in (first, second, third, fourth)]
    assert times == [100, 101, 102, 103]


def test_a_journal_goes_on_where_it_stopped(path: Path) -> None:
    written(path, 3)
    with Journal(path, CLOCK) as journal:
        assert [entry.seq for entry in journal.opened_with.entries] == [1, 2, 3]
        assert journal.append(Note(text="again")).result(WAIT).seq == 4


def test_released_lines_leave_the_account_of_the_damage_and_the_numbers(path: Path) -> None:
    damaged = bytearray(written(path, 50))
    damaged[read_journal(path).starts[2] + 30] ^= 4
    path.write_bytes(damaged)
    with Journal(path, CLOCK) as journal:
        before, damage = journal.opened_with, list(damage_of(journal.opened_with))
        journal.release_lines()
        assert (journal.opened_with.last_seq, list(damage_of(journal.opened_with))) == (before.last_seq, damage)
        assert len(journal.opened_with.entries) < 3 < len(before.entries)
        assert len(list(journal.lines_after(0))) == 50


def test_closing_writes_all_that_was_appended(path: Path) -> None:
    journal = Journal(path, CLOCK)
    futures = [journal.append(Note(text=str(n))) for n in range(500)]
    journal.close()
    assert all(future.done() for future in futures)
    assert [entry.seq for entry in read_journal(path).entries] == list(range(1, 501))


def test_a_closed_journal_refuses_in_plain_words(path: Path) -> None:
    journal = Journal(path, CLOCK)
    journal.close()
    with pytest.raises(JournalUnwritable, match="closed"):
        journal.append(Note(text="late")).result(WAIT)


def test_a_torn_tail_is_kept_beside_and_cut(path: Path) -> None:
    whole = written(path, 4)
    path.write_bytes(whole[:-7])
    with Journal(path, CLOCK) as journal:
        journal.append(Note(text="after")).result(WAIT)
    torn = path.with_name(path.name + ".torn-1").read_bytes()
    good = b"".join(whole.splitlines(keepends=True)[:3])
    assert good + torn == whole[:-7]
    assert [entry.seq for entry in read_journal(path).entries] == [1, 2, 3, 4]


def test_setting_a_torn_tail_aside_twice_keeps_one_copy_of_it(path: Path) -> None:
    whole = written(path, 4)
    for _ in range(2):  # the second time as if killed between the copy and the cut
        path.write_bytes(whole[:-7])
        Journal(path, CLOCK).close()
    assert [p.name for p in path.parent.glob("*.torn-*")] == [path.name + ".torn-1"]


def test_a_torn_tail_half_copied_by_a_killed_process_is_copied_anew(path: Path) -> None:
    whole = written(path, 4)
    path.write_bytes(whole[:-7])
    path.with_name(path.name + ".torn-1.part").write_bytes(b"half")
    Journal(path, CLOCK).close()
    torn = whole.splitlines(keepends=True)[3][:-7]
    assert {p.name: p.read_bytes() for p in path.parent.glob("*.torn-*")} == {path.name + ".torn-1": torn}


def test_a_second_tear_does_not_overwrite_the_first(path: Path) -> None:
    whole = written(path, 4)
    for cut in (-7, -9):
        path.write_bytes(whole[:cut])
        Journal(path, CLOCK).close()
    assert len(list(path.parent.glob("*.torn-*"))) == 2


def test_two_writers_of_one_journal_are_refused(path: Path) -> None:
    with Journal(path, CLOCK), pytest.raises(CurtainError):
        Journal(path, CLOCK)


def test_the_lock_of_a_killed_process_is_free(path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from curtain.session.journal.journal import Journal; "
        "from curtain.base.clock import Clock; from curtain.session.events.wizard_events import Note; "
        "j = Journal(Path(sys.argv[1]), Clock()); j.append(Note(text='a')).result(10); print('held', flush=True); "
        "sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(path)]
    with Child(command) as holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(CurtainError):
            Journal(path, CLOCK)
        holder.kill()
        holder.wait(WAIT)
    with Journal(path, CLOCK) as journal:
        assert journal.last_seq == 1


WRITE_FOR_EVER = """
import itertools, sys
from pathlib import Path
from curtain.base.clock import Clock
from curtain.session.journal.journal import Journal
from curtain.session.events.wizard_events import Note

journal = Journal(Path(sys.argv[1]), Clock())
for n in itertools.count():
    future = journal.append(Note(text="x" * (n % 900)), turn=1)
    future.add_done_callback(lambda done: print(done.result().seq, flush=True))
    if n % 20 == 0:
        future.result()
"""


@pytest.mark.parametrize("acknowledged_before_the_kill", [1, 37, 150])
def test_what_was_acknowledged_before_a_kill_is_read_again(path: Path, acknowledged_before_the_kill: int) -> None:
    command = [sys.executable, "-c", WRITE_FOR_EVER, str(path)]
    with Child(command) as writer:
        for _ in range(acknowledged_before_the_kill):
            writer.stdout.readline()
        writer.kill()
        printed = [line for line in writer.stdout.read().split(b"\n")[:-1] if line]
    with Journal(path, CLOCK) as journal:
        assert journal.last_seq >= acknowledged_before_the_kill + len(printed)


def test_a_folder_that_is_not_there_is_reported_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(JournalUnwritable, match="cannot be written"):
        Journal(tmp_path / "missing" / "a.jsonl", CLOCK)


# -- a failing disk ------------------------------------------------------------------------------------


def run_on(path: Path, disk: Disk) -> list[JournalEntry | BaseException]:
    reported: list[JournalEntry | BaseException] = []
    try:
        journal = Journal(path, CLOCK, disk)
    except JournalUnwritable as error:
        return [error]
    for n in range(6):
        reported += outcomes([journal.append(Note(text=f"{n}"))])
    journal.close()
    return reported


@pytest.mark.parametrize("mend_fails", [False, True])
@pytest.mark.parametrize("first", range(1, 16))
def test_a_write_or_sync_that_fails_for_ever_loses_nothing_that_was_acknowledged(
    path: Path, first: int, mend_fails: bool
) -> None:
    shown = run_on(path, FailingDisk(first, 10**9, mend_fails))
    acknowledged = [one for one in shown if isinstance(one, JournalEntry)]
    assert len(acknowledged) < 6 or first > 13
    assert all(isinstance(one, JournalUnwritable) for one in shown[len(acknowledged) :])
    assert list(read_journal(path).entries[: len(acknowledged)]) == acknowledged


@pytest.mark.parametrize("first", range(2, 16))
def test_a_write_or_sync_that_fails_once_costs_no_fact(path: Path, first: int) -> None:
    shown = run_on(path, FailingDisk(first, 1))
    assert [one.seq for one in shown if isinstance(one, JournalEntry)] == [1, 2, 3, 4, 5, 6]
    assert list(read_journal(path).entries) == shown
    assert read_journal(path).torn_bytes == 0


def test_after_a_full_disk_was_cleared_the_journal_goes_on_without_a_torn_line(path: Path) -> None:
    disk = FailingDisk(4, 2)
    journal = Journal(path, CLOCK, disk)
    shown = [next(outcomes([journal.append(Note(text=str(n)))])) for n in range(4)]
    journal.close()
    kept = [one for one in shown if isinstance(one, JournalEntry)]
    assert [type(one) for one in shown].count(JournalUnwritable) == 1
    assert list(read_journal(path).entries) == kept and read_journal(path).torn_bytes == 0


def test_facts_given_together_are_all_safe_or_none(path: Path) -> None:
    journal = Journal(path, CLOCK, FailingDisk(2, 10**9))
    shown = list(outcomes(journal.append_all([(Note(text="a"), 1), (Note(text="b"), 1)])))
    journal.close()
    assert [type(one) for one in shown] == [JournalUnwritable, JournalUnwritable]
    assert read_journal(path).entries == ()


# -- the copy of the other station's journal -------------------------------------------------------------


@pytest.fixture
def lines(path: Path) -> list[bytes]:
    return written(path, 6).splitlines(keepends=True)


def test_a_replica_is_brought_up_to_date_and_is_the_same_bytes(path: Path, lines: list[bytes], tmp_path: Path) -> None:
    with Journal(path, CLOCK) as journal, Replica(tmp_path / "copy.jsonl") as copy:
        assert [copy.extend(seq, line) for seq, line in enumerate(lines[:2], 1)] == [1, 2]
        assert copy.extend_all(list(journal.lines_after(copy.last_seq))) == 6
        assert journal.line_of(3) == lines[2] == copy.line_of(3)
    assert (tmp_path / "copy.jsonl").read_bytes() == path.read_bytes()


def test_a_line_sent_twice_is_held_once(lines: list[bytes], tmp_path: Path) -> None:
    with Replica(tmp_path / "copy.jsonl") as copy:
        futures = [
            copy.extend_soon(1, lines[0]), copy.extend_soon(1, lines[0]), copy.extend_soon(2, lines[1]),
        ]  # fmt: skip
        assert [future.result(WAIT) for future in futures] == [1, 1, 2]
        assert copy.extend(1, lines[0]) == 2


def test_a_replica_refuses_what_does_not_fit(lines: list[bytes], tmp_path: Path) -> None:
    altered = lines[1].replace(b"note 1", b"note 9")
    other = write_line(structs.replace(parse_line(lines[0]), t_ns=1))
    refusals = [
        (2, altered, BadLine), (3, lines[1], BadLine), (3, lines[2], JournalConflict), (1, other, JournalConflict),
    ]  # fmt: skip
    with Replica(tmp_path / "copy.jsonl") as copy:
        copy.extend(1, lines[0])
        for seq, line, problem in refusals:
            with pytest.raises(problem):
                copy.extend(seq, line)
        assert copy.extend(2, lines[1]) == 2


@pytest.mark.parametrize("damaged", [(1,), (3,), (2, 5), (6,)])
def test_a_replica_takes_damaged_lines_in_again(
    path: Path, lines: list[bytes], tmp_path: Path, damaged: tuple[int, ...]
) -> None:
    bad = [line[:20] + b"#" + line[21:] if seq in damaged else line for seq, line in enumerate(lines, 1)]
    (tmp_path / "copy.jsonl").write_bytes(b"".join(bad))
    with Journal(path, CLOCK) as journal, Replica(tmp_path / "copy.jsonl") as copy:
        assert (copy.lost, copy.whole_until, copy.last_seq) == (damaged, damaged[0] - 1, 6)
        journal.append(Note(text="more")).result(WAIT)
        for seq, line in journal.lines_after(copy.whole_until):
            assert copy.extend(seq, line) >= 6
        assert (copy.lost, copy.whole_until) == ((), 7)
        assert copy.extend(7, journal.line_of(7)) == 7
    assert (tmp_path / "copy.jsonl").read_bytes() == path.read_bytes()
    assert (tmp_path / "copy.jsonl.torn-1").read_bytes() == b"".join(bad)


def test_a_repeated_line_is_not_acknowledged_when_its_first_copy_failed(lines: list[bytes], tmp_path: Path) -> None:
    with Replica(tmp_path / "copy.jsonl", FailingDisk(2, 10**9)) as copy:
        futures = [copy.extend_soon(1, lines[0]) for _ in range(3)]
        assert all(isinstance(future.exception(WAIT), JournalUnwritable) for future in futures)


# -- facts ---------------------------------------------------------------------------------------------


def test_a_fact_of_a_future_version_is_kept_and_read_as_nothing() -> None:
    entry = JournalEntry(1, None, 0, "", "telepathy", {"strength": 3})
    assert subject_fact(entry) is None and wizard_fact(entry) is None


def test_a_field_of_a_future_version_stays_in_the_entry() -> None:
    line = write_line(JournalEntry(1, 2, 0, "", "query_sent", {"text": "show me", "mood": "calm"}))
    assert wizard_fact(parse_line(line)) == QuerySent(text="show me")
    assert parse_line(line).data["mood"] == "calm"


def test_a_known_fact_with_wrong_fields_is_reported_with_its_line() -> None:
    with pytest.raises(CurtainError, match="Line 7 \\(query_sent\\)"):
        wizard_fact(JournalEntry(7, 2, 0, "", "query_sent", {"text": 5}))


def test_the_level_of_pure_silence_survives_the_journal(path: Path) -> None:
    silent = TakeSaved(utterance_id="e00-01-001", frames=1, sample_rate=16000, sha256="0", peak_dbfs=float("-inf"))
    with Journal(path, CLOCK) as journal:
        assert subject_fact(journal.append(silent, turn=1).result(WAIT)) == silent


@given(st.dictionaries(any_text, any_text, max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_a_subject_types_comes_back_letter_by_letter(path: Path, values: dict[str, str]) -> None:
    path.unlink(missing_ok=True)
    with Journal(path, CLOCK) as journal:
        journal.append(FormFilled(form="questionnaire", values=values))
    assert [subject_fact(entry) for entry in read_journal(path).entries] == [
        FormFilled(form="questionnaire", values=values)
    ]


HELD = [write_line(JournalEntry(seq, seq, 0, "2026-03-01T09:30:00.000Z", "note", {"text": "x"})) for seq in range(1, 6)]


@pytest.mark.parametrize(
    "other",
    [
        [*HELD[:1], HELD[2], HELD[1], *HELD[3:]], [*HELD[:2], *HELD[3:]],
        [*HELD[:2], HELD[2].replace(b"x", b"y"), *HELD[3:]], [*HELD, HELD[-1]], HELD[1:],
    ],
    ids=["swapped", "one left out", "one altered", "one twice", "a beginning cut off"],
)  # fmt: skip
def test_the_sum_of_the_last_line_tells_of_every_line_before_it(other: list[bytes]) -> None:
    assert sum_of_lines(other) != sum_of_lines(HELD)


def test_a_forged_line_changes_the_sum_of_itself_and_of_all_that_follow(tmp_path: Path) -> None:
    forged = [*HELD[:2], HELD[2].replace(b"x", b"y"), *HELD[3:]]
    with Journal(tmp_path / "a.jsonl", CLOCK) as journal:
        for number in range(5):
            journal.append(Note(text=str(number)), number).result(WAIT)
        lines = [line for _, line in journal.lines_after(0)]
        assert [journal.sum_until(seq) for seq in range(1, 6)] == [sum_of_lines(lines[:seq]) for seq in range(1, 6)]
    equal = [sum_of_lines(HELD[:seq]) == sum_of_lines(forged[:seq]) for seq in range(1, 6)]
    assert equal == [True, True, False, False, False]
