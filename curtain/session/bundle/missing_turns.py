"""Turns that the wizard's journal speaks of and the copy of the subject's journal does not hold."""

from collections.abc import Iterable

from curtain.session.journal.lines import JournalEntry
from curtain.session.study.ids import is_turn_number


def missing_turns(wizard: Iterable[JournalEntry], subject: Iterable[JournalEntry]) -> tuple[int, ...]:
    """Their numbers, rising.

    The wizard's station learns of a turn from a line that is safe in its copy. So a turn without any line there was in
    the copy once, and the copy was emptied, cut or restored from an older one.
    """
    held = {entry.turn for entry in subject}
    named = {entry.turn for entry in wizard if entry.turn is not None and is_turn_number(entry.turn)}
    return tuple(sorted(named - held))


def turns_in_words(turns: Iterable[int]) -> str:
    """“turn 4” or “turns 1, 2, 4”."""
    numbers = [str(turn) for turn in turns]
    return f"turn{'' if len(numbers) == 1 else 's'} {', '.join(numbers)}"
