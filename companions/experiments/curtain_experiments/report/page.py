"""A report as files: the page, its figures as JSON, its tables for a typesetter, runs and queries as CSV; each whole
or as it was."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import takewhile
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from curtain.base.record_file import by_name
from curtain.base.text_file import csv_text
from curtain.cas.scoring.intervals import Interval
from curtain_experiments.report import tables
from curtain_experiments.report.drawing import COLOURS, FAINT, INK, Chart, Figure
from curtain_experiments.report.experiment import Experiment
from curtain_experiments.report.tables import measure_name
from curtain_experiments.runs.comparison import Comparison, MeasureContrast, measures_of, subject_means
from curtain_experiments.runs.measures import Cell
from curtain_experiments.runs.run import MOST_LISTED, Query, RunRecord, drawn, queries_csv, run_of, runs_csv
from curtain_judge.agreement_page import agreement_json, agreement_table
from curtain_score.files.json_lines import shown_id
from curtain_score.score_page import page_template, write_files
from curtain_score.score_tables import DASH, bounds, rounded

_MOST_LINES = 500
"""More of them would cover each other."""


def figures_of(experiment: Experiment) -> dict[str, Figure]:
    """The figures by the name of the section that they stand in."""
    figures = {}
    for number, comparison in enumerate(experiment.comparisons):
        if (primary := experiment.primary(comparison)) is not None:
            caption = (
                f"{primary.measure.capitalize()}: a line a subject, over all runs with {shown_id(comparison.first)} "
                f"and with {shown_id(comparison.second)}; a thicker line is several subjects, and upright bars are the "
                "means over all runs. Below, the difference with its interval, measured from the second mean."
            )
            figures[f"primary-{number}"] = _subjects(experiment, comparison, primary).figure(caption)
    return figures


def _subjects(experiment: Experiment, comparison: Comparison, primary: MeasureContrast) -> Chart:
    """Each subject under both conditions, and the difference beside, on the same scale."""
    conditions = (comparison.first, comparison.second)
    parts = measures_of(experiment.analysed)[primary.measure][2]
    sides = [subject_means(experiment.analysed, condition, parts) for condition in conditions]
    both = drawn([subject for subject in sides[0] if subject in sides[1]], _MOST_LINES)
    interval = primary.interval or Interval(primary.difference, primary.difference)
    least, most = (-math.inf, math.inf)
    if primary.unit == "points":
        least, most = (-100.0 if primary.measure == "score" else 0.0), 100.0
    ends = (interval.low, primary.difference, interval.high)
    shifted = [min(most, max(least, primary.second + end)) for end in ends]
    finite = [place for place in shifted if math.isfinite(place)]
    places = [*sides[0].values(), *sides[1].values(), *finite]
    margin = 0.04 * (max(places) - min(places)) or 1.0
    left, right = min(places) - margin, max(places) + margin
    rows = [(0, shown_id(conditions[0])), (1, shown_id(conditions[1])), (2, "difference")]
    chart = Chart((left, right), (-0.3, 2.4), 230, measure_name(primary), rows=rows)
    for (start, end), count in Counter((sides[0][subject], sides[1][subject]) for subject in both).items():
        chart.line((start, 0), (end, 1), FAINT, 0.8 * min(count, 8))
    for row, (side, mean, colour) in enumerate(zip(sides, (primary.first, primary.second), COLOURS, strict=True)):
        chart.points([(value, row) for value in drawn(list(side.values()), MOST_LISTED)], colour)
        chart.line((mean, row - 0.16), (mean, row + 0.16), INK, 2.4)
    chart.line((primary.second, 1.16), (primary.second, 2.4), FAINT)
    if primary.interval:
        chart.line((max(left, shifted[0]), 2), (min(right, shifted[2]), 2), INK, 1.6)
    chart.points([(shifted[1], 2)], INK)
    shown = f" {bounds(primary.interval)}" if primary.interval else ""
    chart.text((shifted[1], 2), f"{rounded(primary.difference)}{shown}", above=14)
    return chart


RUN_HEADINGS = (
    "run",
    "subject",
    "session",
    "solution",
    "time s",
    "queries",
    "no answer",
    "cancelled",
    "score",
    "left out",
)
_OF_RUNS = ("stated", "solved", "time", "first_solution", "queries")
_OF_QUERIES = ("correct", "partial", "incorrect", "no_answer", "score")


def write_report(experiment: Experiment, folder: Path, scenarios: Sequence[tuple[str, str]] = ()) -> None:
    """Writes report.html, report.json, runs.csv, queries.csv and a CSV file of each table into a folder. Raises
    CurtainError."""
    printed = tables.printed_tables(experiment)
    files = {
        "report.html": report_html(experiment, scenarios),
        "runs.csv": runs_csv(experiment.runs),
        "queries.csv": queries_csv(experiment.queries),
        "report.json": report_json(experiment) + "\n",
        **{f"table-{table.name}.csv": csv_text(table.headings, table.rows) for table in printed},
    }
    write_files(folder, files, "The report")


def report_json(experiment: Experiment) -> str:
    """The figures, unrounded. Percentages are from 0 to 100, times in seconds."""
    figures = {
        **by_name(experiment, "title", "sources", "seed"),
        "flow": asdict(experiment.flow),
        "notes": experiment.notes,
        "runs": len(experiment.runs),
        "cells": list(map(_cell_json, experiment.cells)),
        "declaration": {**asdict(experiment.declaration), "analysis": to_builtins(experiment.declaration.analysis)},
        "comparisons": [_comparison_json(comparison) for comparison in experiment.comparisons],
        "agreement": agreement_json(experiment.agreement),
    }
    return json.dumps(figures, ensure_ascii=False, indent=2)


def _comparison_json(comparison: Comparison) -> dict[str, Any]:
    """With None where an interval is open: JSON knows no infinite number."""
    figures = asdict(comparison)
    for contrast in figures["contrasts"]:
        for interval in filter(None, (contrast["interval"], contrast["sensitivity_interval"])):
            interval |= {end: None for end in ("low", "high") if math.isinf(interval[end])}
    return figures


def _cell_json(cell: Cell) -> dict[str, Any]:
    measures = {name: asdict(getattr(cell, name)) for name in (*_OF_RUNS, *_OF_QUERIES)}
    return {"scenario": cell.scenario, "condition": cell.condition, "runs": len(cell.runs), **measures}


def report_html(experiment: Experiment, scenarios: Sequence[tuple[str, str]] = ()) -> str:
    """One page: no script, nothing fetched, fit to be printed. The same report gives the same bytes.

    `scenarios` are (id, text) of table 3.
    """
    turns = _turns(experiment)
    return page_template("report.html").render(
        title=experiment.title or "Report",
        sources=experiment.sources,
        flow=tables.flow_sentence(experiment),
        notes=experiment.notes,
        declaration=tables.declaration_sentence(experiment) if experiment.comparisons else "",
        flow_table=tables.flow_table(experiment),
        comparisons=[
            {
                "contrasts": tables.contrast_table(comparison, experiment.declaration.analysis.alpha),
                "scenarios": tables.scenario_table(comparison),
                "finding": tables.finding(experiment, comparison),
                "sentences": tables.comparison_sentences(comparison, experiment.declaration.analysis.alpha),
                "methods": tables.methods_paragraph(experiment, comparison),
            }
            for comparison in experiment.comparisons
        ],
        tables=tables.tables_of(experiment),
        figures=figures_of(experiment),
        scenarios=scenarios,
        agreement=list(map(agreement_table, experiment.agreement)),
        method=tables.method_sentences(experiment),
        groups=list(_groups(experiment, {turn["number"] for turn in turns})),
        run_headings=RUN_HEADINGS,
        turns=turns,
    )


def _groups(experiment: Experiment, with_turns: set[int]) -> Iterator[dict[str, Any]]:
    """The runs by scenario and condition, in the order of table 4."""
    groups: dict[tuple[str, str], list[tuple[int, RunRecord]]] = {
        (cell.scenario, cell.condition): [] for cell in experiment.cells
    }
    # Combinations of which every run is excluded come last.
    for number, run in enumerate(experiment.runs[:MOST_LISTED], 1):
        groups.setdefault((run.scenario, run.condition), []).append((number, run))
    for (scenario, condition), rows in groups.items():
        if rows:
            title = f"Scenario {shown_id(scenario)}" + (f", {shown_id(condition)}" if condition else "")
            runs = [_run_row(number, run, number in with_turns) for number, run in rows]
            yield {"anchor": tables.cell_anchor(scenario, condition), "title": title, "runs": runs}


def _run_row(number: int, run: RunRecord, has_turns: bool) -> dict[str, Any]:
    score = run.correct - run.incorrect if run.correct is not None and run.incorrect is not None else None
    percent = 100 * score / run.evaluable if score is not None and run.evaluable else None
    cells = (
        str(number),
        shown_id(run.group),
        shown_id(run.session) if run.session else DASH,
        run.solution or DASH,
        rounded(run.completion_s, 0),
        _count(run.queries),
        _count(run.no_answer),
        _count(run.cancelled),
        rounded(percent, 0),
        run.excluded,
    )
    return {"number": number, "href": f"#turns-{number}" if has_turns else "", "cells": cells}


def _count(value: float | None) -> str:
    return rounded(value, 0 if value is None or value.is_integer() else 1) if value is not None else DASH


def _turns(experiment: Experiment) -> list[dict[str, Any]]:
    """The queries of each run, with the number of the run; runs without recorded queries have none."""
    listed = experiment.runs[:MOST_LISTED]
    by_run: dict[tuple[str, str, str, str], list[Query]] = {run_of(run): [] for run in listed}
    # They are in the order of the runs.
    for query in takewhile(lambda query: run_of(query) in by_run, experiment.queries):
        by_run[run_of(query)].append(query)
    turns = []
    for number, run in enumerate(listed, 1):
        queries = by_run.pop(run_of(run), [])
        if queries:
            title = f"Run {number}: {shown_id(run.session)}, scenario {shown_id(run.scenario)}"
            turns.append({"number": number, "title": title, "queries": list(map(_query_row, queries))})
    return turns


def _query_row(query: Query) -> dict[str, str]:
    return {
        "utterance": query.utterance,
        "query": query.query or DASH,
        "outcome": query.message or query.outcome.replace("_", " "),
        "latency": rounded(query.latency_s),
        "judged": ", ".join(label for label in (query.clarity, query.correctness) if label) or DASH,
    }
