"""Values with units, in our own dialect: `5000[lb]`. Numbers are converted within a dimension before they are compared.

Source: papers/000, section 3.1; papers/001, appendix A. Needs pint to convert; without it only equal units agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from importlib import import_module
from itertools import product

from .notation.cells import LONGEST, number_cell, unit_of
from .notation.literals import NOT_FINITE
from .values import NIL, Alternatives, Answer, Cell, Relation, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARK = f"{NOT_FINITE}["
"""How the cells begin that say the dimension of a column, in a row of their own."""

WITHOUT_PINT = "Units that differ are converted with pint only: install it with “pip install curtain-woz[units]”."


def with_units(table: Relation, units: Iterable[str | None]) -> Relation:
    """The table with these units, one for each column, on its numbers; None or "" is none."""
    columns = zip(table.columns, units, strict=True)
    return Relation(tuple(_with_unit(cells, unit) if unit else cells for cells, unit in columns), table.mixes_types)


def _with_unit(cells: tuple[Cell, ...], unit: str) -> tuple[Cell, ...]:
    return tuple([f"{cell}[{unit}]" if cell[0] in "-0123456789" else cell for cell in cells])


def has_units(answer: Answer | None) -> bool:
    """Whether any value of an answer has a unit."""
    if isinstance(answer, Alternatives):
        return any(map(has_units, answer.answers))
    return any(_units(_columns(answer)))


def _columns(answer: Answer | None) -> tuple[tuple[Cell, ...], ...]:
    if isinstance(answer, Scalar):
        return ((answer.cell,),)
    return answer.columns if isinstance(answer, Relation) else ()


def _units(columns: tuple[tuple[Cell, ...], ...]) -> list[str]:
    """The unit of each column: that of its values, of which the notation allows one."""
    return [next((unit for cell in cells if cell != NIL and (unit := unit_of(cell))), "") for cells in columns]


class SameUnits:
    """A hypothesis and what it is compared with, in the units of the latter, where both have units; else without any.

    With units each table has a row in front that says the dimension of each column, so that only columns of one
    dimension can stand for one another. Where one side has no units, its numbers count as in those of the other.
    """

    def __init__(self, hypothesis: Scalar | Relation, wanted: Scalar | Relation) -> None:
        self.have_units = has_units(hypothesis) and has_units(wanted)
        self._unit_of: dict[str, str] = {}
        for unit in _units(_columns(wanted)) if self.have_units else ():
            self._unit_of.setdefault(_dimension(unit), unit)
        self._written = _units(_columns(hypothesis))
        self.hypothesis, self.wanted = map(self._marked if self.have_units else _plain, (hypothesis, wanted))

    @property
    def lacking(self) -> str:
        """That no column of the hypothesis is in a unit, nor in one that measures the same; empty if all are there."""
        marks = {cells[0] for cells in self.hypothesis.columns}
        units = [unit for name, unit in self._unit_of.items() if f"{MARK}{name}]}}" not in marks]
        if not units:
            return ""
        for unit, written in product(filter(None, units), self._written):
            if _letters(unit) == _letters(written):
                return f"no column is in {unit}; “{written}” is written otherwise: did you mean “{unit}”?"
        return f"no column is {f'in {units[0]}' if units[0] else 'without a unit'}"

    def _marked(self, answer: Scalar | Relation) -> Relation:
        columns = _columns(answer)
        return Relation(tuple(map(self._marked_column, columns, _units(columns))), _mixes(answer))

    def _marked_column(self, cells: tuple[Cell, ...], unit: str) -> tuple[Cell, ...]:
        dimension = _dimension(unit)
        wanted = self._unit_of.get(dimension, unit)
        return (f"{MARK}{dimension}]}}", *(_converted(cell, unit, wanted) for cell in cells))


def _letters(unit: str) -> str:
    """What slips of a pen leave of a unit: not its case, its points, nor the ending of a plural."""
    return re.sub(r"\W", "", unit).casefold().rstrip("s") or unit.casefold()


def _plain(answer: Scalar | Relation) -> Relation:
    return Relation(tuple(map(_without_unit, _columns(answer))), _mixes(answer))


def _without_unit(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return tuple([cell.partition("[")[0] if unit_of(cell) else cell for cell in cells])


def _mixes(answer: Answer) -> bool:
    return isinstance(answer, Relation) and answer.mixes_types


def differ_without_pint(answers: Iterable[Answer]) -> bool:
    """Whether units of some answers differ, and nothing here can convert them."""
    units = {unit for answer in answers for unit in _units(_columns(answer))} - {""}
    return len(units) > 1 and _registry() is None


def _converted(cell: Cell, unit: str, wanted: str) -> Cell:
    if not unit_of(cell):
        return cell
    number = cell.partition("[")[0]
    if unit == wanted:
        return number
    registry = _registry()
    assert registry is not None  # units are of one dimension by name alone without it
    text = format(registry.Quantity(Decimal(number), unit).to(wanted).magnitude, "f")
    return number_cell(text if "." in text else f"{text}.0") or number


@lru_cache(maxsize=256)
def _dimension(unit: str) -> str:
    """What a unit measures, as a name; the unit itself where that is not known, as of currencies and without pint."""
    registry = _registry() if unit else None
    if registry is None:
        return unit
    try:
        # Not for decibels, which need floats, nor where powers make the factor too large: those are not converted.
        factor = registry.Quantity(Decimal(1), unit).to_base_units().magnitude
        return str(registry.Unit(unit).dimensionality) if -LONGEST < factor.adjusted() < LONGEST else unit
    except Exception:  # pint has errors of many kinds for what is no unit of its own
        return unit


@lru_cache(maxsize=1)
def _registry() -> Any:
    """pint's units, in decimals; None without pint. Loading takes half a second, so only a unit asks for it."""
    try:
        pint = import_module("pint")
    except ImportError:
        return None
    return pint.UnitRegistry(non_int_type=Decimal)
