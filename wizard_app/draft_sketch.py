"""A draft's SQL in one short line for a person: what is asked for, and the values it is asked of. No parser, no Qt.

It is a sketch to choose by: the statement itself stands in the editor once the draft is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wizard_app.sql_words import SUMS, closing, is_name, is_value, parts, plain, told, unquoted, words_of

_OPERATORS = frozenset({"=", "<>", "!=", "<", ">", "<=", ">=", "like", "ilike", "in", "between", "is"})
_ENDS = frozenset(
    [
        "where",
        "group",
        "order",
        "having",
        "limit",
        "union",
        "intersect",
        "except",
        "and",
        "or",
        "on",
        "when",
        "then",
        "else",
        "end",
        "not",
        "from",
        "select",
        "by",
        "join",
        ",",
    ]
)
_KEY = re.compile(r"_(?:name|code|id)\Z")
_DATE = ("year ", "month number ", "day number ")
_PLACES = ("from_", "to_", "stop_")
_MOST_CHARS = 400
_MOST_APART = 80


@dataclass(frozen=True)
class _Condition:
    """`column` is set if a plain column stands left of the sign, `left` is what stands there in words."""

    column: str
    left: str
    sign: str
    values: tuple[str, ...]
    without: bool = False


def sketch(sql: str) -> str:
    """For example `flight_id: from BOSTON, to DENVER, departure time < 1200`."""
    tokens = words_of(sql)
    if not tokens or tokens[0] not in ("select", "with"):
        return _shortened(" ".join(sql.split()))
    links = _links(tokens)
    conditions = dict.fromkeys(_told(one, links) for one in _conditions(tokens))
    more = [word for word in (_ordered(tokens), _grouped(tokens)) if word]
    head = _few(list(dict.fromkeys(_heads(tokens)))) or "answer"
    rest = ", ".join([*_in_order(_dated(list(conditions))), *dict.fromkeys(_subqueries(tokens)), *more])
    return _shortened(f"{head}: {rest}" if rest else f"{head}: all of {_table(tokens)}")


def sketches(statements: Sequence[str]) -> list[str]:
    """A sketch for each statement of a list. Where two would read alike, each tells what only it has."""
    told_apart = [sketch(sql) for sql in statements]
    alike = {one for one, count in Counter(told_apart).items() if count > 1}
    groups = {one: [sql for sql, text in zip(statements, told_apart, strict=True) if text == one] for one in alike}
    pairs = zip(statements, told_apart, strict=True)
    return [f"{_apart(sql, groups[text])}  {text}" if text in alike else text for sql, text in pairs]


def _apart(sql: str, group: Sequence[str]) -> str:
    """The words that not all of the group have, or how many fewer there are."""
    counts = [Counter(words_of(one)) for one in group]
    shared = counts[0]
    for one in counts[1:]:
        shared = shared & one
    left = Counter(shared)
    own: list[str] = []
    for token in words_of(sql):
        if left[token] > 0:
            left[token] -= 1
        elif token not in ("(", ")", ",", "as", "and"):
            own.append(plain(token) if not is_value(token) else unquoted(token))
    text = " ".join(dict.fromkeys(own))
    text = text if len(text) <= _MOST_APART else text[: _MOST_APART - 1] + "…"
    return f"[{text}]" if text else "[plain]"


def _few(columns: Sequence[str]) -> str:
    """The first columns; the values matter more than the rest of them."""
    return ", ".join(columns[:2]) + (f" + {len(columns) - 2}" if len(columns) > 2 else "")


def _in_order(conditions: Sequence[str]) -> list[str]:
    """From where, to where, then the rest: drafts that differ in a place differ at the front."""
    return sorted(conditions, key=lambda one: (not one.startswith("from "), not one.startswith("to ")))


def _dated(conditions: list[str]) -> list[str]:
    """Year, month and day of one date as one."""
    found = [next((one for one in conditions if one.startswith(name)), "") for name in _DATE]
    figures = [part.rsplit(" ", 1)[-1] for part in found]
    if not all(one.isdigit() for one in figures):
        return conditions
    date = f"date {figures[0]}-{figures[1]:0>2}-{figures[2]:0>2}"
    return [date if one == found[0] else one for one in conditions if one not in found[1:]]


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else text[: _MOST_CHARS - 1] + "…"


# -- what is asked for -----------------------------------------------------------------------------------


def _heads(tokens: Sequence[str]) -> Iterator[str]:
    """The expressions of the first SELECT in words."""
    start = tokens.index("select") + 1 if "select" in tokens else 1
    start += tokens[start : start + 1] == ["distinct"]
    yield from filter(None, (told(part) for part in parts(tokens[start : _end_of_heads(tokens, start)])))


def _end_of_heads(tokens: Sequence[str], start: int) -> int:
    depth = 0
    for at in range(start, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[at], 0)
        if depth == 0 and tokens[at] == "from":
            return at
    return len(tokens)


def _table(tokens: Sequence[str]) -> str:
    places = [at for at, token in enumerate(tokens[:-1]) if token == "from"]
    return plain(tokens[places[0] + 1]) if places else "one row"


# -- the values it is asked of ---------------------------------------------------------------------------


def _conditions(tokens: Sequence[str]) -> Iterator[_Condition]:
    """Every comparison with values, wherever it stands."""
    without = list(_without(tokens))
    for at, token in enumerate(tokens):
        if token not in _OPERATORS or not _is_asked_of(tokens, at):
            continue
        left = _left(tokens, at)
        values = tuple(_values(tokens, at, left)) if told(left) else ()
        if values:
            negated = "not" in (tokens[at - 1], tokens[at - len(left) - 1]) and token != "is"
            sign = ("not " if negated else "") + token
            column = left[0] if len(left) == 1 else ""
            yield _Condition(column, told(left), sign, values, any(at in place for place in without))


def _is_asked_of(tokens: Sequence[str], at: int) -> bool:
    """A comparison among the expressions of a SELECT is told there."""
    before = tokens[:at]
    return before.count("case") > before.count("end") or any(one in ("where", "having", "on") for one in before)


def _without(tokens: Sequence[str]) -> Iterator[range]:
    """The places of what must not be so: `not exists (...)`, `not in (select ...)`, `not (...)`."""
    for at, token in enumerate(tokens):
        if token != "not":
            continue
        start = at + 1 + (tokens[at + 1 : at + 2] in (["exists"], ["in"]))
        is_list = tokens[at + 1 : at + 2] == ["in"] and tokens[start + 1 : start + 2] != ["select"]
        if tokens[start : start + 1] == ["("] and not is_list:
            yield range(start, closing(tokens, start))


def _left(tokens: Sequence[str], at: int) -> Sequence[str]:
    """What stands left of an operator."""
    end = at - (tokens[at - 1] == "not")
    depth, start = 0, end
    while start > 0:
        token = tokens[start - 1]
        depth += {")": 1, "(": -1}.get(token, 0)
        if depth < 0 or (depth == 0 and token in _ENDS):
            break
        start -= 1
    return tokens[start:end]


def _right(tokens: Sequence[str], at: int) -> Sequence[str]:
    """What stands right of it."""
    depth = 0
    for place in range(at + 1, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[place], 0)
        if depth < 0 or (depth == 0 and tokens[place] in _ENDS and tokens[place] != "not"):
            return tokens[at + 1 : place]
    return tokens[at + 1 :]


def _values(tokens: Sequence[str], at: int, left: Sequence[str]) -> Iterator[str]:
    sign, right = tokens[at], _right(tokens, at)
    if not right:
        return
    if right[0] in ("all", "any") and "select" in right:
        yield "highest" if ">" in sign else "lowest"
    elif right[:2] == ["(", "select"]:
        yield from _value_of_select(right[2:5], left)
    elif sign == "in":
        yield from (told(part) for part in parts(right[1:-1]) if part)
    elif sign == "is":
        yield " ".join(right[:2] if right[0] == "not" else right[:1])
    elif sign == "between":
        yield from (told(one) for one in (right, _right(tokens, at + 1 + len(right))))
    elif right[0] == "-" and len(right) == 2:
        yield f"-{right[1]}"
    elif right[0] in ("true", "false"):
        yield right[0]
    elif sign != "=" or len(left) > 1 or len(right) > 1 or not is_name(right[0]):
        # Two columns that are equal join two tables.
        yield right[0].replace("_", " ").replace(".", " ") if len(right) == 1 and is_name(right[0]) else told(right)


def _value_of_select(first: Sequence[str], left: Sequence[str]) -> Iterator[str]:
    """A value that another SELECT finds: the lowest or highest, or one of a column."""
    words = [token for token in first if token != "distinct"]
    if words and words[0] in ("min", "max"):
        yield "lowest" if words[0] == "min" else "highest"
    elif words and words[0] in SUMS:
        yield f"the {words[0]}"
    elif words and is_name(words[0]) and plain(words[0]) != plain(left[-1]):
        yield f"any {_words(plain(words[0]))}"


def _subqueries(tokens: Sequence[str]) -> Iterator[str]:
    """The tables of which there must be a row, or none."""
    for at, token in enumerate(tokens):
        before, inner = tokens[at - 1] if at else "", tokens[at + 1 : at + 3]
        if "select" not in inner or "from" not in tokens[at:]:
            continue
        table = _words(_table(tokens[at:]))
        if token == "exists" and _is_asked_of(tokens, at):
            yield f"{'no' if before == 'not' else 'with'} {table}"
        elif token == "in":
            yield f"{'not ' * (before == 'not')}in {table}"


# -- what a value means ----------------------------------------------------------------------------------


_Links = Mapping[str, Sequence[tuple[str, str, bool]]]
"""For an alias: the aliases to which its keys are joined, their columns, and whether these have names of their own."""


def _links(tokens: Sequence[str]) -> _Links:
    found: dict[str, list[tuple[str, str, bool]]] = {}
    for left, sign, right in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if sign != "=" or "." not in left or "." not in right or "'" in left + right:
            continue
        for one, other in ((left, right), (right, left)):
            if _KEY.search(one):
                step = (_owner(other), plain(other), plain(one) != plain(other))
                found.setdefault(_owner(one), []).append(step)
    return found


def _told(one: _Condition, links: _Links) -> str:
    name = (_role(one.column, links) if one.column else "") or _words(one.left)
    return f"{'not ' * one.without}{_compared(name, one)}"


def _compared(name: str, one: _Condition) -> str:
    if one.sign in ("=", "is") or one.values[0] in ("highest", "lowest"):
        return f"{name} {one.values[0]}"
    if one.sign == "between" and len(one.values) == 2:
        to = " to " if any("-" in value for value in one.values) else "-"
        return f"{name} {to.join(one.values)}"
    if one.sign in ("in", "not in"):
        return f"{name} {'not ' * ('not' in one.sign)}{' or '.join(one.values[:4])}"
    return f"{name} {one.sign} {', '.join(one.values)}"


def _role(column: str, links: _Links) -> str:
    """A value at the end of a chain of joins is told by the column on which the chain hangs: `from`."""
    alias, seen = _owner(column), {_owner(column)}
    while alias and _KEY.search(plain(column)):
        onward = [step for step in links.get(alias, ()) if step[0] not in seen]
        telling = next((through for _, through, tells in onward if tells), "")
        if telling or not onward:
            # From where and to where says enough: the value names the place.
            return telling.split("_")[0] if telling.startswith(_PLACES) else _words(telling)
        alias = onward[0][0]
        seen.add(alias)
    return ""


def _owner(column: str) -> str:
    return column.split(".")[0].strip() if "." in column else ""


def _words(name: str) -> str:
    return name.replace("_", " ")


def _ordered(tokens: Sequence[str]) -> str:
    for at, token in enumerate(tokens[:-2]):
        if token == "order" and tokens[at + 1] == "by":
            down = any(word == "desc" for word in tokens[at + 2 : at + 4])
            return f"{'highest' if down else 'lowest'} {_words(plain(tokens[at + 2]))} first"
    return ""


def _grouped(tokens: Sequence[str]) -> str:
    for at, token in enumerate(tokens[:-2]):
        if token == "group" and tokens[at + 1] == "by":
            return f"for each {_words(plain(tokens[at + 2]))}"
    return ""
