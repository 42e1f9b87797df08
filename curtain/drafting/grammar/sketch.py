"""What a query asks for before it is a statement: a list of things to show and of conditions, by table and column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..algebra.query import Constant, Statement
from .graph import Target


@dataclass(frozen=True)
class Shown:
    """Something to show: a column, a count (`count`) of a table's rows, or another aggregate of a column."""

    target: Target
    aggregate: str = ""


@dataclass(frozen=True)
class Compare:
    """A column compared with literals by an operator of the algebra (`eq`, `gt`, `between`, `in`, `like`, `null`).
    `measure` says what of the column is compared: the years since a date (`years`), its `month`, its `dayname`.
    `prefer` are words beside it that may choose the path (“from”)."""

    target: Target
    op: str
    literals: tuple[Constant, ...] = ()
    negated: bool = False
    prefer: tuple[str, ...] = ()
    measure: str = ""


@dataclass(frozen=True)
class Extreme:
    """The rows with the greatest (1) or least (-1) value of a column, or the first so many in that order."""

    target: Target
    sign: int
    limit: int = 1


@dataclass(frozen=True)
class Related:
    """There is a row of another table."""

    table: str


Condition = Compare | Extreme | Related


@dataclass(frozen=True)
class Sketch:
    """A query before it is a statement. `order` is what it is ordered by, and whether the greatest come first; `values`
    and `words` are the numbers of the values and the places of the words that it explains."""

    root: str = ""
    items: tuple[Shown, ...] = ()
    conditions: tuple[Condition, ...] = ()
    group: tuple[Target, ...] = ()
    order: tuple[Shown, bool] | None = None
    distinct: bool = False
    yes_no: bool = False
    values: frozenset[int] = frozenset()
    words: frozenset[int] = frozenset()

    def free(self, first: int, last: int) -> bool:
        """Whether none of the words [first, last) is explained yet."""
        return self.words.isdisjoint(range(first, last))

    def claim(self, first: int, last: int) -> Sketch:
        """With the words [first, last) explained."""
        return replace(self, words=self.words.union(range(first, last)))

    def use(self, *values: int) -> Sketch:
        """With these values explained."""
        return replace(self, values=self.values.union(values))

    def add(self, condition: Condition, first: int, last: int) -> Sketch:
        """With one more condition, and the words [first, last) that say it."""
        return replace(self, conditions=(*self.conditions, condition)).claim(first, last)

    def show(self, items: Iterable[Shown], first: int, last: int) -> Sketch:
        """With more things to show, and the words [first, last) that say it."""
        return replace(self, items=(*self.items, *items)).claim(first, last)


@dataclass(frozen=True)
class RuleDraft:
    """What the rules hand to the ranker: a statement, how well it fits (0 to 1), the share of the words of the query
    that nothing in it explains, the values that it uses, and the places of the unexplained words."""

    query: Statement
    score: float
    unexplained: float
    used: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
