"""Which column a number, date, time or period of a query measures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter

from .ages import AGES, FLIPPED
from .column_words import lemma, lemmas, words_in
from .edits import columns_of, one_or_other
from .none_of import missing, none_of
from .pack_schema import Way
from .schema_clauses import Said, amount_clause, further
from .schema_numbers import YEARLY, Amount
from .schema_plan import JOINS, NEARBY, Plan, denied_at
from .schema_words import Mark
from .statements import Clause, Column, Hole, table_of

__all__ = ["measured"]

_LINKS = frozenset(["and", "in", "on", "the"])
_HIRED = frozenset(lemmas(["hire", "join", "start", "employed"]))
# “Flight 45” is that of this number; “people in 45” are not.
_APART = words_in("in of is are was were have has")


def measured(plan: Plan, amount: Amount) -> None:
    """A number, date, time or period: the column that it most likely measures."""
    if _among(plan, amount):
        return
    denied = denied_at(plan, amount.first)
    if amount.op == "<>":
        amount, denied = replace(amount, op="="), denied or (amount.first, amount.first + 1)
    options = list(_columns(plan, amount, denied is not None))
    picked = plan.chosen(options)
    if picked is None:
        if not amount.sure:
            return
        plan.doubt *= 0.4
        return
    score, (clause, way, covers) = picked
    plan.doubt *= 1.25 * score / (score + 0.25)
    plan.used |= set(amount.found)
    plan.explained |= set(range(amount.first, amount.last)) | covers
    if denied:
        plan.explained |= set(range(*denied))
    gone = missing(clause) if denied else None
    if denied and gone is not None:
        plan.leave(gone, denied[0])
    else:
        plan.many |= any(step.many for step in way)
    other = None if denied else _alternative(plan, amount, clause)
    if other is not None:
        plan.clauses.remove(other)
        clause = one_or_other(other, clause)
    plan.clauses.append(clause)
    plan.lists[amount.found[0]] = clause


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


def _columns(plan: Plan, amount: Amount, denied: bool) -> Iterator[tuple[float, tuple[Clause, Way, set[int]]]]:
    schema = plan.schema
    spoken = {one.table for mark, _ in _beside(plan, amount) for one in mark.senses if one.column}
    measured = (
        [one for one in schema.tables if schema.stems_of(one) & set(lemmas(amount.units))] if amount.units else []
    )
    nodes = [*plan.near(amount.first), *(plan.passed(amount.first) if _is_a_year(plan, amount) else ())]
    for node, share in nodes:
        start = table_of(node)
        for table in dict.fromkeys((start, *spoken, *measured)):
            way: Way | None = () if table == start else next(iter(schema.ways.get((start, table), ())), None)
            for column in schema.tables[table] if way is not None else ():
                meant = _as_an_age(plan, amount, table, column)
                weight, covers = _suits(plan, meant, table, column, len(way or ()))
                clause = _clause(plan, meant, further(node, way or ()), column, denied) if weight > 0.02 else None
                if clause is not None:
                    yield weight * share * 0.6 ** len(way or ()), (clause, way or (), covers)


def _clause(plan: Plan, amount: Amount, node: str, column: str, denied: bool) -> Clause | None:
    """The condition on a column; if it is denied of what a row may have several of, that none is so."""
    said = amount_clause(amount, node, column, plan.schema, False) if denied else None
    none = none_of([said], plan.schema.keys) if said else None
    return none or amount_clause(amount, node, column, plan.schema, denied)


def _suits(plan: Plan, amount: Amount, table: str, column: str, far: int) -> tuple[float, set[int]]:
    """How likely a column holds this amount, by its kind and by the words beside it, and those words."""
    schema = plan.schema
    kind = schema.kind(table, column)
    key, year = schema.is_key(table, column), lemma("year") in schema.stems[column]
    if not _possible(amount, kind, column) or (key and not year and _is_a_year(plan, amount)):
        return 0.0, set()
    weight, covers = 0.0, set[int]()
    for mark, distance in _beside(plan, amount):
        for sense in mark.senses:
            if sense.table != table:
                continue
            beside = sense.column == "" and distance == 0 and amount.op == "=" and not amount.aged
            beside = beside and not _is_a_year(plan, amount) and not _apart(plan, amount, mark)
            numbers = beside and (schema.keys.get(table, ())[:1] == (column,) or column.endswith("number"))
            people = key and mark.senses[0].table in schema.people and not mark.senses[0].column
            own = sense.column == column and not (people and _apart(plan, amount, mark))
            if own or numbers:
                score = sense.weight * 0.85**distance * (1.1 if column.endswith("number") else 1.0)
                if score > weight:
                    weight, covers = score, set(range(mark.first, mark.last))
    if amount.adjective:
        measured = schema.measured(table, amount.adjective)
        weight = max(weight, 0.9 if measured and measured[0] == column else 0.0)
    if set(lemmas(amount.units)) & schema.stems[column]:
        weight = max(weight + 0.2, 0.7)
    if amount.served:
        weight = 0.9 if _HIRED & schema.stems[column] else 0.0
    if year and _is_a_year(plan, amount) and not _is_told(plan, amount):
        weight = max(weight, 0.9)
    if weight == 0.0 and far == 0:
        weight = _by_kind(plan, amount, table, column, kind)
    return weight * (0.4 if key and not year and amount.op != "=" else 1.0), covers


def _apart(plan: Plan, amount: Amount, mark: Mark) -> bool:
    return not _APART.isdisjoint(plan.question.words[mark.last : amount.first])


def _as_an_age(plan: Plan, amount: Amount, table: str, column: str) -> Amount:
    """The amount as an age where the column tells one: “women over 50”, “clerks between 30 and 40” are said of people,
    and nothing says what is compared."""
    schema = plan.schema
    bare = amount.kind == "number" and not (amount.units or amount.adjective)
    sided = amount.op in FLIPPED or amount.op == "between"
    if not (bare and sided) or table not in schema.people or (schema.measured(table, "old") or ("",))[0] != column:
        return amount
    years = all(text.isdigit() and int(text) in AGES for text in (amount.low, amount.high) if text)
    return replace(amount, adjective="old") if years and not _names_a_column(plan, amount, table) else amount


def _names_a_column(plan: Plan, amount: Amount, people: str) -> bool:
    """Whether a word right before an amount names a column, or one right behind it a column of numbers, and not the
    people themselves or who stands above them: “phone numbers over 50” are no ages."""
    own = ("", plan.schema.bosses.get(people, ""))
    for mark, distance in _beside(plan, amount):
        named = [(one.table, one.column) for one in mark.senses if one.column]
        if distance == 0 and not any(one.table == people and one.column in own for one in mark.senses):
            before = mark.last <= amount.first and (people in (table for table, _ in named))
            if before or any(plan.schema.kind(*one) == "number" for one in named):
                return True
    return False


def _possible(amount: Amount, kind: str, column: str) -> bool:
    if amount.kind in ("date", "month", "whole month"):
        return kind == "date"
    if amount.kind in ("time", "period"):
        return kind == "time"
    if amount.kind == "year":
        return kind in ("date", "number")
    return kind == "number" or (kind == "date" and bool({"age", "birth"} & set(amount.units) or amount.adjective))


def _is_a_year(plan: Plan, amount: Amount) -> bool:
    """Whether a number is said with “in” or “before” and can be a year: “degrees in 1975” have no such number."""
    said = plan.question.words[max(0, amount.first - 1) : amount.last]
    return amount.kind == "year" and not YEARLY.isdisjoint(said)


def _is_told(plan: Plan, amount: Amount) -> bool:
    """Whether the word right before a year says what was then: “hired in 1975”."""
    nodes = {table_of(node) for node, _ in plan.nodes}
    return any(
        plan.schema.kind(sense.table, sense.column) == "date" or lemma("year") in plan.schema.stems[sense.column]
        for mark, distance in _beside(plan, amount)
        if distance == 0 and mark.last <= amount.first
        for sense in mark.senses
        if sense.column and sense.table in nodes
    )


def _by_kind(plan: Plan, amount: Amount, table: str, column: str, kind: str) -> float:
    schema = plan.schema
    if schema.is_key(table, column):
        return 0.03 if amount.op == "=" and not _is_a_year(plan, amount) else 0.0
    same = [one for one in schema.tables[table] if schema.kind(table, one) == kind and not schema.is_key(table, one)]
    first = 1.0 if same[0] == column else 0.7
    if kind in ("date", "time"):
        return first * (0.4 if len(same) > 1 else 0.6)
    return first * (0.35 if len(same) == 1 else 0.2 if amount.op != "=" else 0.08)


def _beside(plan: Plan, amount: Amount) -> Iterator[tuple[Mark, int]]:
    """Marks near an amount, and how many words lie between that say anything."""
    for mark in plan.question.marks:
        if mark.last <= amount.first:
            between = plan.question.words[mark.last : amount.first]
        elif mark.first >= amount.last:
            between = plan.question.words[amount.last : mark.first]
        else:
            yield mark, 0
            continue
        distance = sum(word not in JOINS for word in between)
        if distance <= NEARBY + 2:
            yield mark, distance + (1 if mark.first >= amount.last else 0)
