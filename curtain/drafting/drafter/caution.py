"""How sure drafts may be at most where a query leaves something open, and their order by that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..query.best_asked import gives_best
from ..query.column_words import words_in
from ..sql.alternatives import leaves_a_choice
from ..values import Draft
from .sayings import Sayings

__all__ = ["UNSURE", "cautious", "falling", "has_some", "loses_best", "merged", "never_surer", "never_surer_if"]

UNSURE = 0.5
"""At most so sure is what may be read otherwise just as well, or leans on a turn of which something is lost."""

_WORKED_OUT = re.compile(r"SELECT (AVG|SUM|ROUND|MEDIAN)\(")
_DAYS_AT_ONCE = words_in("weekday weekdays weekend weekends")
_DAY = re.compile(r"\b(mon|tues|wednes|thurs|fri|satur|sun)day\b|\bday(ofweek|name)\b", re.IGNORECASE)
# One that wants both of two things where either is asked for.
_NARROW = 0.2


def cautious(drafts: Sequence[Draft], said: Sayings, few: bool) -> list[Draft]:
    """The drafts, no surer than what the query says of its values allows. Of a `few` answered questions none may have
    shown two things together."""
    found = never_surer(drafts, UNSURE) if said.unsayable else list(drafts)
    if not _DAYS_AT_ONCE.isdisjoint(said.words):
        found = falling(never_surer_if(_DAY.search(one.sql) is None, one) for one in found)
    if said.both:
        # Of what a row has one alone, as who stands above it, none has both.
        found = falling(never_surer_if(leaves_a_choice(one.sql) or " OR " in one.sql, one) for one in found)
    if said.twice:
        # An average of two groups is one of all, or one for each.
        found = falling(never_surer_if(_WORKED_OUT.match(one.sql) is not None, one) for one in found)
    if said.asks_again and few:
        found = falling(never_surer_if(not _shows_more(one.sql), one) for one in found)
    return _by_confidence(_narrowed(one, said) for one in found) if said.alternatives.either else found


def _narrowed(draft: Draft, said: Sayings) -> Draft:
    """The draft, hardly believed if it wants both of two things of which either is asked for."""
    missed = said.alternatives.are_missed_by(draft.sql)
    return replace(draft, confidence=draft.confidence * _NARROW) if missed else draft


def never_surer_if(unsure: bool, draft: Draft) -> Draft:
    """The draft, no surer than what may be read otherwise just as well, if it may."""
    return replace(draft, confidence=min(draft.confidence, UNSURE)) if unsure else draft


def _shows_more(sql: str) -> bool:
    """Whether a statement shows more than one column."""
    return "," in sql.split(" FROM ")[0]


def loses_best(sql: str, said: Sayings) -> bool:
    """Whether a statement looks for no least or greatest value although one is asked for: “which is the cheapest”."""
    return bool(said.best.adjectives) and gives_best(sql) is False


def has_some(words: Sequence[str]) -> bool:
    """Whether words go on from before with what those there have: “with a meal” says which, and what a meal is does
    not."""
    return tuple(words[:2]) in (("with", "a"), ("with", "an"))


def never_surer(drafts: Iterable[Draft], most: float) -> list[Draft]:
    """The drafts with this confidence at most."""
    return [replace(draft, confidence=min(draft.confidence, most)) for draft in drafts]


def falling(drafts: Iterable[Draft]) -> list[Draft]:
    """In the order of the ranking, none surer than the one before it: what is shown first is what is believed most."""
    found: list[Draft] = []
    for draft in drafts:
        surest = found[-1].confidence if found else 1.0
        found.append(replace(draft, confidence=min(draft.confidence, surest)))
    return found


def merged(first: Sequence[Draft], second: Sequence[Draft]) -> list[Draft]:
    """By confidence, but none of the second kind is believed more than the best of the first."""
    most = first[0].confidence if first else 1.0
    return _by_confidence([*first, *never_surer(second, most)])


def _by_confidence(drafts: Iterable[Draft]) -> list[Draft]:
    return sorted(drafts, key=lambda draft: -draft.confidence)
