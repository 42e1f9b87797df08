"""Two stations, several starts, four clocks: every moment as milliseconds since the session began.

The session begins with the wizard's `session_opened`, on the wizard's clock. The subject's clock is mapped
by the offsets that the wizard's station measured, separately for each start of the subject's station; where
none was measured, the two wall clocks have to do.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from curtain.base.clock import ns_of_iso
from curtain.session.events import wizard_events as wizard
from curtain.session.journal.lines import JournalEntry, UnreadableFact

_NS_PER_MS = 1_000_000
_DRIFT = 100e-6  # how fast two clocks drift apart
# A station that was started again on a running machine goes on with the same monotonic clock: then both clocks
# have moved alike since the line before. After a restart of the machine they have not.
_SAME_CLOCK_NS = 5_000_000_000


@dataclass(frozen=True)
class _Stretch:
    """From this line on, `t_ns + shift` counts nanoseconds since the session began."""

    seq: int
    shift: int


@dataclass(frozen=True)
class _Tie:
    """At `subject_ns` of a start of the subject's station the session was `session_ns` old, give or take `error_ns`."""

    subject_ns: int
    session_ns: int
    error_ns: int

    def error_at(self, subject_ns: int) -> float:
        """How far off a time may be that is mapped with it: the clocks drift apart from here on."""
        return self.error_ns + _DRIFT * abs(self.subject_ns - subject_ns)


class SessionTimes:
    """Maps lines of both journals to whole milliseconds since the session began."""

    def __init__(self, subject: Sequence[JournalEntry], wizard_entries: Sequence[JournalEntry]) -> None:
        self._zero = next((e for e in wizard_entries if e.type == "session_opened"), None) or _first(
            wizard_entries, subject
        )
        self._wizard = _wizard_stretches(wizard_entries, self._zero)
        self._ties = _ties(wizard_entries, self._wizard)
        self._starts = [entry for entry in subject if entry.type == "epoch"]

    def of_wizard(self, entry: JournalEntry) -> int:
        """The moment of a wizard's line, in whole ms since the session began."""
        return _ms(entry.t_ns + _shift(self._wizard, entry.seq))

    def of_subject(self, entry: JournalEntry, t_ns: int | None = None) -> int:
        """The moment of a subject's line, or of `t_ns` on the clock that was running when it was written."""
        at = entry.t_ns if t_ns is None else t_ns
        start = self._start_of(entry)
        if (best := self._best_tie(start, at)) is not None:
            return _ms(at - best.subject_ns + best.session_ns)
        # No tie was measured: wall clocks may be off, but are better than nothing.
        return _ms(at - start.t_ns + _wall_ns(start) - _wall_ns(self._zero))

    def bound_of_subject(self, entry: JournalEntry) -> int | None:
        """How many ms at most the moment of a subject's line may be off, rounded up; None where no tie was measured."""
        best = self._best_tie(self._start_of(entry), entry.t_ns)
        return None if best is None else math.ceil(best.error_at(entry.t_ns) / _NS_PER_MS)

    def _start_of(self, entry: JournalEntry) -> JournalEntry:
        """The start that the line belongs to: each has its own clock and its own ties."""
        return next((one for one in reversed(self._starts) if one.seq <= entry.seq), entry)

    def _best_tie(self, start: JournalEntry, at: int) -> _Tie | None:
        return min(self._ties.get(_epoch_number(start), []), key=lambda tie: tie.error_at(at), default=None)


def _first(*journals: Sequence[JournalEntry]) -> JournalEntry:
    return next((entry for entries in journals for entry in entries), JournalEntry(0, None, 0, "", "", {}))


def _wizard_stretches(entries: Sequence[JournalEntry], zero: JournalEntry) -> list[_Stretch]:
    """One stretch per clock of the wizard's machine; a new one begins only at an `epoch` line."""
    begins: list[tuple[int, JournalEntry]] = [(0, zero)]
    before: JournalEntry | None = None
    for entry in entries:
        if entry.type == "epoch" and before is not None and not _same_clock(before, entry):
            begins.append((entry.seq, entry))
        before = entry
    # The clock on which the session was opened needs no shift by wall time.
    home = max((n for n, (seq, _) in enumerate(begins) if seq <= zero.seq), default=0)
    return [
        _Stretch(seq, -zero.t_ns if n == home else _wall_ns(entry) - _wall_ns(zero) - entry.t_ns)
        for n, (seq, entry) in enumerate(begins)
    ]


def _same_clock(before: JournalEntry, after: JournalEntry) -> bool:
    moved, moved_on_wall = after.t_ns - before.t_ns, _wall_ns(after) - _wall_ns(before)
    return moved >= 0 and abs(moved - moved_on_wall) < _SAME_CLOCK_NS


def _shift(stretches: Sequence[_Stretch], seq: int) -> int:
    return next(stretch.shift for stretch in reversed(stretches) if stretch.seq <= seq)


def _ties(entries: Sequence[JournalEntry], stretches: Sequence[_Stretch]) -> dict[int, list[_Tie]]:
    ties: dict[int, list[_Tie]] = {}
    for entry in entries:
        fact = _restored(entry)
        if fact is not None:
            session_ns = entry.t_ns + _shift(stretches, entry.seq)
            # Half of the round trip, as the link measured it.
            tie = _Tie(entry.t_ns - fact.offset_ns, session_ns, fact.rtt_ns // 2)
            ties.setdefault(fact.subject_epoch, []).append(tie)
    return ties


def _restored(entry: JournalEntry) -> wizard.LinkRestored | None:
    if entry.type not in ("link_restored", "clocks_tied"):
        return None
    try:
        fact = wizard.read(entry)
    except UnreadableFact:
        return None
    return fact if isinstance(fact, wizard.LinkRestored) else None


def _epoch_number(entry: JournalEntry) -> int:
    number = entry.data.get("number")
    return number if type(number) is int else 0


def _wall_ns(entry: JournalEntry) -> int:
    try:
        return ns_of_iso(entry.wall_utc)
    except (ValueError, OverflowError):
        return 0


def _ms(nanoseconds: int) -> int:
    return (nanoseconds + _NS_PER_MS // 2) // _NS_PER_MS
