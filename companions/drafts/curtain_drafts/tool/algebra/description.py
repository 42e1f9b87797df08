"""A statement in one short line for a person: what is asked for, of which rows, and what is done with them.

It serves to choose between drafts; the statement itself stands in the editor once a draft is taken. Every value of the
statement is in it, except the digits of a rounding. What has no shorter wording stands as SQL.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from curtain.domain.code_names import CodeNames, named_code

from . import query as algebra
from .query import Arg, Call, Column, Constant, Nested, Statement, inside, map_query, table_of
from .reading import SqlReader
from .writing import as_sql

_SILENT = ("round", "coalesce", "lower", "upper", "trim", "abs", "ceil", "floor", "cast", "trycast", "paren", "alias",
           "ordered")  # fmt: skip
# How a function is said, with its arguments by their names.
_FUNCTIONS = {"count": "number of {this}", "min": "lowest {this}", "max": "highest {this}", "sum": "total {this}",
              "avg": "average {this}", "distinct": "distinct {expressions}", "neg": "-{this}", "null": "null",
              "star": "*", **dict.fromkeys(_SILENT, "{this}")}  # fmt: skip
_SIGNS = {"lt": "below", "gt": "above", "lte": "at most", "gte": "at least", "neq": "not", "eq": "", "is": "",
          "like": "like", "ilike": "ilike"}  # fmt: skip
_DATE_SIGNS = {**_SIGNS, "lt": "before", "gt": "after", "lte": "until", "gte": "from"}
_YEAR = ("365", "365.25")
_WHETHER = {"COUNT(*) > 0": "any", "COUNT(*) >= 1": "any", "COUNT(*) <> 0": "any", "COUNT(*) = 0": "no",
            "COUNT(*) < 1": "no"}  # fmt: skip
_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
_KEY = re.compile(r"_(?:name|code|id)\Z")
_PLACES = ("from", "to", "stop")
_DATE = ("year", "month number", "day number")
# Behind SQL, what it is equal to has a sign.
_ENDS = (")", *"0123456789")
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


def condition_text(one: Arg, names: CodeNames) -> str:
    """A condition as it stands in a sketch; empty for one that only joins."""
    named = _with_names(Statement("", (), (one,)), names)
    return "".join(map(_condition, named.conditions))


def _with_names(query: Statement, names: CodeNames) -> Statement:
    """The codes with their names beside them."""
    own: Mapping[str, str] = {}

    def put(part: object) -> Arg:
        nonlocal own
        if isinstance(part, Column):
            own = names.get(part.short, {})
        elif isinstance(part, Constant) and part.text in own:
            return replace(part, text=named_code(part.text, own[part.text]))
        return None

    return map_query(query, object, put) if names else query


def _sketch(query: Statement) -> str:
    around = frozenset(algebra.key_of(one) for one in query.conditions if not algebra.has_query(one))
    below: dict[str, list[str]] = {}
    texts: list[str] = []
    for one in (*query.conditions, *query.having):
        role, text = _named_by(one), _condition(one, around)
        (below.setdefault(role, []) if role else texts).append(text)
    conditions = _dated([*dict.fromkeys(filter(None, texts))])
    # From where, to where, then the rest: drafts that differ in a place differ at the front.
    places = [one for name in _PLACES for one in conditions if one.startswith(f"{name} ")]
    others = [one for one in conditions if one not in places]
    others += [_words(table_of(one.node)) for one in query.where if isinstance(one, Column)]
    asked = _asked(query, bool(places or others or below))
    named = [f"as {role} of {_plural(_words(query.root))} with {_listed(texts)}" for role, texts in below.items()]
    of_whom = f"with {_listed(others)}" if others else ""
    return ", ".join([_joined(asked, *places, of_whom, *named), *_behind(query)])


def _named_by(one: Arg) -> str:
    """What a row is to rows of its own table of which this is a condition, as the `supervisor` of those who name it;
    "" of a condition on other rows."""
    nodes = {column.node for column in algebra.columns_of((one,))}
    node = nodes.pop() if len(nodes) == 1 else ""
    above, _, step = node.rpartition(">")
    mine, _, theirs = step.split("#")[0].partition("=")
    table, _, column = theirs.partition(".")
    joins_itself = above and ">" not in above and table == table_of(above) and mine not in ("", column)
    return _words(_KEY.sub("", column)) if joins_itself and not _role(node) else ""


def _asked(query: Statement, selective: bool) -> str:
    nodes = {column.node for column in algebra.columns_of(query.select)}
    only = nodes.pop() if len(nodes) == 1 else query.root
    # The table whose columns are shown, if that is one; FROM may begin with another.
    table = _words(query.root if _role(only) else table_of(only))
    heads = [expression_text(part) for part in query.select]
    if whether := _WHETHER.get(", ".join(heads)):
        return f"whether {whether} {table}"
    if heads == ["count"]:
        return f"how many {_plural(table)}"
    shown = _few(heads) or "answer"
    if shown.startswith(f"{table} ") and selective:
        return shown
    return f"{shown} of {'' if selective or query.group else 'all '}{_plural(table)}"


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
        yield f"the {'highest' if descending else 'lowest'} {expression_text(key)} first"
    if query.group:
        yield f"for each {', '.join(map(expression_text, query.group))}"
    if query.limit is not None:
        yield f"only {expression_text(query.limit)}"


def _condition(part: Arg, around: frozenset[str] = frozenset(), negated: bool = False) -> str:
    """A condition among those `around` it, which a nested query may have as well."""
    no = "not " if negated else ""
    if not isinstance(part, Call):
        return no + expression_text(part)
    this, other, values = (part.get(name) for name in ("this", "expression", "expressions"))
    match part.kind:
        case "paren":
            return _condition(this, around, negated)
        case "not":
            return _condition(this, around, not negated)
        case "and" | "or":
            sides = f" {part.kind} ".join(_condition(side, around) for side in (this, other))
            return f"not ({sides})" if negated else f"({sides})" if part.kind == "or" else sides
        case "in" if isinstance(values, tuple) and isinstance(this, Column):
            return f"{_name(this)} {no}{' or '.join(map(expression_text, values))}"
        case "between":
            ends = [expression_text(part.get(name)) for name in ("low", "high")]
            return f"{_name(this)} {no}{(' to ' if any('-' in one for one in ends) else '-').join(ends)}"
        case kind if kind in _SIGNS and not any(isinstance(one, Column | Nested) for one in inside(other)):
            value = expression_text(other)
            sign = (_DATE_SIGNS if _DAY.match(value) else _SIGNS)[kind]
            return _joined(_name(this), no.strip(), "=" if _name(this).endswith(_ENDS) and not sign else sign, value)
        case "eq" if isinstance(other, Nested) and len(other.query.select) == 1:
            most = other.query.select[0]
            if isinstance(most, Call) and most.kind in ("min", "max") and most.get("this") == this:
                own = other.query.conditions
                texts = [_condition(one) for one in own if algebra.key_of(one) not in around]
                scope = f" of all with {_listed(texts)}" if texts else " of all" if around and not own else ""
                return f"{_name(this)} {no}{'lowest' if most.kind == 'min' else 'highest'}{scope}"
    return no + as_sql(part, _called)


def _name(part: Arg) -> str:
    """What stands left of a sign: for a key of a joined row what that row is to the others, as a flight's `from`."""
    if isinstance(part, Column) and _KEY.search(part.name):
        return _role(part.node) or expression_text(part)
    return expression_text(part)


def expression_text(part: Arg) -> str:
    """A column or an expression as it stands in a sketch."""
    if isinstance(part, Column):
        role, name = _role(part.node), _words(part.name)
        return f"{name} of the {role}" if role and role not in _PLACES else _joined(role, name)
    if isinstance(part, Constant):
        return part.text
    if isinstance(part, tuple):
        return ", ".join(filter(None, map(expression_text, part)))
    if not isinstance(part, Call):
        return as_sql(part, _called) if isinstance(part, Nested) else "" if part is None else str(part)
    this, args = part.get("this"), {name: expression_text(value) for name, value in part.args}
    if part.kind == "div" and args["expression"] in _YEAR:
        for span in (one for one in inside(this) if isinstance(one, Call) and one.kind == "datediff"):
            years = f"years from {expression_text(span.get('expression'))} to {expression_text(span.get('this'))}"
            return f"average {years}" if algebra.kind_of(this) == "avg" else years
    if algebra.kind_of(this) == "star":
        return part.kind
    words = _FUNCTIONS.get(part.kind)
    return words.format_map(defaultdict(str, args)) if words else as_sql(part, _called)


def _role(node: str) -> str:
    """What a joined row is to the one that its chain hangs on: `from`, `supervisor`; "" where the join says nothing."""
    for step in node.split(">")[1:]:
        mine, _, theirs = step.split("#")[0].partition("=")
        table, _, column = theirs.partition(".")
        if mine and mine != column and not mine.startswith(f"{table}_"):
            place = mine.split("_")[0]
            return place if place in _PLACES else _words(_KEY.sub("", mine))
    return ""


def _called(node: str) -> str:
    # A row that nothing joins is another one.
    return _role(node) or f"{'other_' if '>=' in node else ''}{table_of(node)}"


def _dated(conditions: list[str]) -> list[str]:
    """Year, month and day of one date as one."""
    parts = [next((one for one in conditions if one.startswith(f"{name} ")), "") for name in _DATE]
    figures = [part.removeprefix(f"{name} ") for part, name in zip(parts, _DATE, strict=True)]
    if not all(one.isdigit() for one in figures):
        return conditions
    date = f"date {figures[0]}-{figures[1]:0>2}-{figures[2]:0>2}"
    return [date if one == parts[0] else one for one in conditions if one not in parts[1:]]


def _plural(noun: str) -> str:
    """“employees”, “cities”, “classes”; a noun that ends with one s is taken for a plural, as “people” is."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith(("x", "ch", "sh", "ss")):
        return f"{noun}es"
    return noun if noun.endswith(("s", "people", "children", "men", "staff", "data")) else f"{noun}s"


def _listed(phrases: list[str]) -> str:
    """“a, b and c”."""
    return " and ".join(filter(None, [", ".join(phrases[:-1]), *phrases[-1:]]))


def _joined(*phrases: str) -> str:
    return " ".join(filter(None, phrases))


def _words(name: str) -> str:
    return name.replace("_", " ")
