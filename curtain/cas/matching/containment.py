"""Is there an injective mapping of one table's columns into another's that carries its rows over?

Two questions, one procedure. A hypothesis must *contain* the reference: projected on the mapped columns it is the
same set of rows (`exactly`). A maximum must contain the hypothesis: projected it has at least the same rows.
The placed table's columns are the reference's in the first question, the hypothesis's in the second.
"""

from collections.abc import Sequence
from functools import partial, reduce
from operator import or_

from .bipartite import assignment, bits
from .coding import Coding
from .columns import CellColumn, distinct_rows, rows_of
from .evidence import MismatchEvidence
from .keys import decided_by_key
from .pairing import Pairing
from .reals.assignment import NearColumns
from .reals.compatibility import Nearness
from .reals.tolerance import Tolerance
from .search import Search, SearchState
from .subsets import ColumnChoice
from .symmetry import find_symmetry
from .work import OutOfNodes, OutOfWork, StepLimit

Columns = Sequence[CellColumn]

_NODES_BEFORE_SYMMETRY = 200
_FIRST_TURN = 300_000
_TURN_PER_ROW = 60
# In cells looked at: below this, looking for symmetry costs less than the branches it may save.
_CHEAP_SYMMETRY = 150_000
_MOST_CHOICES = 100_000


def contains(
    others: Columns, placed: Columns, exactly: bool, tolerance: Tolerance, evidence: MismatchEvidence, work: StepLimit
) -> bool:
    """Whether `others` contains `placed`; both have rows, and at least one column.

    `exactly`: the mapped columns of `others` show the rows of `placed` and no more, and `placed` is the reference.
    Otherwise they may show more, and `others`, the maximum, is the reference. Raises OutOfWork at the limit.
    """
    if len(placed) > len(others):
        return False
    work.allow(len(placed) * len(placed[0].cells) + len(others) * len(others[0].cells))
    nearness = Nearness(tolerance, placed_is_reference=exactly)
    if len(placed) > 1:
        decided = decided_by_key(placed, others, exactly, nearness, evidence, work)
    else:
        decided = _single_column(placed[0], others, exactly, nearness)
    if decided is not None:
        return decided
    pairing = Pairing(placed, others, exactly, nearness)
    # Hall's condition: without a partner of its own for each column there is no mapping.
    chosen = assignment(pairing.candidates)
    if chosen is None:
        return False
    if not pairing.is_tolerant and all(domain.bit_count() == 1 for domain in pairing.candidates):
        return _shows([others[one] for one in chosen], placed, exactly)
    return _Containment(placed, others, pairing, evidence, work).exists()


def _single_column(mine: CellColumn, others: Sequence[CellColumn], exactly: bool, nearness: Nearness) -> bool | None:
    """Whether one of the others has the values of a single column; None if that cannot be decided by values alone."""
    conclusive = True
    for its in others:
        if mine.is_real or (its.is_real and mine.is_number):
            covers = nearness.covers(mine, its, exactly) if its.is_number else False
        else:
            covers = mine.distinct == its.distinct if exactly else mine.distinct <= its.distinct
        if covers:
            return True
        conclusive = conclusive and covers is not None
    return False if conclusive else None


def columns_without_partner(placed: Columns, others: Columns, tolerance: Tolerance) -> list[int]:
    """The columns of a hypothesis (`placed`) whose values alone are beyond every column of a maximum (`others`)."""
    nearness = Nearness(tolerance, placed_is_reference=False)
    pairing = Pairing(placed, others, False, nearness)
    return [index for index, domain in enumerate(pairing.candidates) if not domain]


def _shows(columns: Columns, placed: Columns, exactly: bool) -> bool:
    """Whether the columns, in their order, show the same rows."""
    if len(placed) == 1:
        return True  # the pair has the same values, or enough of them, or it would not be one
    shown, wanted = rows_of(columns), rows_of(placed)
    return shown == wanted if exactly else shown >= wanted


def _symmetry_is_cheap(coding: Coding) -> bool:
    placed, others = len(coding.placed_columns), len(coding.other_columns)
    return placed**2 * coding.placed_rows + others**2 * coding.other_rows <= _CHEAP_SYMMETRY


class _Containment:
    """The question once single columns have shown what they can."""

    def __init__(
        self,
        placed: Sequence[CellColumn],
        others: Sequence[CellColumn],
        pairing: Pairing,
        evidence: MismatchEvidence,
        work: StepLimit,
    ) -> None:
        self._evidence = evidence
        self._work = work
        self._placed = placed if pairing.near else distinct_rows(placed)
        settled = pairing.settle_tolerance(others) if pairing.exactly else others
        kept = bits(reduce(or_, pairing.candidates))
        self._coding = Coding(pairing, self._placed, settled).restricted(kept)

    def exists(self) -> bool:
        """Whether there is a mapping."""
        surplus = self._coding.surplus
        if surplus is None:
            return self._search(self._coding, self._work)
        if surplus < 0:
            return False
        if not self._coding.pairing.exactly:
            return self._search(self._coding, self._work) if surplus else self._exists_exactly()
        if not surplus:
            return self._search(self._coding, self._work)
        # With no column to drop, the other side keeps all its distinct rows, and they are too many.
        return len(self._coding.other_columns) > len(self._placed) and self._in_turns()

    def _exists_exactly(self) -> bool:
        """The same question for tables of as many rows: then each of the other rows must find its place, too."""
        others = self._coding.other_columns
        pairing = Pairing(self._placed, others, True, self._coding.pairing.nearness)
        if assignment(pairing.candidates) is None:
            return False
        return _Containment(self._placed, others, pairing, self._evidence, self._work).exists()

    def _in_turns(self) -> bool:
        """Search at once, and choose columns first, in longer and longer turns: each is slow where the other is not."""
        choice = ColumnChoice(self._coding) if self._coding.is_all_uniform else None
        if choice is None or choice.number > _MOST_CHOICES:
            return self._search(self._coding, self._work)
        turn = max(_FIRST_TURN, _TURN_PER_ROW * (self._coding.placed_rows + self._coding.other_rows))
        while True:
            for attempt in (partial(self._search, self._coding), partial(self._search_subsets, choice)):
                try:
                    return attempt(StepLimit(turn, self._work))
                except OutOfWork:
                    self._work.spend(0)  # raises it again where not the turn alone is over
                # Growing by four, all turns before this one cost a third of it.
                turn *= 4

    def _search(self, coding: Coding, work: StepLimit) -> bool:
        def finish(state: SearchState) -> bool:
            classes = state.placed.classes, state.others
            return NearColumns(coding, self._evidence, work, *classes, state.domains).exists()

        if not _symmetry_is_cheap(coding):
            try:
                return Search(coding, finish, work, nodes=_NODES_BEFORE_SYMMETRY).run()
            except OutOfNodes:
                pass
        symmetry = find_symmetry(coding.placed_columns, coding.other_columns, coding.pairing.kinds_of_others(), work)
        return Search(coding, finish, work, symmetry=symmetry).run()

    def _search_subsets(self, choice: ColumnChoice, work: StepLimit) -> bool:
        for kept in choice.kept(work):
            fewer = self._coding.restricted(kept)
            if fewer.surplus == 0 and assignment(fewer.pairing.candidates) is not None and self._search(fewer, work):
                return True
        return False
