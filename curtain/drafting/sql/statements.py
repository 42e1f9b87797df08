"""SQL statements taken apart into clauses that do not depend on aliases, and put together again.

A statement is read as a tree of tables: the *root*, and from it *nodes*, each reached by one join of two columns. A
node is named by the way to it, as `flight>from_airport=airport_service.airport_code`, so the same condition has the
same name in all statements, however their aliases are called. What stands in WHERE becomes a set of clauses; literals
are holes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from curtain.base.sql_names import sql_name

__all__ = [
    "Clause",
    "Column",
    "Hole",
    "Part",
    "Statement",
    "Sub",
    "coarse",
    "literals_of",
    "map_clause",
    "map_holes",
    "nodes_of",
    "renumbered",
    "table_of",
    "write",
]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a node; `up` tells of how many statements outward the node is."""

    node: str
    name: str
    up: int = 0


@dataclass(frozen=True, slots=True)
class Hole:
    """The place of a literal. `name` says what fills it; `text` is the literal as SQL has it until it is filled."""

    index: int
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Sub:
    """A nested SELECT."""

    statement: Statement


Part = str | Column | Hole | Sub


@dataclass(frozen=True)
class Clause:
    """One condition of a WHERE, as pieces of text, columns, literals and nested SELECTs. One without any `parts` but a
    column says only that its node is there."""

    parts: tuple[Part, ...]

    @cached_property
    def key(self) -> str:
        """What makes it the same clause in another statement: nested SELECTs count by what they select."""
        return "".join(map(coarse, self.parts))

    @cached_property
    def whole(self) -> str:
        """All that it says, nested SELECTs included."""
        return "".join(map(_fine, self.parts))

    def __getstate__(self) -> dict[str, tuple[Part, ...]]:
        return {"parts": self.parts}

    @property
    def bare(self) -> bool:
        """Whether it only asks for a node to be there."""
        return len(self.parts) == 1 and isinstance(self.parts[0], Column)


@dataclass(frozen=True, slots=True)
class Statement:
    """`head` is what stands between SELECT and FROM, `tail` what follows WHERE; `root` is the table of the first
    node. Without a root the head is a whole statement that could not be taken apart."""

    root: str
    head: tuple[Part, ...]
    clauses: tuple[Clause, ...]
    tail: tuple[Part, ...] = ()

    @property
    def head_key(self) -> str:
        """Head, tail and root in one text."""
        return f"{self.root}|{''.join(map(coarse, self.head))}|{''.join(map(coarse, self.tail))}"

    @property
    def key(self) -> str:
        """Equal for statements that differ in aliases and in the order of clauses alone."""
        clauses = sorted(clause.whole for clause in self.clauses)
        return f"{self.root}|{''.join(map(_fine, self.head))}|{''.join(map(_fine, self.tail))}|{'&'.join(clauses)}"


def coarse(part: Part) -> str:
    """A part as text; of a nested SELECT only what it selects."""
    if isinstance(part, str):
        return part
    if isinstance(part, Column):
        return f"{'^' * part.up}{part.node}.{part.name}"
    if isinstance(part, Hole):
        return part.name or part.text
    inner = part.statement
    return f"(SELECT {''.join(map(coarse, inner.head))} FROM {inner.root})"


def _fine(part: Part) -> str:
    return f"({part.statement.key})" if isinstance(part, Sub) else coarse(part)


def literals_of(parts: tuple[Part, ...]) -> Iterator[Hole]:
    """The holes of these parts, those of nested SELECTs included, in order."""
    for part in parts:
        if isinstance(part, Hole):
            yield part
        elif isinstance(part, Sub):
            inner = part.statement
            for own in (inner.head, *(clause.parts for clause in inner.clauses), inner.tail):
                yield from literals_of(own)


def map_holes(statement: Statement, change: Callable[[Hole], Hole]) -> Statement:
    """The same statement with each hole changed."""
    return Statement(
        statement.root,
        _mapped(statement.head, change),
        tuple(map_clause(clause, change) for clause in statement.clauses),
        _mapped(statement.tail, change),
    )


def map_clause(clause: Clause, change: Callable[[Hole], Hole]) -> Clause:
    """The same clause with each hole changed; itself if it has none."""
    has_holes = any(isinstance(part, (Hole, Sub)) for part in clause.parts)
    return Clause(_mapped(clause.parts, change)) if has_holes else clause


def renumbered(clause: Clause, numbers: Iterator[int]) -> Clause:
    """The same clause with other numbers for its holes."""
    changed = map_clause(clause, lambda hole: Hole(next(numbers), hole.text, hole.name))
    if changed is not clause:
        # No number stands in it.
        changed.__dict__["key"] = clause.key
    return changed


def _mapped(parts: tuple[Part, ...], change: Callable[[Hole], Hole]) -> tuple[Part, ...]:
    changed: list[Part] = []
    for part in parts:
        if isinstance(part, Hole):
            part = change(part)
        elif isinstance(part, Sub):
            part = Sub(map_holes(part.statement, change))
        changed.append(part)
    return tuple(changed)


def nodes_of(statement: Statement) -> list[str]:
    """The nodes of a statement, the root first, each after the node that it hangs on."""
    wanted = {statement.root: None}
    for parts in _all_parts(statement):
        for node in _nodes(parts, 0):
            for way in _ways(node):
                wanted.setdefault(way)
    return sorted(wanted, key=lambda node: (node.count(">"), list(wanted).index(node)))


def _all_parts(statement: Statement) -> Iterator[tuple[Part, ...]]:
    yield statement.head
    yield from (clause.parts for clause in statement.clauses)
    yield statement.tail


def _nodes(parts: tuple[Part, ...], depth: int) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Column) and part.up == depth:
            yield part.node
        elif isinstance(part, Sub):
            for own in _all_parts(part.statement):
                yield from _nodes(own, depth + 1)


def _ways(node: str) -> Iterator[str]:
    steps = node.split(">")
    for size in range(1, len(steps) + 1):
        yield ">".join(steps[:size])


@lru_cache(maxsize=8192)
def table_of(node: str) -> str:
    """The table of a node."""
    step = node.rsplit(">", 1)[-1].split("#")[0]
    return step.split("=", 1)[-1].split(".")[0]


def write(statement: Statement, taken: set[str] | None = None, outer: tuple[Mapping[str, str], ...] = ()) -> str:
    """The statement as SQL, with short aliases where a table occurs twice."""
    if not statement.root:
        return "".join(part.text if isinstance(part, Hole) else str(part) for part in statement.head)
    taken = set() if taken is None else taken
    aliases = _aliases(nodes_of(statement), taken)
    scopes = (aliases, *outer)
    tables = [_from(node, alias) for node, alias in aliases.items()]
    joins = [_join(node, aliases) for node in aliases if ">" in node]
    own = [_text(clause.parts, scopes, taken) for clause in statement.clauses if not clause.bare]
    where = " AND ".join([join for join in joins if join] + own)
    text = f"SELECT {_text(statement.head, scopes, taken)} FROM {', '.join(tables)}"
    tail = _text(statement.tail, scopes, taken)
    return text + (f" WHERE {where}" if where else "") + (f" {tail}" if tail else "")


def _aliases(nodes: list[str], taken: set[str]) -> dict[str, str]:
    tables = [table_of(node) for node in nodes]
    aliases = {}
    for node, table in zip(nodes, tables, strict=True):
        alias, number = table, 0
        while alias in taken or (number == 0 and tables.count(table) > 1):
            number += 1
            alias = f"{table}_{number}"
        taken.add(alias)
        aliases[node] = alias
    return aliases


def _from(node: str, alias: str) -> str:
    table = table_of(node)
    return sql_name(table) if table == alias else f"{sql_name(table)} AS {sql_name(alias)}"


def _join(node: str, aliases: Mapping[str, str]) -> str:
    parent, step = node.rsplit(">", 1)
    mine, theirs = step.split("#")[0].split("=", 1)
    column = theirs.split(".")[1]
    one, other = sql_name(aliases[parent]), sql_name(aliases[node])
    return f"{one}.{sql_name(mine)} = {other}.{sql_name(column)}" if mine else ""


def _text(parts: tuple[Part, ...], scopes: tuple[Mapping[str, str], ...], taken: set[str]) -> str:
    return "".join(_one(part, scopes, taken) for part in parts)


def _one(part: Part, scopes: tuple[Mapping[str, str], ...], taken: set[str]) -> str:
    if isinstance(part, Column):
        return f"{sql_name(scopes[part.up][part.node])}.{sql_name(part.name)}"
    if isinstance(part, Hole):
        return part.text
    if isinstance(part, Sub):
        return f"({write(part.statement, taken, scopes)})"
    return part
