"""The encoding that bytes most likely have which are not UTF-8: a person chooses by what a word would read like."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

__all__ = ["advice_on_encoding"]

_LATIN = ("cp1252", "cp1250", "mac_roman", "cp850")
_OTHER = ("cp1251", "cp1253", "cp1255", "cp1256", "gb18030", "cp932", "big5", "cp949")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
_MOST, _SHOWN = 3, 30


def advice_on_encoding(texts: Sequence[bytes]) -> str:
    """What to add to a command for texts that are not UTF-8: the likely encodings, likeliest first, each with what it
    makes of the first word in question. “--encoding cp1252, which reads “Größe””."""
    words = [word for text in texts for word in _WORD.findall(text) if not word.isascii()][:1000]
    if not words:
        return "--encoding cp1252"
    # In Greek or Russian whole words lie above ASCII; in French or Czech a few letters of them do.
    whole = sum(len(word) > 1 and min(word) > 0x7F for word in words)
    names = _OTHER if 2 * whole > len(words) else _LATIN
    ranked = sorted(((_share_of_words(name, words), name) for name in names), key=lambda pair: -pair[0])
    readings: dict[str, str] = {}
    for share, name in ranked:
        if share >= 0.7 * ranked[0][0]:
            readings.setdefault(words[0].decode(name, "replace")[:_SHOWN], name)
    offers = [f"--encoding {name}, which reads “{text}”" for text, name in list(readings.items())[:_MOST]]
    return ", or ".join(offers) or "--encoding cp1252"


def _share_of_words(encoding: str, words: Sequence[bytes]) -> float:
    try:
        return sum(_is_like_a_word(word.decode(encoding)) for word in words) / len(words)
    except UnicodeDecodeError:
        return 0.0


def _is_like_a_word(text: str) -> float:
    """1 for letters only without a capital behind a small letter, less for letters only, else 0."""
    if any(unicodedata.category(sign)[0] not in "LM" for sign in text):
        return 0
    return 1 if text.isupper() or text[1:] == text[1:].lower() else 0.5
