"""A follow-up and the statement that it goes on from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..learned.memory import Memory
from ..query.comparisons import range_words
from ..query.recognise import Reading
from ..sql.edits import columns_of, moved
from ..sql.ground import Ground
from ..sql.statements import Clause, Column, Statement, table_of

__all__ = ["FollowUpTurn", "near_columns", "nodes_said", "rooted", "value_groups"]


@dataclass(frozen=True)
class FollowUpTurn:
    """A follow-up and what it goes on from. `included`: whether the ends of periods belong to them; `with_key`:
    whether answers show the key of a row beside what is asked of it; `added`: the conditions that came last."""

    reading: Reading
    words: tuple[str, ...]
    before: Statement
    ground: Ground
    memory: Memory
    narrowing: bool
    included: bool | None = None
    with_key: bool = False
    added: tuple[Clause, ...] = ()

    def free(self, at: int) -> bool:
        """Whether no value stands at this word."""
        found = enumerate(self.reading.found)
        return not any(one.first <= at < one.last and not one.weak and not self.mere(n) for n, one in found)

    def mere(self, number: int) -> bool:
        """Whether what might be a value is a mere word: a “one” that no column is named before, a “first” that nothing
        is named behind."""
        one = self.reading.found[number]
        if one.said.lower() == "one":
            said = self.words[one.first - 1] if one.first else ""
            return not self.ground.named_at_all([said], self.before.root)
        return one.said.lower() in ("first", "last") and self.words[one.last : one.last + 1] != ("class",)


def value_groups(turn: FollowUpTurn) -> list[tuple[int, ...]]:
    """The values, two ends of a range together."""
    numbers = [n for n in range(len(turn.reading.found)) if n not in turn.reading.removed and not turn.mere(n)]
    groups: list[tuple[int, ...]] = []
    for number in numbers:
        one = turn.reading.found[number]
        last = turn.reading.found[groups[-1][0]] if groups and len(groups[-1]) == 1 else None
        if last and last.kind == one.kind and range_words(turn.words, last.first, (last.last, one.first)):
            groups[-1] = (*groups[-1], number)
        else:
            groups.append((number,))
    return groups


def rooted(clause: Clause, turn: FollowUpTurn) -> Clause | None:
    """A condition as it stands in the statement before; None if its tables are not to be reached from there."""
    columns = columns_of(clause.parts)
    roots = {column.node.split(">")[0] for column in columns}
    if roots <= {turn.before.root}:
        return clause
    if len(roots) != 1:
        return None
    table = roots.pop()
    nodes = turn.ground.nodes_for(turn.before, table, turn.memory.way(turn.before.root, table))
    return Clause(moved(clause.parts, table, nodes[0])) if nodes else None


def nodes_said(turn: FollowUpTurn) -> set[str]:
    """The tables, with the way to them, of which the statement before says something."""
    return {column.node for clause in turn.before.clauses for column in columns_of(clause.parts)}


def near_columns(turn: FollowUpTurn) -> Iterator[Column]:
    """The columns of the root and of the tables that the statement has already."""
    for node in sorted({turn.before.root, *nodes_said(turn)}):
        yield from (Column(node, name) for name in turn.ground.tables.get(table_of(node), {}))
