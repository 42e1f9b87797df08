"""One reading of a query over a schema: a root, what is asked of it, and where each value belongs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .column_words import lemmas, words_in
from .pack_schema import Schema, Step, Way
from .schema_clauses import Said, amount_clause, further, name_clauses, not_among
from .schema_focus import Focus
from .schema_marks import Amount, Mark, Question
from .statements import Clause, Column, Hole, Statement, Sub, table_of

__all__ = ["Plan", "planned"]

_ROLES = {
    "from": frozenset(["from", "departure", "origin", "source", "start", "leave", "depart"]),
    "leaving": frozenset(["from", "departure", "origin", "source", "start", "leave", "depart"]),
    "departing": frozenset(["from", "departure", "origin", "source", "start", "leave", "depart"]),
    "to": frozenset(["to", "arrival", "destination", "end", "arrive", "target"]),
    "into": frozenset(["to", "arrival", "destination", "end", "arrive", "target"]),
    "toward": frozenset(["to", "arrival", "destination", "end", "arrive", "target"]),
    "arriving": frozenset(["to", "arrival", "destination", "end", "arrive", "target"]),
}
_ROLED = frozenset(word for words in _ROLES.values() for word in words)
_NEARBY = 4
_JOINS = words_in("the of in is are with a an named called name whose has have by")


@dataclass
class Plan:
    """A reading while it is put together; `doubt` is the product of all that was chosen, 1 for no doubt at all. `close`
    holds for each decision how good the second choice was."""

    question: Question
    schema: Schema
    focus: Focus
    flips: frozenset[int]
    nodes: list[tuple[str, int]] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    explained: set[int] = field(default_factory=set)
    doubt: float = 1.0
    close: list[float] = field(default_factory=list)
    many: bool = False

    def chosen(self, options: Sequence[tuple[float, object]]) -> tuple[float, object] | None:
        """The best option, or the second where this decision is to be made otherwise."""
        ranked = sorted(options, key=lambda one: -one[0])
        ranked = [one for one in ranked if one[0] > 0.01]
        if not ranked:
            return None
        number = len(self.close)
        self.close.append(ranked[1][0] / ranked[0][0] if len(ranked) > 1 else 0.0)
        place = 1 if number in self.flips and len(ranked) > 1 else 0
        return ranked[place]

    def near(self, at: int) -> list[tuple[str, float]]:
        """The nodes that something said at this place may be about: first the one last spoken of."""
        before = [node for node, place in self.nodes if place < at]
        found = {before[-1]: 1.0}
        for node, _ in self.nodes:
            found.setdefault(node, 0.88)
        return list(found.items())

    def all_clauses(self) -> list[Clause]:
        """The clauses of values and the others."""
        return [*name_clauses(self.said, self.schema), *self.clauses]


def planned(question: Question, schema: Schema, focus: Focus, flips: frozenset[int] = frozenset()) -> Plan:
    """The reading of a query with this focus; `flips` are decisions to be made the second best way."""
    plan = Plan(question, schema, focus, flips, nodes=[(focus.root, -1)])
    plan.explained |= focus.covers
    _stood_above(plan)
    for _, item in _items(question, focus):
        if isinstance(item, Mark):
            _spoken_of(plan, item)
        elif isinstance(item, Amount):
            _measured(plan, item)
        else:
            _named(plan, item)
    return plan


def _items(question: Question, focus: Focus) -> list[tuple[int, Mark | Amount | int]]:
    items: list[tuple[int, Mark | Amount | int]] = [(question.found[n].first, n) for n in question.names]
    items += [(amount.first, amount) for amount in question.amounts]
    items += [(mark.first, mark) for mark in question.marks if mark.first not in focus.covers]
    # What is spoken of comes first: the values belong to it wherever they stand.
    return sorted(items, key=lambda one: (not isinstance(one[1], Mark), one[0]))


def _stood_above(plan: Plan) -> None:
    """The clauses for who stands above others in the same table."""
    above, schema = plan.focus.above, plan.schema
    if above is None:
        return
    root, column = above.table, schema.bosses[above.table]
    key, boss = Column(root, schema.keys[root][0]), Column(root, column)
    if above.way == "none":
        plan.clauses.append(Clause((boss, " IS NULL")))
        plan.explained |= {at for first, last in plan.question.nots for at in range(first, last)}
    elif above.way == "are":
        plan.clauses.append(Clause((key, " IN ", Sub(Statement(root, (boss,), ())))))


def _only_at(plan: Plan, n: int) -> str | None:
    """The one node that a value can be about, if it is said of who stands above, or of who stands below."""
    above = plan.focus.above
    if above is None or n not in above.names:
        return None
    root = above.table
    if above.way == "over":
        return f"{root}>{plan.schema.bosses[root]}={root}.{plan.schema.keys[root][0]}"
    return root


def _denied(plan: Plan, at: int) -> tuple[int, int] | None:
    """The “not” that goes with what stands here: nothing else stands between them."""
    question = plan.question
    for first, last in question.nots:
        stops = [n for n in question.names if last <= question.found[n].first < at]
        stops += [1 for amount in question.amounts if last <= amount.first < at]
        if last <= at <= last + _NEARBY and not stops:
            return first, last
    return None


def _spoken_of(plan: Plan, mark: Mark) -> None:
    """A table or column that is named besides what is asked: a node of its own, or a word for what comes next."""
    if _empty(plan, mark):
        return
    sense = mark.senses[0]
    tables = {table_of(node) for node, _ in plan.nodes}
    names = _names_a_value(plan, mark)
    if names or any(one.table in tables and one.column for one in mark.senses):
        return
    at_hand = next((one for one in mark.senses if not one.column and one.table in tables), None)
    if at_hand is not None and not _again(plan, mark, at_hand.table):
        plan.explained |= set(range(mark.first, mark.last))
        return
    table = next((one for one in mark.senses if not one.column and one.weight >= 0.6), None)
    if table is None:
        return
    denied = _denied(plan, mark.first)
    found = _reached(plan, table.table, mark.first)
    if found is None:
        return
    weight, (node, way) = found
    plan.explained |= set(range(mark.first, mark.last))
    plan.doubt *= 0.9 + 0.1 * min(1.0, weight * sense.weight)
    if denied and not _followed(plan, mark) and way[0].many:
        plan.explained |= set(range(*denied))
        plan.clauses.append(not_among(plan.focus.root, way[0].mine, way, ()))
        return
    plan.nodes.append((node, mark.first))
    plan.many |= any(step.many for step in way)
    plan.clauses.append(Clause((Column(node, plan.schema.tables[table.table][0]),)))


def _empty(plan: Plan, mark: Mark) -> bool:
    """“Have no home phone”: a column without a value."""
    denied = _denied(plan, mark.first)
    nodes = {table_of(node): node for node, _ in reversed(plan.nodes)}
    sense = next((one for one in mark.senses if one.column and one.table in nodes and one.weight > 0.6), None)
    if (
        denied is None
        or sense is None
        or plan.question.words[denied[0]] not in ("no", "without")
        or _followed(plan, mark)
    ):
        return False
    if any(not one.column and one.weight > sense.weight for one in mark.senses):
        return False
    plan.clauses.append(Clause((Column(nodes[sense.table], sense.column), " IS NULL")))
    plan.explained |= set(range(*denied)) | set(range(mark.first, mark.last))
    return True


def _followed(plan: Plan, mark: Mark) -> bool:
    return any(plan.question.found[n].first > mark.first for n in plan.question.names)


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
        ahead = mark.last <= found.first and set(between) <= _JOINS and len(between) < 4
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
    for node, weight in plan.near(at):
        ends = _ends(plan, node, table) if ">" in node else ()
        for way in ends or plan.schema.ways.get((table_of(node), table), ()):
            score = weight * 0.8 ** (len(way) - 1) * (0.9 if way[-1].many else 1.0)
            score *= _role(plan, f"{way[0].mine} {way[-1].theirs}", at)
            options.append((score, (further(node, way), way)))
    found = plan.chosen(options)
    return found if found is None else (found[0], found[1])  # type: ignore[return-value]


def _role(plan: Plan, columns: str, at: int) -> float:
    """How well a preposition before a value goes with the names of the columns that lead to it."""
    tokens = set(lemmas(columns.replace("_", " ").split())) | set(columns.replace("_", " ").split())
    words = plan.question.words[max(0, at - 2) : at]
    wanted = next((_ROLES[word] for word in reversed(words) if word in _ROLES), None)
    if wanted is None:
        return 1.0
    if tokens & wanted:
        return 2.0
    return 0.05 if tokens & _ROLED else 0.8


@dataclass(frozen=True, slots=True)
class _Place:
    node: str
    column: str
    text: str
    like: bool
    way: Way


def _named(plan: Plan, n: int) -> None:
    """A value of the database: the column that it most likely stands in."""
    found = plan.question.found[n]
    picked = plan.chosen(list(_places(plan, n)))
    if picked is None:
        return
    score, place = picked
    assert isinstance(place, _Place)
    denied = _denied(plan, found.first)
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
    if denied and place.way and place.way[0].many and place.node.startswith(f"{plan.focus.root}>"):
        own = [
            *name_clauses([Said(n, said.first, said.last, said.node, said.column, said.text, said.like)], plan.schema)
        ]
        plan.clauses.append(not_among(plan.focus.root, place.way[0].mine, place.way, own))
        return
    plan.many |= any(step.many for step in place.way)
    plan.said.append(said)
    if all(node != place.node for node, _ in plan.nodes):
        plan.nodes.append((place.node, found.last))


def _places(plan: Plan, n: int) -> Iterator[tuple[float, object]]:
    found, schema = plan.question.found[n], plan.schema
    for rank, meaning in enumerate(found.meanings):
        for form, value in meaning.forms.items():
            if "#" in form:
                continue
            like = form[0] == "%"
            column = form.strip("%")
            text = value.strip("%") if like else value
            weight = 0.97**rank * _fits(plan, n, column, text, like, len(meaning.forms))
            holders = (column,) if like else (column, *schema.held.get(column, ()))
            for holder in holders if weight > 0.02 else ():
                yield from _at(plan, n, holder, column, f"%{text}%" if like else text, like, weight)


def _fits(plan: Plan, n: int, column: str, text: str, like: bool, forms: int) -> float:
    """Parts of values are for words that stand in many of them, as kinds of jobs do; else the whole value is meant."""
    common = text in plan.schema.common.get(column, ()) and not plan.schema.is_key(*column.split(".", 1))
    names = column.endswith("_name") or column.split(".")[1] in ("name", "city", "capital")
    if like:
        return 1.0 if common and not names else 0.3
    exact = plan.question.found[n].meanings[0].forms
    return 0.6 if common and not names and f"%{column}" in exact else 1.0


def _at(
    plan: Plan, n: int, holder: str, column: str, text: str, like: bool, weight: float
) -> Iterator[tuple[float, _Place]]:
    table, name = holder.split(".", 1)
    found = plan.question.found[n]
    hint = _hint(plan, table, name, found.first, found.last) * _hint_of(plan, column, found)
    only = _only_at(plan, n)
    for node, share in plan.near(found.first) if only is None else [(only, 1.0)]:
        score = weight * share * hint * _fresh(plan, n, node, name)
        if table_of(node) == table and not _odd(plan, node, name, column):
            yield score * _role(plan, name, found.first), _Place(node, name, text, like, ())
        if holder != column:
            continue
        for way in plan.schema.ways.get((table_of(node), table), ()):
            roles = f"{way[0].mine} {' '.join(step.theirs for step in way)}"
            steep = 0.75 ** len(way) * (0.8 if way[-1].many else 1.0)
            goal = further(node, way)
            known = 1.1 if any(goal == one for one, _ in plan.nodes) else 1.0
            yield (
                score * steep * known * _role(plan, roles, found.first) * _fresh(plan, n, goal, name),
                _Place(goal, name, text, like, way),
            )


def _odd(plan: Plan, node: str, name: str, column: str) -> bool:
    """The column by which one came here tells nothing new."""
    if ">" not in node or f"{table_of(node)}.{name}" == column:
        return False
    return node.rsplit(">", 1)[-1].split("=")[-1].split(".")[-1] == name


def _fresh(plan: Plan, n: int, node: str, name: str) -> float:
    """A second value of a column is less likely, unless “or”, “and” or a comma list them; a value of the column that
    is asked for tells nothing."""
    question, found = plan.question, plan.question.found[n]
    score = 1.0
    if node == plan.focus.root and plan.focus.asks in ("rows", "count"):
        key = plan.schema.heads[node]
        asked = plan.focus.columns or key[:1]
        own = name in key and f"{node}.{name}" not in plan.schema.refers
        if not plan.focus.columns and own is False and name.endswith("name") and plan.focus.asks == "rows":
            score = 0.5 if f"{node}.{name}" not in plan.schema.refers and node not in plan.schema.people else 1.0
        if name in asked:
            score = 0.08 if plan.focus.columns or not _hinted(plan, n) else 0.5
        elif plan.focus.columns and plan.focus.asks == "rows":
            score = (
                1.3
                if own or name in key or (name.endswith("name") and f"{node}.{name}" not in plan.schema.refers)
                else 0.9
            )
    for one in plan.said:
        if (one.node, one.column) == (node, name):
            between = set(question.words[one.last : found.first])
            score *= 1.0 if between & {"or", "and", "nor"} or len(between) == 0 else 0.3
    return score


def _hinted(plan: Plan, n: int) -> bool:
    """A value with its table's word beside it, which is not what is asked for."""
    found = plan.question.found[n]
    words = plan.question.words[max(0, found.first - 2) : found.first]
    return bool({"named", "called", "name"} & set(words))


def _hint(plan: Plan, table: str, name: str, first: int, last: int) -> float:
    """How the words beside a value speak for this column."""
    best = 0.0
    for mark in plan.question.marks:
        near = first - _NEARBY <= mark.last - 1 < first or last <= mark.first <= last
        if not near:
            continue
        for sense in mark.senses:
            if (sense.table, sense.column) == (table, name):
                best = max(best, sense.weight * (1.0 if mark.last == first or mark.first == last else 0.8))
    return 1.0 + best


def _hint_of(plan: Plan, column: str, found: object) -> float:
    """A word beside a value that names its table: “school 2074”, “the state of Texas”."""
    table = column.split(".")[0]
    first, last = found.first, found.last  # type: ignore[attr-defined]
    for mark in plan.question.marks:
        between = plan.question.words[mark.last : first]
        beside = mark.first == last or (
            mark.last <= first and len(between) < 3 and set(between) <= {"the", "of", "a", "named", "called"}
        )
        tables = [one.table for one in mark.senses if not one.column and one.weight >= 0.6]
        if beside and tables:
            key = column.split(".")[1] in (*plan.schema.keys.get(table, ()), *plan.schema.heads.get(table, ()))
            named = column.split(".")[1].endswith("name")
            return 2.0 if table in tables and (key or named) else 0.7
    return 1.0


def _hints(plan: Plan, place: _Place, first: int, last: int) -> set[int]:
    """The words beside a value that say its column."""
    table = table_of(place.node)
    near = (mark for mark in plan.question.marks if first - _NEARBY <= mark.last - 1 < first or mark.first == last)
    return {
        at
        for mark in near
        if any(one.table == table and one.column in ("", place.column) for one in mark.senses)
        for at in range(mark.first, mark.last)
    }


def _measured(plan: Plan, amount: Amount) -> None:
    """A number, date, time or period: the column that it most likely measures."""
    if _numbered(plan, amount):
        return
    denied = _denied(plan, amount.first)
    options = list(_columns(plan, amount, denied is not None))
    picked = plan.chosen(options)
    if picked is None:
        if not amount.sure:
            return
        plan.doubt *= 0.4
        return
    score, (node, column, clause, way, covers) = picked  # type: ignore[misc]
    plan.doubt *= 1.25 * score / (score + 0.25)
    plan.used |= set(amount.found)
    plan.explained |= set(range(amount.first, amount.last)) | covers
    if denied:
        plan.explained |= set(range(*denied))
    plan.many |= any(step.many for step in way)
    plan.clauses.append(clause)


def _numbered(plan: Plan, amount: Amount) -> bool:
    """“With more than 10 employees”: so many rows of another table that belong to one of these."""
    above, schema, root = plan.focus.above, plan.schema, plan.focus.root
    mark = next((one for one in plan.question.marks if one.first == amount.last - bool(amount.units)), None)
    if amount.kind != "number" or amount.high or (mark is None and above is None):
        return False
    if above is not None and above.way == "count":
        way: Way | None = (Step(schema.keys[root][0], root, schema.bosses[root], True),)
    else:
        tables = [one.table for one in mark.senses if not one.column and one.weight >= 0.6] if mark else []
        ways = [way for table in tables for way in schema.ways.get((root, table), ()) if way[0].many and len(way) == 1]
        way = ways[0] if ways else None
    if not way:
        return False
    there = Column(way[0].table, way[0].theirs)
    tail = ("GROUP BY ", there, f" HAVING COUNT(*) {amount.op} ", Hole(0, amount.low))
    plan.clauses.append(Clause((Column(root, way[0].mine), " IN ", Sub(Statement(way[0].table, (there,), (), tail)))))
    plan.used |= set(amount.found)
    plan.explained |= set(range(amount.first, max(amount.last, mark.last if mark else 0)))
    return True


def _columns(plan: Plan, amount: Amount, denied: bool) -> Iterator[tuple[float, object]]:
    schema = plan.schema
    for node, share in plan.near(amount.first):
        start = table_of(node)
        for table in schema.tables:
            ways = [()] if table == start else schema.ways.get((start, table), ())[:1]
            for way in ways:
                for column in schema.tables[table]:
                    weight, covers = _suits(plan, amount, table, column, len(way))
                    if weight < 0.02:
                        continue
                    goal = further(node, way)
                    clause = amount_clause(amount, goal, column, schema, denied)
                    if clause is not None:
                        yield weight * share * 0.6 ** len(way), (goal, column, clause, way, covers)


def _suits(plan: Plan, amount: Amount, table: str, column: str, far: int) -> tuple[float, set[int]]:
    """How likely a column holds this amount, by its kind and by the words beside it, and those words."""
    schema = plan.schema
    kind = schema.kind(table, column)
    if not _possible(amount, kind, column):
        return 0.0, set()
    weight, covers = 0.0, set[int]()
    for mark, distance in _beside(plan, amount):
        for sense in mark.senses:
            if sense.table != table:
                continue
            numbers = sense.column == "" and schema.keys.get(table, ())[:1] == (column,) and distance == 0
            if sense.column == column or numbers:
                score = sense.weight * 0.85**distance
                if score > weight:
                    weight, covers = score, set(range(mark.first, mark.last))
    if amount.adjective:
        measured = schema.measured(table, amount.adjective)
        weight = max(weight, 0.9 if measured and measured[0] == column else 0.0)
    if set(lemmas(amount.units)) & set(lemmas(column.split("_"))):
        weight = max(weight + 0.2, 0.7)
    if weight == 0.0 and far == 0:
        weight = _by_kind(plan, amount, table, column, kind)
    return weight * (0.4 if schema.is_key(table, column) and amount.op != "=" else 1.0), covers


def _possible(amount: Amount, kind: str, column: str) -> bool:
    if amount.kind in ("date", "month"):
        return kind == "date"
    if amount.kind in ("time", "period"):
        return kind == "time"
    if amount.kind == "year":
        return kind in ("date", "number")
    return kind == "number" or (kind == "date" and bool({"age", "birth"} & set(amount.units) or amount.adjective))


def _by_kind(plan: Plan, amount: Amount, table: str, column: str, kind: str) -> float:
    schema = plan.schema
    if schema.is_key(table, column):
        return 0.03 if amount.op == "=" else 0.0
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
        distance = sum(word not in _JOINS for word in between)
        if distance <= _NEARBY + 2:
            yield mark, distance + (1 if mark.first >= amount.last else 0)
