"""Follow-ups of a count: after “departments with more than 30 women”, “what about men” and “more than 40” change what
is counted, and how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..learned.memory import literal
from ..query.comparisons import COMPARING
from ..query.recognise import Found
from ..query.small_words import SILENT
from ..sql.statements import Clause, Column, Hole, Part, Statement, Sub, table_of
from .heard import heard_of
from .turn import FollowUpTurn

__all__ = ["counted_again", "said_beside_count"]

_DENYING = frozenset(["not", "no", "without", "except", "but"])
_HAVING = " HAVING COUNT(*) "
_MORE = (">", ">=", "")


def counted_again(turn: FollowUpTurn) -> tuple[Statement, tuple[int, ...]] | None:
    """The statement before with another number or kind of what its groups are counted by, and the values used; None if
    it counts nothing so, or if the words say anything else."""
    counts = {place: sub for place, one in enumerate(turn.before.clauses) if (sub := _counting(one)) is not None}
    said = {word for at, word in enumerate(turn.words) if turn.free(at)}
    numbers = tuple(n for n in range(len(turn.reading.found)) if n not in turn.reading.removed and not turn.mere(n))
    silent = said <= SILENT | COMPARING and said.isdisjoint(_DENYING)
    if len(counts) != 1 or not numbers or turn.narrowing or not silent:
        return None
    place, inner = next(iter(counts.items()))
    for number in numbers:
        one = turn.reading.found[number]
        changed = _numbered(turn, inner, one) if one.kind == "number" else _of_kind(inner, one)
        if changed is None:
            return None
        inner = changed
    clauses = list(turn.before.clauses)
    parts = (Sub(inner) if isinstance(part, Sub) else part for part in clauses[place].parts)
    clauses[place] = Clause(tuple(parts))
    return replace(turn.before, clauses=tuple(clauses)), numbers


def said_beside_count(before: Statement, after: Statement) -> bool:
    """Whether something is said of rows that the statement before only counts: “and clerks” may mean that they are
    counted, too."""
    roots = {inner.root for one in before.clauses if (inner := _counting(one)) is not None} - {before.root}
    new = (clause for clause in after.clauses if clause not in before.clauses)
    columns = (part for clause in new for part in clause.parts if isinstance(part, Column) and part.name)
    return any(table_of(column.node) in roots for column in columns)


def _counting(clause: Clause) -> Statement | None:
    """The groups of which a condition asks that they have so many rows or more."""
    match clause.parts:
        case (Column(), " IN ", Sub(inner)) if any(isinstance(p, str) and _HAVING in p for p in inner.tail):
            return inner
    return None


def _numbered(turn: FollowUpTurn, inner: Statement, one: Found) -> Statement | None:
    number, op = one.form("#number"), heard_of(turn, [one]).op
    if number is None or op not in _MORE or not isinstance(inner.tail[-1], Hole):
        return None
    sign = str(inner.tail[-2])
    said: Part = sign[: sign.index(_HAVING)] + f"{_HAVING}{op} " if op else sign
    return replace(inner, tail=(*inner.tail[:-2], said, Hole(0, number)))


def _of_kind(inner: Statement, one: Found) -> Statement | None:
    """The groups counted by rows of another kind: men for women."""
    for place, clause in enumerate(inner.clauses):
        match clause.parts:
            case (Column() as column, " = " | " LIKE ", Hole()):
                other = _compared(column, one.meanings[0].forms)
                if other is not None:
                    return replace(inner, clauses=(*inner.clauses[:place], other, *inner.clauses[place + 1 :]))
    return None


def _compared(column: Column, forms: Mapping[str, str]) -> Clause | None:
    name = f"{table_of(column.node)}.{column.name}"
    if name in forms:
        return Clause((column, " = ", Hole(0, literal(forms[name], "'"))))
    return Clause((column, " LIKE ", Hole(0, literal(forms[f"%{name}"], "'")))) if f"%{name}" in forms else None
