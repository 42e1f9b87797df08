"""What an “or”, a “not” and a comparison do to a candidate: “on Delta or United” is one condition with two values, “not
on Delta” is the condition turned round, and “20 or above” means that even if the example it comes from had just 20."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from .comparisons import bound_after, bound_before
from .memory import Form, literal
from .propose import Proposal
from .recognise import Found, Reading
from .series import Series
from .statements import Clause, Column, Hole, Part, Sub

__all__ = ["compared", "denied", "joined", "signs_in"]

_DIRECTION = {"=": 0, ">": 1, ">=": 1, "<": -1, "<=": -1}
_COMPARED = frozenset(["#number", "#date"])
_TURNED = {" = ": " <> ", " IN ": " NOT IN "}

Keys = Mapping[str, Sequence[str]]
Change = Callable[[str, Hole, str], tuple[str, Hole] | None]


def joined(proposal: Proposal, series: Sequence[Series], reading: Reading) -> Proposal | None:
    """The candidate with all values of each series where it has the first; None if one cannot be put so."""
    for one in series:
        if one.first in proposal.used:
            numbers = (one.first, *one.others)
            changed = _changed(proposal, one.first, partial(_listed, numbers=numbers, found=reading.found))
            if changed is None:
                return None
            proposal = replace(changed, used=(*changed.used, *one.others))
    return proposal


def _listed(
    sign: str, hole: Hole, form: str, numbers: Sequence[int], found: Sequence[Found]
) -> tuple[str, Hole] | None:
    if sign != " = ":
        return None
    values = [found[number].form(form) for number in numbers]
    if any(value is None for value in values):
        return None
    texts = ", ".join(literal(value or "", hole.text) for value in values)
    return " IN ", replace(hole, text=f"({texts})")


def denied(proposal: Proposal, numbers: Collection[int], keys: Keys) -> Proposal:
    """The candidate with the conditions turned round whose value is one of these, where that is all it takes: at a
    column that a row of the answer has once."""
    for number in proposal.used:
        if number in numbers:
            changed = _changed(proposal, number, _turned, keys)
            proposal = changed or proposal
    return proposal


def _turned(sign: str, hole: Hole, form: str) -> tuple[str, Hole] | None:
    return (_TURNED[sign], hole) if sign in _TURNED else None


def compared(proposal: Proposal, signs: Mapping[int, str]) -> Proposal:
    """The candidate with these comparisons of its numbers and dates, where it has others."""
    for number in proposal.used:
        if number in signs:
            changed = _changed(proposal, number, partial(_with_sign, said=signs[number]))
            if changed is not None and changed.statement != proposal.statement:
                proposal = changed
    return proposal


def signs_in(reading: Reading) -> dict[int, str]:
    """The comparisons that the words beside the values of a query say."""
    said = ((number, _comparison(reading, one)) for number, one in enumerate(reading.found))
    return {number: sign for number, sign in said if sign is not None}


def _comparison(reading: Reading, one: Found) -> str | None:
    """The sign that the words beside a value say; None if they say none, or one that depends on an adjective."""
    words = [word.text for word in reading.words]
    bound = bound_after(words, one.last) or bound_before(words, one.first)
    if bound is None or bound.adjective or bound.op not in _DIRECTION:
        return None
    if bound.weak:
        return "=" if one.kind == "date" and words[one.first - 1] == "on" else None
    return bound.op


def _with_sign(sign: str, hole: Hole, form: str, said: str) -> tuple[str, Hole] | None:
    own = sign.strip()
    if form not in _COMPARED or own not in _DIRECTION:
        return None
    return (sign if _DIRECTION[own] == _DIRECTION[said] else f" {said} "), hole


def _changed(proposal: Proposal, number: int, change: Change, keys: Keys | None = None) -> Proposal | None:
    """The candidate with each `column = value` of this value changed; None if there is none, or one of another form."""
    forms = {
        hole: slot.forms[0]
        for slot, used in zip(proposal.form.slots, proposal.used, strict=False)
        if used == number and len(slot.forms) == 1
        for hole in slot.holes
    }
    done: set[int] = set()
    clauses = tuple(Clause(_parts(clause.parts, forms, change, done, keys)) for clause in proposal.statement.clauses)
    if not forms or done != set(forms):
        return None
    statement = replace(proposal.statement, clauses=clauses)
    return replace(proposal, statement=statement, form=Form(statement, proposal.form.slots), made=True)


def _parts(
    parts: tuple[Part, ...],
    forms: Mapping[int, str],
    change: Change,
    done: set[int],
    keys: Keys | None,
) -> tuple[Part, ...]:
    out = [_inside(part, forms, change, done, keys) for part in parts]
    match parts:
        case (Column() as column, str() as sign, Hole() as hole):
            fits = hole.index in forms and (keys is None or _once(column, keys))
            put = change(sign, hole, forms[hole.index]) if fits else None
            if put is not None:
                done.add(hole.index)
                out[1:] = put
    return tuple(out)


def _inside(
    part: Part,
    forms: Mapping[int, str],
    change: Change,
    done: set[int],
    keys: Keys | None,
) -> Part:
    if not isinstance(part, Sub):
        return part
    clauses = tuple(Clause(_parts(clause.parts, forms, change, done, keys)) for clause in part.statement.clauses)
    return Sub(replace(part.statement, clauses=clauses))


def _once(column: Column, keys: Keys) -> bool:
    """Whether each row of the root has one such value: all joins on the way are to a whole primary key."""
    return all(_to_key(hop, keys) for hop in column.node.split(">")[1:])


def _to_key(hop: str, keys: Keys) -> bool:
    table, _, name = hop.partition("=")[2].partition(".")
    return list(keys.get(table, ())) == [name.split("#")[0]]
