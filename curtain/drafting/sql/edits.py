"""Edits of a statement: a condition in the place of those that it contradicts, a count, an order, the most of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .align import unquoted
from .ground import Ground
from .none_of import Keys, excludes, many_step, missing, none_of
from .periods import over_midnight
from .statements import Clause, Column, Hole, Part, Statement, Sub, nodes_of, table_of

__all__ = [
    "Bounded",
    "all_of",
    "any_of",
    "bounded",
    "carried_on",
    "columns_of",
    "compared",
    "compares",
    "counted",
    "denied",
    "greatest",
    "is_extreme",
    "listed",
    "moved",
    "named",
    "negated",
    "one_or_other",
    "outline",
    "put",
    "same_thing",
    "sorted_by",
    "touches",
    "turned_round",
    "within",
]

_SIMPLE = re.compile(r"^(?:\w+\()?§\)? (=|<>|<=|>=|<|>|LIKE) (?:CAST\()?\?")
_NOT_SIMPLE = re.compile(r"^NOT § (LIKE|IN) ")
_RANGE = re.compile(r"^§ (?:BETWEEN \? AND \?|>=? \? AND § <=? \?)$")
_IN = re.compile(r"^§ IN \([?, ]+\)$")
_MOST = re.compile(r"^§ = \(\)$")
_LESS = re.compile(r"<(?!>)|(?<!<)>|BETWEEN")
# Of a part of a date, beside which a day of it may be said.
_PAST_MIDNIGHT = re.compile(r"^\(§ >=? \? OR § <=? \?\)$")
_PART = re.compile(r"^\w+\(§\)")
_YES_OR_NO = {"§ = TRUE": "true", "NOT § = FALSE": "true", "§ = FALSE": "false", "NOT §": "false"}
_LOWER, _UPPER = (">", ">="), ("<", "<=")
_EQUAL = ("=", "LIKE", "in")


@dataclass(frozen=True)
class Bounded:
    """A condition that bounds one column by literals: how, and by which."""

    column: Column
    op: str
    values: tuple[str, ...]


def columns_of(parts: Iterable[Part]) -> list[Column]:
    """The columns of the statement itself, not those of nested SELECTs, each once."""
    return list(dict.fromkeys(part for part in parts if isinstance(part, Column) and not part.up))


def bounded(clause: Clause) -> Bounded | None:
    """What a condition says of its column; None if it is of another kind. A range is `between`, a list is `in`."""
    own = columns_of(clause.parts)
    if len(own) != 1 or not own[0].name:
        return None
    text = outline(clause)
    values = tuple(unquoted(part.text) for part in clause.parts if isinstance(part, Hole))
    if _RANGE.match(text):
        return Bounded(own[0], "between", values)
    if match := _SIMPLE.match(text):
        return Bounded(own[0], match[1], values)
    if text in _YES_OR_NO:
        return Bounded(own[0], "=", (_YES_OR_NO[text],))
    if match := _NOT_SIMPLE.match(text):
        return Bounded(own[0], f"NOT {match[1]}", values)
    return Bounded(own[0], "in", values) if _IN.match(text) else None


def outline(clause: Clause) -> str:
    """A condition with § for each column, ? for each literal, and () for each nested SELECT."""
    return "".join(map(_mark, clause.parts))


def _mark(part: Part) -> str:
    if isinstance(part, Column):
        return "§"
    return "?" if isinstance(part, Hole) else "()" if isinstance(part, Sub) else part


def compared(column: Column, op: str, text: str, kind: str = "") -> Clause:
    """A condition that compares a column with a literal, given as SQL has it; a date needs `kind`."""
    hole = Hole(0, text)
    return Clause((column, f" {op} CAST(", hole, " AS DATE)") if kind == "date" else (column, f" {op} ", hole))


def within(column: Column, low: Hole, high: Hole) -> Clause:
    """A condition for a span of numbers or times; one that ends before it begins goes over midnight."""
    if low.text.isdigit() and high.text.isdigit() and int(low.text) > int(high.text):
        return Clause(over_midnight(column, low, high, True))
    return Clause((column, " BETWEEN ", low, " AND ", high))


def put(statement: Statement, clauses: Sequence[Clause], ground: Ground, narrowing: bool) -> Statement:
    """The statement with these conditions; those that they contradict go. `narrowing`: of what there is already, so
    that a bound which can stand beside the old one does."""
    clauses = _either(clauses)
    against = [clause for clause in clauses if not _takes_out(statement, clause)]
    kept = [old for old in statement.clauses if not any(_contradict(old, new, ground, narrowing) for new in against)]
    new = [clause for clause in clauses if named(clause) not in set(map(named, kept))]
    changed = replace(statement, clauses=(*kept, *new))
    changed = changed if narrowing else _followed(statement, changed)
    return _each_once(changed, ground)


def carried_on(statement: Statement, said: Statement, ground: Ground) -> Statement:
    """The statement with what another one of the same table says, and asking what that works out, if it does."""
    changed = put(statement, [one for one in said.clauses if bounded(one)], ground, True)
    there = {one.whole for one in changed.clauses}
    more = tuple(one for one in said.clauses if not bounded(one) and one.whole not in there)
    works_out = any(isinstance(part, str) and "(" in part for part in said.head)
    return replace(changed, clauses=(*changed.clauses, *more), head=said.head if works_out else changed.head)


def _either(clauses: Sequence[Clause]) -> list[Clause]:
    """New conditions that no row meets together, as “in Plano or in Garland”, made into one that either meets."""
    groups: list[list[Clause]] = [[]]
    seen: set[Column] = set()
    once = list({named(clause): clause for clause in clauses}.values())
    if len(once) == 2 and _apart(*once):
        return [any_of([[clause] for clause in once])]
    for clause in once:
        one = bounded(clause)
        if one is None or one.op not in ("=", "LIKE", "between"):
            continue
        if one.column in seen:
            groups.append([])
            seen = set()
        seen.add(one.column)
        groups[-1].append(clause)
    if len(groups) == 1:
        return once
    joined = {clause.key for group in groups for clause in group}
    return [any_of(groups), *(clause for clause in once if clause.key not in joined)]


def _apart(clause: Clause, other: Clause) -> bool:
    """Whether no row meets two bounds of one column: “before 1980 or after 1985”."""
    one, two = bounded(clause), bounded(other)
    if one is None or two is None or one.column != two.column or {one.op, two.op} - {*_LOWER, *_UPPER}:
        return False
    return (one.op in _LOWER) != (two.op in _LOWER) and not _side_by_side(one, two, True)


def one_or_other(one: Clause, other: Clause) -> Clause:
    """The condition that one of two holds."""
    return Clause(("(", *one.parts, " OR ", *other.parts, ")"))


def any_of(groups: Sequence[Sequence[Clause]]) -> Clause:
    """The condition that those of one group hold; a list if they all say what one column is."""
    every = [one for group in groups for one in group]
    holes = [part for one in every for part in one.parts if isinstance(part, Hole)]
    columns = {column for one in every for column in columns_of(one.parts)}
    if len(every) == len(groups) and len(columns) == 1 and all(map(_lists, every)):
        rest = (part for hole in holes[1:] for part in (", ", hole))
        return Clause((*columns, " IN (", holes[0], *rest, ")"))
    parts: list[Part] = []
    for group in groups:
        parts += [" OR " if parts else "("]
        for number, clause in enumerate(group):
            parts += [" AND " if number else "(", *clause.parts]
        parts += [")"]
    return Clause((*parts, ")"))


def _lists(clause: Clause) -> bool:
    """Whether a condition says by one or several values what a column is."""
    text = outline(clause)
    return text == "§ = ?" or _IN.match(text) is not None


def _contradict(old: Clause, new: Clause, ground: Ground, narrowing: bool) -> bool:
    if named(old) == named(new):
        return False
    if _unequal(old, new) or excludes(old, new) or excludes(new, old):
        return True
    if missing(old) or missing(new):
        return False
    one, other = bounded(old), bounded(new)
    if other and _PAST_MIDNIGHT.match(outline(old)) and other.op in (*_LOWER, *_UPPER):
        # “At night”, then “before 9 pm”: one bound does not say on which side of midnight.
        return False
    if one is None or other is None:
        return (is_extreme(old) and is_extreme(new)) or _about_same(old, new, ground)
    if narrowing and _PART.match(outline(old)) and other.op in (*_LOWER, *_UPPER):
        return False
    if one.column == other.column:
        # “In March” and “after 1985” are said of one date.
        apart = _of_months(old) != _of_months(new) or (outline(old).startswith("YEAR(") and _in_year(one, other))
        return not apart and not _side_by_side(one, other, narrowing)
    if "<>" in (one.op, other.op) or one.op.startswith("NOT") or other.op.startswith("NOT"):
        return False
    return one.op in _EQUAL and other.op in _EQUAL and same_thing(one.column, other.column, ground)


def _in_year(year: Bounded, other: Bounded) -> bool:
    """Whether a bound is a day of the year that a condition names."""
    return other.op in (*_LOWER, *_UPPER) and other.values[0].startswith(f"{year.values[0]}-")


def _of_months(clause: Clause) -> bool:
    return outline(clause).startswith(("MONTH(", "DAY("))


def _takes_out(statement: Statement, clause: Clause) -> bool:
    """Whether a condition denies only a part of what those of its column give: “not in 1975” of those before 1980, “not
    Delta” of Delta and United."""
    denied = _denied_bound(clause)
    own = [one for one in statement.clauses if columns_of(one.parts) == [denied.column]] if denied else []
    return denied is not None and bool(own) and all(_gives_more(one, denied) for one in own)


def _gives_more(old: Clause, denied: Bounded) -> bool:
    one = bounded(old)
    if one is None:
        return " OR " in outline(old)
    if one.op == "in":
        return {*denied.values} < {*one.values}
    sides, inside = _sides(one), [_number(value) for value in denied.values]
    if sides is None:
        return False
    low, high = sides
    return (low is None or low <= min(inside)) and (high is None or max(inside) <= high)


def _denied_bound(clause: Clause) -> Bounded | None:
    """What a condition denies of its column; None if it denies nothing."""
    first = clause.parts[0]
    if isinstance(first, str) and first.startswith("NOT "):
        rest = first.removeprefix("NOT ")
        return bounded(Clause(((rest,) if rest else ()) + clause.parts[1:]))
    one = bounded(clause)
    return one if one and (one.op == "<>" or one.op.startswith("NOT")) else None


def named(clause: Clause) -> str:
    """What makes it the same clause for an edit: of what none may be, all counts."""
    return Statement("", (), (clause,)).key if missing(clause) else clause.key


def _unequal(old: Clause, new: Clause) -> bool:
    """Whether one is the other with NOT before it."""
    return f"NOT {old.key}" == new.key or f"NOT {new.key}" == old.key


def compares(clause: Clause) -> bool:
    """Whether a condition, or one of a nested SELECT, says what is more or less than something."""
    inner = (part.statement.clauses for part in clause.parts if isinstance(part, Sub))
    texts = (part for part in clause.parts if isinstance(part, str))
    return any(_LESS.search(text) for text in texts) or any(compares(one) for own in inner for one in own)


def is_extreme(clause: Clause) -> bool:
    """Whether a condition is that a column has its least or greatest value."""
    inner = next((part.statement for part in clause.parts if isinstance(part, Sub)), None)
    return inner is not None and bool(inner.head) and str(inner.head[0]).startswith(("MIN(", "MAX("))


def _side_by_side(one: Bounded, other: Bounded, narrowing: bool) -> bool:
    """Whether two bounds of one column can both hold."""
    if "<>" in (one.op, other.op) and one.op == other.op:
        return one.values != other.values
    if {one.op, other.op} & {"<>", "NOT LIKE", "NOT IN"}:
        return one.values != other.values and other.op not in _EQUAL and one.op not in _EQUAL
    sides = _sides(one), _sides(other)
    if None in sides or one.op == other.op or (not narrowing and "between" in (one.op, other.op)):
        return False
    lows = [low for low, _ in filter(None, sides) if low is not None]
    highs = [high for _, high in filter(None, sides) if high is not None]
    if not narrowing and (len(lows) > 1 or len(highs) > 1):
        return False
    return bool(lows) and bool(highs) and max(lows) < min(highs)


def _sides(one: Bounded) -> tuple[float | None, float | None] | None:
    values = [_number(value) for value in one.values]
    if one.op in _LOWER:
        return values[0], None
    if one.op in _UPPER:
        return None, values[0]
    return (values[0], values[1]) if one.op == "between" and len(values) == 2 else None


def _number(text: str) -> float:
    try:
        return float(text.replace("-", ""))
    except ValueError:
        return 0.0


def _about_same(old: Clause, new: Clause, ground: Ground) -> bool:
    """For conditions that are put together: an OR of names, say, and a name."""
    theirs, mine = columns_of(old.parts), columns_of(new.parts)
    if not theirs or not mine or any(isinstance(part, Sub) for part in (*old.parts, *new.parts)):
        return False
    if not any(isinstance(part, Hole) for part in old.parts) or not any(isinstance(p, Hole) for p in new.parts):
        return False
    return all(any(a == b or same_thing(a, b, ground) for b in mine) for a in theirs)


def same_thing(one: Column, other: Column, ground: Ground) -> bool:
    """Whether two columns both say which thing is meant, or one is decided by the other."""
    if one == other:
        return True
    for a, b in ((one, other), (other, one)):
        if b.node.startswith(f"{a.node}>{a.name}="):
            return True
    if not (ground.identifies(one) and ground.identifies(other)):
        return False
    return ground.entity(one.node) == ground.entity(other.node)


def _followed(before: Statement, after: Statement) -> Statement:
    """Nested SELECTs of a least or greatest value that had the conditions of the whole have the new ones."""
    old = {clause.key for clause in _plain(before)}
    outer = tuple(_plain(after))
    return replace(after, clauses=tuple(_with_inner(clause, before.root, old, outer) for clause in after.clauses))


def _plain(statement: Statement) -> Iterator[Clause]:
    return (clause for clause in statement.clauses if not is_extreme(clause))


def _with_inner(clause: Clause, root: str, old: set[str], outer: tuple[Clause, ...]) -> Clause:
    if not is_extreme(clause):
        return clause
    parts = (
        Sub(replace(part.statement, clauses=outer))
        if isinstance(part, Sub) and part.statement.root == root and {c.key for c in part.statement.clauses} == old
        else part
        for part in clause.parts
    )
    return Clause(tuple(parts))


def _each_once(statement: Statement, ground: Ground) -> Statement:
    """A row that a condition joins several times is still shown once, and counted once."""
    first = statement.head[0] if statement.head else ""
    if not any(ground.many(node) for node in nodes_of(statement)) or statement.tail:
        return statement
    if isinstance(first, str) and first.startswith("COUNT(*)"):
        key = ground.primary.get(statement.root, ())
        if len(key) == 1 and len(statement.head) == 1:
            rest = first.removeprefix("COUNT(*)")
            return replace(statement, head=("COUNT(DISTINCT ", Column(statement.root, key[0]), f"){rest}"))
    if isinstance(first, Column):
        return replace(statement, head=("DISTINCT ", *statement.head))
    return statement


def negated(clause: Clause) -> Clause:
    """The contrary of a condition."""
    text = outline(clause)
    if " AND " in text and not re.match(r"^(§ BETWEEN|NOT )", text):
        return Clause(("NOT (", *clause.parts, ")"))
    if match := re.match(r"^§ (=|<>|<=|>=|<|>) (?!ALL)", text):
        contrary = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[match[1]]
        first = str(clause.parts[1]).replace(f" {match[1]} ", f" {contrary} ", 1)
        return Clause((clause.parts[0], first, *clause.parts[2:]))
    if isinstance(clause.parts[0], str) and clause.parts[0].startswith("NOT "):
        rest = clause.parts[0].removeprefix("NOT ")
        return Clause(((rest,) if rest else ()) + clause.parts[1:])
    return Clause(("NOT ", *clause.parts) if isinstance(clause.parts[0], Column) else ("NOT (", *clause.parts, ")"))


def denied(clauses: Sequence[Clause], head: Iterable[Part], keys: Keys) -> Clause | None:
    """The condition that a row of the statement is not one for which these clauses hold together; None if it cannot
    be said. Of what a row may have several of, none is so, unless the head shows these themselves."""
    first = next((many_step(column.node, keys) for column in columns_of(clauses[0].parts)), None)
    if first is None:
        return negated(all_of(clauses))
    if any(column.node == first or column.node.startswith(f"{first}>") for column in columns_of(head)):
        return negated(clauses[0]) if len(clauses) == 1 else None
    return none_of(clauses, keys)


def all_of(clauses: Sequence[Clause]) -> Clause:
    """Conditions as one."""
    if len(clauses) == 1:
        return clauses[0]
    parts: list[Part] = []
    for clause in clauses:
        parts += [" AND "] * bool(parts) + list(clause.parts)
    return Clause(tuple(parts))


def greatest(statement: Statement, column: Column, sign: int) -> Clause:
    """The condition that a column has its greatest value (1) or its least (-1) of all that the statement gives."""
    name = "MAX(" if sign > 0 else "MIN("
    return Clause((column, " = ", Sub(Statement(statement.root, (name, column, ")"), tuple(_plain(statement))))))


def sorted_by(statement: Statement, column: Column, down: bool, most: int = 0) -> Statement:
    """The statement in the order of a column, at most so many rows."""
    tail: tuple[Part, ...] = ("ORDER BY ", column, " DESC" if down else "")
    tail = (*tail, " LIMIT ", Hole(0, str(most))) if most else tail
    head = statement.head
    if head and head[0] == "DISTINCT " and column not in head:
        head = (*head, ", ", column)
    return replace(statement, head=head, tail=tuple(part for part in tail if part))


def counted(statement: Statement, star: bool, ground: Ground) -> Statement:
    """How many of what the statement lists. `star`: rows are counted with COUNT(*) as long as each comes once."""
    asked = columns_of(statement.head)
    key = ground.primary.get(statement.root, ())
    own = [column for column in asked if (column.node, column.name) == (statement.root, key[0] if key else "")]
    column = own[0] if own else asked[0] if asked else None
    twice = any(ground.many(node) for node in nodes_of(statement))
    if column is None or (star and own and not twice):
        return replace(statement, head=("COUNT(*)",), tail=())
    return replace(statement, head=("COUNT(DISTINCT ", column, ")"), tail=())


def listed(columns: Sequence[Column], distinct: bool) -> tuple[Part, ...]:
    """A head that shows these columns."""
    head: list[Part] = ["DISTINCT "] if distinct else []
    for number, column in enumerate(columns):
        head += [", "] * bool(number) + [column]
    return tuple(head)


def moved(parts: tuple[Part, ...], root: str, way: str) -> tuple[Part, ...]:
    """Parts of a statement about another table, as they stand in one that reaches that table by this way."""
    return tuple(
        replace(part, node=way + part.node.removeprefix(root)) if isinstance(part, Column) and not part.up else part
        for part in parts
    )


def turned_round(statement: Statement, pair: tuple[str, str]) -> Statement:
    """The statement with two columns of its root in each other's place, also in nested SELECTs and on the way."""
    root = statement.root
    change = {pair[0]: pair[1], pair[1]: pair[0]}

    def node(name: str) -> str:
        match = re.match(rf"^{root}>(\w+)=", name)
        if match and match[1] in change:
            return f"{root}>{change[match[1]]}={name[match.end() :]}"
        return name

    def part(one: Part) -> Part:
        if isinstance(one, Column):
            name = change.get(one.name, one.name) if one.node == root else one.name
            return Column(node(one.node), name, one.up)
        return Sub(turned_round(one.statement, pair)) if isinstance(one, Sub) and one.statement.root == root else one

    clauses = tuple(Clause(tuple(map(part, clause.parts))) for clause in statement.clauses)
    return replace(statement, clauses=clauses)


def touches(statement: Statement, pair: tuple[str, str]) -> bool:
    """Whether a condition of the statement is about one of two columns of its root."""
    return statement != turned_round(statement, pair) and table_of(statement.root) == statement.root
