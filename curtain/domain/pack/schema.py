"""The tables of a pack, read from its schema.sql without a database at hand: names, columns, declared types."""

import re
from collections.abc import Iterator

from curtain.base.sql_names import folded
from curtain.base.words import MARKS

# Not sqlglot's tokenizer: it takes longer to load than a pack takes to be read, and every start reads one.
_TOKEN = re.compile(
    rf"""(?P<space>\s+|--[^\n]*|/\*.*?\*/)|(?P<name>"(?:[^"]|"")+"|[^\W\d][\w{MARKS}]*)|(?P<text>'(?:[^']|'')*')|(?P<other>.)""",
    re.DOTALL,
)
_NOT_A_COLUMN = {"PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "CONSTRAINT"}
_SHOWN = 3
_ENDS_A_TYPE = {"PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "REFERENCES", "DEFAULT", "CONSTRAINT", "COLLATE"}


class SchemaError(ValueError):
    """What is wrong with the text of a schema, in one sentence."""


def read_schema(text: str) -> dict[str, dict[str, str]]:
    """Table -> column -> type of every CREATE TABLE in the text, names in lower case, in the order of the text.

    Other statements are passed over. Raises SchemaError for a CREATE TABLE that cannot be read.
    """
    return {table: _columns(table, entries) for table, entries in table_entries(text)}


def table_entries(text: str) -> Iterator[tuple[str, list[list[str]]]]:
    """Each CREATE TABLE of the text: its name in lower case and, as tokens, what stands between its commas."""
    for statement in _split(list(_tokens(text)), ";"):
        words = [token.upper() for token in statement]
        if _is_table(statement):
            name, body = _table(statement[5:] if words[2:5] == ["IF", "NOT", "EXISTS"] else statement[2:])
            yield name, list(_split(body, ","))


def passed_over(text: str) -> list[str]:
    """The beginning of each statement that is no CREATE TABLE, so that nothing of it is read."""
    statements = (statement for statement in _split(list(_tokens(text)), ";") if not _is_table(statement))
    return [" ".join(statement[:_SHOWN]) for statement in statements]


def _is_table(statement: list[str]) -> bool:
    return [token.upper() for token in statement[:2]] == ["CREATE", "TABLE"]


def _tokens(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "space":
            yield match.group()


def _split(tokens: list[str], separator: str) -> Iterator[list[str]]:
    """The runs between separators that stand outside parentheses; empty runs are dropped."""
    depth = 0
    run: list[str] = []
    for token in tokens:
        # DECIMAL(9, 2) and CHECK (a, b) have commas of their own.
        depth += (token == "(") - (token == ")")
        if token == separator and depth == 0:
            if run:
                yield run
            run = []
        else:
            run.append(token)
    if run:
        yield run


def _table(tokens: list[str]) -> tuple[str, list[str]]:
    if len(tokens) < 4 or tokens[1] != "(" or tokens[-1] != ")":
        raise SchemaError(f"the table near “{' '.join(tokens[:3])}” is not written as CREATE TABLE name (columns)")
    return bare_name(tokens[0]), tokens[2:-1]


def _columns(table: str, entries: list[list[str]]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for entry in entries:
        if entry[0].upper() in _NOT_A_COLUMN:
            continue
        if len(entry) < 2:
            raise SchemaError(f"the column “{entry[0]}” of table “{table}” has no type")
        columns[bare_name(entry[0])] = _type(entry[1:])
    if not columns:
        raise SchemaError(f"the table “{table}” has no columns")
    return columns


def _type(tokens: list[str]) -> str:
    end = next((index for index, token in enumerate(tokens) if token.upper() in _ENDS_A_TYPE), len(tokens))
    return "".join(token.upper() for token in tokens[:end])


def bare_name(token: str) -> str:
    """A name without its quotes, as DuckDB compares names."""
    return folded(token.strip('"'))
