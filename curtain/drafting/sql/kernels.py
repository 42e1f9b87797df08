"""What a condition says, whatever the way to its table: “from Boston” is the same of a flight and of the flights of a
fare. Two statements that say the same in this sense are hardly ever both worth a wizard's look."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache

from .statements import Clause, Column, Part, Statement, Sub, coarse

__all__ = ["kernel", "kernels", "skeleton"]

_HOP = r">(\w*)=(\w+)\.(\w*)(?:#\d+)?"
_COLUMN = re.compile(rf"(\w+)((?:{_HOP})*)\.(\w+)")
_ONE_HOP = re.compile(_HOP)
_PLACE = re.compile(r" @\d+$")


@cache
def kernel(name: str) -> str:
    """A clause's name without the joins between columns of one name; those that say what they mean (`from_airport`,
    `manager_id`) stay."""
    return _COLUMN.sub(_short, name)


def _short(found: re.Match[str]) -> str:
    table, column = found[1], found[6]
    named = []
    for own, other, theirs in _ONE_HOP.findall(found[2]):
        table = other
        if own != theirs:
            named.append(f"{own}={theirs}>")
    return f"{''.join(named)}{table}.{column}"


def kernels(role: frozenset[str]) -> frozenset[str]:
    """What a value does, in this sense."""
    return frozenset(kernel(name) for name in role)


def skeleton(statement: Statement) -> str:
    """Equal for statements that ask for the same and say the same, each condition counted once. That a table is there
    counts only if rows are joined to it for nothing else."""
    there = {way for parts in _speaking(statement) for part in parts for way in _ways(part)}
    said = {_said(one.parts) for one in statement.clauses if not (one.bare and _says_nothing(one, there))}
    return f"{statement.head_key}|{'&'.join(sorted(said))}"


def _speaking(statement: Statement) -> Iterator[tuple[Part, ...]]:
    yield statement.head
    yield from (clause.parts for clause in statement.clauses if not clause.bare)
    yield statement.tail


def _ways(part: Part) -> Iterator[str]:
    """The nodes on the way to a column."""
    if isinstance(part, Column):
        steps = part.node.split(">")
        yield from (">".join(steps[:size]) for size in range(1, len(steps) + 1))


def _says_nothing(bare: Clause, there: Collection[str]) -> bool:
    column = bare.parts[0]
    return isinstance(column, Column) and (column.node in there or ">=" in column.node)


def _said(parts: tuple[Part, ...]) -> str:
    return "".join(f"({skeleton(one.statement)})" if isinstance(one, Sub) else kernel(coarse(one)) for one in parts)
