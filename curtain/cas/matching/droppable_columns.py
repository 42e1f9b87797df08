"""Which columns can be dropped, judged by the pairs of rows that become one without them.

Dropping a set of columns makes one row of two exactly if they differ in nothing else. To lose as many rows as
must be lost, at least that many pairs have to differ inside the dropped set; few sets of columns pass that test.
Pairs that differ in few columns are found by their agreement elsewhere: divide the columns into one group more
than may be dropped, and two such rows agree on a whole group.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from .state import Codes
from .work import StepLimit

_MOST_PAIRS = 3_000_000
_WIDEST_FIELD = 6


@dataclass(frozen=True)
class Spare:
    """Columns of which some must be dropped: their codes, below `size`, and from each kind how many."""

    codes: Sequence[Codes]
    size: int
    kinds: Sequence[object]
    to_drop: dict[object, int]

    @property
    def number(self) -> int:
        """How many columns are to be dropped."""
        return sum(self.to_drop.values())


def differences(spare: Spare, classes: Codes, work: StepLimit) -> Counter[int] | None:
    """How many pairs of rows differ in which columns (as bits), of those that differ in few enough; None if too many.

    `classes` distinguishes rows that differ in columns which are kept in any case.
    """
    field = max(1, (spare.size - 1).bit_length())
    if field > _WIDEST_FIELD:
        return None
    rows = _packed(spare.codes, field)
    groups = _groups(len(spare.codes), spare.number + 1, field)
    buckets = [_buckets(rows, classes, group) for group in groups]
    steps = sum(len(bucket) ** 2 // 2 for found in buckets for bucket in found)
    if steps > _MOST_PAIRS:
        return None
    work.spend(steps + len(rows) * len(groups))
    counts: Counter[int] = Counter()
    for number, bucket_rows in enumerate(buckets):
        for bucket in bucket_rows:
            _count_pairs(bucket, groups[:number], spare, field, counts)
    return _by_column(counts, field, len(spare.codes))


def _packed(columns: Sequence[Codes], field: int) -> list[int]:
    """Each row as one number, with a field of bits for each column."""
    rows = [0] * len(columns[0])
    for column in reversed(columns):
        rows = [row << field | code for row, code in zip(rows, column, strict=True)]
    return rows


def _groups(columns: int, number: int, field: int) -> list[int]:
    """The columns dealt out to so many groups, each as the bits of their fields."""
    full = (1 << field) - 1
    return [sum(full << field * column for column in range(group, columns, number)) for group in range(number)]


def _buckets(rows: list[int], classes: Codes, group: int) -> list[list[int]]:
    """The rows that agree in class and group, where there are two or more."""
    by_classes: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for row, row_class in zip(rows, classes, strict=True):
        by_classes[row_class, row & group].append(row)
    return [bucket for bucket in by_classes.values() if len(bucket) > 1]


def _count_pairs(bucket: list[int], earlier: list[int], spare: Spare, field: int, counts: Counter[int]) -> None:
    """Count the pairs of a bucket that differ in few columns, unless they met in an earlier group already."""
    most, low_bits = spare.number, sum(1 << field * column for column in range(len(spare.codes)))
    for position, row in enumerate(bucket):
        few = [found for found in map(row.__xor__, bucket[position + 1 :]) if found.bit_count() <= most * field]
        for difference in few:
            if all(map(difference.__and__, earlier)):
                # Each field folded onto its lowest bit: one bit for each column that differs.
                low = difference
                for shift in range(1, field):
                    low |= difference >> shift
                counts[low & low_bits] += 1


def _by_column(counts: Counter[int], field: int, columns: int) -> Counter[int]:
    """The same counts, with one bit for each column."""
    tally: Counter[int] = Counter()
    for difference, count in counts.items():
        tally[sum(1 << column for column in range(columns) if difference >> field * column & 1)] += count
    return tally


@dataclass(frozen=True)
class _Choice:
    """The columns decided so far, and the pairs that may still become one row."""

    dropped: int
    to_drop: dict[object, int]
    pairs: list[tuple[int, int]]
    total: int


def droppable(spare: Spare, pairs: Counter[int], lost: int, work: StepLimit) -> Iterator[int]:
    """The sets of columns (as bits) without which `lost` rows or more may be lost, given the `differences`.

    Depth first over the columns, those first in which most pairs differ; cut where too few pairs are left.
    """
    few = [(mask, count) for mask, count in pairs.items() if mask.bit_count() <= spare.number]
    order = sorted(range(len(spare.codes)), key=lambda one: -sum(count for mask, count in few if mask >> one & 1))
    stack = [(0, _Choice(0, spare.to_drop, few, sum(count for _, count in few)))]
    while stack:
        depth, choice = stack.pop()
        work.spend(len(choice.pairs) + 30)
        # Each further column that is kept only takes pairs away.
        if choice.total < lost:
            continue
        if depth == len(order):
            if not any(choice.to_drop.values()):
                yield choice.dropped
            continue
        column, kind = order[depth], spare.kinds[order[depth]]
        kept = [pair for pair in choice.pairs if not pair[0] >> column & 1]
        total = sum(map(itemgetter(1), kept))
        stack.append((depth + 1, _Choice(choice.dropped, choice.to_drop, kept, total)))
        if choice.to_drop[kind]:
            left = {**choice.to_drop, kind: choice.to_drop[kind] - 1}
            dropped, most = choice.dropped | 1 << column, sum(left.values())
            # A pair that differs in more columns than may still be dropped stays two rows.
            near = [pair for pair in choice.pairs if (pair[0] & ~dropped).bit_count() <= most]
            stack.append((depth + 1, _Choice(dropped, left, near, sum(map(itemgetter(1), near)))))
