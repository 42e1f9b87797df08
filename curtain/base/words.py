"""Words in every script: Python's `\\w` leaves out the marks without which Hindi, Thai, Hebrew or Arabic fall apart."""

import re
import unicodedata

# The blocks that hold marks; the ideographs between them would triple the time of an import.
_BLOCKS = (
    (0x300, 0x3400),
    (0xA600, 0xAC00),
    (0xFB00, 0xFF00),
    (0x10000, 0x12000),
    (0x16A00, 0x17000),
    (0x1D100, 0x1F000),
)


def _ranges_of_marks() -> str:
    codes = [code for block in _BLOCKS for code in range(*block) if unicodedata.category(chr(code))[0] == "M"]
    begins = [code for code, before in zip(codes, [0, *codes], strict=False) if code != before + 1]
    ends = [code for code, behind in zip(codes, [*codes[1:], 0], strict=True) if code != behind - 1]
    return "".join(f"{chr(begin)}-{chr(end)}" for begin, end in zip(begins, ends, strict=True))


MARKS = "\u200c\u200d" + _ranges_of_marks()
"""For a class of a regular expression: all combining marks, and the joiners that Persian and Hindi write in words."""
LETTER = rf"(?:[^\W\d_]|[{MARKS}])"
SIGN_OF_WORD = rf"(?:[^\W_]|[{MARKS}])"
"""A letter, a mark or a digit."""

_WORD = re.compile(rf"{SIGN_OF_WORD}+")
_LETTERS = re.compile(rf"{LETTER}+")
# Latin and Greek end here. In Cyrillic й is no и with an accent, and in Hindi a mark is a vowel.
_LAST_ACCENTED = "\u03ff"


def words_in(text: str) -> list[str]:
    """The runs of letters, marks and digits."""
    return _WORD.findall(text)


def is_word(text: str) -> bool:
    """Whether the text is letters alone; a mark belongs to its letter."""
    return _LETTERS.fullmatch(text) is not None


def is_letter(sign: str) -> bool:
    """Whether a sign is a letter, a mark on a letter or a figure: Unicode’s categories L, M and N."""
    return unicodedata.category(sign)[0] in "LMN"


def without_accents(text: str) -> str:
    """Latin and Greek letters without accents: `Cañón` is Canon. Other scripts stay as they are."""
    kept: list[str] = []
    base = ""
    for sign in unicodedata.normalize("NFKD", text):
        is_mark = unicodedata.category(sign)[0] == "M"
        base = base if is_mark else sign
        if not (is_mark and base <= _LAST_ACCENTED):
            kept.append(sign)
    return unicodedata.normalize("NFC", "".join(kept))


def holds_words(text: str, wanted: str) -> bool:
    """Whether a text holds all words, or parts of words, that a person looks for, whatever their case and width."""
    searched = _as_searched(text)
    return all(word in searched for word in _as_searched(wanted).split())


def _as_searched(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
