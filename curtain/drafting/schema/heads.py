"""What stands between SELECT and FROM and behind WHERE: keys, attributes, counts, groups, the most and the least."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..sql.statements import Clause, Column, Hole, Part, Statement, Sub, table_of
from .breath import ABOVE
from .clauses import extreme_clause, further, most_in_groups
from .extremes import extreme, extreme_of_name, named_within, reach, turned
from .focus import speaks_of_age
from .marks import works_out_for_each
from .pack_schema import Schema
from .plan import Plan
from .words import Mark

__all__ = ["statements_of"]

_DAYS_OF_YEAR = 365.25
_UNLIKELY = 0.2
_WHICH = (("which",), ("what",))


def statements_of(plan: Plan) -> Iterator[tuple[float, Statement]]:
    """The statements of a reading, each with how likely it is among them."""
    grouped = list(_grouped(plan))
    if grouped:
        yield from grouped
        return
    if works_out_for_each(plan.question) or _asks_for_both_ends(plan):
        plan.give_up()
    clauses, weight, aggregate = plan.all_clauses(), 1.0, ""
    for share, statement in _for_each_named(plan, tuple(_once(clauses))):
        yield share, statement
        weight = 1.5 - share
    for one in plan.question.superlatives:
        within = named_within(plan, one)
        found = extreme_of_name(plan, one, within) if within else extreme(plan, one)
        if found is None and within:
            continue
        if found is None:
            weight *= 0.4
            continue
        plan.explained |= found.covers
        weight *= found.weight
        if found.head:
            aggregate = "MAX" if found.sign > 0 else "MIN"
        else:
            clauses = [*clauses, extreme_clause(found.node, found.column, found.sign, clauses, found.alone)]
    if plan.question.superlatives and plan.focus.works_out:
        # “The highest average salary” is that of no group here.
        weight *= _UNLIKELY
    head = _head(plan, aggregate)
    yield weight, Statement(plan.focus.root, head, tuple(_once(clauses)))


def _asks_for_both_ends(plan: Plan) -> bool:
    """“The oldest and the youngest”: no draft gives both."""
    words, ends = plan.question.words, plan.question.superlatives
    between = (words[one.last : other.first] for one, other in pairwise(ends))
    return any(said in (("and",), ("and", "the")) for said in between)


def _once(clauses: list[Clause]) -> Iterator[Clause]:
    seen: set[str] = set()
    for clause in clauses:
        if clause.whole not in seen:
            seen.add(clause.whole)
            yield clause


def _head(plan: Plan, aggregate: str) -> tuple[Part, ...]:
    focus, schema = plan.focus, plan.schema
    if focus.asks == "count":
        return _count(plan)
    if focus.works_out:
        return _worked_out(plan, Column(focus.root, focus.columns[0]))
    if aggregate and focus.columns:
        return (f"{aggregate}(", Column(focus.root, focus.columns[0]), ")")
    if plan.at_issue is not None:
        return (*_count(plan), f" {plan.at_issue.op} ", Hole(0, plan.at_issue.low))
    if focus.asks == "yes" and schema.boolean:
        return ("COUNT(*) > 0",)
    return _rows(plan)


def _worked_out(plan: Plan, column: Column) -> tuple[Part, ...]:
    """The sum or average of a column; that of an age is worked out from the birth."""
    schema, table = plan.schema, table_of(column.node)
    if schema.kind(table, column.name) == "date":
        return ("ROUND(AVG(DATE_DIFF('day', ", column, f", DATE '{schema.as_of}')) / {_DAYS_OF_YEAR}, 2)")
    if plan.focus.asks == "AVG" and speaks_of_age(plan.question) and schema.measured(table, "old") == (column.name, -1):
        return (f"AVG({schema.as_of.year} - ", column, ")")
    return (f"{plan.focus.asks}(", column, ")")


def _for_each_named(plan: Plan, clauses: tuple[Clause, ...]) -> Iterator[tuple[float, Statement]]:
    """“The average salary of women and men”: rather one for each of them; a total is rather that of all, and a number
    may be either."""
    focus = plan.focus
    counts = focus.asks == "count" and not focus.columns
    if len(plan.said) < 2 or not (counts or (focus.works_out and focus.columns)):
        return
    listed = [one for one in plan.said if one.node == focus.root and not one.denied]
    share = {"AVG": 1.0, "count": 0.75}.get(focus.asks, 0.5)
    for one, other in pairwise(sorted(listed, key=lambda said: said.first)):
        if one.column != other.column or "and" not in plan.question.words[one.last : other.first]:
            continue
        if counts and (one.like or other.like):
            return
        if one.like or other.like:
            # “The clerks and the engineers” have no column of kinds by which they could be grouped.
            plan.doubt *= 1.5 - share
            return
        group = Column(focus.root, one.column)
        yield share, Statement(focus.root, (group, ", ", *_value(plan)), clauses, ("GROUP BY ", group))
        return


def _count(plan: Plan) -> tuple[Part, ...]:
    focus, schema = plan.focus, plan.schema
    key = schema.keys.get(focus.root, ())
    if focus.columns:
        return ("COUNT(DISTINCT ", Column(focus.root, focus.columns[0]), ")")
    if plan.many and len(key) == 1:
        return ("COUNT(DISTINCT ", Column(focus.root, key[0]), ")")
    if not key:
        return ("COUNT(DISTINCT ", Column(focus.root, schema.heads[focus.root][0]), ")")
    return ("COUNT(*)",)


def _rows(plan: Plan) -> tuple[Part, ...]:
    focus, schema = plan.focus, plan.schema
    columns = focus.columns or schema.heads[focus.root]
    if schema.with_key and focus.columns and not (focus.above and focus.above.way == "of"):
        columns = tuple(dict.fromkeys((*schema.heads[focus.root], *columns)))
    key = schema.keys.get(focus.root, ())
    whole = bool(key) and set(key) <= set(columns) and not plan.many and not focus.beside
    parts: list[Part] = [] if whole else ["DISTINCT "]
    for number, column in enumerate(columns):
        parts += [", "] * bool(number) + [Column(focus.root, column)]
    for table, column in focus.beside:
        parts += [", ", Column(_beside(plan, table), column)]
    return tuple(parts)


def _beside(plan: Plan, table: str) -> str:
    """The node of what is asked for of another table, or of those above."""
    if table == ABOVE:
        return plan.schema.above(plan.focus.root)
    node = next((one for one, _ in plan.nodes if table_of(one) == table), None)
    return node or reach(plan, table) or plan.focus.root


def _grouped(plan: Plan) -> Iterator[tuple[float, Statement]]:
    """“The average salary for each department”, “which department has the most employees”."""
    group = next(filter(None, (_group_at(plan, at) for at in plan.question.per)), None) or _group_before(plan)
    clauses = tuple(_once(plan.all_clauses()))
    if group is not None and group[0].node != "":
        column, covers = group
        value = _value(plan)
        if value:
            plan.explained |= covers
            yield 1.0, Statement(plan.focus.root, (column, ", ", *value), clauses, ("GROUP BY ", column))
            return
    yield from _best_group(plan, clauses) or _most_below(plan, clauses) or _most_of(plan, clauses)


def _most_below(plan: Plan, clauses: tuple[Clause, ...]) -> list[tuple[float, Statement]]:
    """“Who supervises the most people”: those above most others."""
    focus, schema, question = plan.focus, plan.schema, plan.question
    above = focus.above
    if above is None or above.way not in ("are", "count") or above.table != focus.root or focus.columns:
        return []
    for one in question.superlatives:
        mark = question.next_mark(one.last, 0)
        if mark is None or one.adjective or not any(it.table == focus.root and not it.column for it in mark.senses):
            continue
        plan.explained |= set(range(one.first, mark.last))
        if any(it.first < above.first for it in plan.said):
            # “Which director supervises the most” is said of the director.
            plan.give_up()
        boss = Column(focus.root, schema.bosses[focus.root])
        own = (*(clause for clause in clauses if not _are_above(clause, boss)), Clause((boss, " IS NOT NULL")))
        tail = most_in_groups(focus.root, boss, ("COUNT(*)",), one.sign, own)
        return [(1.0, Statement(focus.root, (boss,), own, tail))]
    return []


def _are_above(clause: Clause, boss: Column) -> bool:
    """Whether it only says that somebody stands below."""
    return any(isinstance(part, Sub) and part.statement.head == (boss,) for part in clause.parts)


def _best_group(plan: Plan, clauses: tuple[Clause, ...]) -> list[tuple[float, Statement]]:
    """“Which job title earns the least on average”: the groups of which it is the most or the least."""
    focus, words = plan.focus, plan.question.words
    which = next((mark for mark in plan.question.marks if words[mark.first - 1 : mark.first] in _WHICH), None)
    if not focus.works_out or len(plan.question.superlatives) != 1 or which is None:
        return []
    one = plan.question.superlatives[0]
    for sense in which.senses:
        own = Column(focus.root, sense.column) if sense.table == focus.root and sense.column else None
        group = own or (_group_by(plan.schema, focus.root, sense.table) if not sense.column else None)
        if group is not None and group.name not in focus.columns:
            plan.explained |= {*range(one.first, one.last), *range(which.first, which.last)}
            sign = one.sign * (-1 if one.adjective == "young" else turned(one))
            tail = most_in_groups(focus.root, group, _value(plan), sign, clauses)
            return [(1.0, Statement(focus.root, (group,), clauses, tail))]
    return []


def _value(plan: Plan) -> tuple[Part, ...]:
    focus = plan.focus
    if focus.asks == "count" or not focus.columns:
        return ("COUNT(*)",) if focus.asks == "count" else ()
    column = Column(focus.root, focus.columns[0])
    if focus.works_out:
        return _worked_out(plan, column)
    signs = [one.sign * turned(one) for one in plan.question.superlatives]
    return ("MAX(" if signs[0] > 0 else "MIN(", column, ")") if signs else ()


def _group_at(plan: Plan, at: int) -> tuple[Column, frozenset[int]] | None:
    """The column for which one line each is wished: a column of the root, or the key of a table it leads to."""
    mark = plan.question.next_mark(at + 1, 2)
    if mark is None:
        mark = _told_before(plan, at)
    found = _grouped_by(plan, mark) if mark else None
    return (found[0], found[1] | {at}) if found else None


def _grouped_by(plan: Plan, mark: Mark) -> tuple[Column, frozenset[int]] | None:
    covers = frozenset(range(mark.first, mark.last))
    root, schema = plan.focus.root, plan.schema
    for sense in mark.senses:
        if sense.table == root and sense.column and sense.weight >= 0.6:
            return Column(root, sense.column), covers
        found = _group_by(schema, root, sense.table) if not sense.column and sense.table != root else None
        if found is not None:
            return found, covers
        far = sense.column and sense.weight >= 0.9 and sense.table != root
        node = reach(plan, sense.table) if far else None
        if node is not None:
            return Column(node, sense.column), covers
    return None


def _group_before(plan: Plan) -> tuple[Column, frozenset[int]] | None:
    """“Job titles and their highest salary”: one line for each of what is named first."""
    first = plan.question.marks[0] if works_out_for_each(plan.question) else None
    return _grouped_by(plan, first) if first is not None and first.first not in plan.focus.covers else None


def _told_before(plan: Plan, at: int) -> Mark | None:
    """What “each” at the end is said of: “the departments and how many people work in each”."""
    words = plan.question.words
    ends = words[at] == "each" and words[at + 1 :] in ((), ("one",), ("of", "them"), ("has",), ("have",), ("employs",))
    first = plan.question.marks[0] if ends and plan.question.marks else None
    return first if first and first.first not in plan.focus.covers else None


def _group_by(schema: Schema, root: str, table: str) -> Column | None:
    """The column by which rows of the root fall into groups of another table: their reference to it, or its key."""
    for way in schema.ways.get((root, table), ()):
        if any(step.many for step in way):
            continue
        if len(way) == 1 and way[0].theirs in schema.keys.get(table, ()):
            return Column(root, way[0].mine)
        return Column(further(root, way), schema.heads[table][0])
    return None


def _most_of(plan: Plan, clauses: tuple[Clause, ...]) -> Iterator[tuple[float, Statement]]:
    """“Which department has the most employees”: groups of another table's rows."""
    focus, schema = plan.focus, plan.schema
    for one in plan.question.superlatives:
        mark = plan.question.next_mark(one.last)
        if mark is None or one.adjective not in ("", "high", "great", "large") or focus.columns or focus.asks != "rows":
            continue
        for sense in mark.senses:
            root = sense.table
            if root == focus.root or (sense.column and one.adjective == ""):
                continue
            group = _group_by(schema, root, focus.root)
            if group is None or sense.column or one.adjective:
                continue
            if any(
                isinstance(part, Column) and part.node == focus.root
                for clause in plan.all_clauses()
                for part in clause.parts
                if not clause.bare
            ):
                continue
            plan.explained |= set(range(one.first, mark.last))
            tail = most_in_groups(root, group, ("COUNT(*)",), one.sign, ())
            yield 0.9, Statement(root, (group,), (), tail)
            return
