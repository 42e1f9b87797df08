"""The plots of a score page, as SVG images inside the page. matplotlib is imported only here."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from curtain.cas.scoring.score import ScoreRow, ScoreSheet
from curtain.evaluation.json_lines import shown_id
from curtain.evaluation.score_tables import OUTCOMES, Report, rounded

# Distinguishable also in grey and by people who do not see red and green.
_COLOURS = {"right": "#2a6f97", "no answer": "#d5d9de", "wrong": "#d1603d"}
SYSTEM_COLOURS = ("#2a6f97", "#d1603d", "#4f8a4c", "#8a5fa8")
INK, _FAINT = "#22272e", "#8a9099"
PLOT_STYLE: Any = {
    "font.size": 9.5,
    # matplotlib salts the ids of an SVG with a random number; the same report must give the same bytes.
    "svg.hashsalt": "curtain",
    "axes.edgecolor": _FAINT,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    # A label with two $ is a name, not a formula.
    "text.parse_math": False,
}
# Beyond this the names would overlap; the points stay.
_MOST_NAMED = 60
_WIDTH = 7.6


@dataclass(frozen=True)
class Plot:
    """An image as a data address, and what it shows in words for those who do not see it."""

    source: str
    caption: str


def plots_of(report: Report) -> dict[str, Plot]:
    """The plots by the name of the table that they stand above: class, scenario, site, speaker."""
    plots = {"class": _plot(_draw_outcomes, report, "Right, no answer and wrong by class, in percent of the items.")}
    for name in ("scenario", "site", "speaker"):
        if getattr(report.sheets[0], f"by_{name}"):
            caption = f"Score by {name}: the point and its 95 % interval; the upright line is the score of all."
            plots[name] = _plot(partial(_draw_scores, by=name), report, caption)
    return plots


def _plot(draw: Callable[[Report], Figure], report: Report, caption: str) -> Plot:
    with matplotlib.rc_context(PLOT_STYLE):
        image = io.BytesIO()
        # Without date and version the same report gives the same bytes.
        draw(report).savefig(image, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    return Plot("data:image/svg+xml;base64," + base64.b64encode(image.getvalue()).decode(), caption)


def _draw_outcomes(report: Report) -> Figure:
    # Classes without items would be empty bars.
    groups = [rows for rows in zip(*map(_class_rows, report.sheets), strict=True) if rows[0][1].tally.total]
    bars = [bar for rows in groups for bar in rows]
    # A little air between the classes, where each has a bar for both systems.
    places = [index + 0.3 * (index // len(report.sheets)) * (len(report.sheets) > 1) for index in range(len(bars))]
    figure, axes = canvas(0.34 * (places[-1] + 1 if places else 1) + 0.9)
    for place, (_, row) in zip(places, bars, strict=True):
        _draw_bar(axes, place, row)
    _name_rows(axes, places, [label for label, _ in bars])
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of items")
    handles = [Patch(color=colour, label=name) for name, colour in _COLOURS.items()]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, handlelength=1.0)
    return figure


def _class_rows(sheet: ScoreSheet) -> list[tuple[str, ScoreRow]]:
    return [
        (f"{row.label}, {shown_id(sheet.system)} (n = {row.tally.total})", row)
        for row in (*sheet.by_class, sheet.total)
    ]


def _draw_bar(axes: Any, position: float, row: ScoreRow) -> None:
    counts, left = row.tally, 0.0
    shares = dict(zip(OUTCOMES, (counts.percent_right, counts.percent_wrong, counts.percent_no_answer), strict=True))
    for name, colour in _COLOURS.items():
        share = shares[name] or 0.0
        axes.barh(position, share, left=left, height=0.68, color=colour, edgecolor="white", linewidth=0.8)
        # Below 6 % the figure is wider than its bar.
        if share >= 6:
            ink = INK if name == "no answer" else "white"
            axes.text(left + share / 2, position, rounded(share, 0), ha="center", va="center", color=ink)
        left += share


def _draw_scores(report: Report, by: str) -> Figure:
    order = [row.label for row in getattr(report.sheets[0], f"by_{by}")]
    named = len(order) <= _MOST_NAMED
    figure, axes = canvas(0.9 + (0.3 * len(order) if named else 7.0))
    for number, sheet in enumerate(report.sheets):
        rows = {row.label: row for row in getattr(sheet, f"by_{by}")}
        # Two systems stand a little above and below their line.
        shift = 0.0 if len(report.sheets) == 1 else (-0.14, 0.14)[number]
        _draw_points(axes, [rows[label] for label in order], shift, SYSTEM_COLOURS[number], sheet.system)
        if sheet.total.tally.score is not None:
            style = _FAINT if len(report.sheets) == 1 else SYSTEM_COLOURS[number]
            axes.axvline(sheet.total.tally.score, color=style, linewidth=1, alpha=0.6, zorder=0)
    _name_rows(axes, range(len(order)) if named else [], list(map(shown_id, order)) if named else [])
    # From below upwards: the first row stands on top.
    axes.set_ylim(len(order) - 0.4, -0.6)
    _set_score_axis(axes, report, by)
    if len(report.sheets) > 1:
        figure.legend(loc="outside upper left", ncols=2, frameon=False)
    return figure


def _draw_points(axes: Any, rows: Sequence[ScoreRow], shift: float, colour: str, system: str) -> None:
    points = [
        (position + shift, row.tally.score, row.score)
        for position, row in enumerate(rows)
        if row.tally.score is not None and row.score is not None
    ]
    heights = [height for height, _, _ in points]
    axes.hlines(heights, [one.low for *_, one in points], [one.high for *_, one in points], color=colour, linewidth=1.4)
    axes.plot([score for _, score, _ in points], heights, "o", color=colour, markersize=4.5, label=shown_id(system))


def _set_score_axis(axes: Any, report: Report, by: str) -> None:
    intervals = [row.score for sheet in report.sheets for row in getattr(sheet, f"by_{by}") if row.score is not None]
    low = min((one.low for one in intervals), default=0.0)
    # A score can be negative, down to -100: the axis begins at a round number below the lowest interval.
    axes.set_xlim(20 * math.floor(low / 20) - 4 if low < 0 else -4, 104)
    axes.set_xlabel("score (right % - wrong %)")
    axes.grid(axis="x", color="#e6e8eb", linewidth=0.8)
    axes.set_axisbelow(True)


def canvas(height: float) -> tuple[Figure, Any]:
    """A figure as wide as the page, `height` inches high, and its axes without a frame."""
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)
    return figure, axes


def _name_rows(axes: Any, places: Sequence[float], labels: Sequence[str]) -> None:
    axes.set_yticks(list(places), labels)
    axes.invert_yaxis()
