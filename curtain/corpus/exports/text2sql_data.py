"""text2sql-data, the form of the University of Michigan: queries without their values, each with all its questions.

One file for each database: a list of entries with `sql` (all readings, as they were written), `sentences`, `variables`,
`query-split` (drawn from the query itself, so that no query is in two parts) and `question-split` (the corpus' own).
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from curtain.corpus.exports.json_array import JsonArray
from curtain.corpus.exports.names import Names
from curtain.corpus.exports.sqlite_copy import Table, tables_of, told_as_disk
from curtain.corpus.exports.table import origins_of
from curtain.corpus.exports.writer import Told
from curtain.corpus.utterance import Corpus, Utterance

__all__ = ["write"]

_LITERAL = re.compile(
    r"""(?:(?<!\w)([A-Za-z_]\w*)\s*(?:=|<>|!=|<=?|>=?|(?:NOT\s+)?I?LIKE)\s*)?
        (?:'((?:[^']|'')*)'|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.]))""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FIGURES = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|[.,]\d)")
NOT_KNOWN_TO_STAND_ALONE = "nobody has said whether it needs earlier questions"
_SHARES = (("train", 80), ("dev", 90), ("test", 100))
_TABLE = "CREATE TABLE kept (place INTEGER PRIMARY KEY, db TEXT, template TEXT, sentence TEXT, variables TEXT)"


def write(corpus: Corpus, folder: Path, told: Told) -> None:
    """Write `<database>.json` and `<database>-schema.csv`. Raises CurtainError."""
    names, domains = Names(), dict[str, str]()
    aside = folder / ".aside.sqlite"
    with told_as_disk(), closing(sqlite3.connect(aside)) as kept:
        kept.execute("PRAGMA journal_mode = OFF")
        kept.execute("PRAGMA synchronous = OFF")
        kept.execute(_TABLE)
        for session in corpus.sessions():
            domains.setdefault(session.domain, names.of(session.domain))
            for one in session.utterances:
                _keep(kept, domains[session.domain], one, told)
        for domain, name in domains.items():
            _write_entries(kept, name, folder / f"{name}.json")
            _write_schema(tables_of(corpus.database(domain)), folder / f"{name}-schema.csv")
    aside.unlink()
    names.write(folder)


def _keep(kept: sqlite3.Connection, name: str, one: Utterance, told: Told) -> None:
    reason = _why_not(one)
    if reason:
        return told.dropped_one(reason)
    text = " ".join((one.query or (one.lsn or "").capitalize()).split())
    readings = sorted(one.references, key=lambda reading: -reading.weight)
    templated = _without_values(text, [reading.sql_min for reading in readings if reading.sql_min is not None])
    sentence = {
        "text": templated.text,
        "variables": {value.name: value.said for value in templated.values},
        "question-split": "exclude" if one.split == "none" else one.split,
        "utterance-id": one.utterance_id,
        "transcription": one.lsn,
        **{name.replace("_", "-"): value for name, value in origins_of(one).items()},
    }
    variables = [value.as_json() for value in templated.values]
    row = (name, json.dumps(templated.sql), json.dumps(sentence), json.dumps(variables))
    kept.execute("INSERT INTO kept (db, template, sentence, variables) VALUES (?, ?, ?, ?)", row)
    told.wrote()


def _why_not(one: Utterance) -> str:
    if not one.references or all(reading.sql_min is None for reading in one.references):
        return "no SQL counts as right"
    if not one.stands_alone:
        unknown = one.class_from in (None, "live") and not one.context
        return NOT_KNOWN_TO_STAND_ALONE if unknown else "means nothing without earlier questions"
    return "" if (one.query or one.lsn or "").strip() else "no transcription"


# -- values out of questions and queries -----------------------------------------------------------------


@dataclass(frozen=True)
class _Value:
    """`city_name0` stands for `in_sql` in the query and for `said` in the question."""

    name: str
    type: str
    in_sql: str
    said: str

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, "type": self.type, "example": self.in_sql, "location": "both"}


@dataclass(frozen=True)
class _Templated:
    text: str
    sql: list[str]
    values: list[_Value]


def _without_values(text: str, statements: list[str]) -> _Templated:
    """Texts and numbers of the query that the question says in the same words and figures become variables."""
    values: list[_Value] = []
    for column, literal in _literals(statements):
        found = _said(literal, text)
        if found and all(value.in_sql != literal for value in values):
            kind = column or "value"
            name = f"{kind}{sum(value.type == kind for value in values)}"
            values.append(_Value(name, kind, literal, text[found.start() : found.end()]))
            text = text[: found.start()] + name + text[found.end() :]
    return _Templated(text, [_replaced(sql, values) for sql in statements], values)


def _literals(statements: list[str]) -> Iterator[tuple[str, str]]:
    for sql in statements:
        for found in _LITERAL.finditer(sql):
            yield (found[1] or "").lower(), _inner(found)


def _inner(found: re.Match[str]) -> str:
    """A literal without its quotes, or a number."""
    return found[3] or (found[2] or "").strip("%")


def _said(literal: str, text: str) -> re.Match[str] | None:
    if _NUMBER.fullmatch(literal):
        return next((found for found in _FIGURES.finditer(text) if found[0].replace(",", "") == literal), None)
    words = re.findall(r"\w+", literal)
    if not words or not any(word.isalpha() for word in words):
        return None
    pattern = r"(?<!\w)" + r"\W+".join(map(re.escape, words)) + r"(?!\w)"
    return re.search(pattern, text, re.IGNORECASE)


def _replaced(sql: str, values: list[_Value]) -> str:
    names = {value.in_sql: value.name for value in values}

    def renamed(found: re.Match[str]) -> str:
        inner = _inner(found)
        if not inner or inner not in names:
            return found[0]
        start = found[0].rindex(inner)
        return found[0][:start] + names[inner] + found[0][start + len(inner) :]

    return _LITERAL.sub(renamed, sql)


# -- the files -----------------------------------------------------------------------------------------


def _write_entries(kept: sqlite3.Connection, name: str, path: Path) -> None:
    select = "SELECT template, sentence, variables FROM kept WHERE db = ? ORDER BY template, place"
    with JsonArray(path) as array:
        for template, rows in groupby(kept.execute(select, (name,)), key=lambda row: row[0]):
            array.add(_entry(template, list(rows)))


def _entry(template: str, rows: list[tuple[str, str, str]]) -> dict[str, Any]:
    return {
        "query-split": _part_of(template),
        "sentences": [json.loads(sentence) for _, sentence, _ in rows],
        "sql": json.loads(template),
        "variables": json.loads(rows[0][2]),
    }


def _part_of(template: str) -> str:
    drawn = int(hashlib.sha256(template.encode()).hexdigest()[:8], 16) % 100
    return next(part for part, below in _SHARES if drawn < below)


def _write_schema(tables: list[Table], path: Path) -> None:
    with path.open("x", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file, lineterminator="\n")
        sheet.writerow(["Table Name", "Field Name", "Is Primary Key", "Is Foreign Key", "Type"])
        for table in tables:
            foreign = {name for own, _, _ in table.references for name in own}
            for column in table.columns:
                marks = ["y" if column.name in names else "n" for names in (table.key, foreign)]
                sheet.writerow([table.name, column.name, *marks, column.type.lower()])
