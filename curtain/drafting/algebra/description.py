"""A statement in one short line for a person: what is asked for, of which rows, and what is done with them.

It serves to choose between drafts; the statement itself stands in the editor once a draft is taken. Every value of the
statement is in it, except the digits of a rounding. Days divided by those of a year are years.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from curtain.domain.code_names import CodeNames, named_code

from .query import Arg, Call, Column, Constant, Nested, Predicate, Statement, columns_of, inside, map_query, table_of
from .reading import SqlReader

_SUMS = {"count": "number of", "min": "lowest", "max": "highest", "sum": "total", "avg": "average"}
_SIGNS = {"lt": "below", "gt": "above", "lte": "at most", "gte": "at least", "neq": "not", "eq": "", "is": "",
          "nullsafeeq": "", "nullsafeneq": "not", "like": "like", "ilike": "ilike", "in": "in"}  # fmt: skip
_DATE_SIGNS = {**_SIGNS, "lt": "before", "gt": "after", "lte": "until", "gte": "from"}
_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*", "div": "/", "intdiv": "//", "mod": "%", "dpipe": "||"}
_SILENT = {"round", "coalesce", "lower", "upper", "trim", "abs", "ceil", "floor", "cast", "trycast", "paren", "alias"}
_SPANS = {"datediff", "datesub", "timestampdiff", "tsordsdiff"}
_YEAR = ("365", "365.25")
_WHETHER = {("gt", "0"): "any", ("gte", "1"): "any", ("neq", "0"): "any", ("eq", "0"): "no", ("lt", "1"): "no"}
_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
_KEY = re.compile(r"_(?:name|code|id)\Z")
_PLACES = ("from", "to", "stop")
# These say by themselves how they belong to what is asked for.
_APART = ("with ", "no ", "in ", "not in ", "not (")
_DATE = ("year", "month number", "day number")
_MOST_HEADS = 48
_MOST_CHARS = 1_000


def sketched(sql: str, reader: SqlReader, names: CodeNames | None = None) -> str:
    """What the statement asks for, over the tables of `reader`, with the `names` of its codes; where it cannot be taken
    apart, its own text."""
    try:
        query = reader.read(sql)
        text = _sketch(_with_names(query, names or {})) if query is not None and query.root else ""
    except RecursionError:
        text = ""
    text = text or " ".join(sql.split())
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 1]}…"


def condition_text(one: Predicate, names: CodeNames) -> str:
    """A condition as it stands in a sketch; empty for one that only joins."""
    query = _with_names(Statement("", (), (one,)), names)
    return _condition(query.where[0].expr, frozenset()) if not one.bare else ""


def expression_text(part: Arg) -> str:
    """A column or an expression as it stands in a sketch."""
    return _expression(part)


def _with_names(query: Statement, names: CodeNames) -> Statement:
    """The codes with their names beside them."""
    own: Mapping[str, str] = {}

    def put(part: Arg) -> Arg | None:
        nonlocal own
        if isinstance(part, Column):
            own = names.get(part.short, {})
        elif isinstance(part, Constant) and part.text in own:
            return replace(part, text=named_code(part.text, own[part.text]))
        return None

    return map_query(query, put) if names else query


def _sketch(query: Statement) -> str:
    around = frozenset(one.key for one in query.where)
    texts = [_condition(one.expr, around) for one in (*query.where, *query.having) if not one.bare]
    conditions = _dated([*dict.fromkeys(filter(None, texts))])
    bare = [f"with {_words(table_of(one.node))}" for one in query.where if one.bare]
    # From where, to where, then the rest: drafts that differ in a place differ at the front.
    places = [one for name in _PLACES for one in conditions if one.startswith(f"{name} ")]
    apart = [one for one in (*conditions, *bare) if one.startswith(_APART)]
    with_them = [one for one in conditions if one not in (*places, *apart)]
    asked = _asked(query, bool(conditions or bare))
    start = _joined(asked, *places, f"with {_listed(with_them)}" if with_them else "")
    return ", ".join([start, *apart, *_behind(query)])


def _asked(query: Statement, selective: bool) -> str:
    table, heads = _words(_shown_table(query)), [_expression(part) for part in query.select]
    whether = _whether(query.select[0]) if len(query.select) == 1 else ""
    if whether:
        return f"whether {whether} {table}"
    if heads == ["count"]:
        return f"how many {_plural(table)}"
    shown = _few(heads) or "answer"
    if shown.startswith(f"{table} ") and selective:
        return shown
    return f"{shown} of {_plural(table) if selective or query.group else f'every {table}'}"


def _shown_table(query: Statement) -> str:
    """The table whose columns are shown, if that is one; FROM may begin with another."""
    nodes = {column.node for part in query.select for column in columns_of(part)}
    only = nodes.pop() if len(nodes) == 1 else query.root
    return query.root if _role(only) else table_of(only)


def _whether(part: Arg) -> str:
    """“any” or “no” for a count that is compared with 0 or 1."""
    if not isinstance(part, Call) or _expression(part.get("this")) != "count":
        return ""
    return _WHETHER.get((part.kind, _expression(part.get("expression"))), "")


def _few(columns: Iterable[str]) -> str:
    """All columns if they are short; else those first that are no keys, since these say what was asked for."""
    columns = list(dict.fromkeys(filter(None, columns)))
    if len(", ".join(columns)) <= _MOST_HEADS or len(columns) < 3 or any(re.search(r"\d", one) for one in columns):
        return _listed(columns)
    plain_first = sorted(columns, key=lambda one: one.endswith((" code", " id")))
    return f"{', '.join(plain_first[:2])} + {len(columns) - 2}"


def _behind(query: Statement) -> Iterator[str]:
    for key in query.order:
        descending = isinstance(key, Call) and key.get("desc") is True
        yield f"the {'highest' if descending else 'lowest'} {_expression(key)} first"
    if query.group:
        yield f"for each {', '.join(map(_expression, query.group))}"
    if query.limit is not None:
        yield f"only {_expression(query.limit)}"


def _condition(part: Arg, around: frozenset[str], negated: bool = False) -> str:
    no = "not " if negated else ""
    if not isinstance(part, Call):
        return no + _expression(part)
    match part.kind:
        case "paren":
            return _condition(part.get("this"), around, negated)
        case "not":
            return _condition(part.get("this"), around, not negated)
        case "and" | "or":
            sides = f" {part.kind} ".join(_condition(part.get(side), around) for side in ("this", "expression"))
            return f"not ({sides})" if negated else f"({sides})" if part.kind == "or" else sides
        case "exists":
            inner = _query_in(part.get("this"))
            return f"{'no' if negated else 'with'} {_of_which(inner, around)}" if inner else no + _expression(part)
        case "in" if (inner := _query_in(part.get("query"))) is not None:
            return _with_query(part, inner, around, no)
        case "in":
            values = part.get("expressions")
            listed = " or ".join(map(_expression, values)) if isinstance(values, tuple) else _expression(values)
            return f"{_name(part.get('this'))} {no}{listed}"
        case "between":
            ends = [_expression(part.get("low")), _expression(part.get("high"))]
            return f"{_name(part.get('this'))} {no}{(' to ' if any('-' in one for one in ends) else '-').join(ends)}"
        case kind if kind in _SIGNS:
            return _compared(part, around, no)
    return no + _expression(part)


def _compared(part: Call, around: frozenset[str], no: str) -> str:
    left, right = part.get("this"), part.get("expression")
    inner = _query_in(right)
    if inner is not None:
        return _with_query(part, inner, around, no)
    if isinstance(left, Column) and isinstance(right, Column):
        return _of_two_rows(left, right, part.kind, no)
    value = _expression(right)
    sign = (_DATE_SIGNS if _DAY.match(value) else _SIGNS)[part.kind]
    computed = isinstance(left, Call) and left.kind in _ARITHMETIC
    return _joined(_name(left), no.strip(), "=" if computed and not sign else sign, value)


def _of_two_rows(left: Column, right: Column, kind: str, no: str) -> str:
    """A column compared with one of another row: “salary above that of the supervisor”."""
    sign = (_DATE_SIGNS if "date" in left.name.split("_") else _SIGNS)[kind]
    owner = f"the {_role(right.node)}" if _role(right.node) else f"another {_words(table_of(right.node))}"
    theirs = f"that of {owner}" if left.name == right.name else _expression(right)
    return _joined(_expression(left), no.strip(), sign, theirs)


def _with_query(part: Call, inner: Statement, around: frozenset[str], no: str) -> str:
    left, right, head = part.get("this"), part.get("expression"), inner.select[0] if inner.select else None
    scope = _scope(inner, around)
    all_of = scope or (" of all" if around - {Predicate(part).key} and not inner.where else "")
    if isinstance(head, Call) and head.kind in ("min", "max") and part.kind == "eq":
        return f"{_name(left)} {no}{'lowest' if head.kind == 'min' else 'highest'}{all_of}"
    same = isinstance(left, Column) and isinstance(head, Column) and left.name == head.name
    if same and part.kind == "in":
        return f"{no}in {_of_which(inner, around)}"
    what = "that" if same else _expression(head)
    what = f"{what}{all_of}" if inner.aggregates else f"{what} of {_of_which(inner, around)}"
    quantifier = right.kind if isinstance(right, Call) and right.kind in ("all", "any") else ""
    return _joined(_name(left), no.strip(), _SIGNS[part.kind], quantifier, what)


def _of_which(inner: Statement, around: frozenset[str]) -> str:
    return f"{_words(inner.root)}{_scope(inner, around)}"


def _scope(inner: Statement, around: frozenset[str]) -> str:
    """The conditions of a query in a condition that are not those around it, and joins to what is around it."""
    own = [one for one in (*inner.where, *inner.having) if not one.bare and one.key not in around and not _ties(one)]
    texts = [_condition(one.expr, around | {each.key for each in inner.where}) for one in own]
    texts += [f"with {_words(table_of(one.node))}" for one in inner.where if one.bare]
    text = ", ".join([*texts, *_behind(inner)])
    if not text:
        return ""
    return f" {text}" if len(texts) == 1 and text.startswith("(") and text.endswith(")") else f" ({text})"


def _ties(predicate: Predicate) -> bool:
    """Whether it only ties a query to the row around it."""
    part = predicate.expr
    sides = [part.get("this"), part.get("expression")] if isinstance(part, Call) and part.kind == "eq" else []
    return len(sides) == 2 and all(isinstance(one, Column) for one in sides) and any(one.up for one in columns_of(part))


def _query_in(part: Arg) -> Statement | None:
    if isinstance(part, Call) and part.kind in ("all", "any", "subquery"):
        part = part.get("this")
    return part.query if isinstance(part, Nested) and part.query.root else None


def _name(part: Arg) -> str:
    """What stands left of a sign: for a key of a joined row what that row is to the others, as a flight's `from`."""
    if isinstance(part, Column) and _KEY.search(part.name):
        return _role(part.node) or _expression(part)
    return _expression(part)


def _expression(part: Arg) -> str:
    if isinstance(part, Column):
        role, name = _role(part.node), _words(part.name)
        return f"{name} of the {role}" if role and role not in _PLACES else _joined(role, name)
    if isinstance(part, Constant):
        return part.text
    if isinstance(part, Nested):
        inner = part.query
        heads = ", ".join(map(_expression, inner.select))
        return f"{heads} of {_of_which(inner, frozenset())}" if inner.root else "SELECT"
    if isinstance(part, tuple):
        return ", ".join(filter(None, map(_expression, part)))
    if isinstance(part, Call):
        return _call(part)
    return "" if part is None or isinstance(part, bool) else str(part).removeprefix("type:").lower()


def _call(part: Call) -> str:
    kind, this, other = part.kind, part.get("this"), part.get("expression")
    if kind in _ARITHMETIC:
        spans = any(isinstance(one, Call) and one.kind in _SPANS for one in inside(this))
        if kind == "div" and spans and _expression(other) in _YEAR:
            return _expression(this).replace("days from ", "years from ", 1)
        return f"{_operand(this)} {_ARITHMETIC[kind]} {_operand(other)}"
    if kind in _SUMS:
        return kind if _expression(this) == "*" else f"{_SUMS[kind]} {_expression(this)}"
    if kind in _SPANS:
        unit = _expression(part.get("unit")).lower() or "day"
        return f"{unit}s from {_expression(other)} to {_expression(this)}"
    if kind == "if":
        return f"if {_condition(this, frozenset())} then {_expression(part.get('true'))}"
    if kind == "case":
        otherwise = [f"else {_expression(part.get('default'))}"] if part.get("default") is not None else []
        return f"({_joined(_expression(this), _expression(part.get('ifs')), *otherwise)})"
    if kind in ("star", "null", "boolean", "currentdate"):
        return {"star": "*", "null": "null", "boolean": str(this).lower()}.get(kind, "today")
    if kind == "neg":
        return f"-{_expression(this)}"
    if kind == "distinct":
        return f"distinct {_expression(part.get('expressions'))}"
    if kind == "ordered" or kind in _SILENT:
        return _expression(this)
    if kind in _SIGNS or kind in ("and", "or", "not", "between", "exists"):
        return _condition(part, frozenset())
    name = _expression(this) if kind == "anonymous" else kind
    args = [value for key, value in part.args if not (kind == "anonymous" and key == "this")]
    return _joined(name, *map(_expression, args))


def _operand(part: Arg) -> str:
    return f"({_expression(part)})" if isinstance(part, Call) and part.kind in ("add", "sub") else _expression(part)


def _role(node: str) -> str:
    """What a joined row is to the one that its chain hangs on: `from`, `supervisor`; "" where the join says nothing."""
    for step in node.split(">")[1:]:
        mine, _, theirs = step.split("#")[0].partition("=")
        table, _, column = theirs.partition(".")
        if mine and mine != column and not mine.startswith(f"{table}_"):
            place = mine.split("_")[0]
            return place if place in _PLACES else _words(_KEY.sub("", mine))
    return ""


def _dated(conditions: list[str]) -> list[str]:
    """Year, month and day of one date as one."""
    parts = [next((one for one in conditions if one.startswith(f"{name} ")), "") for name in _DATE]
    figures = [part.removeprefix(f"{name} ") for part, name in zip(parts, _DATE, strict=True)]
    if not all(one.isdigit() for one in figures):
        return conditions
    date = f"date {figures[0]}-{figures[1]:0>2}-{figures[2]:0>2}"
    return [date if one == parts[0] else one for one in conditions if one not in parts[1:]]


def _plural(noun: str) -> str:
    """“employees”, “cities”, “classes”; a noun that ends with s counts as one already."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return noun if noun.endswith("s") else f"{noun}es" if noun.endswith(("x", "ch", "sh")) else f"{noun}s"


def _listed(phrases: list[str]) -> str:
    """“a, b and c”."""
    return " and ".join([*([", ".join(phrases[:-1])] if phrases[1:] else []), *phrases[-1:]])


def _joined(*phrases: str) -> str:
    return " ".join(phrase for phrase in phrases if phrase)


def _words(name: str) -> str:
    return name.replace("_", " ")
