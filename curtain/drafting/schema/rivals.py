"""What is compared with others of its kind: “older than Paul Tai”, “who earns more than the average”."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..query.column_words import adjective_forms, lemma, lemmas
from ..query.worked_out import AGGREGATES
from ..sql.statements import Clause, Column, Part, Statement, Sub
from .clauses import Said, name_clauses
from .pack_schema import Schema
from .plan import Behind, Plan, denied_at
from .words import Mark

__all__ = ["measured_by", "rivalled", "rivals"]

_MORE = {"more": 1, "less": -1, "fewer": -1}
_SIDES = {"above": 1, "below": -1, "after": 1, "before": -1}
_NO_RIVALS = ("other", "rather")
_ARTICLES = ("the", "an", "a", "their", "his", "her")
_OWN = ("their", "his", "her", "its", "or", "own")


def rivalled(plan: Plan, behind: Behind) -> None:
    """The condition for words behind “than” that name somebody or an average; where no draft can say it, the reading
    becomes unlikely."""
    words = plan.question.words
    above = plan.focus.above
    if above and above.others and plan.question.nots:
        # “Who does not have the same boss”.
        plan.give_up()
    if "same" in words and "as" in words[words.index("same") :] and not (above and above.others):
        if not _the_same(plan):
            plan.give_up()
        return
    if "same" in words and not (above and above.others) and plan.question.next_mark(words.index("same") + 1, 0):
        # “Do Paul Tai and Mary Graham have the same boss”.
        plan.give_up()
    place = rivals(words)
    if place is not None and _than_its_own(plan, place):
        return
    if place is None or any(one.first <= place[0] < one.last for one in plan.question.amounts):
        return
    at, start = place
    names = tuple(_names(plan, start))
    average = AGGREGATES.get(words[start]) == "AVG"
    told = _measured(plan, place) if names or average else None
    if told is None or (average and plan.schema.kind(plan.focus.root, told[1]) != "number"):
        if average or (words[at] == "than" and (names or _compares(plan, at))):
            plan.give_up()
        return
    first, column, sign = told
    denied = denied_at(plan, first)
    if denied:
        plan.spent.add(denied[0])
        plan.explained |= set(range(*denied))
    end = names[-1].last if names else _end(plan, start + 1, column)
    inner = behind(plan, plan.focus.root, range(end, len(words)) if average else range(0))
    if names and not _is_one(plan, names, end):
        plan.give_up()
    own = Column(plan.focus.root, column)
    plan.clauses.append(_clause(own, sign, bool(denied), _those_above(plan, names, end), inner))
    plan.used |= {one.found for one in names} | inner.used
    plan.explained |= set(range(first, end)) | inner.explained
    plan.doubt *= inner.doubt


def _the_same(plan: Plan) -> bool:
    """“The same job title as Paul Tai”: others with that of the one who is named."""
    words, root, schema = plan.question.words, plan.focus.root, plan.schema
    at, key = words.index("same"), schema.keys.get(root, ())
    end = words.index("as", at)
    names = tuple(_names(plan, end + 1))
    mark = next((one for one in plan.question.marks if (one.first, one.last) == (at + 1, end)), None)
    column = _shared(plan, mark) if mark is not None else None
    if column is None or len(key) != 1 or not names or not _is_one(plan, names, names[-1].last):
        return False
    node = f"{root}>{column}={root}.{column}"
    moved = [replace(one, node=node) for one in names]
    plan.said += _those_above(plan, moved, names[-1].last)
    plan.clauses.append(Clause((Column(root, key[0]), " <> ", Column(node, key[0]))))
    plan.many = True
    plan.used |= {one.found for one in names}
    plan.explained |= set(range(at, names[-1].last))
    return True


def _shared(plan: Plan, mark: Mark) -> str | None:
    """The column of the root that a word names, by itself or by the table to which it refers."""
    root = plan.focus.root
    for sense in mark.senses:
        if sense.table == root and sense.column:
            return sense.column
        ways = plan.schema.ways.get((root, sense.table), ()) if not sense.column and sense.table != root else ()
        direct = next((way for way in ways if len(way) == 1 and not way[0].many), None)
        if direct is not None:
            return direct[0].mine
    return None


def _than_its_own(plan: Plan, place: tuple[int, int]) -> bool:
    """“Who earns more than his or her boss”: compared with that of who stands above."""
    words, root, schema = plan.question.words, plan.focus.root, plan.schema
    at = place[0]
    end = at + 1
    while end < len(words) and words[end] in _OWN:
        end += 1
    told = _measured(plan, place) if root in schema.bosses and end > at + 1 else None
    if told is None or not _is_above(plan, end):
        return False
    first, column, sign = told
    parts: tuple[Part, ...] = (Column(root, column), " > " if sign > 0 else " < ", Column(schema.above(root), column))
    plan.clauses.append(Clause(parts))
    plan.explained |= set(range(first, end + 1))
    return True


def _is_above(plan: Plan, at: int) -> bool:
    """Whether a word for those above others stands here."""
    return any(plan.schema.boss_words.get(lemma(word)) == plan.focus.root for word in plan.question.words[at : at + 1])


def _those_above(plan: Plan, names: Sequence[Said], end: int) -> tuple[Said, ...]:
    """The names as they are said: “than Paul Tai's boss” names those whom the boss stands above."""
    depth = 0
    while _is_above(plan, end + depth):
        depth += 1
    plan.explained |= set(range(end, end + depth))
    return tuple(replace(one, node=plan.schema.above(one.node, "d" * depth)) for one in names)


def _compares(plan: Plan, at: int) -> bool:
    """Whether something is compared that is no number: “older than his boss”."""
    form = adjective_forms(plan.question.words[at - 1]) if at else None
    return bool(form and form[1] == 2)


def _is_one(plan: Plan, names: Sequence[Said], end: int) -> bool:
    """Whether one thing is named by its name and nothing is said of another: “women earn more than men” compares what
    they earn in the middle, and “than Paul Tai and Mary Graham” two people."""
    by_name = any(one.column.endswith("name") or one.column in plan.schema.heads[one.node] for one in names)
    others = any(plan.question.found[n].first >= end for n in plan.question.names)
    return by_name and not others


def rivals(words: Sequence[str]) -> tuple[int, int] | None:
    """Where “than”, “above” or “before” stands and where those are named that something is compared with; None if
    nothing is. Behind “above” and “before” it may be anything else."""
    at = next((at for word in ("than", *_SIDES) for at in range(1, len(words)) if words[at] == word), len(words))
    start = at + 1 + (at + 1 < len(words) and words[at + 1] in _ARTICLES)
    return None if start >= len(words) or words[at - 1] in _NO_RIVALS else (at, start)


def measured_by(words: Sequence[str], schema: Schema) -> frozenset[str]:
    """The columns of which words before “than” ask for more or less: salaries for “earn more than”; none if they tell
    none."""
    place = rivals(words)
    at = place[0] if place else 0
    if at < 2 or words[at] != "than" or words[at - 1] not in _MORE:
        return frozenset()
    senses = schema.phrases.get(lemmas(words[at - 2 : at - 1]), ())
    best = [one for one in senses if one.column and one.weight >= max(0.6, senses[0].weight)]
    return frozenset(one.column for one in best if schema.kind(one.table, one.column) == "number")


def _names(plan: Plan, at: int) -> Iterator[Said]:
    """The values named from here on, as they stand in the table that is asked about."""
    root = plan.focus.root
    for n in plan.question.names:
        found = plan.question.found[n]
        one = next((one for one in plan.candidates[n] if one.table == root and one.own), None)
        if found.first == at and one is not None:
            yield Said(n, found.first, found.last, root, one.column, one.text, one.like)
            at = found.last


def _measured(plan: Plan, place: tuple[int, int]) -> tuple[int, str, int] | None:
    """Where the words begin that compare, the column of the root that they compare, and whether more (1) or less (-1)
    of it is meant: “older than”, “earns more than”, “has a higher salary than”, “hired before”, “earn above”."""
    at, start = place
    words, root, schema = plan.question.words, plan.focus.root, plan.schema
    if words[at] in _SIDES:
        beside = (one for one in plan.question.marks if one.last == at or one.first == start + 1)
        own = ((one.first, column) for one in beside for column in _columns(plan, one))
        return next(((min(first, at), column, _SIDES[words[at]]) for first, column in own), None)
    form = adjective_forms(words[at - 1]) if at else None
    if form and form[1] == 2:
        measured = schema.measured(root, form[0])
        return (at - 1, *measured) if measured else None
    for mark in plan.question.marks:
        columns = _columns(plan, mark)
        before = words[mark.first - 1] if mark.first else ""
        if columns and mark.last == at - 1 and words[at - 1] in _MORE:
            return mark.first, columns[0], _MORE[words[at - 1]]
        form = adjective_forms(before)
        if columns and mark.last == at and (before in _MORE or (form and form[1] == 2)):
            return mark.first - 1, columns[0], _MORE.get(before) or (-1 if form and form[0] in ("low", "small") else 1)
    return None


def _columns(plan: Plan, mark: Mark) -> list[str]:
    """The columns of the root of which there can be more or less."""
    root, schema = plan.focus.root, plan.schema
    own = (one.column for one in mark.senses if one.table == root and one.column)
    return [one for one in own if schema.kind(root, one) != "text" and not schema.is_key(root, one)]


def _clause(column: Column, sign: int, denied: bool, names: Sequence[Said], inner: Plan) -> Clause:
    """More than each of those named, or than the average of all or of those of whom something is said behind it."""
    most = "AVG(" if not names else "MAX(" if sign > 0 else "MIN("
    head: tuple[Part, ...] = (most, column, ")")
    clauses = (*name_clauses(names, inner.schema), *inner.all_clauses())
    parts: tuple[Part, ...] = (column, " > " if sign > 0 else " < ", Sub(Statement(column.node, head, clauses)))
    return Clause(("NOT (", *parts, ")") if denied else parts)


def _end(plan: Plan, at: int, column: str) -> int:
    """Where the words end that say which average: “the average salary”."""
    mark = next((one for one in plan.question.marks if one.first == at), None)
    said = mark is not None and any(one.column == column for one in mark.senses)
    return mark.last if mark and said else at
