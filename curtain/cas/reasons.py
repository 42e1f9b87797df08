"""Why a hypothesis is wrong, in a few words.

The verdict is exact; the reason is a help. It names rows under the mapping of columns that looks most likely.
"""

from collections.abc import Sequence

from .matching import (
    CellColumn,
    MismatchEvidence,
    OutOfWork,
    StepLimit,
    Tolerance,
    columns_without_partner,
    contains,
    first_lonely,
    likely_mapping,
)
from .matching.evidence import Row, row_of
from .notation.literals import as_written

Columns = Sequence[CellColumn]

_LONGEST = 100
_TOGETHER = "column beyond the maximum: the columns fit one by one, but not together"


def why_different(hypothesis: Columns, reference: Columns, tolerance: Tolerance, evidence: MismatchEvidence) -> str:
    """Too few columns, a row missing, a row too many: why a hypothesis does not contain the reference."""
    if not hypothesis:
        return _rows_in_words(row_of(reference, 0), None)
    if not reference:
        return _rows_in_words(None, row_of(hypothesis, 0))
    if len(hypothesis) < len(reference):
        return f"too few columns: {len(hypothesis)}, the reference has {len(reference)}"
    differences = _rows_in_words(evidence.placed, evidence.others)
    return (
        differences or _looked_up(hypothesis, reference, tolerance) or "no mapping of the columns makes all rows agree"
    )


def why_rows_differ(hypothesis: Columns, reference: Columns, tolerance: Tolerance, places: Sequence[int] | None) -> str:
    """Why rows that are paired do not agree: their number, their order, or what a comparison of sets says."""
    if not hypothesis or not reference or len(hypothesis) < len(reference):
        return why_different(hypothesis, reference, tolerance, MismatchEvidence())
    heights = (len(hypothesis[0].cells), len(reference[0].cells))
    if places is not None and heights[0] != heights[1]:
        return f"{heights[0]} rows, the reference has {heights[1]}"
    if tolerance.absolute:
        return "no mapping of the columns makes all rows agree"
    try:
        if not contains(hypothesis, reference, True, tolerance, MismatchEvidence(), StepLimit()):
            return why_different(hypothesis, reference, tolerance, MismatchEvidence())
    except OutOfWork:
        return "no mapping of the columns makes all rows agree"
    if len(set(places or ())) < 2:
        return "the same rows, but not each of them as often as in the reference"
    return "the same rows, but not in the order of the reference"


def _rows_in_words(missing: Row | None, surplus: Row | None) -> str:
    sentences = [f"row missing: {_shown(missing)}"] if missing else []
    return "; ".join(sentences + ([f"row too many: {_shown(surplus)}"] if surplus else []))


def _looked_up(hypothesis: Columns, reference: Columns, tolerance: Tolerance) -> str:
    """The rows that have no partner under the mapping that looks most likely; empty if all have."""
    # The search may have ended before it came to whole rows; then the likeliest mapping gives a row to show.
    mapping = likely_mapping(reference, hypothesis, tolerance, placed_is_reference=True)
    shown = [hypothesis[one] for one in mapping]
    try:
        missing = first_lonely(reference, shown, tolerance, targets_are_reference=False)
        surplus = first_lonely(shown, reference, tolerance, targets_are_reference=True)
    except OutOfWork:
        return ""
    return _rows_in_words(
        None if missing is None else row_of(reference, missing), None if surplus is None else row_of(shown, surplus)
    )


def why_beyond(hypothesis: Columns, maximum: Columns, tolerance: Tolerance, evidence: MismatchEvidence) -> str:
    """Which column, or which row, of a hypothesis goes beyond the maximum."""
    if not maximum:
        return "column beyond the maximum, which is empty"
    alone = columns_without_partner(hypothesis, maximum, tolerance)
    if alone:
        return f"column beyond the maximum: column {alone[0] + 1}, with {_some(hypothesis[alone[0]])}"
    if len(hypothesis) > len(maximum):
        return f"column beyond the maximum: {len(hypothesis)} columns, the maximum has {len(maximum)}"
    row = evidence.placed or _beyond(hypothesis, maximum, tolerance)
    return f"column beyond the maximum: none of its rows holds {_shown(row)}" if row else _TOGETHER


def _beyond(hypothesis: Columns, maximum: Columns, tolerance: Tolerance) -> Row | None:
    """A row that the maximum lacks under the mapping that looks most likely."""
    mapping = likely_mapping(hypothesis, maximum, tolerance, placed_is_reference=False)
    try:
        row = first_lonely(hypothesis, [maximum[one] for one in mapping], tolerance, targets_are_reference=True)
    except OutOfWork:
        return None
    return None if row is None else row_of(hypothesis, row)


def _shown(row: Row) -> str:
    return _short(f"({' '.join(map(as_written, row))})")


def _some(column: CellColumn) -> str:
    return _short(", ".join(map(as_written, dict.fromkeys(column.cells[:5]))))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
