"""Conditions that never stand alone: a year without its month and day says nothing that anybody asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from ..sql.align import nodes_in
from ..sql.statements import Clause, Statement

__all__ = ["Company"]

_LEAST = 5
_HARDLY_EVER = 0.02


@dataclass
class Company:
    """How often each condition was seen, and how often as the only one on a table that was joined for it."""

    times: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)

    def add(self, statement: Statement) -> None:
        """One more statement of an answered question."""
        self.times.update({clause.key for clause in statement.clauses})
        self.alone.update({clause.key for clause in _alone(statement)})

    def missed(self, statement: Statement) -> bool:
        """Whether a condition stands alone that hardly ever does."""
        keys = (clause.key for clause in _alone(statement))
        return any(self.times[key] >= _LEAST and self.alone[key] <= _HARDLY_EVER * self.times[key] for key in keys)


def _alone(statement: Statement) -> Iterator[Clause]:
    """The conditions that are the only ones on their node, if this is not the root."""
    nodes = [nodes_in(clause) for clause in statement.clauses]
    on: dict[str, int] = {}
    for node in chain.from_iterable(nodes):
        on[node] = on.get(node, 0) + 1
    for clause, own in zip(statement.clauses, nodes, strict=True):
        if len(own) == 1 and not clause.bare and all(">" in node and on[node] == 1 for node in own):
            yield clause
