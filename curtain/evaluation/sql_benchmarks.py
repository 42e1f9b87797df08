"""`curtain score-sql`: the accuracy of predicted SQL on a benchmark in the files of Spider or BIRD."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curtain.base.plural import count_of
from curtain.base.terminal import print_error, print_line
from curtain.cas.scoring.intervals import wilson
from curtain.evaluation.json_lines import BadFile, read_text_file
from curtain.evaluation.sql_score import GoldFailed, SqlScore

_ENDINGS = (".sqlite", ".db", ".duckdb")
_BIRD_MARK = "\t----- bird -----\t"
_PREDICTED = ("predicted", "prediction", "predicted_sql", "pred_sql", "sql", "SQL", "query")
# A model's statement as it writes one into a text.
_FENCE = re.compile(r"```[ \t]*(?:\w*sql\w*\b|duckdb\b)?(.*?)```", re.DOTALL | re.IGNORECASE)


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
    """Prints accuracy with 95 % Wilson intervals, and on standard error how many statements could not run.

    Gives 0, or 2 if a gold statement cannot run, or no predicted one can. A prediction is right if it is so on every
    file of its database. Gold statements that cannot run do not count. Raises BadFile.
    """
    questions, statements = read_gold(gold), read_predictions(predicted, gold)
    if len(questions) != len(statements):
        raise BadFile(f"{gold} has {len(questions)} statements and {predicted} has {len(statements)}; pair them.")
    results: list[tuple[str, bool]] = []
    failures: list[str] = []
    for number, (question, sql) in enumerate(zip(questions, statements, strict=True), 1):
        try:
            score = score_statement(question.sql, sql, database_files(databases, question.database))
        except GoldFailed as error:
            print_error(f"Statement {number} does not count. {error}")
            continue
        results.append((question.hardness, bool(score)))
        if score.failure:
            failures.append(f"statement {number}: {score.failure}")
    for hardness in sorted({hardness for hardness, _ in results} - {""}):
        tell(_line(hardness, [right for of, right in results if of == hardness]))
    tell(_line("all", [right for _, right in results]))
    if failures:
        print_error(f"{count_of(len(failures), 'prediction')} of {len(results)} could not run. First {failures[0]}.")
    if results and len(failures) == len(results):
        print_error(f"No prediction in {predicted} could run, so this measures nothing. See what the file holds.")
        return 2
    return 0 if len(results) == len(questions) else 2


def _line(name: str, right: list[bool]) -> str:
    interval = wilson(sum(right), len(right))
    if interval is None:
        return f"{name}: no statement counts"
    share = 100 * sum(right) / len(right)
    return f"{name}: {sum(right)} of {len(right)} right, {share:.1f} % [{interval.low:.1f}, {interval.high:.1f}]"


def read_gold(path: Path) -> list[GoldQuestion]:
    """The gold statements of a file: `SQL<tab>database` a line, or Spider's or BIRD's dev.json, also as JSON lines.

    Blank lines part dialogues, as in SParC and CoSQL. Raises BadFile.
    """
    entries = _entries(path)
    if entries is None:
        lines = [(number, *line.rpartition("\t")) for number, line in enumerate(_lines(path), 1) if line.strip()]
        for number, sql, _, database in lines:
            if not sql or not database:
                raise BadFile(f"{path} line {number} is not a statement, a tab and the name of a database.")
        questions = [GoldQuestion(sql, database.strip()) for _, sql, _, database in lines]
    elif isinstance(entries, list):
        questions = [_question(path, number, entry) for number, entry in enumerate(entries, 1)]
    else:
        raise BadFile(f"{path} is not a list of questions; give Spider's or BIRD's dev.json.")
    if not questions:
        raise BadFile(f"{path} holds no statement.")
    return questions


def _question(path: Path, number: int, entry: Any) -> GoldQuestion:
    fields = entry if isinstance(entry, dict) else {}
    sql, database = fields.get("SQL", fields.get("query")), fields.get("db_id")
    if not isinstance(sql, str) or not isinstance(database, str):
        raise BadFile(f"{path} question {number} has no texts “SQL” (or “query”) and “db_id”.")
    return GoldQuestion(sql, database, str(fields.get("difficulty", fields.get("hardness", ""))))


def read_predictions(path: Path, gold: Path | None = None) -> list[str]:
    """The predicted statements: one a line, each in a fence, BIRD's JSON object of them by number, or a list or lines
    of JSON objects. Blank lines where the gold file has them part dialogues; others are empty predictions.

    Raises BadFile.
    """
    entries = _entries(path)
    if entries is None:
        if fenced := _FENCE.findall(read_text_file(path)):
            return [" ".join(sql.split()) for sql in fenced]
        return [line.partition("\t")[0] for line in _without_partings(_lines(path), gold)]
    if isinstance(entries, dict):
        if set(entries) != set(map(str, range(len(entries)))):
            raise BadFile(f"{path} is not an object of statements by number, “0”, “1” and so on.")
        entries = [entries[str(number)] for number in range(len(entries))]
    statements = [_predicted(path, number, entry) for number, entry in enumerate(entries, 1)]
    places = [entry.get("question_id", entry.get("id")) for entry in entries if isinstance(entry, dict)]
    if sorted(place for place in places if type(place) is int) == list(range(len(statements))):
        statements = [sql for _, sql in sorted(zip(places, statements, strict=True))]
    return statements


def _predicted(path: Path, number: int, entry: Any) -> str:
    if isinstance(entry, dict):
        key = next((key for key in _PREDICTED if key in entry), None)
        if key is None:
            raise BadFile(f"{path} prediction {number} has none of the keys {', '.join(_PREDICTED)}.")
        entry = entry[key]
    # What is no text is no statement; it counts as wrong.
    sql = entry.partition(_BIRD_MARK)[0] if isinstance(entry, str) else ""
    return next(iter(_FENCE.findall(sql)), sql).strip()


def _without_partings(lines: list[str], gold: Path | None) -> list[str]:
    """The lines without those that part dialogues, if that makes them as many as the gold statements."""
    gold_lines = _lines(gold) if gold is not None and _entries(gold) is None else []
    partings = {at for at, line in enumerate(gold_lines) if not line.strip()}
    beside = [line for at, line in enumerate(lines) if at not in partings or line.strip()]
    filled = [line for line in lines if line.strip()]
    wanted = len(gold_lines) - len(partings)
    return next((some for some in (beside, lines, filled) if len(some) == wanted), lines)


def _entries(path: Path) -> list[Any] | dict[str, Any] | None:
    """The values of a file of JSON or of JSON lines; None for a text of statements. Raises BadFile."""
    text = read_text_file(path).strip()
    if path.suffix != ".json" and text[:1] not in ("{", "[", '"'):
        return None
    try:
        values = json.loads(text)
    except RecursionError:
        raise BadFile(f"{path} is nested too deeply.") from None
    except ValueError:
        values = [_json_line(path, number, line) for number, line in enumerate(_lines(path), 1) if line.strip()]
    if isinstance(values, str) or (isinstance(values, dict) and {*_PREDICTED} & values.keys()):
        # One line of JSON.
        return [values]
    if not isinstance(values, list | dict):
        raise BadFile(f"{path} is not JSON of statements; give the file as the benchmark has it.")
    return values


def _json_line(path: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise BadFile(f"{path} line {number} is not JSON; give the file as the benchmark has it.") from None


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
    return read_text_file(path).replace("\r\n", "\n").removesuffix("\n").split("\n")
