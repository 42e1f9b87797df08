"""Why a hypothesis is wrong, in a few words.

The verdict is exact; the reason is a help. It names rows under the mapping of columns that looks most likely.
"""

from __future__ import annotations

from collections.abc import Sequence

from .matching import Evidence, OutOfWork, Tolerance, columns_without_partner, first_lonely, likely_mapping
from .matching.evidence import Row, row_of
from .values import Cell, Relation

_LONGEST = 100


def why_different(hypothesis: Relation, reference: Relation, tolerance: Tolerance, evidence: Evidence) -> str:
    """Too few columns, a row missing, a row too many: why a hypothesis does not contain the reference."""
    if not hypothesis.columns:
        return f"row missing: {_row(reference, 0)}"
    if not reference.columns:
        return f"row too many: {_row(hypothesis, 0)}"
    if hypothesis.width < reference.width:
        return f"too few columns: {hypothesis.width}, the reference has {reference.width}"
    found = _told(evidence.placed, evidence.others)
    return found or _looked_up(hypothesis, reference, tolerance) or "no mapping of the columns makes all rows agree"


def _told(missing: Row | None, surplus: Row | None) -> str:
    found = [f"row missing: {_shown(missing)}"] if missing else []
    return "; ".join(found + ([f"row too many: {_shown(surplus)}"] if surplus else []))


def _looked_up(hypothesis: Relation, reference: Relation, tolerance: Tolerance) -> str:
    """The rows that have no partner under the mapping that looks most likely; empty if all have."""
    mapping = likely_mapping(reference.columns, hypothesis.columns, tolerance, placed_is_reference=True)
    shown = tuple(hypothesis.columns[one] for one in mapping)
    try:
        missing = first_lonely(reference.columns, shown, tolerance, targets_are_reference=False)
        surplus = first_lonely(shown, reference.columns, tolerance, targets_are_reference=True)
    except OutOfWork:
        return ""
    return _told(
        None if missing is None else row_of(reference.columns, missing),
        None if surplus is None else row_of(shown, surplus),
    )


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
    return _shown(row_of(relation.columns, number))


def _shown(row: Row) -> str:
    return _short(f"({' '.join(row)})")


def _cell_list(cells: Sequence[Cell]) -> str:
    return _short(", ".join(dict.fromkeys(cells[:5])))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
