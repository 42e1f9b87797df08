"""Sums and averages that a query asks for: “the total salary”, “what do the clerks earn on average”. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

__all__ = ["AGGREGATES", "asked_otherwise", "worked_out", "works_out_unasked"]

AGGREGATES: Mapping[str, str] = {
    "average": "AVG",
    "mean": "AVG",
    "total": "SUM",
    "sum": "SUM",
    "combined": "SUM",
    "altogether": "SUM",
}
"""Single words that ask for one, before what they are said of."""

_PHRASES = {
    "in total": "SUM",
    "altogether": "SUM",
    "all together": "SUM",
    "on average": "AVG",
    "on the average": "AVG",
    "in average": "AVG",
    "is the payroll": "SUM",
    "the payroll of": "SUM",
    "their payroll": "SUM",
    "the payroll for": "SUM",
}
_LAST = {"in all": "SUM"}
_WORKS_OUT = re.compile(r"\b(SUM|AVG|COUNT|MEDIAN) ?\(", re.IGNORECASE)
_OF_AGE = frozenset(["average", "age"])
_AGES = re.compile(r"birth|born|age\b", re.IGNORECASE)
_AVERAGES = re.compile(r"\b(AVG|MEDIAN) ?\(|/", re.IGNORECASE)


def worked_out(words: Sequence[str]) -> str:
    """SUM or AVG if words ask for it by a phrase behind or between the others; else nothing."""
    return _worked_out(" ".join(words))


@lru_cache(maxsize=64)
def _worked_out(said: str) -> str:
    text = f" {said} "
    found = (function for phrase, function in _PHRASES.items() if f" {phrase} " in text)
    last = (function for phrase, function in _LAST.items() if text.endswith(f" {phrase} "))
    return next(found, "") or next(last, "")


def asked_otherwise(sql: str, words: Sequence[str]) -> bool:
    """Whether a statement lists what is asked for in total or on average, works out the one where the other is asked
    for, or no average at all where one is."""
    phrase = worked_out(words)
    if phrase and _WORKS_OUT.search(sql) is None:
        return True
    wanted = {AGGREGATES[word] for word in words if word in AGGREGATES} | ({phrase} - {""})
    given = _given(sql)
    if wanted and given and wanted.isdisjoint(given):
        return True
    if _OF_AGE.issubset(words) and "AVG" in given and _AGES.search(sql) is None:
        return True
    averaged = phrase == "AVG" or "average" in words
    return averaged and _AVERAGES.search(sql) is None


def works_out_unasked(sql: str, before: str, words: Sequence[str]) -> bool:
    """Whether the statement of a turn that goes on works out a sum or an average although neither its words ask for
    one nor the turn before had one: “and their ages”."""
    new = {one.upper() for one in _WORKS_OUT.findall(sql)} - {one.upper() for one in _WORKS_OUT.findall(before)}
    return bool(new & {"SUM", "AVG"}) and not worked_out(words) and AGGREGATES.keys().isdisjoint(words)


def _given(sql: str) -> AbstractSet[str]:
    given = {one.upper() for one in _WORKS_OUT.findall(sql)} & {"SUM", "AVG"}
    return given | {"AVG"} if "/" in sql else given
