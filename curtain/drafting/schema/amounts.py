"""Which column a number, date, time or period of a query measures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter

from ..sql.edits import columns_of, one_or_other
from ..sql.none_of import missing, none_of
from ..sql.statements import Clause, Column, Hole, table_of
from .clauses import Said, amount_clause, further
from .measures import Fit, Measured
from .numbers import Amount
from .pack_schema import Way
from .plan import Plan, denied_at

__all__ = ["measured"]

_LINKS = frozenset(["and", "in", "on", "the"])
_LEAST = 0.02


@dataclass(frozen=True, slots=True)
class _Option:
    """A condition, the way to its table, and the places of words that speak for it."""

    clause: Clause
    way: Way
    covers: frozenset[int]


def measured(plan: Plan, amount: Amount) -> None:
    """A number, date, time or period: the column that it most likely measures."""
    if _among(plan, amount):
        return
    if _at_an_event(plan, amount):
        plan.give_up()
    denied = denied_at(plan, amount.first)
    if amount.op == "<>":
        amount, denied = replace(amount, op="="), denied or (amount.first, amount.first + 1)
    told = plan.measure(amount)
    picked = plan.chosen(list(_options(plan, told, denied is not None)))
    if picked is None:
        if not amount.sure:
            return
        plan.doubt *= 0.4
        return
    score, option = picked
    clause = option.clause
    plan.doubt *= 1.25 * score / (score + 0.25)
    plan.used |= set(amount.found)
    plan.explained |= set(range(amount.first, amount.last)) | option.covers
    if denied:
        plan.explained |= set(range(*denied))
    gone = missing(clause) if denied else None
    if denied and gone is not None:
        plan.leave(gone, denied[0])
    else:
        plan.many |= any(step.many for step in option.way)
    other = None if denied else _alternative(plan, amount, clause)
    if other is not None:
        plan.clauses.remove(other)
        clause = one_or_other(other, clause)
    plan.clauses.append(clause)
    plan.lists[amount.found[0]] = clause


def _at_an_event(plan: Plan, amount: Amount) -> bool:
    """Whether an age is one on a day that is told, which no draft works out: “who joined before the age of 20”."""
    schema, words = plan.schema, plan.question.words
    at = amount.first - (words[amount.first - 1 : amount.first] == ("at",))
    before = (sense for mark in plan.question.marks if mark.last == at for sense in mark.senses[:1])
    dates = (one for one in before if one.column and schema.kind(one.table, one.column) == "date")
    return amount.aged and any(schema.measured(one.table, "old") != (one.column, -1) for one in dates)


def _alternative(plan: Plan, amount: Amount, clause: Clause) -> Clause | None:
    """The condition of the number or date before this one, if either may hold of the same column: “in 1985 or 1987”,
    “before 1980 or after 1988”, “in March and April”."""
    earlier = (one for one in plan.question.amounts if one.last <= amount.first)
    before = max(earlier, key=attrgetter("last"), default=None)
    other = plan.lists.get(before.found[0]) if before else None
    if before is None or other is None or other not in plan.clauses:
        return None
    if columns_of(other.parts) != columns_of(clause.parts):
        return None
    between = set(plan.question.words[before.last : amount.first])
    both = between <= _LINKS and before.op == amount.op == "="
    return other if "or" in between or both else None


def _among(plan: Plan, amount: Amount) -> bool:
    """“Departments 43 and 44”: one more number that the same column may have."""
    leader = plan.question.leaders.get(amount.found[0])
    if leader is None or amount.kind != "number" or amount.op != "=":
        return False
    said = next((one for one in plan.said if one.found == leader), None)
    clause = plan.lists.get(leader)
    longer = _longer(clause, amount.low) if clause else None
    if said is not None and plan.schema.kind(table_of(said.node), said.column) == "number":
        place = amount.found[0], amount.first, amount.last
        plan.said.append(Said(*place, said.node, said.column, amount.low, denied=said.denied, empty=said.empty))
    elif clause is not None and longer is not None:
        plan.clauses[plan.clauses.index(clause)] = plan.lists[leader] = longer
    else:
        return False
    plan.used |= set(amount.found)
    plan.explained |= set(range(amount.first, amount.last))
    return True


def _longer(clause: Clause, number: str) -> Clause | None:
    """A condition with one more number that its column may have; None if it is of another kind."""
    match clause.parts:
        case (Column() as column, (" = " | " <> ") as sign, Hole() as hole):
            return Clause((column, " IN (" if sign == " = " else " NOT IN (", hole, ", ", Hole(0, number), ")"))
        case (Column(), (" IN (" | " NOT IN ("), *_, ")"):
            return Clause((*clause.parts[:-1], ", ", Hole(0, number), ")"))
    return None


def _options(plan: Plan, told: Measured, denied: bool) -> Iterator[tuple[float, _Option]]:
    """The two likeliest columns with their conditions: no more are ever asked for."""
    scored = sorted(_scored(plan, told), key=lambda one: -one[0])
    made = ((score, _clause(plan, fit, further(node, way), denied), way, fit) for score, node, way, fit in scored)
    yield from islice(((score, _Option(one, way, fit.covers)) for score, one, way, fit in made if one is not None), 2)


def _scored(plan: Plan, told: Measured) -> Iterator[tuple[float, str, Way, Fit]]:
    """Nodes, ways and columns that may be meant, each with its likelihood."""
    at, ways = told.amount.first, plan.schema.ways
    of_year = told.is_a_year and told.is_told(frozenset(table_of(node) for node, _ in plan.nodes))
    above = plan.above_at(at)
    near = [*plan.near(at), *(plan.passed(at) if told.is_a_year else ())]
    for node, share in near if above is None else [(above, 1.0)]:
        start = table_of(node)
        for table in dict.fromkeys((start, *told.tables)):
            way: Way | None = () if table == start else next(iter(ways.get((start, table), ())), None)
            for fit in told.fits(table, of_year) if way is not None else ():
                weight = fit.by_words if way else fit.weight
                if weight > _LEAST:
                    yield weight * share * 0.6 ** len(way or ()), node, way or (), fit


def _clause(plan: Plan, fit: Fit, node: str, denied: bool) -> Clause | None:
    """The condition on a column; if it is denied of what a row may have several of, that none is so."""
    said = amount_clause(fit.meant, node, fit.column, plan.schema, False) if denied else None
    none = none_of([said], plan.schema.keys) if said else None
    return none or amount_clause(fit.meant, node, fit.column, plan.schema, denied)
