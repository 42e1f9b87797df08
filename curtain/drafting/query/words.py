"""A query as words with their places: lower case, no punctuation, numbers whether spelled or in digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Word", "is_number", "number_at", "ordinal_at", "split_words", "words_of"]

_WORD = re.compile(r"\d{1,2}:\d{2}(?!\d)|\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?|[^\W\d_]+(?:['’´`][^\W\d_]+)*")
_MOST = 1000

_UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
]
_UNITS += ["seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBERS = {word: number for number, word in enumerate(_UNITS)} | {w: 20 + 10 * n for n, w in enumerate(_TENS)}
_NUMBERS |= {"oh": 0, "fourty": 40}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "k": 1000}
_ORDINALS = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
_ORDINALS += [f"{word}th" for word in _UNITS[13:]]
_RANKS = {word: number for number, word in enumerate(_ORDINALS) if number} | {"twentieth": 20, "thirtieth": 30}


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case without apostrophes, and its characters [start, end) in the text."""

    text: str
    start: int
    end: int

    def __reduce__(self) -> tuple[type[Word], tuple[str, int, int]]:
        # Of what was learned these are most by far; what a dataclass does by itself takes ten times as long to read.
        return Word, (self.text, self.start, self.end)


def split_words(text: str) -> list[Word]:
    """The words of a text, at most a thousand; “Tai's” is “tai”, “6pm” is “6” and “pm”."""
    found = []
    for match in _WORD.finditer(text):
        word = match.group().lower()
        if not word.isalnum():
            word = re.sub(r"['’´`]s$", "", word)
        plain = word if word.isalnum() else re.sub(r"['’´`,]", "", word)
        found.append(Word(plain, match.start(), match.start() + len(word)))
        if len(found) == _MOST:
            break
    return found


def words_of(text: str) -> tuple[str, ...]:
    """The same without places."""
    return tuple(word.text for word in split_words(text))


def ordinal_at(words: Sequence[Word], at: int) -> tuple[int, int] | None:
    """A rank (“twenty first”, “4th”) that begins here: its number and how many words it has."""
    text = words[at].text
    if text in _RANKS:
        return _RANKS[text], 1
    if at + 1 < len(words):
        after = words[at + 1].text
        if text in _TENS[:2] and _RANKS.get(after, 99) < 10:
            return _NUMBERS[text] + _RANKS[after], 2
        if text.isdigit() and after in ("st", "nd", "rd", "th") and words[at].end == words[at + 1].start:
            return int(text), 2
    return None


def is_number(word: str) -> bool:
    """Whether a word by itself is a number, in digits or spelled."""
    return word.isdigit() or word in _NUMBERS


_LINKS = ("and", "to", "or", "through")


def number_at(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    """A number that begins here, as digits or spelled, the way it is said (“two ninety six” is 296): its value and how
    many words it has. In “between 40 and 45 thousand” both are thousands."""
    found = _number_at(words, at)
    if found is None or words[at + found[1] - 1].text in _SCALES:
        return found
    behind = at + found[1] + 1
    other = _number_at(words, behind) if behind < len(words) and words[behind - 1].text in _LINKS else None
    scale = _SCALES.get(words[behind + other[1] - 1].text, 1) if other else 1
    return (found[0] * scale, found[1]) if other and found[0] < other[0] / scale else found


def _number_at(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    digits = _digits(words, at)
    if digits is not None:
        scale = _SCALES.get(words[at + 1].text, 1) if at + 1 < len(words) else 1
        return digits * scale, 1 if scale == 1 else 2
    return _spelled(words, at)


def _digits(words: Sequence[Word], at: int) -> float | None:
    text = words[at].text
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) and len(text) < 16 else None


def _spelled(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    total, group, size, last = 0, "", 0, 0
    while at + size < len(words) and size < 12:
        text = words[at + size].text
        if text in _NUMBERS and not (text == "oh" and not size):
            number = _NUMBERS[text]
            joins = last in range(20, 100, 10) and 0 < number < 10
            group = group[:-1] + str(number) if joins else group + str(number)
            last = number
        elif text in ("hundred", "thousand") and group:
            total, group, last = (total + int(group)) * _SCALES[text], "", 0
        elif not (
            text == "and" and size and total and at + size + 1 < len(words) and words[at + size + 1].text in _NUMBERS
        ):
            break
        size += 1
    if not size:
        return None
    return float(total + int(group or 0)), size
