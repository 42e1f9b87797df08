"""What the list says of each turn."""

from __future__ import annotations

from collections.abc import Mapping

from wizard_app.progress import Progress, Turn, TurnState
from wizard_app.turn_list import Mark, TurnRow

_CANCELLED = {"cancelled": "cancelled", "no_sound": "no sound", "disk_full": "disk full"}


def turn_rows(
    progress: Progress, current: int | None, correcting: bool, waiting_s: Mapping[int, float]
) -> list[TurnRow]:
    """One row a turn, oldest first, none for a tap. `waiting_s` tells of the turns that wait how long they have."""
    turns = [turn for turn in progress.in_order if not turn.too_short]
    return [_row(turn, current, correcting, waiting_s.get(turn.number)) for turn in turns]


def _row(turn: Turn, current: int | None, correcting: bool, waited: float | None) -> TurnRow:
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


def _standing(turn: Turn, current: int | None, correcting: bool) -> tuple[Mark, str]:
    if turn.number == current:
        return (Mark.CORRECTING, "correcting") if correcting else (Mark.NOW, "now")
    match turn.state:
        case TurnState.SPEAKING:
            return Mark.SPEAKING, "speaking"
        case TurnState.SAVING:
            return Mark.WAITING, "arriving"
        case TurnState.OPEN:
            return Mark.WAITING, "waiting"
        case TurnState.ANSWERED:
            return Mark.ANSWERED, "answer" if len(turn.sent) == 1 else "corrected"
        case TurnState.MESSAGED:
            return Mark.MESSAGED, "message" if len(turn.sent) == 1 else "corrected"
        case TurnState.INTERRUPTED:
            return Mark.LEFT, "interrupted"
    return Mark.LEFT, _CANCELLED.get(turn.cancelled or "", "cancelled")


def _reply(turn: Turn) -> str:
    """Without a query, what was sent tells the turns apart."""
    last = turn.sent[-1].fact if turn.sent else None
    return getattr(last, "text", "") if last is not None else ""
