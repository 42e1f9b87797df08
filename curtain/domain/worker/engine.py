"""One open database in the child: run a statement, widen it to its maximum, describe the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import duckdb
import msgspec

from curtain.base.clock import steady_s
from curtain.base.sql_names import folded, quoted
from curtain.base.sql_tokens import TokenKind, sql_tokens
from curtain.base.table import Table
from curtain.cas import FALSE
from curtain.cas.notation.dialects import dialect_named
from curtain.domain.code_names import CodeNames, code_names, named_code
from curtain.domain.guard.error_texts import refusal_of_error
from curtain.domain.pack.cells import display_rows, is_numeric, refusal
from curtain.domain.wire import ColumnInfo, Examination, Limits, PackRules, Result, TableInfo, Widened

from ..display.reading import OutsideMaximum, Row, in_order
from ..display.shown_answer import reading_of, table_of, truth_table
from ..guard import guard
from ..guard.functions import SAFE_FUNCTIONS
from ..guard.refusal import StatementRefused
from ..maximum.shown_places import Maximum
from ..pack.headings import distinct_headings, headings, readable
from ..rules.statement_facts import Facts
from .branches import branched
from .complete_answer import TOO_LARGE, Kind, complete_answer, kind_of_result
from .presupposition import failure_of

if TYPE_CHECKING:
    from ..maximum.lineage import Catalog

_LOCKED = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
    # A temporary directory of no size is one without a limit; only one without a name is none.
    "temp_directory": "",
    "max_temp_directory_size": "0KB",
    "memory_limit": "512MB",
    # One thread leaves the other core to the windows and adds floating-point numbers in one order.
    "threads": "1",
    "errors_as_json": "true",
    "lock_configuration": "true",
}
# Rows fetched at a time: those beyond the limits are counted and never all held.
_AT_ONCE = 10_000
_DISTINCT_VALUES = 2_000
_VALUE_CHARS = 80
_MOST_CODES = 30
_SLOW_MS = 200

STOPPED = "This statement was stopped."
_TOO_MUCH_MEMORY = "This statement needs more memory than it may have: ask for less at a time."
_NO_MINIMUM = "There is no minimum answer, so there is no maximum."
_MAXIMUM_TOO_LARGE = "The maximum answer is too large to be kept."
_CURLY = "‘’‚‛“”„‟`´«»"
_OUTSIDE = "What would be shown is not part of the maximum."
_OTHER_ROWS = "The maximum must begin with the columns of the minimum and have the same rows."


@dataclass(frozen=True)
class _Ran:
    """The last statement that ran: its rows as they are shown, and what the maximum needs to know of it. `ordered`: in
    the order of the statement."""

    sql: str
    rows: list[Row]
    ordered: bool
    yes_no: bool
    apart: bool
    cas_min: str | None
    headings: list[str]
    types: list[str]
    shown: Table | None

    @property
    def is_yes_or_no(self) -> bool:
        """Whether the answer is a yes or a no (or a missing value), with no table beside it."""
        return self.yes_no and self.cas_min is not None and not self.cas_min.startswith("(")


class Engine:
    """A database opened read-only with its configuration locked; raises duckdb.Error if it cannot be opened."""

    def __init__(self, path: str, rules: PackRules, limits: Limits) -> None:
        self._connection = duckdb.connect(path, read_only=True, config=dict(_LOCKED))
        self._rules = rules
        self._limits = limits
        self._tables = self._read_tables()
        self._ran: _Ran | None = None
        # The first use of the parser's own functions costs tens of milliseconds: before the wizard waits, not after.
        guard.read_statement(self._connection, "SELECT 1", limits.statement_chars)
        names = {table: tuple(columns) for table, columns in self._tables.items()}
        self._fence = guard.Fence(names, SAFE_FUNCTIONS | set(rules.functions), rules.as_of)

    def interrupt(self) -> None:
        """Asks what runs now to stop; it may take its time or never do so."""
        self._connection.interrupt()

    def run(self, sql: str, yes_no: bool) -> Result:
        """The result of one statement; whatever is wrong with it is in `error`."""
        try:
            return self._run(sql, yes_no)
        except StatementRefused as refused:
            return _failed(sql, refused)
        except duckdb.InterruptException:
            return Result(sql=sql, error=STOPPED)
        except duckdb.Error as error:
            return _failed(sql, refusal_of_error(str(error), sql, self._fence.tables))
        except (MemoryError, RecursionError):
            return Result(sql=sql, error=_TOO_MUCH_MEMORY)

    def examine(self, sql: str) -> Examination:
        """Whether a statement could run: it passes the guard, and names and types fit. It is not run."""
        try:
            statement = guard.read_statement(self._connection, sql, self._limits.statement_chars)
            guard.check(statement, sql, self._fence)
            # The guard let this text pass, so nothing but one SELECT follows the word DESCRIBE.
            columns = self._connection.execute(f"DESCRIBE {sql}").fetchall()
            _check_columns([str(column[1]) for column in columns])
        except StatementRefused as refused:
            return Examination(problem=str(refused))
        except duckdb.Error as error:
            return Examination(problem=str(refusal_of_error(str(error), sql, self._fence.tables)))
        except (MemoryError, RecursionError):
            return Examination(problem=_TOO_MUCH_MEMORY)
        return Examination(key=guard.key_of(statement))

    def widen(self, sql: str, sql_max: str) -> Widened:
        """The maximum of the statement that ran last: by `sql_max` if it is given, else derived."""
        try:
            return self._widen(sql, sql_max)
        except StatementRefused as refused:
            return Widened(sql_max=sql_max or None, problem=_with_hint(sql_max, refused))
        except duckdb.InterruptException:
            return Widened(sql_max=sql_max or None, problem=STOPPED)
        except duckdb.Error as error:
            problem = _with_hint(sql_max, refusal_of_error(str(error), sql_max, self._fence.tables))
            return Widened(sql_max=sql_max or None, problem=problem)
        except (MemoryError, RecursionError):
            return Widened(sql_max=sql_max or None, problem=_TOO_MUCH_MEMORY)

    def look(self, sql: str) -> Facts | None:
        """What a statement is made of; None if it cannot be read."""
        from ..rules.statement_reader import facts_of

        return facts_of(sql, self._catalog)

    def get_ready(self) -> None:
        """Loads what the first statement will need: it takes a moment, and the database is open already."""
        from ..maximum.maximum import maximum_of

        maximum_of("SELECT 1", self._rules.entities, self._catalog)

    def describe(self) -> list[TableInfo]:
        """The tables with their columns, keys and, of text columns with few distinct texts, these texts."""
        return [self._describe_table(name, columns) for name, columns in self._tables.items()]

    @cached_property
    def _catalog(self) -> Catalog:
        from ..maximum.lineage import Catalog

        return Catalog(self._tables)

    def _run(self, sql: str, yes_no: bool) -> Result:
        statement = guard.read_statement(self._connection, sql, self._limits.statement_chars)
        guard.check(statement, sql, self._fence)
        begun = steady_s()
        apart = self._execute(sql, statement)
        columns = self._columns()
        rows, total = self._fetch(self._limits.counted_rows)
        ms = round((steady_s() - begun) * 1000)
        if total > self._limits.counted_rows:
            raise StatementRefused(
                f"This gives more than {self._limits.counted_rows:,} rows: ask for less, or count them."
            )
        kind = kind_of_result(statement["node"], [kind for _, kind in columns])
        units = self._units_of(sql)
        cas_min, cas_error = complete_answer(rows, yes_no, self._rules, self._limits, kind, units)
        types = [kind for _, kind in columns]
        heads = headings(statement, [name for name, _ in columns], self._rules.headings, self._tables)
        shown = self._verdict_shown(cas_min, total) if yes_no else None
        # The answer is a set and stays as the statement gave it; the table that people read, painted and journaled
        # alike, gets an order here. Where not all rows are here, those that come first are not known.
        ordered = _is_ordered(statement["node"]) or total > len(rows)
        rows = rows if ordered else in_order(rows)
        self._ran = _Ran(sql, rows, ordered, yes_no, apart, cas_min, heads, types, shown)
        failure, without = self._failure(sql, statement, ms) if not total and not yes_no else ("", "")
        return Result(
            sql=sql,
            rows=display_rows(rows[: self._limits.display_rows], self._limits.display_bytes),
            headings=heads,
            numeric=[is_numeric(kind) for kind in types],
            total=total,
            ms=ms,
            cas_min=cas_min,
            cas_error=cas_error,
            yes_no=yes_no,
            show=self._rules.show,
            shown=shown,
            failure=failure,
            without=without,
        )

    def _failure(self, sql: str, statement: guard.Node, ms: int) -> tuple[str, str]:
        """The presupposition failure that an empty answer may be, and the conditions without which it is as empty."""
        # It runs the statement again for each condition: a slow one must not use up its time for that.
        if ms > _SLOW_MS or not dialect_named(self._rules.dialect).failures:
            return "", ""
        failure, dropped = failure_of(statement, self._has_row)
        written = sql.encode()
        spans = [(one["query_location"], one.get("query_location_length", 0)) for one in dropped]
        return failure, ", ".join(written[start : start + length].decode() for start, length in spans)

    def _has_row(self, tree: guard.Node) -> bool:
        # What cannot be run so says nothing: then nothing is offered.
        return not self._execute_tree(tree) or self._connection.fetchone() is not None

    def _verdict_shown(self, cas_min: str | None, total: int) -> Table | None:
        """Yes or No; with the maximum asked for, the table in its place if there is one."""
        has_table = cas_min is None or (cas_min.startswith("(") and total > 0)
        if self._rules.show == "minimum" or cas_min is None or (self._rules.show == "maximum" and has_table):
            return None
        return truth_table(cas_min, self._rules.formats)

    def _widen(self, sql: str, sql_max: str) -> Widened:
        ran = self._ran
        # The rows of the minimum are needed to compare with, and a new child has not run it.
        if ran is None or ran.sql != sql or ran.cas_min is None:
            return Widened(problem=_NO_MINIMUM)
        statement = None
        if sql_max:
            statement = guard.read_statement(self._connection, sql_max, self._limits.statement_chars)
            guard.check(statement, sql_max, self._fence)
        # A yes or no has nothing more to show: minimum and maximum are the same.
        derived = Maximum(sql) if ran.is_yes_or_no else None if sql_max else self._derived(sql)
        wide = derived.sql if derived else sql_max
        if wide == sql:
            return self._shown(Widened(sql_max=sql, cas_max=ran.cas_min), ran, derived, ran.rows, ran.types)
        if not statement:
            # Ours, so its length is not limited. Another parser wrote it, so the guard reads it too.
            statement = guard.read_statement(self._connection, wide, len(wide))
            guard.check(statement, wide, self._fence)
        self._execute(wide, statement)
        types = [kind for _, kind in self._columns()]
        rows, _ = self._fetch(self._limits.cas_rows)
        if len(rows) > self._limits.cas_rows:
            return Widened(sql_max=wide, problem=_MAXIMUM_TOO_LARGE)
        # The derivation reads the statement with another parser. If that was wrong, it shows here, not in a score.
        if not _begins_with(rows, ran.rows):
            return Widened(sql_max=wide, problem=_OTHER_ROWS)
        # The maximum has more columns, from which a count of zero can no longer be seen: it follows the minimum's no.
        kind = Kind.NOTHING if ran.cas_min.startswith(f"({FALSE} ") else Kind.TABLE
        cas_max, cas_error = complete_answer(rows, ran.yes_no, self._rules, self._limits, kind, self._units_of(wide))
        problem = _MAXIMUM_TOO_LARGE if cas_error == TOO_LARGE else cas_error
        return self._shown(Widened(sql_max=wide, cas_max=cas_max, problem=problem), ran, derived, rows, types)

    def _shown(
        self, widened: Widened, ran: _Ran, derived: Maximum | None, rows: list[Row], types: list[str]
    ) -> Widened:
        """With the table that the study wants to be shown. A maximum by hand says nothing of its columns."""
        show = self._rules.show
        if derived is not None:
            widened = msgspec.structs.replace(widened, codes=self._codes_in(derived.origins, ran.rows))
        if show == "minimum" or ran.shown or widened.problem:
            return widened
        if derived is None and show == "readable":
            rows, types = ran.rows, ran.types
        heads = ran.headings if derived or show == "readable" else self._plain_headings()
        try:
            reading = reading_of(show, derived or Maximum(""), heads, rows, ran.rows, self._rules.headings, ran.ordered)
        except OutsideMaximum:
            return msgspec.structs.replace(widened, show_fault=_OUTSIDE)
        return msgspec.structs.replace(widened, shown=table_of(reading, types, self._rules, self._limits))

    def _units_of(self, sql: str) -> list[str]:
        """The unit of each column that a statement shows, where the dialect has units and the pack says one: of a
        column as it stands, and of its least or greatest value."""
        if not self._rules.units or not dialect_named(self._rules.dialect).units:
            return []
        facts = self.look(sql)
        return [self._rules.units.get(folded(shown.column), "") for shown in facts.shown] if facts else []

    def _codes_in(self, origins: Sequence[str], rows: list[Row]) -> list[str]:
        """The codes of the first rows with their names, each once; `origins` are the columns of the rows."""
        columns = [(number, self._code_names.get(origin, {})) for number, origin in enumerate(origins)]
        cells = ((str(row[number]), names) for number, names in columns if names
                 for row in rows[: self._limits.display_rows] if number < len(row))  # fmt: skip
        named = dict.fromkeys(named_code(code, names[code]) for code, names in cells if code in names)
        return list(named)[:_MOST_CODES]

    @cached_property
    def _code_names(self) -> CodeNames:
        return code_names(self._rules.codes, self._rules.keys, self._all)

    def _plain_headings(self) -> list[str]:
        """Of the statement that was executed last."""
        names = [str(column[0]) for column in self._connection.description or ()]
        return distinct_headings([self._rules.headings.get(folded(name)) or readable(name) for name in names])

    def _derived(self, sql: str) -> Maximum:
        from ..maximum.maximum import NotDerived, maximum_of

        try:
            return maximum_of(sql, self._rules.entities, self._catalog)
        except NotDerived as reason:
            raise StatementRefused(str(reason)) from reason

    def _execute(self, sql: str, statement: guard.Node | None) -> bool:
        """The rows wait to be fetched. Whether they come from another form of the statement: one with the same rows,
        where DuckDB would take minutes for it as it stands. Without its tree it is not looked for."""
        apart = statement and branched(statement, self._tables)
        if apart and self._execute_tree(apart):
            return True
        self._connection.execute(sql)
        return False

    def _execute_tree(self, tree: guard.Node) -> bool:
        """What fails so is to fail as it was typed, too: the problem is then described in the words that were typed."""
        text = msgspec.json.encode({"error": False, "statements": [tree]}).decode()
        try:
            [[sql]] = self._all("SELECT json_deserialize_sql(?)", [text])
            self._connection.execute(sql)
        except duckdb.InterruptException:
            raise
        except duckdb.Error:
            return False
        return True

    def _columns(self) -> list[tuple[str, str]]:
        """Name and type of each column of what was executed; raises StatementRefused if one cannot be shown."""
        columns = [(str(column[0]), str(column[1])) for column in self._connection.description or ()]
        _check_columns([kind for _, kind in columns])
        return columns

    def _fetch(self, most: int) -> tuple[list[Row], int]:
        """The rows for the answer, one more than it may have if there are more, and the number of all rows, which
        stops to count beyond `most`."""
        rows: list[Row] = []
        total = 0
        while batch := self._connection.fetchmany(_AT_ONCE):
            total += len(batch)
            rows.extend(batch[: max(0, self._limits.cas_rows + 1 - len(rows))])
            if total > most:
                break
        return rows, total

    def _read_tables(self) -> dict[str, dict[str, str]]:
        query = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"
        tables: dict[str, dict[str, str]] = {}
        for table, column, kind in self._all(f"{query} ORDER BY table_oid, column_index"):
            tables.setdefault(folded(table), {})[folded(column)] = kind
        return tables

    def _describe_table(self, table: str, columns: dict[str, str]) -> TableInfo:
        [[count]] = self._all(f"SELECT count(*) FROM {quoted(table)}")
        query = "SELECT table_name, unnest(constraint_column_names) FROM duckdb_constraints()"
        rows = self._all(f"{query} WHERE constraint_type = 'PRIMARY KEY'")
        keys = {folded(column) for owner, column in rows if folded(owner) == table}
        described = [self._describe_column(table, name, kind, name in keys) for name, kind in columns.items()]
        return TableInfo(name=table, rows=count, columns=described)

    def _describe_column(self, table: str, name: str, kind: str, key: bool) -> ColumnInfo:
        words = self._rules.headings
        heading = words.get(f"{table}.{name}") or words.get(name) or readable(name)
        values = self._texts(table, name) if kind == "VARCHAR" else []
        return ColumnInfo(name=name, type=kind, heading=heading, key=key, values=values)

    def _texts(self, table: str, column: str) -> list[str]:
        name = quoted(column)
        query = f"SELECT DISTINCT {name} FROM {quoted(table)} WHERE length({name}) <= {_VALUE_CHARS} ORDER BY 1"
        return [row[0] for row in self._all(f"{query} LIMIT {_DISTINCT_VALUES}")]

    def _all(self, query: str, values: Sequence[object] = ()) -> list[Row]:
        return self._connection.execute(query, list(values)).fetchall()


def _failed(sql: str, refused: StatementRefused) -> Result:
    return Result(sql=sql, error=_with_hint(sql, refused), error_at=refused.at)


def _with_hint(sql: str, refused: StatementRefused) -> str:
    """The sentence; and about the quotes of a word processor, which are letters for DuckDB, another."""
    quoting = (TokenKind.STRING, TokenKind.NAME, TokenKind.COMMENT)
    written = "".join(token.text for token in sql_tokens(sql) if token.kind not in quoting)
    curly = next((sign for sign in written if sign in _CURLY), None)
    return f"{refused} Write straight quotes ('…') in place of {curly}." if curly else str(refused)


def _begins_with(rows: list[Row], first: list[Row]) -> bool:
    """Whether rows, cut to the width of the first ones, are the same set."""
    width = len(first[0]) if first else 0
    return {row[:width] for row in rows} == set(first) if first else not rows


def _is_ordered(node: dict[str, Any]) -> bool:
    """Whether a SELECT orders its rows, or takes them from one that does."""
    inner = (node.get("from_table") or {}).get("subquery") or {}
    orders = any(one["type"] == "ORDER_MODIFIER" for one in node.get("modifiers") or ())
    return orders or ("node" in inner and _is_ordered(inner["node"]))


def _check_columns(types: Sequence[str]) -> None:
    for number, kind in enumerate(types, start=1):
        if problem := refusal(kind):
            raise StatementRefused(f"Column {number} of this result {problem}.")
