"""`curtain score-sql`: the accuracy of predicted SQL on a benchmark in the files of Spider or BIRD."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from curtain.base.disk import replace_files
from curtain.base.plural import count_of
from curtain.base.terminal import Say, print_error, print_line
from curtain.cas import Options
from curtain.cas.scoring.intervals import wilson
from curtain_score.files.json_lines import BadFile, ensure_absent, read_text_file
from curtain_score.sql.sql_rules import SqlRule
from curtain_score.sql.sql_score import (
    BOTH_EMPTY,
    CAS_RULES,
    DEFAULT_TIMEOUT_S,
    FAILS,
    NO_STATEMENT,
    OUTCOMES,
    RIGHT,
    GoldFailed,
    SqlScore,
    score_sql,
)
from curtain_score.sql.sql_statements import FAILED, TIMED_OUT, StatementProcess

_ENDINGS = (".sqlite", ".db", ".duckdb")
GOLD_FAILED = "gold failed"
_NOT_RUN = (FAILED, TIMED_OUT, NO_STATEMENT)
_BIRD_MARK = "\t----- bird -----\t"
_PREDICTED = ("predicted", "prediction", "predicted_sql", "pred_sql", "sql", "SQL", "query")
# A model's statement as it writes one into a text.
_FENCE = re.compile(r"```[ \t]*(?:\w*sql\w*\b|duckdb\b)?(.*?)```", re.DOTALL | re.IGNORECASE)
_BARE = re.compile(r"^\s*(?:select|with|values)\b", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class GoldQuestion:
    """A gold statement, the name of its database and its hardness; empty if the file has none."""

    sql: str
    database: str
    hardness: str = ""


@dataclass(frozen=True)
class BenchmarkRules:
    """How a benchmark is scored; the fields are those of `score_sql`."""

    rule: SqlRule = SqlRule.CURTAIN
    timeout: float = DEFAULT_TIMEOUT_S
    epsilon: str = "0.0001"
    options: Options = CAS_RULES
    jobs: int = 1

    def score(
        self, question: GoldQuestion, sql: str, files: list[Path], rule: SqlRule, run: StatementProcess
    ) -> SqlScore:
        """One statement on these files. Raises GoldFailed."""
        return score_sql(
            question.sql, sql, files, self.timeout, epsilon=self.epsilon, options=self.options, rule=rule, runner=run
        )


@dataclass(frozen=True)
class QuestionResult:
    """What was found of one question; `outcome` is one of OUTCOMES, or `gold failed`, which is not scored.

    `ours`: whether it is right by our rules, where another rule was asked for.
    """

    question: int
    database: str
    hardness: str
    outcome: str
    right: bool
    reason: str = ""
    note: str = ""
    ours: bool | None = None


def score_benchmark(
    gold: Path,
    predicted: Path,
    databases: Path,
    rules: BenchmarkRules,
    say: Say = print_line,
    *,
    as_json: bool = False,
    out: Path | None = None,
    overwrite: bool = False,
) -> int:
    """Prints accuracy with 95 % Wilson intervals, and on standard error how many statements could not run.

    Gives 0, or 2 if a gold statement cannot run, or no predicted one can. A prediction is right if it is so on every
    file of its database. Gold statements that cannot run do not count. `as_json` prints one line for each question
    instead; `out` gets them and the totals as files. Raises BadFile, CurtainError.
    """
    if out is not None:
        ensure_absent(out / "questions.jsonl", overwrite)
    questions, statements = read_gold(gold), read_predictions(predicted, gold)
    if not any(statement.strip() for statement in statements):
        raise BadFile(f"{predicted} holds no statement; it needs one for each of the {len(questions)} of {gold}.")
    if len(questions) != len(statements):
        raise BadFile(f"{gold} has {len(questions)} statements and {predicted} has {len(statements)}; pair them.")
    for question in questions:
        database_files(databases, question.database)
    results = list(_results(questions, statements, databases, rules))
    scored = [result for result in results if result.outcome != GOLD_FAILED]
    for result in results:
        if result.outcome == GOLD_FAILED:
            print_error(f"Statement {result.question} does not count. {result.reason}")
    lines = [json.dumps(asdict(result), ensure_ascii=False) for result in results]
    summary = list(_summary(scored, rules))
    for line in lines if as_json else summary:
        say(line)
    if out is not None:
        texts = {"questions.jsonl": lines, "totals.txt": summary}
        replace_files(out, {name: [f"{line}\n".encode() for line in text] for name, text in texts.items()})
    failures = [result for result in scored if result.outcome in _NOT_RUN]
    if failures:
        first = failures[0]
        print_error(
            f"{count_of(len(failures), 'prediction')} of {len(scored)} could not run. "
            f"First statement {first.question}: {first.reason.removeprefix(FAILS)}."
        )
    if scored and len(failures) == len(scored):
        print_error(f"No prediction in {predicted} could run, so this measures nothing. See what the file holds.")
        return 2
    return 0 if len(results) == len(scored) else 2


def _results(
    questions: Sequence[GoldQuestion], statements: Sequence[str], databases: Path, rules: BenchmarkRules
) -> Iterator[QuestionResult]:
    """The results in the order of the questions; each of `jobs` threads waits for a process of its own."""
    with ExitStack() as open_runners, ThreadPoolExecutor(rules.jobs) as pool:
        runners: SimpleQueue[StatementProcess] = SimpleQueue()
        for _ in range(rules.jobs):
            runners.put(open_runners.enter_context(StatementProcess()))

        def judge(number: int, question: GoldQuestion, sql: str) -> QuestionResult:
            runner = runners.get()
            try:
                return _result(number, question, sql, databases, rules, runner)
            finally:
                runners.put(runner)

        yield from pool.map(judge, range(1, len(questions) + 1), questions, statements)


def _result(
    number: int, question: GoldQuestion, sql: str, databases: Path, rules: BenchmarkRules, runner: StatementProcess
) -> QuestionResult:
    files = database_files(databases, question.database)
    try:
        score = rules.score(question, sql, files, rules.rule, runner)
        # Beside a published rule stands ours: how much of a difference is the rule.
        ours = None
        if rules.rule is not SqlRule.CURTAIN:
            ours = bool(rules.score(question, sql, files, SqlRule.CURTAIN, runner))
    except GoldFailed as error:
        return QuestionResult(number, question.database, question.hardness, GOLD_FAILED, False, str(error))
    reason = next(iter(score.reasons.values()), "")
    return QuestionResult(
        number, question.database, question.hardness, score.outcome, bool(score), reason, score.note, ours
    )


def _summary(results: Sequence[QuestionResult], rules: BenchmarkRules) -> Iterator[str]:
    for hardness in sorted({result.hardness for result in results} - {""}):
        yield _line(hardness, [result.right for result in results if result.hardness == hardness])
    yield _line("all", [result.right for result in results])
    if rules.rule is not SqlRule.CURTAIN:
        yield _line("all, by Curtain's rules", [bool(result.ours) for result in results])
    kinds = Counter(result.outcome for result in results)
    wrong = [f"{kinds[kind]} {kind}" for kind in OUTCOMES if kinds[kind] and kind not in (RIGHT, BOTH_EMPTY)]
    if wrong:
        yield f"not right: {', '.join(wrong)}"
    if kinds[BOTH_EMPTY]:
        yield f"right with no rows on both sides: {kinds[BOTH_EMPTY]}"
    notes = Counter(result.note for result in results if result.note)
    yield from (f"right with a note: {count} with {note}" for note, count in notes.items())


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
        text = read_text_file(path)
        # Prose around fences is left out; where bare statements stand beside them, each is a line of its own.
        if (fenced := _FENCE.findall(text)) and not _BARE.search(_FENCE.sub("", text)):
            return [" ".join(sql.split()) for sql in fenced]
        lines = _FENCE.sub(lambda fence: " ".join(fence[1].split()), text).splitlines() if fenced else _lines(path)
        return [line.partition("\t")[0] for line in _without_partings(lines, gold)]
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
    if not folder.is_dir():
        what = "is a file; name the folder that holds the databases" if folder.exists() else "is not there"
        raise BadFile(f"The folder {folder} of --databases {what}.")
    candidates: Iterable[Path] = [*(folder / f"{name}{ending}" for ending in _ENDINGS), *(folder / name).glob("*")]
    files = sorted(path for path in candidates if path.suffix in _ENDINGS and path.is_file())
    if not files:
        raise BadFile(f"{folder} has no database “{name}”; it belongs in {name}.sqlite or in a folder {name}.")
    return files


def _lines(path: Path) -> list[str]:
    # Empty lines stay: a system that predicted nothing has its place.
    return read_text_file(path).replace("\r\n", "\n").removesuffix("\n").split("\n")
