"""Which names of a query stand right before a place, begin there, or come behind it: “Paul Hayes's”, “to Gray or to
Payne”. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ..query.column_words import words_in
from .marks import Question

__all__ = ["are_of", "asked_of", "is_named", "names_from", "unit_before", "unit_from"]

_ASKING = words_in("do does did dont doesnt didnt is are was were be been being isnt arent aint wasnt werent")
_ARTICLES = words_in("a an any the no some")
_EITHER = words_in("or and")


def unit_before(question: Question, at: int) -> tuple[int, ...]:
    """The values that stand right before this word, as in “Paul Hayes's supervisor”."""
    unit: list[int] = []
    for n in reversed(question.names):
        if question.found[n].last == at and is_named(question, n):
            unit.insert(0, n)
            at = question.found[n].first
    return tuple(unit)


def unit_from(question: Question, at: int) -> tuple[int, ...]:
    """The values of a name that begins at this place, as in “reports to Paul Hayes”, articles apart."""
    while question.words[at : at + 1] and question.words[at] in _ARTICLES:
        at += 1
    unit: list[int] = []
    for n in question.names:
        # Also “to Gray or to Payne”.
        if unit and question.words[at : at + 1] and question.words[at] in _EITHER:
            at += 1 + (question.words[at + 1 : at + 2] == ("to",))
        if question.found[n].first == at and is_named(question, n):
            unit.append(n)
            at = question.found[n].last
    return tuple(unit)


def names_from(question: Question, at: int) -> tuple[int, ...]:
    """All values from this place on."""
    return tuple(n for n in question.names if question.found[n].first >= at)


def asked_of(question: Question, at: int) -> tuple[int, ...]:
    """The names of “who does Payne report to”: those between the verb that asks and this word."""
    asks = next((place for place in range(at - 1, -1, -1) if question.words[place] in _ASKING), at)
    return tuple(n for n in question.names if asks < question.found[n].first < at)


def are_of(question: Question, names: Sequence[int], table: str) -> bool:
    """Whether these are names of rows of the table."""
    forms = [[form for one in question.found[n].meanings for form in one.forms] for n in names]
    return bool(names) and all(
        any(form.startswith(f"{table}.") and form.endswith("name") for form in own) for own in forms
    )


def is_named(question: Question, n: int) -> bool:
    """Whether a value is the name of something or somebody."""
    return any("name" in form for one in question.found[n].meanings for form in one.forms)
