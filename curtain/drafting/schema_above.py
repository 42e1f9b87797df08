"""Words for who stands above others in a table that refers to itself: “manager”, “supervises”, “reports to”."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .column_words import lemma, words_in
from .pack_schema import Schema
from .schema_marks import Question

__all__ = ["Above", "above_in"]

_ARE = words_in("is are was were be")
_ARE_NOT = words_in("isnt arent aint wasnt werent non")


@dataclass(frozen=True, slots=True)
class Above:
    """Words [first, last) for who stands above others in a table: `way` is `of` (those above), `over` (the value is
    the one above), `are` (they stand above somebody), `no` (above nobody), `none` (nobody stands above them), `count`
    (so many stand below them); `names` are the values."""

    table: str
    first: int
    last: int
    way: str
    names: tuple[int, ...] = ()


def above_in(question: Question, schema: Schema) -> Above | None:
    """Words such as “manager” and “supervises”, where a table refers to itself."""
    for at, word in enumerate(question.words):
        table = schema.boss_words.get(lemma(word))
        if table is not None:
            return _by_noun(question, table, at)
        verb = next((t for said, t in schema.boss_words.items() if _verb(word, said)), None)
        if verb is not None:
            return _by_verb(question, verb, at)
        after = question.words[at + 1 : at + 2]
        if schema.bosses and (lemma(word), *after) in (("report", "to"), ("work", "for"), ("answer", "to")):
            names = _names_from(question, at + 2)
            if names:
                return Above(next(iter(schema.bosses)), at, at + 2, "over", names)
    return None


def _verb(word: str, said: str) -> bool:
    return said.endswith(("or", "er")) and len(said) > 5 and lemma(word) == said[:-2]


def _by_noun(question: Question, table: str, at: int) -> Above:
    before = [n for n in question.names if question.found[n].last <= at]
    beside = _unit_before(question, at)
    after = _names_from(question, at + 1)
    linked = question.words[at + 1 : at + 2]
    if beside:
        return Above(table, at, at + 1, "of", beside)
    if after and "whose" in question.words[:at]:
        return Above(table, at, at + 1, "over", after)
    if after and linked == ("of",) and question.found[after[0]].first <= at + 3:
        return Above(table, at, at + 1, "of", after)
    denying = [first for first, last in question.nots if first < at <= last + 2]
    if denying and not before:
        return Above(table, at, at + 1, "no" if _is_said_to_be(question.words, denying[0]) else "none")
    return Above(table, at, at + 1, "are")


def _is_said_to_be(words: Sequence[str], at: int) -> bool:
    """Whether a “not” denies what somebody is, “who is not a manager”, and not what they have, “without a manager”."""
    return words[at] in _ARE_NOT or (words[at] == "not" and at > 0 and words[at - 1] in _ARE)


def _unit_before(question: Question, at: int) -> tuple[int, ...]:
    """The values that stand right before this word, as in “Paul Hayes's supervisor”."""
    unit: list[int] = []
    for n in reversed(question.names):
        if question.found[n].last == at and _is_named(question, n):
            unit.insert(0, n)
            at = question.found[n].first
    return tuple(unit)


def _is_named(question: Question, n: int) -> bool:
    return any("name" in form for one in question.found[n].meanings for form in one.forms)


def _names_from(question: Question, at: int) -> tuple[int, ...]:
    return tuple(n for n in question.names if question.found[n].first >= at)


def _by_verb(question: Question, table: str, at: int) -> Above:
    before = tuple(n for n in question.names if question.found[n].last <= at)
    after = _names_from(question, at + 1)
    if question.words[at + 1 : at + 2] == ("by",) and after:
        return Above(table, at, at + 2, "over", after)
    if any(at < amount.first <= at + 2 for amount in question.amounts):
        return Above(table, at, at + 1, "count")
    if before and {"does", "do", "did"} & set(question.words[:at]):
        return Above(table, at, at + 1, "over", before)
    return Above(table, at, at + 1, "of", after) if after else Above(table, at, at + 1, "are")
