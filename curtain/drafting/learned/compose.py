"""A statement for a combination of clauses that no answered question has: clauses taken from one shape and another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from ..sql.statements import Clause, Column, Hole, Part, Statement, Sub, literals_of, renumbered, table_of
from ..sql.unjoined import narrows_nothing
from .memory import Form, Memory, Role, Shape, Slot

__all__ = ["composed", "nested_alike", "way_from"]

# What else speaks for a shape weighs at most as much as one clause and a half.
_SLACK = 1


def composed(
    head: str, plain: frozenset[str], roles: frozenset[Role], memory: Memory, alike: Mapping[str, float]
) -> tuple[Shape, int] | None:
    """A shape with this head, these clauses and roles, made from the shape that is nearest to it, and how many clauses
    were changed; None if there is none with that head, a clause is not known, one stands alone that never does or is
    said of a table that nothing joins, or a nested SELECT would keep a value of the question that it comes from."""
    base = _base(head, plain, roles, memory, alike)
    ordered = sorted(roles, key=sorted)
    wanted = _wanted(plain, ordered, memory, base.form.statement) if base else None
    if base is None or wanted is None:
        return None
    theirs = {clause.key for clause in base.form.statement.clauses}
    ours = [clause.key for _, clause in wanted]
    clauses = sorted(zip(ours, wanted, strict=True), key=lambda one: one[0] not in theirs)
    statement = nested_alike(replace(base.form.statement, clauses=tuple(clause for _, (_, clause) in clauses)))
    edits = len(theirs.symmetric_difference(ours))
    shown = {part.node for part in (*statement.head, *statement.tail) if isinstance(part, Column)}
    if memory.company.missed(statement) or narrows_nothing(statement.clauses, shown):
        return None
    shape = _shaped(statement, wanted, plain, ordered)
    return None if _left_over(shape) else (shape, max(1, edits))


def _base(
    head: str, plain: frozenset[str], roles: frozenset[Role], memory: Memory, alike: Mapping[str, float]
) -> Shape | None:
    wanted = plain | frozenset(name for role in roles for name in role)
    best: tuple[float, Shape] | None = None
    for differ, meaning in memory.kin[head].nearest(wanted, _SLACK) if head in memory.kin else ():
        keys = memory.meanings[meaning]
        shape = memory.shapes[keys[0]] if keys else None
        if shape is not None and shape.form.statement.root:
            score = -differ + alike.get(keys[0], 0.0) + min(shape.times, 50) / 100
            if best is None or score > best[0]:
                best = score, shape
    return best[1] if best else None


_Wanted = list[tuple[Role | None, Clause]]


def _wanted(plain: Iterable[str], roles: Sequence[Role], memory: Memory, base: Statement) -> _Wanted | None:
    """The clauses, each with the role it comes from, and their holes numbered apart; None if one is not known."""
    wanted: dict[str, tuple[Role | None, Clause]] = {}
    brought: list[tuple[Role | None, str]] = [(None, name) for name in sorted(plain)]
    brought += [(one, name) for one in roles for name in sorted(one)]
    for role, name in brought:
        key = name.rsplit(" @", 1)[0]
        if not key.startswith("in:") and key not in wanted:
            clause = memory.clauses.get(key)
            clause = _rooted(clause, base.root, memory) if clause else None
            if clause is None:
                return None
            wanted[key] = role, clause
    for one in roles:
        wanted.update({clause.key: (one, clause) for clause in memory.beside(one) if clause.key not in wanted})
    # Apart from the holes of the head, which stay as they are.
    numbers = count(1000)
    return [(role, renumbered(clause, numbers)) for role, clause in wanted.values()]


def _rooted(clause: Clause, root: str, memory: Memory) -> Clause | None:
    """A clause as it stands in a statement with this root: what is said of a row of it on the way, a column of that
    name, or the usual way to its table; None if there is none of these."""
    columns = [part for part in clause.parts if isinstance(part, Column) and not part.up]
    own = {part.node.split(">")[0] for part in columns}
    if not own or own == {root}:
        return clause
    if len(own) > 1 or any(isinstance(part, Sub) for part in clause.parts):
        return None
    if all(way_from(part.node, root) for part in columns):
        return Clause(
            tuple(
                replace(part, node=way_from(part.node, root)) if isinstance(part, Column) else part
                for part in clause.parts
            )
        )
    table = own.pop()
    way = memory.way(root, table)
    if way is None and all(memory.has_column(root, part.name) and ">" not in part.node for part in columns):
        way = root
    return Clause(tuple(_moved(part, table, way) for part in clause.parts)) if way else None


def way_from(node: str, table: str) -> str:
    """The way to a node from the last row of this table that it leads over; empty if there is none, or if the way to
    that row says something itself: the city that a flight goes to is not just any city."""
    steps = node.split(">")
    last = max((place for place, step in enumerate(steps) if table_of(step) == table), default=-1)
    plain = all(_says_nothing(step) for step in steps[1 : last + 1])
    return ">".join([table, *steps[last + 1 :]]) if last >= 0 and plain else ""


def _says_nothing(step: str) -> bool:
    """Whether a step joins columns of one name."""
    own, _, theirs = step.split("#")[0].partition("=")
    return theirs.endswith(f".{own}")


def _moved(part: Part, table: str, way: str) -> Part:
    return replace(part, node=way + part.node.removeprefix(table)) if isinstance(part, Column) else part


def nested_alike(statement: Statement) -> Statement:
    """Nested SELECTs of a least or greatest value get the conditions of the whole."""
    if not any(map(_nested, statement.clauses)):
        return statement
    outer = tuple(clause for clause in statement.clauses if not _nested(clause))
    return replace(statement, clauses=tuple(_with_inner(clause, statement.root, outer) for clause in statement.clauses))


def _nested(clause: Clause) -> bool:
    return any(isinstance(part, Sub) for part in clause.parts)


def _with_inner(clause: Clause, root: str, outer: tuple[Clause, ...]) -> Clause:
    if not _nested(clause):
        return clause
    parts: list[Part] = []
    for part in clause.parts:
        inner = part.statement if isinstance(part, Sub) else None
        if inner is not None and inner.root == root and inner.clauses and not any(map(_nested, inner.clauses)):
            part = Sub(replace(inner, clauses=outer))
        parts.append(part)
    return Clause(tuple(parts))


def _shaped(statement: Statement, wanted: _Wanted, plain: frozenset[str], roles: Sequence[Role]) -> Shape:
    """Finds for each role its holes: those of the clauses it brought, wherever they stand now."""
    holes: dict[Role, dict[int, str]] = {role: {} for role in roles}
    keys = {clause.key: name for name, clause in ((_named(role, clause), clause) for role, clause in wanted) if name}
    for clause in _every(statement):
        named = [part for part in clause.parts if isinstance(part, Hole) and part.name]
        own = clause.key if named else ""
        for role in roles if named else ():
            for hole in _of_role(named, keys.get(own, own), role):
                holes[role][hole.index] = hole.name[1:-1]
    slots = (Slot(role, tuple(own), tuple(dict.fromkeys(own.values()))) for role, own in holes.items())
    return Shape(Form(statement, tuple(slots)), plain)


def _left_over(shape: Shape) -> bool:
    """Whether a value of another question would stay in it: a named hole that no slot fills."""
    filled = {hole for slot in shape.form.slots for hole in slot.holes}
    parts = (clause.parts for clause in shape.form.statement.clauses)
    return any(hole.name and hole.index not in filled for own in parts for hole in literals_of(own))


def _named(role: Role | None, clause: Clause) -> str:
    """What the role calls a clause that was moved to another root."""
    if role is None:
        return ""
    ends = {name.rsplit(" @", 1)[0] for name in role}
    key = clause.key
    if key in ends:
        return key
    tail = key.rsplit(".", 1)[-1]
    return next((name for name in ends if name.rsplit(".", 1)[-1] == tail), "")


def _every(statement: Statement) -> Iterable[Clause]:
    for clause in statement.clauses:
        yield clause
        for part in clause.parts:
            if isinstance(part, Sub):
                yield from _every(part.statement)


def _of_role(holes: list[Hole], key: str, role: Role) -> list[Hole]:
    """Those of the holes of a clause that a role fills."""
    if key in role or f"in:{key}" in role:
        return holes
    places = [int(name.rsplit(" @", 1)[1]) for name in role if " @" in name and name.rsplit(" @", 1)[0] == key]
    return [holes[place] for place in places if place < len(holes)]
