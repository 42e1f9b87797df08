"""A query as words with their places: lower case, no punctuation; numbers, spelled or in digits."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice

from curtain.base.words import LETTER

from .english import english, word_at

_WORD = re.compile(
    r"\d{1,2}:\d{2}(?!\d)|\d{4}-\d\d-\d\d(?!\d)"
    r"|(?<!\d)['’]\d\d(?![\d'’])"  # ’85
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)"  # 1,200.50
    rf"|\d+(?:\.\d+)?|{LETTER}+(?:['’´`]{LETTER}+)*"
)
_MOST = 1000


class Word(str):
    """A word in lower case without apostrophes, and its characters [start, end) in the text."""

    start: int
    end: int

    def __new__(cls, text: str, start: int = 0, end: int = 0) -> Word:
        word = super().__new__(cls, text)
        word.start, word.end = start, end
        return word


@cache
def _numbers(small: str, tens: str) -> Mapping[str, int]:
    """The words of two lists of english.toml by the numbers that they are: from 0 or 1 on, and from 10 on by tens."""
    first = small == "ranks"
    ones = {word: number for number, word in enumerate(english().listed(f"numbers.{small}"), start=first)}
    return ones | {word: 10 * ten for ten, word in enumerate(english().listed(f"numbers.{tens}"), start=1)}


def _scale(word: str, spoken: bool = True) -> int:
    """By what a word multiplies the number before it, 1 without one; a letter (“45k”) follows no `spoken` number."""
    scales: Mapping[str, int] = english().get("numbers.scales")
    return scales.get(word, 1) if len(word) > 1 or not spoken else 1


def split_words(text: str) -> list[Word]:
    """The words of a text, at most a thousand; “Tai's” is “tai”, “6pm” is “6” and “pm”, “’85” is “1985”."""
    words = []
    for match in islice(_WORD.finditer(text), _MOST):
        word, end = match.group().lower(), match.end()
        if word[0] in "'’":
            plain = f"19{word[1:]}"
        elif word[0].isdigit():
            plain = word.replace(",", "")
        else:
            bare = re.sub(r"['’´`]s$", "", word)
            end -= len(word) - len(bare)
            plain = re.sub(r"['’´`]", "", bare)
        words.append(Word(plain, match.start(), end))
    return words


def words_of(text: str) -> tuple[str, ...]:
    """The same without places."""
    return tuple(map(str, split_words(text)))


def ordinal_at(words: Sequence[Word], at: int) -> tuple[int, int] | None:
    """A rank (“twenty first”, “4th”) that begins here: its number and how many words it has."""
    units, ranks = _numbers("small", "tens"), _numbers("ranks", "rank_tens")
    text, after = word_at(words, at), word_at(words, at + 1)
    if text in ranks:
        return ranks[text], 1
    if units.get(text) in (20, 30) and ranks.get(after, 99) < 10:
        return units[text] + ranks[after], 2
    if text.isdigit() and after in ("st", "nd", "rd", "th") and words[at].end == words[at + 1].start:
        return int(text), 2
    return None


def number_at(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    """A number that begins here, as digits or spelled, the way it is said (“two ninety six” is 296): its value and how
    many words it has. In “between 40 and 45 thousand” both are thousands."""
    number = _number_at(words, at)
    behind = at + number[1] + 1 if number else 0
    linked = word_at(words, behind - 1) in english().words("numbers.links")
    other = _number_at(words, behind) if linked else None
    if number is None or other is None:
        return number
    own, scale = (_scale(words[last], spoken=False) for last in (behind - 2, behind + other[1] - 1))
    return (number[0] * scale, number[1]) if scale > own and number[0] < other[0] / scale else number


def _number_at(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    text = word_at(words, at)
    if re.fullmatch(r"\d+(\.\d+)?", text) and len(text) < 16:
        scale = _scale(word_at(words, at + 1), spoken=False)
        return float(text) * scale, 1 + (scale > 1)
    return _spelled(words[at : at + 16])


def _spelled(texts: Sequence[str]) -> tuple[float, int] | None:
    """A number whose millions stand before its thousands, so that “forty thousand and fifty thousand” are two."""
    total, size, least, at = 0.0, 0, math.inf, 0
    while True:
        value, end = _hundreds(texts, at)
        scale = _scale(word_at(texts, end))
        if end == at or value * scale >= least:
            return (total, size) if size else None
        size = end + (scale > 1)
        total, least = total + value * scale, scale
        at = size + (scale > 1 and word_at(texts, size) == "and")


def _hundreds(texts: Sequence[str], at: int) -> tuple[float, int]:
    """What may stand before “thousand” (“two hundred and six”, “fifteen hundred”), and where it ends."""
    value, end = _digits(texts, at)
    if at < end and word_at(texts, end) == "hundred":
        value, end = value * 100, end + 1
        more, after = _digits(texts, end + (word_at(texts, end) == "and"))
        if 0 < more < 100 and word_at(texts, after) != "hundred":
            return value + more, after
    return value, end


def _digits(texts: Sequence[str], at: int) -> tuple[float, int]:
    """What is said figure by figure (“one oh two”, “seven forty seven”), with “point five” or “and a half”, or “a”."""
    units, figures, last, end = _numbers("small", "tens"), "", 0, at
    for begin, value in ((("a",), 1.0), (("half", "a"), 0.5)):
        behind = at + len(begin)
        if tuple(texts[at:behind]) == begin and _scale(word_at(texts, behind)) > 1:
            return value, behind
    while (text := word_at(texts, end)) in units or (figures and text == "oh"):
        unit = units.get(text, 0)
        joins = last in range(20, 100, 10) and 0 < unit < 10
        figures, last, end = (figures[:-1] if joins else figures) + str(unit), unit, end + 1
    if figures and text == "point":
        part, behind = _digits(texts, end + 1)
        return (float(f"{figures}.{part:.0f}"), behind) if behind > end + 1 else (float(figures), end)
    if figures and tuple(texts[end : end + 3]) == ("and", "a", "half") and _scale(word_at(texts, end + 3)) > 1:
        return float(figures) + 0.5, end + 3
    return float(figures or 0), end
