"""From verdicts to figures: what a system got right, wrong and did not answer, and what that is worth.

Numbers only, unrounded; percentages are in percent. Source: papers/001, 2.3; papers/004, "Log File Score".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..errors import CasError
from ..verdict import ANSWERED_NOTHING, CORRECT, INCORRECT, MALFORMED, UNDECIDED
from .intervals import Interval, enough_speakers, error_half_width, mean_interval, wald_1992, wilson
from .significance import Permutation, Table, mcnemar, paired_permutation, stuart_maxwell

# Fixed, so that two runs over the same files print the same figures.
SEED = 1992
CLASSES = ("A", "D1", "D", "X")
NO_REASON = "no reason given"
RIGHT, WRONG, NO_ANSWER = 0, 1, 2
# A malformed answer is wrong, not missing, or a system would gain by garbling what it doubts.
_KINDS = {CORRECT: RIGHT, INCORRECT: WRONG, MALFORMED: WRONG, ANSWERED_NOTHING: NO_ANSWER}


@dataclass(frozen=True, slots=True)
class Excess:
    """How many columns an answer shows, and how many of them are more than was asked for or may be shown.

    Source: papers/003, section 6, on systems that answer more than they are asked. `beyond_maximum` is None if there
    is no maximum.
    """

    columns: int
    beyond_minimum: int
    beyond_maximum: int | None = None


@dataclass(frozen=True, slots=True)
class OverAnswering:
    """The columns of several answers; `bounded` are those of answers to a question with a maximum."""

    answers: int
    columns: int
    beyond_minimum: int
    bounded: int
    beyond_maximum: int

    @property
    def percent_beyond_minimum(self) -> float | None:
        """The share of the columns beyond the minimum; None without columns."""
        return 100 * self.beyond_minimum / self.columns if self.columns else None

    @property
    def percent_beyond_maximum(self) -> float | None:
        """The share of the columns that no maximum has, among those with a maximum; None without any."""
        return 100 * self.beyond_maximum / self.bounded if self.bounded else None


def over_answering(items: Iterable[Item]) -> OverAnswering:
    """What items show beyond what was asked for; those that show no table where one was asked for are left out."""
    shown = [item.excess for item in items if item.excess is not None]
    bounded = [one for one in shown if one.beyond_maximum is not None]
    return OverAnswering(
        len(shown),
        sum(one.columns for one in shown),
        sum(one.beyond_minimum for one in shown),
        sum(one.columns for one in bounded),
        sum(one.beyond_maximum or 0 for one in bounded),
    )


@dataclass(frozen=True, slots=True)
class Item:
    """One utterance that counts, and what became of it. `outcome` is that of a Verdict."""

    id: str
    outcome: str
    reason: str = ""
    eval_class: str | None = None
    speaker: str | None = None
    scenario: str | None = None
    site: str | None = None
    credit: Fraction | int = 1
    missing: bool = False
    """The system's file has no answer for it."""
    without_maximum: bool = False
    empty_match: bool = False
    chance_prone: bool = False
    failure: str = ""
    """The presupposition failure that is its right answer, such as `contingent-failure`; such an item counts apart."""
    excess: Excess | None = None
    """None where answer or reference show no table, and where the answer cannot be read."""

    @property
    def kind(self) -> int | None:
        """RIGHT, WRONG or NO_ANSWER; None if undecided."""
        return _KINDS.get(self.outcome)

    @property
    def value(self) -> Fraction | int:
        """What it adds to the score: +1 right (less for a less preferred reading), 0 no answer, -1 wrong."""
        return self.credit if self.kind == RIGHT else -1 if self.kind == WRONG else 0


@dataclass(frozen=True, slots=True)
class Excluded:
    """One utterance that is not scored, and why: the tags of class X, or a context that cannot be evaluated."""

    id: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of each. Malformed answers are among the wrong ones, missing ones among those without an answer;
    undecided ones are counted beside the total, for they are neither."""

    right: int = 0
    wrong: int = 0
    no_answer: int = 0
    malformed: int = 0
    missing: int = 0
    undecided: int = 0
    credit: Fraction | int | None = None
    """The right ones, each by the weight of the reading matched; None if each counts 1."""

    @property
    def total(self) -> int:
        """T: the answers that count, right, wrong and none (001, 2.3)."""
        return self.right + self.wrong + self.no_answer

    @property
    def percent_right(self) -> float | None:
        """100 R / T; None if nothing counts."""
        return self._percent(self.right)

    @property
    def percent_wrong(self) -> float | None:
        """100 W / T; None if nothing counts."""
        return self._percent(self.wrong)

    @property
    def percent_no_answer(self) -> float | None:
        """100 N / T; None if nothing counts."""
        return self._percent(self.no_answer)

    @property
    def weighted_error(self) -> float | None:
        """100 (2 W + N) / T, from 0 to 200; a less preferred reading adds what it lacks."""
        return self._percent(2 * self.wrong + self.no_answer + self.right - self._worth)

    @property
    def score(self) -> float | None:
        """100 - weighted error = 100 (R - W) / T, from -100 to 100."""
        return self._percent(self.value)

    @property
    def value(self) -> Fraction | int:
        """R - W, the right ones by their weight: what the score is made of."""
        return self._worth - self.wrong

    @property
    def _worth(self) -> Fraction | int:
        return self.right if self.credit is None else self.credit

    def _percent(self, count: Fraction | int) -> float | None:
        # Exact up to here: weights are shares such as 1/3, and no items is no percentage, not 0 %.
        return float(Fraction(100) * count / self.total) if self.total else None


def tally(items: Iterable[Item]) -> Tally:
    """Counts items."""
    outcomes = Counter[str]()
    credit, lesser, missing = Fraction(0), 0, 0
    for item in items:
        outcomes[item.outcome] += 1
        missing += item.missing
        if item.credit != 1 and item.kind == RIGHT:
            credit += item.credit
            lesser += 1
    return Tally(
        right=outcomes[CORRECT],
        wrong=outcomes[INCORRECT] + outcomes[MALFORMED],
        no_answer=outcomes[ANSWERED_NOTHING],
        malformed=outcomes[MALFORMED],
        missing=missing,
        undecided=outcomes[UNDECIDED],
        credit=outcomes[CORRECT] - lesser + credit if lesser else None,
    )


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One line of a table: a group of items, its figures and how sure they are. None where there are no items."""

    label: str
    tally: Tally
    right: Interval | None
    wrong: Interval | None
    no_answer: Interval | None
    score: Interval | None
    wald_1992: float | None
    error_half_width: float | None
    speakers: int = 0


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """All figures of one system. The tables by speaker, scenario and site are empty if no item names any."""

    system: str
    total: ScoreRow
    by_class: tuple[ScoreRow, ...]
    by_speaker: tuple[ScoreRow, ...]
    by_scenario: tuple[ScoreRow, ...]
    by_site: tuple[ScoreRow, ...]
    by_failure: tuple[ScoreRow, ...]
    """Questions that presuppose what is not so (papers/000, 3.3), by kind; none of them is in another figure."""
    excluded: tuple[tuple[str, int], ...]
    """The reasons why utterances are not scored, each with how many have it; one may have several."""
    excluded_count: int
    empty_matches: int
    chance_prone: int
    without_maximum: int
    over_answering: OverAnswering
    over_answering_right: OverAnswering
    """The same of the right answers alone."""
    items: tuple[Item, ...] = field(repr=False, default=())
    failing: tuple[Item, ...] = field(repr=False, default=())
    """Those of `by_failure`."""

    @property
    def score_range(self) -> tuple[float, float] | None:
        """The score if all undecided answers were wrong, and if all were right; None without items."""
        counts = self.total.tally
        everything = counts.total + counts.undecided
        if not everything:
            return None
        worst, best = (Fraction(100) * (counts.value + sign * counts.undecided) / everything for sign in (-1, 1))
        return float(worst), float(best)


def score_sheet(system: str, items: Sequence[Item], excluded: Sequence[Excluded] = ()) -> ScoreSheet:
    """The figures of one system over the items that count; `excluded` are listed apart."""
    failing = [item for item in items if item.failure]
    items = [item for item in items if not item.failure]
    right = [item for item in items if item.kind == RIGHT]
    reasons = Counter(reason for one in excluded for reason in one.reasons or (NO_REASON,))
    return ScoreSheet(
        system,
        total=_row("all", items),
        by_class=tuple(_classes(_groups(items, "eval_class"))),
        by_speaker=_rows(_groups(items, "speaker"), by_score=True),
        by_scenario=_rows(_groups(items, "scenario")),
        by_site=_rows(_groups(items, "site")),
        by_failure=_rows(_groups(failing, "failure")),
        excluded=tuple(sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))),
        excluded_count=len(excluded),
        empty_matches=sum(item.empty_match for item in right),
        chance_prone=sum(item.chance_prone for item in right),
        without_maximum=sum(item.without_maximum for item in items),
        over_answering=over_answering(items),
        over_answering_right=over_answering(right),
        items=tuple(items),
        failing=tuple(failing),
    )


Groups = Mapping[str | None, Sequence[Item]]


def _groups(items: Iterable[Item], name: str) -> Groups:
    """The items by what they have in a field."""
    held: dict[str | None, list[Item]] = {}
    for item in items:
        held.setdefault(getattr(item, name), []).append(item)
    return held


def _classes(groups: Groups) -> Iterator[ScoreRow]:
    """A, D1, D, and A+D, which is all three; then what has no class, if there is any."""
    for name in ("A", "D1", "D"):
        yield _row(name, groups.get(name, ()))
    yield _row("A+D", [item for name, items in groups.items() if name is not None for item in items])
    if None in groups:
        yield _row("no class", groups[None])


def _rows(groups: Groups, by_score: bool = False) -> tuple[ScoreRow, ...]:
    rows = {label: _row("not named" if label is None else label, items) for label, items in groups.items()}
    # A table with the one row “not named” would repeat the total.
    if set(rows) <= {None}:
        return ()
    sorted_rows = [rows[label] for label in sorted(rows, key=lambda label: (label is None, label or ""))]
    return tuple(sorted(sorted_rows, key=_best_first) if by_score else sorted_rows)


def _best_first(row: ScoreRow) -> tuple[float, str]:
    return -math.inf if row.tally.score is None else -row.tally.score, row.label


def _row(label: str, items: Sequence[Item]) -> ScoreRow:
    counts = tally(items)
    decided = [item for item in items if item.kind is not None]
    error = counts.weighted_error
    return ScoreRow(
        label,
        counts,
        right=_share(decided, RIGHT),
        wrong=_share(decided, WRONG),
        no_answer=_share(decided, NO_ANSWER),
        score=mean_interval([float(item.value) for item in decided], [item.speaker for item in decided]),
        wald_1992=None if error is None else wald_1992(error, counts.total),
        error_half_width=error_half_width(counts.wrong, counts.no_answer, counts.total),
        speakers=len({item.speaker for item in decided} - {None}),
    )


def _share(items: Sequence[Item], kind: int) -> Interval | None:
    """The interval of a percentage: by speaker, as that of the score; Wilson's where there are too few."""
    speakers, hits = [item.speaker for item in items], [item.kind == kind for item in items]
    if not enough_speakers(speakers):
        return wilson(sum(hits), len(hits))
    return mean_interval(list(map(float, hits)), speakers, least=0.0)


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two systems on the same items; `table[i][j]`: first RIGHT, WRONG, NO_ANSWER by second."""

    first: str
    second: str
    table: Table
    only_first: int
    only_second: int
    mcnemar: float
    stuart_maxwell: float
    difference: float | None
    """Score of the first less that of the second, in points."""
    interval: Interval | None
    permutation: Permutation
    left_out: int
    """Items that are undecided for either."""

    @property
    def too_few_to_decide(self) -> bool:
        """Fewer than six items that only one got right cannot reach .05, whoever is better."""
        return self.only_first + self.only_second < 6


def contrast(first: ScoreSheet, second: ScoreSheet, *, seed: int = SEED) -> Contrast:
    """Compares two systems. Raises CasError if they were not scored on the same items in the same order."""
    if [item.id for item in first.items] != [item.id for item in second.items]:
        raise CasError(f"{first.system} and {second.system} were not scored on the same items.")
    both = [*zip(first.items, second.items, strict=True)]
    pairs = [(mine, its) for mine, its in both if mine.kind is not None and its.kind is not None]
    table = table_of_pairs(pairs)
    differences = [mine.value - its.value for mine, its in pairs]
    speakers = [item.speaker for item, _ in pairs]
    only_first, only_second = only_right(table)
    return Contrast(
        first.system,
        second.system,
        table,
        only_first,
        only_second,
        mcnemar=mcnemar(only_first, only_second),
        stuart_maxwell=stuart_maxwell(table),
        difference=float(100 * sum(differences, Fraction(0)) / len(pairs)) if pairs else None,
        interval=mean_interval([float(difference) for difference in differences], speakers),
        permutation=paired_permutation(differences, speakers, seed),
        left_out=len(both) - len(pairs),
    )


def only_right(table: Table) -> tuple[int, int]:
    """For how many utterances the first alone was right, and the second alone."""
    return sum(table[RIGHT][1:]), table[WRONG][RIGHT] + table[NO_ANSWER][RIGHT]


def table_of_pairs(pairs: Iterable[tuple[Item, Item]]) -> Table:
    """Utterances by what the first made of them and what the second; those that one is not decided for are left out."""
    counts = Counter[tuple[int | None, int | None]]()
    for mine, its in pairs:
        counts[mine.kind, its.kind] += 1
    return tuple(tuple(counts[i, j] for j in range(3)) for i in range(3))  # type: ignore[return-value]
