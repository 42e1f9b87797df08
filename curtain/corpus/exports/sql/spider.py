"""Spider and SParC: questions with gold queries over a SQLite copy of the database.

A query is in it only if the evaluator's language has words for it and if, run on the copy, it gives the reference
answer. Questions that need no context are Spider's; what was asked about one scenario is a SParC interaction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO

from curtain.base.plural import are
from curtain.base.record_file import by_name
from curtain.base.sql_names import folded
from curtain.cas import Alternatives, Answer, CasError, Relation, Scalar, compare, from_rows, parse
from curtain.corpus.exports.names import Names
from curtain.corpus.exports.sql.spider_sql import in_spiders_words
from curtain.corpus.exports.sql.spider_words import BeyondSpider
from curtain.corpus.exports.sql.sqlite_copy import CopyReader, CopyTable, NotOnSqlite, copy_database, with_days
from curtain.corpus.exports.tables.json_array import JsonArray
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus, Reference, Session, Utterance

_REMEMBERED = 4096


class LeftOut(Exception):
    """This utterance stays out; the text is the reason."""


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write `<split>.json`, `<split>_gold.sql`, `sparc/`, `tables.json` and `database/`. Raises CurtainError."""
    with ExitStack() as stack:
        writer = _Writer(corpus, folder, progress, stack)
        for session in corpus.sessions():
            writer.add(session)
        writer.finish()


@dataclass(frozen=True)
class _Asking:
    """One question that made it: `alone` if it means something without what was asked before."""

    utterance: Utterance
    text: str
    query: str
    alone: bool


def question_of(utterance: Utterance, before: Collection[str]) -> tuple[str, Reference]:
    """What was asked, in a line, and its likeliest reading, which has SQL. `before` are the ids of the questions that
    stand before it in its dialogue. Raises LeftOut."""
    if not utterance.references:
        raise LeftOut("no correct answer")
    text = utterance.query or (utterance.lsn or "").capitalize()
    if not text.strip():
        raise LeftOut("no transcription")
    # In a dialogue a question must find what it refers to.
    if any(link.utterance_id not in before for link in utterance.context):
        raise LeftOut("depends on a question that is left out")
    best = max(utterance.references, key=lambda reading: reading.weight)
    if best.sql_min is None:
        raise LeftOut("no correct SQL")
    return " ".join(text.split()), best


class _Writer:
    def __init__(self, corpus: Corpus, folder: Path, progress: ExportProgress, stack: ExitStack) -> None:
        self._corpus = corpus
        self._folder = folder
        self._progress = progress
        self._stack = stack
        self._names = Names()
        self._databases: dict[str, _Database] = {}
        self._sheets: dict[str, _Sheet] = {}
        self._alone = self._dependent = self._not_known = 0
        self._skipped = stack.enter_context((folder / "skipped.jsonl").open("x", encoding="utf-8", newline="\n"))
        (folder / "sparc").mkdir()
        (folder / "database").mkdir()

    def add(self, session: Session) -> None:
        database = self._database(session.domain)
        for stretch in session.stretches():
            taken: list[_Asking] = []
            for utterance in stretch:
                try:
                    taken.append(self._asking(utterance, session, database, taken))
                except LeftOut as reason:
                    self._leave(utterance, str(reason))
            self._write(taken, database.name)

    def _database(self, domain: str) -> _Database:
        if domain not in self._databases:
            name = self._names.of(domain)
            made = self._folder / "database" / name
            made.mkdir()
            tables = copy_database(self._corpus.database(domain), made / f"{name}.sqlite")
            database = _Database(name, tables, CopyReader(made / f"{name}.sqlite"))
            self._stack.callback(database.asked.close)
            self._databases[domain] = database
        return self._databases[domain]

    def _asking(self, utterance: Utterance, session: Session, database: _Database, before: list[_Asking]) -> _Asking:
        text, best = question_of(utterance, {asking.utterance.utterance_id for asking in before})
        if best.cas_min is None:
            raise LeftOut("no answer to prove its SQL by")
        query = database.proven(str(best.sql_min), best.cas_min, session.dialect, utterance.yes_no)
        return _Asking(utterance, text, query, utterance.stands_alone)

    def _leave(self, utterance: Utterance, reason: str) -> None:
        self._progress.dropped_one(reason)
        self._skipped.write(json.dumps({"utterance_id": utterance.utterance_id, "reason": reason}) + "\n")

    def _write(self, interaction: list[_Asking], db_id: str) -> None:
        for asking in interaction:
            self._progress.wrote()
            self._alone += asking.alone
            self._not_known += not asking.alone and asking.utterance.context_not_known
            self._dependent += not asking.alone and not asking.utterance.context_not_known
            if asking.alone:
                self._sheet(asking.utterance.split).add_question(asking, db_id)
        # Practice is in no part of the corpus, whatever its speaker is in: an interaction is in the part of its first.
        if interaction:
            self._sheet(interaction[0].utterance.split).add_interaction(interaction, db_id)

    def _sheet(self, split: str) -> _Sheet:
        if split not in self._sheets:
            self._sheets[split] = self._stack.enter_context(
                _Sheet(self._folder, "unsplit" if split == "none" else split)
            )
        return self._sheets[split]

    def finish(self) -> None:
        """Where no part was ever drawn, everything is the development set, the name that the tools ask for."""
        for sheet in self._sheets.values():
            sheet.close()
        if set(self._sheets) <= {"none"}:
            self._sheet("none").close()
            self._sheets["none"].rename("dev")
        with JsonArray(self._folder / "tables.json") as array:
            for database in self._databases.values():
                array.add(_described(database.name, database.tables))
        self._names.write(self._folder)
        self._progress.notes += self._places()

    def _places(self) -> Iterator[str]:
        """Where the questions are, if not all of them are in both places."""
        if not (self._dependent or self._not_known):
            return
        yield f"{are(self._alone, 'question')} in Spider’s files (those beside sparc/)."
        if self._dependent:
            them = "it needs" if self._dependent == 1 else "they need"
            yield f"{are(self._dependent, 'question')} only in sparc/, because {them} earlier questions."
        if self._not_known:
            them = "it needs" if self._not_known == 1 else "they need"
            yield (
                f"{are(self._not_known, 'question')} only in sparc/, because nobody has said whether {them} earlier "
                "questions: “curtain annotate STUDY” does that."
            )


@dataclass
class _Database:
    """A copy, and the queries that were tried on it."""

    name: str
    tables: list[CopyTable]
    asked: CopyReader
    _words: dict[str, list[str]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._words = {folded(table.name): [folded(column.name) for column in table.columns] for table in self.tables}
        # The same statement is asked again and again, and running it costs up to seconds.
        self._tried = lru_cache(_REMEMBERED)(self._try)

    def proven(self, sql: str, cas_min: str, dialect: str, yes_no: bool) -> str:
        """The query in the evaluator's language. Raises LeftOut where it is beyond it or gives another answer."""
        query, reason = self._tried(sql, cas_min, dialect, yes_no)
        if reason:
            raise LeftOut(reason)
        return query

    def _try(self, sql: str, cas_min: str, dialect: str, yes_no: bool) -> tuple[str, str]:
        try:
            query = in_spiders_words(sql, self._words)
            proven = is_proven(self.asked.rows(query), cas_min, dialect, yes_no)
        except BeyondSpider as fault:
            return "", f"beyond Spider's language: {fault}"
        except NotOnSqlite as fault:
            return "", str(fault)
        except CasError:
            return "", "its reference answer cannot be read"
        return query, "" if proven else "its answer on the SQLite copy is another"


class _Sheet:
    """The files of one part of the corpus."""

    def __init__(self, folder: Path, part: str) -> None:
        self._folder = folder
        self._part = part
        self._questions = JsonArray(folder / f"{part}.json")
        self._interactions = JsonArray(folder / "sparc" / f"{part}.json")
        self._gold = _new(folder / f"{part}_gold.sql")
        self._gold_interactions = _new(folder / "sparc" / f"{part}_gold.txt")

    def add_question(self, asking: _Asking, db_id: str) -> None:
        self._questions.add(
            {
                "db_id": db_id,
                "question": asking.text,
                "query": asking.query,
                "question_toks": _words(asking.text),
                "query_toks": _words(asking.query),
                **about(asking.utterance),
            }
        )
        self._gold.write(f"{asking.query}\t{db_id}\n")

    def add_interaction(self, interaction: list[_Asking], db_id: str) -> None:
        turns = [
            {"utterance": turn.text, "query": turn.query, "utterance_toks": _words(turn.text), **about(turn.utterance)}
            for turn in interaction
        ]
        final = {"utterance": interaction[-1].text, "query": interaction[-1].query}
        self._interactions.add({"database_id": db_id, "interaction": turns, "final": final})
        self._gold_interactions.write("".join(f"{one.query}\t{db_id}\n" for one in interaction) + "\n")

    def close(self) -> None:
        for file in (self._questions, self._interactions, self._gold, self._gold_interactions):
            file.close()

    def rename(self, part: str) -> None:
        for pattern in ("{}.json", "{}_gold.sql", "sparc/{}.json", "sparc/{}_gold.txt"):
            (self._folder / pattern.format(self._part)).rename(self._folder / pattern.format(part))

    def __enter__(self) -> _Sheet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _new(path: Path) -> TextIO:
    return path.open("x", encoding="utf-8", newline="\n")


def about(utterance: Utterance) -> dict[str, Any]:
    """Of a question, what those who read the format pass over."""
    ids = by_name(utterance, "utterance_id", "session_id", "speaker_id")
    return {**ids, "transcription": utterance.lsn, **utterance.origins}


def _words(text: str) -> list[str]:
    # The evaluator makes tokens of its own; these are for other readers of the file.
    return re.findall(r"'[^']*'|\w+|[^\w\s]", text)


def _described(name: str, tables: list[CopyTable]) -> dict[str, Any]:
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
