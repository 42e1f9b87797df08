"""What the words beside a number, date or time say of it (“after”, “around”, nothing), and what a statement does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .comparisons import bound_after, bound_before
from .recognise import Found, Reading

__all__ = ["Sign", "said_of", "signs_fit"]

# "" for a value of which nothing is said, "~" for a time near it or a range; the rest as in SQL, without “or equal”.
Sign = str

_KINDS = frozenset(["number", "date", "time"])
_NEAR = frozenset(["around", "about", "approximately", "near", "between", "from", "or", "to", "and"])
_DIRECTION = {"<": "<", "<=": "<", ">": ">", ">=": ">", "=": "="}
_COMPARED = re.compile(r"(<=|>=|<|>|=|BETWEEN) (?:DATE |CAST\()?<#(?:number|date|time|later|day)([+-]\d+)?>")


def said_of(reading: Reading) -> list[Sign | None]:
    """For each value of a query what is said of it; None for what nobody compares."""
    words = [word.text for word in reading.words]
    return [_said(words, one) if one.kind in _KINDS else None for one in reading.found]


def _said(words: Sequence[str], one: Found) -> Sign:
    if set(words[max(0, one.first - 2) : one.first]) & _NEAR:
        return "~"
    bound = bound_after(words, one.last) or bound_before(words, one.first)
    if bound is None or bound.adjective or (bound.weak and bound.op != "<="):
        return ""
    return _DIRECTION.get(bound.op, "")


def signs_fit(roles: Iterable[tuple[frozenset[str], Sign | None]]) -> float:
    """How many values are compared as is said, less those that are compared otherwise."""
    return float(sum(_fit(_done(role), said) for role, said in roles if said is not None))


def _fit(done: Sign, said: Sign) -> int:
    if not done:
        return 0
    if not said:
        return 0 if done == "=" else -1
    return 1 if done == said else -1


@lru_cache(maxsize=4096)
def _done(role: frozenset[str]) -> Sign:
    """How a value with this role is compared; "" if it is not."""
    found = [match for name in sorted(role) for match in _COMPARED.findall(name)]
    if not found:
        return ""
    return "~" if len(found) > 1 or found[0][0] == "BETWEEN" or found[0][1] else _DIRECTION[found[0][0]]
