"""The form of a query and of a statement: whether something is denied, counted, compared."""

from __future__ import annotations

from collections.abc import Iterator

from ..algebra.query import Arg, Call, Nested, Statement, inside
from ..language.english import english
from ..language.recognise import Reading

__all__ = ["form_of", "unlike"]

_DENYING = frozenset(["neq", "not", "nullsafeneq", "except"])
_COMPARING = frozenset(["gt", "gte", "lt", "lte", "between"])


def form_of(reading: Reading) -> tuple[bool, bool, bool]:
    """Whether a query denies something, asks how many there are, and compares a number."""
    words = [word.text for word in reading.words]
    denies = any(english().negated(words, at) for at in range(len(words))) or "other than" in " ".join(words)
    counts = english().has("asking.count", words)
    compares = any(one.kind == "period" for one in reading.found)
    for one in reading.found:
        if one.is_measure:
            bound = english().bound_before(words, one.first) or english().bound_after(words, one.last)
            compares = compares or (bound is not None and bound.op not in ("eq", "neq") and not bound.weak)
    return denies, counts, compares


def unlike(form: tuple[bool, bool, bool], query: Statement) -> tuple[float, float, float]:
    """For each of the three whether a statement does otherwise."""
    conditions = [one.expr for one in (*query.where, *query.having)]
    kinds = {one.kind for arg in conditions for one in _all(arg)}
    counts = "count" in kinds | {one.kind for arg in (*query.select, *query.order) for one in _all(arg)}
    own = (bool(kinds & _DENYING), counts, bool(kinds & _COMPARING))
    denial, count, comparison = (float(one != other) for one, other in zip(form, own, strict=True))
    return denial, count, comparison


def _all(arg: Arg) -> Iterator[Call]:
    """The calls of an expression and of the conditions of queries nested in it."""
    for part in inside(arg):
        if isinstance(part, Call):
            yield part
        elif isinstance(part, Nested):
            for one in (*part.query.where, *part.query.having):
                yield from _all(one.expr)
