"""BIRD: questions with what they rest on and with proven SQL, over SQLite copies (https://bird-bench.github.io).

`<part>.json` has the questions, `<part>.sql` their SQL with the database behind a tab, `<part>_tables.json` the
schemas, and `<part>_databases/` the copies, each with a table of columns for each of its tables. A question stands
alone: what needs earlier ones is left out.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from sqlglot import exp

from curtain.base.disk import rename
from curtain.base.sql_tokens import sql_tree
from curtain.base.text_file import csv_text
from curtain.corpus.exports.names import Names, split_name
from curtain.corpus.exports.text_files import json_array, new_text
from curtain.corpus.exports.writer import CONTEXT_NOT_KNOWN, ExportProgress
from curtain.corpus.model.utterance import Corpus, Session, Utterance
from curtain_corpora.exports.sql.proven import LeftOut, ProvenDatabase, ProvenDatabases, about, question_of

_HARD = (exp.Join, exp.Subquery, exp.AggFunc, exp.Group, exp.Having, exp.Order, exp.SetOperation, exp.Case)
_DESCRIBED = ("original_column_name", "column_name", "column_description", "data_format", "value_description")
_MODERATE, _CHALLENGING = 2, 5


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write the files of each part; without parts, everything is `dev`. Raises CurtainError."""
    parts: dict[str, tuple[Callable[[Any], None], TextIO]] = {}
    names = Names()
    with ExitStack() as stack:
        databases = ProvenDatabases(corpus, folder / "databases", names, stack)
        for session in corpus.sessions():
            for utterance in session.utterances:
                try:
                    row = _row(corpus, session, utterance, databases)
                except LeftOut as reason:
                    progress.dropped_one(str(reason))
                    continue
                part = split_name(utterance.split)
                if part not in parts:
                    add = stack.enter_context(json_array(folder / f"{part}.json"))
                    parts[part] = add, stack.enter_context(new_text(folder / f"{part}.sql"))
                parts[part][0]({"question_id": progress.utterances, **row})
                parts[part][1].write(f"{row['SQL']}\t{row['db_id']}\n")
                progress.wrote()
        databases.describe(folder / "tables.json")
        for database in databases.made.values():
            _describe(database, folder / "databases" / database.name / "database_description")
    for part in parts:
        name = "dev" if set(parts) == {"unsplit"} else part
        for ending in ("json", "sql"):
            rename(folder / f"{part}.{ending}", folder / f"{name}.{ending}")
        # The tools look for the databases of each part beside it.
        shutil.copyfile(folder / "tables.json", folder / f"{name}_tables.json")
        shutil.copytree(folder / "databases", folder / f"{name}_databases")
    (folder / "tables.json").unlink()
    shutil.rmtree(folder / "databases", ignore_errors=True)
    names.write(folder)


def _describe(database: ProvenDatabase, folder: Path) -> None:
    folder.mkdir()
    for table in database.tables:
        rows = [(one.name, one.name.replace("_", " "), "", one.kind, "") for one in table.columns]
        (folder / f"{table.name}.csv").write_text(csv_text(_DESCRIBED, rows), "utf-8", newline="\n")


def _row(corpus: Corpus, session: Session, utterance: Utterance, databases: ProvenDatabases) -> dict[str, object]:
    if not utterance.stands_alone:
        raise LeftOut(CONTEXT_NOT_KNOWN if utterance.context_not_known else "means nothing without earlier questions")
    text, best = question_of(utterance, ())
    database = databases.of(session.domain)
    query = database.proven(best, session.dialect, utterance.yes_no)
    return {
        "db_id": database.name,
        "question": text,
        "evidence": corpus.evidence(session, text),
        "SQL": query,
        "difficulty": difficulty(query),
        **about(utterance),
    }


def difficulty(query: str) -> str:
    """From the parts of a query: joins, nesting, aggregates, groups, orders, sets and cases. In BIRD, annotators judge
    it."""
    parts = sum(1 for _ in sql_tree(query, "sqlite").find_all(*_HARD))
    return "simple" if parts < _MODERATE else "moderate" if parts < _CHALLENGING else "challenging"
