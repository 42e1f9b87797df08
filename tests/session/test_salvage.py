"""A damaged line costs itself and nothing else."""

import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curtain.session.journal.damage import repaired_lines
from curtain.session.journal.lines import DAMAGED, JournalEntry, JournalReading, read_journal, write_line

TEXTS = ["", 'says {"seq":3,"type":"x"} and more', "\u2028 é 名前", "a" * 200]
WALL = "2026-03-01T09:30:00Z"
ENTRIES = [JournalEntry(n, n % 3 or None, n * 1000, WALL, "note", {"text": TEXTS[n % 4]}) for n in range(1, 9)]
LINES = [write_line(entry) for entry in ENTRIES]
WHOLE = b"".join(LINES)


def repaired(folder: Path, data: bytes) -> JournalReading:
    """What a journal with these bytes reads like after it was repaired."""
    path = folder / "journal"
    path.write_bytes(data)
    reading = read_journal(path)
    last = reading.entries[reading.sound_lines - 1] if reading.sound_lines else None
    torn = io.BytesIO(data[reading.sound_bytes :])
    path.write_bytes(data[: reading.sound_bytes] + b"".join(one.line for one in repaired_lines(torn, last, "aside")))
    return read_journal(path)


def lost(reading: JournalReading) -> list[int]:
    """The numbers of the lines that are no more; those that are must be what they were."""
    assert reading.torn_bytes == 0
    there = {entry.seq: entry for entry in reading.entries if entry.type != DAMAGED}
    assert all(entry == ENTRIES[seq - 1] for seq, entry in there.items())
    return [entry.seq for entry in ENTRIES if entry.seq not in there]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, len(WHOLE) - 1), change=st.integers(1, 255))
def test_one_altered_byte_anywhere_loses_at_most_its_line(tmp_path: Path, at: int, change: int) -> None:
    data = bytearray(WHOLE)
    data[at] ^= change
    assert len(lost(repaired(tmp_path, bytes(data)))) <= 1


@pytest.mark.parametrize("change", [1, 4, 0x71])
def test_every_altered_line_end_loses_nothing(tmp_path: Path, change: int) -> None:
    for at in (n for n, byte in enumerate(WHOLE) if byte == 10):
        data = bytearray(WHOLE)
        data[at] ^= change
        assert lost(repaired(tmp_path, bytes(data))) == []


CASES: dict[str, tuple[bytes, list[int]]] = {
    "nothing is wrong": (WHOLE, []),
    "the first line is gone": (b"".join(LINES[1:]), [1]),
    "two lines are overwritten": (b"".join([*LINES[:3], b"\0" * 300, b"\n", *LINES[5:]]), [4, 5]),
    "a line is cut in two": (WHOLE.replace(LINES[2], LINES[2][:20] + b"\n" + LINES[2][21:]), [3]),
    "a line stands twice": (b"".join([*LINES[:3], LINES[2], *LINES[3:]]), []),
    "two lines changed places": (b"".join([*LINES[:3], LINES[4], LINES[3], *LINES[5:]]), [4]),
    "the last line is torn": (WHOLE[:-5], [8]),
    "the end of the last line never came": (WHOLE[:-1], [8]),
    "a line of another file follows": (WHOLE + write_line(JournalEntry(10**12, None, 1, "", "note", {})), []),
    "everything is noise": (b"\xff" * 5000, [1, 2, 3, 4, 5, 6, 7, 8]),
    "it is empty": (b"", [1, 2, 3, 4, 5, 6, 7, 8]),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_lost_is_what_was_damaged(tmp_path: Path, case: str) -> None:
    data, gone = CASES[case]
    assert lost(repaired(tmp_path, data)) == gone


def test_a_line_that_stands_for_a_lost_one_says_where_the_bytes_are(tmp_path: Path) -> None:
    (stand_in,) = (e for e in repaired(tmp_path, WHOLE.replace(b'"seq":3', b'"seq":7')).entries if e.type == DAMAGED)
    assert (stand_in.seq, stand_in.turn, stand_in.data) == (3, None, {"kept_in": "aside"})
    assert stand_in.t_ns == ENTRIES[1].t_ns
