"""What the list says of each turn."""

from __future__ import annotations

from collections.abc import Mapping

from curtain.session.turns.turn_progress import TurnProgress, TurnState
from wizard_app.panels.turn_list import RowMark, TurnRow
from wizard_app.session.progress import SessionProgress

_Place = tuple[bool, bool, float | None]
_Made = tuple[TurnProgress, _Place, TurnRow]
_CANCELLED = {"cancelled": "cancelled", "no_sound": "no sound", "disk_full": "disk full"}


class TurnRows:
    """The rows of the list. A row is made anew only when its turn or its place in the work has changed."""

    def __init__(self) -> None:
        self._made: dict[int, _Made] = {}

    def rows(
        self, progress: SessionProgress, current: int | None, correcting: bool, waiting_s: Mapping[int, float]
    ) -> list[TurnRow]:
        """One row a turn, oldest first, none for a tap. `waiting_s` tells of the turns that wait how long they have."""
        turns = [turn for turn in progress.in_order if not turn.is_tap]
        return [self._row(turn, (turn.number == current, correcting, waiting_s.get(turn.number))) for turn in turns]

    def _row(self, turn: TurnProgress, place: _Place) -> TurnRow:
        made = self._made.get(turn.number)
        if made is None or made[0] is not turn or made[1] != place:
            is_current, correcting, waited = place
            row = _row(turn, turn.number if is_current else None, correcting, waited)
            made = self._made[turn.number] = (turn, place, row)
        return made[2]


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
