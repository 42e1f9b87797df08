"""A draft's SQL in one short line for a person: what is asked for, and the values it is asked of. No parser, no Qt.

It is a sketch to choose by: the statement itself stands in the editor once the draft is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"'(?:[^']|'')*'|\d+(?:\.\d+)?|[A-Za-z_]\w*(?:\s*\.\s*(?:[A-Za-z_]\w*|\*))?|<>|!=|<=|>=|[=<>(),*+/-]"
)
_OPERATORS = frozenset({"=", "<>", "!=", "<", ">", "<=", ">=", "like", "ilike", "in", "between", "is"})
_ENDS = frozenset({"where", "group", "order", "having", "limit", "union", "intersect", "except", "and", "or", "from"})
_SIGNS = frozenset("(),+-/=<>") | {"<>", "!=", "<=", ">="}
_COMPARES = frozenset({"<", ">", "<=", ">="})
_NO_COLUMNS = frozenset({"as", "case", "when", "then", "else", "end", "is", "not", "null"})
_SUMS = frozenset({"count", "min", "max", "sum", "avg"})
_KEY = re.compile(r"_(?:name|code|id)\Z")
_DATE = ("year ", "month number ", "day number ")
_PLACES = ("from_", "to_", "stop_")
_MOST_CHARS = 400
_MOST_STATEMENT = 20_000


@dataclass(frozen=True)
class _Condition:
    column: str
    sign: str
    values: tuple[str, ...]


def sketch(sql: str) -> str:
    """For example `flight_id: from BOSTON, to DENVER, departure time < 1200`."""
    tokens = [one if one[0] == "'" else one.lower() for one in _TOKEN.findall(sql[:_MOST_STATEMENT])]
    if not tokens or tokens[0] not in ("select", "with"):
        return _shortened(" ".join(sql.split()))
    links = _links(tokens)
    told = dict.fromkeys(_told(one, links) for one in _conditions(tokens))
    more = [word for word in (_ordered(tokens), _grouped(tokens)) if word]
    head = _few(list(dict.fromkeys(_heads(tokens)))) or "answer"
    rest = ", ".join([*_in_order(_dated(list(told))), *more])
    return _shortened(f"{head}: {rest}" if rest else f"{head}: all of {_table(tokens)}")


def _few(columns: Sequence[str]) -> str:
    """The first columns; the values matter more than the rest of them."""
    return ", ".join(columns[:2]) + (f" + {len(columns) - 2}" if len(columns) > 2 else "")


def _in_order(told: Sequence[str]) -> list[str]:
    """From where, to where, then the rest: drafts that differ in a place differ at the front."""
    return sorted(told, key=lambda one: (not one.startswith("from "), not one.startswith("to ")))


def _dated(told: list[str]) -> list[str]:
    """Year, month and day of one date as one."""
    parts = [next((one for one in told if one.startswith(name)), "") for name in _DATE]
    figures = [part.rsplit(" ", 1)[-1] for part in parts]
    if not all(one.isdigit() for one in figures):
        return told
    date = f"date {figures[0]}-{figures[1]:0>2}-{figures[2]:0>2}"
    return [date if one == parts[0] else one for one in told if one not in parts[1:]]


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else text[: _MOST_CHARS - 1] + "…"


# -- what is asked for -----------------------------------------------------------------------------------


def _heads(tokens: Sequence[str]) -> Iterator[str]:
    """The columns of the first SELECT, each with the function that sums it up."""
    function, in_case = "", False
    for token, after in zip(tokens[1:], [*tokens[2:], ""], strict=False):
        in_case = token == "case" or (in_case and token != "end")
        if token == "from":
            return
        if in_case and token != "case":
            continue
        if token in _SUMS and after == "(":
            function = token
        elif token == "distinct" or token in _SIGNS or _is_value(token):
            continue
        elif function:
            yield function if token in _NO_COLUMNS or token == "*" else f"{function} {_plain(token)}"
            function = ""
        elif after != "(" and token not in _NO_COLUMNS:
            yield _plain(token)


def _table(tokens: Sequence[str]) -> str:
    places = [at for at, token in enumerate(tokens[:-1]) if token == "from"]
    return _plain(tokens[places[0] + 1]) if places else "one row"


# -- the values it is asked of ---------------------------------------------------------------------------


def _conditions(tokens: Sequence[str]) -> Iterator[_Condition]:
    """Every comparison of a column with values, wherever it stands."""
    for at, token in enumerate(tokens):
        if token not in _OPERATORS or at == 0 or not _is_column(_column_at(tokens, at)):
            continue
        negated = "not" in (tokens[at - 1], tokens[max(0, at - 2)])
        values = tuple(_values_after(tokens, at))
        if values:
            sign = ("not " if negated else "") + token
            yield _Condition(_column_at(tokens, at), sign, values)


def _column_at(tokens: Sequence[str], at: int) -> str:
    """What stands left of an operator; a summing function's column stands for it."""
    back = at - 1 - (tokens[at - 1] == "not")
    if back >= 0 and tokens[back] == ")":
        back -= 1
    return tokens[back] if back >= 0 else ""


def _values_after(tokens: Sequence[str], at: int) -> Iterator[str]:
    joins = {"between": "and", "in": ","}.get(tokens[at], "")
    if tokens[at + 1 : at + 2] == ["all"]:
        yield "highest" if ">" in tokens[at] else "lowest"
        return
    if tokens[at + 1 : at + 3] == ["(", "select"]:
        yield from _value_of_select(tokens[at + 3 : at + 6])
        return
    if tokens[at] in _COMPARES and at + 1 < len(tokens) and _is_column(tokens[at + 1]):
        yield _words(tokens[at + 1].replace(".", " "))
        return
    for token in tokens[at + 1 :]:
        if _is_value(token) or token in ("null", "true", "false"):
            yield _unquoted(token)
        elif token in ("date", "time", "timestamp", "not", "-", "(") or (joins and token == joins):
            continue
        else:
            return
        if not joins:
            return


def _value_of_select(first: Sequence[str]) -> Iterator[str]:
    """A value that another SELECT finds: the lowest or highest, or one of a column."""
    words = [token for token in first if token != "distinct"]
    if words and words[0] in ("min", "max"):
        yield "lowest" if words[0] == "min" else "highest"
    elif words and "." not in words[0] and _is_column(words[0]) and words[0] not in _SUMS:
        yield f"any {_words(words[0])}"


def _is_value(token: str) -> bool:
    return token[0] == "'" or token[0].isdigit()


def _is_column(token: str) -> bool:
    return bool(token) and (token[0].isalpha() or token[0] == "_") and token not in _ENDS | _NO_COLUMNS | _SUMS


def _unquoted(token: str) -> str:
    return token[1:-1].replace("''", "'") if token[0] == "'" else token


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
                step = (_owner(other), _plain(other), _plain(one) != _plain(other))
                found.setdefault(_owner(one), []).append(step)
    return found


def _told(one: _Condition, links: _Links) -> str:
    name = _role(one.column, links) or _words(_plain(one.column))
    if one.sign in ("=", "is") or one.values[0] in ("highest", "lowest"):
        return f"{name} {one.values[0]}"
    if one.sign == "between" and len(one.values) == 2:
        return f"{name} {one.values[0]}-{one.values[1]}"
    if one.sign in ("in", "not in"):
        return f"{name} {'not ' * ('not' in one.sign)}{' or '.join(one.values[:4])}"
    return f"{name} {one.sign} {', '.join(one.values)}"


def _role(column: str, links: _Links) -> str:
    """A value at the end of a chain of joins is told by the column on which the chain hangs: `from`."""
    alias, seen = _owner(column), {_owner(column)}
    while alias and _KEY.search(_plain(column)):
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


def _plain(column: str) -> str:
    return column.split(".")[-1].strip()


def _words(name: str) -> str:
    return name.replace("_", " ")


def _ordered(tokens: Sequence[str]) -> str:
    for at, token in enumerate(tokens[:-2]):
        if token == "order" and tokens[at + 1] == "by":
            down = any(word == "desc" for word in tokens[at + 2 : at + 4])
            return f"{'highest' if down else 'lowest'} {_words(_plain(tokens[at + 2]))} first"
    return ""


def _grouped(tokens: Sequence[str]) -> str:
    for at, token in enumerate(tokens[:-2]):
        if token == "group" and tokens[at + 1] == "by":
            return f"for each {_words(_plain(tokens[at + 2]))}"
    return ""
