"""Candidates that answered questions suggest: near ones with the query's values, and combinations put together anew.

A combination that no answered question has is taken from the shape of one and from parts of another.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, count, islice, product
from typing import TypeVar

from ..algebra import query as algebra
from ..algebra.query import Arg, Statement, columns_of, compared, held, kind_of, literals_of
from ..language.recognise import Found, Reading
from .align import Role, Slot, conditions_of, holes_of, key_in
from .memory import Meaning, Memory, Shape, filled
from .query_view import NOTHING, Sight
from .reader import Guess, log_chance


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


_UNLIKELY = 0.001
_DOUBTFUL, _ROLES, _BEAM, _SETS, _OPTIONS = 6, 8, 24, 20, 4
_HEADS, _TARGETS, _TRIES = 5, 120, 300
_NEAR, _MADE, _ALIKE = 12, 16, 3


@dataclass(frozen=True)
class Suggestion:
    """A shape with the query's values in it: `values` are the numbers of those in its slots, `edits` is how many
    conditions differ from the shape that it was made from (0: some question was answered so)."""

    shape: Shape
    query: Statement
    values: tuple[int, ...]
    edits: int = 0


def suggestions(seen: Sight, included: bool | None = None, combined: bool = True) -> list[Suggestion]:
    """Candidates, each once, in no order. `included` says whether the ends of periods belong to them, None that they
    stay as they were answered; `combined` whether conditions are put together that occurred apart."""
    found: dict[str, Suggestion] = {}
    # What was answered so stands before what is put together.
    for shape, values, edits in sorted(chain(_near(seen), _targets(seen, combined)), key=lambda target: target[2] > 0):
        query = filled(shape, [seen.reading.found[value] for value in values])
        if query is not None and not _taken_away(query, seen.reading):
            where = (_ended(*pair, included) for pair in zip(shape.query.where, query.where, strict=True))
            query = replace(query, where=tuple(where))
            found.setdefault(query.key, Suggestion(shape, query, values, edits))
    return list(found.values())


def _taken_away(query: Statement, reading: Reading) -> bool:
    """Whether a condition holds a value that the wizard took out, as a constant of an example may."""
    texts: dict[bool, set[str]] = {True: set(), False: set()}
    for number, one in enumerate(reading.found):
        forms = one.meanings[0].forms.items()
        texts[number in reading.removed].update(text for form, text in forms if "#" not in form)
    return any(literal.text in texts[True] - texts[False] for _, literal in literals_of(query))


_Option = TypeVar("_Option")
_Target = tuple[Shape, tuple[int, ...], int]


def _near(seen: Sight) -> Iterator[_Target]:
    shapes = [seen.memory.shapes[key] for key in seen.alike][:_NEAR]
    return ((shape, values, 0) for shape in shapes if (values := _assigned(shape, seen)) is not None)


def _assigned(shape: Shape, seen: Sight) -> tuple[int, ...] | None:
    """The value for each slot that its role suits best; None if a slot cannot be filled."""
    roles = seen.given(shape.query.root).roles
    able = [number for number, chances in enumerate(roles) if chances != {NOTHING: 1.0}]
    options = [
        heapq.nlargest(_OPTIONS, ((_gain(roles[n], slot), n) for n in able if slot.fits(seen.reading.found[n])))
        for slot in shape.slots
    ]
    choices = (choice for choice in islice(product(*options), _TRIES) if len({v for _, v in choice}) == len(choice))
    best = max(choices, key=lambda choice: sum(gain for gain, _ in choice), default=None)
    return None if best is None else tuple(value for _, value in best)


def _gain(chances: Mapping[Role, float], slot: Slot) -> float:
    """How much likelier a value does what a slot needs than nothing."""
    return log_chance(chances.get(slot.role, 0.0)) - log_chance(chances.get(NOTHING, 0.0))


def _targets(seen: Sight, combined: bool) -> Iterator[_Target]:
    made = 0
    for head, plain, roles in _meanings(seen):
        wanted = frozenset(role for role in roles if role)
        known = seen.memory.meanings.get((head, plain, wanted), [])
        nearest = sorted(known, key=lambda one: (-seen.alike.get(one.query.key, 0.0), -one.times))
        shapes = [(shape, 0) for shape in nearest[:_ALIKE]]
        if combined and not known and made < _MADE:
            made += 1
            built = composed(head, plain, wanted, seen.memory, seen.alike)
            shapes = [built] if built else []
        for shape, edits in shapes:
            fits = [
                [n for n, role in enumerate(roles) if role == slot.role and slot.fits(seen.reading.found[n])]
                for slot in shape.slots
            ]
            if all(fits):
                yield shape, tuple(first for first, *_ in fits), edits


_Meant = tuple[str, frozenset[str], tuple[Role, ...]]


def _meanings(seen: Sight) -> list[_Meant]:
    """Heads, conditions and roles that go together, best first."""

    @cache
    def sets(root: str) -> list[tuple[tuple[float, frozenset[str]], tuple[float, tuple[Role, ...]]]]:
        return [*product(_condition_sets(seen.given(root)), _role_sets(seen.given(root), seen))]

    together = (
        (log_chance(chance) + ours + theirs, (head, plain, roles))
        for chance, head in _best(_HEADS, ((c, h) for h, c in seen.guess.heads.items() if c > _UNLIKELY))
        for (ours, plain), (theirs, roles) in sets(*seen.memory.roots[head])
    )
    return [meant for _, meant in _best(_TARGETS, together)]


def _best(most: int, options: Iterable[tuple[float, _Option]]) -> list[tuple[float, _Option]]:
    return heapq.nlargest(most, options, key=lambda option: option[0])


def _condition_sets(guess: Guess) -> list[tuple[float, frozenset[str]]]:
    """The likeliest sets of conditions: some of the least sure ones are there or not. Those with the very same chance
    always came together, as the five days of “on weekdays”: they are there all or not at all."""
    together: dict[float, set[str]] = defaultdict(set)
    for name, chance in guess.plain.items():
        together[chance].add(name)
    score = sum(log_chance(max(chance, 1 - chance)) for chance in guess.plain.values())
    sets = [(score, frozenset(name for name, chance in guess.plain.items() if chance >= 0.5))]
    for chance in sorted(together, key=lambda one: -min(one, 1 - one))[:_DOUBTFUL]:
        cost = -abs(log_chance(chance) - log_chance(1 - chance))
        sets += [(score + cost, names ^ together[chance]) for score, names in sets]
    return _best(_SETS, sets)


def _role_sets(guess: Guess, seen: Sight) -> list[tuple[float, tuple[Role, ...]]]:
    sets: list[tuple[float, tuple[Role, ...]]] = [(0.0, ())]
    for number, chances in enumerate(guess.roles):
        likely = ((log_chance(c), role) for role, c in chances.items() if c > _UNLIKELY)
        options = _best(_ROLES, likely) or [(0.0, NOTHING)]
        longer = (
            (score + gain, (*roles, role))
            for score, roles in sets
            for gain, role in options
            if _is_new(roles, role, seen.reading.found, number)
        )
        sets = _best(_BEAM, longer)
    return [one for one in sets if _is_whole(one[1], seen.memory)][:_SETS]


def _is_new(roles: Sequence[Role], role: Role, found: Sequence[Found], number: int) -> bool:
    """A role is played by one value; by two only if they are the same."""
    label = found[number].meanings[0].label
    return not role or all(other != role or found[n].meanings[0].label == label for n, other in enumerate(roles))


def _is_whole(roles: Sequence[Role], memory: Memory) -> bool:
    """Whether conditions with several values have them all."""
    names = {name for role in roles for name in role}
    several = {key_in(name) for name in names} - names - {""}
    return all(f"{key} @{at}" in names for key in several for at, _ in enumerate(holes_of(memory.conditions[key])))


def _ended(slots: Arg, one: Arg, included: bool | None) -> Arg:
    """A period with its ends or without; one that ends earlier than it begins lies not between its end and its
    beginning. Any other condition as it is."""
    ends = [end for _, end in held(one, nested=False)]
    period = kind_of(one) in ("between", "and") and any(hole.form == "#begin" for hole in holes_of(slots))
    if not period or len(ends) != 2:
        return one
    (low, high), column = ends, next(columns_of(one))
    whole = kind_of(one) == "between" if included is None else included
    if int(low.text) > int(high.text):
        return compared(column, "within" if whole else "between", (high, low), True)
    return one if included is None else compared(column, "between" if whole else "within", (low, high))
