"""The figures of a report, as SVG text that stands inside the page. matplotlib is imported only here."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from curtain.evaluation.json_lines import shown_id
from curtain.evaluation.report.experiment import Experiment
from curtain.evaluation.runs.measures import ALL, Correlation
from curtain.evaluation.runs.run import RunRecord
from curtain.evaluation.runs.word_errors import hearing_points
from curtain.evaluation.score_plots import INK, PLOT_STYLE, SYSTEM_COLOURS, canvas
from curtain.evaluation.score_tables import rounded

_MOST_LINKED = 500
"""Links to more points would make the page slow, and the points cover each other."""
# Of an axis from zero: values that lie close together would be cut at its end.
_MARGIN = 1.03


@dataclass(frozen=True)
class InlineFigure:
    """An SVG element, and what it shows in words for those who do not see it."""

    svg: str
    caption: str


def figures_of(experiment: Experiment) -> dict[str, InlineFigure]:
    """The figures by the name of the section that they stand in."""
    figures = {}
    if experiment.queries_by_time.r is not None or experiment.no_answers_by_time.r is not None:
        caption = (
            "Queries and queries without an answer against completion time, a point a run, with least-squares lines. "
            f"Queries: {_r(experiment.queries_by_time)}. Without an answer: {_r(experiment.no_answers_by_time)}."
        )
        figures["time"] = _figure("time", lambda: _scatter(experiment), caption)
    if any(cell.time.mean is not None for cell in experiment.cells):
        caption = "Completion time by scenario: a point a run, and the mean as a bar."
        figures["systems"] = _figure("systems", lambda: _times(experiment), caption)
    if len(hearing_points(experiment.hearing)) > 1:
        caption = (
            "Answers right against words wrong, a point a speaker and condition. "
            f"{_r(experiment.word_errors_by_right)}."
        )
        figures["hearing"] = _figure("hearing", lambda: _hearing(experiment), caption)
    for agreement in experiment.agreement:
        if agreement.sizes:
            caption = (
                f"{agreement.question}: items by the size of the largest group of judges that agrees "
                f"({len(agreement.judges)} judges)."
            )
            figures[f"agreement-{agreement.question}"] = _figure(
                agreement.question, _Sizes(agreement.sizes).draw, caption
            )
    return figures


def _r(correlation: Correlation) -> str:
    if correlation.r is None or correlation.low is None or correlation.high is None:
        return f"no correlation from {correlation.n} runs"
    ends = f"[{rounded(correlation.low, 2)}, {rounded(correlation.high, 2)}]"
    return f"R = {rounded(correlation.r, 2)} {ends}, n = {correlation.n}"


def _figure(name: str, draw: Callable[[], Figure], caption: str) -> InlineFigure:
    # Each figure has its own salt: all stand in one page, and ids must not clash.
    with matplotlib.rc_context({**PLOT_STYLE, "svg.hashsalt": f"curtain {name}"}):
        image = io.StringIO()
        # Without date and version the same report gives the same bytes.
        draw().savefig(image, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    # From the element on: a prologue has no place inside a page.
    svg = image.getvalue()
    svg = svg[svg.index("<svg") :]
    return InlineFigure(re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL), caption)


def _scatter(experiment: Experiment) -> Figure:
    figure, axes = canvas(3.6)
    numbered = [(number, run) for number, run in enumerate(experiment.runs, 1) if not run.excluded]
    for name, label, mark, colour, line in (
        ("queries", "queries", "o", SYSTEM_COLOURS[0], experiment.queries_by_time),
        ("no_answer", "without an answer", "^", SYSTEM_COLOURS[1], experiment.no_answers_by_time),
    ):
        drawn = [
            (number, run.completion_s, count)
            for number, run in numbered
            if run.completion_s is not None and (count := getattr(run, name)) is not None
        ]
        if not drawn:
            continue
        times, counts = [time for _, time, _ in drawn], [count for *_, count in drawn]
        dots = axes.scatter(
            times,
            counts,
            s=22,
            marker=mark,
            color=colour,
            alpha=0.75,
            linewidths=0,
            label=label,
            clip_on=False,
            zorder=3,
        )
        if len(drawn) <= _MOST_LINKED:
            dots.set_urls([f"#run-{number}" for number, *_ in drawn])
        if line.slope is not None and line.intercept is not None:
            ends = [min(times), max(times)]
            axes.plot(ends, [line.intercept + line.slope * end for end in ends], color=colour, linewidth=1.3)
    axes.set_xlabel("completion time (s)")
    axes.set_ylabel("queries")
    axes.set_ylim(0, _MARGIN * axes.get_ylim()[1])
    axes.set_xlim(0, _MARGIN * axes.get_xlim()[1])
    axes.grid(color="#e6e8eb", linewidth=0.8)
    axes.set_axisbelow(True)
    figure.legend(loc="outside upper left", ncols=2, frameon=False)
    return figure


def _hearing(experiment: Experiment) -> Figure:
    """Speakers whose words are recognized worse get fewer right answers: the observation of papers/001, 2.3."""
    figure, axes = canvas(3.2)
    conditions = list(dict.fromkeys(line.condition for line in experiment.hearing))
    for number, condition in enumerate(conditions):
        points = hearing_points(line for line in experiment.hearing if line.condition == condition)
        wrong, right = [point[0] for point in points], [point[1] for point in points]
        colour = SYSTEM_COLOURS[number % len(SYSTEM_COLOURS)]
        axes.plot(wrong, right, "o", color=colour, alpha=0.75, clip_on=False, label=shown_id(condition))
    line = experiment.word_errors_by_right
    if line.slope is not None and line.intercept is not None:
        known = [errors for errors, _ in hearing_points(experiment.hearing)]
        ends = [min(known), max(known)]
        axes.plot(ends, [line.intercept + line.slope * end for end in ends], color=INK, linewidth=1.3)
    axes.set_xlabel("words wrong (%)")
    axes.set_ylabel("answers right (%)")
    axes.set_ylim(0, 100)
    axes.set_xlim(0, _MARGIN * axes.get_xlim()[1])
    axes.grid(color="#e6e8eb", linewidth=0.8)
    axes.set_axisbelow(True)
    if any(conditions):
        figure.legend(loc="outside upper left", ncols=4, frameon=False)
    return figure


def _times(experiment: Experiment) -> Figure:
    scenarios = list(dict.fromkeys(cell.scenario for cell in experiment.cells if cell.scenario != ALL))
    conditions = list(dict.fromkeys(cell.condition for cell in experiment.cells))
    figure, axes = canvas(0.9 + 0.42 * len(scenarios) * max(1, len(conditions)) ** 0.5)
    for number, condition in enumerate(conditions):
        # The systems of a scenario stand a little above and below its line.
        shift = 0.0 if len(conditions) == 1 else -0.18 + 0.36 * number / (len(conditions) - 1)
        colour = SYSTEM_COLOURS[number % len(SYSTEM_COLOURS)]
        for cell in experiment.cells:
            if cell.condition == condition and cell.scenario != ALL:
                place = scenarios.index(cell.scenario) + shift
                _draw_times(axes, place, cell.runs, cell.time.mean, colour)
        axes.plot([], [], "o", color=colour, label=shown_id(condition) or "all runs")
    axes.set_yticks(range(len(scenarios)), [f"scenario {shown_id(one)}" for one in scenarios])
    axes.set_ylim(len(scenarios) - 0.4, -0.6)
    axes.set_xlim(0, _MARGIN * axes.get_xlim()[1])
    axes.set_xlabel("completion time (s)")
    axes.grid(axis="x", color="#e6e8eb", linewidth=0.8)
    axes.set_axisbelow(True)
    figure.legend(loc="outside upper left", ncols=4, frameon=False)
    return figure


def _draw_times(axes: Any, place: float, runs: Sequence[RunRecord], mean: float | None, colour: str) -> None:
    times = [run.completion_s for run in runs if run.completion_s is not None]
    axes.plot(times, [place] * len(times), "o", color=colour, markersize=4, alpha=0.5, markeredgewidth=0)
    if mean is not None:
        axes.vlines(mean, place - 0.14, place + 0.14, color=colour, linewidth=2.4)


class _Sizes:
    """Figure 2, lost in the scan of papers/004; our reading: items by the size of the largest agreeing group."""

    def __init__(self, sizes: Mapping[int, int]) -> None:
        self._sizes = sizes

    def draw(self) -> Figure:
        figure, axes = canvas(2.4)
        sizes = sorted(self._sizes)
        bars = axes.bar(range(len(sizes)), [self._sizes[size] for size in sizes], width=0.6, color=SYSTEM_COLOURS[0])
        axes.bar_label(bars, color=INK, padding=2)
        axes.set_xticks(range(len(sizes)), list(map(str, sizes)))
        axes.set_xlabel("judges in the largest group that agrees")
        axes.set_ylabel("items")
        return figure
