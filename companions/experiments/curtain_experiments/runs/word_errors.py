"""What recognisers got wrong, what of it the wizard took over, and whether wrong words go with wrong answers.

In papers/001, section 2.3, the speakers with the most word errors were those with the fewest right answers.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curtain.base.edit_distance import alignment
from curtain.cas.scoring.intervals import Interval, Sum
from curtain_experiments.runs.measures import ALL, Percentage, Policy, credit
from curtain_experiments.runs.parts import MOST_LISTED, chosen, drawn, grouped
from curtain_experiments.runs.run import Query, RunRecord, WordErrors
from curtain_score.by_subject import Ends, ratio_interval

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


def hearing_lines(
    queries: Sequence[Query], runs: Sequence[RunRecord], policy: Policy, seed: int = 0
) -> tuple[HearingLine, ...]:
    """Of each speaker under each condition, then of all speakers. Only what a person has transcribed counts.

    Of more than `MOST_LISTED` speakers and conditions some are drawn by the seed.
    """
    heard = chosen(queries, lambda one: one.word_errors is not None)
    if not heard:
        return ()
    queries_of = grouped(heard, lambda one: (_group(one), one.condition))
    places = list(drawn([*queries_of], MOST_LISTED, seed))
    queries_of |= grouped(heard, lambda one: (ALL, one.condition))
    runs_of = grouped(runs, lambda run: (run.group, run.condition)) | grouped(runs, lambda run: (ALL, run.condition))
    places += [place for place in queries_of if place[0] == ALL]
    return tuple(_line(*place, queries_of[place], runs_of.get(place, []), policy) for place in places)


def hearing_points(lines: Iterable[HearingLine]) -> list[tuple[float, float]]:
    """(word errors, answers right) in percent, of each speaker of whom both are known."""
    pairs = [(line.errors.percent, line.right.percent) for line in lines if line.speaker != ALL]
    return [(errors, right) for errors, right in pairs if errors is not None and right is not None]


def _line(
    speaker: str, condition: str, queries: Sequence[Query], runs: Sequence[RunRecord], policy: Policy
) -> HearingLine:  # fmt: skip
    # The words of one question hang together, and those of one speaker more so.
    sums: dict[str, Sum] = {}
    left_in: dict[str, Sum] = {}
    uses = dict.fromkeys(USES, 0)
    errors = words = wrong = left = 0
    for query in queries:
        if (seen := query.word_errors) is None:
            continue
        drawn = _group(query) if speaker == ALL else query.utterance
        before = sums.get(drawn, (0.0, 0.0))
        sums[drawn] = (before[0] + 100.0 * seen.errors, before[1] + seen.words)
        errors, words = errors + seen.errors, words + seen.words
        if seen.left is not None:
            wrong, left = wrong + seen.errors, left + seen.left
            before = left_in.get(drawn, (0.0, 0.0))
            left_in[drawn] = (before[0] + 100.0 * seen.left, before[1] + seen.errors)
        if query.hypothesis_use in uses:
            uses[query.hypothesis_use] += 1
    # More words than were spoken may be wrong.
    most = 100.0 if errors <= words else math.inf
    bounds = ratio_interval(list(sums.values()), most=most)
    return HearingLine(
        speaker,
        condition,
        len(queries),
        errors=_share(errors, words, bounds),
        right=_right(runs, policy),
        uses=uses,
        left=_share(left, wrong, ratio_interval(list(left_in.values()), most=100.0)),
    )


def _share(count: float, total: float, bounds: Ends | None = None) -> Percentage:
    interval = Interval(*bounds) if bounds else None
    return Percentage(count, total, 100 * count / total if total else None, interval)


def _right(runs: Sequence[RunRecord], policy: Policy) -> Percentage:
    right, judged, solved, known = array("d"), array("d"), 0, 0
    for run in runs:
        counts = credit(run, policy)
        if counts.correct is not None and counts.total:
            right.append(counts.correct)
            judged.append(counts.total)
        if run.solved is not None:
            solved, known = solved + run.solved, known + 1
    return _share(math.fsum(right), math.fsum(judged)) if judged else _share(solved, known)


def _group(query: Query) -> str:
    return f"{query.study}/{query.subject}" if query.study else query.subject
