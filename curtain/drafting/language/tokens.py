"""A query as words with their places: lower case, no punctuation; numbers, spelled or in digits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from .english import english

_WORD = re.compile(
    r"\d{1,2}:\d{2}(?!\d)"
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)"  # 1,200.50
    r"|\d{1,3}(?:\.\d{3})+,\d{1,2}(?!\d)"  # 1.200,50
    r"|\d+,\d{1,2}(?![\d,])"  # 12,50
    r"|\d+(?:\.\d+)?|[^\W\d_]+(?:['’´`][^\W\d_]+)*"
)
_MOST = 1000


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case without apostrophes, and its characters [start, end) in the text."""

    text: str
    start: int
    end: int

    def __reduce__(self) -> tuple[type[Word], tuple[str, int, int]]:
        # Of what is kept on disk these are most by far; a dataclass alone is read ten times as slowly.
        return Word, (self.text, self.start, self.end)


@dataclass(frozen=True)
class _Numbers:
    units: Mapping[str, int]
    scales: Mapping[str, int]
    ranks: Mapping[str, int]
    tens: frozenset[str]
    links: frozenset[str]


@cache
def _numbers() -> _Numbers:
    words = english()
    units = {word: number for number, word in enumerate(words.listed("numbers.units"))}
    tens = words.listed("numbers.tens")
    units |= {word: 20 + 10 * place for place, word in enumerate(tens)} | words.get("numbers.more")
    ranks = {word: number for number, word in enumerate(words.listed("numbers.ordinals")) if number}
    return _Numbers(
        units,
        words.get("numbers.scales"),
        ranks | words.get("numbers.ranks"),
        frozenset(tens),
        words.words("numbers.links"),
    )


def split_words(text: str) -> list[Word]:
    """The words of a text, at most a thousand; “Tai's” is “tai”, “6pm” is “6” and “pm”, “12,50” is “12.50”."""
    words = []
    for match in _WORD.finditer(text):
        word = match.group().lower()
        end = match.end()
        if word[0].isdigit():
            plain = _plain_number(word)
        else:
            bare = re.sub(r"['’´`]s$", "", word)
            end -= len(word) - len(bare)
            plain = re.sub(r"['’´`]", "", bare)
        words.append(Word(plain, match.start(), end))
        if len(words) == _MOST:
            break
    return words


def _plain_number(word: str) -> str:
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", word):
        return word.replace(",", "")
    if "," in word:
        return word.replace(".", "").replace(",", ".")
    return word


def words_of(text: str) -> tuple[str, ...]:
    """The same without places."""
    return tuple(word.text for word in split_words(text))


def ordinal_at(words: Sequence[Word], at: int) -> tuple[int, int] | None:
    """A rank (“twenty first”, “4th”) that begins here: its number and how many words it has."""
    known, text = _numbers(), words[at].text
    if text in known.ranks:
        return known.ranks[text], 1
    if at + 1 < len(words):
        after = words[at + 1].text
        if text in known.tens and known.units[text] < 40 and known.ranks.get(after, 99) < 10:
            return known.units[text] + known.ranks[after], 2
        if text.isdigit() and after in ("st", "nd", "rd", "th") and words[at].end == words[at + 1].start:
            return int(text), 2
    return None


def number_at(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    """A number that begins here, as digits or spelled, the way it is said (“two ninety six” is 296): its value and how
    many words it has. In “between 40 and 45 thousand” both are thousands."""
    known = _numbers()
    number = _number_at(words, at)
    if number is None or words[at + number[1] - 1].text in known.scales:
        return number
    behind = at + number[1] + 1
    linked = behind < len(words) and words[behind - 1].text in known.links
    other = _number_at(words, behind) if linked else None
    scale = known.scales.get(words[behind + other[1] - 1].text, 1) if other else 1
    return (number[0] * scale, number[1]) if other and number[0] < other[0] / scale else number


def _number_at(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    text = words[at].text
    if re.fullmatch(r"\d+(\.\d+)?", text) and len(text) < 16:
        scale = _numbers().scales.get(words[at + 1].text, 1) if at + 1 < len(words) else 1
        return float(text) * scale, 1 if scale == 1 else 2
    return _spelled(words, at)


def _spelled(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    known = _numbers()
    total, group, size, last = 0, "", 0, 0
    while at + size < len(words) and size < 12:
        text = words[at + size].text
        if text in known.units and not (text == "oh" and not size):
            number = known.units[text]
            joins = last in range(20, 100, 10) and 0 < number < 10
            group = group[:-1] + str(number) if joins else group + str(number)
            last = number
        elif text in ("hundred", "thousand") and group:
            total, group, last = (total + int(group)) * known.scales[text], "", 0
        elif not (text == "and" and total and at + size + 1 < len(words) and words[at + size + 1].text in known.units):
            break
        size += 1
    return (float(total + int(group or 0)), size) if size else None
