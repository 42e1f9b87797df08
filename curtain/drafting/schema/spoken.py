"""Tables and columns that are named besides what is asked for, and who stands above others."""

from __future__ import annotations

from ..query.column_words import lemma
from ..sql.statements import Clause, Column, Hole, Statement, Sub, table_of
from .clauses import further, not_among
from .directions import role_of, roles_at
from .numbers import Amount
from .pack_schema import Way
from .plan import Plan, denied_at
from .words import JOINS, NEARBY, Mark, Sense

__all__ = ["spoken_of", "stood_above"]


def stood_above(plan: Plan) -> None:
    """The clauses for who stands above others in the same table."""
    above, schema = plan.focus.above, plan.schema
    if above is None:
        return
    root, column = above.table, schema.bosses[above.table]
    key, boss = Column(root, schema.keys[root][0]), Column(root, column)
    if above.way in ("none", "has"):
        plan.clauses.append(Clause((boss, " IS NULL" if above.way == "none" else " IS NOT NULL")))
    elif above.way == "are":
        plan.clauses.append(Clause((key, " IN ", Sub(Statement(root, (boss,), ())))))
    elif above.way == "no":
        said = Clause((boss, " IS NOT NULL"))
        plan.clauses.append(Clause((key, " NOT IN ", Sub(Statement(root, (boss,), (said,))))))
    elif above.others:
        plan.clauses.append(Clause((key, " <> ", Column(schema.above(root, above.path), key.name))))
    if above.denied:
        plan.explained |= set(range(*above.denied))
        plan.spent.add(above.denied[0])


def spoken_of(plan: Plan, mark: Mark) -> None:
    """A table or column that is named besides what is asked: a node of its own, or a word for what comes next."""
    if _empty(plan, mark):
        return
    sense = mark.senses[0]
    tables = {table_of(node) for node, _ in plan.nodes}
    names = _names_a_value(plan, mark)
    named = max((one.weight for one in mark.senses if not one.column), default=0.0)
    if names or any(one.table in tables and one.column and one.weight > named - 0.1 for one in mark.senses):
        return
    at_hand = next((one for one in mark.senses if not one.column and one.table in tables), None)
    if at_hand is not None and not _again(plan, mark, at_hand.table):
        plan.explained |= set(range(mark.first, mark.last))
        return
    table = _of_year(plan, mark) or next((one for one in mark.senses if not one.column and one.weight >= 0.6), None)
    if table is None:
        return
    denied = denied_at(plan, mark.first)
    found = _reached(plan, table.table, mark.first)
    if found is None:
        return
    weight, (node, way) = found
    plan.explained |= set(range(mark.first, mark.last))
    plan.doubt *= 0.9 + 0.1 * min(1.0, weight * sense.weight)
    if denied and not _followed(plan, mark) and way[0].many and node == further(plan.focus.root, way):
        plan.explained |= set(range(*denied))
        plan.spent.add(denied[0])
        plan.clauses.append(not_among(plan.focus.root, way[0].mine, way, ()))
        return
    if denied and not _followed(plan, mark) and len(way) == 1 and node == further(plan.focus.root, way):
        plan.explained |= set(range(*denied))
        plan.spent.add(denied[0])
        plan.clauses.append(Clause((Column(plan.focus.root, way[0].mine), " IS NULL")))
        return
    plan.nodes.append((node, mark.first))
    plan.many |= any(step.many for step in way)
    plan.clauses.append(Clause((Column(node, plan.schema.tables[table.table][0]),)))


def _of_year(plan: Plan, mark: Mark) -> Sense | None:
    """The table of which a word says the year, where one is said right behind: “graduated in 1975” is said of degrees,
    and not of schools."""
    if not any(one.kind == "year" and 0 <= one.first - mark.last <= NEARBY for one in plan.question.amounts):
        return None
    best = [one for one in mark.senses if one.column and one.weight >= max(0.6, mark.senses[0].weight)]
    years = (one for one in best if lemma("year") in plan.schema.stems[one.column])
    return next((Sense(one.table, "", one.weight) for one in years), None)


def _empty(plan: Plan, mark: Mark) -> bool:
    """“Have no home phone”: a column without a value. A column that counts has 0: “without stops”."""
    denied = denied_at(plan, mark.first)
    nodes = {table_of(node): node for node, _ in reversed(plan.nodes)}
    sense = next((one for one in mark.senses if one.column and one.table in nodes and one.weight > 0.6), None)
    if (
        denied is None
        or sense is None
        or plan.question.words[denied[0]] not in ("no", "without")
        or _followed(plan, mark, True)
    ):
        return False
    if any(not one.column and one.weight > sense.weight for one in mark.senses):
        return False
    column = Column(nodes[sense.table], sense.column)
    counts = plan.schema.kind(sense.table, sense.column) == "number" and not _refers(plan, sense)
    plan.clauses.append(Clause((column, " = ", Hole(0, "0")) if counts else (column, " IS NULL")))
    plan.spent.add(denied[0])
    plan.explained |= set(range(*denied)) | set(range(mark.first, mark.last))
    return True


def _measures(plan: Plan, amount: Amount, mark: Mark) -> bool:
    """Whether a bound behind a word for a table is one of its rows: “bikes under 300”, “rented for over 5 days”."""
    if amount.first >= mark.last and amount.kind == "year" and _of_year(plan, mark):
        return True
    if amount.op == "=" or amount.first < mark.last:
        return False
    tables = {one.table for one in mark.senses if not one.column}
    behind = (one for one in plan.question.marks if one.first <= amount.last <= one.last and one.first > mark.first)
    return amount.first == mark.last or any(one.table in tables and one.column for it in behind for one in it.senses)


def _refers(plan: Plan, sense: Sense) -> bool:
    return plan.schema.is_key(sense.table, sense.column) or f"{sense.table}.{sense.column}" in plan.schema.refers


def _followed(plan: Plan, mark: Mark, column: bool = False) -> bool:
    """Whether a value comes behind that may belong to what is named here; to a column none does that something goes
    from or to."""
    if not column and any(_measures(plan, one, mark) for one in plan.question.amounts):
        return True
    behind = (plan.question.found[n].first for n in plan.question.names)
    return any(at > mark.first and not (column and roles_at(plan.question.words, at)) for at in behind)


def _again(plan: Plan, mark: Mark, table: str) -> bool:
    """Whether a table is spoken of anew: states that border states."""
    node = plan.nodes[-1][0]
    return table_of(node) != table and len(_ends(plan, node, table)) > 0


def _ends(plan: Plan, node: str, table: str) -> list[Way]:
    """Direct ways to a table that this node does not come from."""
    came = node.rsplit(">", 1)[-1].split("=")[-1].split(".")[-1] if ">" in node else ""
    ways = plan.schema.ways.get((table_of(node), table), ())
    return [way for way in ways if len(way) == 1 and not way[0].many and way[0].mine != came]


def _names_a_value(plan: Plan, mark: Mark) -> bool:
    """“The city of Boston”, “Red river”: the word only says what the value is."""
    question = plan.question
    for n in question.names:
        found = question.found[n]
        between = question.words[mark.last : found.first]
        ahead = mark.last <= found.first and set(between) <= JOINS and len(between) < 4
        if (ahead or mark.first == found.last) and _called(plan, mark, n):
            plan.explained |= set(range(mark.first, mark.last))
            return True
    return False


def _called(plan: Plan, mark: Mark, n: int) -> bool:
    forms = {form.strip("%") for one in plan.question.found[n].meanings for form in one.forms}
    return any(
        any(
            form.startswith(f"{one.table}.") and (not one.column or form == f"{one.table}.{one.column}")
            for form in forms
        )
        for one in mark.senses
        if one.weight >= 0.6
    )


def _reached(plan: Plan, table: str, at: int) -> tuple[float, tuple[str, Way]] | None:
    options: list[tuple[float, object]] = []
    wanted = roles_at(plan.question.words, at)
    for node, weight in plan.near(at):
        ends = _ends(plan, node, table) if ">" in node else ()
        for way in ends or plan.schema.ways.get((table_of(node), table), ()):
            score = weight * 0.8 ** (len(way) - 1) * (0.9 if way[-1].many else 1.0)
            score *= role_of(plan.schema, (way[0].mine, way[-1].theirs), wanted)
            options.append((score, (further(node, way), way)))
    found = plan.chosen(options)
    return found if found is None else (found[0], found[1])  # type: ignore[return-value]
