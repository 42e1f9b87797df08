"""What the parts of a statement say to a person: expressions, comparisons, conditions. No parser, no Qt."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from wizard_app.desk.drafts.sql_words import (
    JOINS,
    Select,
    Tokens,
    closing,
    find,
    is_name,
    is_value,
    owner,
    plain,
    read_select,
    split,
    unquoted,
    unwrapped,
)

_COMPARE = frozenset({"=", "<>", "!=", "<", ">", "<=", ">="})
_OPERATORS = _COMPARE | {"like", "ilike", "in", "between", "is"}
_SIGNS = _COMPARE | {"+", "-", "*", "/", "%", "||"}
_SUMS = frozenset({"count", "min", "max", "sum", "avg"})
_SUM_WORDS = {"count": "number of", "min": "lowest", "max": "highest", "sum": "total", "avg": "average"}
_SIGN_WORDS = {"<": "below", ">": "above", "<=": "at most", ">=": "at least", "<>": "not", "!=": "not"}
_DATE_WORDS = {**_SIGN_WORDS, "<": "before", ">": "after", "<=": "until", ">=": "from"}
_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
_ANY_DAY = "1989-08-19"
_SILENT = frozenset({"round", "coalesce", "lower", "upper", "trim", "abs", "ceil", "floor", "extract"})
_BETWEEN = frozenset({"date_diff", "datediff", "date_sub", "datesub"})
_DAYS_OF_A_YEAR = frozenset({"365", "365.25"})
_WHETHER = {"> 0": "any", ">= 1": "any", "<> 0": "any", "!= 0": "any", "= 0": "none", "< 1": "none"}
_KEY = re.compile(r"_(?:name|code|id)\Z")
_NUMBERED = re.compile(r"\w{1,3}\Z|.*\d\Z")
_AFTER_TABLES = frozenset({"select", "where", "group", "having", "order", "limit"})
_PLACES = ("from_", "to_", "stop_")
_NOTHING: frozenset[str] = frozenset()

_Links = Mapping[str, Sequence[tuple[str, str, bool]]]
"""For an alias: the aliases to which its keys are joined, their columns, and whether these tell what it is to them."""


class Telling:
    """Tells the parts of one statement. A value of a joined table is told by what that table is to the others: the
    `from` and `to` of a flight."""

    def __init__(self, tokens: Tokens) -> None:
        self._tables = _tables(tokens)
        self._first = next(iter(self._tables), "")
        self._links = _links(tokens, self._tables)

    # -- conditions --------------------------------------------------------------------------------------

    def conditions(self, select: Select, around: Collection[str] = _NOTHING) -> list[str]:
        """Every condition of a SELECT but the joins; `around` are those of the SELECT around it."""
        factors = [one for part in (*select.joins, select.where, select.having) for one in _factors(part)]
        plain_conditions = frozenset(
            filter(None, (self.condition(one, around) for one in factors if "select" not in one))
        )
        phrases = [self.condition(one, plain_conditions | set(around)) for one in factors]
        return [*dict.fromkeys(filter(None, [*self._of_sources(select), *phrases]))]

    def condition(self, tokens: Tokens, around: Collection[str] = _NOTHING) -> str:
        """In words; "" for a join."""
        tokens, negated = _positive(tokens)
        for word, joint in (("or", " or "), ("and", " and ")):
            branches = split(tokens, word)
            if len(branches) > 1:
                text = joint.join(filter(None, (self._branch(one, word, around) for one in branches)))
                return f"not ({text})" if negated else f"({text})" if word == "or" else text
        if tokens[:2] == ["exists", "("]:
            return self._exists(tokens, negated, around)
        return self._comparison(tokens, negated, around)

    def _branch(self, tokens: Tokens, word: str, around: Collection[str]) -> str:
        """Of an OR also a join is told: it is one of two."""
        phrase = self.condition(tokens, around)
        return phrase or (self._name(tokens[: max(0, find(tokens, {"="}))]) if word == "or" else "")

    def _of_sources(self, select: Select) -> Iterator[str]:
        """The SELECTs that stand among the tables or before them."""
        for tokens in (select.named, select.sources):
            for at, token in enumerate(tokens):
                if token == "(" and tokens[at + 1 : at + 2] == ["select"]:
                    yield f"from {self.whole(read_select(tokens[at : closing(tokens, at) + 1]))}"

    def _exists(self, tokens: Tokens, negated: bool, around: Collection[str]) -> str:
        inner = read_select(tokens[1:])
        scope = self._scope(inner, around)
        return f"{'no' if negated else 'with'} {_words(inner.table)}{scope}"

    def _comparison(self, tokens: Tokens, negated: bool, around: Collection[str]) -> str:
        at = find(tokens, _OPERATORS)
        if at < 0:
            return "not " * negated + self.expression(tokens)
        left, sign, right = tokens[:at], tokens[at], tokens[at + 1 :]
        if left[-1:] == ["not"]:
            left, negated = left[:-1], not negated
        if not negated and sign == "=" and len(left) == len(right) == 1 and is_name(left[0]) and is_name(right[0]):
            # Two columns that are equal join two tables.
            return "" if right[0] not in ("true", "false") else f"{self._name(left)} {right[0]}"
        inner = right[1:] if right[:1] and right[0] in ("all", "any", "some") else right
        if inner[:2] == ["(", "select"]:
            return self._with_select(left, ("not " * negated) + sign, right, read_select(inner), around)
        names = [part[0] for part in (left, right) if len(part) == 1 and is_name(part[0])]
        if len(names) == 2 and plain(names[0]) == plain(names[1]):
            return self._of_two_rows(names[0], "not " * negated + sign, names[1])
        return self._compared(self._name(left), "not " * negated + sign, right)

    def _of_two_rows(self, left: str, sign: str, right: str) -> str:
        """A column compared with the same column of another row: “salary above that of the supervisor”."""
        mine, theirs, table = self._whose(left), self._whose(right), self._tables.get(owner(right), self._first)
        name = f"{_words(plain(left))} of the {mine}" if mine else _words(plain(left))
        other = f"the {theirs}" if theirs else f"{'the' if mine else 'another'} {_words(table)}"
        dated = "date" in name.split()
        return f"{name} {'' if sign == '=' else _in_words(sign, _ANY_DAY if dated else '') + ' '}that of {other}"

    def _whose(self, column: str) -> str:
        """What a row is to the one whose key leads to it; "" if nothing tells."""
        through = (through for _, through, tells in self._links.get(owner(column), ()) if tells)
        return _words(_KEY.sub("", next(through, "")))

    def _compared(self, name: str, sign: str, right: Tokens) -> str:
        base = sign.removeprefix("not ")
        negated = "not " * (base != sign)
        if base == "between":
            values = [self.expression(one) for one in _ends(right)]
            to = " to " if any("-" in value for value in values) else "-"
            return f"{name} {negated}{to.join(values)}"
        if base == "in":
            return f"{name} {negated}{' or '.join(self.expression(one) for one in split(right[1:-1], ','))}"
        value = " ".join(right) if base == "is" else self.expression(right)
        says_enough = base == "is" or (sign == "=" and not _SIGNS.intersection(name.split()))
        return f"{name} {negated}{value}" if says_enough else f"{name} {_in_words(sign, value)} {value}"

    def _with_select(self, left: Tokens, sign: str, right: Tokens, inner: Select, around: Collection[str]) -> str:
        """A comparison with what another SELECT finds."""
        name, head = self._name(left), inner.heads
        scope = self._scope(inner, around)
        same = len(head) == 1 and len(left) == 1 and plain(head[0]) == plain(left[0])
        if sign in ("in", "not in"):
            table = f"{sign} {_words(inner.table)}{scope}"
            return table if same else f"{name} {sign} {self.expression(head)} of {_words(inner.table)}{scope}"
        all_of = scope or " of all" * (bool(around) and not self.conditions(inner))
        if right[0] == "all" and sign in (">=", "<="):
            return f"{name} {'highest' if sign == '>=' else 'lowest'}{all_of}"
        if sign == "=" and head[:1] and head[0] in ("min", "max"):
            return f"{name} {'lowest' if head[0] == 'min' else 'highest'}{all_of}"
        quantity = f"{right[0]} " if right[0] in ("all", "any", "some") else ""
        if head[:1] and head[0] in _SUMS:
            return f"{name} {_in_words(sign)} {quantity}{self.expression(head)}{all_of}"
        what = "that" if same else self.expression(head)
        return f"{name} {'' if sign == '=' else _in_words(sign) + ' '}{quantity}{what} of {_words(inner.table)}{scope}"

    def _scope(self, inner: Select, around: Collection[str]) -> str:
        """The conditions that are not those of the SELECT around it."""
        phrase = ", ".join(one for one in self.conditions(inner, around) if one not in around)
        if not phrase:
            return ""
        return f" {phrase}" if _is_bracketed(phrase) else f" ({phrase})"

    def whole(self, inner: Select) -> str:
        """A SELECT within another: what it asks for, of which table, with its conditions."""
        table = f" of {_words(inner.table)}" if inner.table else ""
        return f"{self._heads(inner)}{table}{self._scope(inner, _NOTHING)}"

    def _heads(self, select: Select) -> str:
        return ", ".join(filter(None, (self.expression(one) for one in split(select.heads, ","))))

    # -- expressions -------------------------------------------------------------------------------------

    def expression(self, tokens: Tokens) -> str:
        """For example `count`, `max salary`, `days from birth date to hire date`, `100 * count(sex F) / count`."""
        if tokens[:2] == ["count", "("] and closing(tokens, 1) == len(tokens) - 3:
            whether = _WHETHER.get(" ".join(tokens[-2:]))
            if whether and tokens[2] == "*":
                return f"whether {whether}"
        return " ".join(_in_years([*filter(None, self._pieces(tokens))])).replace(" ,", ",")

    def _pieces(self, tokens: Tokens) -> Iterator[str]:
        at = 0
        while at < len(tokens):
            token, after = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
            end = closing(tokens, at + (after == "(" and token != "("))
            if token == "as":
                return
            if token == "case":
                yield self._case(tokens[at + 1 : end])
            elif token == "(":
                yield self._inner(tokens[at + 1 : end])
            elif after == "(" and is_name(token):
                yield self._call(token, tokens[at + 2 : end])
            elif token == "-" and is_value(after) and (at == 0 or tokens[at - 1] in _SIGNS):
                yield f"-{after}"
                end = at + 1
            else:
                yield self._word(token)
                end = at
            at = end + 1

    def _word(self, token: str) -> str:
        if is_value(token):
            return unquoted(token)
        if not is_name(token):
            return "" if token in (")", ";", "interval") else token
        alias = owner(token)
        is_told = alias not in ("", self._first, self._tables.get(alias, alias)) and not _NUMBERED.match(alias)
        return _words(f"{alias} {plain(token)}" if is_told else plain(token))

    def _inner(self, tokens: Tokens) -> str:
        """What stands in brackets; they stay where they matter."""
        if tokens[:1] == ["select"]:
            return self.whole(read_select(tokens))
        phrase = self.expression(tokens)
        return f"({phrase})" if find(tokens, _SIGNS | {"and", "or", "not"}) >= 0 else phrase

    def _call(self, name: str, inner: Tokens) -> str:
        if name in _SUMS:
            return self._summed(name, inner)
        given = [self.expression(part) for part in split(inner, ",")]
        if name in _BETWEEN and len(given) == 3:
            return f"{given[0].lower()}s from {given[1]} to {given[2]}"
        shown = given[:1] if name == "round" else given
        return " ".join(shown if name in _SILENT else [plain(name), *filter(None, shown)])

    def _summed(self, name: str, inner: Tokens) -> str:
        """Counting by a CASE is told as counting."""
        if name in ("sum", "count") and inner[:2] == ["case", "when"] and closing(inner, 0) == len(inner) - 1:
            then = find(inner[1:-1], {"then"}) + 1
            what = list(inner[then + 1 : -1])
            if what in (["1", "else", "0"], ["1"], ["1", "else", "null"]):
                return f"count({self.condition(inner[2:then])})"
        phrase = self.expression(inner)
        return name if phrase == "*" else f"{_SUM_WORDS[name]} {phrase}"

    def _case(self, inner: Tokens) -> str:
        otherwise = find(inner, {"else"})
        whens = inner[:otherwise] if otherwise >= 0 else inner
        branches = [self._when(one) for one in split(whens, "when")[1:]]
        start = self.expression(split(whens, "when")[0])
        last = [f"else {self.expression(inner[otherwise + 1 :])}"] if otherwise >= 0 else []
        return f"({' '.join(filter(None, [start, *branches, *last]))})"

    def _when(self, tokens: Tokens) -> str:
        at = max(0, find(tokens, {"then"}))
        return f"if {self.condition(tokens[:at])} then {self.expression(tokens[at + 1 :])}"

    # -- names -------------------------------------------------------------------------------------------

    def _name(self, left: Tokens) -> str:
        """What stands left of a sign."""
        role = self._role(left[0]) if len(left) == 1 and is_name(left[0]) else ""
        return role or self.expression(left)

    def _role(self, column: str) -> str:
        """A value at the end of a chain of joins is told by the column on which the chain hangs: `from`."""
        alias, seen = owner(column), {owner(column)}
        while alias and _KEY.search(plain(column)):
            onward = [step for step in self._links.get(alias, ()) if step[0] not in seen]
            telling = next((through for _, through, tells in onward if tells), "")
            if telling or not onward:
                # From where and to where says enough: the value names the place.
                return telling.split("_")[0] if telling.startswith(_PLACES) else _words(telling)
            alias = onward[0][0]
            seen.add(alias)
        return ""


def _factors(tokens: Tokens) -> list[Tokens]:
    """What must all be so."""
    tokens = unwrapped(tokens)
    return [tokens] if len(split(tokens, "or")) > 1 else split(tokens, "and")


def _positive(tokens: Tokens) -> tuple[Tokens, bool]:
    """Without the NOTs before it and the brackets around it, and whether it is negated then."""
    negated, tokens = False, unwrapped(tokens)
    while tokens[:1] == ["not"]:
        negated, tokens = not negated, unwrapped(tokens[1:])
    return tokens, negated


def _ends(right: Tokens) -> list[Tokens]:
    """The two ends of a BETWEEN."""
    at = find(right, {"and"})
    return [right[:at], right[at + 1 :]] if at >= 0 else [right]


def _tables(tokens: Tokens) -> dict[str, str]:
    """The table that each name stands for, in their order."""
    tables: dict[str, str] = {}
    among = False
    for at, table in enumerate(tokens):
        among = table == "from" or (among and table not in _AFTER_TABLES)
        if among and tokens[at - 1] in ("from", "join", ",") and is_name(table) and "." not in table:
            named = next((word for word in tokens[at + 1 : at + 3] if word != "as"), "")
            alias = named if is_name(named) and named not in JOINS else table
            tables.setdefault(plain(alias), plain(table))
    return tables


def _links(tokens: Tokens, tables: Mapping[str, str]) -> _Links:
    links: dict[str, list[tuple[str, str, bool]]] = {}
    for left, sign, right in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if sign != "=" or "." not in left or "." not in right or is_value(left) or is_value(right):
            continue
        for side, other in ((left, right), (right, left)):
            if _KEY.search(side):
                table = tables.get(owner(other), owner(other))
                tells = plain(side) != plain(other) and not plain(other).startswith(f"{table}_")
                links.setdefault(owner(side), []).append((owner(other), plain(other), tells))
    return links


def _is_bracketed(phrase: str) -> bool:
    """One pair of brackets holds all of it."""
    depth = 0
    for at, sign in enumerate(phrase):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return at == len(phrase) - 1 and at > 0
    return False


def _in_words(sign: str, value: str = "") -> str:
    """“above” for `>`, “after” before a date; “not like” stays."""
    base = sign.removeprefix("not ")
    if sign == "not =":
        return "not"
    words = _DATE_WORDS if _DAY.match(value) else _SIGN_WORDS
    return ("not " if base != sign else "") + words.get(base, base)


def _in_years(pieces: list[str]) -> list[str]:
    """Days divided by those of a year are years."""
    for at, (what, sign, by) in enumerate(zip(pieces, pieces[1:], pieces[2:], strict=False)):
        if sign == "/" and by in _DAYS_OF_A_YEAR and "days from " in what:
            return [*pieces[:at], what.replace("days from ", "years from ", 1), *_in_years(pieces[at + 3 :])]
    return pieces


def _words(name: str) -> str:
    return name.replace("_", " ")
