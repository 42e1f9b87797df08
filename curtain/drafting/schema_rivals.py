"""What is compared with others of its kind: “older than Paul Tai”, “who earns more than the average”."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .column_words import adjective_forms
from .pack_schema import Schema
from .schema_clauses import Said, name_clauses
from .schema_plan import Plan
from .statements import Clause, Column, Part, Statement, Sub
from .worked_out import AGGREGATES

__all__ = ["rivalled", "rivals"]

_UNSAYABLE = 0.2
_MORE = {"more": 1, "less": -1, "fewer": -1}
_NO_RIVALS = ("other", "rather")
_ARTICLES = ("the", "an", "a", "their", "his", "her")


def rivalled(plan: Plan) -> None:
    """The condition for words behind “than” that name somebody or an average; where no draft can say it, the reading
    becomes unlikely."""
    place = rivals(plan.question.words)
    if place is None:
        return
    at, start = place
    names = tuple(_names(plan, start))
    average = AGGREGATES.get(plan.question.words[start]) == "AVG"
    if not names and not average:
        return
    told = _measured(plan, at)
    if told is None or (average and plan.schema.kind(plan.focus.root, told[1]) != "number"):
        plan.doubt *= _UNSAYABLE
        return
    first, column, sign = told
    if names and not any(one.column.endswith("name") or one.column in plan.schema.heads[one.node] for one in names):
        # “Women earn more than men” compares what they earn in the middle.
        plan.doubt *= _UNSAYABLE
    plan.clauses.append(_clause(Column(plan.focus.root, column), sign, names, plan.schema))
    plan.used |= {one.found for one in names}
    plan.explained |= set(range(first, names[-1].last if names else _end(plan, start + 1, column)))


def rivals(words: Sequence[str]) -> tuple[int, int] | None:
    """Where “than” stands and where those are named that something is compared with; None if nothing is."""
    at = words.index("than") if "than" in words else len(words)
    start = at + 1 + (at + 1 < len(words) and words[at + 1] in _ARTICLES)
    return None if start >= len(words) or words[at - 1] in _NO_RIVALS else (at, start)


def _names(plan: Plan, at: int) -> Iterator[Said]:
    """The values named from here on, as they stand in the table that is asked about."""
    root = plan.focus.root
    for n in plan.question.names:
        found = plan.question.found[n]
        one = next((one for one in plan.candidates[n] if one.table == root and one.own), None)
        if found.first == at and one is not None:
            yield Said(n, found.first, found.last, root, one.column, one.text, one.like)
            at = found.last


def _measured(plan: Plan, at: int) -> tuple[int, str, int] | None:
    """Where the words before “than” begin that compare, the column of the root that they compare, and whether more (1)
    or less (-1) of it is meant: “older than”, “earns more than”, “has a higher salary than”."""
    words, root, schema = plan.question.words, plan.focus.root, plan.schema
    form = adjective_forms(words[at - 1]) if at else None
    if form and form[1] == 2:
        measured = schema.measured(root, form[0])
        return (at - 1, *measured) if measured else None
    for mark in plan.question.marks:
        columns = [one.column for one in mark.senses if one.table == root and _can_be_more(plan, one.column)]
        before = words[mark.first - 1] if mark.first else ""
        if columns and mark.last == at - 1 and words[at - 1] in _MORE:
            return mark.first, columns[0], _MORE[words[at - 1]]
        form = adjective_forms(before)
        if columns and mark.last == at and (before in _MORE or (form and form[1] == 2)):
            return mark.first - 1, columns[0], _MORE.get(before) or (-1 if form and form[0] in ("low", "small") else 1)
    return None


def _can_be_more(plan: Plan, column: str) -> bool:
    root = plan.focus.root
    return bool(column) and plan.schema.kind(root, column) != "text" and not plan.schema.is_key(root, column)


def _clause(column: Column, sign: int, names: Sequence[Said], schema: Schema) -> Clause:
    """More than each of those named, or than the average of all."""
    most = "AVG(" if not names else "MAX(" if sign > 0 else "MIN("
    head: tuple[Part, ...] = (most, column, ")")
    inner = Statement(column.node, head, tuple(name_clauses(names, schema)))
    return Clause((column, " > " if sign > 0 else " < ", Sub(inner)))


def _end(plan: Plan, at: int, column: str) -> int:
    """Where the words end that say which average: “the average salary”."""
    mark = next((one for one in plan.question.marks if one.first == at), None)
    said = mark is not None and any(one.column == column for one in mark.senses)
    return mark.last if mark and said else at
