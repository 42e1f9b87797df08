"""What recognisers got wrong, what of it the wizard took over, and whether wrong words go with wrong answers.

In papers/001, section 2.3, the speakers with the most word errors were those with the fewest right answers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from curtain.base.edit_distance import alignment
from curtain.cas.scoring.intervals import Interval, wilson
from curtain.evaluation.runs.by_subject import Ends, ratio_interval, subject_sums
from curtain.evaluation.runs.measures import ALL, Percentage, Policy, credit
from curtain.evaluation.runs.run import Query, RunRecord, WordErrors

USES = ("taken", "edited", "replaced")
"""What a wizard did with words that were shown, where a query was sent."""


@dataclass(frozen=True)
class HearingLine:
    """A speaker under a condition, or all of them: word errors in percent of the spoken words, and answers right.

    `right` is the share of queries that judges found correct, or of solutions where nobody judged. `uses` counts what
    became of the words that were shown; of their `errors`, `left` percent stand in the queries too.
    """

    speaker: str
    condition: str
    queries: int
    errors: Percentage
    right: Percentage
    uses: Mapping[str, int]
    left: Percentage


def count_word_errors(reference: Sequence[str], heard: Sequence[str], query: Sequence[str] | None) -> WordErrors:
    """The fewest words wrong, and how many of them stand in the query as well; None where the query is no answer to
    what was heard."""
    errors = _errors(reference, heard)
    left = None if query is None else (errors & _errors(reference, query)).total()
    return WordErrors(len(reference), errors.total(), left)


def _errors(reference: Sequence[str], other: Sequence[str]) -> Counter[tuple[int, bool, str]]:
    """Each with its place, whether it is a word too many, and the wrong word; "" for one that is missing."""
    errors: Counter[tuple[int, bool, str]] = Counter()
    place = -1
    for at, to in alignment(reference, other):
        place = place if at is None else at
        word = "" if to is None else other[to]
        if at is None or word != reference[at]:
            errors[place, at is None, word] += 1
    return errors


def hearing_lines(queries: Iterable[Query], runs: Sequence[RunRecord], policy: Policy) -> tuple[HearingLine, ...]:
    """Of each speaker under each condition, then of all speakers. Only what a person has transcribed counts."""
    heard = [one for one in queries if one.word_errors is not None]
    places = dict.fromkeys((_group(one), one.condition) for one in heard)
    places |= dict.fromkeys((ALL, one.condition) for one in heard)
    return tuple(
        _line(
            speaker,
            condition,
            [one for one in heard if one.condition == condition and speaker in (ALL, _group(one))],
            [run for run in runs if run.condition == condition and speaker in (ALL, run.group)],
            policy,
        )
        for speaker, condition in places
    )


def hearing_points(lines: Iterable[HearingLine]) -> list[tuple[float, float]]:
    """(word errors, answers right) in percent, of each speaker of whom both are known."""
    pairs = [(line.errors.percent, line.right.percent) for line in lines if line.speaker != ALL]
    return [(errors, right) for errors, right in pairs if errors is not None and right is not None]


def _line(
    speaker: str, condition: str, queries: Sequence[Query], runs: Sequence[RunRecord], policy: Policy
) -> HearingLine:  # fmt: skip
    counted = [(one, one.word_errors) for one in queries if one.word_errors is not None]
    # The words of one question hang together, and those of one speaker more so.
    parts = (
        (_group(query) if speaker == ALL else query.utterance, 100.0 * seen.errors, float(seen.words))
        for query, seen in counted
    )
    errors, words = sum(seen.errors for _, seen in counted), sum(seen.words for _, seen in counted)
    # More words than were spoken may be wrong.
    most = 100.0 if errors <= words else math.inf
    bounds = ratio_interval(list(subject_sums(parts).values()), most=most)
    shown = [seen for _, seen in counted if seen.left is not None]
    wrong, left = sum(seen.errors for seen in shown), sum(seen.left or 0 for seen in shown)
    return HearingLine(
        speaker,
        condition,
        len(counted),
        errors=_share(errors, words, bounds),
        right=_right(runs, policy),
        uses={use: sum(one.hypothesis_use == use for one, _ in counted) for use in USES},
        left=replace(_share(left, wrong), interval=wilson(left, wrong)),
    )


def _share(count: float, total: float, bounds: Ends | None = None) -> Percentage:
    interval = Interval(*bounds) if bounds else None
    return Percentage(count, total, 100 * count / total if total else None, interval)


def _right(runs: Sequence[RunRecord], policy: Policy) -> Percentage:
    credits = [credit(run, policy) for run in runs]
    judged = [(one.correct, one.total) for one in credits if one.correct is not None and one.total]
    if not judged:
        judged = [(float(run.solved), 1.0) for run in runs if run.solved is not None]
    return _share(math.fsum(right for right, _ in judged), math.fsum(of for _, of in judged))


def _group(query: Query) -> str:
    return f"{query.study}/{query.subject}" if query.study else query.subject
