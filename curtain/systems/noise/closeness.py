"""How alike two words sound: an edit distance over phonemes, or over letters where a word has no pronunciation.

Phonemes are those of the CMU Pronouncing Dictionary (ARPAbet). Vowels are near each other, and so are consonants that
differ in voice alone: these are what recognisers confuse (Miller and Nicely 1955).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

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
    """0 for the same sounds, 1 for nothing in common: weighted edits over the length of the longer one."""
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
