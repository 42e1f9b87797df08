"""Numbers that count: “departments with over 30 women”, “managers with over 20 people”, “are there over 50 clerks”."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..query.column_words import is_participle, lemma, words_in
from ..query.comparisons import CONTRARY
from ..sql.edits import moved
from ..sql.ground import node_steps
from ..sql.statements import Clause, Column, Hole, Part, Statement, Sub, table_of
from .clauses import Said, further, name_clauses
from .numbers import Amount
from .pack_schema import Schema, Step, Way
from .plan import Behind, Plan, denied_at
from .verbs import stands_for_above
from .words import Mark

__all__ = ["counted", "none_counted"]

# “List 5 clerks”: all of them are more than was asked for.
_SOME = 0.6
_STEP = 0.95
_NOWHERE = 9
_NONE = ("no", "without")
_WHO = ("who", "whos")
_LINKING = words_in("with that which have has having where there are of in whose")
_OPENINGS = (("are", "there"), ("is", "there"), ("were", "there"), ("do", "we", "have"), ("have", "we"))


@dataclass(frozen=True, slots=True)
class _Things:
    """Rows of a table that a number counts, the values that say which (“30 female clerks”), and where the words end
    that name them; `said` is what else is said of them, with `many` if that may join several rows to one of them."""

    table: str
    values: tuple[Said, ...]
    last: int
    said: tuple[Clause, ...] = ()
    many: bool = False


def counted(plan: Plan, amount: Amount, behind: Behind) -> bool:
    """Whether a number says how many things there are, so that no column is compared with it. What is said of them
    further on (“more than 10 women over 50”) counts for them. Where no draft can say the number (“more than 50 women”
    of all of them), the reading becomes unlikely."""
    if amount.kind != "number" or amount.aged:
        return False
    if any(amount.first == one.last or amount.last == one.first for one in plan.question.superlatives):
        # “The top 5”, “the 3 cheapest”.
        plan.give_up()
        return amount.op == "="
    if _are_above(plan, amount):
        # “More than 3 managers” are counted in no draft, and “the three managers” with the most of something neither.
        plan.give_up()
        return True
    things = _things(plan, amount)
    below = _is_of_those_below(plan, amount, things)
    if things is None and not below:
        return False
    if plan.focus.above is not None and plan.focus.above.behind:
        # “Whose manager has more than 40 people” counts below somebody else.
        plan.give_up()
        return True
    if _asks_for_so_many(plan, amount, things):
        plan.at_issue = amount
        return _told(plan, amount, None)
    things = _with_what_follows(plan, things, behind) if things else None
    clause = _of_those_below(plan, amount, things) if below else _belonging(plan, amount, things) if things else None
    if clause is None:
        if amount.op == "=":
            plan.doubt *= _SOME
        else:
            plan.give_up()
        return True
    plan.clauses.append(clause)
    return _told(plan, amount, things)


def none_counted(plan: Plan) -> Iterator[Amount]:
    """A “no” of which more is said, as that there is not one: “departments with no clerks over 40”."""
    for first, last in plan.question.nots:
        one = Amount(last, last, (), "number", ">=", "1")
        things = _things(plan, one) if plan.question.words[first] in _NONE else None
        if things is None or (_way(plan, things.table) is None and not _is_of_those_below(plan, one, things)):
            continue
        below = _is_of_those_below(plan, one, things)
        if below or any(amount.first >= things.last for amount in plan.question.amounts):
            yield one


def _are_above(plan: Plan, amount: Amount) -> bool:
    """Whether a number counts those who stand above others."""
    behind = plan.question.words[amount.last : amount.last + 1]
    best = amount.op != "=" or bool(plan.question.superlatives)
    return best and any(lemma(word) in plan.schema.boss_words for word in behind)


def _told(plan: Plan, amount: Amount, things: _Things | None) -> bool:
    plan.used |= {*amount.found, *(one.found for one in (things.values if things else ()))}
    plan.explained |= set(range(amount.first, max(amount.last, things.last if things else 0)))
    return True


def _things(plan: Plan, amount: Amount) -> _Things | None:
    """What is named right behind a number, unless that is compared with what is named before it: “level 20 women”; or
    before it: “a staff of more than 40”."""
    if any(mark.last == amount.first and mark.senses[0].column for mark in plan.question.marks):
        return None
    at = amount.last - bool(amount.units)
    mark = _mark_at(plan, at)
    values: tuple[Said, ...] = ()
    if mark is None:
        values, mark = _valued(plan, at)
    tables = [one.table for one in mark.senses if not one.column and one.weight >= 0.6] if mark else []
    if values:
        return _of_values(plan, values, mark, tables)
    reached = (table for table in tables if table == plan.focus.root or _way(plan, table))
    if mark and tables:
        return _Things(next(reached, tables[0]), (), mark.last)
    return _before_of(plan, amount)


def _before_of(plan: Plan, amount: Amount) -> _Things | None:
    if amount.op == "=" or plan.question.words[amount.first - 1 : amount.first] != ("of",):
        return None
    mark = next((one for one in plan.question.marks if one.last == amount.first - 1), None)
    table = mark.senses[0].table if mark and not mark.senses[0].column else ""
    return _Things(table, (), amount.last) if mark and table and _way(plan, table) else None


def _of_values(plan: Plan, values: tuple[Said, ...], mark: Mark | None, tables: Sequence[str]) -> _Things | None:
    table = values[0].node
    if mark is not None and table in tables:
        return _Things(table, values, mark.last)
    counts = table in plan.schema.people or _way(plan, table) is not None
    return _Things(table, values, values[-1].last) if counts else None


def _valued(plan: Plan, at: int) -> tuple[tuple[Said, ...], Mark | None]:
    """The values named from here on that say of which kind the things are, one right behind the other, and the word
    for the things behind them."""
    end = at
    for n in plan.question.names:
        end = plan.question.found[n].last if plan.question.found[n].first == end else end
    mark = _mark_at(plan, end)
    wanted = {one.table for one in mark.senses if not one.column} if mark else set()
    values: list[Said] = []
    for n in plan.question.names:
        found = plan.question.found[n]
        own = (one for one in plan.candidates[n] if one.own and (not values or one.table == values[0].node))
        one = min(own, key=lambda one: (one.table not in wanted, _far(plan, one.table)), default=None)
        if found.first == at and one is not None:
            values.append(Said(n, found.first, found.last, one.table, one.column, one.text, one.like))
            at = found.last
    return tuple(values), mark if values and values[-1].last == end else None


def _far(plan: Plan, table: str) -> int:
    """How far rows are away that are counted: of members and trainers who may be women, the nearer ones are meant."""
    way = _way(plan, table)
    return 0 if table == plan.focus.root else len(way) if way else _NOWHERE


def _with_what_follows(plan: Plan, things: _Things, behind: Behind) -> _Things:
    """The things with what is said of them up to the next number that counts: “women over 50”, “bikes in Leeds”."""
    later = [one for one in plan.question.amounts if one.first >= things.last and _things(plan, one) is not None]
    end = later[0].first if later else len(plan.question.words)
    between = plan.question.words[things.last : end]
    if (later and not {"and", "or"} & set(between)) or {"same", "different"} & set(between):
        # “Divisions with more than 2 departments with over 30 people”, “two degrees from the same school”.
        plan.give_up()
    inner = behind(plan, things.table, range(things.last, end))
    if not inner.used and not inner.clauses:
        return things
    plan.used |= inner.used
    plan.explained |= inner.explained
    plan.doubt *= inner.doubt
    return replace(things, said=tuple(inner.all_clauses()), many=inner.many)


def _mark_at(plan: Plan, at: int) -> Mark | None:
    marks = (one for one in plan.question.marks if one.first == at)
    word = plan.question.words[at] if at < len(plan.question.words) else ""
    return None if word in _WHO or is_participle(word) else next(marks, None)


def _is_of_those_below(plan: Plan, amount: Amount, things: _Things | None) -> bool:
    """Whether so many stand below those asked for: “supervise more than 10”, “managers with over 20 people”."""
    above, words = plan.focus.above, plan.question.words
    if above is None or above.way not in ("count", "are") or above.table != plan.focus.root:
        return False
    people = things is not None and things.table == above.table and amount.first >= above.last
    return above.way == "count" or people or stands_for_above(words[max(0, amount.first - 1)], plan.schema)


def _asks_for_so_many(plan: Plan, amount: Amount, things: _Things | None) -> bool:
    """Whether it is asked if there are so many: “are there more than 50 women”."""
    opens = plan.focus.asks == "yes" and plan.question.words[: amount.first] in _OPENINGS and not amount.high
    return opens and things is not None and things.table == plan.focus.root and plan.schema.boolean


def _of_those_below(plan: Plan, amount: Amount, things: _Things | None) -> Clause | None:
    root, schema = plan.focus.root, plan.schema
    if things is not None and things.table != root:
        return None
    step = Step(schema.keys[root][0], root, schema.bosses[root], True)
    return _by_key(plan, (step,), things or _Things(root, (), 0), amount)


def _belonging(plan: Plan, amount: Amount, things: _Things) -> Clause | None:
    """That so many of these things belong to a row of the root, or to all rows with the same value of a column that is
    asked for or named right before: “job titles with more than 20 women”, “clerks in departments with over 40 people”.
    """
    root = plan.focus.root
    way = () if things.table == root else _way(plan, things.table)
    if way is None:
        return None
    plan.doubt *= _STEP ** max(0, len(way) - 1)
    column = _shared(plan, amount, things)
    if column is not None:
        return _so_many(plan, Column(root, column), Column(root, column), further(root, way), things, amount)
    return _by_key(plan, way, things, amount) if way else None


def _shared(plan: Plan, amount: Amount, things: _Things) -> str | None:
    """The column of the root whose values make the groups."""
    root, asked = plan.focus.root, plan.focus.columns[:1]
    if asked and asked[0] not in (*plan.schema.keys.get(root, ()), *plan.schema.heads[root]):
        return asked[0]
    before = [one for one in plan.question.marks if one.last <= amount.first and one.first not in plan.focus.covers]
    between = plan.question.words[before[-1].last : amount.first] if before else ()
    if things.table != root or not before or not _LINKING.issuperset(between):
        return None
    own = next((one.column for one in before[-1].senses if one.table == root and one.column), None)
    plan.explained |= set(range(before[-1].first, before[-1].last)) if own else set()
    return own


def _way(plan: Plan, table: str) -> Way | None:
    """The way to what each row of the root may have several of."""
    ways = plan.schema.ways.get((plan.focus.root, table), ())
    return next((way for way in ways if way[0].many), None)


def _by_key(plan: Plan, way: Way, things: _Things, amount: Amount) -> Clause:
    there = Column(way[0].table, way[0].theirs)
    return _so_many(plan, Column(plan.focus.root, way[0].mine), there, further(there.node, way[1:]), things, amount)


def _so_many(plan: Plan, column: Column, group: Column, node: str, things: _Things, amount: Amount) -> Clause:
    """That a column is one of those for which so many rows are at a node, or, for “fewer than” and “not more than”,
    none of the others: these may have none at all."""
    denied = denied_at(plan, amount.first)
    if denied:
        plan.spent.add(denied[0])
        plan.explained |= set(range(*denied))
    op = CONTRARY.get(amount.op, amount.op) if denied else amount.op
    none = op in ("<", "<=") or (bool(denied) and op == amount.op)
    clauses = list(name_clauses([replace(one, node=node) for one in things.values], plan.schema))
    clauses += [Clause(moved(one.parts, things.table, node)) for one in things.said]
    if node != group.node and not clauses:
        clauses.append(Clause((Column(node, plan.schema.tables[table_of(node)][0]),)))
    if none:
        clauses.append(Clause((group, " IS NOT NULL")))
    many = _number_of(group.node, node, things.many, plan.schema)
    how_many = _compared(amount, CONTRARY[op] if op in ("<", "<=") else op)
    inner = Statement(group.node, (group,), tuple(clauses), ("GROUP BY ", group, " HAVING ", *many, *how_many))
    return Clause((column, " NOT IN " if none else " IN ", Sub(inner)))


def _compared(amount: Amount, op: str) -> tuple[Part, ...]:
    if amount.high:
        return (" BETWEEN ", Hole(0, amount.low), " AND ", Hole(0, amount.high))
    return (f" {op} ", Hole(0, amount.low))


def _number_of(start: str, node: str, many: bool, schema: Schema) -> tuple[Part, ...]:
    """The number of rows at a node, each once, also where several rows lead to the same, or hang on it (`many`)."""
    key = schema.keys.get(table_of(node), ())
    once = all(schema.keys.get(table) == (mine,) for mine, table in _left(start, node))
    return ("COUNT(*)",) if (once and not many) or len(key) != 1 else ("COUNT(DISTINCT ", Column(node, key[0]), ")")


def _left(start: str, node: str) -> Iterator[tuple[str, str]]:
    """The column by which each table is left on the way from one node to another, and the table."""
    table = table_of(start)
    for mine, goal, _ in node_steps(node.removeprefix(start)):
        yield mine, table
        table = goal
