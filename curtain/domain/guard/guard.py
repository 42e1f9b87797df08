"""Is this one SELECT over the domain's tables, with functions that are allowed? Decided in the child, before it runs.

The syntax tree comes from DuckDB's own parser, so what is checked is what runs, and the text runs as it was written.
Checking and regenerating with sqlglot was tried and left: it wrote `date '1989-08-19'::timestamp` back as a date, which
is another answer, and a second reading of the text is a second chance to be mistaken. This is help for the
wizard and the first of several walls: the database is read-only, its configuration locked, its process limited.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec

from curtain.base.sql_names import folded
from curtain.domain.guard.error_texts import refusal

from .functions import CLOCK_FUNCTIONS, LIST_FUNCTIONS, SESSION_NAMES, UNSTABLE_FUNCTIONS, names_in
from .refusal import StatementRefused, nearest, place_of

if TYPE_CHECKING:
    import duckdb

Node = dict[str, Any]

_ONLY = "Only a single SELECT is allowed here"
_ALLOWED_TYPES = names_in(
    "SELECT_NODE SET_OPERATION_NODE BASE_TABLE JOIN SUBQUERY EMPTY EXPRESSION_LIST COLUMN_REF VALUE_CONSTANT "
    "FUNCTION STAR CASE_EXPR OPERATOR_CAST TYPE ORDER_MODIFIER DISTINCT_MODIFIER LIMIT_MODIFIER "
    "LIMIT_PERCENT_MODIFIER POSITIONAL_REFERENCE COLLATE OPERATOR_NOT OPERATOR_IS_NULL OPERATOR_IS_NOT_NULL "
    "OPERATOR_COALESCE OPERATOR_NULLIF OPERATOR_TRY COMPARE_IN COMPARE_NOT_IN COMPARE_BETWEEN "
    "COMPARE_NOT_BETWEEN COMPARE_EQUAL COMPARE_NOTEQUAL COMPARE_LESSTHAN COMPARE_GREATERTHAN "
    "COMPARE_LESSTHANOREQUALTO COMPARE_GREATERTHANOREQUALTO COMPARE_DISTINCT_FROM COMPARE_NOT_DISTINCT_FROM "
    "CONJUNCTION_AND CONJUNCTION_OR GROUPING_FUNCTION ARRAY_EXTRACT ARRAY_SLICE WINDOW_AGGREGATE "
    "WINDOW_ROW_NUMBER WINDOW_FIRST_VALUE WINDOW_LAST_VALUE WINDOW_NTH_VALUE WINDOW_RANK WINDOW_RANK_DENSE "
    "WINDOW_PERCENT_RANK WINDOW_CUME_DIST WINDOW_NTILE WINDOW_LEAD WINDOW_LAG"
)
_ALIKE = 0.75
"""How alike a function's name must be to be meant: they are short, and “version” is no “sin”."""
_ORDERINGS = frozenset(("ORDER_DEFAULT", "ASCENDING", "DESCENDING"))
_SENTENCES: Mapping[str, str] = {
    "SHOW_REF": f"{_ONLY}; the tables and their columns are listed beside the editor.",
    "TABLE_FUNCTION": "Only the tables of this database can be read here, not a function in place of a table.",
    "RECURSIVE_CTE_NODE": "WITH RECURSIVE is not allowed here: it may never end.",
    "INSERT_QUERY_NODE": f"{_ONLY}: INSERT is not.",
    "UPDATE_QUERY_NODE": f"{_ONLY}: UPDATE is not.",
    "DELETE_QUERY_NODE": f"{_ONLY}: DELETE is not.",
    "VALUE_PARAMETER": "A placeholder has no value here: write the value itself.",
    "VALUE_DEFAULT": "DEFAULT has no meaning in a SELECT.",
    "PIVOT": "PIVOT and UNPIVOT are not allowed here.",
    "LAMBDA": "A function within a function (x -> ...) is not allowed here.",
}


@dataclass(frozen=True)
class Fence:
    """What a statement may touch. `tables`: table -> its columns, in lower case."""

    tables: Mapping[str, tuple[str, ...]]
    functions: frozenset[str]
    as_of: date


def read_statement(connection: duckdb.DuckDBPyConnection, sql: str, longest: int) -> Node:
    """The syntax tree of the one SELECT in the text; raises StatementRefused for any other text."""
    if len(sql) > longest:
        raise StatementRefused(f"This statement is too long: at most {longest:,} characters are allowed.")
    # A surrogate stands for a byte of the terminal that is not UTF-8; DuckDB would take the text for a placeholder.
    if re.search("[\0\ud800-\udfff]", sql):
        raise StatementRefused("There is a character in this statement that cannot be read.")
    tree = _serialized(connection, sql)
    if tree["error"]:
        raise _unreadable(tree, sql)
    return _only_statement(tree["statements"])


def key_of(statement: Node) -> str:
    """The same for statements that differ in white space, remarks and the case of keywords alone."""
    # The places in the text are all that white space changes in the tree.
    bare = re.sub(r'"query_location":\d+', "", msgspec.json.encode(statement).decode())
    return hashlib.sha256(bare.encode()).hexdigest()[:16]


def check(statement: Node, sql: str, fence: Fence) -> None:
    """Walks the whole tree; raises StatementRefused at the first thing that is not allowed."""
    # A stack of our own: a statement nested deeper than Python recurses must still be checked.
    stack: list[tuple[Any, frozenset[str]]] = [(statement, frozenset())]
    while stack:
        node, named = stack.pop()
        if isinstance(node, list):
            # Reversed, so that the first problem in the text is the one that is named.
            stack.extend((part, named) for part in reversed(node))
        elif isinstance(node, dict):
            _check_node(node, named, sql, fence)
            stack.extend(reversed(list(_parts(node, named))))


def _parts(node: Node, named: frozenset[str]) -> Iterator[tuple[Any, frozenset[str]]]:
    """What is inside a node, each with the WITH names that it sees: those above it and those before it."""
    for entry in (node.get("cte_map") or {}).get("map", ()):
        yield entry["value"], named
        named |= {folded(entry["key"])}
    for key, part in node.items():
        if key != "cte_map":
            yield part, named


def _check_node(node: Node, named: frozenset[str], sql: str, fence: Fence) -> None:
    at = place_of(sql, node.get("query_location", -1))
    kind = node.get("type")
    if isinstance(kind, str) and kind not in _ALLOWED_TYPES and kind not in _ORDERINGS:
        raise StatementRefused(_SENTENCES.get(kind, "This form of SELECT is not allowed here."), at)
    if node.get("sample"):
        raise StatementRefused("A random sample is not allowed here: it would be another answer each time.", at)
    if "function_name" in node:
        _check_function(node, at, fence)
    if kind == "BASE_TABLE":
        _check_table(node, named, at, fence)
    if kind == "COLUMN_REF":
        _check_name(node, at, fence)


def _check_function(node: Node, at: tuple[int, int] | None, fence: Fence) -> None:
    name = folded(node["function_name"])
    if name in CLOCK_FUNCTIONS:
        raise StatementRefused(_no_clock(name, fence), at)
    if name in UNSTABLE_FUNCTIONS:
        raise StatementRefused(f"“{name}” may give another answer another time; MIN or MAX always gives the same.", at)
    if name in LIST_FUNCTIONS:
        raise StatementRefused("Lists and rows in one cell are not allowed here: select the values one by one.", at)
    # With a schema before it the name may be another function than the one that is allowed.
    if name in fence.functions and not node.get("schema") and not node.get("catalog"):
        return
    raise StatementRefused(f"The function “{name}” is not allowed here{nearest(name, fence.functions, _ALIKE)}", at)


def _check_table(node: Node, named: frozenset[str], at: tuple[int, int] | None, fence: Fence) -> None:
    path = [folded(part) for part in node["qualified_name"]["path"]]
    # A WITH name is checked where it is defined. With a schema before it, it would be a table.
    if len(path) == 1 and path[0] in named:
        return
    if path[-1] not in fence.tables or path[:-1] not in ([], ["main"]) or node.get("at_clause"):
        raise StatementRefused(
            f"There is no table “{'.'.join(path)}” in this database{nearest(path[-1], fence.tables)}", at
        )


def _check_name(node: Node, at: tuple[int, int] | None, fence: Fence) -> None:
    name = folded(node["column_names"][-1])
    # SQL writes some functions without parentheses, so CURRENT_DATE comes as a column. A table may have such a column.
    if len(node["column_names"]) > 1 or any(name in columns for columns in fence.tables.values()):
        return
    if name in CLOCK_FUNCTIONS:
        raise StatementRefused(_no_clock(name, fence), at)
    if name in SESSION_NAMES:
        raise StatementRefused(f"“{name}” is not allowed here: only the tables of this database can be read.", at)


def _no_clock(name: str, fence: Fence) -> str:
    return f"“{name}” is today; the data is as of another day: write DATE '{fence.as_of}' in its place."


def _serialized(connection: duckdb.DuckDBPyConnection, sql: str) -> Node:
    # As a parameter: the text of the wizard is never part of a statement of ours.
    row = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    try:
        tree: Node = msgspec.json.decode(row[0]) if row else {}
    except RecursionError:
        raise StatementRefused("This statement is nested too deeply.") from None
    return tree


def _only_statement(statements: list[Node]) -> Node:
    if not statements:
        raise StatementRefused("There is no statement to run.")
    if len(statements) > 1:
        raise StatementRefused(f"{_ONLY}: this text has {len(statements)} statements.")
    return statements[0]


def _unreadable(tree: Node, sql: str) -> StatementRefused:
    """Not SQL at all, or a statement of another kind: those DuckDB does not serialise."""
    message = tree.get("error_message", "")
    # DuckDB serialises SELECT alone; an UPDATE that it can read fails here.
    if tree.get("error_type") == "not implemented":
        word = _first_word(sql)
        more = "this text has more than one statement" if word == "SELECT" else f"{word} is not"
        return StatementRefused(f"{_ONLY}: {more}.")
    return refusal(message, int(tree.get("position", -1)), sql, {})


def _first_word(sql: str) -> str:
    # Only for the sentence. What runs was decided by DuckDB's own reading.
    bare = re.sub(r"--[^\n]*|/\*.*?\*/", " ", sql, flags=re.DOTALL)
    match = re.search(r"[A-Za-z]+", bare)
    return match.group().upper() if match else "this statement"
