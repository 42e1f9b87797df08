"""The words of an utterance as recognisers are scored on them."""

from __future__ import annotations

import re

from curtain.base.words import is_letter
from curtain.corpus.annotation.letters import lower
from curtain.corpus.model.utterance import REDACTED

# Inside a word: beside ' and -, the dot of Catalan, the signs of Hebrew that stand for left-out letters, and the two
# invisible signs that part or join letters in Persian, Hindi and Sinhala.
_JOINERS = "'·\u05f3\u05f4\u200c\u200d-"
_WORD = re.compile(rf"[^ {_JOINERS}]+(?:[{_JOINERS}][^ {_JOINERS}]+)*")
_ALIKE = str.maketrans({"’": "'", "‐": "-", "‑": "-"})


def words(lsn: str | None, language: str) -> list[str] | None:
    """The words of a lexical form (`Utterance.lsn`) in small letters of its language; None without a transcription.

    Letters with their marks, and figures; `'`, `-` and what else joins letters only inside a word. Parentheses and
    braces are syntax to NIST's tools, and `<s>` and `#0` to Kaldi; nothing of the kind is left. Spelt letters stand
    alone: `U. S.` gives `u` and `s`. Where words are hidden stands `[redacted]`.
    """
    if lsn is None:
        return None
    return [word for piece in lsn.split() for word in ([piece] if piece == REDACTED else _plain(piece, language))]


def _plain(piece: str, language: str) -> list[str]:
    signs = lower(piece, language).translate(_ALIKE)
    return _WORD.findall("".join(sign if sign in _JOINERS or is_letter(sign) else " " for sign in signs))
