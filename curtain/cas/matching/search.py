"""The search for the column mapping: refine what can be refined, branch where nothing else is left.

A state says where the placed columns went and into which classes that sorts the rows of both sides. Every step
is a proof: a candidate is dropped only if no mapping can use it. As soon as the classes single out rows, each
remaining pair of columns is decided on its own, and the branching is over.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .bipartite import assignment, bits
from .coding import Coding
from .labels import PairLabels
from .state import Codes, PlacedClasses, counts_agree, everything, other_classes, partner_rows, patterns, placed_classes
from .symmetry import NO_SYMMETRY, Symmetry
from .work import OutOfNodes, StepLimit

_FEW_VALUES = 50
"""Pairs of columns are worth a look if they have few values; with more, one column distinguishes the rows."""

_TRIED = 20
"""After so many refinements it has to show that they are worth their time."""

_STEPS_PER_NODE = 300
_STEPS_PER_COLUMN = 50
"""What a node and a placed column cost besides the rows."""


@dataclass(frozen=True)
class SearchState:
    """What has been placed so far."""

    placed: PlacedClasses
    others: Codes
    order: tuple[int, ...]
    domains: tuple[int, ...]
    """For each placed-side column the columns it may still go to, as bits."""


Finish = Callable[[SearchState], bool]


class Search:
    """One search; `finish` decides a state in which only near columns are left.

    With `symmetry`, columns that can be exchanged are tried in one order only; beyond `nodes` it raises OutOfNodes.
    """

    def __init__(
        self,
        coding: Coding,
        finish: Finish,
        work: StepLimit,
        nodes: int | None = None,
        symmetry: Symmetry = NO_SYMMETRY,
    ) -> None:
        self._coding = coding
        self._pairing = coding.pairing
        self._exactly = coding.pairing.exactly
        self._surplus = coding.surplus
        self._finish = finish
        self._work = work
        self._nodes = nodes
        self._near = [coding.pairing.near_candidates(index) != 0 for index in range(len(coding.pairing.placed))]
        self._placed_cache: dict[tuple[int, ...], PlacedClasses] = {}
        self._labels: PairLabels | None = None
        self._refinements = 0
        self._useful = 0
        self._symmetry = symmetry

    def start(self) -> SearchState:
        """Nothing placed."""
        everywhere = everything(self._coding.placed_rows)
        return SearchState(everywhere, [0] * self._coding.other_rows, (), tuple(self._pairing.candidates))

    def run(self) -> bool:
        """Whether there is a mapping; raises OutOfWork or OutOfNodes at a limit."""
        stack = [iter([self.start()])]
        while stack:
            state = next(stack[-1], None)
            if state is None:
                stack.pop()
                continue
            self._count_node()
            decided = self._settle(state)
            if decided is True:
                return True
            if decided is not False:
                stack.append(self._branches(decided))
        return False

    def _count_node(self) -> None:
        self._work.spend(_STEPS_PER_NODE)
        if self._nodes is not None:
            self._nodes -= 1
            if self._nodes < 0:
                raise OutOfNodes

    def _settle(self, state: SearchState) -> SearchState | bool:
        """Place what has one candidate and refine, until a choice has to be made or the state is decided."""
        refined = False
        while True:
            if 0 in state.domains:
                return False
            if (decided := self._ends_with_partners(state)) is not None:
                return decided
            index = self._next_column(state)
            if index is None:
                return self._finish(state)
            if state.domains[index].bit_count() == 1:
                following = self._place(state, index, state.domains[index].bit_length() - 1)
                if following is None:
                    return False
                state, refined = following, False
            elif refined:
                return state if assignment(state.domains) is not None else False
            else:
                state, refined = self._refined(state), True

    def _next_column(self, state: SearchState) -> int | None:
        """The column with the fewest candidates, among these the one with most values; None if all are placed."""
        left = [one for one in range(len(state.domains)) if one not in state.order and not self._near[one]]
        if not left:
            return None
        size = self._coding.size
        best = min(left, key=lambda one: (state.domains[one].bit_count(), -size(one)))
        return self._symmetry.first_in_class(best, left)

    def _branches(self, state: SearchState) -> Iterator[SearchState]:
        if self._labels is None:
            self._labels = PairLabels(self._coding, self._ambiguous(state), state.domains, self._work)
        index = self._next_column(state)
        assert index is not None
        taken = sum(state.domains[one] for one in state.order)
        for other in bits(state.domains[index]):
            if self._symmetry.is_first_free(other, taken):
                following = self._place(state, index, other)
                if following is not None:
                    yield following

    def _ambiguous(self, state: SearchState) -> list[int]:
        """The columns that several others may stand for, all of them in one coding."""
        several = (one for one, domain in enumerate(state.domains) if domain.bit_count() > 1)
        return [one for one in several if self._coding.size(one) <= _FEW_VALUES and self._coding.is_uniform(one)]

    def _place(self, state: SearchState, index: int, other: int) -> SearchState | None:
        """The state with one more column placed; None if the rows contradict it."""
        order = (*state.order, index)
        size = self._coding.size(index)
        if order not in self._placed_cache:
            self._work.spend(2 * self._coding.placed_rows + _STEPS_PER_COLUMN)
            self._placed_cache[order] = placed_classes(state.placed, self._coding.placed(index), size)
        placed = self._placed_cache[order]
        self._work.spend(2 * self._coding.other_rows + _STEPS_PER_COLUMN)
        codes = self._coding.other(index, other)
        others = other_classes(state.others, codes, size, placed, self._exactly, self._surplus)
        if others is None:
            return None
        return SearchState(placed, others, order, self._narrowed(state, index, other))

    def _narrowed(self, state: SearchState, index: int, other: int) -> tuple[int, ...]:
        taken = ~(1 << other)
        domains = [domain & taken for domain in state.domains]
        domains[index] = 1 << other
        self._symmetry.narrow(domains, index, other)
        if self._labels is not None:
            self._labels.narrow(domains, index, other)
        return tuple(domains)

    def _refined(self, state: SearchState) -> SearchState:
        """The state without the candidates whose values meet the classes in other numbers of rows."""
        # It costs a pass over all rows: give it up where fewer than one in four was of use.
        if self._refinements > _TRIED and self._useful * 4 < self._refinements:
            return state
        domains = list(state.domains)
        seen: dict[tuple[object, int], dict[int, int]] = {}
        for index, domain in enumerate(domains):
            if not self._near[index] and domain.bit_count() > 1:
                domains[index] = self._fitting(state, index, seen)
        self._refinements += 1
        self._useful += domains != list(state.domains)
        return SearchState(state.placed, state.others, state.order, tuple(domains))

    def _fitting(self, state: SearchState, index: int, seen: dict[tuple[object, int], dict[int, int]]) -> int:
        size = self._coding.size(index)
        self._work.spend(self._coding.placed_rows)
        mine = patterns(state.placed.classes, self._coding.placed(index), size)
        fitting = 0
        for other in bits(state.domains[index]):
            key = self._pairing.code_of(index, other), other
            if key not in seen:
                self._work.spend(self._coding.other_rows)
                seen[key] = patterns(state.others, self._coding.other(index, other), size)
            if counts_agree(mine, seen[key], self._exactly, self._surplus):
                fitting |= 1 << other
        return fitting

    def _ends_with_partners(self, state: SearchState) -> bool | None:
        """The end, if each row has one possible partner: the columns left are independent. None if not so far."""
        rows = partner_rows(state.placed, state.others, self._exactly)
        if rows is None:
            return None
        domains = [
            domain if index in state.order else self._agreeing(index, domain, *rows)
            for index, domain in enumerate(state.domains)
        ]
        return assignment(domains) is not None

    def _agreeing(self, index: int, domain: int, mine: Codes, its: Codes) -> int:
        """The candidates that agree with a placed-side column in all pairs of rows."""
        self._work.spend(len(mine))
        return sum(1 << other for other in bits(domain) if self._coding.agree(index, other, mine, its))
