"""What a drafter gave, made into drafts that can be shown: rubbish is left out, numbers and spans are put right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from ..values import Chip, Draft, Request

SQL_CHARS = 20_000
_BECAUSE_CHARS = 200


def sanitized(given: Iterable[object], request: Request) -> list[Draft]:
    """The drafts among what was given, at most `request.n`; each is whole, and its places are within the question."""
    drafts = (_whole(one) for one in given)
    return [_mended(draft, request.question) for draft in drafts if draft is not None][: request.n]


def _whole(one: object) -> Draft | None:
    """The draft with each field of its type, if it has them; also no text that could not be sent."""
    if not isinstance(one, Draft):
        return None
    try:
        draft = msgspec.msgpack.decode(msgspec.msgpack.encode(one), type=Draft)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        return None
    return draft if draft.sql.strip() and len(draft.sql) <= SQL_CHARS else None


def _mended(draft: Draft, question: str) -> Draft:
    confidence = min(1.0, max(0.0, draft.confidence)) if math.isfinite(draft.confidence) else 0.0
    return replace(
        draft,
        sql=draft.sql.strip(),
        confidence=confidence,
        chips=tuple(chip for chip in draft.chips if _is_placed(chip, question)),
        rests_on=_within(draft.rests_on, question),
        ignored=_within(draft.ignored, question),
        because=" ".join(draft.because.split())[:_BECAUSE_CHARS],
    )


def _is_placed(chip: Chip, question: str) -> bool:
    return (chip.start, chip.end) == (-1, -1) or 0 <= chip.start < chip.end <= len(question)


def _within(spans: Sequence[tuple[int, int]], question: str) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start, end in spans if 0 <= start < end <= len(question))
