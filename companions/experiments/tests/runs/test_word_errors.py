"""What a recogniser got wrong is counted against what an annotator heard, and what of it stands in the query."""

from __future__ import annotations

import pytest

from curtain_experiments.report.experiment import experiment_of
from curtain_experiments.report.figures import figures_of
from curtain_experiments.report.page import report_html, report_json
from curtain_experiments.report.tables import tables_of
from curtain_experiments.runs.run import Query, RunRecord, WordErrors, queries_csv
from curtain_experiments.runs.word_errors import count_word_errors, hearing_lines

COUNTED: dict[str, tuple[str, str, str | None, tuple[int, int, int | None]]] = {
    "right": ("a b c", "a b c", "a b c", (3, 0, 0)),
    "taken over": ("a b c", "a x c", "a x c", (3, 1, 1)),
    "corrected": ("a b c", "a x c", "a b c", (3, 1, 0)),
    "another error in its place": ("a b c", "a x c", "a y c", (3, 1, 0)),
    "a word too many, left": ("a b", "a x b", "a x b", (2, 1, 1)),
    "a word too many, at another place": ("a b", "a x b", "a b x", (2, 1, 0)),
    "a missing word, left": ("a b c", "a c", "a c", (3, 1, 1)),
    "the same error twice, once left": ("a a", "x x", "x a", (2, 2, 1)),
    "nothing heard": ("a b", "", "a b", (2, 2, 0)),
    "not shown": ("a b", "a x", None, (2, 1, None)),
    "nothing said": ("", "x", "", (0, 1, 0)),
}


@pytest.mark.parametrize(("said", "heard", "query", "counts"), COUNTED.values(), ids=COUNTED)
def test_errors_and_those_that_stay(
    said: str, heard: str, query: str | None, counts: tuple[int, int, int | None]
) -> None:
    counted = count_word_errors(said.split(), heard.split(), None if query is None else query.split())
    assert counted == WordErrors(*counts)


def _query(speaker: str, turn: int, errors: WordErrors | None, use: str | None = "edited") -> Query:
    return Query(
        study="", session=f"{speaker}-01", subject=speaker, scenario="fair", condition="ear", turn=turn,
        utterance=f"{speaker}-01-{turn:03}", query="a", hypothesis="a", outcome="answer", message=None, latency_s=1.0,
        clarity=None, correctness=None, after_clear=False, repeated=False, cancelled=False, hypothesis_use=use,
        word_errors=errors,
    )  # fmt: skip


SPEAKERS = [f"e0{number}" for number in range(6)]
RUNS = [
    RunRecord(name, "fair", "ear", session=f"{name}-01", judged=10.0, correct=10.0 - number, incorrect=float(number))
    for number, name in enumerate(SPEAKERS)
]
QUERIES = [
    _query(name, turn, WordErrors(10, number, number // 2), "taken" if number < 2 else "edited")
    for number, name in enumerate(SPEAKERS)
    for turn in (1, 2)
] + [_query("e00", 3, None), _query("e00", 4, WordErrors(10, 10, None), "unseen")]


def test_word_errors_of_speakers_and_conditions_stand_beside_the_answers_right() -> None:
    *speakers, everybody = hearing_lines(QUERIES, RUNS, "own_bucket")
    assert [(line.speaker, line.queries, line.right.percent) for line in speakers[:2]] == [
        ("e00", 3, 100),
        ("e01", 2, 90),
    ]
    assert [round(line.errors.percent or 0) for line in speakers] == [33, 10, 20, 30, 40, 50]
    assert speakers[1].errors.interval is None
    assert (everybody.speaker, everybody.errors.count, everybody.errors.total) == ("All", 40, 130)
    interval = everybody.errors.interval
    assert interval is not None and interval.low < 100 * 40 / 130 < interval.high
    assert everybody.uses == {"taken": 4, "edited": 8, "replaced": 0}
    # What nobody saw could not be taken over.
    assert (everybody.left.count, everybody.left.total) == (12, 30)


def test_without_judges_the_solutions_say_what_is_right() -> None:
    solved = [RunRecord("e01", "fair", "ear", session="e01-01", solution="correct"),
              RunRecord("e01", "well", "ear", session="e01-01", solution="incorrect")]  # fmt: skip
    (line, _) = hearing_lines([_query("e01", 1, WordErrors(3, 1, 1))], solved, "own_bucket")
    assert line.right.percent == 50


def test_the_report_has_the_tables_the_plot_and_the_figures() -> None:
    experiment = experiment_of(RUNS, queries=QUERIES, seed=1)
    tables = tables_of(experiment)
    assert [row[:3] for row in tables["hearing"].table.rows][-1] == ("All", "ear", "13")
    assert tables["taken_over"].table.rows[-1][2:6] == ("12", "4", "8", "0")
    assert "R = " in figures_of(experiment)["hearing"].caption
    page = report_html(experiment)
    assert "Words that recognisers got wrong" in page and "answers right (%)" in page
    assert '"hearing"' in report_json(experiment)
    assert next(iter(queries_csv(QUERIES))).endswith("words,errors,left\n")


def test_without_a_recogniser_nothing_is_said_of_one() -> None:
    tables = tables_of(experiment_of(RUNS, queries=[_query("e00", 1, None)], seed=1))
    assert not tables.keys() & {"hearing", "taken_over"}
