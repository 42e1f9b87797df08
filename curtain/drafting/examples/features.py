"""What the models look at in a query: its words with values replaced by their kinds, and what stands around a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ..language.english import english, stem
from ..language.recognise import Found, Reading

__all__ = ["around", "asking", "bag", "grams", "masked", "phrases", "single", "words_of"]


def masked(reading: Reading) -> list[str]:
    """The words of a query with each value as its kind in capitals; courtesies are left out."""
    out: list[str] = []
    at = 0
    for one in reading.found:
        out += [word.text for word in reading.words[at : one.first]]
        out += [word.text for word in reading.words[one.first : one.last]] if one.weak else [_token(one)]
        at = one.last
    out += [word.text for word in reading.words[at:]]
    polite = english().words("likeness.polite")
    return [word for word in out if word not in polite]


def _token(found: Found) -> str:
    """A value's kind as one word that is no word of a query."""
    return found.kind.upper().replace(" ", "_")


def _senses(words: Sequence[str]) -> list[str]:
    """The words by what they mean in a question: without plurals, words that ask alike as one."""
    alike = english().alike
    return [alike.get(word) or alike.get(stem(word)) or stem(word) for word in words]


def grams(words: Sequence[str]) -> list[str]:
    """The words, their pairs and triples, with the ends marked, and how often each kind of value occurs."""
    marked = ["<", *words, ">"]
    triples = (f"{a} {b} {c}" for a, b, c in zip(marked, marked[1:], marked[2:], strict=False))
    counted = (f"{word}*{times}" for word, times in Counter(words).items() if word.isupper())
    meant = [f"~{word}" for word in _senses(words)]
    meant += [f"{a} {b}" for a, b in pairwise(meant)]
    return [*dict.fromkeys([*words, *meant, *(f"{a} {b}" for a, b in pairwise(marked)), *triples, *counted])]


def bag(reading: Reading, words: Sequence[str]) -> list[str]:
    """Features of a whole query: its grams, and what its values of a small set are."""
    values = [f"={one.meanings[0].label}" for one in reading.found if one.kind not in ("number", "time", "date")]
    return [*grams(words), *values, _kinds(words), "bias"]


def words_of(words: Sequence[str]) -> list[str]:
    """Features of a whole query: single words and what they mean, without regard to what stands beside them."""
    kinds = _kinds(words)
    own = [*words, *(f"~{sense}" for sense in _senses(words))]
    return list(dict.fromkeys([*own, *(f"{word} | {kinds}" for word in words), kinds, "bias"]))


def _kinds(words: Sequence[str]) -> str:
    """The kinds of all values of a query: that nothing else is said may say something."""
    return f"kinds:{' '.join(sorted(word for word in words if word.isupper()))}"


def single(features: Sequence[str]) -> list[str]:
    """Those features that speak of one word."""
    return [one for one in features if " " not in one]


def phrases(words: Sequence[str]) -> list[str]:
    """The words, without kinds of values, and their pairs."""
    plain = [word for word in words if not word.isupper()]
    return [*dict.fromkeys([*plain, *(f"{a} {b}" for a, b in pairwise(plain))])]


def asking(reading: Reading) -> list[str]:
    """Features of how it is asked, whatever the values are: the words before the first value, and those behind it."""
    values = {place for one in reading.found if not one.weak for place in range(one.first, one.last)}
    first = min(values, default=len(reading.words))
    words = [(place, word.text) for place, word in enumerate(reading.words) if place not in values]
    silent = english().words("likeness.polite") | english().words("likeness.wishing")
    words = [(place, text) for place, text in words if text not in silent]
    before = [text for place, text in words if place < first]
    behind = [text for place, text in words if place > first]
    own = [*(f"p:{a}" for a in before), *(f"p:{a} {b}" for a, b in pairwise(["<", *before]))]
    own += [*(f"s:{a}" for a in behind), *(f"s:{a} {b}" for a, b in pairwise([*behind, ">"]))]
    own += [f"~{sense}" for sense in _senses(before + behind)]
    return list(dict.fromkeys([*own, "bias"]))


def around(reading: Reading, number: int, words: Sequence[str]) -> list[str]:
    """Features of one value: what stands before and behind it, its turn among its kind, and the query's words."""
    one = reading.found[number]
    line, place = _line(reading, number)
    kinds = [found.kind for found in reading.found]
    turn, many = kinds[:number].count(one.kind), kinds.count(one.kind)
    before = [line[place - step] if place >= step else "<" for step in (1, 2, 3, 4)]
    after = [line[place + step] if place + step < len(line) else ">" for step in (1, 2, 3)]
    near = [f"-1:{before[0]}", f"-2:{before[1]}", f"-3:{before[2]}", f"+1:{after[0]}", f"+2:{after[1]}"]
    near += [f"-2-1:{before[1]} {before[0]}", f"-3-2-1:{before[2]} {before[1]} {before[0]}"]
    near += [f"-1+1:{before[0]} {after[0]}", f"+1+2:{after[0]} {after[1]}", f"turn:{turn}/{many}", f"kind:{one.kind}"]
    earlier, later = line[max(0, place - 6) : place], line[place + 1 : place + 5]
    near += [*(f"<{word}" for word in earlier), *(f">{word}" for word in later)]
    near += [*(f"~<{sense}" for sense in _senses(earlier)), *(f"~>{sense}" for sense in _senses(later))]
    near += [f"said:{word.text}" for word in reading.words[one.first : one.last]][:3]
    near += [f"forms:{len(one.meanings[0].forms)}", "bias"]
    return list(dict.fromkeys([*near, *words]))


def _line(reading: Reading, number: int) -> tuple[list[str], int]:
    out: list[str] = []
    at, place = 0, 0
    for index, one in enumerate(reading.found):
        out += [word.text for word in reading.words[at : one.first]]
        if index == number:
            place = len(out)
        out.append(_token(one))
        at = one.last
    return [*out, *(word.text for word in reading.words[at:])], place
