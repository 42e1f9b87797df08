"""Values of a query as chips for the wizard, and what the wizard does to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .lexicon import Lexicon, Meaning
from .memory import Memory
from .propose import Proposal
from .recognise import Found, Reading, number_meaning, time_meaning
from .values import Chip, Choice, Draft, Example, Value

__all__ = ["chosen", "told"]

_MOST_OTHERS = 24


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


def told(sql: str, chance: float, proposal: Proposal, reading: Reading, memory: Memory, lexicon: Lexicon) -> Draft:
    """A candidate as a draft."""
    chips = tuple(_chip(one, lexicon) for number, one in enumerate(reading.found) if number in proposal.used)
    spans = tuple((chip.start, chip.end) for chip in chips)
    example = memory.entries[proposal.like].example if proposal.like >= 0 else None
    return Draft(sql, round(chance, 4), chips, spans, _because(proposal, example), example=example)


def _because(proposal: Proposal, example: Example | None) -> str:
    if example is None:
        return ""
    like = example.question
    return f"put together; nearest: “{like}”" if proposal.made else f"like “{like}”"


def _chip(found: Found, lexicon: Lexicon) -> Chip:
    meaning = found.meanings[0]
    others = [_value(one) for one in found.meanings[1:]]
    later = meaning.forms.get("#later")
    if later:
        others.append(Value("#time", later, f"{int(later) // 100}:{int(later) % 100:02d}"))
    if "#" not in meaning.first[0]:
        others += [_value(one) for one in lexicon.kinds.get(meaning.kind, []) if one.label != meaning.label]
    unique = tuple(dict.fromkeys(others))[:_MOST_OTHERS]
    return Chip(found.start, found.end, found.said, meaning.kind, _value(meaning), unique)


def _value(meaning: Meaning) -> Value:
    column, value = meaning.first
    return Value(column, value, meaning.label)
