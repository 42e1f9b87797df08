"""The words and signs of a statement, and what an expression of them says to a person. No parser, no Qt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_TOKEN = re.compile(
    r"'(?:[^']|'')*'|\d+(?:\.\d+)?|[A-Za-z_]\w*(?:\s*\.\s*(?:[A-Za-z_]\w*|\*))?|<>|!=|<=|>=|::|[=<>(),*+/-]"
)
_MOST_STATEMENT = 20_000
_KEYWORDS = frozenset(
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
        "from",
        "as",
        "case",
        "when",
        "then",
        "else",
        "end",
        "is",
        "not",
        "null",
        "in",
        "between",
        "like",
        "ilike",
        "distinct",
        "by",
        "asc",
        "desc",
        "all",
        "any",
        "exists",
        "select",
        "interval",
    ]
)
SUMS = frozenset({"count", "min", "max", "sum", "avg"})
SIGNS = frozenset({"=", "<>", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/"})
_SILENT = frozenset(
    {"round", "coalesce", "lower", "upper", "trim", "abs", "ceil", "floor", "distinct", "all", "interval"}
)
_TYPED = frozenset({"date", "time", "timestamp"})
_BETWEEN = frozenset({"date_diff", "datediff", "date_sub", "datesub"})

Tokens = Sequence[str]


def words_of(sql: str) -> list[str]:
    """The words, signs and literals; a literal's type and a cast are left out, since its value says enough."""
    tokens = [one if one[0] == "'" else one.lower() for one in _TOKEN.findall(sql[:_MOST_STATEMENT])]
    return _without_casts(_without_types(tokens))


def closing(tokens: Tokens, at: int) -> int:
    """The place of the bracket that closes the one at `at`, or the end of the tokens."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[place], 0)
        if depth == 0:
            return place
    return len(tokens)


def parts(tokens: Tokens) -> Iterator[list[str]]:
    """What stands between the commas that no bracket holds."""
    part: list[str] = []
    depth = 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token, 0)
        if token == "," and depth == 0:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def is_value(token: str) -> bool:
    return token[:1] == "'" or token[:1].isdigit()


def is_name(token: str) -> bool:
    return bool(token) and (token[0].isalpha() or token[0] == "_") and token not in _KEYWORDS | SUMS


def unquoted(token: str) -> str:
    return token[1:-1].replace("''", "'") if token[0] == "'" else token


def plain(column: str) -> str:
    """A column without its table."""
    return column.split(".")[-1].strip()


def told(tokens: Tokens) -> str:
    """What an expression says: `count`, `max salary`, `days hire_date to birth_date`, `100 * sum sex / count`."""
    if list(tokens[:2]) == ["exists", "("]:
        return "whether any"
    for ends, words in ((("> 0", ">= 1", "<> 0"), "whether any"), (("= 0", "< 1"), "whether none")):
        if tokens[:2] == ["count", "("] and closing(tokens, 1) == len(tokens) - 3 and " ".join(tokens[-2:]) in ends:
            return words
    return " ".join(_pieces(tokens))


def _pieces(tokens: Tokens) -> Iterator[str]:
    at = 0
    while at < len(tokens):
        token, after = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
        if token == "case":
            at = _end_of_case(tokens, at)
        elif token == "as":
            return
        elif after == "(" and token != "(" and token not in SIGNS:
            end = closing(tokens, at + 1)
            yield _call(token, tokens[at + 2 : end])
            at = end
        elif token == "(":
            end = closing(tokens, at)
            yield _inner(tokens[at + 1 : end])
            at = end
        elif token in SIGNS or is_value(token) or is_name(token):
            yield unquoted(token) if is_value(token) else plain(token)
        at += 1


def _inner(tokens: Tokens) -> str:
    """What stands in brackets; of another SELECT what it asks for."""
    if tokens[:1] == ["select"]:
        return told(tokens[1 : tokens.index("from")] if "from" in tokens else tokens[1:])
    return told(tokens)


def _call(name: str, inner: Tokens) -> str:
    given = [told(part) for part in parts(inner)]
    if name in SUMS:
        said = given[0] if given and given[0] != "*" and "case" not in inner else ""
        return f"{name} {said}".strip()
    if name in _BETWEEN and len(given) == 3:
        return f"{given[0]}s {given[1]} to {given[2]}"
    shown = [one for one in given if one and not one.replace(".", "").isdigit()]
    return " ".join(shown if name in _SILENT else [plain(name), *shown])


def _end_of_case(tokens: Tokens, at: int) -> int:
    depth = 0
    for place in range(at, len(tokens)):
        depth += {"case": 1, "end": -1}.get(tokens[place], 0)
        if depth == 0:
            return place
    return len(tokens)


def _without_types(tokens: Tokens) -> list[str]:
    """`date '1952-10-06'` is `'1952-10-06'`, and `x::date` is `x`."""
    kept: list[str] = []
    for at, token in enumerate(tokens):
        before, after = tokens[at - 1] if at else "", tokens[at + 1] if at + 1 < len(tokens) else ""
        if token == "::" or before == "::" or (token in _TYPED and after[:1] == "'"):
            continue
        kept.append(token)
    return kept


def _without_casts(tokens: list[str]) -> list[str]:
    """`cast(x as date)` is `x`."""
    kept: list[str] = []
    skip_to = -1
    closes: dict[int, int] = {}
    for at, token in enumerate(tokens):
        if at <= skip_to:
            continue
        if token in ("cast", "try_cast") and tokens[at + 1 : at + 2] == ["("]:
            skip_to, end = at + 1, closing(tokens, at + 1)
            as_at = _as_at(tokens, at + 1, end)
            if as_at:
                closes[as_at] = end
        elif at in closes:
            skip_to = closes[at]
        else:
            kept.append(token)
    return kept


def _as_at(tokens: Tokens, start: int, end: int) -> int:
    """The place of the `as` of the cast whose bracket opens at `start`; 0 if it has none."""
    depth = 0
    for place in range(start, end):
        depth += {"(": 1, ")": -1}.get(tokens[place], 0)
        if depth == 1 and tokens[place] == "as":
            return place
    return 0
