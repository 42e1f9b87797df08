"""Who sits at a session, in words."""

from curtain.qt.languages.translation import translate
from curtain.session.chairs.table import ChairTable
from curtain.session.roles import Chair


def chair_names() -> dict[Chair, str]:
    """What each chair is called on a screen."""
    return {
        "wizard": translate("Chairs", "wizard"),
        "transcriber": translate("Chairs", "transcriber"),
        "answerer": translate("Chairs", "answerer"),
        "observer": translate("Chairs", "observer"),
    }


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
