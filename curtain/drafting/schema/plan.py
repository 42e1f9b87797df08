"""One reading of a query over a schema while it is put together: where it stands, what it explains, how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ..query.comparisons import DISLIKES
from ..query.denials import reaches
from ..sql.none_of import is_once, many_step
from ..sql.statements import Clause, Column
from .clauses import Said, further, name_clauses
from .focus import Focus
from .marks import Question
from .measures import Measured
from .numbers import Amount
from .pack_schema import Schema, Way
from .values import Candidate
from .words import NEARBY

__all__ = ["Behind", "Plan", "denied_at"]

Option = TypeVar("Option")

_UNSAYABLE = 0.2


@dataclass
class Plan:
    """A reading while it is put together. `candidates` and `amounts` tell what the values of the query may be, whatever
    is asked, `leads` which ways a preposition means; all readings of a query share them. `flips` are decisions to be
    made the second best way, and `close` holds for each decision how good that was; `nodes` are what was spoken of and
    where, `reached` what only values lead to; `doubt` is the product of all that was chosen, about 1 for no doubt at
    all; `spent` are the places of words that deny what was named right behind them, and nothing else; `lists` tells for
    a number of the query its clause; `without` are the values of which no row may have anything; `at_issue` is the
    number of which is asked whether there are so many."""

    question: Question
    schema: Schema
    focus: Focus
    flips: frozenset[int]
    candidates: Mapping[int, tuple[Candidate, ...]]
    amounts: dict[Amount, Measured]
    leads: dict[tuple[str, str, frozenset[str] | None], tuple[tuple[float, Way], ...]]
    nodes: list[tuple[str, int]] = field(init=False)
    reached: list[str] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    explained: set[int] = field(default_factory=set)
    doubt: float = 1.0
    close: list[float] = field(default_factory=list)
    many: bool = False
    spent: set[int] = field(default_factory=set)
    lists: dict[int, Clause] = field(default_factory=dict)
    without: list[tuple[Said, ...]] = field(default_factory=list)
    at_issue: Amount | None = None

    def __post_init__(self) -> None:
        self.nodes = [(self.focus.root, -1)]

    def chosen(self, options: Sequence[tuple[float, Option]]) -> tuple[float, Option] | None:
        """The best option, or the second where this decision is to be made otherwise."""
        ranked = sorted(options, key=lambda one: -one[0])
        ranked = [one for one in ranked if one[0] > 0.01]
        if not ranked:
            return None
        number = len(self.close)
        self.close.append(ranked[1][0] / ranked[0][0] if len(ranked) > 1 else 0.0)
        place = 1 if number in self.flips and len(ranked) > 1 else 0
        return ranked[place]

    def near(self, at: int) -> list[tuple[str, float]]:
        """The nodes that something said at this place may be about: first the one last spoken of."""
        before = [node for node, place in self.nodes if place < at]
        found = {before[-1]: 1.0}
        for node, _ in self.nodes:
            found.setdefault(node, 0.88)
        for node in self.reached:
            found.setdefault(node, 0.6)
        return list(found.items())

    def give_up(self) -> None:
        """Makes the reading unlikely: the query says something here that no draft can say."""
        self.doubt *= _UNSAYABLE

    def above_at(self, at: int) -> str | None:
        """The node of who stands above, if what is said at this place is said of them: “whose manager is over 60”."""
        above = self.focus.above
        if above is None or not ((above.behind and at >= above.last) or (above.ahead and at < above.first)):
            return None
        return self.named_above()

    def named_above(self) -> str | None:
        """The node of those whose names are said with a word for who stands above others, or below."""
        above, root = self.focus.above, self.focus.root
        if above is None or not above.path:
            return None
        ways = self.schema.ways.get((root, above.table), ())
        if root != above.table and not ways:
            return None
        return self.schema.above(root if root == above.table else further(root, ways[0]), above.path)

    def measure(self, amount: Amount) -> Measured:
        """What columns an amount of the query may measure, found out once for all readings."""
        if amount not in self.amounts:
            self.amounts[amount] = Measured(self.question, self.schema, amount)
        return self.amounts[amount]

    def passed(self, at: int) -> list[tuple[str, float]]:
        """The nodes that lie on the way to what something said at this place may be about."""
        near = dict(self.near(at))
        found: dict[str, float] = {}
        for node, share in near.items():
            steps = node.split(">")
            for size in range(2, len(steps)):
                found.setdefault(">".join(steps[:size]), share * 0.95)
        return [(node, share) for node, share in found.items() if node not in near]

    def leave(self, node: str, at: int) -> None:
        """Tables that were only spoken of behind the “not” at this place are not joined: none of their rows may be
        there."""
        start = many_step(node, self.schema.keys) or node
        spoken = {one for one, place in self.nodes if place >= at and (one == start or one.startswith(f"{start}>"))}
        self.clauses = [one for one in self.clauses if not (one.bare and _node(one) in spoken)]
        self.many = any(not is_once(_node(one), self.schema.keys) for one in self.all_clauses())

    def all_clauses(self) -> list[Clause]:
        """The clauses of values and the others."""
        return [*name_clauses(self.said, self.schema), *self.clauses]


Behind = Callable[[Plan, str, range], Plan]
"""Reads what the words at these places say of the rows of a table, apart from the rest of the query."""


def _node(clause: Clause) -> str:
    return next((part.node for part in clause.parts if isinstance(part, Column)), "")


def denied_at(plan: Plan, at: int) -> tuple[int, int] | None:
    """The “not” that goes with what stands here: nothing else stands between them."""
    question = plan.question
    for first, last in question.nots:
        if first in plan.spent:
            continue
        stops = [n for n in question.names if last <= question.found[n].first < at]
        stops += [1 for amount in question.amounts if last <= amount.first < at]
        near = at <= last + NEARBY and question.words[first] not in DISLIKES
        if last <= at and (near or reaches(question.words, first, at)) and not stops:
            return first, last
    return None
