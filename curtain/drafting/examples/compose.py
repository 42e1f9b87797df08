"""A statement for a combination of conditions that no answered question has: taken from one shape and another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from ..algebra import query as algebra
from ..language.recognise import Found
from .align import Role, inner_queries
from .memory import Memory, Shape, Slot


def composed(
    head: str, plain: frozenset[str], roles: frozenset[Role], memory: Memory, alike: Mapping[str, float]
) -> tuple[Shape, int] | None:
    """A shape with this head, these conditions and roles, made from the nearest shape that has the head, and how many
    conditions were changed; None if a condition is not known, or a value of another question would stay in it."""
    wanted = plain | frozenset(name for role in roles for name in role)
    base = _base(head, wanted, memory, alike)
    if base is None or not base.query.root:
        return None
    ordered = sorted(roles, key=sorted)
    conditions = _conditions(plain, ordered, memory, base.query.root)
    if conditions is None:
        return None
    theirs = {algebra.key_of(one) for one in base.query.where}
    ours = [one for _, one in conditions]
    where = tuple(sorted(ours, key=lambda one: algebra.key_of(one) not in theirs))
    query = algebra.nested_alike(replace(base.query, where=where))
    slots = _slots(query, conditions, ordered)
    if slots is None:
        return None
    edits = len(theirs.symmetric_difference(algebra.key_of(one) for one in ours))
    return Shape(query, slots, plain), max(1, edits)


def done_by(one: Found, role: Role, memory: Memory, root: str) -> list[algebra.Arg]:
    """The conditions of a role, with this value in them, in a query with this root; none where that cannot be."""
    if not role or any(" @" in name or ":" in name for name in role):
        return []

    conditions = [each for _, each in _conditions((), [role], memory, root) or ()]
    holes = (hole for each in conditions for _, hole in algebra.held(each) if hole.form)
    if any(one.form(hole.form) is None for hole in holes):
        return []

    def put(hole: algebra.Constant) -> algebra.Constant | None:
        text = one.form(hole.form) if hole.form else None
        return algebra.Constant(text, hole.is_text, hole.index) if text else None

    return [algebra.mapped(each, algebra.Constant, put) for each in conditions]


def _base(head: str, wanted: frozenset[str], memory: Memory, alike: Mapping[str, float]) -> Shape | None:
    def nearness(key: str) -> float:
        shape = memory.shapes[key]
        return -len(shape.conditions ^ wanted) + alike.get(key, 0.0) + min(shape.times, 50) / 100

    known = (keys[0] for (theirs, *_), keys in memory.meanings.items() if theirs == head and keys)
    best = max(known, key=nearness, default=None)
    return memory.shapes[best] if best else None


_Conditions = list[tuple[Role | None, algebra.Arg]]


def _conditions(plain: Iterable[str], roles: Sequence[Role], memory: Memory, root: str) -> _Conditions | None:
    """The conditions, each with the role it comes from, their literals numbered apart; None if one is not known."""
    wanted: dict[str, tuple[Role | None, algebra.Arg]] = {}
    brought: list[tuple[Role | None, str]] = [(None, name) for name in sorted(plain)]
    brought += [(one, name) for one in roles for name in sorted(one)]
    for role, name in brought:
        key = name.rsplit(" @", 1)[0]
        if not key.startswith(("in:", "having:")) and key not in wanted:
            known = memory.conditions.get(key)
            rooted = _rooted(known, root, memory) if known else None
            if rooted is None:
                return None
            wanted[key] = role, rooted
    for one in roles:
        for beside in memory.beside(one):
            wanted.setdefault(algebra.key_of(beside), (one, beside))
    # Apart from the literals of the head, which stay as they are.
    numbers = count(1000)
    return [(role, _renumbered(one, numbers)) for role, one in wanted.values()]


def _renumbered(one: algebra.Arg, numbers: Iterator[int]) -> algebra.Arg:
    return algebra.mapped(one, algebra.Constant, lambda literal: replace(literal, index=next(numbers)))


def _rooted(one: algebra.Arg, root: str, memory: Memory) -> algebra.Arg | None:
    """A condition as it stands in a query with this root: as it is, or by the usual path to its table."""
    columns = [column for column in algebra.columns_of(one) if not column.up]
    own = {column.node.split(">")[0] for column in columns}
    if own == {root}:
        return one
    if len(own) > 1 or algebra.has_query(one) or isinstance(one, algebra.Column):
        return None
    table = own.pop()
    path = memory.path(root, table)
    if path is None and all((root, column.name) in memory.columns and ">" not in column.node for column in columns):
        path = root
    if path is None:
        return None
    return algebra.mapped(one, algebra.Column, lambda own: replace(own, node=path + own.node.removeprefix(table)))


def _slots(query: algebra.Statement, conditions: _Conditions, roles: Sequence[Role]) -> tuple[Slot, ...] | None:
    """For each role its literals: those of the conditions it brought, wherever they stand now."""
    places: dict[Role, dict[int, str]] = {role: {} for role in roles}
    brought = {algebra.key_of(one): role for role, one in conditions if role is not None}
    for one, inside in _every(query):
        holes = [hole for _, hole in algebra.held(one, nested=False) if hole.form]
        key = algebra.key_of(one)
        for role in roles if holes else ():
            for hole in _of_role(holes, key, inside, role, brought.get(key) == role):
                places[role][hole.index] = hole.form
    slots = tuple(Slot(role, tuple(own), tuple(dict.fromkeys(own.values()))) for role, own in places.items())
    filled = {place for slot in slots for place in slot.places}
    every = (hole for one, _ in _every(query) for _, hole in algebra.held(one, nested=False))
    return None if any(hole.form and hole.index not in filled for hole in every) else slots


def _every(query: algebra.Statement, inside: str = "") -> Iterator[tuple[algebra.Arg, str]]:
    yield from ((one, inside) for one in query.where)
    yield from ((one, "having:") for one in query.having)
    for one in query.where:
        for inner in inner_queries(one):
            yield from _every(inner, "in:")


def _of_role(holes: list[algebra.Constant], key: str, inside: str, role: Role, brought: bool) -> list[algebra.Constant]:
    """Those of the literals of a condition that a role fills."""
    if key in role or f"{inside}{key}" in role:
        return holes
    numbers = [int(name.rsplit(" @", 1)[1]) for name in role if " @" in name and name.rsplit(" @", 1)[0] == key]
    if numbers:
        return [holes[place] for place in numbers if place < len(holes)]
    # A condition that was moved to another root has another name.
    return holes if brought and not any(" @" in name for name in role) else []
