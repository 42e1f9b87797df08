"""The earlier sessions of a study in one line each, and what they mean for a new one."""

from collections.abc import Sequence
from dataclasses import dataclass

from curtain.link.messages import Hello


@dataclass(frozen=True)
class SessionRow:
    """One earlier session in one line. `problem` is a plain sentence if it cannot be read; `done` are the ids of the
    scenarios that ended in it, `lab_speaker_id` is the laboratory's own id of the speaker, "" where there is none."""

    session_id: str
    closed: bool
    begun: str
    turns: int
    pilot: bool = False
    problem: str = ""
    identity: str = ""
    done: tuple[str, ...] = ()
    lab_speaker_id: str = ""


def problem_of(hello: Hello | None, rows: Sequence[SessionRow]) -> str:
    """Why no session can begin with the station of this hello, or an empty text; `rows` are the study's sessions.

    A station that is at work in another session would be refused by a new one.
    """
    if hello is None or not hello.session_id or not hello.bound:
        return ""
    # The identity of a damaged session is unknown.
    held = next((row for row in rows if (row.session_id, row.identity or hello.identity) == hello.session), None)
    if held is None:
        return (
            f"The subject’s station still belongs to session {hello.session_id} of another study. "
            "End or resume it there first, or start the subject’s station again."
        )
    if held.closed:
        return ""  # said before it ended: the station leaves it by itself
    return (
        f"The subject’s station still belongs to session {hello.session_id}. "
        "Resume it first, or start the subject’s station again."
    )
