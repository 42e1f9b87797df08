"""Candidates for a query: shapes of near questions, and sets of clauses put together anew."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from ..query.recognise import Found, Reading
from ..sql.align import places_of, unquoted
from ..sql.periods import past_midnight, with_ends
from ..sql.possible import possible
from ..sql.statements import Hole, Statement
from .compose import composed
from .meanings import NOTHING, likely_meanings, log_chance
from .memory import Entry, Form, Memory, Role, Shape, filled
from .reader import Guess, Reader
from .scoring import Proposal, proposal_of
from .seen import Seen, Suits, look

__all__ = ["AT_LEISURE", "IN_A_HURRY", "THE_SAME", "Most", "propose"]


class Most(NamedTuple):
    """How many candidates: from the nearest answered questions, and put together from parts of them."""

    near: int
    composed: int


AT_LEISURE = Most(30, 40)
"""For a question that is learned from."""

IN_A_HURRY = Most(15, 14)
"""Enough while somebody types: the likeliest ones come first."""

# Likeness of questions that have the same words, but for values.
THE_SAME = 0.999


def propose(
    reading: Reading,
    memory: Memory,
    reader: Reader,
    included: bool | None = None,
    suits: Suits | None = None,
    most: Most = AT_LEISURE,
) -> list[Proposal]:
    """Candidates in no order, each once. `included` says whether the ends of periods belong to them; None leaves them
    as the answered questions have them. `suits` says whether a value can do something at all."""
    seen = look(reading, memory, reader, suits)
    found: dict[str, Proposal] = {}
    for shape, values, edits in [*_near_shapes(seen, memory, most.near), *_targets(seen, memory, most.composed)]:
        own = {n: reading.found[value] for n, value in values.items()}
        form = _spanning(_ended(shape.form, included), own)
        statement = filled(form, own)
        if statement is not None and possible(statement) and not _taken_away(statement, reading):
            proposal = proposal_of(seen, memory, shape, form, statement, values, edits)
            key = statement.key
            if key not in found or _likely(found[key]) < _likely(proposal):
                found[key] = proposal
    return list(found.values())


def _taken_away(statement: Statement, reading: Reading) -> bool:
    """Whether a condition holds a value that the wizard took out, as a constant of an example may."""
    if not reading.removed:
        return False
    gone = {pair for number in reading.removed for pair in _compared(reading.found[number])}
    kept = {pair for n, one in enumerate(reading.found) if n not in reading.removed for pair in _compared(one)}
    held = ((place, unquoted(hole.text)) for clause in statement.clauses for place, hole in places_of(clause.parts))
    return any((column.split(".")[-1], value) in gone - kept for column, value in held)


def _compared(found: Found) -> Iterator[tuple[str, str]]:
    """Columns and spellings of a value of the query; numbers, times and dates may stand anywhere, and are left out."""
    for form, value in found.meanings[0].forms.items():
        if "#" not in form:
            yield form.split(".")[-1], value


def _ended(form: Form, included: bool | None) -> Form:
    if included is None or not _has_periods(form):
        return form
    changed = with_ends(form.statement, included)
    return form if changed == form.statement else Form(changed, form.slots)


def _spanning(form: Form, values: Mapping[int, Found]) -> Form:
    """The form with the periods that go over midnight written so."""
    if not _has_periods(form):
        return form
    owner = {hole: values[number] for number, slot in enumerate(form.slots) for hole in slot.holes}

    def text_of(hole: Hole) -> str | None:
        return owner[hole.index].form(hole.name[1:-1]) if hole.index in owner else None

    changed = past_midnight(form.statement, text_of)
    return form if changed == form.statement else Form(changed, form.slots)


def _has_periods(form: Form) -> bool:
    return any("#begin" in slot.forms or "#end" in slot.forms for slot in form.slots)


def _likely(proposal: Proposal) -> float:
    return proposal.feature("likely") - 5 * proposal.made


def _near_shapes(seen: Seen, memory: Memory, most: int) -> Iterator[tuple[Shape, dict[int, int], int]]:
    for key in list(seen.alike)[:most]:
        shape, entry = memory.shapes[key], memory.entries[seen.entry_of[key]]
        values = _as_answered(shape, entry, seen.reading.found) if seen.alike[key] >= THE_SAME else None
        values = values or assigned(shape, seen.reading.found, seen.given[shape.root])
        if values is not None:
            yield shape, values, 0


def _as_answered(shape: Shape, entry: Entry, found: Sequence[Found]) -> dict[int, int] | None:
    """The value for each slot as in a question with the same words; None if this cannot be done."""
    slots = shape.form.slots
    if [one.kind for one in found] != [one.kind for one in entry.reading.found]:
        return None
    for slot in slots:
        known = 0 <= slot.turn < len(found) and entry.roles.get(slot.turn, NOTHING) == slot.role
        if not known or any(found[slot.turn].form(form) is None for form in slot.forms):
            return None
    return {number: slot.turn for number, slot in enumerate(slots)}


def assigned(shape: Shape, found: Sequence[Found], guess: Guess) -> dict[int, int] | None:
    """The value for each slot that its role suits best; None if a slot cannot be filled."""
    options = [_options(shape, number, found, guess) for number in range(len(shape.form.slots))]
    if not all(options):
        return None
    best: tuple[float, dict[int, int]] | None = None
    for choice in _some(options):
        values = [value for _, value in choice]
        if len(set(values)) == len(values):
            score = sum(gain for gain, _ in choice)
            if best is None or score > best[0]:
                best = score, dict(enumerate(values))
    return best[1] if best else None


def _options(shape: Shape, number: int, found: Sequence[Found], guess: Guess) -> list[tuple[float, int]]:
    slot = shape.form.slots[number]
    fits = []
    for value, one in enumerate(found):
        chances = guess.roles[value]
        if chances != {NOTHING: 1.0} and all(one.form(form) is not None for form in slot.forms):
            gain = log_chance(chances.get(slot.role, 0.0)) - log_chance(chances.get(NOTHING, 0.0))
            fits.append((gain, value))
    return heapq.nlargest(4, fits)


def _some(options: list[list[tuple[float, int]]]) -> Iterator[tuple[tuple[float, int], ...]]:
    for count, choice in enumerate(product(*options)):
        if count > 300:
            return
        yield choice


def _targets(seen: Seen, memory: Memory, most: int) -> Iterator[tuple[Shape, dict[int, int], int]]:
    made = 0
    for head, plain, roles in likely_meanings(seen.heads, seen.given, memory, seen.reading.found):
        wanted = frozenset(role for role in roles if role)
        keys = memory.meanings.get((head, plain, wanted), [])
        for key in sorted(keys, key=lambda one: (-seen.alike.get(one, 0.0), -memory.shapes[one].times))[:3]:
            values = _given(memory.shapes[key], roles, seen.reading.found)
            if values is not None:
                yield memory.shapes[key], values, 0
        if not keys and made < most:
            made += 1
            built = composed(head, plain, wanted, memory, seen.alike)
            if built is not None:
                shape, edits = built
                values = _given(shape, roles, seen.reading.found)
                if values is not None:
                    yield shape, values, edits


def _given(shape: Shape, roles: Sequence[Role], found: Sequence[Found]) -> dict[int, int] | None:
    values = {}
    for number, slot in enumerate(shape.form.slots):
        fits = [
            n
            for n, role in enumerate(roles)
            if role == slot.role and all(found[n].form(form) is not None for form in slot.forms)
        ]
        if not fits:
            return None
        values[number] = fits[0]
    return values
