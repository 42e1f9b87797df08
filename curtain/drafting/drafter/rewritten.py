"""What an “or”, a “not” and a comparison do to a candidate: “on Delta or United” is one condition with two values, “not
on Delta” is the condition turned round, and “20 or above” means that even if the example it comes from had just 20."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from ..learned.memory import Form, literal
from ..learned.scoring import Proposal
from ..query.comparisons import CONTRARY, Bound, bound_after, bound_before, range_words
from ..query.recognise import Found, Reading
from ..query.series import Series
from ..sql.alternatives import Pair, wider
from ..sql.both import each_of
from ..sql.edits import all_of, negated, outline, within
from ..sql.none_of import Keys, apart, is_once, many_step, none_of, shows
from ..sql.statements import Clause, Column, Hole, Part, Statement, Sub, literals_of

__all__ = [
    "clauses_of",
    "compared",
    "denied",
    "each",
    "either",
    "ends_in",
    "holds_all",
    "joined",
    "keeps_signs",
    "nights_in",
    "over_midnight",
    "says_denied",
    "signs_in",
    "turned_signs",
    "with_statement",
]

_DIRECTION = {"=": 0, ">": 1, ">=": 1, "<": -1, "<=": -1}
_COMPARED = frozenset(["#number", "#date"])
_TIMES = frozenset(["#time", "#later"])
_DENYING = re.compile(r"\(|\)|<>|DISTINCT FROM|\b(?:NOT|AND|OR)\b")
_IS_GIVEN = re.compile(r"NOT § IS NULL|IS NOT NULL")
_TURNED = {" = ": " <> ", " IN ": " NOT IN "}

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


def denied(
    proposal: Proposal,
    units: Sequence[tuple[int, ...]],
    keys: Keys,
    whole: Collection[int] = (),
    beyond: Collection[int] = (),
) -> Proposal:
    """The candidate with the conditions turned round whose values are these; of a unit, not all may hold. Where a row
    of the answer has the column several times, none of these may be so. Values in `whole` are denied of what is asked
    for, whatever the statement is about: “airlines that do not fly to Boston”. What the example denied stays as it
    is, and the value behind it: “without a meal from Boston”."""
    if _denials_in(proposal.statement) >= len(units):
        return proposal
    lacks = any("IS NULL" in outline(clause) for clause in proposal.statement.clauses)
    for unit in units:
        if unit[0] in proposal.used and not says_denied(proposal, unit) and not (lacks and unit[0] in beyond):
            alone = len([number for number in unit if number in proposal.used]) == 1
            changed = _set_apart(proposal, unit, keys) if unit[0] in whole else None
            changed = changed or (_changed(proposal, unit[0], _turned, keys) if alone else None)
            proposal = changed or _without_any(proposal, unit, keys) or _contrary(proposal, unit, keys) or proposal
    return proposal


def either(proposal: Proposal, pairs: Sequence[Pair]) -> Proposal:
    """The candidate with the conditions of each pair of values as alternatives, if that can be said."""
    changed = wider(proposal.statement, pairs, lambda number: clauses_of(proposal, [number])) if pairs else None
    return with_statement(proposal, changed) if changed else proposal


def each(proposal: Proposal, keys: Keys) -> Proposal:
    """The candidate with a condition for each of the values of a list."""
    changed = each_of(proposal.statement, keys)
    return with_statement(proposal, changed) if changed != proposal.statement else proposal


def _denials_in(statement: Statement) -> int:
    """How many conditions of a statement deny something; that something is given at all does not count."""
    return sum(_denies(clause) and not _IS_GIVEN.search(outline(clause)) for clause in statement.clauses)


def says_denied(proposal: Proposal, numbers: Collection[int]) -> bool:
    """Whether one of these values stands in a condition that denies."""
    mine = _holes_of(proposal, numbers)
    denying = (clause for clause in proposal.statement.clauses if _denies(clause))
    return any(hole.index in mine for clause in denying for hole in _denied_holes(clause))


def _denied_holes(clause: Clause) -> Iterator[Hole]:
    """The literals of which a NOT or a <> is said. Of alternatives, one may deny what is no other's concern: on a day,
    or on the day before if it arrives past midnight and not that day."""
    denials: list[int] = []
    depth = 0
    for part in clause.parts:
        if not isinstance(part, str):
            yield from literals_of((part,)) if denials else ()
            continue
        for token in _DENYING.findall(part):
            depth += (token == "(") - (token == ")")
            if token in ("AND", "OR", ")"):
                denials = [one for one in denials if one < depth + (token == ")")]
            elif token != "(":
                denials.append(depth)


def _contrary(proposal: Proposal, unit: Sequence[int], keys: Keys) -> Proposal | None:
    """The candidate with NOT before the conditions of values that are put in another way: a period of the day, a first
    and a last name."""
    own = clauses_of(proposal, unit)
    columns = [part for clause in own for part in clause.parts if isinstance(part, Column)]
    plain = all(not isinstance(part, Sub) for clause in own for part in clause.parts)
    if not own or not plain or any(map(_denies, own)) or not all(is_once(one.node, keys) for one in columns):
        return None
    kept = (one for one in proposal.statement.clauses if one not in own)
    return with_statement(proposal, replace(proposal.statement, clauses=(*kept, negated(all_of(own)))))


def holds_all(proposal: Proposal) -> bool:
    """Whether every value of a candidate stands in its statement, and not another one in its place."""
    statement = proposal.statement
    every = (statement.head, *(clause.parts for clause in statement.clauses), statement.tail)
    there = {hole.index for parts in every for hole in literals_of(parts)}
    wanted = [hole for slot in proposal.form.slots for hole in slot.holes]
    return len(wanted) == len(set(wanted)) and there.issuperset(wanted)


def _without_any(proposal: Proposal, unit: Sequence[int], keys: Keys) -> Proposal | None:
    """The candidate with the condition that a row has nothing of what the values stand for; None if it cannot be
    said."""
    statement = proposal.statement
    own = clauses_of(proposal, unit)
    nodes = {many_step(part.node, keys) for clause in own for part in clause.parts if isinstance(part, Column)}
    start = nodes.pop() if len(nodes) == 1 else None
    if start is None or any(map(_denies, own)):
        return None
    if shows(statement, start):
        return _changed(proposal, unit[0], _turned) if len(own) == 1 else None
    inside = [*own, *_constants_at(proposal, start)]
    clause = none_of(inside, keys)
    if clause is None:
        return None
    kept = tuple(one for one in statement.clauses if one not in inside)
    return with_statement(proposal, replace(statement, clauses=(*kept, clause)))


def _set_apart(proposal: Proposal, unit: Sequence[int], keys: Keys) -> Proposal | None:
    own = clauses_of(proposal, unit)
    changed = apart(proposal.statement, own, keys) if own and not any(map(_denies, own)) else None
    return with_statement(proposal, changed) if changed else None


def _denies(clause: Clause) -> bool:
    return any(isinstance(part, str) and _says_not(part) for part in clause.parts)


@lru_cache(maxsize=4096)
def _says_not(text: str) -> bool:
    return re.search(r"<>|\bNOT\b|DISTINCT FROM", text) is not None


def with_statement(proposal: Proposal, statement: Statement) -> Proposal:
    """The candidate with another statement."""
    return replace(proposal, statement=statement, form=Form(statement, proposal.form.slots), made=True)


def clauses_of(proposal: Proposal, unit: Sequence[int]) -> list[Clause]:
    """The clauses of a candidate that hold these values and no other."""
    mine, others = _holes_of(proposal, unit), _holes_of(proposal, set(proposal.used) - set(unit))
    holes = [({hole.index for hole in literals_of(clause.parts)}, clause) for clause in proposal.statement.clauses]
    return [clause for held, clause in holes if held & mine and not held & others]


def _constants_at(proposal: Proposal, start: str) -> list[Clause]:
    """The clauses that are said of a node and hold no value of the query, if no other value is said of it."""
    said = _holes_of(proposal, proposal.used)
    there = [clause for clause in proposal.statement.clauses if _is_at(clause, start)]
    filled = {number: hole.index in said for number, one in enumerate(there) for hole in literals_of(one.parts)}
    return [clause for number, clause in enumerate(there) if not filled.get(number)]


def _is_at(clause: Clause, start: str) -> bool:
    nodes = [part.node for part in clause.parts if isinstance(part, Column)]
    return bool(nodes) and all(node == start or node.startswith(f"{start}>") for node in nodes)


def _holes_of(proposal: Proposal, numbers: Collection[int]) -> set[int]:
    """The holes that these values fill."""
    slots = zip(proposal.form.slots, proposal.used, strict=False)
    return {hole for slot, used in slots if used in numbers for hole in slot.holes}


def _turned(sign: str, hole: Hole, form: str) -> tuple[str, Hole] | None:
    return (_TURNED[sign], hole) if sign in _TURNED else None


def compared(
    proposal: Proposal, signs: Mapping[int, str], turned: Collection[int] = (), with_end: Collection[int] = ()
) -> Proposal:
    """The candidate with these comparisons of its numbers and dates, where it has others, for those in `with_end` with
    the end; of its times only these, and those where the comparison was denied and is `turned` round: “not before
    noon”."""
    for number in proposal.used:
        if number in signs:
            forms = _COMPARED | _TIMES if number in turned or number in with_end else _COMPARED
            put = partial(_with_sign, said=signs[number], forms=forms, exactly=number in with_end)
            changed = _changed(proposal, number, put)
            if changed is not None and changed.statement != proposal.statement:
                proposal = changed
    return proposal


def nights_in(reading: Reading) -> list[tuple[int, int]]:
    """The times that are the begin and the end of a span over midnight: “between 10 pm and 2 am”."""
    words, found = [word.text for word in reading.words], reading.found
    pairs = ((n, n + 1) for n in range(len(found) - 1) if {found[n].kind, found[n + 1].kind} == {"time"})
    spans = ((a, b) for a, b in pairs if range_words(words, found[a].first, (found[a].last, found[b].first)))
    return [(a, b) for a, b in spans if int(found[a].form("#time") or 0) > int(found[b].form("#time") or 0)]


def over_midnight(proposal: Proposal, nights: Iterable[tuple[int, int]]) -> Proposal:
    """The candidate with these times as the span that they are, where it has the one from the second to the first."""
    for night in nights:
        begin, end = (_holes_of(proposal, [number]) for number in night)
        clauses = _in_one([_night(clause, begin, end) for clause in proposal.statement.clauses], begin, end)
        if clauses != proposal.statement.clauses:
            proposal = with_statement(proposal, replace(proposal.statement, clauses=clauses))
    return proposal


def _in_one(clauses: Sequence[Clause], begin: Collection[int], end: Collection[int]) -> tuple[Clause, ...]:
    """Conditions for the begin and the end of a night, if they are two of one column, as one."""
    simple = [(clause, clause.parts) for clause in clauses if len(clause.parts) == 3]
    ends = []
    for own in (begin, end):
        said = ((one, p[0], p[2]) for one, p in simple if isinstance(p[0], Column) and isinstance(p[2], Hole))
        ends.append(next(((one, column, hole) for one, column, hole in said if hole.index in own), None))
    first, last = ends
    if first is None or last is None or first[1] != last[1] or first[0] == last[0]:
        return tuple(clauses)
    kept = (clause for clause in clauses if clause not in (first[0], last[0]))
    return (*kept, within(first[1], first[2], last[2]))


def _night(clause: Clause, begin: Collection[int], end: Collection[int]) -> Clause:
    match clause.parts:
        case (Column() as column, str(), Hole() as one, *_, Hole() as two):
            held = {one.index: one, two.index: two}
            low, high = (next((held[n] for n in own if n in held), None) for own in (begin, end))
            if low and high and len([part for part in clause.parts if isinstance(part, Hole)]) == 2:
                return within(column, low, high)
    return clause


def signs_in(reading: Reading, turned: Collection[int] = ()) -> dict[int, str]:
    """The comparisons that the words beside the values of a query say; the contrary ones of those in `turned`."""
    said = ((number, _comparison(reading, one)) for number, one in enumerate(reading.found))
    return {number: CONTRARY[sign] if number in turned else sign for number, sign in said if sign is not None}


def turned_signs(reading: Reading, denied: Collection[int]) -> frozenset[int]:
    """The denied values whose comparison is turned round by that: “not before noon”."""
    signs = signs_in(reading)
    return frozenset(number for number in denied if signs.get(number) in CONTRARY)


def keeps_signs(proposal: Proposal, signs: Mapping[int, str], turned: Collection[int]) -> bool:
    """Whether a candidate compares these values as it should."""
    for number in turned:
        mine = _holes_of(proposal, [number])
        for clause in proposal.statement.clauses:
            match clause.parts:
                case (Column(), str() as between, Hole() as hole, *_) if hole.index in mine:
                    if _DIRECTION.get(_apart(between)[0].strip()) != _DIRECTION[signs[number]]:
                        return False
    return True


def ends_in(reading: Reading) -> frozenset[int]:
    """The values of which is said that the end belongs to it: “or more”, “on or after”."""
    bounds = ((number, _bound_at(reading, one)) for number, one in enumerate(reading.found))
    return frozenset(number for number, bound in bounds if bound and bound.with_end and not bound.adjective)


def _bound_at(reading: Reading, one: Found) -> Bound | None:
    words = [word.text for word in reading.words]
    return bound_after(words, one.last) or bound_before(words, one.first)


def _comparison(reading: Reading, one: Found) -> str | None:
    """The sign that the words beside a value say; None if they say none, or one that depends on an adjective."""
    words = [word.text for word in reading.words]
    bound = _bound_at(reading, one)
    if bound is None or bound.adjective or bound.op not in _DIRECTION:
        return None
    if bound.weak:
        return "=" if one.kind == "date" and words[one.first - 1] == "on" else None
    return bound.op


def _with_sign(
    sign: str, hole: Hole, form: str, said: str, forms: Collection[str], exactly: bool
) -> tuple[str, Hole] | None:
    own = sign.strip()
    if form not in forms or own not in _DIRECTION:
        return None
    return (sign if _DIRECTION[own] == _DIRECTION[said] and not exactly else f" {said} "), hole


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
    return with_statement(proposal, replace(proposal.statement, clauses=clauses))


def _parts(
    parts: tuple[Part, ...],
    forms: Mapping[int, str],
    change: Change,
    done: set[int],
    keys: Keys | None,
) -> tuple[Part, ...]:
    out = [_inside(part, forms, change, done, keys) for part in parts]
    match parts:
        case (Column() as column, str() as between, Hole() as hole, *rest) if len(rest) < 2:
            sign, kind = _apart(between)
            fits = hole.index in forms and (keys is None or is_once(column.node, keys))
            put = change(sign, hole, forms[hole.index]) if fits else None
            if put is not None and (not kind or put[0].strip() in _DIRECTION):
                done.add(hole.index)
                out[1:3] = put[0] + kind, put[1]
    return tuple(out)


def _apart(between: str) -> tuple[str, str]:
    """A sign, and what makes a text a date behind it: “ > ” and “CAST(”."""
    found = re.fullmatch(r"( \S+ )(DATE |CAST\()", between)
    return (found[1], found[2]) if found else (between, "")


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
