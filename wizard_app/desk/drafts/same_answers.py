"""Drafts that give the same answer are one to choose from. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curtain.drafting.service import Preview
from curtain.drafting.values import Draft

# Two questions have one of these as their answer by chance too often.
_SAY_LITTLE = frozenset({"", "0", "Yes", "No", "true", "false"})

_Value = tuple[tuple[str, ...], ...]


def repeated(drafts: Sequence[Draft], previews: Mapping[str, Preview]) -> dict[int, int]:
    """For the number of each draft whose answer a better one gives too: the number of that one, counted from 1.

    The better is the surer, and of two that are equally sure the earlier.
    """
    by_value: dict[_Value, list[int]] = {}
    for number, draft in enumerate(drafts, 1):
        value = _value(previews.get(draft.sql))
        if value is not None:
            by_value.setdefault(value, []).append(number)
    best = {
        value: max(numbers, key=lambda one: (drafts[one - 1].confidence, -one)) for value, numbers in by_value.items()
    }
    return {one: best[value] for value, numbers in by_value.items() for one in numbers if one != best[value]}


def _value(preview: Preview | None) -> _Value | None:
    """The whole answer, whatever its order; None if it is not known whole or says too little to compare by."""
    if preview is None or not preview.rows or preview.total != len(preview.rows):
        return None
    if len(preview.rows) == 1 and len(preview.rows[0]) == 1 and preview.rows[0][0] in _SAY_LITTLE:
        return None
    return tuple(sorted(preview.rows))
