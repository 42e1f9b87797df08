"""Values that a query names in one breath: “Delta or United”, “sales, legal and planning”, “departments 43 and 44”."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .naming import stem
from .recognise import Found, Reading

__all__ = ["Series", "leaders", "series_in", "without_followers"]

_JOINING = frozenset(["and", "or", "nor"])
_LIGHT = frozenset(["a", "an", "the", "all", "any", "those"])
_FILLING = frozenset(["the", "either", "both", "also", "in", "on"])
_NO_SERIES = frozenset(["time", "date", "month", "period", "relative day"])
_BETWEEN = 3


@dataclass(frozen=True)
class Series:
    """Values that are named in one breath: the number of the first one in the reading, and those of the others;
    `either` says that an “or” stands among them."""

    first: int
    others: tuple[int, ...]
    either: bool = False

    def torn(self, used: Mapping[int, str]) -> bool:
        """Whether of these values some are used and some are not, or, of those with an “or”, one for this and one for
        that; `used` names for each used value what it does, or says "" where it shares another's condition."""
        own = [used[number] for number in (self.first, *self.others) if number in used]
        return 0 < len(own) <= len(self.others) or (self.either and len({*own} - {""}) > 1)


def series_in(reading: Reading) -> list[Series]:
    """The series of a query. What stands behind “between” is a pair of ends and none."""
    found: list[Series] = []
    for number in range(1, len(reading.found)):
        if number in reading.removed or not _follows(reading, number - 1, number):
            continue
        last = found[-1] if found else None
        either = _either(reading, number)
        if last and number - 1 in (last.first, *last.others):
            found[-1] = Series(last.first, (*last.others, number), last.either or either)
        else:
            found.append(Series(number - 1, (number,), either))
    return found


def _either(reading: Reading, number: int) -> bool:
    between = reading.words[reading.found[number - 1].last : reading.found[number].first]
    return any(word.text in ("or", "nor") for word in between)


def _follows(reading: Reading, before: int, number: int) -> bool:
    one, other = reading.found[before], reading.found[number]
    kinds = _kinds(one) & _kinds(other) & {one.kind, other.kind}
    if (
        not kinds
        or _NO_SERIES & {one.kind, other.kind}
        or one.meanings[0] == other.meanings[0]
        or before in reading.removed
    ):
        return False
    words = [word.text for word in reading.words]
    if "between" in words[max(0, one.first - _BETWEEN) : one.first]:
        return False
    names = {stem(part) for kind in kinds for part in kind.split()}
    between = words[one.last : other.first]
    rest = [word for word in between if word not in _FILLING and stem(word) not in names]
    comma = not between and "," in reading.text[one.end : other.start]
    again = one.kind == other.kind and _says_again(words, one.first, between)
    if kinds == {"number"} and (one.weak or other.weak or not (comma or rest == between)):
        return False
    return comma or again or (len(rest) == 1 and rest[0] in _JOINING)


def _says_again(words: Sequence[str], first: int, between: Sequence[str]) -> bool:
    """Whether between two values, behind an “and”, stands what stood before the first already: “from Denver or from
    Dallas”, “the flights from Denver and the flights from Dallas”."""
    rest = [word for word in between if word not in _LIGHT]
    before = [word for word in words[:first] if word not in _LIGHT]
    said = rest[1:]
    return 0 < len(said) <= len(before) and rest[0] in _JOINING and before[-len(said) :] == said


def _kinds(one: Found) -> set[str]:
    """What a value may be, where several of it can be named in one breath."""
    return {meaning.kind for meaning in one.meanings} - _NO_SERIES


def without_followers(reading: Reading, series: Sequence[Series]) -> Reading:
    """The query with the first value of each series only."""
    return reading.without(number for one in series for number in one.others)


def leaders(reading: Reading) -> Mapping[int, int]:
    """For each value behind the first of a series, the first, taken out or not: what is said of it is said of all."""
    whole = replace(reading, removed=frozenset())
    found = {number: one.first for one in series_in(whole) for number in one.others}
    for number in range(1, len(reading.found)):
        if number not in found and _or_of_times(reading, number - 1, number):
            found[number] = found.get(number - 1, number - 1)
    return found


def _or_of_times(reading: Reading, before: int, number: int) -> bool:
    """Whether two times or periods stand to both sides of an “or”: “in the morning or evening”."""
    one, other = reading.found[before], reading.found[number]
    between = [word.text for word in reading.words[one.last : other.first]]
    rest = [word for word in between if word not in _FILLING]
    return one.kind == other.kind and one.kind in _NO_SERIES and rest in (["or"], ["nor"])
