"""Where the values of the database that a query names belong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..query.column_words import words_in
from ..sql.none_of import is_once, many_step, none_of
from ..sql.statements import Clause, Column, Statement, Sub, table_of
from .clauses import Said, further, name_clauses
from .directions import role_of, roles_at
from .pack_schema import Way
from .plan import Plan, denied_at
from .values import Candidate
from .words import NEARBY

__all__ = ["named"]

_MOST_WAYS = 4
_LEAST = 0.03
_SAID_TWICE = 0.3
_LISTING = words_in("or and nor but")


@dataclass(frozen=True, slots=True)
class _Place:
    node: str
    column: str
    text: str
    like: bool
    way: Way


def named(plan: Plan, n: int) -> None:
    """A value of the database: the column that it most likely stands in."""
    found = plan.question.found[n]
    denied = _denied(plan, n)
    picked = plan.chosen(list(_places(plan, n, denied is not None)))
    if picked is None:
        return
    score, place = picked
    assert isinstance(place, _Place)
    empty = f"{table_of(place.node)}.{place.column}" in plan.schema.refers
    said = Said(n, found.first, found.last, place.node, place.column, place.text, place.like, bool(denied), empty)
    plan.doubt *= 1.25 * score / (score + 0.25)
    plan.used.add(n)
    plan.explained |= set(range(found.first, found.last)) | _hints(plan, place, found.first, found.last)
    if denied:
        plan.explained |= set(range(*denied))
    if denied and plan.focus.columns and f"{plan.focus.root}.{plan.focus.columns[0]}" in plan.schema.refers:
        # Which of these have none, and not which have others.
        plan.doubt *= 0.5
    if denied and _without(plan, replace(said, denied=False), denied[0]):
        return
    if any((one.node, one.column, one.text) == (said.node, said.column, said.text) for one in plan.said):
        # “Women from Dallas and women from Legal” are not both at once.
        plan.doubt *= _SAID_TWICE
        return
    plan.many |= any(step.many for step in place.way) or not is_once(place.node, plan.schema.keys)
    plan.said.append(said)
    if all(node != place.node for node, _ in plan.nodes):
        plan.reached.append(place.node)


def _denied(plan: Plan, n: int) -> tuple[int, int] | None:
    """The “not” that goes with a value, or with the values right before it: first and last name."""
    found = plan.question.found
    first = found[plan.question.leaders.get(n, n)].first
    for other in reversed(plan.question.names):
        if found[other].last == first:
            first = found[plan.question.leaders.get(other, other)].first
    return denied_at(plan, first)


def _none_above(unit: Sequence[Said], plan: Plan) -> Clause | None:
    """“Who doesn't report to Gray”: none of those who do, so that who reports to nobody is among them."""
    above, root = plan.focus.above, plan.focus.root
    key = plan.schema.keys.get(root, ())
    if above is None or above.way != "over" or root != above.table or len(key) != 1:
        return None
    if not all(one.found in above.names for one in unit):
        return None
    inner = Statement(root, (Column(root, key[0]),), tuple(name_clauses(unit, plan.schema)))
    return Clause((Column(root, key[0]), " NOT IN ", Sub(inner)))


def _without(plan: Plan, said: Said, at: int) -> bool:
    """Denies that a row has something with this value, and with those said of it right before; False if it has one
    such thing anyway."""
    before = plan.without[-1] if plan.without else ()
    joined = bool(before) and (before[-1].last, before[-1].node) == (said.first, said.node)
    unit = (*before, said) if joined else (said,)
    none = _none_above(unit, plan) or none_of(list(name_clauses(unit, plan.schema)), plan.schema.keys)
    if none is None:
        return False
    if joined:
        plan.clauses.pop()
        plan.without.pop()
    plan.leave(said.node, at)
    plan.clauses.append(none)
    plan.without.append(unit)
    return True


def _places(plan: Plan, n: int, denied: bool) -> Iterator[tuple[float, object]]:
    wanted = roles_at(plan.question.words, plan.question.found[n].first)
    only = _only_at(plan, n)
    near = plan.near(plan.question.found[n].first) if only is None else [(only, 1.0)]
    above = plan.focus.above
    for one in plan.candidates[n]:
        if only is not None and above is not None and plan.schema.bosses.get(one.table) == one.column:
            # The word for who stands above goes that step already.
            continue
        for node, share in near:
            for score, place in _at(plan, n, one, node, share * one.weight, wanted):
                yield score * _fresh(plan, n, place, denied), place


def _at(
    plan: Plan, n: int, one: Candidate, node: str, weight: float, wanted: frozenset[str] | None
) -> Iterator[tuple[float, _Place]]:
    """The value in a column of this node, or of one that hangs on it."""
    schema, here = plan.schema, table_of(node)
    if here == one.table and not _odd(node, one):
        yield weight * role_of(schema, (one.column,), wanted), _Place(node, one.column, one.text, one.like, ())
    for share, way in _leading(plan, here, one.table, wanted) if one.own else ():
        score = weight * share
        if score > _LEAST:
            goal = further(node, way)
            known = 1.1 if goal in plan.reached or any(goal == other for other, _ in plan.nodes) else 1.0
            yield score * known, _Place(goal, one.column, one.text, one.like, way)


def _leading(plan: Plan, here: str, table: str, wanted: frozenset[str] | None) -> tuple[tuple[float, Way], ...]:
    """The ways from here to a table, and how likely each is meant."""
    key = here, table, wanted
    if key not in plan.leads:
        ways = plan.schema.ways.get((here, table), ())[:_MOST_WAYS]
        plan.leads[key] = tuple((_steep(way) * _said_of(plan, way, wanted), way) for way in ways)
    return plan.leads[key]


def _steep(way: Way) -> float:
    return 0.75 ** len(way) * (0.8 if way[-1].many else 1.0)


def _said_of(plan: Plan, way: Way, wanted: frozenset[str] | None) -> float:
    return role_of(plan.schema, (way[0].mine, *(step.theirs for step in way)), wanted)


def _odd(node: str, one: Candidate) -> bool:
    """The column by which one came here tells nothing new."""
    if ">" not in node or one.own:
        return False
    return node.rsplit(">", 1)[-1].split("=")[-1].split(".")[-1] == one.column


def _only_at(plan: Plan, n: int) -> str | None:
    """The one node that a value can be about, if it is said of who stands above, or of who stands below."""
    above = plan.focus.above
    return plan.named_above() if above is not None and n in above.names else None


def _fresh(plan: Plan, n: int, place: _Place, denied: bool) -> float:
    """A second value of a column is less likely, unless “or”, “and” or a comma lists them; a value of the column that
    is asked for tells nothing."""
    question, found = plan.question, plan.question.found[n]
    score = _telling(plan, n, place.node, place.column) if place.node == plan.focus.root else 1.0
    for one in plan.said:
        if (one.node, one.column) == (place.node, place.column):
            between = set(question.words[one.last : found.first])
            score *= 1.0 if not between or between & _LISTING else 0.3
        if denied and one.node == place.node and not one.denied and many_step(place.node, plan.schema.keys) is None:
            score *= 0.1
    return score


def _telling(plan: Plan, n: int, table: str, column: str) -> float:
    """How much a value of this column says about what is asked of its own table: that of the key tells all of an
    attribute and nothing of the key."""
    focus, schema = plan.focus, plan.schema
    if focus.asks not in ("rows", "count"):
        return 1.0
    heads = schema.heads[table]
    refers = f"{table}.{column}" in schema.refers
    if column in (focus.columns or heads[:1]) and len(focus.columns) < 2:
        return 0.08 if focus.columns or not _hinted(plan, n) else 0.5
    naming = column in heads or (column.endswith("name") and not refers)
    if focus.columns and focus.asks == "rows":
        return 1.3 if naming else 0.9
    return 0.5 if naming and column not in heads and focus.asks == "rows" and table not in schema.people else 1.0


def _hinted(plan: Plan, n: int) -> bool:
    """Whether it is said that something is called so."""
    first = plan.question.found[n].first
    return bool({"named", "called", "name"} & set(plan.question.words[max(0, first - 2) : first]))


def _hints(plan: Plan, place: _Place, first: int, last: int) -> set[int]:
    """The words beside a value that say its column."""
    table = table_of(place.node)
    near = (mark for mark in plan.question.marks if first - NEARBY <= mark.last - 1 < first or mark.first == last)
    return {
        at
        for mark in near
        if any(one.table == table and one.column in ("", place.column) for one in mark.senses)
        for at in range(mark.first, mark.last)
    }
