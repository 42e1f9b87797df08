"""The encoding of a text that is not UTF-8, guessed from its words."""

import re
import unicodedata
from collections.abc import Sequence

_LATIN = ("cp1252", "cp1250", "mac_roman", "cp850")
_OTHER = ("cp1251", "cp1253", "cp1255", "cp1256", "gb18030", "cp932", "big5", "cp949")
# Of Greek and Russian with their neighbours. Other scripts write few vowels or none.
_VOWELS = frozenset("αεηιουωάέήίόύώϊϋΐΰаеёиоуыэюяіїєў")
_WITH_VOWELS = ("GREEK", "CYRILLIC")
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
    """1 for letters of one script that may follow each other in a word, less for other letters, else 0."""
    categories = [unicodedata.category(sign)[0] for sign in text]
    if not {*categories} <= {"L", "M"}:
        return 0
    scripts = {unicodedata.name(sign, "").partition(" ")[0] for sign in text}
    cased = text.isupper() or text[1:] == text[1:].lower()
    # Between a third and two thirds of a word are vowels; short words may have none.
    vowels = sum(sign in _VOWELS for sign in text.lower()) / len(text)
    spoken = not scripts & {*_WITH_VOWELS} or len(text) < 4 or 0.2 < vowels < 0.8
    # A mark stands on a letter, and a final sigma at the end.
    placed = categories[0] == "L" and 2 * categories.count("M") <= len(text) and "ς" not in text[:-1]
    return 1 if cased and spoken and placed and len(scripts) == 1 else 0.5
