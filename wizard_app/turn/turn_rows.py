"""What the list says of each turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curtain.session.turns.turn_progress import TurnProgress, TurnState
from wizard_app.panels.turn_list import RowMark, TurnRow
from wizard_app.session.progress import Block, SessionProgress

_Place = tuple[bool, bool, float | None]
_ELSEWHERE: _Place = (False, False, None)
_CANCELLED = {"cancelled": "cancelled", "no_sound": "no sound", "disk_full": "disk full"}


@dataclass(frozen=True, slots=True)
class _BlockRows:
    """The rows of a block of turns, and what they were made from; None for a tap."""

    block: Block
    places: Mapping[int, _Place]
    by_number: Mapping[int, TurnRow | None]
    rows: Sequence[TurnRow]


class TurnRows:
    """The rows of the list. A row is made anew only when its turn or its place in the work has changed, and blocks in
    which nothing changed are not looked at."""

    def __init__(self) -> None:
        self._made: dict[int, _BlockRows] = {}

    def rows(
        self, progress: SessionProgress, current: int | None, correcting: bool, waiting_s: Mapping[int, float]
    ) -> list[TurnRow]:
        """One row a turn, oldest first, none for a tap. `waiting_s` tells of the turns that wait how long they have."""
        places: dict[int, _Place] = {number: (False, False, waited) for number, waited in waiting_s.items()}
        if current is not None:
            places[current] = (True, correcting, waiting_s.get(current))
        rows: list[TurnRow] = []
        for at, block in progress.all_turns.blocks.items():
            here = {number: place for number, place in places.items() if number in block}
            rows += self._block(at, block, here).rows
        return rows

    def _block(self, at: int, block: Block, places: Mapping[int, _Place]) -> _BlockRows:
        made = self._made.get(at)
        if made is None or made.block is not block or made.places != places:
            by_number = {number: _row_again(turn, places, made) for number, turn in block.items()}
            rows = [row for row in by_number.values() if row is not None]
            made = self._made[at] = _BlockRows(block, places, by_number, rows)
        return made


def _row_again(turn: TurnProgress, places: Mapping[int, _Place], made: _BlockRows | None) -> TurnRow | None:
    number = turn.number
    place = places.get(number, _ELSEWHERE)
    if made is not None and made.block.get(number) is turn and made.places.get(number, _ELSEWHERE) == place:
        return made.by_number[number]
    is_current, correcting, waited = place
    return None if turn.is_tap else _row(turn, number if is_current else None, correcting, waited)


def turn_rows(
    progress: SessionProgress, current: int | None, correcting: bool, waiting_s: Mapping[int, float]
) -> list[TurnRow]:
    """As `TurnRows.rows`, for whoever asks once."""
    return TurnRows().rows(progress, current, correcting, waiting_s)


def _row(turn: TurnProgress, current: int | None, correcting: bool, waited: float | None) -> TurnRow:
    mark, word = _standing(turn, current, correcting)
    seconds = turn.waited_s if turn.sent else waited
    return TurnRow(
        number=turn.number,
        mark=mark,
        word=word,
        seconds=f"{seconds:.0f} s" if seconds is not None else "",
        text=turn.query or _reply(turn),
        noted=bool(turn.notes),
    )


def _standing(turn: TurnProgress, current: int | None, correcting: bool) -> tuple[RowMark, str]:
    if turn.number == current:
        return (RowMark.CORRECTING, "correcting") if correcting else (RowMark.NOW, "now")
    match turn.state:
        case TurnState.SPEAKING:
            return RowMark.SPEAKING, "speaking"
        case TurnState.SAVING:
            return RowMark.WAITING, "arriving"
        case TurnState.OPEN:
            return RowMark.WAITING, "waiting"
        case TurnState.ANSWERED:
            return RowMark.ANSWERED, "answer" if len(turn.sent) == 1 else "corrected"
        case TurnState.MESSAGED:
            return RowMark.MESSAGED, "message" if len(turn.sent) == 1 else "corrected"
        case TurnState.INTERRUPTED:
            return RowMark.LEFT, "interrupted"
    return RowMark.LEFT, _CANCELLED.get(turn.cancelled or "", "cancelled")


def _reply(turn: TurnProgress) -> str:
    """Without a query, what was sent tells the turns apart."""
    last = turn.sent[-1].fact if turn.sent else None
    return getattr(last, "text", "") if last is not None else ""
