"""`curtain score-sql`: the accuracy of predicted SQL on a benchmark in the files of Spider or BIRD."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curtain.base.input_file import read_input
from curtain.base.terminal import print_error, print_line
from curtain.cas.scoring.intervals import wilson
from curtain.evaluation.json_lines import BadFile
from curtain.evaluation.sql_score import GoldFailed, SqlScore

_ENDINGS = (".sqlite", ".db", ".duckdb")
_BIRD_MARK = "\t----- bird -----\t"


@dataclass(frozen=True)
class GoldQuestion:
    """A gold statement, the name of its database and its hardness; empty if the file has none."""

    sql: str
    database: str
    hardness: str = ""


def score_benchmark(
    gold: Path,
    predicted: Path,
    databases: Path,
    score_statement: Callable[[str, str, list[Path]], SqlScore],
    tell: Callable[[str], object] = print_line,
) -> int:
    """Prints accuracy with 95 % Wilson intervals; 0, or 2 if a gold statement cannot run. Raises BadFile.

    A prediction is right if it is so on every file of its database. Gold statements that cannot run do not count.
    """
    questions, statements = read_gold(gold), read_predictions(predicted)
    if len(questions) != len(statements):
        raise BadFile(f"{gold} has {len(questions)} statements and {predicted} has {len(statements)}; pair them.")
    results: list[tuple[str, bool]] = []
    for number, (question, sql) in enumerate(zip(questions, statements, strict=True), 1):
        try:
            score = score_statement(question.sql, sql, database_files(databases, question.database))
        except GoldFailed as error:
            print_error(f"Statement {number} does not count. {error}")
            continue
        results.append((question.hardness, bool(score)))
    for hardness in sorted({hardness for hardness, _ in results} - {""}):
        tell(_line(hardness, [right for of, right in results if of == hardness]))
    tell(_line("all", [right for _, right in results]))
    return 0 if len(results) == len(questions) else 2


def _line(name: str, right: list[bool]) -> str:
    interval = wilson(sum(right), len(right))
    if interval is None:
        return f"{name}: no statement counts"
    share = 100 * sum(right) / len(right)
    return f"{name}: {sum(right)} of {len(right)} right, {share:.1f} % [{interval.low:.1f}, {interval.high:.1f}]"


def read_gold(path: Path) -> list[GoldQuestion]:
    """The gold statements of a file: `SQL<tab>database` a line, or Spider's or BIRD's dev.json. Raises BadFile."""
    if path.suffix != ".json":
        lines = [line.rpartition("\t") for line in _lines(path)]
        for number, (sql, _, database) in enumerate(lines, 1):
            if not sql or not database:
                raise BadFile(f"{path} line {number} is not a statement, a tab and the name of a database.")
        return [GoldQuestion(sql, database.strip()) for sql, _, database in lines]
    entries = _json(path)
    if not isinstance(entries, list):
        raise BadFile(f"{path} is not a list of questions; give Spider's or BIRD's dev.json.")
    return [_question(path, number, entry) for number, entry in enumerate(entries, 1)]


def _question(path: Path, number: int, entry: Any) -> GoldQuestion:
    fields = entry if isinstance(entry, dict) else {}
    sql, database = fields.get("SQL", fields.get("query")), fields.get("db_id")
    if not isinstance(sql, str) or not isinstance(database, str):
        raise BadFile(f"{path} question {number} has no texts “SQL” (or “query”) and “db_id”.")
    return GoldQuestion(sql, database, str(fields.get("difficulty", fields.get("hardness", ""))))


def read_predictions(path: Path) -> list[str]:
    """The predicted statements: one a line, or BIRD's JSON object of them by number. Raises BadFile."""
    if path.suffix != ".json":
        return [line.partition("\t")[0] for line in _lines(path)]
    entries = _json(path)
    if not isinstance(entries, dict) or set(entries) != set(map(str, range(len(entries)))):
        raise BadFile(f"{path} is not an object of statements by number, “0”, “1” and so on.")
    # What is no text is no statement; it counts as wrong.
    ordered = (entries[str(number)] for number in range(len(entries)))
    return [sql.partition(_BIRD_MARK)[0] if isinstance(sql, str) else "" for sql in ordered]


def database_files(folder: Path, name: str) -> list[Path]:
    """The files of one database: `FOLDER/NAME.sqlite` or all of `FOLDER/NAME/`. Raises BadFile."""
    if Path(name).name != name:
        raise BadFile(f"“{name}” is no name of a database; a name has no folders in it.")
    candidates: Iterable[Path] = [*(folder / f"{name}{ending}" for ending in _ENDINGS), *(folder / name).glob("*")]
    files = sorted(path for path in candidates if path.suffix in _ENDINGS and path.is_file())
    if not files:
        raise BadFile(f"{folder} has no database “{name}”; it belongs in {name}.sqlite or in a folder {name}.")
    return files


def _lines(path: Path) -> list[str]:
    # Empty lines stay: a system that predicted nothing has its place.
    return _text(path).replace("\r\n", "\n").removesuffix("\n").split("\n")


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path))
    except (ValueError, RecursionError):
        raise BadFile(f"{path} is not JSON; give the file as the benchmark has it.") from None


def _text(path: Path) -> str:
    try:
        return read_input(path).decode("utf-8-sig")
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is not UTF-8 text (byte {error.start + 1}).") from None
