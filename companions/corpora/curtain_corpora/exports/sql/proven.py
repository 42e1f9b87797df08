"""Questions with SQL that is proven: run on a SQLite copy of the database, it gives the reference answer."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlglot.errors import SqlglotError

from curtain.base.record_file import by_name
from curtain.base.sql_tokens import sql_tree
from curtain.cas import Alternatives, Answer, CasError, Relation, Scalar, compare, from_rows, parse
from curtain.corpus.exports.text_files import new_text
from curtain.corpus.model.utterance import Corpus, Reference, Utterance
from curtain_corpora.exports.flat import preferred
from curtain_corpora.exports.names import Names
from curtain_corpora.exports.sql.sqlite_copy import CopyReader, CopyTable, NotOnSqlite, copy_database, with_days

_REMEMBERED = 4096


class LeftOut(Exception):
    """This utterance stays out; the text is the reason."""


def asked_text(utterance: Utterance) -> str:
    """What was asked, on one line: with the case and signs that somebody typed, where somebody did."""
    return " ".join((utterance.query or (utterance.lsn or "").capitalize()).split())


def question_of(utterance: Utterance, before: Collection[str]) -> tuple[str, Reference]:
    """What was asked, in a line, and its likeliest reading, which has SQL. `before` are the ids of the questions that
    stand before it in its dialogue. Raises LeftOut."""
    if not utterance.references:
        raise LeftOut("no correct answer")
    text = asked_text(utterance)
    if not text:
        raise LeftOut("no transcription")
    # In a dialogue a question must find what it refers to.
    if any(link.utterance_id not in before for link in utterance.context):
        raise LeftOut("depends on a question that is left out")
    best = preferred(utterance)
    if best is None or best.sql_min is None:
        raise LeftOut("no correct SQL")
    return text, best


def about(utterance: Utterance) -> dict[str, Any]:
    """Of a question, what those who read the format pass over."""
    ids = by_name(utterance, "utterance_id", "session_id", "speaker_id")
    return {**ids, "transcription": utterance.lsn, **utterance.origins}


@dataclass
class ProvenDatabase:
    """A copy, and the queries that were tried on it."""

    name: str
    tables: list[CopyTable]
    asked: CopyReader

    def __post_init__(self) -> None:
        # The same statement is asked again and again, and running it costs up to seconds.
        self._tried = lru_cache(_REMEMBERED)(self._try)

    def proven(self, reading: Reference, dialect: str, yes_no: bool) -> str:
        """The query as it is for the copy. Raises LeftOut where it is beyond that or gives another answer."""
        if reading.cas_min is None:
            raise LeftOut("no answer to prove its SQL by")
        query, reason = self._tried(str(reading.sql_min), reading.cas_min, dialect, yes_no)
        if reason:
            raise LeftOut(reason)
        return query

    def _try(self, sql: str, cas_min: str, dialect: str, yes_no: bool) -> tuple[str, str]:
        try:
            query = _for_sqlite(sql)
            proven = is_proven(self.asked.rows(query), cas_min, dialect, yes_no)
        except NotOnSqlite as error:
            return "", str(error)
        except CasError:
            return "", "its reference answer cannot be read"
        return query, "" if proven else "its answer on the SQLite copy is another"


@dataclass
class ProvenDatabases:
    """The SQLite copies of an export, `<name>/<name>.sqlite` in `folder`, each made when it is first asked for."""

    corpus: Corpus
    folder: Path
    names: Names
    stack: ExitStack
    made: dict[str, ProvenDatabase] = field(default_factory=dict)

    def of(self, domain: str) -> ProvenDatabase:
        """That of a domain. Raises NotOnSqlite, PackError."""
        if domain not in self.made:
            name = self.names.of(domain)
            copy = self.folder / name / f"{name}.sqlite"
            copy.parent.mkdir(parents=True)
            tables = copy_database(self.corpus.database(domain), copy)
            self.made[domain] = ProvenDatabase(name, tables, CopyReader(copy))
            self.stack.callback(self.made[domain].asked.close)
        return self.made[domain]

    def describe(self, path: Path) -> None:
        """Write `tables.json`, as Spider has it."""
        with json_array(path) as add:
            for database in self.made.values():
                add(described(database.name, database.tables))


@contextmanager
def json_array(path: Path) -> Iterator[Callable[[Any], None]]:
    """What appends an element that `json.dumps` can write; the file ends as a whole array also with no element."""
    with new_text(path) as file:
        file.write("[")
        between = "\n"

        def add(element: Any) -> None:
            nonlocal between
            # ASCII, since half of a surrogate pair has no UTF-8.
            file.write(between + json.dumps(element))
            between = ",\n"

        yield add
        file.write("\n]\n")


def _for_sqlite(sql: str) -> str:
    try:
        return sql_tree(sql).sql("sqlite", comments=False)
    except (SqlglotError, RecursionError) as error:
        raise NotOnSqlite("it cannot be written for SQLite") from error


def described(name: str, tables: list[CopyTable]) -> dict[str, Any]:
    """A database in `tables.json`: columns are numbered through all tables, after the star."""
    columns = [(at, column) for at, table in enumerate(tables) for column in table.columns]
    number = {(at, column.name): place for place, (at, column) in enumerate(columns, 1)}
    at_of = {table.name: at for at, table in enumerate(tables)}
    return {
        "db_id": name,
        "table_names_original": [table.name for table in tables],
        "table_names": [table.name.replace("_", " ") for table in tables],
        "column_names_original": [[-1, "*"], *([at, column.name] for at, column in columns)],
        "column_names": [[-1, "*"], *([at, column.name.replace("_", " ")] for at, column in columns)],
        "column_types": ["text", *(column.kind for _, column in columns)],
        "primary_keys": [number[at, column] for at, table in enumerate(tables) for column in table.key],
        "foreign_keys": [
            [number[at, column], number[at_of[to], target]]
            for at, table in enumerate(tables)
            for columns_here, to, columns_there in table.references
            for column, target in zip(columns_here, columns_there, strict=True)
        ],
    }


Rows = Sequence[tuple[Any, ...]]


def is_proven(rows: Rows, cas_min: str, dialect: str, yes_no: bool) -> bool:
    """True if the rows are the reference answer: no row and no column more or less.

    A boolean reference to a yes/no question is met by a table that says the same (rule of 1990). Raises CasError for a
    reference that cannot be read.
    """
    references = _answers(parse(cas_min, dialect))
    for table in _as_tables(rows, dialect):
        for reference in references:
            if _is_boolean(reference) and yes_no:
                if compare(table, reference, dialect="1990", yes_no=True).outcome == "correct":
                    return True
            elif (
                compare(table, reference, dialect=dialect).outcome
                == compare(reference, table, dialect=dialect).outcome
                == "correct"
            ):
                return True
    return False


def _answers(reference: Answer) -> list[Any]:
    """The tables among alternatives, if there are any: to meet them says more than a yes."""
    if not isinstance(reference, Alternatives):
        return [reference]
    tables = [one for one in reference.answers if isinstance(one, Relation) and not one.is_boolean]
    return tables or list(reference.answers)


def _is_boolean(answer: Any) -> bool:
    return (isinstance(answer, Relation) and answer.is_boolean) or (
        isinstance(answer, Scalar) and isinstance(answer.value, bool)
    )


def _as_tables(rows: Rows, dialect: str) -> list[Relation]:
    """The rows as they are, and with texts that look like days read as days."""
    tables = []
    # SQLite gives dates as texts; the reference may have either.
    for given in (rows, with_days(rows)):
        try:
            tables.append(from_rows(given, dialect))
        except CasError:
            continue
    return tables
