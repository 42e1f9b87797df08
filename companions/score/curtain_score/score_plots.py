"""The plots of a score page."""

import math
from collections.abc import Sequence

from curtain.cas.scoring.score import ScoreRow, ScoreSheet
from curtain_score.drawing import FAINT, INK, Chart, Figure, LegendKey, keys_of
from curtain_score.files.json_lines import shown_id
from curtain_score.score_tables import OUTCOMES, Report, rounded

# Distinguishable also in grey and by people who do not see red and green.
_COLOURS = {"right": "#1f5fbf", "no answer": "#dfe3e9", "wrong": "#b0203a"}
# Beyond this the names would overlap; the points stay.
_MOST_NAMED = 60
_ROW = 26


def plots_of(report: Report) -> dict[str, Figure]:
    """The plots by the name of the table that they stand above: class, scenario, site, speaker."""
    plots = {"class": _outcomes(report)}
    plots |= {
        name: _scores(report, name)
        for name in ("scenario", "site", "speaker")
        if getattr(report.sheets[0], f"by_{name}")
    }
    return plots


def shift_of(number: int, of: int, most: float = 0.18) -> float:
    """How far the marks of one of `of` systems stand below the line of their row, in rows."""
    return 0.0 if of == 1 else -most + 2 * most * number / (of - 1)


def _outcomes(report: Report) -> Figure:
    # Classes without items would be empty bars.
    groups = [rows for rows in zip(*map(_class_rows, report.sheets), strict=True) if rows[0][1].tally.total]
    bars = [bar for rows in groups for bar in rows]
    # A little air between the classes, where each has a bar for every system.
    places = [index + 0.3 * (index // len(report.sheets)) * (len(report.sheets) > 1) for index in range(len(bars))]
    last = places[-1] if places else 0
    chart = Chart(
        (0, 100),
        (-0.5, last + 0.5),
        _ROW * (last + 1),
        "% of items",
        rows=[(place, label) for place, (label, _) in zip(places, bars, strict=True)],
        keys=[LegendKey(name, colour) for name, colour in _COLOURS.items()],
    )
    for place, (_, row) in zip(places, bars, strict=True):
        _draw_bar(chart, place, row)
    return chart.figure("Right, no answer and wrong by class, in percent of the items.")


def _class_rows(sheet: ScoreSheet) -> list[tuple[str, ScoreRow]]:
    return [
        (f"{row.label}, {shown_id(sheet.system)} (n = {row.tally.total})", row)
        for row in (*sheet.by_class, sheet.total)
    ]


def _draw_bar(chart: Chart, place: float, row: ScoreRow) -> None:
    counts, left = row.tally, 0.0
    shares = dict(zip(OUTCOMES, (counts.percent_right, counts.percent_wrong, counts.percent_no_answer), strict=True))
    for name, colour in _COLOURS.items():
        share = shares[name] or 0.0
        chart.bar((left, place - 0.34), (left + share, place + 0.34), colour)
        # Below 6 % the figure is wider than its bar.
        if share >= 6:
            chart.text((left + share / 2, place), rounded(share, 0), INK if name == "no answer" else "#ffffff")
        left += share


def _scores(report: Report, by: str) -> Figure:
    order = [row.label for row in getattr(report.sheets[0], f"by_{by}")]
    named = len(order) <= _MOST_NAMED
    several = len(report.sheets) > 1
    keys = keys_of(shown_id(sheet.system) for sheet in report.sheets)
    chart = Chart(
        _score_axis([row for sheet in report.sheets for row in getattr(sheet, f"by_{by}")]),
        (-0.6, len(order) - 0.4),
        _ROW * len(order) if named else 560,
        "score (right % - wrong %)",
        rows=[(place, shown_id(label)) for place, label in enumerate(order)] if named else [],
        keys=keys if several else (),
    )
    for number, (sheet, key) in enumerate(zip(report.sheets, keys, strict=True)):
        rows = {row.label: row for row in getattr(sheet, f"by_{by}")}
        all_of_it = sheet.total.tally.score
        if all_of_it is not None:
            chart.line((all_of_it, -0.6), (all_of_it, len(order) - 0.4), key.colour if several else FAINT)
        _draw_scores(chart, [rows[label] for label in order], key, shift_of(number, len(report.sheets)))
    return chart.figure(f"Score by {by}: the point and its 95 % interval; the upright line is the score of all.")


def _score_axis(rows: Sequence[ScoreRow]) -> tuple[float, float]:
    # A score can be negative, down to -100: the axis begins at a round number below the lowest interval.
    lowest = min((row.score.low for row in rows if row.score), default=0.0)
    return 20 * math.floor(lowest / 20) - 4 if lowest < 0 else -4, 104


def _draw_scores(chart: Chart, rows: Sequence[ScoreRow], key: LegendKey, shift: float = 0.0) -> None:
    points = []
    for height, row in enumerate(rows):
        if row.tally.score is not None and row.score is not None:
            chart.line((row.score.low, height + shift), (row.score.high, height + shift), key.colour, 1.4)
            points.append((row.tally.score, height + shift))
    chart.points(points, key)
