"""What the SQL worker and its child say to each other, in frames. Neither duckdb nor Qt here."""

from datetime import date
from typing import Any

import msgspec

from curtain.base.table import Show, Table
from curtain.domain.pack.entities import Entities
from curtain.domain.pack.formats import Formats
from curtain.domain.pack.keys import Keys
from curtain.domain.rules.statement_facts import Facts

MIB = 1 << 20


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one statement may take, its minimum and its maximum together. Seconds count from when the child gets it;
    `kill_after_s` is the last word."""

    interrupt_after_s: float = 5.0
    kill_after_s: float = 5.5
    kill_above_bytes: int = 1024 * MIB
    address_space_bytes: int = 1500 * MIB
    statement_chars: int = 20_000
    display_rows: int = 200
    display_bytes: int = 192 * 1024
    cas_rows: int = 100_000
    cas_bytes: int = 16 * MIB
    counted_rows: int = 1_000_000


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one statement.

    `rows` are the first rows as a person reads them, `total` the number of all rows, `ms` the time DuckDB took.
    `cas_min` is the complete minimum answer; it is None if `cas_error` says why. If the statement failed, `error`
    is one plain sentence, `error_at` its line and column (from 1) if they are known, and the rest is empty.
    `cas_max` is the complete maximum answer and `sql_max` its statement; `cas_max` is None if `max_error` says why.
    `shown` is what the subject reads in place of `rows`, as `show` asks for; if there is none, `show_fault` says why.
    `codes` are those in the first rows, each with its name, for the wizard alone. `failure` is the presupposition
    failure that an empty answer may be, in a dialect that has words for it; it is as empty `without` these conditions.
    """

    sql: str
    rows: list[list[str]] = []
    headings: list[str] = []
    numeric: list[bool] = []
    total: int = 0
    ms: int = 0
    cas_min: str | None = None
    cas_max: str | None = None
    sql_max: str | None = None
    cas_error: str | None = None
    max_error: str | None = None
    yes_no: bool = False
    show: Show = "minimum"
    shown: Table | None = None
    show_fault: str | None = None
    codes: list[str] = []
    failure: str = ""
    without: str = ""
    error: str | None = None
    error_at: tuple[int, int] | None = None


class ColumnInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A column for completion and the schema browser; `values` are its distinct texts, none if there are too many."""

    name: str
    type: str
    heading: str
    key: bool = False
    values: list[str] = []


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the open database, with its number of rows when the child read it."""

    name: str
    rows: int
    columns: list[ColumnInfo]


class Examination(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a statement could run: `problem` says in one plain sentence why not. Statements with the same `key` are
    the same but for white space and the case of keywords."""

    key: str = ""
    problem: str | None = None


class PackRules(msgspec.Struct, frozen=True, kw_only=True):
    """What the child must know of the pack."""

    as_of: date
    dialect: str
    yes_no: str
    headings: dict[str, str]
    functions: list[str]
    entities: Entities = Entities()
    formats: Formats = Formats()
    show: Show = "minimum"
    codes: dict[str, Any] = {}
    keys: Keys = Keys()
    units: dict[str, str] = {}


class Order(msgspec.Struct, frozen=True, tag_field="t"):
    """Base of what the worker asks of its child."""


class Open(Order, frozen=True, tag="open", kw_only=True):
    """Open the database file `database` read-only, under these rules and limits. The first order of every child."""

    database: str
    rules: PackRules
    limits: Limits


class Run(Order, frozen=True, tag="run", kw_only=True):
    """Answer one SELECT. `yes_no` marks the query as a yes/no question (dialect 1990)."""

    sql: str
    yes_no: bool = False


class Widen(Order, frozen=True, tag="widen", kw_only=True):
    """Ask for the maximum of the statement that was run last; `sql_max` is one that the wizard has written."""

    sql: str
    sql_max: str = ""


class InspectStatement(Order, frozen=True, tag="look", kw_only=True):
    """Ask what a statement that need not be finished is made of; nothing is run."""

    sql: str


class Examine(Order, frozen=True, tag="examine", kw_only=True):
    """Ask whether statements could run; none of them does."""

    statements: list[str]


class Describe(Order, frozen=True, tag="describe"):
    """Ask for the tables."""


class Interrupt(Order, frozen=True, tag="interrupt"):
    """Stop what runs now; the run answers for itself."""


class WorkerReply(msgspec.Struct, frozen=True, tag_field="t"):
    """Base of what the child answers: one reply to each order but `Interrupt`."""


class Ready(WorkerReply, frozen=True, tag="ready"):
    """The database is open."""


class Done(WorkerReply, frozen=True, tag="done", kw_only=True):
    """The reply to `Run`. A refused or failed statement is a `Result` too, with its error."""

    result: Result


class Widened(WorkerReply, frozen=True, tag="widened", kw_only=True):
    """The maximum of the last statement, or one plain sentence why there is none; and what is shown of it."""

    sql_max: str | None = None
    cas_max: str | None = None
    problem: str | None = None
    shown: Table | None = None
    show_fault: str | None = None
    codes: list[str] = []


class Looked(WorkerReply, frozen=True, tag="looked", kw_only=True):
    """None if the statement cannot be read, or not yet."""

    facts: Facts | None


class Examined(WorkerReply, frozen=True, tag="examined", kw_only=True):
    """One for each statement, in their order."""

    examinations: list[Examination]


class Described(WorkerReply, frozen=True, tag="described", kw_only=True):
    """The reply to `Describe`: the tables that a statement may name."""

    tables: list[TableInfo]


class Broken(WorkerReply, frozen=True, tag="broken", kw_only=True):
    """The order cannot be carried out by any child: one plain sentence, and how long it ran before that."""

    problem: str
    ms: int = 0


Orders = Open | Run | Widen | InspectStatement | Examine | Describe | Interrupt
Replies = Ready | Done | Widened | Looked | Examined | Described | Broken
