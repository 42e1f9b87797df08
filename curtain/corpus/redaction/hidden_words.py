"""The words that redactions hide, and where they stand in a text: also repeated, spelled, broken off, as figures, or
with another spelling of apostrophes, accents and case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, groupby, pairwise

from curtain.corpus.annotation.sro import Token, tokens
from curtain.corpus.redaction.figures import (
    common_words,
    figures_of_months,
    forms_of_figures,
    numbers_in,
    plain_letters,
)

_LETTER = r"(?:[^\W_]|[\u0300-\u036f])"
# Scripts that put no spaces between words: each sign stands for itself.
_ALONE = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_BESIDE = rf"(?:(?![{_ALONE}]){_LETTER})+"
_WORD = re.compile(rf"[{_ALONE}]|{_BESIDE}(?:['’‐‑-]{_BESIDE})*")
_PART = re.compile(rf"\d+(?:(?:st|nd|rd|th)(?![^\W\d_]))?|[{_ALONE}]|(?:(?![{_ALONE}])[^\W\d_])+")
_SHORTEST_FRAGMENT = 2
# What the cases of a name have in common, and what they add or change: Петров, Петровым; Kowalski, Kowalskiego.
_SHORTEST_STEM, _LONGEST_ENDING = 4, 3
_SHORTEST_PART_OF_FIGURES = 3
# Shorter names stand in words of every day, as “king” in “working”; an address is somebody's.
_SHORTEST_INSIDE, _SHORTEST_IN_ADDRESS = 6, 3
_ADDRESS = re.compile(r"[^\s@]+@\S+")
Place = tuple[int, int]


@dataclass(frozen=True)
class WordPlace:
    """A word in its place. `parts` are its letters without case, accents and the `'s`, split at apostrophes, hyphens
    and figures; `broken` says which end of the word was not spoken: "end" as in `wor-`, "start" as in `-ston`. `meant`
    is the whole word where the transcriber wrote it, as in `REVO(LUTIONARY)-`."""

    start: int
    end: int
    parts: tuple[str, ...]
    broken: str = ""
    meant: str = ""
    in_address: bool = False


def pieces_of_text(text: str) -> list[WordPlace]:
    """The words of a typed text."""
    addresses = [found.span() for found in _ADDRESS.finditer(text)] if "@" in text else []
    return [_piece(text, *found.span(), _touches(found.span(), addresses)) for found in _WORD.finditer(text)]


def _piece(text: str, start: int, end: int, in_address: bool) -> WordPlace:
    broken = _broken(text, start, end)
    parts = _parts(text[start:end])
    return WordPlace(start - (broken == "start"), end + (broken == "end"), parts, broken, in_address=in_address)


def _broken(text: str, start: int, end: int) -> str:
    if text[end : end + 1] == "-" and not text[end + 1 : end + 2].strip():
        return "end"
    return "start" if text[start - 1 : start] == "-" and not text[max(0, start - 2) : start - 1].strip() else ""


def pieces_of_sro(sro: str) -> list[WordPlace]:
    """The words and fragments of a transcription with their marks; what else stands in it is no word."""
    pieces = (piece for token in tokens(sro) for piece in _pieces_of_token(token))
    return [piece for piece in pieces if piece.parts]


def _pieces_of_token(token: Token) -> list[WordPlace]:
    if token.word is None:
        return [_fragment(token)]
    words = _WORD.findall(token.word)
    if token.word == token.text and any(re.fullmatch(f"[{_ALONE}]", word) for word in words):
        inside = pieces_of_text(token.text)
        return [WordPlace(token.start + one.start, token.start + one.end, one.parts, one.broken) for one in inside]
    parts = tuple(part for word in words for part in _parts(word))
    return [WordPlace(token.start, token.end, parts, in_address="@" in token.text)]


def _fragment(token: Token) -> WordPlace:
    """Without letters if it is a noise or a pause."""
    plain = re.sub(r"\[[^\[\]\s]*\]|\(\(|\)\)|[<>*!~:\\]", "", token.text)
    spoken, meant = _letters(re.sub(r"\([^()]*\)", "", plain)), _letters(plain)
    broken = "start" if plain.startswith("-") else "end"
    return WordPlace(token.start, token.end, (spoken,) if meant else (), broken, meant if meant != spoken else "")


def _letters(text: str) -> str:
    return "".join(part for word in _WORD.findall(text) for part in _parts(word))


@lru_cache(maxsize=1 << 15)
def _parts(word: str) -> tuple[str, ...]:
    parts = [_without_ordinal(part) for part in _PART.findall(plain_letters(word))]
    # “Smith’s” gives Smith away.
    return tuple(parts[:-1] if len(parts) > 1 and parts[-1] == "s" else parts)


def _without_ordinal(part: str) -> str:
    if not part[0].isdigit():
        return part
    return "".join(str(unicodedata.digit(sign)) for sign in part if sign.isdigit())


# -- what is compared ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Atom:
    """What is compared: a word, a letter or figures. `first` and `last` are the pieces that it stands in. A `spoken`
    one is a number in words, a `weak` one in a word that is said for other reasons, too."""

    form: str
    first: int
    last: int
    weak: bool = False
    spoken: bool = False

    @property
    def is_figure(self) -> bool:
        return self.form.isdigit()

    @property
    def is_revealing(self) -> bool:
        return self.is_figure or (len(self.form) > 1 and self.form not in common_words())

    @property
    def forms(self) -> frozenset[str]:
        """The word and its singular."""
        return frozenset((self.form, _singular(self.form)))


def _singular(form: str) -> str:
    return form[:-1] if len(form) > 4 and form.endswith("s") and not form.endswith("ss") else form


def _atoms(pieces: Sequence[WordPlace]) -> list[_Atom]:
    """The words of all pieces that are not broken off; numbers in words as figures."""
    flat = [(part, number) for number, piece in enumerate(pieces) if not piece.broken for part in piece.parts]
    words = [part for part, _ in flat]
    numbers = {first: (form, end) for form, first, end in numbers_in(words)}
    atoms: list[_Atom] = []
    at = 0
    while at < len(flat):
        form, end = numbers.get(at, (words[at], at + 1))
        spoken = form != words[at]
        weak = spoken and end == at + 1 and words[at] in common_words()
        atoms.append(_Atom(form, flat[at][1], flat[end - 1][1], weak, spoken))
        at = end
    return atoms


def _joined(atoms: Iterable[_Atom]) -> str:
    return "".join(atom.form for atom in atoms)


def _figures_in(atoms: Sequence[_Atom]) -> Iterator[str]:
    """Figures and letters that follow one another: `12b` and `12`, `quill` for a name that was spelled."""
    for is_short, some in groupby(atoms, key=lambda one: one.is_figure or len(one.form) == 1):
        run = list(some)
        if is_short and _joined(run) not in common_words():
            yield _joined(run)
            yield from (_joined(group) for is_figure, group in groupby(run, lambda one: one.is_figure) if is_figure)


@dataclass(frozen=True)
class HiddenWords:
    """The phrases that are hidden, each as its words. `others` are words that may stand for one of them."""

    phrases: tuple[tuple[WordPlace, ...], ...] = ()
    others: frozenset[str] = frozenset()

    @classmethod
    def of(cls, phrases: Iterable[Sequence[WordPlace]]) -> HiddenWords:
        """A fragment is hidden where it is marked, and says nothing of other words."""
        whole = (tuple(piece for piece in phrase if not piece.broken) for phrase in phrases)
        return cls(tuple(phrase for phrase in whole if phrase))

    @classmethod
    def of_all(cls, many: Iterable[HiddenWords]) -> HiddenWords:
        """What any of them hides."""
        many = list(many)
        phrases = tuple(dict.fromkeys(phrase for one in many for phrase in one.phrases))
        return cls(phrases, frozenset(word for one in many for word in one.others))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is hidden."""
        return not self.phrases

    @cached_property
    def whole(self) -> frozenset[str]:
        """Each phrase in one word."""
        joined = (_joined(_atoms(phrase)) for phrase in self.phrases)
        return frozenset(form for one in joined for form in _forms_of(one))

    @cached_property
    def revealing(self) -> frozenset[str]:
        """What is hidden also where it stands alone."""
        return frozenset(form for phrase in self.phrases for form in _revealing(phrase)) | self.others

    @cached_property
    def figures(self) -> frozenset[str]:
        """The numbers among them."""
        return frozenset(form for form in self.revealing if form.isdigit())

    @cached_property
    def of_two_letters(self) -> tuple[frozenset[str], frozenset[str]]:
        """`whole` and `revealing` without what is one letter or figure."""
        short = frozenset(form for form in self.whole | self.revealing if len(form) < 2)
        return self.whole - short, self.revealing - short

    @cached_property
    def anywhere(self) -> HiddenWords:
        """What is hidden in what was said in other turns, too: phrases that reveal something, and `parts` of them."""
        return HiddenWords((*filter(_is_unmistakable, self.phrases), *self.parts.phrases))

    @cached_property
    def parts(self) -> HiddenWords:
        """The names and the numbers of longer phrases: “badge 48213” also hides 48213."""
        parts = (part for phrase in self.phrases for part in _parts_of(phrase))
        shorter = (part for part in parts if _is_unmistakable(part) and _joined(_atoms(part)) not in self.whole)
        return HiddenWords(tuple(dict.fromkeys(shorter)))

    def places(self, pieces: Sequence[WordPlace], *, whole_only: bool = False) -> list[Place]:
        """Where hidden words stand, in order; a phrase that stands as a whole is one place."""
        revealing = frozenset[str]() if whole_only else self.revealing
        spans: list[tuple[int, int]] = []
        # The longest first, so that a name of three words becomes one place and not three.
        for first, last in sorted(_sequences(pieces, self.whole, revealing), key=lambda one: one[0] - one[1]):
            if not any(first <= end and start <= last for start, end in spans):
                spans.append((first, last))
        places = [(pieces[first].start, pieces[last].end) for first, last in spans]
        words = revealing | self.whole
        places += [(piece.start, piece.end) for piece in pieces if piece.broken and _gives_away(piece, words)]
        return sorted([*places, *_initials(pieces, places, words)])

    def may_be_inflected_in(self, pieces: Sequence[WordPlace]) -> bool:
        """Whether a word has the beginning of a hidden one and another ending, as names have in many languages."""
        hidden = [word for word in self.revealing if word.isalpha()]
        return any(_differ_in_ending(atom.form, word) for atom in _atoms(pieces) for word in hidden)

    def missing_in(self, pieces: Sequence[WordPlace]) -> int:
        """How many of the phrases are not there, neither whole nor with each word of theirs that reveals something."""
        there = _forms_in(pieces)
        return sum(
            not (any(_sequences(pieces, HiddenWords((phrase,)).whole, frozenset())) or _scattered(phrase, there))
            for phrase in self.phrases
        )


def _differ_in_ending(form: str, word: str) -> bool:
    stem = max(_SHORTEST_STEM, min(len(form), len(word)) - _LONGEST_ENDING)
    is_long = min(len(form), len(word)) >= stem and abs(len(form) - len(word)) <= _LONGEST_ENDING
    return is_long and form != word and form[:stem] == word[:stem]


def _revealing(phrase: Sequence[WordPlace]) -> Iterator[str]:
    atoms = _atoms(phrase)
    yield from (form for atom in atoms if atom.is_revealing and not atom.is_figure for form in atom.forms)
    yield from (figures_of_months()[atom.form] for atom in atoms if atom.form in figures_of_months())
    # “O’Neill” is also written “Oneill”.
    joined = ("".join(piece.parts) for piece in phrase if len(piece.parts) > 1)
    yield from (word for word in joined if not word.isdigit())
    for short in _figures_in(atoms):
        if len(short) > 1 or short.isdigit():
            yield from _forms_of(short)
    if len(phrase) > 1:
        yield _joined(atoms)


def _forms_of(joined: str) -> frozenset[str]:
    return forms_of_figures(joined) if joined.isdigit() else frozenset((joined, _singular(joined)))


def _is_unmistakable(phrase: Sequence[WordPlace]) -> bool:
    """Two words or more that reveal something, or a number of three figures and more."""
    atoms = _atoms(phrase)
    joined = _joined(atoms)
    return (joined.isdigit() and len(joined) > 2) or sum(atom.is_revealing for atom in atoms) > 1


def _parts_of(phrase: Sequence[WordPlace]) -> Iterator[tuple[WordPlace, ...]]:
    """Each number, and words that follow one another; of two also the last first, as in “Quintaris, Zorblax”."""
    # Without initials: “Ann T. Quill” is also Ann Quill.
    atoms = (atom for atom in _atoms(phrase) if atom.is_figure or len(atom.form) > 1)
    for is_figure, some in groupby(atoms, lambda atom: atom.is_figure if atom.is_revealing else None):
        run = [WordPlace(0, 0, (atom.form,)) for atom in some]
        if is_figure:
            yield tuple(run)
            # A year behind a day is a number of its own.
            yield from ((one,) for one in run if len(one.parts[0]) > _SHORTEST_PART_OF_FIGURES)
        elif is_figure is False:
            yield from (tuple(run[start:end]) for start, end in combinations(range(len(run) + 1), 2))
            yield from ((after, before) for before, after in pairwise(run))


def _sequences(
    pieces: Sequence[WordPlace], whole: frozenset[str], revealing: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """The pieces from which to which the words stand, in however many words they are written there."""
    atoms = _atoms(pieces)
    beginnings, figures = _beginnings(whole, revealing), _long_figures(revealing)
    for start, atom in enumerate(atoms):
        joined = ""
        for end in range(start, len(atoms)):
            joined += atoms[end].form
            forms = {joined, _singular(joined)}
            if not forms & beginnings:
                break
            if forms & whole or (forms & revealing and not (start == end and atom.weak)):
                yield atom.first, atoms[end].last
        if figures and atom.is_figure:
            yield from ((atom.first, last) for last in _ends_of_parts(atoms, start, figures))
    words = _words_by_length(whole, revealing)
    yield from ((at, at) for at, piece in enumerate(pieces) if _is_around(piece, words))


def _ends_of_parts(atoms: Sequence[_Atom], start: int, figures: Sequence[str]) -> Iterator[int]:
    """The end of a telephone number gives it away, and so does one with its area code. Figures of several cells of a
    table make no number, those that are spoken one by one do."""
    joined = ""
    # Without a slice: an answer may hold a million figures.
    for at in range(start, len(atoms)):
        joined += atoms[at].form
        spoken = atoms[start].spoken and atoms[at].spoken
        if at > start and not (spoken and any(joined in one for one in figures)):
            return
        if len(joined) >= _SHORTEST_PART_OF_FIGURES and any(joined in one or one in joined for one in figures):
            yield atoms[at].last


def _is_around(piece: WordPlace, words: Mapping[int, frozenset[str]]) -> bool:
    """Whether a word is a part of this one: of `zquill@lab.org`."""
    letters = "".join(piece.parts)
    shortest = _SHORTEST_IN_ADDRESS if piece.in_address else _SHORTEST_INSIDE
    return len(letters) > shortest and any(
        letters[at : at + size] in words[size]
        for size in words if size >= shortest
        for at in range(len(letters) - size + 1)
    )  # fmt: skip


@lru_cache(maxsize=256)
def _words_by_length(whole: frozenset[str], revealing: frozenset[str]) -> Mapping[int, frozenset[str]]:
    words = sorted((one for one in whole | revealing if not one.isdigit()), key=len)
    return {size: frozenset(some) for size, some in groupby(words, key=len)}


@lru_cache(maxsize=256)
def _beginnings(whole: frozenset[str], revealing: frozenset[str]) -> frozenset[str]:
    """What a word can begin with that is one of these in the end."""
    return frozenset(form[:end] for form in whole | revealing for end in range(1, len(form) + 1))


@lru_cache(maxsize=256)
def _long_figures(revealing: frozenset[str]) -> tuple[str, ...]:
    return tuple(one for one in revealing if one.isdigit() and len(one) >= _SHORTEST_PART_OF_FIGURES)


def _scattered(phrase: Sequence[WordPlace], there: frozenset[str]) -> bool:
    atoms = _atoms(phrase)
    words = [atom for atom in atoms if atom.is_revealing and not atom.is_figure]
    figures = [run for run in _figures_in(atoms) if run.isdigit()]
    return (
        bool(words or figures)
        and all(atom.forms & there for atom in words)
        and all(forms_of_figures(one) & there for one in figures)
    )


def _gives_away(piece: WordPlace, words: frozenset[str]) -> bool:
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


# -- what nobody can tie to words that may be seen ---------------------------------------------------------


def _forms_in(pieces: Sequence[WordPlace]) -> frozenset[str]:
    """All words and numbers of a text in every form in which another text may have them."""
    atoms = _atoms(pieces)
    forms = {form for atom in atoms for form in atom.forms}
    forms |= {"".join(piece.parts) for piece in pieces if not piece.broken}
    for is_figure, some in groupby(atoms, lambda one: one.is_figure):
        run = list(some)
        if is_figure:
            parts = (_joined(run[start:end]) for start in range(len(run)) for end in range(start + 1, len(run) + 1))
            forms |= {form for part in parts for form in forms_of_figures(part)}
    return frozenset(forms)


def untied(pieces: Sequence[WordPlace], visible: Iterable[Sequence[WordPlace]], hidden: HiddenWords) -> frozenset[str]:
    """The words and numbers of a text that stand in none of the texts that may be seen: each may stand for what is
    hidden. Common words are none."""
    known = frozenset(form for text in visible for form in _forms_in(text)) - hidden.revealing - hidden.whole
    unknown: set[str] = set()
    for is_figure, some in groupby(_atoms(pieces), lambda one: one.is_figure):
        run = list(some)
        if is_figure and _joined(run) in known:
            continue
        unknown |= {atom.form for atom in run if not _is_tied(atom, known)}
        if is_figure and not all(_is_tied(atom, known) for atom in run):
            unknown.add(_joined(run))
    return frozenset(unknown)


def _is_tied(atom: _Atom, known: frozenset[str]) -> bool:
    return bool(atom.weak or atom.forms & known or atom.form in common_words())


def is_hidden_elsewhere(hidden: HiddenWords, text: str) -> bool:
    """Whether a text of another turn, such as its answer, holds hidden words or numbers of two figures and more."""
    # Turns quote the same short texts again and again; long answers are not worth the memory.
    return (_is_hidden_in if len(text) < 1000 else _is_hidden_in.__wrapped__)(text, *hidden.of_two_letters)


@lru_cache(maxsize=4096)
def _is_hidden_in(text: str, whole: frozenset[str], revealing: frozenset[str]) -> bool:
    return any(_sequences(pieces_of_text(text), whole, revealing))
