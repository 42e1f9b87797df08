"""Columns under tolerance that have no codes: which goes where, and whether all rows then find partners.

Rows are looked up in boxes wider than the tolerance; what is found there is compared exactly. A few rows, the
*witnesses*, are asked first: a mapping that leaves one of them without a partner is out.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import and_, getitem, or_

from ..bipartite import assignment, bits
from ..coding import Coding
from ..evidence import MismatchEvidence, row_of
from ..state import NOWHERE, Codes
from ..work import StepLimit
from .boxes import Scale
from .row_index import RowIndex, RowSearch, TableSide, thinning

_WITNESSES = 12
_MOST_PARTNERS = 2_000

Witness = list[list[int]]
"""For each possible partner of one row: per near column the candidates (as bits) that agree with it there."""


class NearColumns:
    """What is left of a question once all columns with codes are placed: where the near columns can go.

    `placed` and `others` are the classes of the rows, `domains` the candidates of all placed columns as bits.
    """

    def __init__(
        self,
        coding: Coding,
        evidence: MismatchEvidence,
        work: StepLimit,
        placed: Codes,
        others: Codes,
        domains: Sequence[int],
    ) -> None:
        self._evidence = evidence
        self._scale = Scale(coding.pairing.nearness.tolerance.ratio)
        self._nearness = coding.pairing.nearness
        self._exactly = coding.pairing.exactly
        self._work = work
        self._near = [one for one in range(len(coding.placed_columns)) if coding.pairing.near_candidates(one)]
        self._placed = TableSide(coding.placed_columns, placed)
        self._others = TableSide(coding.other_columns, others)
        self._domains = [domains[one] for one in self._near]
        self._indexes: dict[int | None, RowIndex] = {}

    def exists(self) -> bool:
        """Whether they can be placed so that all rows of each class find partners in it."""
        if not self._near:
            return True
        witnesses = self._ask_witnesses()
        return witnesses is not None and any(map(self._covers, self._mappings(witnesses)))

    def _ask_witnesses(self) -> list[Witness] | None:
        """What some rows allow, the domains reduced to it; None if one of them has no partner."""
        if all(domain.bit_count() == 1 for domain in self._domains):
            return []
        seekers = self._others if self._exactly else self._placed
        rows = [row for row, one in enumerate(seekers.classes) if one != NOWHERE]
        narrowing = self._most_narrowing()
        witnesses = []
        # Spread over the table, since rows that follow one another are often alike.
        for row in rows[:: max(1, len(rows) // _WITNESSES)]:
            witness = self._witness(row, narrowing)
            if witness is None:
                continue
            allowed = [reduce(or_, masks) for masks in zip(*witness, strict=True)]
            if not allowed:
                self._note_lonely(seekers, row)
                return None
            self._domains = [domain & mask for domain, mask in zip(self._domains, allowed, strict=True)]
            witnesses.append(witness)
            if all(domain.bit_count() == 1 for domain in self._domains):
                break
        return witnesses

    def _note_lonely(self, seekers: TableSide, row: int) -> None:
        cells = row_of(seekers.columns, row)
        self._evidence.note(others=cells) if self._exactly else self._evidence.note(placed=cells)

    def _witness(self, row: int, narrowing: int) -> Witness | None:
        """The possible partners of a row; None if there are too many to be worth asking.

        `narrowing` is the position of the near column in which they are looked up.
        """
        possible: set[int] = set()
        for other in bits(self._domains[narrowing]):
            possible.update(self._found(row, self._near[narrowing], other))
            if len(possible) > _MOST_PARTNERS:
                return None
        self._work.spend(10 * len(possible) * sum(domain.bit_count() for domain in self._domains) + 10)
        partners = (self._agreements(row, partner) for partner in sorted(possible))
        return [masks for masks in partners if assignment(masks) is not None]

    def _most_narrowing(self) -> int:
        """The position of the near column that thins the rows out best."""
        in_floats = [one for one in self._near if self._placed.columns[one].is_in_floats]
        columns = [self._placed.columns[one] for one in in_floats]
        best = thinning(self._placed.classes, columns, self._scale)
        return self._near.index(in_floats[best[0]]) if best else 0

    def _found(self, row: int, index: int, other: int) -> Iterable[int]:
        """The rows that may be partners as far as one pair of columns shows."""
        targets, target = (self._placed, index) if self._exactly else (self._others, other)
        seekers, seeker = (self._others, other) if self._exactly else (self._placed, index)
        key = target if self._scale.fits(targets.columns[target], seekers.columns[seeker]) else None
        if key not in self._indexes:
            self._work.spend(5 * targets.rows)
            self._indexes[key] = RowIndex(targets, key, self._scale)
        return self._indexes[key].near(seekers.classes[row], seekers.columns[seeker].numbers[row])

    def _agreements(self, seeker: int, partner: int) -> list[int]:
        mine, its = (partner, seeker) if self._exactly else (seeker, partner)
        return [
            sum(1 << other for other in bits(domain) if self._agree(index, other, mine, its))
            for index, domain in zip(self._near, self._domains, strict=True)
        ]

    def _agree(self, index: int, other: int, mine: int, its: int) -> bool:
        return self._nearness.close(self._placed.columns[index].cells[mine], self._others.columns[other].cells[its])

    def _mappings(self, witnesses: Sequence[Witness]) -> Iterator[tuple[int, ...]]:
        """The injective choices that leave each witness a partner: depth first, the column with least choice first."""
        fits = [
            {other: [_having(other, column, witness) for witness in witnesses] for other in bits(domain)}
            for column, domain in enumerate(self._domains)
        ]
        # The candidates of each column, and the partners that each witness has left (as bits).
        stack = [(self._domains, [(1 << len(witness)) - 1 for witness in witnesses])]
        while stack:
            domains, left = stack.pop()
            self._work.spend(10 * sum(map(int.bit_count, domains)) + 50)
            domains = [
                sum(1 << other for other in bits(domain) if all(map(and_, left, fits[column][other])))
                for column, domain in enumerate(domains)
            ]
            if assignment(domains) is None:
                continue
            several = [column for column, domain in enumerate(domains) if domain.bit_count() > 1]
            if not several:
                # A single candidate may still leave a witness alone together with the others.
                chosen = tuple(domain.bit_length() - 1 for domain in domains)
                if all(reduce(and_, masks) for masks in zip(*map(getitem, fits, chosen), strict=True)):
                    yield chosen
                continue
            column = min(several, key=lambda place: domains[place].bit_count())
            for other in reversed(bits(domains[column])):
                rest = [domain & ~(1 << other) for domain in domains]
                rest[column] = 1 << other
                stack.append((rest, list(map(and_, left, fits[column][other]))))

    def _covers(self, mapping: tuple[int, ...]) -> bool:
        """Whether all rows that must have a partner have one."""
        met: set[int] = set()
        if self._exactly:
            lonely = self._forth(mapping).first_lonely(range(self._others.rows), met)
            if lonely is not None:
                self._evidence.note(others=row_of(self._others.columns, lonely))
                return False
        unmet = [row for row in range(self._placed.rows) if row not in met]
        lonely = self._back(mapping).first_lonely(unmet) if unmet else None
        if lonely is not None:
            self._evidence.note(placed=row_of(self._placed.columns, lonely))
        return lonely is None

    def _back(self, mapping: tuple[int, ...]) -> RowSearch:
        return RowSearch(
            self._placed, self._near, self._others, mapping, self._nearness.close, self._nearness.tolerance, self._work
        )

    def _forth(self, mapping: tuple[int, ...]) -> RowSearch:
        return RowSearch(
            self._others,
            mapping,
            self._placed,
            self._near,
            self._nearness.close_in_reverse,
            self._nearness.tolerance,
            self._work,
        )


def _having(other: int, column: int, witness: Witness) -> int:
    """The possible partners of a witness (as bits) that agree with it where a near column goes to `other`."""
    return sum(1 << partner for partner, masks in enumerate(witness) if masks[column] >> other & 1)
