"""Rules beside those of the CAS, as benchmarks of SQL use them: order, duplicates, absolute tolerance, case, text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from .errors import CasError
from .notation.cells import LONGEST, number_cell
from .notation.literals import in_mixed_column, types_among
from .values import Cell, Relation

_ANY_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,9})?", re.ASCII)

_SORT_KEY = re.compile(r"\s*([1-9]\d{0,8})(?:\s+(asc|desc)(?:ending)?)?\s*", re.ASCII | re.IGNORECASE)


def sort_keys(text: str) -> tuple[tuple[int, bool], ...]:
    """The keys in a text such as `2 desc, 1`: columns of the reference, from 0, and whether each is descending.

    Raises CasError with one sentence for any other text. An empty text has no keys.
    """
    text = str(text)  # a caller may give the number of one column
    keys = [_SORT_KEY.fullmatch(part) for part in text.split(",")] if text.strip() else []
    columns = [int(key[1]) - 1 for key in keys if key]
    if len(set(columns)) < len(keys):
        raise CasError(f"The order {text!r} names no columns of the reference by number, each once; “2 desc, 1” would.")
    return tuple((column, (key[2] or "").lower() == "desc") for column, key in zip(columns, keys, strict=True) if key)


class RowRule(Enum):
    """What rows are to a table: a set, as in the CAS; a multiset, whose duplicates count; or a sequence."""

    SET = "set"
    MULTISET = "multiset"
    ORDERED = "ordered"


class ColumnRule(Enum):
    """What columns beyond the reference's are: free, as in the CAS, or wrong."""

    FREE = "free"
    EXACT = "exact"


@dataclass(frozen=True)
class Options:
    """How a comparison departs from the CAS; the defaults are the CAS.

    `ties`: with `ORDERED`, one value for each row of the reference. Neighbours with equal values, as an ORDER BY leaves
    them, may stand in any order. Without it each row has its place.
    `absolute`: a number is right also if it is this near the reference and one of the two has a decimal point.
    `sorted_by`: the order that was asked for (000, section 3.3), such as `2 desc, 1`. Columns are numbered as in the
    reference, whose own order does not matter; rows that are equal in these keys may stand in any order, NIL stands
    first or last. Duplicates count with `MULTISET` and `ORDERED`, and then `ties` do not.
    `ignore_case`: strings are equal in any case. `text_numbers`: a string that is a number counts as the number.
    """

    rows: RowRule = RowRule.SET
    ties: Sequence[object] | None = None
    absolute: Decimal | str | float = "0"
    ignore_case: bool = False
    text_numbers: bool = False
    columns: ColumnRule = ColumnRule.FREE
    sorted_by: str = ""

    def __post_init__(self) -> None:
        # A rule may be given by its name; any other value would count as some rule in silence.
        for name, rules in (("rows", RowRule), ("columns", ColumnRule)):
            try:
                object.__setattr__(self, name, rules(getattr(self, name)))
            except ValueError:
                names = " or ".join(rule.value for rule in rules)
                raise CasError(f"There is no rule {getattr(self, name)!r} for {name}; choose {names}.") from None

    def normal(self, table: Relation) -> Relation:
        """The table as these options read its strings; a column that then holds several types has no reals."""
        if not (self.ignore_case or self.text_numbers or table.mixes_types):
            return table
        return Relation(tuple(map(self._normal_column, table.columns)))

    def places(self, height: int) -> list[int] | None:
        """For each row of a reference of this height the number of its place; rows of one place may change places.

        None if rows are a set. Raises CasError if there are not as many ties as rows.
        """
        if self.rows is RowRule.SET:
            return None
        if self.rows is RowRule.MULTISET or self.sorted_by:
            return [0] * height
        if self.ties is None:
            return list(range(height))
        if len(self.ties) != height:
            raise CasError(f"There are {len(self.ties)} ties for {height} rows of the reference; give one for each.")
        # By neighbours, not by value: the same value further down would be another place.
        places: list[int] = []
        for row, tie in enumerate(self.ties):
            places.append(places[-1] + (tie != self.ties[row - 1]) if row else 0)
        return places

    def keys(self, width: int) -> tuple[tuple[int, bool], ...]:
        """The keys of `sorted_by` for a reference of so many columns; none of the empty table.

        Raises CasError if the reference has no such column.
        """
        keys = sort_keys(self.sorted_by)
        beyond = max((column + 1 for column, _ in keys), default=0)
        if width and beyond > width:
            raise CasError(f"the order names column {beyond}, the reference has {width}")
        return keys if width else ()

    def _normal_column(self, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        if self.ignore_case:
            cells = tuple([cell.casefold() if cell[0] == '"' else cell for cell in cells])
        if self.text_numbers:
            cells = tuple([(cell[0] == '"' and _number_in_text(cell[1:-1])) or cell for cell in cells])
        # A number beside another type makes a column of two types, which compares exactly.
        return tuple(map(in_mixed_column, cells)) if len(types_among(cells)) > 1 else cells


def _number_in_text(text: str) -> Cell | None:
    """The number that a string is, also as databases and programs print it: `.5`, `1e3`, which is a real."""
    if (cell := number_cell(text)) or not _ANY_NUMBER.fullmatch(text):
        return cell
    number = Decimal(text)
    # An exponent of a billion would be written out.
    if abs(number.adjusted()) > LONGEST:
        return None
    digits = format(number, "f")
    return number_cell(digits if "." in digits else f"{digits}.")
