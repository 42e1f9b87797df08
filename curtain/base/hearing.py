"""How a question is put, and what a recogniser heard in a take: words with their times, and how sure it is of each."""

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from curtain.base.edit_distance import alignment

Input = Literal["speech", "text", "both"]
"""How a subject may ask (papers/001, section 1: “either speech or text input”)."""
Modality = Literal["speech", "text"]
"""How one question was asked."""

DOUBTFUL = 0.7
"""Below this confidence a word is underlined (`bench/ear.py` counts what lies there)."""

WORD = re.compile(r"\S+")
_SIGNS = '.,;:?!¿¡«»“”"()'


class HeardWord(msgspec.Struct, frozen=True):
    """One word. Times are seconds from the first sample of the take, `confidence` is from 0 to 1."""

    text: str
    start_s: float
    end_s: float
    confidence: float


def plain_word(word: str) -> str:
    """A word as words are compared: in small letters, without the signs around it."""
    return word.casefold().strip(_SIGNS) or word


def unchanged(words: Sequence[HeardWord], text: str) -> list[tuple[int, int, int]]:
    """Of each heard word that stands unchanged in a text its place among the words, and its start and end there."""
    heard, written = [plain_word(word.text) for word in words], list(WORD.finditer(text))
    pairs = alignment(heard, [plain_word(match[0]) for match in written])
    same = [(at, written[to]) for at, to in pairs if at is not None and to is not None]
    return [(at, *match.span()) for at, match in same if heard[at] == plain_word(match[0])]


class Hearing(msgspec.Struct, frozen=True):
    """The words in the spelling of the study's transcription: lower case, figures spelled out.

    `version` is that of the program, such as “faster-whisper 1.2.1”. A recogniser that failed gives no word and no
    model; one that heard nothing names its model.
    """

    words: tuple[HeardWord, ...] = ()
    model: str = ""
    version: str = ""
    decoding_s: float = 0.0

    @property
    def text(self) -> str:
        """The words, joined by blanks."""
        return " ".join(word.text for word in self.words)
