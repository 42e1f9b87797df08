"""A statement for a combination of conditions that no answered question has: taken from one shape and another."""

from __future__ import annotations

from collections import Counter
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
    where = sorted(conditions.values(), key=lambda one: algebra.key_of(one) not in theirs)
    query = algebra.nested_alike(replace(base.query, where=tuple(where)))
    slots = _slots(query, {algebra.key_of(one): name for name, one in conditions.items()}, ordered)
    if slots is None:
        return None
    edits = len(theirs.symmetric_difference(map(algebra.key_of, where)))
    return Shape(query, slots, plain), max(1, edits)


def done_by(one: Found, role: Role, memory: Memory, root: str) -> list[algebra.Arg]:
    """The conditions of a role, with this value in them, in a query with this root; none where that cannot be."""
    if any(" @" in name or ":" in name for name in role):
        return []
    conditions = tuple((_conditions((), [role], memory, root) or {}).values())
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


def _conditions(
    plain: Iterable[str], roles: Sequence[Role], memory: Memory, root: str
) -> dict[str, algebra.Arg] | None:
    """The conditions by their keys elsewhere, their literals numbered apart; None if one is not known."""
    wanted: dict[str, algebra.Arg] = {}
    for name in chain(sorted(plain), *map(sorted, roles)):
        key = key_in(name)
        if key and key not in wanted:
            known = memory.conditions.get(key)
            rooted = _rooted(known, root, memory) if known else None
            if rooted is None:
                return None
            wanted[key] = rooted
    # Apart from the literals of the head, which stay as they are.
    numbers = count(1000)
    return {
        key: algebra.mapped(one, algebra.Constant, lambda literal: replace(literal, index=next(numbers)))
        for key, one in wanted.items()
    }


def _rooted(one: algebra.Arg, root: str, memory: Memory) -> algebra.Arg | None:
    """A condition as it stands in a query with this root: as it is, or by the usual path to its table."""
    columns = [column for column in algebra.columns_of(one) if not column.up]
    own = {column.node.split(">")[0] for column in columns}
    if own == {root}:
        return one
    if len(own) > 1 or algebra.has_query(one) or isinstance(one, algebra.Column):
        return None
    table = own.pop()
    here = all((root, column.name) in memory.columns and ">" not in column.node for column in columns)
    known = memory.paths.get((root, table)) or (Counter([root]) if here else None)
    if known is None:
        return None
    path = known.most_common(1)[0][0]
    return algebra.mapped(one, algebra.Column, lambda own: replace(own, node=path + own.node.removeprefix(table)))


def _slots(query: algebra.Statement, keys: Mapping[str, str], roles: Sequence[Role]) -> tuple[Slot, ...] | None:
    """For each role the literals that it names, wherever they stand now; `keys` are those that conditions have in
    roles, since one that was moved to another root has another."""
    forms: dict[Role, dict[int, str]] = {role: {} for role in roles}
    for place, one in conditions_of(query):
        key = keys.get(algebra.key_of(one), algebra.key_of(one))
        for at, hole in enumerate(holes_of(one)):
            own = [role for role in roles if not role.isdisjoint((key, f"{place}{key}", f"{key} @{at}"))]
            if not own:
                return None
            for role in own:
                forms[role][hole.index] = hole.form
    return tuple(Slot(role, own) for role, own in forms.items())
