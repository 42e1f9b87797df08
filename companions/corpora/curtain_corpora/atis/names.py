"""Names of files: `<XXX><UU><S><M><P>.<TYPE>` in base 36 (ATIS3 file specification, 20 Jul 1994).

XXX is the speaker, UU the query, S the scenario-session, M the speaking mode and P the microphone. Query `00` stands
for the whole scenario-session. The names of ATIS0 (two characters for the speaker, three for the query) read alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from curtain.base.errors import CurtainError

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# One digit from 1 to z; 0 is no session.
LAST_SESSION = 35
LAST_QUERY = 36**2 - 1
LAST_SPEAKER = 36**3 - 1
WHOLE_SESSION = "00"
ALL_MICROPHONES = "x"
MODES = {"s": "spon", "v": "vspn", "r": "read", "c": "read"}
TYPES = ("log", "wav", "sro", "lsn", "cat", "win", "sql", "sq2", "ref", "rf2", "squ", "com")

# Discs hold names in capitals and with a version; `000` for the whole session is in the ATIS2 specification.
_NAME = re.compile(r"([0-9a-z]{3})(000|[0-9a-z]{2})([1-9a-z])([srcv])([scx])\.([0-9a-z]{1,5})(?:;[0-9]+)?", re.I | re.A)


def base36(number: int, width: int) -> str:
    """`base36(14, 2)` is `"0e"`. Raises CurtainError if the number needs more digits."""
    if not 0 <= number < 36**width:
        raise CurtainError(f"The number {number} does not fit into {width} base-36 digits of a name in the ATIS tree.")
    text = ""
    for _ in range(width):
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
    return text


def number_of(text: str) -> int:
    """`number_of("0e")` is 14. Raises ValueError for anything but base-36 digits."""
    # int() would also take a sign, blanks and underscores.
    if not text or text.lower().strip(DIGITS):
        raise ValueError(f"{text!r} is not a base-36 number")
    return int(text, 36)


@dataclass(frozen=True, order=True)
class Name:
    """What a file's name says, without its type."""

    speaker: str
    session: str
    query: str = WHOLE_SESSION
    mode: str = "s"
    microphone: str = ALL_MICROPHONES

    def file(self, kind: str) -> str:
        """The file name of this type, such as `wav`, `sro`, `sql`, `ref` or `cat`."""
        return f"{self.stem}.{kind}"

    @property
    def stem(self) -> str:
        """The file name without its ending: speaker, query, session, mode and microphone."""
        return f"{self.speaker}{self.query}{self.session}{self.mode}{self.microphone}"

    @property
    def folder(self) -> str:
        """Where the files of this scenario-session lie, relative to the tree."""
        return f"{MODES[self.mode]}/{self.speaker}/{self.session}"

    def of_query(self, number: int, microphone: str = ALL_MICROPHONES) -> Name:
        """The name of query `number` of the same scenario: two digits in base 36, so at most 1295."""
        return replace(self, query=base36(number, 2), microphone=microphone)


def read_name(file: str) -> tuple[Name, str] | None:
    """The name and the type of a file, or None if it is not named in this way."""
    match = _NAME.fullmatch(file)
    if match is None:
        return None
    speaker, query, session, mode, microphone, kind = (part.lower() for part in match.groups())
    return Name(speaker, session, query[-2:], mode, microphone), kind


class Speakers:
    """Gives each speaker three characters: their own if they have three, otherwise the last that are free."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._taken: set[str] = set()
        self._next = LAST_SPEAKER

    def code(self, speaker: str) -> str:
        """The same for the same speaker. Raises CurtainError after 46,655 speakers."""
        if speaker not in self._codes:
            self._codes[speaker] = self._new(speaker)
            self._taken.add(self._codes[speaker])
        return self._codes[speaker]

    def _new(self, speaker: str) -> str:
        # From the end, so that ids given here do not take those of later speakers with three characters of their own.
        if re.fullmatch("[0-9a-z]{3}", speaker) and speaker not in ("000", *self._taken):
            return speaker
        while self._next > 0:
            code, self._next = base36(self._next, 3), self._next - 1
            if code not in self._taken:
                return code
        raise CurtainError(f"The ATIS tree can name {LAST_SPEAKER:,} speakers. Export fewer sessions at a time.")
