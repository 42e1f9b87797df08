"""The words of a language, read once from its file (`english.toml`), and the forms that a word may have."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from importlib import resources
from operator import getitem
from typing import Any


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison: words [first, last), its operator, the adjective it was said with (“older than”), and whether its
    words are said of many other things, too (“in”)."""

    first: int
    last: int
    op: str
    adjective: str = ""
    weak: bool = False


class English:
    """The file as sets and phrases. `words("a.b")` are the words of one list, `phrases("a.b")` its phrases."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._tables = tables
        self._sets = cache(lambda name: frozenset(self.listed(name)))
        self._phrases = cache(lambda name: sorted(map(_phrase, self.get(name)), key=len, reverse=True))
        # Of an adjective and its contrary: the columns of which the first means much, and whether it is the first.
        self._signs: dict[str, int] = {}
        self.adjectives: dict[str, tuple[tuple[str, int], ...]] = {}
        for words, stems in tables["measured"].items():
            measured = tuple((one.lstrip("-"), -1 if one.startswith("-") else 1) for one in stems.split())
            for sign, side in zip((1, -1), words.split("|"), strict=False):
                self._signs |= dict.fromkeys(side.split(), sign)
                self.adjectives |= dict.fromkeys(side.split(), measured)
        forms = dict(tables["measured_forms"])
        self.generic = frozenset(forms.pop("generic").split())
        self._degrees = {form: (plain, degree) for plain in self.adjectives for form, degree in _forms(plain)}
        self._degrees |= {form: (plain, 3 if form.endswith("st") else 2) for form, plain in forms.items()}
        self._before = self._operators("before")
        self._after = self._operators("after")
        self._ways = {word: way for way, words in tables["directions"].items() for word in words.split()}
        self._said: dict[str, dict[str, float]] = {}
        for words, stems in tables["said"].items():
            for rank, one in enumerate(stems.split()):
                for word in words.split():
                    self._said.setdefault(lemma(one), {}).setdefault(word, 0.75 - 0.05 * rank)
        self.alike = {
            word: sense for sense, words in tables["likeness"]["alike"].items() for word in (sense, *words.split())
        }

    def _operators(self, place: str) -> dict[tuple[str, ...], str]:
        table: Mapping[str, Sequence[str]] = self._tables["comparing"][place]
        return {_phrase(phrase): op for op, phrases in table.items() for phrase in phrases}

    def get(self, name: str) -> Any:
        """What stands under a name such as `clock.named`."""
        return reduce(getitem, name.split("."), self._tables)

    def words(self, name: str) -> frozenset[str]:
        """The words of a list."""
        return self._sets(name)

    def listed(self, name: str) -> list[str]:
        """The words of a list in their order."""
        return list(self.get(name).split())

    def phrase_at(self, name: str, words: Sequence[str], at: int) -> int:
        """How many words the longest phrase of a list has that begins here; 0 if none does."""
        return next((len(one) for one in self._phrases(name) if tuple(words[at : at + len(one)]) == one), 0)

    def value_at(self, name: str, words: Sequence[str], at: int) -> tuple[Any, int]:
        """What the longest phrase of a table that begins here stands for, and how many words it has; or None and 0."""
        size = self.phrase_at(name, words, at)
        return self.get(name).get(" ".join(words[at : at + size])), size

    def has(self, name: str, words: Sequence[str]) -> bool:
        """Whether one of the phrases of a list stands anywhere."""
        return any(self.phrase_at(name, words, at) for at in range(len(words)))

    def direction(self, words: Sequence[str]) -> str:
        """`from` or `to`, as the last three words before a place say; empty if they say neither."""
        return next((self._ways[word] for word in reversed(words[-3:]) if word in self._ways), "")

    def columns_said(self, tokens: Iterable[str]) -> Mapping[str, float]:
        """The words that people use for a column whose name has these words, with how likely they mean it."""
        words: dict[str, float] = {}
        for token in tokens:
            for word, weight in self._said.get(lemma(token), {}).items():
                words[word] = max(weight, words.get(word, 0.0))
        return words

    def adjective(self, word: str) -> tuple[str, int] | None:
        """The plain adjective of which this is a form, and its degree: 1 “old”, 2 “older”, 3 “oldest”."""
        return self._degrees.get(word)

    def bound_before(self, words: Sequence[str], at: int) -> Bound | None:
        """The comparison whose words end at this place: “more than”, “older than”."""
        end = at
        while word_at(words, end - 1) in self.words("comparing.skipped"):
            end -= 1
        for size in range(min(6, end), 0, -1):
            phrase = tuple(words[end - size : end])
            if phrase in self._before:
                weak = size == 1 and phrase[0] in self.words("comparing.weak")
                return Bound(end - size, at, self._before[phrase], weak=weak)
        more, adjective, than = (word_at(words, end - step) for step in (3, 2, 1))
        form = self.adjective(adjective) if than == "than" else None
        if form and form[1] == 2:
            return Bound(end - 2, at, "gt" if self._signs[form[0]] > 0 else "lt", form[0])
        if form and more in ("more", "less") and adjective in self.adjectives:
            return Bound(end - 3, at, "gt" if (self._signs[adjective] > 0) == (more == "more") else "lt", adjective)
        return None

    def bound_after(self, words: Sequence[str], at: int) -> Bound | None:
        """The comparison that begins here or one word later, behind a unit: “20 or more”, “30 years or older”."""
        for start in (at, at + 1):
            phrase = tuple(words[start : start + 2])
            if phrase in self._after and word_at(words, start + 2) != "than":
                return Bound(start, start + 2, self._after[phrase])
            form = self.adjective(word_at(words, start + 1)) if word_at(words, start) in ("or", "and") else None
            if form and form[1] == 2:
                return Bound(start, start + 2, "gte" if self._signs[form[0]] > 0 else "lte", form[0])
        return None

    def negated(self, words: Sequence[str], at: int) -> int:
        """How many words say “not” at this place; 0 if none do."""
        if words[at] in self.words("comparing.contracted"):
            return 1 if at else 0
        if words[at] not in self.words("comparing.not"):
            return 0
        behind = tuple(words[at : at + 2])
        bounds = any(self._before.get(tuple(words[at : at + size]), "neq") != "neq" for size in (2, 3, 4))
        return 0 if bounds or behind in (("not", "only"), ("no", "matter"), ("no", "the")) else 1

    def superlative(self, words: Sequence[str], at: int) -> tuple[int, int, str] | None:
        """The superlative that begins here: how many words, 1 for much and -1 for little, and the plain adjective."""
        word, after = words[at], word_at(words, at + 1)
        if word_at(words, at - 1) == "at" and word in ("most", "least"):
            return None
        if word in ("most", "least") and after in self.adjectives:
            return 2, self._signs[after] if word == "most" else -self._signs[after], after
        form = self.adjective(word)
        if form and form[1] == 3:
            return 1, self._signs[form[0]], form[0]
        least = word in self.words("comparing.least")
        return (1, -1 if least else 1, "") if least or word in self.words("comparing.most") else None


def _phrase(text: str) -> tuple[str, ...]:
    return tuple(text.replace("'", "").split())


def word_at(words: Sequence[str], at: int) -> str:
    """The word at a place; empty beyond the ends."""
    return words[at] if 0 <= at < len(words) else ""


@cache
def english() -> English:
    """The words of english.toml."""
    return English(tomllib.loads(resources.files("curtain_drafts.tool").joinpath("english.toml").read_text("utf-8")))


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word without its plural."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")) else word


@lru_cache(maxsize=16384)
def lemma(word: str) -> str:
    """A word without plural, -ing, -ed and the last e, the same for all forms of most verbs and nouns. It is only
    compared with other lemmas: “hired” and “hire” are both “hir”."""
    plain = stem(word)
    for ending in ("ing", "ed"):
        if plain.endswith(ending) and len(plain) > len(ending) + 2:
            plain = plain.removesuffix(ending)
            if len(plain) > 3 and plain[-1] == plain[-2] and plain[-1] not in "ls":
                plain = plain[:-1]
            break
    return plain[:-1] if len(plain) > 3 and plain.endswith("e") else plain


def lemmas(words: Iterable[str]) -> tuple[str, ...]:
    """The lemmas of several words."""
    return tuple(map(lemma, words))


def _forms(plain: str) -> Iterator[tuple[str, int]]:
    """An adjective and its forms, with their degrees: “big”, “bigger”, “biggest”."""
    yield plain, 1
    stems = (plain, plain.removesuffix("e"), f"{plain}{plain[-1]}", f"{plain[:-1]}i" if plain.endswith("y") else plain)
    yield from ((f"{one}{ending}", degree) for ending, degree in (("er", 2), ("est", 3)) for one in stems)
