"""What the SQL editor knows about text: kinds of words for colouring, and what may come next. No Qt, no parser."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from curtain.base.sql_names import folded
from curtain.base.sql_tokens import SqlToken, TokenKind, sql_tokens

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

_MOST = 50


@dataclass(frozen=True)
class EditorSchema:
    """Tables with their columns, and for some columns the values that occur."""

    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    values: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def values_of(self, column: str) -> list[str]:
        """The values of every column of this name, without repetition."""
        values_by_column = [values for (_, name), values in self.values.items() if folded(name) == folded(column)]
        return list(dict.fromkeys(value for values in values_by_column for value in values))


@dataclass(frozen=True)
class Completions:
    """`items` may replace the last `typed` characters before the cursor; `closing` is typed after a chosen item."""

    items: tuple[str, ...] = ()
    typed: int = 0
    closing: str = ""


def coloured(text: str) -> Iterator[SqlToken]:
    """The pieces of the text that may have a colour: of the words the keywords alone."""
    return (one for one in sql_tokens(text) if one.kind is not TokenKind.WORD or one.text.lower() in KEYWORDS)


def completions(before: str, after: str, schema: EditorSchema) -> Completions:
    """What may come at the cursor, given the text before and after it."""
    tokens = sql_tokens(before)
    last = tokens[-1] if tokens else None
    if last is not None and last.open and last.kind is TokenKind.STRING:
        return _value_completions(last.text[1:], tokens[:-1], after, schema)
    if last is not None and last.open:
        return Completions()
    return _name_completions(tokens, len(before), after, schema)


def _value_completions(typed: str, before: Sequence[SqlToken], after: str, schema: EditorSchema) -> Completions:
    column = _column_compared(before)
    if column is None:
        return Completions()
    # A quote in a value is doubled, as the statement needs it.
    values = [value.replace("'", "''") for value in schema.values_of(column)]
    # The editor's own closing quote may stand there already.
    closing = "" if after.startswith("'") else "'"
    return Completions(_matching(typed, values), len(typed), closing)


_COMPARISONS = frozenset({"=", "==", "<>", "!=", "<=", ">=", "<", ">", "like", "ilike", "in"})


def _column_compared(before: Sequence[SqlToken]) -> str | None:
    """The column whose value comes next: `column =`, `column NOT LIKE`, `column IN ('A',` and so on."""
    words = [token.text.lower() for token in before]
    end = len(words)
    while end > 1 and words[end - 1] == "," and before[end - 2].kind is TokenKind.STRING:
        end -= 2
    end -= words[end - 1 : end] == ["("]
    if not end or words[end - 1] not in _COMPARISONS:
        return None
    end -= 1
    end -= words[end - 1 : end] == ["not"]
    return before[end - 1].text.strip('"') if end and before[end - 1].kind in _NAMED else None


_NAMED = (TokenKind.WORD, TokenKind.NAME)


def _name_completions(before: Sequence[SqlToken], cursor: int, after: str, schema: EditorSchema) -> Completions:
    owner, typed = _word_at(before, cursor)
    # Also what comes after the cursor: FROM is written after SELECT.
    used = _tables_used([*before, *sql_tokens(after)], schema)
    if owner is not None:
        columns = schema.tables.get(used.get(folded(owner), ""), ())
        return Completions(_matching(typed, columns), len(typed))
    return Completions(_matching(typed, _names(used, schema)), len(typed))


def _word_at(tokens: Sequence[SqlToken], cursor: int) -> tuple[str | None, str]:
    """The name before the dot, if there is one, and the word that the cursor ends; both touch each other."""
    rest = list(tokens)
    typed = ""
    if rest and rest[-1].kind is TokenKind.WORD and rest[-1].end == cursor:
        typed = rest.pop().text
    if len(rest) > 1 and rest[-1].text == "." and rest[-1].end == cursor - len(typed) and rest[-2].kind in _NAMED:
        return rest[-2].text.strip('"'), typed
    return None, typed


def _tables_used(tokens: Sequence[SqlToken], schema: EditorSchema) -> dict[str, str]:
    """Alias or name in lower case -> table name, of the tables that the statement reads."""
    by_lower = {folded(name): name for name in schema.tables}
    used: dict[str, str] = {}
    for place, token in enumerate(tokens[:-1]):
        table = by_lower.get(folded(tokens[place + 1].text.strip('"')))
        if table is not None and token.text.lower() in ("from", "join", ","):
            used[folded(table)] = table
            used[folded(_alias(tokens[place + 2 : place + 4]) or table)] = table
    return used


def _alias(behind: Sequence[SqlToken]) -> str:
    """The other name that a table is given right behind its own; "" without one."""
    names = behind[1:] if behind and behind[0].text.lower() == "as" else behind[:1]
    named = bool(names) and names[0].kind in _NAMED and names[0].text.lower() not in KEYWORDS
    return names[0].text.strip('"') if named else ""


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
