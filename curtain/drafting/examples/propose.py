"""Candidates that answered questions suggest: near ones with the query's values, and combinations put together anew."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, product
from typing import TypeVar

from ..algebra.query import Arg, Call, Constant, Statement, compared, kind_of, literals_of
from ..language.recognise import Found, Reading
from .align import Role, Slot, holes_of
from .compose import composed
from .memory import Memory, Shape, filled
from .query_view import NOTHING, Sight, log_chance
from .reader import Guess

_UNLIKELY = 0.001
_DOUBTFUL, _ROLES, _BEAM, _SETS, _OPTIONS = 6, 8, 24, 20, 4
_TARGETS, _TRIES = 120, 300
_NEAR, _MADE, _ALIKE = 12, 16, 3
_ENDS = (("gt", "gte"), ("lt", "lte"))


@dataclass(frozen=True)
class Suggestion:
    """A shape with the query's values in it: `values` is the number of the value for each slot, `edits` how many
    conditions differ from the shape that it was made from (0: some question was answered so)."""

    shape: Shape
    query: Statement
    values: Mapping[int, int]
    edits: int = 0


def suggestions(seen: Sight, memory: Memory, included: bool | None = None) -> list[Suggestion]:
    """Candidates, each once, in no order. `included` says whether the ends of periods belong to them, None that they
    stay as they were answered."""
    found: dict[str, Suggestion] = {}
    for shape, values, edits in chain(_near(seen, memory), _targets(seen, memory)):
        query = filled(shape, {number: seen.reading.found[value] for number, value in values.items()})
        if query is None:
            continue
        where = zip(shape.query.where, query.where, strict=False)
        query = replace(query, where=tuple(_ended(*pair, included) for pair in where))
        if not _taken_away(query, seen.reading):
            known = found.get(query.key)
            if known is None or (edits == 0 and known.edits > 0):
                found[query.key] = Suggestion(shape, query, values, edits)
    return list(found.values())


def _taken_away(query: Statement, reading: Reading) -> bool:
    """Whether a condition holds a value that the wizard took out, as a constant of an example may."""
    texts: dict[bool, set[str]] = {True: set(), False: set()}
    for number, one in enumerate(reading.found):
        forms = one.meanings[0].forms.items()
        texts[number in reading.removed].update(text for form, text in forms if "#" not in form)
    return any(literal.text in texts[True] - texts[False] for _, literal in literals_of(query))


_Option = TypeVar("_Option")
_Target = tuple[Shape, dict[int, int], int]


def _near(seen: Sight, memory: Memory) -> Iterator[_Target]:
    for key in list(seen.alike)[:_NEAR]:
        values = _assigned(memory.shapes[key], seen)
        if values is not None:
            yield memory.shapes[key], values, 0


def _assigned(shape: Shape, seen: Sight) -> dict[int, int] | None:
    """The value for each slot that its role suits best; None if a slot cannot be filled."""
    guess = seen.given.get(shape.query.root, seen.guess)
    options = [_options(slot, seen.reading.found, guess) for slot in shape.slots]
    choices = (choice for choice in islice(product(*options), _TRIES) if len({v for _, v in choice}) == len(choice))
    best = max(choices, key=lambda choice: sum(gain for gain, _ in choice), default=None)
    return None if best is None else {number: value for number, (_, value) in enumerate(best)}


def _options(slot: Slot, found: Sequence[Found], guess: Guess) -> list[tuple[float, int]]:
    fits = []
    for value, chances in enumerate(guess.roles):
        if chances != {NOTHING: 1.0} and slot.fits(found[value]):
            gain = log_chance(chances.get(slot.role, 0.0)) - log_chance(chances.get(NOTHING, 0.0))
            fits.append((gain, value))
    return heapq.nlargest(_OPTIONS, fits)


def _targets(seen: Sight, memory: Memory) -> Iterator[_Target]:
    made = 0
    for head, plain, roles in _meanings(seen, memory):
        wanted = frozenset(role for role in roles if role)
        keys = memory.meanings.get((head, plain, wanted), [])
        nearest = sorted(keys, key=lambda one: (-seen.alike.get(one, 0.0), -memory.shapes[one].times))
        shapes = [(memory.shapes[key], 0) for key in nearest[:_ALIKE]]
        if not keys and made < _MADE:
            made += 1
            built = composed(head, plain, wanted, memory, seen.alike)
            shapes = [built] if built else []
        for shape, edits in shapes:
            values = _given(shape, roles, seen.reading.found)
            if values is not None:
                yield shape, values, edits


def _given(shape: Shape, roles: Sequence[Role], found: Sequence[Found]) -> dict[int, int] | None:
    values = {}
    for number, slot in enumerate(shape.slots):
        value = next((n for n, role in enumerate(roles) if role == slot.role and slot.fits(found[n])), None)
        if value is None:
            return None
        values[number] = value
    return values


_Meant = tuple[str, frozenset[str], tuple[Role, ...]]


def _meanings(seen: Sight, memory: Memory) -> list[_Meant]:
    """Heads, conditions and roles that go together, best first."""
    roots = {memory.heads[head].root for head in seen.likely_heads}
    plains = {root: _condition_sets(seen.given[root].plain) for root in roots}
    roles = {root: _role_sets(seen.given[root], memory, seen.reading.found) for root in roots}

    def together() -> Iterator[tuple[float, _Meant]]:
        for head in seen.likely_heads:
            root, own = memory.heads[head].root, log_chance(seen.guess.heads[head])
            for (a, plain), (b, role) in product(plains[root], roles[root]):
                yield own + a + b, (head, plain, role)

    return [meant for _, meant in _best(_TARGETS, together())]


def _best(most: int, options: Iterable[tuple[float, _Option]]) -> list[tuple[float, _Option]]:
    return heapq.nlargest(most, options, key=lambda option: option[0])


def _condition_sets(chances: Mapping[str, float]) -> list[tuple[float, frozenset[str]]]:
    sure = frozenset(name for name, chance in chances.items() if chance >= 0.5)
    doubtful = _doubtful(chances)
    base = sum(log_chance(max(chance, 1 - chance)) for chance in chances.values() if chance > _UNLIKELY)

    def sets() -> Iterator[tuple[float, frozenset[str]]]:
        for flips in product((False, True), repeat=len(doubtful)):
            flipped = [one for flip, one in zip(flips, doubtful, strict=True) if flip]
            score = sum(log_chance(chance) - log_chance(1 - chance) for chance, _ in flipped)
            yield base + score, sure.symmetric_difference(chain.from_iterable(names for _, names in flipped))

    return _best(_SETS, sets())


def _doubtful(chances: Mapping[str, float]) -> list[tuple[float, frozenset[str]]]:
    """The conditions that are least sure to be there or not. Those with the very same chance always came together, as
    the five days of “on weekdays”: they are there all or not at all."""
    together: dict[float, list[str]] = {}
    for name, chance in chances.items():
        if _UNLIKELY < chance < 1 - _UNLIKELY:
            together.setdefault(chance, []).append(name)
    doubts = sorted(together.items(), key=lambda one: -min(one[0], 1 - one[0]))
    return [(chance, frozenset(names)) for chance, names in doubts[:_DOUBTFUL]]


def _role_sets(guess: Guess, memory: Memory, found: Sequence[Found]) -> list[tuple[float, tuple[Role, ...]]]:
    sets: list[tuple[float, tuple[Role, ...]]] = [(0.0, ())]
    for number, chances in enumerate(guess.roles):
        likely = ((log_chance(c), role) for role, c in chances.items() if c > _UNLIKELY)
        options = _best(_ROLES, likely) or [(0.0, NOTHING)]
        longer = (
            (score + gain, (*roles, role))
            for score, roles in sets
            for gain, role in options
            if _is_new(roles, role, found, number)
        )
        sets = _best(_BEAM, longer)
    return _best(_SETS, ((s, r) for s, r in sets if _is_whole(r, memory)))


def _is_new(roles: Sequence[Role], role: Role, found: Sequence[Found], number: int) -> bool:
    """A role is played by one value; by two only if they are the same."""
    label = found[number].meanings[0].label
    return not role or all(other != role or found[n].meanings[0].label == label for n, other in enumerate(roles))


def _is_whole(roles: Sequence[Role], memory: Memory) -> bool:
    """Whether conditions with several values have them all."""
    names = {name for role in roles for name in role if " @" in name}
    bases = {name.rsplit(" @", 1)[0] for name in names}
    return all(f"{base} @{n}" in names for base in bases for n, _ in enumerate(holes_of(memory.conditions[base])))


def _ended(slots: Arg, one: Arg, included: bool | None) -> Arg:
    """A period with its ends or without; one that ends earlier than it begins lies not between its end and its
    beginning. Any other condition as it is."""
    column, low, high = _range(one)
    if not _is_period(slots) or not isinstance(low, Constant) or not isinstance(high, Constant):
        return one
    whole = kind_of(one) != "and" if included is None else included
    if int(low.text) > int(high.text):
        return compared(column, "within" if whole else "between", (high, low), True)
    return one if included is None else compared(column, "between" if whole else "within", (low, high))


def _is_period(one: Arg) -> bool:
    return any(isinstance(end, Constant) and end.form == "#begin" for end in _range(one)[1:])


def _range(expr: Arg) -> tuple[Arg, Arg, Arg]:
    """The column and the ends of a range; nothing for another condition."""
    if not isinstance(expr, Call):
        return None, None, None
    column = expr.get("this")
    if expr.kind != "and":
        return column, expr.get("low"), expr.get("high")
    low, high = (
        side.get("expression") if isinstance(side, Call) and side.kind in kinds else None
        for side, kinds in zip((column, expr.get("expression")), _ENDS, strict=True)
    )
    return column.get("this") if isinstance(column, Call) else None, low, high
