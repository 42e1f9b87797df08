"""Words for who stands above others in a table that refers to itself: “manager”, “supervises”, “reports to”."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .column_words import lemma, words_in
from .pack_schema import Schema
from .schema_marks import Question

__all__ = ["Above", "above_in", "stands_for_above", "verbs_for_above"]

_ARE = words_in("is are was were be been being isnt arent aint wasnt werent")
_HAVE = words_in("has have had having hasnt havent with without got")
_DO = words_in("do does did dont doesnt didnt")
_WHO = words_in("who that which")
_ARTICLES = words_in("a an any the no some")
_ANYBODY = words_in("anyone anybody someone somebody others")
_NOBODY = (("nobody",), ("noone",), ("no", "one"))
_CLOSE = 2
_HAVING_CLOSE = 3


@dataclass(frozen=True, slots=True)
class Above:
    """Words [first, last) for who stands above others in a table: `way` is `of` (those above), `over` (the value is
    the one above), `are` (they stand above somebody), `no` (above nobody), `has` (somebody stands above them), `none`
    (nobody does), `count` (so many stand below them); `names` are the values, `denied` the “not” that is said of it."""

    table: str
    first: int
    last: int
    way: str
    names: tuple[int, ...] = ()
    denied: tuple[int, int] | None = None


def above_in(question: Question, schema: Schema) -> Above | None:
    """Words such as “manager” and “supervises”, where a table refers to itself."""
    for at, word in enumerate(question.words):
        table = schema.boss_words.get(lemma(word))
        if table is not None:
            return _by_verb(question, table, at) if _is_verb(question, at) else _by_noun(question, table, at)
        verb = next((t for said, t in schema.boss_words.items() if _verb(word, said)), None)
        if verb is not None:
            return _by_verb(question, verb, at)
        after = question.words[at + 1 : at + 2]
        if schema.bosses and (lemma(word), *after) in (("report", "to"), ("work", "for"), ("answer", "to")):
            names = _names_from(question, at + 2)
            if names:
                return Above(next(iter(schema.bosses)), at, at + 2, "over", names)
    return None


def stands_for_above(word: str, schema: Schema) -> bool:
    """Whether a word is a verb for what those above others do: “supervise”."""
    return any(_verb(word, said) for said in schema.boss_words)


def verbs_for_above(schema: Schema) -> frozenset[str]:
    """All such verbs, in their forms."""
    bare = [said[:-2] for said in schema.boss_words if _has_verb(said)]
    return frozenset(one + ending for one in bare for ending in ("", "s", "e", "es", "ed", "ing"))


def _verb(word: str, said: str) -> bool:
    return _has_verb(said) and lemma(word) == said[:-2]


def _has_verb(said: str) -> bool:
    return said.endswith(("or", "er")) and len(said) > 5


def _is_verb(question: Question, at: int) -> bool:
    """Whether a word that is noun and verb, as “mentor”, is a verb here: “who mentors”, “does Paul mentor”."""
    words = question.words
    if words[at].endswith(("ed", "ing")) or set(words[at + 1 : at + 2]) & _ANYBODY or _nobody_at(words, at + 1):
        return True
    start = min([at, *(question.found[n].first for n in _unit_before(question, at))])
    start -= words[start - 1 : start] == ("not",)
    before = words[start - 1] if start else ""
    return before in _DO or (before in _WHO and (before == "who" or start > 1))


def _by_noun(question: Question, table: str, at: int) -> Above:
    words, beside = question.words, _unit_before(question, at)
    after = _names_from(question, at + 1)
    start = _bare_start(words, at)
    before = words[start - 1] if start else ""
    had, held = before in _HAVE, _unit_before(question, start - 1) if before == "as" else ()
    if held:
        return Above(table, at, at + 1, "over", held)
    if beside:
        return Above(table, at, at + 1, "of", beside)
    if after and ("whose" in words[:at] or (had and _is_named(question, after[0]))):
        return Above(table, at, at + 1, "over", after)
    if after and words[at + 1] == "of" and question.found[after[0]].first <= at + 3:
        return Above(table, at, at + 1, "of", after)
    if words[start - 1 : start] == ("whose",) and any(one.first > at for one in question.amounts):
        return Above(table, at, at + 1, "over")
    denied = _denied(question, at, _HAVING_CLOSE if had else _CLOSE)
    if had or (denied and words[denied[0]] == "no" and not set(words[denied[0] - 1 : denied[0]]) & _ARE):
        return Above(table, at, at + 1, "none" if denied else "has", denied=denied)
    return Above(table, at, at + 1, "no" if denied else "are", denied=denied)


def _bare_start(words: Sequence[str], at: int) -> int:
    """Where the articles begin that stand before this word."""
    while at and words[at - 1] in _ARTICLES:
        at -= 1
    return at


def _denied(question: Question, at: int, within: int) -> tuple[int, int] | None:
    """The “not” right before this word, with no value between them."""
    for first, last in question.nots:
        between = any(last <= question.found[n].first < at for n in question.names)
        if first < at <= last + within and not between:
            return first, last
    return None


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
    words, after = question.words, _names_from(question, at + 1)
    before = tuple(n for n in question.names if question.found[n].last <= at)
    denied = _denied(question, at, _CLOSE)
    by = words[at + 1 : at + 2] == ("by",)
    last = at + 1 + by
    if by and after:
        return Above(table, at, last, "over", after)
    nobody = _nobody_at(words, last)
    if nobody:
        last += nobody
        return Above(table, at, last, "none" if by else "no", denied=_denied(question, last, nobody - 1))
    if by or (words[at].endswith("ed") and _stands_behind(words, at, _ARE)):
        return Above(table, at, last, "none" if denied else "has", denied=denied)
    if any(at < amount.first <= at + 2 for amount in question.amounts):
        return Above(table, at, last, "count")
    if before and {"does", "do", "did"} & set(words[:at]):
        return Above(table, at, last, "over", before)
    if denied and not any(_is_named(question, n) for n in after):
        return Above(table, at, last, "no", denied=denied)
    return Above(table, at, last, "of", after) if after else Above(table, at, last, "are")


def _nobody_at(words: Sequence[str], at: int) -> int:
    """How many words say “nobody” here."""
    return next((len(said) for said in _NOBODY if tuple(words[at : at + len(said)]) == said), 0)


def _stands_behind(words: Sequence[str], at: int, others: frozenset[str]) -> bool:
    """Whether one of these words stands right before, “not” apart."""
    at -= words[at - 1 : at] == ("not",)
    return at > 0 and words[at - 1] in others
