"""What the SQL editor knows about text: kinds of words for colouring, and what may come next. No Qt, no parser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

KEYWORDS = frozenset(
    {
        "all", "and", "any", "as", "asc", "avg", "between", "by", "case", "cast", "coalesce", "count",
        "cross", "date", "desc", "distinct", "else", "end", "except", "exists", "extract", "false", "from",
        "full", "group", "having", "ilike", "in", "inner", "intersect", "interval", "is", "join", "left",
        "like", "limit", "lower", "max", "min", "not", "null", "nulls", "offset", "on", "or", "order",
        "outer", "over", "partition", "right", "round", "select", "sum", "then", "time", "true", "union",
        "upper", "using", "when", "where", "with",
    }
)  # fmt: skip

# Comments and strings first, so that words in them stay uncoloured; an open string or comment runs to the end.
_TOKEN = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?(?:\*/|$))|(?P<string>'(?:[^']|'')*(?:'|$))"
    r"|(?P<number>\b\d+(?:\.\d+)?\b)|(?P<word>[A-Za-z_]\w*)",
    re.DOTALL,
)
_WORD_BEFORE = re.compile(r"(?:(?P<owner>[A-Za-z_]\w*)\.)?(?P<part>[A-Za-z_]\w*)?\Z")
_COLUMN_BEFORE = re.compile(
    r"(?:\w+\.)?(?P<column>[A-Za-z_]\w*)\s*(?:=|<>|!=|<=|>=|<|>|\b(?:not\s+)?(?:like|ilike|in)\b)"
    r"\s*\(?\s*(?:'(?:[^']|'')*'\s*,\s*)*\Z",
    re.IGNORECASE,
)
_TABLE_USE = re.compile(
    r"\b(?:from|join|,)\s+(?P<table>[A-Za-z_]\w*)(?:\s+(?:as\s+)?(?P<alias>[A-Za-z_]\w*))?",
    re.IGNORECASE,
)
_MOST = 50


class WordKind(Enum):
    """How a piece of a statement is coloured; NAME keeps the text's own colour."""

    COMMENT = "comment"
    STRING = "string"
    NUMBER = "number"
    KEYWORD = "keyword"
    NAME = "name"


@dataclass(frozen=True)
class EditorSchema:
    """Tables with their columns, and for some columns the values that occur."""

    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    values: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def values_of(self, column: str) -> list[str]:
        """The values of every column of this name, without repetition."""
        values_by_column = [values for (_, name), values in self.values.items() if name.lower() == column.lower()]
        return list(dict.fromkeys(value for values in values_by_column for value in values))


@dataclass(frozen=True)
class Completions:
    """`items` may replace the last `typed` characters before the cursor; `closing` is typed after a chosen item."""

    items: tuple[str, ...] = ()
    typed: int = 0
    closing: str = ""


def words(text: str) -> Iterator[tuple[int, int, WordKind]]:
    """Start, length and kind of every coloured piece of the text."""
    for token in _TOKEN.finditer(text):
        kind = WordKind(token.lastgroup) if token.lastgroup != "word" else _kind_of_word(token.group())
        yield token.start(), len(token.group()), kind


def completions(before: str, after: str, schema: EditorSchema) -> Completions:
    """What may come at the cursor, given the text before and after it."""
    opened = _open_string(before)
    if opened is not None:
        return _value_completions(before, opened, after, schema)
    if _in_comment(before):
        return Completions()
    return _name_completions(before, after, schema)


def _kind_of_word(word: str) -> WordKind:
    return WordKind.KEYWORD if word.lower() in KEYWORDS else WordKind.NAME


def _open_string(before: str) -> int | None:
    """Where the string begins in which the text ends, if it ends inside one."""
    for start, length, kind in words(before):
        piece = before[start : start + length]
        # An odd number of quotes: the last one opened it. A doubled quote inside counts as two.
        if kind is WordKind.STRING and start + length == len(before) and piece.count("'") % 2:
            return start
    return None


def _in_comment(before: str) -> bool:
    last_line = before.rsplit("\n", 1)[-1]
    return any(kind is WordKind.COMMENT and start + length == len(last_line)
               for start, length, kind in words(last_line))  # fmt: skip


def _value_completions(before: str, opened: int, after: str, schema: EditorSchema) -> Completions:
    column = _COLUMN_BEFORE.search(before[:opened])
    if column is None:
        return Completions()
    typed = before[opened + 1 :]
    # A quote in a value is doubled, as the statement needs it.
    values = [value.replace("'", "''") for value in schema.values_of(column["column"])]
    # The editor's own closing quote may stand there already.
    closing = "" if after.startswith("'") else "'"
    return Completions(_matching(typed, values), len(typed), closing)


def _name_completions(before: str, after: str, schema: EditorSchema) -> Completions:
    word = _WORD_BEFORE.search(before)
    if word is None:
        return Completions()
    typed = word["part"] or ""
    # Also what comes after the cursor: FROM is written after SELECT.
    used = _tables_used(before + " " + after, schema)
    if word["owner"]:
        columns = schema.tables.get(used.get(word["owner"].lower(), ""), ())
        return Completions(_matching(typed, columns), len(typed))
    return Completions(_matching(typed, _names(used, schema)), len(typed))


def _tables_used(text: str, schema: EditorSchema) -> dict[str, str]:
    """Alias or name in lower case -> table name, of the tables that the statement reads."""
    by_lower = {name.lower(): name for name in schema.tables}
    used: dict[str, str] = {}
    for use in _TABLE_USE.finditer(text):
        table = by_lower.get(use["table"].lower())
        if table is not None:
            used[table.lower()] = table
            used[(use["alias"] or table).lower()] = table
    return used


def _names(used: Mapping[str, str], schema: EditorSchema) -> list[str]:
    """Columns of the tables in use first, then tables, then all other columns, then keywords."""
    near = [column for table in dict.fromkeys(used.values()) for column in schema.tables[table]]
    far = [column for columns in schema.tables.values() for column in columns]
    return list(dict.fromkeys([*near, *schema.tables, *far, *sorted(word.upper() for word in KEYWORDS)]))


def _matching(typed: str, names: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Names that begin with what was typed, then names that contain it; nothing if it is complete already."""
    low = typed.lower()
    begins = [name for name in names if name.lower().startswith(low)]
    # Not with nothing typed: every name contains the empty text.
    contains = [name for name in names if low and low in name.lower() and name not in begins]
    candidates = (begins + contains)[:_MOST]
    # Nothing to offer if the word is complete.
    return () if [name.lower() for name in candidates] == [low] else tuple(candidates)
