"""The figures of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from curtain.evaluation.drawing import INK, SYSTEM_COLOURS, Chart, Figure, LegendKey, keys_of
from curtain.evaluation.json_lines import shown_id
from curtain.evaluation.report.experiment import Experiment
from curtain.evaluation.runs.disk_list import MOST_LISTED, drawn
from curtain.evaluation.runs.measures import ALL, Correlation
from curtain.evaluation.runs.word_errors import hearing_points
from curtain.evaluation.score_plots import shift_of
from curtain.evaluation.score_tables import rounded

_MOST_LINKED = 500
"""Links to more points would make the page slow, and the points cover each other."""
# Of an axis from zero: its end lies a little beyond the last mark.
_MARGIN = 1.06
_ROW = 26


def figures_of(experiment: Experiment) -> dict[str, Figure]:
    """The figures by the name of the section that they stand in."""
    figures = {}
    if experiment.queries_by_time.r is not None or experiment.no_answers_by_time.r is not None:
        caption = (
            "Queries and queries without an answer against completion time, a point a run, with least-squares lines. "
            f"Queries: {_r(experiment.queries_by_time)}. Without an answer: {_r(experiment.no_answers_by_time)}."
        )
        figures["time"] = _scatter(experiment).figure(caption)
    if any(cell.time.mean is not None for cell in experiment.cells):
        caption = "Completion time by scenario: a point a run, and the mean as a bar."
        figures["systems"] = _times(experiment).figure(caption)
    if len(hearing_points(experiment.hearing)) > 1:
        caption = (
            "Answers right against words wrong, a point a speaker and condition: "
            f"{_r(experiment.word_errors_by_right)}."
        )
        figures["hearing"] = _hearing(experiment).figure(caption)
    for agreement in experiment.agreement:
        if agreement.sizes:
            caption = (
                f"{agreement.question}: items by the size of the largest group of judges that agrees "
                f"({len(agreement.judges)} judges)."
            )
            figures[f"agreement-{agreement.question}"] = _sizes(agreement.sizes).figure(caption)
    return figures


def _r(correlation: Correlation) -> str:
    if correlation.r is None or correlation.low is None or correlation.high is None:
        return f"no correlation from {correlation.n} runs"
    ends = f"[{rounded(correlation.low, 2)}, {rounded(correlation.high, 2)}]"
    return f"R = {rounded(correlation.r, 2)} {ends}, n = {correlation.n}"


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
        chart.points(places, key, partial(_address, numbers) if linked else None)
    return chart


def _address(numbers: Sequence[int], index: int) -> str:
    return f"#run-{numbers[index]}"


def _end(values: Iterable[float]) -> float:
    """Where an axis from zero ends; the marks may all be at zero."""
    return _MARGIN * max(values, default=0) or 1


def _draw_line(chart: Chart, line: Correlation, across: Sequence[float], colour: str) -> None:
    if line.slope is not None and line.intercept is not None:
        start, end = ((at, line.intercept + line.slope * at) for at in (min(across), max(across)))
        chart.line(start, end, colour, 1.3)


def _hearing(experiment: Experiment) -> Chart:
    """Speakers whose words are recognized worse get fewer right answers: the observation of papers/001, 2.3."""
    conditions = list(dict.fromkeys(line.condition for line in experiment.hearing))
    keys = _condition_keys(conditions)
    known = hearing_points(experiment.hearing)
    chart = Chart(
        (0, _end(errors for errors, _ in known)),
        (100, 0),
        210,
        "words wrong (%)",
        "answers right (%)",
        keys=keys if any(conditions) else (),
    )
    for condition, key in zip(conditions, keys, strict=True):
        chart.points(hearing_points(line for line in experiment.hearing if line.condition == condition), key)
    _draw_line(chart, experiment.word_errors_by_right, [errors for errors, _ in known], INK)
    return chart


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
