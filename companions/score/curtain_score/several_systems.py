"""Several systems on one test set, as the workshops printed them: ranks, neighbours in rank, word errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from curtain.base.edit_distance import edits
from curtain.cas.scoring.intervals import Interval, enough_speakers
from curtain.cas.scoring.score import (
    RIGHT,
    Item,
    ScoreRow,
    ScoreSheet,
    Tally,
    only_right,
    table_of_pairs,
)
from curtain.cas.scoring.significance import holm, mcnemar
from curtain.session.study.languages import ENGLISH
from curtain_score.files.json_lines import shown_id
from curtain_score.references import ReferenceItem, SystemAnswer
from curtain_score.score_tables import (
    Report,
    Share,
    TextTable,
    WordScore,
    bounds,
    groupings_of,
    p_figure,
    rounded,
)


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


def word_score(
    sheet: ScoreSheet, references: Mapping[str, ReferenceItem], answers: Mapping[str, SystemAnswer]
) -> WordScore | None:
    """Over the scored items of which both what was said and what the system heard are known; None without any."""
    known = [
        (item, text, heard)
        for item in sheet.items
        if item.kind is not None
        and (text := references[item.id].words) is not None
        and (answer := answers.get(item.id)) is not None
        and (heard := answer.words) is not None
    ]
    return _counted(sheet.system, known) if known else None


def _counted(system: str, known: Sequence[tuple[Item, str, str]]) -> WordScore | None:
    # Here alone: NumPy takes longer to load than most scores to compute.
    from curtain.corpus.exports.words import words
    from curtain_score.by_subject import ratio_interval, subject_sums

    spoken = [(item, words(text, ENGLISH) or [], words(heard, ENGLISH) or []) for item, text, heard in known]
    counts = [(item, len(reference), edits(reference, heard)) for item, reference, heard in spoken]
    size, errors = sum(length for _, length, _ in counts), sum(wrong for *_, wrong in counts)
    if not size:
        return None
    by_speaker = enough_speakers([item.speaker for item, *_ in counts])
    parts = (
        (str(item.speaker if by_speaker else item.id), 100.0 * wrong, float(length)) for item, length, wrong in counts
    )
    ends = ratio_interval(list(subject_sums(parts).values()), most=100.0 if errors <= size else math.inf)
    right = [(item.kind == RIGHT, wrong) for item, _, wrong in counts]
    heard_right, misheard = ([kind for kind, wrong in right if bool(wrong) == erred] for erred in (False, True))
    return WordScore(
        system,
        size,
        errors,
        Interval(*ends, "speaker" if by_speaker else "utterance") if ends else None,
        _share(kind for kind, _ in right),
        _share(heard_right),
        _share(misheard),
    )


def _share(right: Iterable[bool]) -> Share:
    each = list(right)
    return Share(sum(each), len(each))


# -- as tables --------------------------------------------------------------------------------------------

_SCORES = ("n", "right %", "95 %", "w. error %", "score", "95 %")
_OUTCOMES = ("right", "wrong", "none", "w. error")
_NEIGHBOURS = ("rank", "system", "next in rank", "only it right", "only the next right", "p", "p after Holm")
_HEARING = (
    "system", "utterances", "words", "word error %", "95 %", "right %", "95 %",
    "heard right", "right %", "misheard", "right %",
)  # fmt: skip
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
        _workshop(order),
        TextTable(
            "neighbours", "Neighbours in rank: McNemar's exact test, right or not", _NEIGHBOURS,
            tuple((*ranks[pair.first], *_next_in_rank(pair)) for pair in neighbours_of(report.sheets)), 3,
        ),
    ]  # fmt: skip
    if report.hearing:
        heard = tuple(map(_hearing, sorted(report.hearing, key=lambda score: int(ranks[score.system][0]))))
        several.append(TextTable("hearing", "Word errors and understanding", _HEARING, heard))
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


def _workshop(order: Sequence[tuple[str, ScoreSheet]]) -> TextTable:
    """Classes beside each other, as NIST printed the results of the workshops; a class without items is left out."""
    by_system = [(*sheet.by_class, sheet.total) for _, sheet in order]
    places = [
        place
        for place, row in enumerate(by_system[0])
        if row.label != "A+D" and any(rows[place].tally.total for rows in by_system)
    ]
    headings = [f"{by_system[0][place].label} {name}" for place in places for name in _OUTCOMES]
    body = tuple(
        (rank, shown_id(sheet.system), *(cell for place in places for cell in _outcomes(rows[place].tally)))
        for (rank, sheet), rows in zip(order, by_system, strict=True)
    )
    sizes = ", ".join(f"{by_system[0][place].label} {by_system[0][place].tally.total}" for place in places)
    return TextTable(
        "workshop", f"By class ({sizes} items; weighted error in %)", ("rank", "system", *headings), body, 2
    )


def _outcomes(counts: Tally) -> tuple[str, ...]:
    return (*map(str, (counts.right, counts.wrong, counts.no_answer)), rounded(counts.weighted_error))


def _hearing(heard: WordScore) -> tuple[str, ...]:
    return (
        *(
            shown_id(heard.system),
            str(heard.right.total),
            str(heard.words),
            rounded(heard.percent),
            bounds(heard.interval),
        ),
        *(rounded(heard.right.percent), bounds(heard.right.interval)),
        *(
            text
            for part in (heard.right_heard, heard.right_misheard)
            for text in (str(part.total), rounded(part.percent))
        ),
    )


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
        "hearing": [{**asdict(one), "percent": one.percent} for one in report.hearing],
    }
