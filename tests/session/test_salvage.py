"""A damaged line costs itself and nothing else."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curtain.domain import wire
from curtain.domain.worker import piped_process
from curtain.drafting.serving import wire as drafting
from curtain.link import messages as link
from curtain.recognition import transcriber
from curtain.session.chairs import messages as chairs
from curtain.session.events import subject_events, wizard_events
from curtain.session.journal.damage import repaired_lines
from curtain.session.journal.lines import (
    DAMAGED,
    JournalEntry,
    JournalReading,
    UnreadableFact,
    read_journal,
    write_line,
)

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


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


# A class of a fact or of a message is known to whoever reads its kind: none is forgotten in a union.


def tagged(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for kind in base.__subclasses__():
        if kind.__struct_config__.tag is not None and not kind.__subclasses__():
            yield kind
        yield from tagged(kind)


FACTS = [
    pytest.param(events.read, kind, id=f"{author}-{kind.__name__}")
    for author, events, base in (
        ("subject", subject_events, subject_events.SubjectFact),
        ("wizard", wizard_events, wizard_events.WizardFact),
    )
    for kind in tagged(base)
]


@pytest.mark.parametrize(("read", "kind"), FACTS)
def test_every_fact_class_is_read_from_its_line(read: Any, kind: type[msgspec.Struct]) -> None:
    try:
        fact = read(JournalEntry(1, None, 0, "", str(kind.__struct_config__.tag), {}))
    except UnreadableFact:
        return  # known, and a field is missing
    assert type(fact) is kind


UNIONS = {
    "link": (link.Message, link.ToWizard | link.ToSubject),
    # A part is done by what is written for it: that message exists within the host alone.
    "chairs": (chairs.ChairMessage, chairs.ToHost | chairs.ToChair | chairs.FinishPart),
    # `Gone` says that a child is gone, so no child sends it. The transcriber's child has a decoder of its own.
    "orders of child processes": (wire.Order, wire.Orders | drafting.Orders | transcriber.Listen | transcriber.Hear),
    "replies of child processes": (
        wire.WorkerReply,
        wire.Replies | drafting.Replies | transcriber.Transcription | piped_process.Gone,
    ),
}


@pytest.mark.parametrize(("base", "union"), UNIONS.values(), ids=list(UNIONS))
def test_every_message_class_is_in_the_union_that_its_reader_decodes(base: Any, union: Any) -> None:
    assert set(tagged(base)) == set(get_args(union))
