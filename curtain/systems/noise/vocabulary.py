"""The words that a recogniser may hear in place of others: those of the domain, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from curtain.base.edit_distance import edits
from curtain.base.words import MARKS
from curtain.domain.pack.lexicon import read_pack_lexicon
from curtain.domain.pack.reader import Pack

_NEAREST = 6
_WORD = re.compile(rf"[\w{MARKS}'’.-]*[\w{MARKS}]")


def words_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The words of texts in small letters, each once, in order of appearance."""
    small = (word.casefold() for text in texts for word in _WORD.findall(text))
    return tuple(dict.fromkeys(small))


@dataclass(frozen=True)
class HeardVocabulary:
    """What may be heard: the words of a domain. Letters say which of them are alike."""

    domain: tuple[str, ...]
    _nearest: dict[str, tuple[tuple[str, float], ...]] = field(default_factory=dict, compare=False, repr=False)

    def nearest(self, word: str) -> tuple[tuple[str, float], ...]:
        """Up to six other words that are most alike, each with its distance from 0 to 1, the nearest first."""
        word = word.casefold()
        if word not in self._nearest:
            # Numbers are taken for numbers: their digits would be compared with letters.
            fellows = [other for other in self.domain if other != word and other[:1].isdigit() == word[:1].isdigit()]
            gaps = ((other, edits(word, other) / max(len(word), len(other))) for other in fellows)
            self._nearest[word] = tuple(sorted(gaps, key=lambda pair: (pair[1], pair[0]))[:_NEAREST])
        return self._nearest[word]


def vocabulary_of(pack: Pack) -> HeardVocabulary:
    """What may be heard in a domain. Raises PackError."""
    return HeardVocabulary(words_in(_texts_of(pack)))


def _texts_of(pack: Pack) -> Iterator[str]:
    yield from (example.question for example in pack.examples())
    lexicon = read_pack_lexicon(pack)
    yield from (word for words in lexicon.names.values() for word in words)
    yield from (word for values in lexicon.values.values() for words in values.values() for word in words)
