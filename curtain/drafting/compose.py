"""A statement for a combination of clauses that no answered question has: clauses taken from one shape and another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from .memory import Form, Memory, Role, Shape, Slot
from .statements import Clause, Hole, Part, Statement, Sub, literals_of, map_holes

__all__ = ["composed"]


def composed(
    head: str, plain: frozenset[str], roles: frozenset[Role], memory: Memory, alike: Mapping[str, float]
) -> tuple[Shape, int] | None:
    """A shape with this head, these clauses and roles, made from the shape that is nearest to it, and how many clauses
    were changed; None if there is none with that head or a clause is not known."""
    base = _base(head, plain, roles, memory, alike)
    wanted = _wanted(plain, roles, memory)
    if base is None or wanted is None:
        return None
    known = {clause.key: clause for clause in base.form.statement.clauses}
    names = list(dict.fromkeys([*(key for key in known if key in wanted), *wanted]))
    clauses = [known.get(name, wanted[name]) for name in names]
    edits = len(set(known) ^ set(names))
    statement = replace(base.form.statement, clauses=tuple(clauses))
    return _shaped(_nested_alike(statement), plain, roles), max(1, edits)


def _base(
    head: str, plain: frozenset[str], roles: frozenset[Role], memory: Memory, alike: Mapping[str, float]
) -> Shape | None:
    wanted = plain | frozenset(name for role in roles for name in role)
    best: tuple[float, Shape] | None = None
    for (other, their_plain, their_roles), keys in memory.meanings.items():
        if other == head and keys:
            theirs = their_plain | frozenset(name for role in their_roles for name in role)
            shape = memory.shapes[keys[0]]
            score = -len(wanted ^ theirs) + alike.get(keys[0], 0.0) + min(shape.times, 50) / 100
            if best is None or score > best[0]:
                best = score, shape
    return best[1] if best else None


def _wanted(plain: Iterable[str], roles: Iterable[Role], memory: Memory) -> dict[str, Clause] | None:
    wanted: dict[str, Clause] = {}
    for name in (*plain, *(name for role in roles for name in sorted(role))):
        base = name.rsplit(" @", 1)[0]
        if base.startswith("in:"):
            continue
        if base not in memory.clauses:
            return None
        wanted[base] = memory.clauses[base]
    for role in roles:
        wanted.update({clause.key: clause for clause in memory.beside(role)})
    return wanted


def _nested_alike(statement: Statement) -> Statement:
    """Nested SELECTs of a least or greatest value get the conditions of the whole."""
    outer = tuple(clause for clause in statement.clauses if not _nested(clause))
    return replace(statement, clauses=tuple(_with_inner(clause, statement.root, outer) for clause in statement.clauses))


def _nested(clause: Clause) -> bool:
    return any(isinstance(part, Sub) for part in clause.parts)


def _with_inner(clause: Clause, root: str, outer: tuple[Clause, ...]) -> Clause:
    parts: list[Part] = []
    for part in clause.parts:
        inner = part.statement if isinstance(part, Sub) else None
        if inner is not None and inner.root == root and inner.clauses and not any(map(_nested, inner.clauses)):
            part = Sub(replace(inner, clauses=outer))
        parts.append(part)
    return Clause(tuple(parts))


def _shaped(statement: Statement, plain: frozenset[str], roles: frozenset[Role]) -> Shape:
    """Numbers the holes anew and finds for each role its holes: those of the clauses it names, also when nested."""
    numbers = iter(range(10_000))
    statement = map_holes(statement, lambda hole: Hole(next(numbers), hole.text, hole.name))
    slots = []
    for role in roles:
        holes = [hole for clause in _every(statement) for hole in _of_role(clause, role)]
        forms = tuple(dict.fromkeys(hole.name[1:-1] for hole in holes))
        slots.append(Slot(role, tuple(hole.index for hole in holes), forms))
    return Shape(Form(statement, tuple(slots)), plain)


def _every(statement: Statement) -> Iterable[Clause]:
    for clause in statement.clauses:
        yield clause
        for part in clause.parts:
            if isinstance(part, Sub):
                yield from _every(part.statement)


def _of_role(clause: Clause, role: Role) -> list[Hole]:
    holes = [part for part in clause.parts if isinstance(part, Hole) and part.name]
    key = clause.key
    if key in role or f"in:{key}" in role:
        return holes
    places = [int(name.rsplit(" @", 1)[1]) for name in role if name.rsplit(" @", 1)[0] == key and " @" in name]
    return [holes[place] for place in places if place < len(holes)]


def hole_count(statement: Statement) -> int:
    """How many literals it has."""
    return sum(1 for clause in statement.clauses for _ in literals_of(clause.parts))
