"""Drafts that were learned and drafts from the schema alone as one list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..schema.pack_schema import Schema
from ..schema.reader import from_schema
from ..sql.kernels import skeleton
from ..sql.parsing import Parser
from ..sql.statements import Statement, write
from ..values import Draft
from .learning import Known

__all__ = ["Keyed", "combined", "supplemented", "trust_in"]

_DATE = re.compile(r"\bDATE ('[^']*')")
_TRIED = 80
_PRIOR = 5.0
_PLACES = 2


@dataclass(frozen=True)
class Keyed:
    """A draft and its statement."""

    statement: Statement
    draft: Draft

    @property
    def key(self) -> str:
        """What the statement says, whatever the way between the tables; the two ways to write a date are one."""
        return _DATE.sub(r"CAST(\1 AS DATE)", skeleton(self.statement))


def combined(learned: Sequence[Keyed], drawn: Sequence[Keyed]) -> list[Draft]:
    """Both lists by confidence. What comes from both ways is surer than from either alone."""
    chances: dict[str, float] = {}
    drafts: dict[str, Draft] = {}
    for one in (*learned, *drawn):
        key = one.key
        doubt = 1 - chances.get(key, 0.0)
        chances[key] = 1 - doubt * (1 - one.draft.confidence)
        drafts.setdefault(key, one.draft)
    sure = (replace(draft, confidence=round(min(0.99, chances[key]), 4)) for key, draft in drafts.items())
    return sorted(sure, key=lambda draft: -draft.confidence)


def supplemented(learned: Sequence[Keyed], drawn: Sequence[Keyed], n: int) -> list[Draft]:
    """The learned drafts, of which the last places are left to the best from the schema: where very many questions were
    answered and a query is yet like none of them."""
    found: dict[str, Draft] = {}
    for one in (*learned[: max(1, n - _PLACES)], *drawn, *learned):
        found.setdefault(one.key, one.draft)
    return list(found.values())[:n]


def trust_in(schema: Schema, known: Sequence[Known], parser: Parser) -> float:
    """How far the confidence of drafts from the schema holds in this domain: right ones for each that was expected,
    among answered questions; 1 if there are none."""
    said, right = _PRIOR, _PRIOR
    for one in known[:: max(1, len(known) // _TRIED)]:
        for draft in from_schema(one.reading, schema)[:1]:
            found = parser.parse(write(draft.statement))
            said += draft.confidence
            right += found is not None and found.key == one.statement.key
    return min(1.0, right / said)
