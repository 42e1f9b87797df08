"""text2sql-data, the form of the University of Michigan: queries without their values, each with all its questions.

One file for each database: a list of entries with `sql` (all readings), `sentences`, `variables`, `query-split` (drawn
from the query itself, so that no query is in two parts), `question-split` (the corpus' own), and `comments` and
`old-name`, which are empty. Values are written as the database has them, in question and query alike.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from itertools import count, groupby
from pathlib import Path
from typing import Any

from curtain.base.words import MARKS
from curtain.corpus.exports.names import Names
from curtain.corpus.exports.sql.proven import asked_text
from curtain.corpus.exports.sql.sqlite_copy import CopyTable, sqlite_errors_as_os_errors, tables_of
from curtain.corpus.exports.sql.text2sql_words import BeyondText2sql, Literal, TokenisedStatement, statement_of
from curtain.corpus.exports.text_files import json_array
from curtain.corpus.exports.writer import CONTEXT_NOT_KNOWN, ExportProgress
from curtain.corpus.model.utterance import Corpus, Utterance

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FIGURES = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|[.,]\d)")
_SHARES = (("train", 80), ("dev", 90), ("test", 100))
_TABLE = "CREATE TABLE kept (place INTEGER PRIMARY KEY, db TEXT, template TEXT, sentence TEXT, variables TEXT)"


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write `<database>.json` and `<database>-schema.csv`. Raises CurtainError."""
    names, domains = Names(), dict[str, str]()
    # Entries group utterances of all sessions by their query, and a corpus need not fit into memory.
    aside = folder / ".aside.sqlite"
    with sqlite_errors_as_os_errors(), closing(sqlite3.connect(aside)) as kept:
        kept.execute("PRAGMA journal_mode = OFF")
        kept.execute("PRAGMA synchronous = OFF")
        kept.execute(_TABLE)
        for session in corpus.sessions():
            domains.setdefault(session.domain, names.of(session.domain))
            for utterance in session.utterances:
                _keep(kept, domains[session.domain], utterance, progress)
        for domain, name in domains.items():
            _write_entries(kept, name, folder / f"{name}.json")
            _write_schema(tables_of(corpus.database(domain)), folder / f"{name}-schema.csv")
    aside.unlink()
    names.write(folder)


def _keep(kept: sqlite3.Connection, name: str, utterance: Utterance, progress: ExportProgress) -> None:
    reason = _why_not(utterance)
    if reason:
        return progress.dropped_one(reason)
    text = asked_text(utterance)
    readings = sorted(utterance.references, key=lambda reading: -reading.weight)
    try:
        statements = [statement_of(reading.sql_min) for reading in readings if reading.sql_min is not None]
    except BeyondText2sql as fault:
        return progress.dropped_one(f"the tools of text2sql-data cannot read it: {fault}")
    templated = _without_values(text, statements)
    sentence = {
        "text": templated.text,
        "variables": {value.name: value.value for value in templated.values},
        "question-split": "exclude" if utterance.split == "none" else utterance.split,
        "utterance-id": utterance.utterance_id,
        "transcription": utterance.lsn,
        **{name.replace("_", "-"): value for name, value in utterance.origins.items()},
    }
    variables = [value.as_json() for value in templated.values]
    row = (name, json.dumps(templated.sql), json.dumps(sentence), json.dumps(variables))
    kept.execute("INSERT INTO kept (db, template, sentence, variables) VALUES (?, ?, ?, ?)", row)
    progress.wrote()


def _why_not(utterance: Utterance) -> str:
    if not utterance.references or all(reading.sql_min is None for reading in utterance.references):
        return "no correct SQL"
    if not utterance.stands_alone:
        return CONTEXT_NOT_KNOWN if utterance.context_not_known else "means nothing without earlier questions"
    return "" if asked_text(utterance) else "no transcription"


@dataclass(frozen=True)
class _Value:
    """`city_name0` stands for `value`, which query and question get back: the form fills both from one place."""

    name: str
    type: str
    value: str

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, "type": self.type, "example": self.value, "location": "both"}


@dataclass(frozen=True)
class _Templated:
    text: str
    sql: list[str]
    values: list[_Value]


def _without_values(text: str, statements: list[TokenisedStatement]) -> _Templated:
    """Texts and numbers of the query that the question says in the same words and figures become variables."""
    values: dict[str, _Value] = {}
    whole = [text, *(statement.text() for statement in statements)]
    for literal in (one for statement in statements for one in statement.literals()):
        spoken = _said(literal.value, text)
        if spoken and literal.value not in values:
            value = _named(literal, list(values.values()), whole)
            values[literal.value] = value
            text = text[: spoken.start()] + value.name + text[spoken.end() :]

    def renamed(value: str) -> str:
        return values[value].name if value in values else value

    return _Templated(text, [statement.text(renamed) for statement in statements], list(values.values()))


def _named(literal: Literal, others: list[_Value], whole: list[str]) -> _Value:
    """A name that stands in no other name and nowhere else: the form replaces names wherever they stand."""
    kind = literal.column or "value"
    for number in count(sum(other.type == kind for other in others)):
        # pay0 to pay9, then pay_0 to pay_9: pay10 would hold pay1.
        name = f"{kind}{'_' * (number // 10)}{number % 10}"
        in_others = any(name in other.name or other.name in name for other in others)
        if not in_others and not any(name in text for text in whole):
            return _Value(name, kind, literal.value)
    raise AssertionError("numbers do not end")


def _said(literal: str, text: str) -> re.Match[str] | None:
    if _NUMBER.fullmatch(literal):
        return next((found for found in _FIGURES.finditer(text) if found[0].replace(",", "") == literal), None)
    words = re.findall(rf"[\w{MARKS}]+", literal)
    if not words or not any(word.isalpha() for word in words):
        return None
    sign = rf"[\w{MARKS}]"
    pattern = f"(?<!{sign})" + f"[^{sign[1:]}+".join(map(re.escape, words)) + f"(?!{sign})"
    return re.search(pattern, text, re.IGNORECASE)


def _write_entries(kept: sqlite3.Connection, name: str, path: Path) -> None:
    select = "SELECT template, sentence, variables FROM kept WHERE db = ? ORDER BY template, place"
    with json_array(path) as add:
        for template, rows in groupby(kept.execute(select, (name,)), key=lambda row: row[0]):
            add(_entry(template, list(rows)))


def _entry(template: str, rows: list[tuple[str, str, str]]) -> dict[str, Any]:
    return {
        "comments": [],
        "old-name": "",
        "query-split": _part_of(template),
        "sentences": [json.loads(sentence) for _, sentence, _ in rows],
        "sql": json.loads(template),
        "variables": json.loads(rows[0][2]),
    }


def _part_of(template: str) -> str:
    # From the query alone, so that it stays in its part when sessions are added.
    drawn = int(hashlib.sha256(template.encode()).hexdigest()[:8], 16) % 100
    return next(part for part, below in _SHARES if drawn < below)


def _write_schema(tables: list[CopyTable], path: Path) -> None:
    with path.open("x", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file, lineterminator="\n")
        sheet.writerow(["Table Name", "Field Name", "Is Primary Key", "Is Foreign Key", "Type"])
        for table in tables:
            foreign = {name for own, _, _ in table.references for name in own}
            for column in table.columns:
                marks = ["y" if column.name in names else "n" for names in (table.key, foreign)]
                sheet.writerow([table.name, column.name, *marks, column.type.lower()])
