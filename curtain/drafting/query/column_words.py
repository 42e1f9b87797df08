"""English words for what columns hold, matched by the stems of a column's name: “born” for `birth_date`. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from .naming import stem

__all__ = [
    "ADJECTIVES",
    "DULL",
    "PEOPLE",
    "UNITS",
    "Adjective",
    "adjective_forms",
    "columns_said",
    "is_participle",
    "is_verb",
    "lemma",
    "lemmas",
    "said_words",
    "word_forms",
    "words_in",
]


def words_in(text: str) -> frozenset[str]:
    """The words of a list of words."""
    return frozenset(text.split())


DULL = words_in("a an the of id code no nr key info")
"""Words in names of columns and tables that nobody says."""

PEOPLE = words_in("employee person people staff customer client student member user teacher patient author player")
"""Tables of people, by name."""

_SAID = """
born birthday birth dob: birth dob born
hired joined join started employed hiring: hire hired join joined start
earn earns earning paid pay make makes salary wage income money payroll: salary wage pay income earning
cost costs price charge fare expensive cheap pay worth: price cost fare fee rate amount charge
live lives living resident: city town address
address street: address street
located location place where: city town state location country address place
people inhabitants citizens residents population populated populous populace: population inhabitants
phone telephone: phone telephone tel
called named name: name title
color colour colored: color colour
distance far away: distance miles km
size big large area: area size
leave leaves leaving depart departs departing departure: departure depart leave
arrive arrives arriving arrival land lands get: arrival arrive
seat seats hold holds seating: capacity seats
height high tall elevation altitude: altitude height elevation
length long: length duration
weigh weighs weight heavy: weight mass
speed fast: speed
job position occupation profession: job title position occupation
gender sex: sex gender
rented rent hired borrowed borrow: rent rental rented borrow loan
bought purchased purchase sold sale sales: purchase purchased bought sold sale
written wrote writer: author writer
age old aged: age birth
studied graduated attended: school university college
opened open opening founded established: opened open founded established start
built made released published: built made year released published
manufacturer maker brand make built builds: manufacturer brand maker make
run runs running flow flows flowing pass passes cross crosses traverse traverses: traverse crosses flows
border neighbor neighboring neighbour neighbouring adjacent adjoin surround: border neighbor neighbour adjacent
rating rated stars score: rating stars score
major majored: major subject
graduated graduate year: year graduation
begin begins start starts: start begin
end ends finish: end finish
"""


@dataclass(frozen=True, slots=True)
class Adjective:
    """What an adjective measures: stems of column names, likeliest first, each with 1 if much of it is meant and -1 if
    little is. `generic` says that it goes with any column (“the highest salary”)."""

    stems: tuple[tuple[str, int], ...]
    generic: bool = False


_MEASURED = """
cheap-: price cost fare fee rate
inexpensive-: price cost fare fee rate
expensive+: price cost fare fee rate
costly+: price cost fare fee rate
old+: age birth- born- built- year- founded- opened- hire- date-
young-: age birth- born- built- year- date-
new+: hire join built opened founded purchased date year
recent+: date year
late+: departure time date year arrival
early-: departure time date year arrival
long+: length duration elapsed minutes time distance
short-: length duration elapsed minutes height time distance
tall+: height altitude elevation
high+: altitude height elevation price salary
low-: altitude height elevation price salary
big+: area size population capacity length
large+: area size population capacity length
great+: area size population length
small-: area size population capacity length
heavy+: weight mass
light-: weight mass
fast+: speed elapsed- duration- minutes- time-
quick+: speed elapsed- duration- minutes- time-
slow-: speed elapsed- duration- minutes- time-
rich+: salary income
populous+: population
populated+: population
dense+: density
sparse-: density
far+: distance miles
near-: distance miles
close-: distance miles
deep+: depth
shallow-: depth
wide+: width
narrow-: width
good+: rating score stars
bad-: rating score stars
senior+: level hire- grade
junior-: level hire- grade
"""
_GENERIC = words_in("high low big large great small long short late early good dense sparse")
_IRREGULAR = {"good": ("better", "best"), "bad": ("worse", "worst"), "far": ("farther", "farthest")}


def _adjectives() -> Iterator[tuple[str, Adjective]]:
    for line in _MEASURED.strip().splitlines():
        head, stems = line.split(":")
        sign = 1 if head[-1] == "+" else -1
        found = [(one.rstrip("-"), -sign if one[-1] == "-" else sign) for one in stems.split()]
        yield head[:-1], Adjective(tuple(found), head[:-1] in _GENERIC)


ADJECTIVES: Mapping[str, Adjective] = dict(_adjectives())
"""Adjectives in their plain form."""

UNITS: Mapping[str, tuple[str, ...]] = {
    word: tuple(line.split(":")[1].split())
    for line in (
        "dollars dollar bucks usd euros euro pounds grand: price cost fare salary fee rate amount income wage pay",
        "miles mile km kilometers kilometres: distance miles length range",
        "feet foot meters metres m: height altitude elevation length",
        "people passengers persons inhabitants citizens: population capacity passengers seats",
        "seats: capacity seats",
        "minutes minute hours hour: duration elapsed time minutes length",
        "years year: age birth year duration",
        "stops stop: stops",
        "engines: engines",
        "kg kilos tons tonnes lbs: weight mass",
    )
    for word in line.split(":")[0].split()
}
"""Units that a number may have, and stems of columns that hold such numbers."""


def word_forms(word: str) -> tuple[str, ...]:
    """What a word may be without its ending: “hired” gives “hire” and “hir”, “cities” gives “city”."""
    plain = stem(word)
    bare = lemma(word)
    return tuple(dict.fromkeys((plain, bare, f"{bare}e")))


def is_participle(word: str) -> bool:
    """Whether a word says what was done (“hired”, “born”): behind a noun it says which, and is not asked for."""
    return word in _DONE or (word.endswith("ed") and len(word) > 4)


def is_verb(word: str) -> bool:
    """Whether a word says what somebody does or what was done: “earn”, “hired”."""
    return is_participle(word) or word in _DOING


_DOING = words_in("earn earns make makes get gets live lives work works")
_DONE = words_in("born sent built made written paid sold bought left held taken given begun found")


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
    return tuple(lemma(word) for word in words)


def _said() -> Iterator[tuple[str, str, float]]:
    for line in _SAID.strip().splitlines():
        words, stems = line.split(":")
        for rank, one in enumerate(stems.split()):
            yield from ((word, lemma(one), 0.75 - 0.05 * rank) for word in words.split())


_WORDS_FOR: dict[str, dict[str, float]] = {}
for _word, _stem, _weight in _said():
    _WORDS_FOR.setdefault(_stem, {}).setdefault(_word, _weight)


def columns_said(tokens: Iterable[str]) -> Mapping[str, float]:
    """The words that people use for a column whose name has these words, with how likely they mean it."""
    found: dict[str, float] = {}
    for token in tokens:
        for word, weight in _WORDS_FOR.get(lemma(token), {}).items():
            found[word] = max(weight, found.get(word, 0.0))
    return found


def said_words() -> frozenset[str]:
    """All words that this file knows."""
    lines = [line.replace(":", " ") for line in _SAID.splitlines()]
    return frozenset((*" ".join(lines).split(), *ADJECTIVES, *UNITS, *PEOPLE))


def adjective_forms(word: str) -> tuple[str, int] | None:
    """The plain adjective of which this is a form, and its degree: 1 “old”, 2 “older”, 3 “oldest”."""
    if word in ADJECTIVES:
        return word, 1
    for plain, forms in _IRREGULAR.items():
        if word in forms:
            return plain, 2 + forms.index(word)
    for ending, degree in (("er", 2), ("est", 3)):
        if word.endswith(ending):
            base = word.removesuffix(ending)
            for plain in (base, f"{base}e", f"{base[:-1]}y" if base.endswith("i") else "", base[:-1]):
                if plain in ADJECTIVES:
                    return plain, degree
    return None
