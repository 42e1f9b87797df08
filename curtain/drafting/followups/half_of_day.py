"""Hours of a follow-up without their half of the day: “before 7” of flights after 5 pm is 7 in the evening."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from ..query.clock_words import shifted
from ..query.comparisons import bound_after, bound_before
from ..query.recognise import Found, Reading, time_meaning
from ..sql.edits import bounded
from ..sql.ground import Ground
from ..sql.statements import Statement, table_of

__all__ = ["in_its_half"]

_NOON = 1200


@dataclass(frozen=True)
class _Told:
    """The times that a statement tells: the latest that it begins after, the earliest that it ends before, and all."""

    least: int
    most: int
    every: tuple[int, ...]

    @property
    def in_the_afternoon(self) -> bool:
        """Whether all of it is."""
        return min(self.every) >= _NOON and self.most > _NOON

    def allows(self, op: str, time: int) -> bool:
        """Whether a comparison more leaves anything of what is told."""
        if op in ("<", "<="):
            return time > self.least
        if op in (">", ">="):
            return time < self.most
        return self.least <= time <= self.most


def in_its_half(reading: Reading, before: Statement, ground: Ground) -> Reading:
    """The query with its hours in the half of the day in which the statement before leaves something of them; if both
    do, in the afternoon where all its times are."""
    told = _told(before, ground)
    if not told.every:
        return reading
    words = [word.text for word in reading.words]
    return replace(reading, found=tuple(_in_half(one, words, told) for one in reading.found))


def _told(statement: Statement, ground: Ground) -> _Told:
    bounds = [one for one in map(bounded, statement.clauses) if one and all(value.isdigit() for value in one.values)]
    timed = [one for one in bounds if ground.kind(table_of(one.column.node), one.column.name) == "time"]
    told = [(one.op, [int(value) for value in one.values]) for one in timed]
    least = [times[0] for op, times in told if op in (">", ">=", "between")]
    most = [times[-1] for op, times in told if op in ("<", "<=", "between")]
    return _Told(max(least, default=0), min(most, default=2400), tuple(chain.from_iterable(times for _, times in told)))


def _in_half(one: Found, words: list[str], told: _Told) -> Found:
    time = one.form("#time")
    if one.kind != "time" or time is None or one.form("#later") is None or int(time) >= _NOON:
        return one
    bound = bound_before(words, one.first) or bound_after(words, one.last)
    early, late = int(time), shifted(int(time), 12 * 60)
    can_be_early, can_be_late = (told.allows(bound.op if bound else "=", it) for it in (early, late))
    if can_be_late and (not can_be_early or told.in_the_afternoon):
        return replace(one, meanings=(time_meaning(late, False), time_meaning(early, False), *one.meanings[1:]))
    return one
