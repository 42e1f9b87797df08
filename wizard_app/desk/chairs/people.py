"""Who sits at a session and for whom a question waits, in words."""

from __future__ import annotations

from collections.abc import Sequence

from curtain.qt.languages.translation import translate
from curtain.session.chairs.table import ChairTable, TurnPart
from curtain.session.roles import MAY_HOLD, Chair
from curtain.session.turns.turn_progress import TurnProgress
from wizard_app.desk.session.progress import SessionProgress


def chair_names() -> dict[Chair, str]:
    """What each chair is called on a screen."""
    return {
        "wizard": translate("Chairs", "wizard"),
        "transcriber": translate("Chairs", "transcriber"),
        "answerer": translate("Chairs", "answerer"),
        "observer": translate("Chairs", "observer"),
    }


def people_at(chairs: ChairTable, turn: TurnProgress) -> list[str]:
    """Who holds the next part of a turn, or may take it: a whole desk leaves it to the chair that is there for it."""
    if (holder := chairs.state(TurnPart(turn.number, turn.next_part)).holder) is not None:
        return [holder]
    may = {person: chair for person, chair in chairs.chairs.items() if turn.next_part in MAY_HOLD[chair]}
    return sorted(person for person, chair in may.items() if chair != "wizard") or sorted(may)


def question_elsewhere(progress: SessionProgress, leaving: Sequence[int]) -> str:
    """“Turn 4 is with kim”: where the question is that has waited longest without a reply; "" if none waits."""
    turn = next((turn for turn in progress.open_turns if turn.number not in leaving), None)
    if turn is None:
        return ""
    people = people_at(progress.chairs, turn)
    words = translate("Chairs", "Turn {0} is with {1}") if people else translate("Chairs", "Turn {0} has no reply yet")
    return words.format(turn.number, ", ".join(people))


def people_in_words(chairs: ChairTable, who: str) -> str:
    """“You: answerer · kim: transcriber, turn 4”, or an empty text for somebody alone."""
    if len(chairs.chairs) < 2:
        return ""
    names = chair_names()
    words = []
    for person, chair in sorted(chairs.chairs.items(), key=lambda one: one[0] != who):
        name = translate("Chairs", "You") if person == who else person
        held = sorted({what.turn for what in chairs.held_by(person)})
        at = translate("Chairs", "turn {0}").format(", ".join(map(str, held))) if held else ""
        words.append(", ".join(filter(None, (f"{name}: {names[chair]}", at))))
    return "  ·  ".join(words)
