"""Several systems on one test set: ranks, and neighbours in rank."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from curtain.cas.scoring.score import ScoreRow, ScoreSheet, only_right, table_of_pairs
from curtain.cas.scoring.significance import holm, mcnemar
from curtain_score.files.json_lines import shown_id
from curtain_score.score_tables import Report, TextTable, bounds, groupings_of, p_figure, rounded


@dataclass(frozen=True, slots=True)
class NextInRank:
    """Two systems beside each other in rank: how many items only one got right, and McNemar's exact p; `holm` is that
    p for as many tests as there are neighbours."""

    first: str
    second: str
    only_first: int
    only_second: int
    p: float
    holm: float


def ranked(sheets: Iterable[ScoreSheet]) -> list[tuple[int, ScoreSheet]]:
    """The systems with their ranks, the best score first; equal scores have one rank, and the next ones are skipped."""
    ordered = sorted(sheets, key=_from_best)
    values = [_from_best(sheet) for sheet in ordered]
    return [(values.index(value) + 1, sheet) for value, sheet in zip(values, ordered, strict=True)]


def _from_best(sheet: ScoreSheet) -> float:
    score = sheet.total.tally.score
    return math.inf if score is None else -score


def neighbours_of(sheets: Iterable[ScoreSheet]) -> list[NextInRank]:
    """Each system against the next one in rank, on the items that are decided for both."""
    ordered = [sheet for _, sheet in ranked(sheets)]
    counts = [
        only_right(table_of_pairs(zip(first.items, second.items, strict=True))) for first, second in pairwise(ordered)
    ]
    ps = [mcnemar(*each) for each in counts]
    return [
        NextInRank(first.system, second.system, *each, p, adjusted)
        for (first, second), each, p, adjusted in zip(pairwise(ordered), counts, ps, holm(ps), strict=True)
    ]


# -- as tables --------------------------------------------------------------------------------------------

_SCORES = ("n", "right %", "95 %", "w. error %", "score", "95 %")
_NEIGHBOURS = ("rank", "system", "next in rank", "only it right", "only the next right", "p", "p after Holm")
_MOST_GROUPS, _A_TABLE = 32, 8


def several_tables(report: Report) -> list[TextTable]:
    """What is printed of several systems, best first; nothing of one. With more than two, the groups come here too,
    by score alone: `score.csv` has their other figures."""
    if len(report.sheets) < 2:
        return []
    order = [(str(rank), sheet) for rank, sheet in ranked(report.sheets)]
    ranks = {sheet.system: (rank, shown_id(sheet.system)) for rank, sheet in order}
    several = [
        TextTable("rank", "Rank", ("rank", "system", *_SCORES), tuple(_ranks(order)), 2),
        TextTable(
            "neighbours", "Neighbours in rank: McNemar's exact test, right or not", _NEIGHBOURS,
            tuple((*ranks[pair.first], *_next_in_rank(pair)) for pair in neighbours_of(report.sheets)), 3,
        ),
    ]  # fmt: skip
    if len(order) > 2:
        for name, title, rows in groupings_of(report)[1:]:
            several += _scores_by(order, name, title, rows)
    return several


def _next_in_rank(pair: NextInRank) -> tuple[str, ...]:
    counts = (str(pair.only_first), str(pair.only_second))
    return (shown_id(pair.second), *counts, p_figure(pair.p), p_figure(pair.holm))


def _ranks(order: Sequence[tuple[str, ScoreSheet]]) -> Iterator[tuple[str, ...]]:
    for rank, sheet in order:
        row, counts = sheet.total, sheet.total.tally
        shares = (str(counts.total), rounded(counts.percent_right), bounds(row.right))
        yield (
            rank, shown_id(sheet.system), *shares, rounded(counts.weighted_error), rounded(counts.score),
            bounds(row.score),
        )  # fmt: skip


def _scores_by(
    order: Sequence[tuple[str, ScoreSheet]], name: str, title: str, rows: Sequence[Sequence[ScoreRow]]
) -> Iterator[TextTable]:
    """The score of each system in each group, with so many items; eight groups a table."""
    named = {sheet.system: {row.label: row.tally for row in getattr(sheet, f"by_{name}")} for _, sheet in order}
    sizes = {row.label: row.tally.total for row in rows[0]}
    labels = sorted(sizes)
    if len(labels) > _MOST_GROUPS:
        return
    for start in range(0, len(labels), _A_TABLE):
        some = labels[start : start + _A_TABLE]
        yield TextTable(
            f"{name}{start or ''}",
            f"{title.removesuffix(', best first')}: score{', continued' if start else ''}",
            ("rank", "system", *(f"{shown_id(label)} ({sizes[label]})" for label in some)),
            tuple(
                (rank, shown_id(sheet.system), *(rounded(named[sheet.system][label].score) for label in some))
                for rank, sheet in order
            ),
            2,
        )


def several_object(report: Report) -> dict[str, Any]:
    """The same for programs, unrounded; empty for one system."""
    if len(report.sheets) < 2:
        return {}
    return {
        "ranks": [{"rank": rank, "system": sheet.system} for rank, sheet in ranked(report.sheets)],
        "neighbours": list(map(asdict, neighbours_of(report.sheets))),
    }
