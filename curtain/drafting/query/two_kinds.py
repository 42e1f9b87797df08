"""“Women and engineers”: where an “and” joins two kinds, it is not said whether one of them is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .column_words import words_in
from .recognise import Found, Reading

__all__ = ["leaves_it_open", "two_kinds"]

_ARTICLES = words_in("the all also")
_OF = words_in("of")
_ANYBODY = words_in("people everyone everybody anyone anybody those employees persons")
_JOINING = (("and",), ("as", "well", "as"), ("plus",), ("along", "with"), ("together", "with"))
_PEOPLE = words_in("women men females males")


def two_kinds(reading: Reading) -> list[tuple[int, int]]:
    """The values, by their numbers, of two kinds that are nouns and have nothing but an “and” between them: “women and
    engineers”."""
    words = [word.text for word in reading.words]
    found: list[tuple[int, int]] = []
    for number in range(1, len(reading.found)):
        one, other = reading.found[number - 1], reading.found[number]
        joined = _joined(words, one, other) and not _at_once(words[: one.first])
        nouns = all(_is_plural(words[it.last - 1]) and not it.is_measure for it in (one, other))
        there = reading.removed.isdisjoint((number - 1, number))
        if joined and nouns and there and one.kind != other.kind:
            found.append((number - 1, number))
    return found


def leaves_it_open(reading: Reading) -> bool:
    """Whether an “and” joins people of whom something was said with others: “engineers with a PhD and clerks”, “people
    in legal and women”, “women and people over 60”."""
    words = [word.text for word in reading.words]
    nouns = [one for one in reading.found if _is_plural(words[one.last - 1]) and not one.is_measure]
    for at, end in _ands(words):
        start = end
        while words[start : start + 1] and words[start] in _ARTICLES | _OF:
            start += 1
        before = [one for one in reading.found if one.last <= at]
        behind = next((one for one in nouns if one.first == start), None)
        kinds = {one.kind for one in before}
        if behind is not None and kinds - {behind.kind} and before[-1].kind != behind.kind and not _at_once(words[:at]):
            return True
        if words[start : start + 1] and words[start] in _ANYBODY and any(one.last == at for one in nouns):
            return True
    return False


def _at_once(words: Sequence[str]) -> bool:
    """Whether all of it is said of the same: “people who are women and engineers”."""
    return "both" in words or any(pair in (("who", "are"), ("that", "are")) for pair in pairwise(words))


def _ands(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where words begin and end that join what stands before them with what stands behind: “and”, “as well as”."""
    for at in range(1, len(words)):
        size = next((len(one) for one in _JOINING if tuple(words[at : at + len(one)]) == one), 0)
        if size:
            yield at, at + size


def _joined(words: Sequence[str], one: Found, other: Found) -> bool:
    between = tuple(word for word in words[one.last : other.first] if word not in _ARTICLES)
    return between in _JOINING


def _is_plural(word: str) -> bool:
    return word in _PEOPLE or (len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")))
