"""Candidates that answered questions suggest: near ones with the query's values, and combinations put together anew."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

from ..algebra.query import Arg, Call, Constant, Predicate, Statement, literals_of
from ..language.recognise import Found, Reading
from .align import Role
from .compose import composed
from .memory import Entry, Memory, Shape, filled
from .query_view import NOTHING, Sight, log_chance
from .reader import Guess

_UNLIKELY = 0.001
_DOUBT = 0.4
_DOUBTFUL, _ROLES, _BEAM, _SETS = 6, 8, 24, 20
_TARGETS = 120
_NEAR, _MADE = 12, 16
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
        shape = _ended(shape, included)
        query = filled(shape, {number: seen.reading.found[value] for number, value in values.items()})
        if query is not None and not _taken_away(query, seen.reading):
            one = Suggestion(shape, query, values, edits)
            known = found.get(query.key)
            if known is None or (edits == 0 and known.edits > 0):
                found[query.key] = one
    return list(found.values())


def _ended(shape: Shape, included: bool | None) -> Shape:
    query = _with_ends(shape.query, included)
    return shape if query == shape.query else Shape(query, shape.slots, shape.plain, shape.times)


def _taken_away(query: Statement, reading: Reading) -> bool:
    """Whether a condition holds a value that the wizard took out, as a constant of an example may."""
    if not reading.removed:
        return False
    gone = {text for number in reading.removed for form, text in _forms(reading.found[number])}
    kept = {text for n, one in enumerate(reading.found) if n not in reading.removed for form, text in _forms(one)}
    return any(literal.text in gone - kept for _, literal in literals_of(query))


def _forms(one: Found) -> list[tuple[str, str]]:
    return [(form, text) for form, text in one.meanings[0].forms.items() if "#" not in form]


_Target = tuple[Shape, dict[int, int], int]


def _near(seen: Sight, memory: Memory) -> Iterator[_Target]:
    for key in list(seen.alike)[:_NEAR]:
        shape, entry = memory.shapes[key], memory.entries[seen.entry_of[key]]
        values = _as_answered(shape, entry, seen.reading.found) or _assigned(shape, seen)
        if values is not None:
            yield shape, values, 0


def _as_answered(shape: Shape, entry: Entry, found: Sequence[Found]) -> dict[int, int] | None:
    """The value for each slot as in a question with the same kinds of values; None if this cannot be done."""
    if [one.kind for one in found] != [one.kind for one in entry.reading.found]:
        return None
    values: dict[int, int] = {}
    for number, slot in enumerate(shape.slots):
        turns = [turn for turn, role in entry.roles.items() if role == slot.role and turn < len(found)]
        turn = next((turn for turn in turns if all(found[turn].form(form) is not None for form in slot.forms)), -1)
        if turn < 0:
            return None
        values[number] = turn
    return values


def _assigned(shape: Shape, seen: Sight) -> dict[int, int] | None:
    """The value for each slot that its role suits best; None if a slot cannot be filled."""
    guess = seen.given.get(shape.query.root, seen.guess)
    options = [_options(shape, number, seen.reading.found, guess) for number in range(len(shape.slots))]
    if not all(options):
        return None
    best: tuple[float, dict[int, int]] | None = None
    for tries, choice in enumerate(product(*options)):
        values = [value for _, value in choice]
        if tries > 300:
            break
        if len(set(values)) == len(values):
            score = sum(gain for gain, _ in choice)
            if best is None or score > best[0]:
                best = score, dict(enumerate(values))
    return best[1] if best else None


def _options(shape: Shape, number: int, found: Sequence[Found], guess: Guess) -> list[tuple[float, int]]:
    slot, fits = shape.slots[number], []
    for value, one in enumerate(found):
        chances = guess.roles[value]
        if chances != {NOTHING: 1.0} and all(one.form(form) is not None for form in slot.forms):
            gain = log_chance(chances.get(slot.role, 0.0)) - log_chance(chances.get(NOTHING, 0.0))
            fits.append((gain, value))
    return heapq.nlargest(4, fits)


def _targets(seen: Sight, memory: Memory) -> Iterator[_Target]:
    made = 0
    for head, plain, roles in _meanings(seen, memory):
        wanted = frozenset(role for role in roles if role)
        keys = memory.meanings.get((head, plain, wanted), [])
        for key in sorted(keys, key=lambda one: (-seen.alike.get(one, 0.0), -memory.shapes[one].times))[:3]:
            values = _given(memory.shapes[key], roles, seen.reading.found)
            if values is not None:
                yield memory.shapes[key], values, 0
        if not keys and made < _MADE:
            made += 1
            built = composed(head, plain, wanted, memory, seen.alike)
            values = _given(built[0], roles, seen.reading.found) if built else None
            if built and values is not None:
                yield built[0], values, built[1]


def _given(shape: Shape, roles: Sequence[Role], found: Sequence[Found]) -> dict[int, int] | None:
    values = {}
    for number, slot in enumerate(shape.slots):
        fits = (n for n, role in enumerate(roles) if role == slot.role)
        value = next((n for n in fits if all(found[n].form(form) is not None for form in slot.forms)), None)
        if value is None:
            return None
        values[number] = value
    return values


# -- likely combinations -------------------------------------------------------------------------------------

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

    return [meant for _, meant in heapq.nlargest(_TARGETS, together(), key=lambda one: one[0])]


def _condition_sets(chances: Mapping[str, float]) -> list[tuple[float, frozenset[str]]]:
    sure = frozenset(name for name, chance in chances.items() if chance >= 0.5)
    doubtful = _doubtful(chances)
    base = sum(log_chance(max(chance, 1 - chance)) for chance in chances.values() if chance > _UNLIKELY)
    sets = []
    for flips in product((False, True), repeat=len(doubtful)):
        flipped = [one for flip, one in zip(flips, doubtful, strict=True) if flip]
        score = sum(log_chance(chance) - log_chance(1 - chance) for chance, _ in flipped)
        sets.append((base + score, sure.symmetric_difference(chain.from_iterable(names for _, names in flipped))))
    return heapq.nlargest(_SETS, sets, key=lambda one: one[0])


def _doubtful(chances: Mapping[str, float]) -> list[tuple[float, frozenset[str]]]:
    """The conditions that are least sure to be there or not. Those with the very same chance always came together, as
    the five days of “on weekdays”: they are there all or not at all."""
    together: dict[tuple[float, str], list[str]] = {}
    for name, chance in chances.items():
        if _UNLIKELY < chance < 1 - _UNLIKELY:
            together.setdefault((chance, name if chance == _DOUBT else ""), []).append(name)
    doubts = sorted(
        ((min(chance, 1 - chance), chance, frozenset(names)) for (chance, _), names in together.items()),
        key=lambda one: -one[0],
    )
    return [(chance, names) for _, chance, names in doubts[:_DOUBTFUL]]


def _role_sets(guess: Guess, memory: Memory, found: Sequence[Found]) -> list[tuple[float, tuple[Role, ...]]]:
    sets: list[tuple[float, tuple[Role, ...]]] = [(0.0, ())]
    for number, chances in enumerate(guess.roles):
        likely = ((log_chance(c), role) for role, c in chances.items() if c > _UNLIKELY)
        options = heapq.nlargest(_ROLES, likely, key=lambda one: one[0]) or [(0.0, NOTHING)]
        longer = [
            (score + gain, (*roles, role))
            for score, roles in sets
            for gain, role in options
            if _is_new(roles, role, found, number)
        ]
        sets = heapq.nlargest(_BEAM, longer, key=lambda one: one[0])
    return heapq.nlargest(_SETS, ((s, r) for s, r in sets if _is_whole(r, memory)), key=lambda one: one[0])


def _is_new(roles: Sequence[Role], role: Role, found: Sequence[Found], number: int) -> bool:
    """A role is played by one value; by two only if they are the same."""
    label = found[number].meanings[0].label
    return not role or all(other != role or found[n].meanings[0].label == label for n, other in enumerate(roles))


def _is_whole(roles: Sequence[Role], memory: Memory) -> bool:
    """Whether conditions with several values have them all."""
    names = {name for role in roles for name in role if " @" in name}
    bases = {name.rsplit(" @", 1)[0] for name in names}
    return all(f"{base} @{n}" in names for base in bases for n in range(memory.places[base]))


# -- periods of the day, with their ends or without ----------------------------------------------------------


def _with_ends(query: Statement, included: bool | None) -> Statement:
    """The query with the ends of periods belonging to them or not; None leaves them as they were answered."""
    if included is None:
        return query
    return replace(query, where=tuple(_changed(one, included) for one in query.where))


def _changed(one: Predicate, included: bool) -> Predicate:
    """A condition on a period with its ends or without; any other as it is."""
    found = _range(one.expr)
    if found is None or "#begin" not in (found[1].form, found[2].form):
        return one
    column, low, high = found
    if included:
        return Predicate(Call("between", (("this", column), ("low", low), ("high", high))))
    ends = (Call(kind, (("this", column), ("expression", end))) for kind, end in (("gt", low), ("lt", high)))
    return Predicate(Call("and", tuple(zip(("this", "expression"), ends, strict=True))))


def _range(expr: Arg) -> tuple[Arg, Constant, Constant] | None:
    """The column and the ends of a range."""
    if not isinstance(expr, Call):
        return None
    column, low, high = expr.get("this"), expr.get("low"), expr.get("high")
    if expr.kind == "and":
        sides = column, expr.get("expression")
        low, high = (
            side.get("expression") if isinstance(side, Call) and side.kind in kinds else None
            for side, kinds in zip(sides, _ENDS, strict=True)
        )
        column = column.get("this") if isinstance(column, Call) else None
    return (column, low, high) if isinstance(low, Constant) and isinstance(high, Constant) else None
