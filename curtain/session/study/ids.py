"""Names of speakers, sessions and utterances: fixed width, `a-z0-9` and `-`, so they are safe as file names."""

import re
import string
from collections.abc import Collection
from itertools import chain
from typing import TypeGuard

from curtain.base.errors import CurtainError
from curtain.base.words import without_accents

_SIGNS = string.digits + string.ascii_lowercase
_SPEAKER = re.compile(r"[a-z0-9]{3}")
_SESSION = re.compile(r"([a-z0-9]{3})-([0-9]{2})")
_UTTERANCE = re.compile(r"([a-z0-9]{3}-[0-9]{2})-([0-9]{3})")

# With the identity, as in the name of a spool, and the turn.
_NAMED = re.compile(r"(?<![0-9A-Za-z])[a-z0-9]{3}-[0-9]{2}(?:-[0-9a-f]{32})?(-[0-9]{3})?(?![0-9A-Za-z])")

# As laboratories write them: vp12, P-007, kim.2026. It stands in files and never in their names.
_LAB = re.compile(r"[^\W_][\w.-]{0,31}")

LONGEST_LAB_ID = 32
LAST_SESSION = 99
LAST_TURN = 999
# A number that is passed to a Qt signal has 31 bits at most.
_LARGEST_TURN = 2**31 - 1


class BadId(CurtainError):
    """A speaker, session or utterance id that breaks the rule; the sentence says the rule."""


def speaker_id(text: str) -> str:
    """`text` itself if it is a speaker id: three of a-z and 0-9. Raises BadId."""
    if not _SPEAKER.fullmatch(text):
        raise BadId(f"The speaker id {text!r} cannot be used: take three of a-z and 0-9, for example e00.")
    return text


def is_short(text: str) -> bool:
    """Whether this is a speaker id as files bear it: three of a-z and 0-9."""
    return _SPEAKER.fullmatch(text) is not None


def is_lab_id(text: str) -> bool:
    """Whether this can be a laboratory's own id: up to 32 letters, digits, “.”, “_” and “-”."""
    return _LAB.fullmatch(text) is not None


def short_id(lab_id: str, taken: Collection[str]) -> str:
    """The speaker id that files bear for a laboratory's own id: its first sign and its last two, or the next free one.

    `short_id("vp12", ())` is `"v12"`. Raises BadId if none is free.
    """
    signs = [sign for sign in without_accents(lab_id.casefold()) if sign in _SIGNS] or ["s"]
    wished = (signs[0] + "".join(signs[1:])[-2:].rjust(2, "0"),)
    others = (first + second + third for first in (signs[0], *_SIGNS) for second in _SIGNS for third in _SIGNS)
    free: str | None = next((one for one in chain(wished, others) if one not in taken), None)
    if free is None:
        raise BadId("All speaker ids of three characters are taken; begin a new study.")
    return free


def session_id(speaker: str, number: int) -> str:
    """`session_id("e00", 1)` is `"e00-01"`. Numbers run from 1 to 99. Raises BadId."""
    if not 1 <= number <= LAST_SESSION:
        # Fixed width, since the id is a file name and sorts by it.
        raise BadId(
            f"Speaker {speaker} cannot have a session {number}: sessions run from 1 to {LAST_SESSION}. "
            "Take a new speaker id."
        )
    return f"{speaker_id(speaker)}-{number:02}"


def utterance_id(session: str, turn: int) -> str:
    """`utterance_id("e00-01", 7)` is `"e00-01-007"`. Turns run from 1 to 999. Raises BadId."""
    split_session_id(session)
    if not 1 <= turn <= LAST_TURN:
        raise BadId(f"Session {session} cannot have a turn {turn}: turns run from 1 to {LAST_TURN}.")
    return f"{session}-{turn:03}"


def split_session_id(session: str) -> tuple[str, int]:
    """Speaker and number of a session id. Raises BadId."""
    parts = _SESSION.fullmatch(session)
    if parts is None or parts[2] == "00":
        raise BadId(f"{session!r} is not a session id such as e00-01.")
    return parts[1], int(parts[2])


def split_utterance_id(utterance: str) -> tuple[str, int]:
    """Session id and turn of an utterance id. Raises BadId."""
    parts = _UTTERANCE.fullmatch(utterance)
    if parts is None or parts[2] == "000":
        raise BadId(f"{utterance!r} is not an utterance id such as e00-01-007.")
    return parts[1], int(parts[2])


def is_turn_number(number: int | None) -> TypeGuard[int]:
    """Whether a line with this number opens a turn, whatever it holds: also a damaged line is about a turn."""
    return number is not None and 0 < number <= _LARGEST_TURN


def without_ids(text: str) -> str:
    """The text with “(id)” for each id of a session or utterance; the number of the turn stays.

    `without_ids("take e00-01-007.wav")` is `"take (id)-007.wav"`.
    """
    return _NAMED.sub(lambda found: "(id)" + (found[1] or ""), text)
