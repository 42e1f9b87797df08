"""A small language model for speech from example questions: word pairs in ARPA format, and the dictionary cut to it.

Loading the whole dictionary of 134,860 words takes seconds, one cut to the model's words no time at all.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, pairwise

Pronunciations = Mapping[str, Sequence[str]]

_DISCOUNT = 0.5
_BEGIN, _END = "<s>", "</s>"
_LONGEST_SPELT = 4

_ONES = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SIGNS = {"$": " dollars ", "%": " percent ", "&": " and "}


class LanguageModel:
    """Word pairs with absolute discounting: what was never seen is likelier after words that are followed by many."""

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        self._singles: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        for words in sentences:
            whole = [_BEGIN, *words, _END]
            self._singles.update(whole)
            self._pairs.update(pairwise(whole))
        self._after: dict[str, list[str]] = {}
        for first, second in self._pairs:
            self._after.setdefault(first, []).append(second)

    @property
    def words(self) -> list[str]:
        """All words that it knows, in the order of the alphabet."""
        return sorted(self._singles.keys() - {_BEGIN, _END})

    def arpa(self) -> str:
        """The model as recognisers read it."""
        return "\n".join(self._lines()) + "\n"

    def probability(self, first: str, second: str) -> float:
        """Of `second` after `first`; over all words and the sentence's end they sum to 1."""
        if pairs := self._pairs[first, second]:
            return (pairs - _DISCOUNT) / self._singles[first]
        return self._backoff(first) * self._single(second)

    def _lines(self) -> Iterator[str]:
        singles = sorted(self._singles)
        yield from ("\\data\\", f"ngram 1={len(singles)}", f"ngram 2={len(self._pairs)}", "", "\\1-grams:")
        for word in singles:
            single = -99.0 if word == _BEGIN else math.log10(self._single(word))
            backoff = f" {_log(self._backoff(word)):.4f}" if word != _END else ""
            yield f"{single:.4f} {word}{backoff}"
        yield from ("", "\\2-grams:")
        for first, second in sorted(self._pairs):
            yield f"{math.log10(self.probability(first, second)):.4f} {first} {second}"
        yield from ("", "\\end\\")

    def _single(self, word: str) -> float:
        return self._singles[word] / (self._singles.total() - self._singles[_BEGIN])

    def _backoff(self, first: str) -> float:
        """What is left for words that never followed this one, over what these words have by themselves."""
        seen = self._after.get(first, ())
        free = _DISCOUNT * len(seen) / self._singles[first]
        unseen = 1.0 - sum(self._single(second) for second in seen)
        return free / unseen if unseen > 1e-9 else 1.0


def model_of(questions: Iterable[Sequence[str]], known: Pronunciations) -> LanguageModel:
    """The model of questions as they are spoken. A question is cut where a word has no pronunciation."""
    return LanguageModel(part for question in questions for part in _parts(question, known))


def varied(
    questions: Iterable[Sequence[str]], groups: Iterable[Iterable[Sequence[str]]], times: int
) -> list[list[str]]:
    """Each question, and `times` more of each that names one of a group (a city, say), with others of its group in
    turn: so cities are expected wherever one was. All are lists of words as they are spoken."""
    turns = {phrase: turn for group in groups for turn in [_Turn(group)] for phrase in turn.phrases}
    longest = max(map(len, turns), default=0)
    taught: list[list[str]] = []
    for words in questions:
        pieces = _pieces(tuple(words), turns, longest)
        again = times if any(isinstance(piece, _Turn) for piece in pieces) else 0
        taught.append(list(words))
        taught += [_with_others(pieces) for _ in range(again)]
    return taught


class _Turn:
    """The phrases of one group, one after the other."""

    def __init__(self, group: Iterable[Sequence[str]]) -> None:
        self.phrases = sorted({tuple(words) for words in group if words})
        self._next = cycle(self.phrases)

    def take(self) -> tuple[str, ...]:
        return next(self._next)


def _pieces(words: tuple[str, ...], turns: Mapping[tuple[str, ...], _Turn], longest: int) -> list[_Turn | str]:
    pieces: list[_Turn | str] = []
    at = 0
    while at < len(words):
        sizes = (size for size in range(min(longest, len(words) - at), 0, -1) if words[at : at + size] in turns)
        size = next(sizes, 0)
        pieces.append(turns[words[at : at + size]] if size else words[at])
        at += size or 1
    return pieces


def _with_others(pieces: Iterable[_Turn | str]) -> list[str]:
    return [word for piece in pieces for word in (piece.take() if isinstance(piece, _Turn) else (piece,))]


def cut_dictionary(words: Iterable[str], known: Pronunciations) -> str:
    """The lines of a dictionary for these words alone; short ones without an entry are spelt: b w i."""
    return "".join(f"{line}\n" for word in words for line in _entries(word, known))


def spoken_words(question: str) -> list[str]:
    """The words of a question as they are spoken: lower case, numbers in words, no punctuation.

    >>> spoken_words("Flight 417 at 5:30 p.m.?")
    ['flight', 'four', 'hundred', 'seventeen', 'at', 'five', 'thirty', 'p', 'm']
    """
    text = question.lower().replace("’", "'")
    for sign, word in _SIGNS.items():
        text = text.replace(sign, word)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    parts = re.findall(r"\d+|[a-z]+(?:'[a-z]+)*", text)
    return [word for part in parts for word in (_number(part) if part.isdigit() else [part])]


def _number(digits: str) -> list[str]:
    value = int(digits)
    if digits.startswith("0") or value > 9999:
        return [_ONES[int(digit)] for digit in digits]
    return _below_10000(value)


def _below_10000(value: int) -> list[str]:
    if value < 20:
        return [_ONES[value]]
    if value < 100:
        return [_TENS[value // 10], *([_ONES[value % 10]] if value % 10 else [])]
    if value < 1000:
        return [_ONES[value // 100], "hundred", *(_below_10000(value % 100) if value % 100 else [])]
    if value % 1000 < 10:
        return [_ONES[value // 1000], "thousand", *(_below_10000(value % 1000) if value % 1000 else [])]
    # As years, prices and flight numbers are said: nineteen eighty nine.
    rest = _below_10000(value % 100) if value % 100 else ["hundred"]
    return [*_below_10000(value // 100), *(["oh"] if 0 < value % 100 < 10 else []), *rest]


def _parts(words: Sequence[str], known: Pronunciations) -> Iterator[list[str]]:
    part: list[str] = []
    for word in [*words, ""]:
        if word and next(_entries(word, known), None):
            part.append(word)
        elif part:
            yield part
            part = []


def _entries(word: str, known: Pronunciations) -> Iterator[str]:
    spoken = known.get(word) or _spelt(word, known)
    for number, sounds in enumerate(spoken, start=1):
        yield f"{word} {sounds}" if number == 1 else f"{word}({number}) {sounds}"


def _spelt(word: str, known: Pronunciations) -> Sequence[str]:
    letters = [known.get(letter) for letter in word] if len(word) <= _LONGEST_SPELT else []
    # The last one: “a” by itself is a letter in its second pronunciation.
    sounds = [one[-1] for one in letters if one]
    return [" ".join(sounds)] if sounds and len(sounds) == len(letters) else []


def _log(value: float) -> float:
    return math.log10(value) if value > 0 else -99.0
