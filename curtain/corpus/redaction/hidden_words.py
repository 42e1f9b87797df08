"""The words that redactions hide, and where they stand in a text: also repeated, broken off, or with another spelling
of apostrophes, accents and case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from curtain.corpus.annotation.sro import Token, tokens

__all__ = ["HiddenWords", "WordPlace", "pieces_of_sro", "pieces_of_text", "words_of"]

_LETTER = r"(?:[^\W_]|[\u0300-\u036f])"
_WORD = re.compile(rf"{_LETTER}+(?:['’‐‑-]{_LETTER}+)*")
_PART = re.compile(r"[^\W_]+")
_COMMON = frozenset((
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "ask", "at", "be",
    "been", "before", "big", "but", "by", "can", "could", "did", "do", "does", "done", "each", "every", "find",
    "first", "for", "from", "get", "give", "go", "had", "has", "have", "he", "hello", "her", "here", "hers", "hi",
    "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "know", "last", "let", "like",
    "list", "long", "made", "make", "many", "may", "me", "mine", "more", "most", "much", "must", "my", "name",
    "named", "names", "need", "new", "next", "no", "not", "now", "of", "off", "old", "on", "one", "only", "or",
    "our", "out", "over", "own", "please", "put", "said", "same", "say", "see", "she", "should", "show", "so",
    "some", "still", "such", "tell", "than", "thank", "thanks", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "too", "two", "under", "up", "us", "very", "want", "was", "we",
    "well", "were", "what", "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with",
    "would", "yes", "yet", "you", "your",
))  # fmt: skip
"""Words that say nothing by themselves: they are hidden only where the whole phrase stands."""
_SHORTEST_FRAGMENT = 2
Place = tuple[int, int]


@dataclass(frozen=True)
class WordPlace:
    """A word in its place. `parts` are its letters without case, accents and the `'s`, split at apostrophes and
    hyphens; `broken` says which end of the word was not spoken: "end" as in `wor-`, "start" as in `-ston`. `meant` is
    the whole word where the transcriber wrote it, as in `REVO(LUTIONARY)-`."""

    start: int
    end: int
    parts: tuple[str, ...]
    broken: str = ""
    meant: str = ""

    @property
    def forms(self) -> frozenset[str]:
        """The word as a whole and its parts: `O'Neill` is also `oneill` and `neill`."""
        return frozenset(("".join(self.parts), *self.parts))

    @property
    def telling(self) -> frozenset[str]:
        """The forms that give the word away: longer than a letter, and no common word."""
        return frozenset(form for form in self.forms if len(form) > 1 and form not in _COMMON)


def pieces_of_text(text: str) -> list[WordPlace]:
    """The words of a typed text."""
    return [_piece(text, found.start(), found.end()) for found in _WORD.finditer(text)]


def _piece(text: str, start: int, end: int) -> WordPlace:
    broken = _broken(text, start, end)
    return WordPlace(start - (broken == "start"), end + (broken == "end"), _parts(text[start:end]), broken)


def _broken(text: str, start: int, end: int) -> str:
    if text[end : end + 1] == "-" and not text[end + 1 : end + 2].strip():
        return "end"
    return "start" if text[start - 1 : start] == "-" and not text[max(0, start - 2) : start - 1].strip() else ""


def pieces_of_sro(sro: str) -> list[WordPlace]:
    """The words and fragments of a transcription with their marks; what else stands in it is no word."""
    pieces = (_unbroken(token) if token.word is not None else _fragment(token) for token in tokens(sro))
    return [piece for piece in pieces if piece.parts]


def _unbroken(token: Token) -> WordPlace:
    parts = (part for word in _WORD.findall(token.word or "") for part in _parts(word))
    return WordPlace(token.start, token.end, tuple(parts))


def _fragment(token: Token) -> WordPlace:
    """Without letters if it is a noise or a pause."""
    plain = re.sub(r"\[[^\[\]\s]*\]|\(\(|\)\)|[<>*!~:\\]", "", token.text)
    spoken, meant = _letters(re.sub(r"\([^()]*\)", "", plain)), _letters(plain)
    broken = "start" if plain.startswith("-") else "end"
    return WordPlace(token.start, token.end, (spoken,) if meant else (), broken, meant if meant != spoken else "")


def _letters(text: str) -> str:
    return "".join(part for word in _WORD.findall(text) for part in _parts(word))


def _parts(word: str) -> tuple[str, ...]:
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    parts = _PART.findall("".join(sign for sign in decomposed if not unicodedata.combining(sign)))
    # “Smith's” gives Smith away.
    return tuple(parts[:-1] if len(parts) > 1 and parts[-1] == "s" else parts)


def words_of(text: str) -> frozenset[str]:
    """All forms of all words of a text."""
    return frozenset(form for piece in pieces_of_text(text) for form in piece.forms)


@dataclass(frozen=True)
class HiddenWords:
    """The phrases that are hidden, each as its words."""

    phrases: tuple[tuple[WordPlace, ...], ...] = ()

    @classmethod
    def of(cls, phrases: Iterable[Sequence[WordPlace]]) -> HiddenWords:
        """A fragment is hidden where it is marked, and says nothing of other words."""
        whole = (tuple(piece for piece in phrase if not piece.broken) for phrase in phrases)
        return cls(tuple(phrase for phrase in whole if phrase))

    @property
    def all_forms(self) -> frozenset[str]:
        """Every form of every piece of the hidden phrases."""
        return frozenset(form for phrase in self.phrases for piece in phrase for form in piece.forms)

    @property
    def telling(self) -> frozenset[str]:
        """What is hidden also where it stands alone."""
        alone = {form for phrase in self.phrases for piece in phrase for form in piece.telling}
        return frozenset(alone | {"".join(_flat(phrase)) for phrase in self.phrases if len(phrase) > 1})

    def places(self, pieces: Sequence[WordPlace]) -> list[Place]:
        """Where hidden words stand, in order; a phrase that stands as a whole is one place."""
        places: list[Place] = []
        # The longest first, so that a name of three words becomes one place and not three.
        for phrase in sorted(self.phrases, key=len, reverse=True):
            places += [place for place in _sequences(pieces, _flat(phrase)) if not _touches(place, places)]
        telling = self.telling
        places += [
            (piece.start, piece.end)
            for piece in pieces
            if _gives_away(piece, telling) and not _touches((piece.start, piece.end), places)
        ]
        return sorted([*places, *_initials(pieces, places, telling)])

    def missing_in(self, pieces: Sequence[WordPlace]) -> int:
        """How many of the phrases are not there, neither whole nor with each word of theirs that tells something."""
        there = {form for piece in pieces if not piece.broken for form in piece.forms}
        return sum(not (_sequences(pieces, _flat(phrase)) or _scattered(phrase, there)) for phrase in self.phrases)


def _flat(phrase: Iterable[WordPlace]) -> list[str]:
    return [part for piece in phrase for part in piece.parts]


def _sequences(pieces: Sequence[WordPlace], words: Sequence[str]) -> list[Place]:
    """Where these words follow one another, whatever is broken off between them."""
    flat = [(part, piece) for piece in pieces if not piece.broken for part in piece.parts]
    starts = range(len(flat) - len(words) + 1)
    sequences = (flat[at : at + len(words)] for at in starts)
    return [(some[0][1].start, some[-1][1].end) for some in sequences if [part for part, _ in some] == list(words)]


def _scattered(phrase: Sequence[WordPlace], there: set[str]) -> bool:
    telling = [piece.telling for piece in phrase if piece.telling]
    return bool(telling) and all(forms & there for forms in telling)


def _gives_away(piece: WordPlace, words: frozenset[str]) -> bool:
    if not piece.broken:
        return bool(piece.forms & words)
    return piece.meant in words or (len(piece.parts[0]) >= _SHORTEST_FRAGMENT and _is_part_of(piece, words))


def _is_part_of(piece: WordPlace, words: frozenset[str]) -> bool:
    letters = "".join(piece.parts)
    if piece.broken == "start":
        return any(word.endswith(letters) for word in words)
    return any(word.startswith(letters) for word in words)


def _initials(pieces: Sequence[WordPlace], places: Sequence[Place], words: frozenset[str]) -> list[Place]:
    """A single letter, broken off right before a hidden word that begins with it."""
    return [
        (piece.start, piece.end)
        for piece, following in pairwise(pieces)
        if piece.broken == "end"
        and len("".join(piece.parts)) == 1
        and _is_part_of(piece, words)
        and _touches((following.start, following.end), places)
    ]


def _touches(place: Place, others: Iterable[Place]) -> bool:
    return any(place[0] < end and start < place[1] for start, end in others)
