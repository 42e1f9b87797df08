"""Values of a query as chips for the wizard, and what the wizard does to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ..algebra.query import Arg, Constant, Statement, held, map_query
from ..language.lexicon import Lexicon, Meaning, kind_of
from ..language.recognise import Found, Reading, number_meaning, time_meaning
from ..values import Chip, Choice, Value

_MOST_OTHERS = 120

Swaps = Callable[[str], Sequence[Value]]


def swaps_of(lexicon: Lexicon) -> Swaps:
    """The values of each kind, made once."""
    made: dict[str, tuple[Value, ...]] = {}

    def of_kind(kind: str) -> Sequence[Value]:
        if kind not in made:
            made[kind] = tuple(map(_value, lexicon.kinds.get(kind, ())))
        return made[kind]

    return of_kind


def chosen(reading: Reading, choices: Sequence[Choice], lexicon: Lexicon) -> Reading:
    """The reading after the wizard's choices: values swapped, or marked as meaning nothing."""
    found = list(reading.found)
    removed = set(reading.removed)
    for choice in choices:
        for number, one in enumerate(found):
            if (one.start, one.end) == (choice.start, choice.end):
                if choice.value is None:
                    removed.add(number)
                else:
                    found[number] = replace(one, meanings=(_meaning(choice.value, one, lexicon),), weak=False)
    return replace(reading, found=tuple(found), removed=frozenset(removed))


def _meaning(value: Value, found: Found, lexicon: Lexicon) -> Meaning:
    known = (one for group in lexicon.kinds.values() for one in group)
    named = next((one for one in known if one.forms.get(value.column) == value.value), None)
    if named is not None:
        return named
    if value.value.isdigit() and any(one.kind == "time" for one in found.meanings) and int(value.value) <= 2400:
        return time_meaning(int(value.value), False)
    if value.value.replace(".", "", 1).isdigit():
        return number_meaning(float(value.value), False)
    return Meaning(found.kind, value.label, {value.column: value.value})


def with_choices(query: Statement, choices: Sequence[Choice]) -> Statement:
    """A statement of the turn before after the wizard's choices about the values that it brings along."""
    own = {choice.said: choice.value for choice in choices if choice.start < 0}

    def put(part: Arg) -> Arg | None:
        value = own.get(part.text) if isinstance(part, Constant) else None
        return replace(part, text=value.value) if value and isinstance(part, Constant) else None

    gone = {said for said, value in own.items() if value is None}
    where = (one for one in query.where if not any(literal.text in gone for _, literal in held(one.expr)))
    return map_query(replace(query, where=tuple(where)), put)


class Chips:
    """The values of a query as chips, each made once; `others_of` tells what those of a kind may be swapped for."""

    def __init__(self, reading: Reading, others_of: Swaps) -> None:
        self._reading, self._others_of = reading, others_of
        self._made: dict[int, Chip] = {}

    def of(self, numbers: Iterable[int]) -> tuple[Chip, ...]:
        """Those of the values of these numbers, in this order."""
        return tuple(map(self._one, numbers))

    def _one(self, number: int) -> Chip:
        if number not in self._made:
            self._made[number] = _chip(self._reading.found[number], self._others_of)
        return self._made[number]


def brought(query: Statement, said: Iterable[str]) -> Iterator[Chip]:
    """The values that a statement brings along from the turn before, but for those that are said again."""
    known = set(said)
    for one in query.where:
        for column, literal in held(one.expr, nested=False):
            value = literal.text
            if column and value not in known:
                known.add(value)
                yield Chip(-1, -1, value, kind_of(column.split(".")[-1]), Value(column, value, value))


def _chip(found: Found, others_of: Swaps) -> Chip:
    meaning = found.meanings[0]
    readings = [one for one in found.meanings[1:] if not _same(one, meaning)]
    others = [_value(one) for one in readings if one.label.casefold() != meaning.label.casefold()]
    later = meaning.forms.get("#later")
    if later:
        others.append(Value("#time", later, f"{int(later) // 100}:{int(later) % 100:02d}"))
    if "#" not in meaning.first[0]:
        first, label = meaning.first, meaning.label.casefold()
        others += [value for value in others_of(meaning.kind) if not _is(value, first, label)]
    others = [*others[:_MOST_OTHERS], *_elsewhere(readings, meaning)]
    once = {value.label: value for value in reversed(others)}
    unique = tuple(dict.fromkeys(value for value in others if once[value.label] is value))
    return Chip(found.start, found.end, found.said, meaning.kind, _value(meaning), unique)


def _same(one: Meaning, other: Meaning) -> bool:
    """What a person would take for one value; it is not offered in its own place."""
    return one.first == other.first or (one.kind, one.label.casefold()) == (other.kind, other.label.casefold())


def _is(value: Value, first: tuple[str, str], label: str) -> bool:
    """The same of a value of this kind."""
    return (value.column, value.value) == first or value.label.casefold() == label


def _elsewhere(readings: Sequence[Meaning], meaning: Meaning) -> list[Value]:
    """The same words as another kind of thing, told apart: `NEW YORK (state)`. These come last: who lists others
    seldom means them. A column that only contains the words is none."""
    same = [one for one in readings if one.label.casefold() == meaning.label.casefold()]
    return [replace(_value(one), label=f"{one.label} ({one.kind})") for one in same if one.first[0][:1] != "%"]


def _value(meaning: Meaning) -> Value:
    column, value = meaning.first
    return Value(column, value, meaning.label)
