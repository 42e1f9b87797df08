"""References and answers in Parquet, of any number, and what became of each: DuckDB within bounds of memory.

A pair of question and answer that stands many times is judged
once; figures are made from groups of items of which all that is counted is the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb

from curtain.base.scratch import ScratchFolder
from curtain.base.sql_names import quoted
from curtain.cas.errors import CasError
from curtain.cas.notation.dialects import dialect_named
from curtain.cas.scoring.readings import ComparisonRules, Judgement
from curtain.cas.scoring.score import CLASSES, NO_REASON, Excess, Grouping, Item, ScoreSheet, sheet_of_groups
from curtain.cas.values import FAILURES
from curtain.cas.verdict import MALFORMED
from curtain.corpus.exports.tables.duckdb_writer import connected
from curtain.corpus.exports.tables.parquet_table import ParquetTable
from curtain.corpus.exports.utterance_table import COUNT, FLAG, TEXT, Shape
from curtain.corpus.model.references import NO_CLASS, NO_CONTEXT, NO_REFERENCE
from curtain.corpus.model.worker_pool import chunked, in_order
from curtain.evaluation.json_lines import UNUSABLE, BadFile, RejectedLine, json_bytes, shown_id
from curtain.evaluation.progress import progress_bar
from curtain.evaluation.references import FAILURE_TAG, ReferenceItem, is_parquet, reference_item

_MEMORY_MB = 400
_THREADS = 2
_AT_ONCE = 10_000
_CHUNK_SIGNS = 1024 * 1024
_REFERENCE: dict[str, Shape] = {
    "line": COUNT, "id": TEXT, "question": TEXT, "eval_class": TEXT, "tags": [TEXT], "context": [TEXT],
    "speaker": TEXT, "scenario": TEXT, "site": TEXT, "dialect": TEXT, "failure": TEXT,
}  # fmt: skip
_ANSWER: dict[str, Shape] = {"line": COUNT, "id": TEXT, "text": TEXT}
_VERDICT: dict[str, Shape] = {
    "pair_row": COUNT, "outcome": TEXT, "reason": TEXT, "credit": TEXT, "empty_match": FLAG, "chance_prone": FLAG,
    "without_maximum": FLAG, "columns": COUNT, "beyond_minimum": COUNT, "beyond_maximum": COUNT,
}  # fmt: skip
_OF_ITEM = (
    "id", "outcome", "reason", "eval_class", "speaker", "scenario", "site", "credit", "missing", "without_maximum",
    "empty_match", "chance_prone", "failure",
)  # fmt: skip
_EXCESS = ("columns", "beyond_minimum", "beyond_maximum")
_COUNTED = ("speaker", "outcome", "credit", "missing")
_MARKS = ("outcome", "empty_match", "chance_prone", "without_maximum", *_EXCESS)


JudgeChunk = Callable[[ComparisonRules, list[tuple[ReferenceItem, str | None]]], list[Judgement | str]]


@contextmanager
def score_store(references: Path, rules: ComparisonRules, judge_chunk: JudgeChunk) -> Iterator[ScoreStore]:
    """The store with the references of a file; `judge_chunk` is a function of a module. Raises BadFile for the first
    fault, naming file and line."""
    with ScratchFolder("score") as folder, connected(folder, folder / "score.duckdb", _MEMORY_MB, _THREADS) as duck:
        yield ScoreStore(duck, references, rules, judge_chunk)


class ScoreStore:
    """The references of a run, and systems by their numbers from 1. `pairs` says of each how many pairs differ."""

    def __init__(
        self, duck: duckdb.DuckDBPyConnection, references: Path, rules: ComparisonRules, judge_chunk: JudgeChunk
    ) -> None:
        self._duck, self._path, self._rules, self._judge_chunk = duck, references, rules, judge_chunk
        self.pairs: list[int] = []
        self._load("reference", references, _REFERENCE, _references_sql)
        self._check_references()
        self._exclude()

    def add_system(self, path: Path, *, strict: bool, jobs: int) -> int:
        """Judge the answers of a file; gives the number of its system. Raises BadFile."""
        number = len(self.pairs) + 1
        answer = f"answer{number}"
        self._load(answer, path, _ANSWER, _answers_sql)
        unknown = self._first(f"SELECT line, id FROM {answer} ANTI JOIN reference USING (id)")
        self._check_new(answer, path, unknown[0] if unknown else None)
        if unknown:
            raise BadFile(f"{path} line {unknown[0]} answers “{shown_id(unknown[1])}”, which is not in {self._path}.")
        self._run(
            f"CREATE TABLE item AS SELECT r.* EXCLUDE (tags, context, dialect), a.id IS NULL AS missing, a.text, "
            f"a.line AS answer_line, md5_number(r.question || coalesce('=' || a.text, '')) AS pair "
            f"FROM (FROM reference ANTI JOIN excluded USING (id)) r LEFT JOIN {answer} a USING (id)"
        )
        self._run(
            "CREATE TABLE pair AS SELECT pair, question, text, min(line) AS line FROM item GROUP BY ALL ORDER BY line"
        )
        self._judge(path, strict, jobs)
        self._run(
            f"CREATE TABLE scored{number} AS SELECT i.* EXCLUDE (question, text, pair, answer_line), "
            "v.* EXCLUDE (pair_row) FROM item i JOIN (SELECT rowid AS pair_row, pair FROM pair) USING (pair) "
            "JOIN verdict v USING (pair_row) ORDER BY failure <> '', line"
        )
        self._run(f"DROP TABLE item; DROP TABLE pair; DROP TABLE verdict; DROP TABLE {answer}")
        return number

    def dialects(self) -> tuple[str, ...]:
        """In which references are written, that of the run where they do not say it."""
        rows = self._run("SELECT DISTINCT coalesce(dialect, $1) FROM reference ORDER BY 1", self._rules.dialect)
        return tuple(name for (name,) in rows.fetchall())

    def sheet(self, number: int, system: str) -> ScoreSheet:
        """The figures of a system, without its items."""

        def groups(name: Grouping | None) -> Iterator[tuple[str | None, Sequence[Item]]]:
            label, counted = (quoted(name) if name else "NULL"), ", ".join(_COUNTED)
            held = "<>" if name == "failure" else "="
            rows = self._rows(
                f"SELECT {label} AS label, {counted}, count(*) FROM scored{number} WHERE failure {held} '' "
                "GROUP BY ALL ORDER BY label"
            )
            for shared, group in groupby(rows, itemgetter(0)):
                yield shared, [_item((*_COUNTED, "count"), row[1:]) for row in group]

        marks = f"SELECT {', '.join(_MARKS)}, count(*) FROM scored{number} WHERE failure = '' GROUP BY ALL"
        reasons = "SELECT unnest(CASE WHEN len(reasons) = 0 THEN [$1] ELSE reasons END) AS reason FROM excluded"
        counts = self._run(f"SELECT reason, count(*) FROM ({reasons}) GROUP BY 1", NO_REASON).fetchall()
        (excluded,) = self._run("SELECT count(*) FROM excluded").fetchone() or (0,)
        marked = [_item((*_MARKS, "count"), row) for row in self._rows(marks)]
        return sheet_of_groups(system, groups, marked, dict(counts), excluded)

    def both(self) -> list[tuple[Item, Item]]:
        """What the first two systems made of the items that count, grouped."""
        rows = self._rows(
            "SELECT a.speaker, a.outcome, a.credit, b.outcome, b.credit, count(*) FROM scored1 a "
            "JOIN scored2 b USING (line) WHERE a.failure = '' GROUP BY ALL"
        )
        names = ("speaker", "outcome", "credit", "count")
        return [
            (_item(names, (who, mine, worth, n)), _item(names, (who, its, other, n)))
            for who, mine, worth, its, other, n in rows
        ]

    def items(self, number: int) -> Iterator[Item]:
        """Every item of a system in the order of the references; those with a failure come last."""
        columns = ", ".join((*_OF_ITEM, *_EXCESS))
        for row in self._pages(f"SELECT {columns} FROM scored{number}"):
            yield _item((*_OF_ITEM, *_EXCESS), row)

    # -- the files -----------------------------------------------------------------------------------------

    def _load(
        self, name: str, path: Path, columns: dict[str, Shape], sql: Callable[[Callable[..., str], bool], str]
    ) -> None:
        if not is_parquet(path):
            raise BadFile(f"{path} is no Parquet file: beside a table of references, answers are a table too.")
        ParquetTable(self._duck, name, columns)
        try:
            described = self._run("SELECT column_name FROM (DESCRIBE FROM read_parquet($1))", str(path)).fetchall()
            there = {one for (one,) in described}

            def first(*names: str) -> str:
                # The names of the utterance view are understood too.
                return next((quoted(one) for one in names if one in there), "NULL")

            if first("id", "utterance_id") == "NULL":
                raise BadFile(f"{path} has no column “id” or “utterance_id”.")
            self._run(
                f"INSERT INTO {name} BY NAME SELECT {', '.join(columns)} FROM ({sql(first, 'references' in there)})",
                str(path),
            )
        except duckdb.Error as fault:
            complaint = str(fault).splitlines()[0]
            raise BadFile(f"{path} cannot be read as a table of references or answers: {complaint}") from fault

    def _check_references(self) -> None:
        self._check_new("reference", self._path)
        if self._first("SELECT 1 FROM reference", order="1") is None:
            raise BadFile(f"{self._path} has no references; give one row a reference.")
        self._run("CREATE TABLE leans AS SELECT line, id, unnest(context) AS before FROM reference")
        # After all lines: a context may stand below what refers to it.
        if lost := self._first("SELECT line, before FROM leans ANTI JOIN reference r ON before = r.id"):
            raise BadFile(
                f"{self._path} line {lost[0]} names “{shown_id(lost[1])}” in “context”, which is not in the file."
            )
        for name, known in (("dialect", "dialect"), ("eval_class", "class")):
            for (value,) in self._run(f"SELECT DISTINCT {name} FROM reference WHERE {name} IS NOT NULL").fetchall():
                if not (_is_dialect(value) if name == "dialect" else value in CLASSES):
                    raise BadFile(f"{self._path} has the {known} “{shown_id(value)}”, which there is not.")

    def _check_new(self, table: str, path: Path, before: int | None = None) -> None:
        self._run(
            f"CREATE OR REPLACE TABLE repeated AS SELECT id, min(line) AS first FROM {table} GROUP BY id "
            "HAVING count(*) > 1"
        )
        again = self._first(f"SELECT line, id, first FROM {table} JOIN repeated USING (id) WHERE line > first")
        if again and (before is None or again[0] < before):
            line, name, first = again
            raise BadFile(f"{path} line {line} has the id “{shown_id(name)}” again; it is already in line {first}.")

    def _exclude(self) -> None:
        """Why utterances are not scored: the tags of class X, a presupposition failure where the dialect has no word
        for it (papers/000, S-8), or a context that is not scored itself."""
        self._run("CREATE TABLE excluded AS SELECT id, tags AS reasons FROM reference WHERE eval_class = 'X'")
        wordless = [name for name in self.dialects() if not dialect_named(name).failures]
        self._run(
            "INSERT INTO excluded SELECT id, [$1] FROM reference ANTI JOIN excluded USING (id) "
            "WHERE failure <> '' AND coalesce(dialect, $2) IN (SELECT unnest($3::VARCHAR[]))",
            FAILURE_TAG, self._rules.dialect, wordless,
        )  # fmt: skip
        newly = "SELECT DISTINCT id FROM leans SEMI JOIN excluded e ON before = e.id ANTI JOIN excluded USING (id)"
        added = 1
        # Until nothing changes: a context may lean on another context.
        while added:
            insert = self._run(f"INSERT INTO excluded SELECT id, $1 FROM ({newly})", ["context not evaluable"])
            (added,) = insert.fetchone() or (0,)

    # -- the verdicts --------------------------------------------------------------------------------------

    def _judge(self, path: Path, strict: bool, jobs: int) -> None:
        verdicts = ParquetTable(self._duck, "verdict", _VERDICT)
        (count,) = self._run("SELECT count(*) FROM pair").fetchone() or (0,)
        self.pairs.append(count)
        # As the processes take them: two walks over the same table side by side.
        tasks = self._pages("SELECT question, text FROM pair")
        lines = self._pages("SELECT line FROM pair")
        work = partial(judge_pairs, self._judge_chunk, self._rules)
        with progress_bar(f"Judging {path.name}", count) as advance:
            at = 0
            for judgements in in_order(work, chunked(tasks, _size, _CHUNK_SIGNS), jobs, _chunk_size):
                for judgement in judgements:
                    ((line,), at) = (next(lines), at + 1)
                    # The first fault in the order of the file is the one that is reported.
                    verdicts.add(json_bytes(_verdict(at - 1, self._checked(judgement, line, path, strict))))
                advance(len(judgements))
        verdicts.flush()

    def _checked(self, judgement: JudgedPair | str, line: int, path: Path, strict: bool) -> JudgedPair:
        if isinstance(judgement, str):
            raise BadFile(f"{self._path} line {line} {UNUSABLE}: {judgement.rstrip('.')}.")
        verdict = judgement[0].verdict
        if strict and verdict.outcome == MALFORMED:
            (where,) = self._run("SELECT answer_line FROM item WHERE line = $1", line).fetchone() or (line,)
            raise BadFile(
                f"{path} line {where} has a malformed answer: {verdict.reason}; without --strict it counts as wrong."
            )
        return judgement

    # -- asking --------------------------------------------------------------------------------------------

    def _run(self, sql: str, *values: Any) -> duckdb.DuckDBPyConnection:
        return self._duck.execute(sql, values or None)

    def _first(self, sql: str, order: str = "line") -> Any:
        return self._run(f"SELECT * FROM ({sql}) ORDER BY {order} LIMIT 1").fetchone()

    def _rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        # With a connection of its own: another statement would end the reading.
        with self._duck.cursor() as cursor:
            cursor.execute(sql)
            while rows := cursor.fetchmany(_AT_ONCE):
                yield from rows

    def _pages(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """The rows of one table in its order, some thousand in memory."""
        at = 0
        with self._duck.cursor() as cursor:
            span = f"{sql} WHERE rowid >= $1 AND rowid < $2 ORDER BY rowid"
            while rows := cursor.execute(span, (at, at + _AT_ONCE)).fetchall():
                yield from rows
                at += _AT_ONCE


JudgedPair = tuple[Judgement, bool]
"""A judgement, and whether a reading of its question has no maximum."""
Task = tuple[str, str | None]


def judge_pairs(judge_chunk: JudgeChunk, rules: ComparisonRules, chunk: list[Task]) -> list[JudgedPair | str]:
    """A judgement for each question in JSON and its answer; a text says why the question cannot be used."""
    return [_judge_pair(judge_chunk, rules, *task) for task in chunk]


def _judge_pair(judge_chunk: JudgeChunk, rules: ComparisonRules, question: str, text: str | None) -> JudgedPair | str:
    try:
        asked = reference_item({"id": "0", **json.loads(question)})
    except RejectedLine as fault:
        return str(fault)
    (judgement,) = judge_chunk(rules, [(asked, text)])
    if isinstance(judgement, str):
        return judgement
    return judgement, any(reading.maximum is None for reading in asked.readings)


def _size(task: Task) -> int:
    return len(task[0]) + len(task[1] or "")


def _chunk_size(chunk: list[Task]) -> int:
    return sum(map(_size, chunk))


def _verdict(row: int, judged_pair: JudgedPair) -> dict[str, Any]:
    judgement, without_maximum = judged_pair
    return {
        "pair_row": row,
        "outcome": judgement.verdict.outcome,
        "reason": judgement.verdict.reason,
        "credit": str(judgement.credit),
        "empty_match": judgement.empty_match,
        "chance_prone": judgement.chance_prone,
        "without_maximum": without_maximum,
        **{name: getattr(judgement.excess, name, None) for name in _EXCESS},
    }


def _item(names: Sequence[str], values: Sequence[Any]) -> Item:
    given = {"id": "", **dict(zip(names, values, strict=True))}
    columns = [given.pop(name, None) for name in _EXCESS]
    excess = Excess(*columns) if columns[0] is not None else None
    return Item(**given | {"credit": Fraction(given["credit"]) if "credit" in given else 1, "excess": excess})


def _is_dialect(name: str) -> bool:
    try:
        return bool(dialect_named(name))
    except CasError:
        return False


_LINE = "FROM read_parquet($1, file_row_number = true)"


def _answers_sql(first: Callable[..., str], of_view: bool) -> str:
    text = first("hyp", "answer", "cas")
    return (
        f"SELECT file_row_number + 1 AS line, {first('id', 'utterance_id')}::VARCHAR AS id, "
        f"CASE WHEN trim({text}) <> 'NO_ANSWER' THEN {text} END AS text {_LINE}"
    )


def _references_sql(first: Callable[..., str], of_view: bool) -> str:
    """The columns of `_REFERENCE`, from the keys of a line of references or from the utterance view.

    The view has what was never meant to be scored: such utterances are of class X here, as in a written key.
    """
    names = [first(name, f"{name}_id") for name in ("speaker", "scenario", "site")]
    about = ", ".join(
        f"{one}::VARCHAR AS {name}" for one, name in zip(names, ("speaker", "scenario", "site"), strict=True)
    )
    marks = f"'yes_no': coalesce({first('yes_no')}, false), 'dialect': {first('dialect')}"
    if of_view:
        readings = """list_filter("references", lambda x: x.cas_min IS NOT NULL)"""
        reading = "{'ref': x.cas_min, 'max': x.cas_max, 'weight': x.weight}"
        question = f"{{'alternatives': list_transform({readings}, lambda x: {reading}), {marks}}}"
        only = f"CASE WHEN len({readings}) = 1 THEN {readings}[1].cas_min END"
        tags = "coalesce(tags, []) || coalesce(reasons, [])"
        context = "list_transform(coalesce(context, []), lambda x: x.utterance_id)"
        why = f"CASE WHEN eval_class IS NULL THEN '{NO_CLASS}' WHEN len({readings}) = 0 THEN '{NO_REFERENCE}' END"
    else:
        parts = ", ".join(f"'{name}': {first(name, other)}" for name, other in (
            ("ref", "cas_min"), ("max", "cas_max"), ("weights", ""), ("alternatives", ""), ("sorted_by", ""),
        ))  # fmt: skip
        question, only = f"{{{parts}, {marks}}}", first("ref", "cas_min")
        tags, context = (f"coalesce({first(name)}, [])::VARCHAR[]" for name in ("tags", "context"))
        why = "NULL"
    failures = ", ".join(f"'{name}'" for name in FAILURES)
    return f"""
        WITH given AS (
            SELECT file_row_number + 1 AS line, {first("id", "utterance_id")}::VARCHAR AS id,
                to_json({question})::VARCHAR AS question, {first("class", "eval_class")}::VARCHAR AS named,
                {tags} AS said, {context} AS leant, {about}, {first("dialect")}::VARCHAR AS dialect, {why} AS why,
                lower(trim({only})) AS word {_LINE}
        ), lost AS (
            SELECT DISTINCT id FROM (SELECT id, unnest(leant) AS before FROM given) ANTI JOIN given g ON before = g.id
        ), reasoned AS (
            SELECT given.*, CASE WHEN named = 'X' THEN CASE WHEN len(said) = 0 THEN 'X' END ELSE
                coalesce(why, CASE WHEN {of_view} AND lost.id IS NOT NULL THEN '{NO_CONTEXT}' END) END AS because
            FROM given LEFT JOIN lost USING (id)
        )
        SELECT * EXCLUDE (named), CASE WHEN because IS NOT NULL THEN 'X' ELSE named END AS eval_class,
            said || CASE WHEN because IS NULL THEN [] ELSE [because] END AS tags,
            CASE WHEN eval_class IS NOT DISTINCT FROM 'X' AND {of_view} THEN [] ELSE leant END AS context,
            CASE WHEN word IN ({failures}) THEN word ELSE '' END AS failure
        FROM reasoned"""
