"""Where the values of the database that a query names belong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .pack_schema import Way
from .schema_clauses import Said, further, name_clauses, not_among
from .schema_plan import NEARBY, Plan, denied_at, role_of, roles_at
from .statements import table_of

__all__ = ["named"]

_MOST_WAYS = 4
_MOST_MEANINGS = 4
_LEAST = 0.03


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
    picked = plan.chosen(list(_places(plan, n)))
    if picked is None:
        return
    score, place = picked
    assert isinstance(place, _Place)
    denied = denied_at(plan, found.first)
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
    for rank, meaning in enumerate(found.meanings[:_MOST_MEANINGS]):
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
    wanted = roles_at(plan.question.words, found.first)
    for node, share in plan.near(found.first) if only is None else [(only, 1.0)]:
        score = weight * share * hint * _fresh(plan, n, node, name)
        here = table_of(node)
        if here == table and not _odd(plan, node, name, column):
            yield score * role_of(plan.schema, (name,), wanted), _Place(node, name, text, like, ())
        for way in plan.schema.ways.get((here, table), ())[:_MOST_WAYS] if holder == column else ():
            steep = 0.75 ** len(way) * (0.8 if way[-1].many else 1.0)
            role = role_of(plan.schema, (way[0].mine, *(step.theirs for step in way)), wanted)
            if score * steep * role > _LEAST:
                goal = further(node, way)
                known = 1.1 if any(goal == one for one, _ in plan.nodes) else 1.0
                place = _Place(goal, name, text, like, way)
                yield score * steep * known * role * _fresh(plan, n, goal, name), place


def _odd(plan: Plan, node: str, name: str, column: str) -> bool:
    """The column by which one came here tells nothing new."""
    if ">" not in node or f"{table_of(node)}.{name}" == column:
        return False
    return node.rsplit(">", 1)[-1].split("=")[-1].split(".")[-1] == name


def _only_at(plan: Plan, n: int) -> str | None:
    """The one node that a value can be about, if it is said of who stands above, or of who stands below."""
    above = plan.focus.above
    if above is None or n not in above.names:
        return None
    root = above.table
    if above.way == "over":
        return f"{root}>{plan.schema.bosses[root]}={root}.{plan.schema.keys[root][0]}"
    return root


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
        near = first - NEARBY <= mark.last - 1 < first or last <= mark.first <= last
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
    near = (mark for mark in plan.question.marks if first - NEARBY <= mark.last - 1 < first or mark.first == last)
    return {
        at
        for mark in near
        if any(one.table == table and one.column in ("", place.column) for one in mark.senses)
        for at in range(mark.first, mark.last)
    }
