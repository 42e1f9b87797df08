"""One run: a subject's work on a scenario under a condition, with its end-to-end measures (papers/004, "Analyses").

`runs.csv` holds a line a run and `queries.csv` a line a query, tidy, so that R and pandas read them as they are.
"""

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeVar
from urllib.parse import quote, unquote

from curtain.base.hearing import Modality
from curtain.base.text_file import TableLine, csv_lines, read_table
from curtain_score.files.json_lines import BadFile, shown_id

Solution = Literal["correct", "incorrect", "none"]

_SOLUTIONS: tuple[Solution, ...] = ("correct", "incorrect", "none")
_SCORE, _MESSAGE = "score_", "message_"
# What divides a plan, where a name holds it, is written as in an address.
_MARKS = re.compile(r"[%=;]")
_WORDS = ("study", "site", "session", "subject", "scenario", "condition", "preference", "excluded", "turns")


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run. Times are in seconds, and what was not measured is None. Counts are numbers, not whole ones, so that the
    means of a published table can be reported as runs.

    `completion_s` has pauses taken out; `position` is the run's place in its session, from 1. `stated`: whether the
    subject stated a solution. `judged` counts the queries that have a label, and `correct`, `partial`, `incorrect`,
    `unanswered` and `class_x` what those labels are. `excluded` says why the run is not analysed, "" where it is.
    """

    subject: str
    scenario: str
    condition: str = ""
    study: str = ""
    site: str = ""
    session: str = ""
    position: float | None = None
    completion_s: float | None = None
    pauses_s: float | None = None
    first_solution_s: float | None = None
    stated: bool | None = None
    solution: Solution | None = None
    queries: float | None = None
    typed: float | None = None
    answered: float | None = None
    no_answer: float | None = None
    cancelled: float | None = None
    history_clears: float | None = None
    repeats: float | None = None
    taken_over: float | None = None
    wizard_latency_s: float | None = None
    system_latency_s: float | None = None
    judged: float | None = None
    correct: float | None = None
    partial: float | None = None
    incorrect: float | None = None
    unanswered: float | None = None
    class_x: float | None = None
    preference: str = ""
    excluded: str = ""
    turns: str = ""
    """Where its turns are: the folder of the session."""
    plan: tuple[tuple[str, str], ...] = ()
    """(scenario, condition) of all runs that the session was to have, in order; none where nobody knows."""
    messages: Mapping[str, float] = field(default_factory=dict)
    """How often each canned message was sent, by its id."""
    scores: Mapping[str, float] = field(default_factory=dict)
    """Scores of questionnaires, by their names."""

    @property
    def group(self) -> str:
        """Who this is among the subjects of several studies."""
        return f"{self.study}/{self.subject}" if self.study else self.subject

    @property
    def solved(self) -> bool | None:
        """Whether the subject stated a correct solution; None where nobody could know."""
        return None if self.solution is None else self.solution == "correct"

    @property
    def evaluable(self) -> float | None:
        """The queries that count in percentages: those that were judged, without class X (papers/001, 2.3)."""
        total = self.queries if self.judged is None else self.judged
        return None if total is None else total - (self.class_x or 0)


@dataclass(frozen=True, slots=True)
class Query:
    """One query of a run, for `queries.csv`. Latency is in seconds from the release of the key, or from Enter, to the
    answer."""

    study: str
    session: str
    subject: str
    scenario: str
    condition: str
    utterance: str
    turn: int
    query: str | None
    hypothesis: str | None
    outcome: str
    message: str | None
    latency_s: float | None
    clarity: str | None
    correctness: str | None
    after_clear: bool
    repeated: bool
    cancelled: bool
    hypothesis_use: str | None = None
    modality: Modality = "speech"


def run_of(one: RunRecord | Query) -> tuple[str, str, str, str]:
    """What names a run, for the run itself and for its queries."""
    return one.study, one.session, one.scenario, one.condition


def by_subject(runs: Sequence[RunRecord]) -> dict[str, list[RunRecord]]:
    """The runs of each subject, subjects in the order of their first run."""
    return grouped(runs, lambda run: run.group)


_PLAIN = tuple(one.name for one in fields(RunRecord) if one.name not in ("messages", "scores"))
_NUMBERS = tuple(name for name in _PLAIN if name not in (*_WORDS, "stated", "solution", "plan"))


def read_runs(path: Path) -> list[RunRecord]:
    """The runs of a CSV file with at least the columns subject, scenario and condition; every other may be missing.

    Columns that begin with `score_` are questionnaire scores, those with `message_` counts of canned messages; other
    columns are left alone. `plan` has what the session was to have, such as `1=robust;2=full`. Raises BadFile with the
    line for a value that cannot be.
    """
    runs = [_run(path, line) for line in read_table(path, ("subject", "scenario", "condition"), BadFile)]
    if not runs:
        raise BadFile(f"{path} holds no run.")
    return runs


def _run(path: Path, line: TableLine) -> RunRecord:
    values = line.values
    for name in ("subject", "scenario"):
        if not values[name]:
            raise BadFile(f"{path} line {line.number} has no {name}.")
    plain: dict[str, Any] = {name: values.get(name, "") for name in _WORDS}
    plain |= {name: _number(path, line, name) for name in _NUMBERS}
    run = RunRecord(
        **plain,
        stated=_stated(path, line),
        solution=_solution(path, line),
        plan=_plan(path, line),
        messages=_prefixed(path, line, _MESSAGE),
        scores=_prefixed(path, line, _SCORE),
    )
    _check_counts(path, line, run)
    return run


def _check_counts(path: Path, line: TableLine, run: RunRecord) -> None:
    if run.stated is False and run.solution not in (None, "none"):
        raise BadFile(f"{path} line {line.number}: stated is no, and solution is {run.solution}; one of them is wrong.")
    labels = math.fsum(count or 0.0 for count in (run.correct, run.partial, run.incorrect, run.unanswered, run.class_x))
    total = run.queries if run.judged is None else run.judged
    # A hair more, since means of several runs may stand there, rounded.
    if total is not None and labels > 1.01 * total + 0.1:
        raise BadFile(
            f"{path} line {line.number}: {labels:g} queries are correct, partial, incorrect, unanswered or class X, of "
            f"{total:g}; correct the counts."
        )


def _prefixed(path: Path, line: TableLine, prefix: str) -> dict[str, float]:
    numbers = {name.removeprefix(prefix): _number(path, line, name) for name in line.values if name.startswith(prefix)}
    return {name: number for name, number in numbers.items() if number is not None}


def _number(path: Path, line: TableLine, name: str) -> float | None:
    text = line.values.get(name, "")
    if not text:
        return None
    try:
        number = float(text.replace(",", ".") if line.decimal_comma else text)
    except ValueError:
        number = math.nan
    # Scores of scales may lie below 0; counts and times may not.
    if not math.isfinite(number) or (number < 0 and not name.startswith(_SCORE)):
        raise BadFile(f"{path} line {line.number}: {name} is {shown_id(text)}; give a number of 0 or more, or nothing.")
    return number


def _plan(path: Path, line: TableLine) -> tuple[tuple[str, str], ...]:
    pairs = [part.split("=") for part in filter(str.strip, line.values.get("plan", "").split(";"))]
    if not all(len(pair) == 2 and all(map(str.strip, pair)) for pair in pairs):
        raise BadFile(
            f"{path} line {line.number}: plan is {shown_id(line.values['plan'])}; give all runs of the session in the "
            "order that was planned, such as 1=robust;2=robust;3=full, or nothing."
        )
    return tuple((unquote(scenario.strip()), unquote(condition.strip())) for scenario, condition in pairs)


def _stated(path: Path, line: TableLine) -> bool | None:
    text = line.values.get("stated", "").lower()
    if text not in ("", "yes", "no"):
        raise BadFile(f"{path} line {line.number}: stated is {shown_id(text)}; give yes, no, or nothing.")
    # Whoever gives the solution alone has said whether there was one.
    solution = line.values.get("solution", "").lower()
    return text == "yes" if text else solution != "none" if solution else None


def _solution(path: Path, line: TableLine) -> Solution | None:
    text = line.values.get("solution", "").lower()
    solution = next((one for one in _SOLUTIONS if text == one), None)
    if text and solution is None:
        raise BadFile(
            f"{path} line {line.number}: solution is {shown_id(text)}; give {', '.join(_SOLUTIONS)}, or nothing."
        )
    return solution


def runs_csv(runs: Sequence[RunRecord]) -> Iterator[str]:
    """The lines of `runs.csv`, which `read_runs` reads back."""
    messages = sorted({name for run in runs for name in run.messages})
    scores = sorted({name for run in runs for name in run.scores})
    headings = [*_PLAIN, *(_MESSAGE + name for name in messages), *(_SCORE + name for name in scores)]
    rows = (
        [
            *(_cell(getattr(run, name)) for name in _PLAIN),
            *(_cell(run.messages.get(name)) for name in messages),
            *(_cell(run.scores.get(name)) for name in scores),
        ]
        for run in runs
    )
    return csv_lines(headings, rows)


def queries_csv(queries: Iterable[Query]) -> Iterator[str]:
    """The lines of `queries.csv`."""
    names = [one.name for one in fields(Query)]
    rows = ([_cell(getattr(query, name)) for name in names] for query in queries)
    return csv_lines(names, rows)


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        return ";".join("=".join(_MARKS.sub(lambda mark: quote(mark[0]), name) for name in pair) for pair in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        # Whole numbers without “.0”: R would read a column of counts as reals.
        return int(value) if value.is_integer() else round(value, 6)
    return value


Record = TypeVar("Record")
Key = TypeVar("Key", bound=Hashable)

MOST_LISTED = 3_000
"""So many runs or speakers a page lists and a figure draws: a browser shows no more at once."""


def drawn(records: Sequence[Record], most: int, seed: int = 0) -> Sequence[Record]:
    """All records, or `most` of them at random, in their order: designs alternate, so every n-th would be a choice."""
    if len(records) <= most:
        return records
    return [records[place] for place in sorted(Random(seed).sample(range(len(records)), most))]


def chosen(records: Sequence[Record], wanted: Callable[[Record], object]) -> Sequence[Record]:
    """The records that are wanted."""
    return [record for record in records if wanted(record)]


def grouped(records: Sequence[Record], key: Callable[[Record], Key]) -> dict[Key, list[Record]]:
    """The records with the same key, keys in the order of their first record."""
    groups: dict[Key, list[Record]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups
