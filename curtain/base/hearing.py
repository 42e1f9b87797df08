"""How a question is put, and what a recogniser heard in a take: words with their times, and how sure it is of each."""

from __future__ import annotations

from typing import Literal

import msgspec

Input = Literal["speech", "text", "both"]
"""How a subject may ask (papers/001, section 1: “either speech or text input”)."""
Modality = Literal["speech", "text"]
"""How one question was asked."""

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
