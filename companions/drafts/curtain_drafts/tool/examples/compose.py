"""A statement for a combination of conditions that no answered question has: taken from one shape and another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count

from ..algebra import query as algebra
from ..language.recognise import Found
from .align import Role, Slot, conditions_of, holes_of, key_in
from .memory import Meaning, Memory, Shape, filled


def composed(
    head: str, plain: frozenset[str], roles: frozenset[Role], memory: Memory, alike: Mapping[str, float]
) -> tuple[Shape, int] | None:
    """A shape with this head, these conditions and roles, made from the nearest shape that has the head, and how many
    conditions were changed; None if a condition is not known, or a value of another question would stay in it."""
    base = _base((head, plain, roles), memory, alike)
    if base is None or not base.query.root:
        return None
    ordered = sorted(roles, key=sorted)
    conditions = _conditions(plain, ordered, memory, base.query.root)
    if conditions is None:
        return None
    theirs = {algebra.key_of(one) for one in base.query.where}
    where = sorted(conditions, key=lambda one: algebra.key_of(one) not in theirs)
    query = algebra.nested_alike(replace(base.query, where=tuple(where)))
    slots = _slots(query, ordered)
    if slots is None:
        return None
    edits = len(theirs.symmetric_difference(map(algebra.key_of, where)))
    return Shape(query, slots, plain), max(1, edits)


def done_by(one: Found, role: Role, memory: Memory, root: str) -> list[algebra.Arg]:
    """The conditions of a role, with this value in them, in a query with this root; none where that cannot be."""
    if any(" @" in name or ":" in name for name in role):
        return []
    conditions = tuple(_conditions((), [role], memory, root) or ())
    slot = Slot(role, {hole.index: hole.form for _, hole in algebra.held(conditions) if hole.form})
    query = filled(Shape(algebra.Statement(root, (), conditions), (slot,), frozenset()), [one])
    return list(query.where) if query else []


def _base(meaning: Meaning, memory: Memory, alike: Mapping[str, float]) -> Shape | None:
    head, plain, roles = meaning

    def nearness(shape: Shape) -> float:
        _, own, doing = shape.meaning
        return -len(own ^ plain) - len(doing ^ roles) + alike.get(shape.query.key, 0.0) + min(shape.times, 50) / 100

    known = (shapes[0] for (theirs, *_), shapes in memory.meanings.items() if theirs == head and shapes)
    return max(known, key=nearness, default=None)


def _conditions(plain: Iterable[str], roles: Sequence[Role], memory: Memory, root: str) -> list[algebra.Arg] | None:
    """The conditions, their literals numbered apart; None if one never stood in a query with this root."""
    every: list[str | Role] = [*plain, *roles]
    if not all(root in memory.roots.get(done, ()) for done in every):
        return None
    keys = filter(None, dict.fromkeys(map(key_in, chain(sorted(plain), *map(sorted, roles)))))
    # Apart from the literals of the head, which stay as they are.
    numbers = count(1000)
    return [
        algebra.mapped(memory.conditions[key], algebra.Constant, lambda one: replace(one, index=next(numbers)))
        for key in keys
    ]


def _slots(query: algebra.Statement, roles: Sequence[Role]) -> tuple[Slot, ...] | None:
    """For each role the literals that it names, wherever they stand now."""
    forms: dict[Role, dict[int, str]] = {role: {} for role in roles}
    for place, one in conditions_of(query):
        key = algebra.key_of(one)
        for at, hole in enumerate(holes_of(one)):
            own = [role for role in roles if not role.isdisjoint((key, f"{place}{key}", f"{key} @{at}"))]
            if not own:
                return None
            for role in own:
                forms[role][hole.index] = hole.form
    return tuple(Slot(role, own) for role, own in forms.items())
