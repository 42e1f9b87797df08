"""What the models look at in a query: its words with values replaced by their kinds, and what stands around a value."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ..language.english import english, stem
from ..language.recognise import Reading

_PARTS = (3, 4, 5)
# The places of words beside a value that are looked at, each alone or with others.
_AROUND = "-1", "-2", "-3", "+1", "+2", "-2 -1", "-3 -2 -1", "-1 +1", "+1 +2"


def masked(reading: Reading) -> list[str]:
    """The words of a query with each value as its kind in capitals; courtesies are left out."""
    polite = english().words("likeness.polite")
    return [word for word in _line(reading, weak=True) if word not in polite]


def _line(reading: Reading, weak: bool = False) -> list[str]:
    """The words with each value as its kind, or as it was said where it is `weak` and such values are words."""
    out: list[str] = []
    # What is learned from them has no place.
    at, words = 0, list(map(str, reading.words))
    for one in reading.found:
        said = words[one.first : one.last] if weak and one.weak else [one.kind.upper().replace(" ", "_")]
        out += [*words[at : one.first], *said]
        at = one.last
    return [*out, *words[at:]]


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
    return list(dict.fromkeys([*words, *meant, *_pairs(meant), *_pairs(marked), *triples, *counted]))


def spelled(words: Sequence[str]) -> list[str]:
    """What another wording of a query shares with it: words, what they mean, pairs of both, and parts of words."""
    meant = _senses(words)
    padded = [f" {word} " for word in words]
    parts = (word[at : at + many] for word in padded for many in _PARTS for at in range(len(word) - many + 1))
    again = (f"{word}*{times}" for word, times in Counter(words).items() if times > 1)
    return list(dict.fromkeys([*words, *meant, *_pairs(words), *_pairs(meant), *parts, *again]))


def bag(reading: Reading, words: Sequence[str]) -> list[str]:
    """Features of a whole query: its grams, and what its values of a small set are."""
    values = [f"={one.meanings[0].label}" for one in reading.found if one.kind not in ("number", "time", "date")]
    return [*grams(words), *values, _kinds(words), "bias"]


def words_of(reading: Reading, words: Sequence[str]) -> list[str]:
    """Features of a whole query: single words and what they mean, without regard to what stands beside them."""
    kinds = _kinds(words)
    return list(dict.fromkeys([*words, *_senses(words), *(f"{word} | {kinds}" for word in words), kinds, "bias"]))


def _kinds(words: Sequence[str]) -> str:
    """The kinds of all values of a query: that nothing else is said may say something."""
    return f"kinds:{' '.join(sorted(word for word in words if word.isupper()))}"


def phrases(words: Sequence[str]) -> list[str]:
    """The words, without kinds of values, and their pairs."""
    plain = [word for word in words if not word.isupper()]
    return list(dict.fromkeys([*plain, *_pairs(plain)]))


def around(reading: Reading, number: int, words: Sequence[str]) -> list[str]:
    """Features of one value: what stands before and behind it, its turn among its kind, and the query's words."""
    one = reading.found[number]
    line, kinds = _line(reading), [found.kind for found in reading.found]
    place = one.first - sum(before.last - before.first - 1 for before in reading.found[:number])
    marked = [*"<<<", *line, *">>"]
    near = [f"{steps}:{' '.join(marked[place + 3 + int(step)] for step in steps.split())}" for steps in _AROUND]
    near += [f"turn:{kinds[:number].count(one.kind)}/{kinds.count(one.kind)}", f"kind:{one.kind}"]
    earlier, later = line[max(0, place - 6) : place], line[place + 1 : place + 5]
    near += [f"<{word}" for word in (*earlier, *_senses(earlier))] + [f">{word}" for word in (*later, *_senses(later))]
    near += [f"said:{word}" for word in reading.words[one.first : one.last]][:3]
    return list(dict.fromkeys([*near, f"forms:{len(one.meanings[0].forms)}", "bias", *words]))
