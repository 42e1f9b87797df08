"""No draft is shown that the guard refuses or that does not fit the schema: each is tried, in a process of its own.
Rubbish that a drafter gave is left out before; numbers and spans are put right."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from curtain.base.terminal import without_hidden_signs
from curtain.domain.pack.reader import Pack
from curtain.domain.worker.worker import Limits, SqlWorker

from ..values import Chip, Draft, Request

SQL_CHARS = 20_000
_BECAUSE_CHARS = 200
_KEPT = 2_000
_LIMITS = Limits(interrupt_after_s=1.0, kill_after_s=1.5)


@dataclass(frozen=True)
class Checked:
    """A draft that may be shown; drafts with the same `key` are the same statement."""

    draft: Draft
    key: str


class Checks:
    """Examines drafts, remembering what it found; used from any thread."""

    def __init__(self, pack: Pack, db_path: Path) -> None:
        self._worker = SqlWorker(db_path, pack, _LIMITS, with_spare=False)
        # The child opens the database now and not at the first draft.
        self._worker.examine(["SELECT 1"])
        self._keys: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def passed(self, drafts: Sequence[Draft]) -> list[Checked]:
        """Those of the drafts that could run; waits for the child, for 1.5 s at most once it is there."""
        keys = self._known(draft.sql for draft in drafts)
        unknown = [draft.sql for draft in drafts if draft.sql not in keys]
        if unknown:
            keys |= self._examine(unknown)
        return [Checked(draft, keys[draft.sql]) for draft in drafts if draft.sql in keys]

    def close(self) -> None:
        self._worker.close()

    def _known(self, statements: Iterable[str]) -> dict[str, str]:
        with self._lock:
            return {sql: self._keys[sql] for sql in statements if sql in self._keys}

    def _examine(self, statements: Sequence[str]) -> dict[str, str]:
        """The keys of those that could run. Faults are not remembered: one may come of a child that died."""
        found = zip(statements, self._worker.examine(statements).result(), strict=True)
        keys = {sql: one.key for sql, one in found if one.fault is None}
        with self._lock:
            self._keys.update(keys)
            while len(self._keys) > _KEPT:
                self._keys.popitem(last=False)
        return keys


def sanitized(given: Iterable[object], request: Request) -> list[Draft]:
    """The drafts among what was given, at most `request.n`; each is whole, and its places are within the question."""
    drafts = (_whole(one) for one in given)
    return [_corrected(draft, request.question) for draft in drafts if draft is not None][: request.n]


def _whole(one: object) -> Draft | None:
    """The draft with each field of its type, if it has them; also no text that could not be sent."""
    if not isinstance(one, Draft):
        return None
    try:
        draft = msgspec.msgpack.decode(msgspec.msgpack.encode(one), type=Draft)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        return None
    return draft if without_hidden_signs(draft.sql).strip() and len(draft.sql) <= SQL_CHARS else None


def _corrected(draft: Draft, question: str) -> Draft:
    confidence = min(1.0, max(0.0, draft.confidence)) if math.isfinite(draft.confidence) else 0.0
    return replace(
        draft,
        # What nobody sees, as marks that turn the direction of writing, must not stand in an editor.
        sql=without_hidden_signs(draft.sql).strip(),
        confidence=confidence,
        chips=tuple(chip for chip in draft.chips if _is_placed(chip, question)),
        rests_on=_within(draft.rests_on, question),
        ignored=_within(draft.ignored, question),
        because=" ".join(without_hidden_signs(draft.because).split())[:_BECAUSE_CHARS],
    )


def _is_placed(chip: Chip, question: str) -> bool:
    return (chip.start, chip.end) == (-1, -1) or 0 <= chip.start < chip.end <= len(question)


def _within(spans: Sequence[tuple[int, int]], question: str) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start, end in spans if 0 <= start < end <= len(question))
