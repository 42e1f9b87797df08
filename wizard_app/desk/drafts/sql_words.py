"""The words and signs of a statement, and the clauses and conditions that they make. No parser, no Qt.

Whatever the text is, something comes out: these are for showing a statement, not for running it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from curtain.base.sql_tokens import sql_words

_MOST_STATEMENT = 20_000
_KEYWORDS = frozenset(
    [
        *("all", "and", "any", "as", "asc", "between", "by", "case", "desc", "distinct", "else", "end", "except"),
        *("exists", "from", "group", "having", "ilike", "in", "intersect", "interval", "is", "like", "limit"),
        *("not", "null", "on", "or", "order", "select", "then", "union", "using", "when", "where"),
    ]
)
JOINS = frozenset({"join", "inner", "left", "right", "full", "outer", "cross", "natural", "semi", "anti", "asof"})
_CLAUSES = ("from", "where", "group", "having", "order", "limit", "offset", "qualify")
_SETS = ("union", "intersect", "except")
_TYPED = frozenset({"date", "time", "timestamp"})

Tokens = Sequence[str]


def all_words(sql: str) -> list[str]:
    """Every word, sign and literal, in small letters where they do not matter; `table.column` is one word."""
    return [word if word[0] in "'\"" else word.lower() for word in sql_words(sql[:_MOST_STATEMENT])]


def words_of(sql: str) -> list[str]:
    """All but a literal's type and casts, since a value says enough."""
    return _without_casts(_without_types(all_words(sql)))


# -- words -----------------------------------------------------------------------------------------------


def is_value(token: str) -> bool:
    """Whether a token is a text in quotes or a number."""
    return token[:1] == "'" or token[:1].isdigit()


def is_name(token: str) -> bool:
    """Whether a token names a table or a column; keywords do not."""
    return token[:1] == '"' or ((token[:1].isalpha() or token[:1] == "_") and token not in _KEYWORDS)


def unquoted(token: str) -> str:
    """The text of a literal without its quotes; any other token as it is."""
    return token[1:-1].replace("''", "'") if len(token) > 1 and token[0] == "'" else token


def plain(column: str) -> str:
    """A column without its table."""
    return column.split(".")[-1].strip().strip('"')


def owner(column: str) -> str:
    """The table, or its other name, that a column is written with; "" if it stands alone."""
    return column.rpartition(".")[0].strip().strip('"')


# -- places ----------------------------------------------------------------------------------------------


def depths(tokens: Tokens) -> Iterator[int]:
    """For each token how many brackets and CASEs are open around it; their own ends count as inside."""
    depth = 0
    for token in tokens:
        depth += token in ("(", "case")
        yield depth
        depth -= token in (")", "end")


def closing(tokens: Tokens, at: int) -> int:
    """The place of what closes the bracket or CASE at `at`, or the end of the tokens."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place] in ("(", "case")) - (tokens[place] in (")", "end"))
        if depth == 0:
            return place
    return len(tokens)


def find(tokens: Tokens, words: Collection[str]) -> int:
    """The place of the first of the words that stands in no bracket; -1 if there is none."""
    pairs = enumerate(zip(tokens, depths(tokens), strict=True))
    return next((at for at, (token, depth) in pairs if depth == 0 and token in words), -1)


def split(tokens: Tokens, word: str) -> list[Tokens]:
    """What stands between those of the word that no bracket holds; the AND of a BETWEEN is none."""
    parts: list[Tokens] = []
    start, between = 0, 0
    for at, (token, depth) in enumerate(zip(tokens, depths(tokens), strict=True)):
        if depth == 0 and token == "between":
            between += 1
        elif depth == 0 and token == "and" and between:
            between -= 1
        elif depth == 0 and token == word:
            parts.append(tokens[start:at])
            start = at + 1
    return [*parts, tokens[start:]]


def unwrapped(tokens: Tokens) -> Tokens:
    """Without the brackets around all of it."""
    while tokens[:1] == ["("] and closing(tokens, 0) == len(tokens) - 1 and len(tokens) > 1:
        tokens = tokens[1:-1]
    return tokens


# -- clauses ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Select:
    """One SELECT by its clauses, without their first words; `named` is what WITH names, `more` are other SELECTs and
    what ties them to it."""

    heads: Tokens = ()
    sources: Tokens = ()
    where: Tokens = ()
    group: Tokens = ()
    having: Tokens = ()
    order: Tokens = ()
    limit: Tokens = ()
    offset: Tokens = ()
    named: Tokens = ()
    more: tuple[tuple[str, Select], ...] = ()

    @property
    def table(self) -> str:
        """The first table; "" if there is none."""
        return plain(self.sources[0]) if self.sources and is_name(self.sources[0]) else ""

    @property
    def joins(self) -> Iterator[Tokens]:
        """What stands behind each ON."""
        for part in split(self.sources, "on")[1:]:
            end = find(part, JOINS | {",", "using"})
            yield part[:end] if end >= 0 else part


def read_select(tokens: Tokens) -> Select:
    """The clauses of a SELECT, from `select` or `with` on."""
    tokens = unwrapped(tokens)
    if tokens[:1] == ["with"]:
        start = max(1, find(tokens, {"select"}))
        return replace(read_select(tokens[start:]), named=tokens[1:start])
    sets = find(tokens, _SETS)
    if sets >= 0:
        link = " ".join(tokens[sets : sets + 1 + (tokens[sets + 1 : sets + 2] == ["all"])])
        behind = read_select(tokens[sets + 1 + (link.endswith(" all")) :])
        first = read_select(tokens[:sets])
        return replace(first, more=(*first.more, (link, behind)))
    return _clauses(tokens)


def _clauses(tokens: Tokens) -> Select:
    pairs = enumerate(zip(tokens, depths(tokens), strict=True))
    starts = [at for at, (token, depth) in pairs if depth == 0 and token in _CLAUSES and tokens[at - 1] != "distinct"]
    ends = [*starts[1:], len(tokens)][: len(starts)]
    clauses = {tokens[start]: tokens[start + 1 : end] for start, end in zip(starts, ends, strict=True)}
    heads = tokens[1 : starts[0]] if starts else tokens[1:]
    return Select(
        heads=heads[heads[:1] == ["distinct"] :],
        sources=clauses.get("from", ()),
        where=clauses.get("where", ()),
        group=clauses.get("group", ())[1:],
        having=clauses.get("having", ()),
        order=clauses.get("order", ())[1:],
        limit=clauses.get("limit", ()),
        offset=clauses.get("offset", ()),
    )


# -- what says nothing -----------------------------------------------------------------------------------


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
