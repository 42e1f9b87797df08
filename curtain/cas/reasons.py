"""Why a hypothesis is wrong, in a few words.

The verdict is exact; the reason is a help. It names rows under the mapping of columns that looks most likely.
"""

from __future__ import annotations

from collections.abc import Sequence

from .matching import OutOfWork, Tolerance, columns_without_partner, first_lonely, likely_mapping
from .values import Cell, Relation

_LONGEST = 100


def why_different(hypothesis: Relation, reference: Relation, tolerance: Tolerance) -> str:
    """Too few columns, a row missing, a row too many: why a hypothesis does not contain the reference."""
    if not hypothesis.columns:
        return f"row missing: {_row(reference, 0)}"
    if not reference.columns:
        return f"row too many: {_row(hypothesis, 0)}"
    if hypothesis.width < reference.width:
        return f"too few columns: {hypothesis.width}, the reference has {reference.width}"
    mapping = likely_mapping(reference.columns, hypothesis.columns, tolerance, placed_is_reference=True)
    shown = Relation(tuple(hypothesis.columns[one] for one in mapping))
    try:
        missing = first_lonely(reference.columns, shown.columns, tolerance, targets_are_reference=False)
        surplus = first_lonely(shown.columns, reference.columns, tolerance, targets_are_reference=True)
    except OutOfWork:
        missing = surplus = None
    found = [f"row missing: {_row(reference, missing)}"] if missing is not None else []
    found += [f"row too many: {_row(shown, surplus)}"] if surplus is not None else []
    return "; ".join(found) or "rows missing or too many, however the columns are matched"


def why_beyond(hypothesis: Relation, maximum: Relation, tolerance: Tolerance) -> str:
    """What in a hypothesis goes beyond the maximum."""
    if not maximum.columns:
        return "column beyond the maximum, which is empty"
    if hypothesis.width > maximum.width:
        return f"column beyond the maximum: {hypothesis.width} columns, the maximum has {maximum.width}"
    alone = columns_without_partner(hypothesis.columns, maximum.columns, tolerance)
    if alone:
        return f"column beyond the maximum: column {alone[0] + 1}, with {_cell_list(hypothesis.columns[alone[0]])}"
    return "column beyond the maximum: the columns together are in none of its rows"


def _row(relation: Relation, number: int) -> str:
    return _short(f"({' '.join(column[number] for column in relation.columns)})")


def _cell_list(cells: Sequence[Cell]) -> str:
    return _short(", ".join(dict.fromkeys(cells[:5])))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
