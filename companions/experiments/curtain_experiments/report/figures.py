"""The figures of a report."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from curtain.cas.scoring.intervals import Interval
from curtain_experiments.report.experiment import Experiment
from curtain_experiments.report.tables import measure_name
from curtain_experiments.runs.comparison import Comparison, MeasureContrast, measures_of, subject_means
from curtain_experiments.runs.measures import ALL, Correlation
from curtain_experiments.runs.parts import MOST_LISTED, drawn
from curtain_score.drawing import FAINT, INK, SYSTEM_COLOURS, Chart, Figure, LegendKey, keys_of
from curtain_score.files.json_lines import shown_id
from curtain_score.score_plots import shift_of
from curtain_score.score_tables import bounds, rounded

_MOST_LINKED = 500
"""Links to more points would make the page slow, and the points cover each other."""
# Of an axis from zero: its end lies a little beyond the last mark.
_MARGIN = 1.06
_ROW = 26


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
    if experiment.queries_by_time.r is not None or experiment.no_answers_by_time.r is not None:
        caption = (
            "Queries and queries without an answer against completion time, a point a run, with least-squares lines. "
            f"Queries: {_r(experiment.queries_by_time)}. Without an answer: {_r(experiment.no_answers_by_time)}. R is "
            "Pearson's over runs, of which those of one subject are not independent."
        )
        figures["time"] = _scatter(experiment).figure(caption)
    if any(cell.time.mean is not None for cell in experiment.cells):
        caption = "Completion time by scenario: a point a run, and the mean as a bar."
        figures["systems"] = _times(experiment).figure(caption)
    for agreement in experiment.agreement:
        if agreement.sizes:
            caption = (
                f"{agreement.question}: items by the size of the largest group of judges that agrees "
                f"({len(agreement.judges)} judges)."
            )
            figures[f"agreement-{agreement.question}"] = _sizes(agreement.sizes).figure(caption)
    return figures


def _subjects(experiment: Experiment, comparison: Comparison, primary: MeasureContrast) -> Chart:
    """Each subject under both conditions, and the difference beside, on the same scale."""
    conditions = (comparison.first, comparison.second)
    parts = measures_of(experiment.analysed, experiment.policy)[primary.measure][2]
    sides = [subject_means(experiment.analysed, condition, parts) for condition in conditions]
    both = drawn([subject for subject in sides[0] if subject in sides[1]], _MOST_LINKED)
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
    for row, (side, mean, key) in enumerate(
        zip(sides, (primary.first, primary.second), keys_of(conditions), strict=True)
    ):
        chart.points([(value, row) for value in drawn(list(side.values()), MOST_LISTED)], key)
        chart.line((mean, row - 0.16), (mean, row + 0.16), INK, 2.4)
    chart.line((primary.second, 1.16), (primary.second, 2.4), FAINT)
    if primary.interval:
        chart.line((max(left, shifted[0]), 2), (min(right, shifted[2]), 2), INK, 1.6)
    chart.points([(shifted[1], 2)], LegendKey("", INK))
    shown = f" {bounds(primary.interval)}" if primary.interval else ""
    chart.text((shifted[1], 2), f"{rounded(primary.difference)}{shown}", above=14)
    return chart


def _r(correlation: Correlation) -> str:
    if correlation.r is None:
        return f"no correlation from {correlation.n} runs"
    return f"R = {rounded(correlation.r, 2)}, n = {correlation.n}"


def _scatter(experiment: Experiment) -> Chart:
    numbers = drawn(range(1, len(experiment.runs) + 1), MOST_LISTED)
    numbered = [(number, run) for number in numbers if not (run := experiment.runs[number - 1]).excluded]
    series = []
    for name, key, line in (
        ("queries", LegendKey("queries", SYSTEM_COLOURS[0]), experiment.queries_by_time),
        ("no_answer", LegendKey("without an answer", SYSTEM_COLOURS[1], triangle=True), experiment.no_answers_by_time),
    ):
        marks = [
            (number, (run.completion_s, float(count)))
            for number, run in numbered
            if run.completion_s is not None and (count := getattr(run, name)) is not None
        ]
        if marks:
            series.append((key, [number for number, _ in marks], [place for _, place in marks], line))
    places = [place for _, _, places, _ in series for place in places]
    chart = Chart(
        (0, _end(time for time, _ in places)),
        (_end(count for _, count in places), 0),
        230,
        "completion time (s)",
        "queries",
        keys=[key for key, *_ in series],
    )
    for key, numbers, places, line in series:
        _draw_line(chart, line, [time for time, _ in places], key.colour)
        linked = len(places) <= _MOST_LINKED
        chart.points(places, key, [f"#run-{number}" for number in numbers] if linked else ())
    return chart


def _end(values: Iterable[float]) -> float:
    """Where an axis from zero ends; the marks may all be at zero."""
    return _MARGIN * max(values, default=0) or 1


def _draw_line(chart: Chart, line: Correlation, across: Sequence[float], colour: str) -> None:
    if line.slope is not None and line.intercept is not None:
        start, end = ((at, line.intercept + line.slope * at) for at in (min(across), max(across)))
        chart.line(start, end, colour, 1.3)


def _condition_keys(conditions: Sequence[str]) -> list[LegendKey]:
    return keys_of(shown_id(condition) or "all runs" for condition in conditions)


def _times(experiment: Experiment) -> Chart:
    scenarios = list(dict.fromkeys(cell.scenario for cell in experiment.cells if cell.scenario != ALL))
    conditions = list(dict.fromkeys(cell.condition for cell in experiment.cells))
    keys = _condition_keys(conditions)
    cells = [cell for cell in experiment.cells if cell.scenario != ALL]
    times_of = [
        [time for run in drawn(cell.runs, MOST_LISTED) if (time := run.completion_s) is not None] for cell in cells
    ]
    chart = Chart(
        (0, _end(time for times in times_of for time in times)),
        (-0.6, len(scenarios) - 0.4),
        _ROW * len(scenarios) * max(1, len(conditions)) ** 0.5 + 20,
        "completion time (s)",
        rows=[(place, f"scenario {shown_id(name)}") for place, name in enumerate(scenarios)],
        keys=keys,
    )
    for number, (condition, key) in enumerate(zip(conditions, keys, strict=True)):
        for cell, times in zip(cells, times_of, strict=True):
            if cell.condition == condition:
                # The systems of a scenario stand a little above and below its line.
                place = scenarios.index(cell.scenario) + shift_of(number, len(conditions))
                chart.points([(time, place) for time in times], key)
                if (mean := cell.time.mean) is not None:
                    chart.line((mean, place - 0.16), (mean, place + 0.16), key.colour, 2.4)
    return chart


def _sizes(sizes: Mapping[int, int]) -> Chart:
    """Figure 2, lost in the scan of papers/004; our reading: items by the size of the largest agreeing group."""
    order = sorted(sizes)
    chart = Chart(
        (-0.5, len(order) - 0.5),
        # Room for the number above the longest bar.
        (1.15 * max(sizes.values()), 0),
        130,
        "judges in the largest group that agrees",
        "items",
        ticks=[(place, str(size)) for place, size in enumerate(order)],
    )
    for place, size in enumerate(order):
        chart.bar((place - 0.3, 0), (place + 0.3, sizes[size]), SYSTEM_COLOURS[0])
        chart.text((place, sizes[size]), str(sizes[size]), above=9)
    return chart
