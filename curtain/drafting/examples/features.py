"""What the models look at in a query: its words with values replaced by their kinds, and what stands around a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..language.english import english, stem
from ..language.recognise import Reading

_PARTS = (3, 4, 5)


def masked(reading: Reading) -> list[str]:
    """The words of a query with each value as its kind in capitals; courtesies are left out."""
    polite = english().words("likeness.polite")
    weak = frozenset(number for number, one in enumerate(reading.found) if one.weak)
    return [word for word in _line(reading, weak)[0] if word not in polite]


def _line(reading: Reading, as_said: frozenset[int] = frozenset()) -> tuple[list[str], list[int]]:
    """The words with each value as its kind, a word that is none of a query, except those `as_said`; and where they
    stand."""
    out: list[str] = []
    # What is learned from them has no place.
    at, places, words = 0, list[int](), list(map(str, reading.words))
    for number, one in enumerate(reading.found):
        out += words[at : one.first]
        places.append(len(out))
        out += words[one.first : one.last] if number in as_said else [one.kind.upper().replace(" ", "_")]
        at = one.last
    return [*out, *words[at:]], places


def _once(features: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(features))


def _pairs(words: Sequence[str]) -> list[str]:
    return [f"{a} {b}" for a, b in pairwise(words)]


def _senses(words: Sequence[str]) -> list[str]:
    """The words by what they mean in a question: without plurals, words that ask alike as one."""
    alike = english().alike
    return [f"~{alike.get(word) or alike.get(stem(word)) or stem(word)}" for word in words]


def grams(words: Sequence[str]) -> list[str]:
    """The words, their pairs and triples, with the ends marked, and how often each kind of value occurs."""
    marked = ["<", *words, ">"]
    triples = [f"{a} {b} {c}" for a, b, c in zip(marked, marked[1:], marked[2:], strict=False)]
    counted = [f"{word}*{times}" for word, times in Counter(words).items() if word.isupper()]
    meant = _senses(words)
    return _once([*words, *meant, *_pairs(meant), *_pairs(marked), *triples, *counted])


def spelled(words: Sequence[str]) -> list[str]:
    """What another wording of a query shares with it: words, what they mean, pairs of both, and parts of words."""
    meant = _senses(words)
    padded = [f" {word} " for word in words]
    parts = (word[at : at + many] for word in padded for many in _PARTS for at in range(len(word) - many + 1))
    again = (f"{word}*{times}" for word, times in Counter(words).items() if times > 1)
    return _once([*words, *meant, *_pairs(words), *_pairs(meant), *parts, *again])


def bag(reading: Reading, words: Sequence[str]) -> list[str]:
    """Features of a whole query: its grams, and what its values of a small set are."""
    values = [f"={one.meanings[0].label}" for one in reading.found if one.kind not in ("number", "time", "date")]
    return [*grams(words), *values, _kinds(words), "bias"]


def words_of(reading: Reading, words: Sequence[str]) -> list[str]:
    """Features of a whole query: single words and what they mean, without regard to what stands beside them."""
    kinds = _kinds(words)
    return _once([*words, *_senses(words), *(f"{word} | {kinds}" for word in words), kinds, "bias"])


def _kinds(words: Sequence[str]) -> str:
    """The kinds of all values of a query: that nothing else is said may say something."""
    return f"kinds:{' '.join(sorted(word for word in words if word.isupper()))}"


def single(features: Sequence[str]) -> list[str]:
    """Those features that speak of one word."""
    return [one for one in features if " " not in one]


def phrases(words: Sequence[str]) -> list[str]:
    """The words, without kinds of values, and their pairs."""
    plain = [word for word in words if not word.isupper()]
    return _once([*plain, *_pairs(plain)])


def around(reading: Reading, number: int, words: Sequence[str]) -> list[str]:
    """Features of one value: what stands before and behind it, its turn among its kind, and the query's words."""
    one = reading.found[number]
    line, places = _line(reading)
    place, kinds = places[number], [found.kind for found in reading.found]
    turn, many = kinds[:number].count(one.kind), kinds.count(one.kind)
    before = [line[place - step] if place >= step else "<" for step in (1, 2, 3)]
    after = [line[place + step] if place + step < len(line) else ">" for step in (1, 2)]
    near = [f"-1:{before[0]}", f"-2:{before[1]}", f"-3:{before[2]}", f"+1:{after[0]}", f"+2:{after[1]}"]
    near += [f"-2-1:{before[1]} {before[0]}", f"-3-2-1:{before[2]} {before[1]} {before[0]}"]
    near += [f"-1+1:{before[0]} {after[0]}", f"+1+2:{after[0]} {after[1]}", f"turn:{turn}/{many}", f"kind:{one.kind}"]
    earlier, later = line[max(0, place - 6) : place], line[place + 1 : place + 5]
    near += [f"<{word}" for word in (*earlier, *_senses(earlier))] + [f">{word}" for word in (*later, *_senses(later))]
    near += [f"said:{word}" for word in reading.words[one.first : one.last]][:3]
    return _once([*near, f"forms:{len(one.meanings[0].forms)}", "bias", *words])
