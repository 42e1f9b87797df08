"""Values of a query as chips for the wizard, and what the wizard does to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

from ..language.lexicon import Lexicon, Meaning
from ..language.recognise import Found, Reading, number_meaning, time_meaning
from ..values import Chip, Choice, Value

_MOST_OTHERS = 120

Swaps = Callable[[str], Sequence[Value]]


def swaps_of(lexicon: Lexicon) -> Swaps:
    """The values of each kind, made once."""
    return cache(lambda kind: tuple(map(_value, lexicon.kinds.get(kind, ()))))


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


def chips_of(reading: Reading, numbers: Iterable[int], others_of: Swaps) -> tuple[Chip, ...]:
    """The values of these numbers as chips; `others_of` gives what those of a kind may be swapped for."""
    return tuple(_chip(reading.found[number], others_of) for number in numbers)


def _chip(found: Found, others_of: Swaps) -> Chip:
    meaning = found.meanings[0]
    label = meaning.label.casefold()
    readings = [one for one in found.meanings[1:] if one.first != meaning.first]
    others = [_value(one) for one in readings if one.label.casefold() != label]
    later = meaning.forms.get("#later")
    if later:
        others.append(Value("#time", later, f"{int(later) // 100}:{int(later) % 100:02d}"))
    if "#" not in meaning.first[0]:
        kin = others_of(meaning.kind)
        others += [one for one in kin if (one.column, one.value) != meaning.first and one.label.casefold() != label]
    # The same words as another kind of thing, named: `NEW YORK (state)`. These come last: who lists others seldom
    # means them. A column that only contains the words is none.
    same = (one for one in readings if one.label.casefold() == label and one.kind != meaning.kind)
    elsewhere = [replace(_value(one), label=f"{one.label} ({one.kind})") for one in same if one.first[0][:1] != "%"]
    once: dict[str, Value] = {}
    for value in (*others[:_MOST_OTHERS], *elsewhere):
        once.setdefault(value.label, value)
    return Chip(found.start, found.end, found.said, meaning.kind, _value(meaning), tuple(once.values()))


def _value(meaning: Meaning) -> Value:
    column, value = meaning.first
    return Value(column, value, meaning.label)
