"""The words that a recogniser may hear in place of others: those of the domain, and any that sound nearly the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from curtain.base.words import MARKS

Sounds = tuple[str, ...]

_NEAREST = 6
# A word that is not of the domain is heard only where it sounds almost the same.
_ALMOST = 0.25
_WORD = re.compile(rf"[\w{MARKS}'’.-]*[\w{MARKS}]")


def words_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The words of texts in small letters, each once, in order of appearance."""
    small = (word.casefold() for text in texts for word in _WORD.findall(text))
    return tuple(dict.fromkeys(small))


@dataclass(frozen=True)
class SoundVocabulary:
    """`domain` are the words of the domain, likeliest to be heard; `spoken` maps words to their phonemes and is empty
    without a pronouncing dictionary: then letters are compared."""

    domain: tuple[str, ...]
    spoken: Mapping[str, Sounds] = field(default_factory=dict)
    _nearest: dict[str, tuple[tuple[str, float], ...]] = field(default_factory=dict, compare=False, repr=False)

    def sounds_of(self, word: str) -> Sounds:
        """The phonemes of a word; its letters where it has none."""
        return self.spoken.get(word) or tuple(word)

    def nearest(self, word: str) -> tuple[tuple[str, float], ...]:
        """Up to six other words that sound most alike, each with its distance from 0 to 1, the nearest first."""
        word = word.casefold()
        if word not in self._nearest:
            self._nearest[word] = self._search(word)
        return self._nearest[word]

    def _search(self, word: str) -> tuple[tuple[str, float], ...]:
        sounds = self.sounds_of(word)
        # Numbers are taken for numbers: their digits would be compared with letters.
        fellows = [other for other in self.domain if other != word and other[:1].isdigit() == word[:1].isdigit()]
        ranked = {other: distance(sounds, self.sounds_of(other)) for other in fellows}
        for other in self._by_class.get(sound_class(sounds), ()):
            if other != word and (gap := distance(sounds, self.sounds_of(other))) <= _ALMOST:
                ranked.setdefault(other, gap)
        return tuple(sorted(ranked.items(), key=lambda pair: (pair[1], pair[0]))[:_NEAREST])

    @cached_property
    def _by_class(self) -> Mapping[tuple[str, ...], list[str]]:
        classes: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for word, sounds in self.spoken.items():
            classes[sound_class(sounds)].append(word)
        return classes


# Phonemes of the CMU Pronouncing Dictionary (ARPAbet). Vowels are near each other, and so are consonants that differ in
# voice alone: these are what recognisers confuse (Miller and Nicely 1955).
_VOWELS = ["AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW"]
# Pairs that differ in voice alone, and nasals and liquids among themselves.
_GROUPS = ("P B", "T D", "K G", "F V", "TH DH", "S Z", "SH ZH", "CH JH", "M N NG", "L R", "W HH", "Y")
_CLASSES = {phoneme: group.split()[0] for group in _GROUPS for phoneme in group.split()}
_CLASSES |= dict.fromkeys(_VOWELS, "AA")
_NEAR = 0.5


def sound_class(phonemes: Sequence[str]) -> tuple[str, ...]:
    """The phonemes with those that are easily confused made the same."""
    return tuple(_CLASSES.get(one, one) for one in phonemes)


@lru_cache(maxsize=200_000)
def distance(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    """0 for the same sounds, 1 for nothing in common: weighted edits over the length of the longer one.

    Over phonemes, or over letters where a word has no pronunciation."""
    row = [float(at) for at in range(len(right) + 1)]
    for number, sound in enumerate(left, start=1):
        above, row = row, [float(number)]
        for place, sound_there in enumerate(right):
            row.append(min(above[place] + _cost(sound, sound_there), above[place + 1] + 1, row[place] + 1))
    return row[-1] / (max(len(left), len(right)) or 1)


def _cost(left: str, right: str) -> float:
    if left == right:
        return 0.0
    return _NEAR if left in _CLASSES and _CLASSES[left] == _CLASSES.get(right) else 1.0
