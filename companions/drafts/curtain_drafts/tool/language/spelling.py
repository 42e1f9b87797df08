"""The known word that a misspelled one most likely stands for, by rapidfuzz."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from curtain.base.words import is_word, words_in

from .english import english, lemma
from .lexicon import Lexicon
from .tokens import Word, number_at, split_words, words_of

_SHORTEST, _LONG, _SHORTEST_SAID = 4, 7, 5
_OFTEN = 2
_RIGHT = ("asking", "said", "comparing", "dull", "turns", "likeness", "codes", "units", "clock")


@dataclass(frozen=True)
class Spelling:
    """`targets` may be meant by a misspelled word; `right` are words and lemmas that are right as they stand."""

    targets: tuple[str, ...]
    right: frozenset[str]

    @classmethod
    def of(cls, lexicon: Lexicon, names: Iterable[str], questions: Iterable[str]) -> Spelling:
        """The words of a domain: those of its values, of what tables and columns are called, and those that come more
        than once in answered questions may be meant; words of English are only known."""
        asked = Counter(word for question in questions for word in words_of(question))
        targets = {word for phrase in lexicon.phrases for word in phrase} | set(names)
        targets |= {word for word, times in asked.items() if times >= _OFTEN}
        targets |= set(english().listed("clock.months"))
        words = {word for word in targets if len(word) >= _SHORTEST and is_word(word)}
        right = words.union(asked, english().adjectives, *(words_in(str(english().get(name))) for name in _RIGHT))
        return cls(tuple(sorted(words)), frozenset(right | {lemma(word) for word in right}))

    def corrected(self, words: Sequence[Word]) -> list[Word]:
        """The words, each misspelled one replaced by what it most likely stands for; the places in the text stay."""
        return [Word(self.nearest(word) or word, word.start, word.end) for word in words]

    def nearest(self, word: str) -> str | None:
        """The known word at distance 1, or 2 if both are long; None if the word is right, or none is near."""
        if len(word) < _SHORTEST_SAID or not is_word(word) or word in self.right or lemma(word) in self.right:
            return None
        if english().adjective(word) or number_at(split_words(word), 0):
            return None
        most = 2 if len(word) >= _LONG else 1
        near = process.extract(word, self.targets, scorer=OSA.distance, score_cutoff=most, limit=4)
        ranked = sorted(
            (distance, other[0] != word[0], other) for other, distance, _ in near if distance < 2 or len(other) >= _LONG
        )
        if not ranked or (len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]):
            return None
        return ranked[0][2]
