"""What a query says of its values, whatever they are: which it names in one breath, which it denies, how it compares
them; and candidates made to say the same."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..learned.scoring import Proposal
from ..query.best_asked import BestAsked, best_asked
from ..query.column_words import words_in
from ..query.denials import denied_beyond, denied_by_verb, denied_in, misses_denial, units_of
from ..query.opposites import denies_anything
from ..query.recognise import Found, Reading, lasting_in, prices_in, units_in
from ..query.series import Series, series_in
from ..query.small_words import BESIDE, POSSESSIVE
from ..sql.alternatives import Means, ValueAlternatives, alternatives_in
from ..sql.both import asks_for_both
from ..sql.none_of import Keys
from .rewritten import (
    compared,
    denied,
    each,
    either,
    ends_in,
    keeps_signs,
    nights_in,
    over_midnight,
    says_denied,
    signs_in,
    turned_signs,
)
from .two_ways import Twice, routes_in, said_twice

__all__ = ["Sayings", "sayings_of", "values_denied"]

_BEFORE = 4
# “Are Mary Smith and Paul Tai women” is yes of both or of one.
_ASKING = words_in("is are was were do does did have has")
_WITH = (("work", "with"), ("works", "with"), ("worked", "with"), ("working", "with"))
_OF_SOMEBODY = (("of",), ("does",), ("do",), ("did",))
_UNSAYABLE = re.compile(
    r"\bthan (them|him|her|it|that|those|this|these)\b|\bhow many\b.*\bhow many\b|"
    r"\b(over|under|than|least|most) \d+ of (them|those|these)\b|"
    r"\b(which|where|whose people) (everyone|everybody|all|no one|nobody)\b|\bwith (no one|nobody)\b|"
    r"\bhow many \w+ and (?!how )\w+ (do|does|did|has|have|are|is|were|work|live)\b|"
    r"\b(was|were|will be) \d+ (in|this|next)\b|\b(with|have|has|having) an average\b|"
    r"\b(next|previous|following|other) day\b|\bday (after|before)\b(?! (tomorrow|yesterday))"
)
_AFTER_MIDNIGHT = re.compile(r"\b(after|past) midnight\b(?! (and|but|until|till|to|before))")
_BELOW_ZERO = re.compile(r"(^|\s)([-−]|minus )\d")
# “Who has an MBA and where did they get it”.
_ASKS_AGAIN = re.compile(
    r"\band (where|when|what|whom?|how|why) ((much|many|old|long) )?(do|does|did|is|are|was|were|they|he|she|it)\b"
)


@dataclass(frozen=True)
class Sayings:
    """Values that are named in one breath; denied ones (of those in `beyond` perhaps only something named before them;
    `of_verbs` are said of what is asked for), in `units` with what stands right behind them; comparisons, in `bounds`
    turned round by a “not”, in `with_end` so that the end belongs to it; spans over midnight; sums of money; numbers
    with the unit they are `measured` in, and how many minutes one of it is (`lasting`); whether the most or the least
    is asked for; what is left to choose; whether of those in one breath each must be; what is said twice with other
    values; whether it is
    `unsayable`, so that no draft can say it: more than somebody before (“than them”), two numbers (“how many clerks and
    how many engineers”), so many of those (“more than 10 of them”), two routes whose parts do not match (“from Boston
    to Denver or Dallas and from Denver to Boston”), a day told by another (“the next day”); whether it `asks_again`, so
    that one thing shown is not enough; the words `beside` its numbers."""

    series: Sequence[Series]
    denied: frozenset[int]
    units: Sequence[tuple[int, ...]]
    beyond: frozenset[int]
    of_verbs: frozenset[int]
    bounds: frozenset[int]
    signs: Mapping[int, str]
    with_end: frozenset[int]
    nights: Sequence[tuple[int, int]]
    prices: frozenset[str]
    measured: Mapping[str, str]
    lasting: Mapping[str, int]
    best: BestAsked
    alternatives: ValueAlternatives
    both: bool
    twice: Twice | None
    unsayable: bool
    asks_again: bool
    words: tuple[str, ...]
    beside: frozenset[str]

    @property
    def measures(self) -> frozenset[str]:
        """The numbers that are said to be money, or with a unit."""
        return self.prices | frozenset(self.measured)

    @property
    def compared(self) -> frozenset[int]:
        """The values of which it is said that something is more or less."""
        return frozenset(number for number, sign in self.signs.items() if sign not in ("=", "<>"))

    def put_into(self, proposal: Proposal, keys: Keys) -> Proposal:
        """The candidate with the denials, comparisons and alternatives that the query has."""
        denying = denied(proposal, self.units, keys, self.of_verbs, self.beyond)
        spanning = compared(over_midnight(denying, self.nights), self.signs, self.bounds, self.with_end)
        wide = either(spanning, self.alternatives.pairs)
        return each(wide, keys) if self.both else wide

    def tears(self, proposal: Proposal) -> bool:
        """Whether a candidate uses only some of the values that belong together."""
        used = proposal.doing
        return any(one.torn(used) for one in self.series) or (self.twice is not None and self.twice.torn(used))

    def are_missed_by(self, proposal: Proposal) -> bool:
        """Whether a candidate says the contrary: denies nothing where it should, or something where it should not."""
        wanted = self.denied - self.beyond if "IS NULL" in proposal.sql else self.denied
        missed = misses_denial(proposal.sql, proposal.used, wanted)
        denying = says_denied(proposal, proposal.used) and not denies_anything(self.words)
        return missed or denying or not keeps_signs(proposal, self.signs, self.bounds)


def sayings_of(reading: Reading, means: Means) -> Sayings:
    """All that a query says of its values; `means` tells the conditions that words mean by themselves."""
    plain = signs_in(reading)
    # “I can't leave Boston before noon” denies the time, not Boston.
    of_verbs = denied_by_verb(reading)
    moved = {number for number in of_verbs if plain.get(number + 1, "=") != "="}
    without = (denied_in(reading) - moved) | {number + 1 for number in moved}
    bounds = frozenset(turned_signs(reading, without))
    words = tuple(word.text for word in reading.words)
    twice = said_twice(reading)
    alternatives = alternatives_in(reading, means)
    asks_of_several = words[:1] and words[0] in _ASKING and (twice is not None or _names_two(reading, words))
    unsayable = bool(_UNSAYABLE.search(" ".join(words)) or asks_of_several)
    unsayable = unsayable or (twice is None and (alternatives.loose or routes_in(reading) > 1))
    return Sayings(
        series=series_in(reading),
        denied=without - bounds,
        units=units_of(reading, without - bounds),
        beyond=denied_beyond(reading),
        of_verbs=of_verbs,
        bounds=bounds,
        signs=signs_in(reading, bounds),
        with_end=ends_in(reading) - bounds,
        nights=nights_in(reading),
        prices=prices_in(reading),
        measured=units_in(reading),
        lasting=lasting_in(reading),
        best=best_asked(reading),
        alternatives=alternatives,
        both=asks_for_both(reading),
        twice=twice,
        unsayable=unsayable or _says_beyond(reading, words),
        asks_again=bool(_ASKS_AGAIN.search(" ".join(words))),
        words=words,
        beside=frozenset(at for one in reading.found if one.kind == "number" for at in _near(words, one)),
    )


def _names_two(reading: Reading, words: Sequence[str]) -> bool:
    """Whether a question for yes or no begins with two names: “are Mary Smith and Paul Tai”."""
    at = 1
    for one in reading.found:
        if one.first == at + 1 and words[at] == "and" and at > 1:
            return True
        if one.first != at:
            return False
        at = one.last
    return False


def _says_beyond(reading: Reading, words: Sequence[str]) -> bool:
    """Whether colleagues are asked for, a number is below zero, a time is after midnight and nobody says until when, a
    day is in no calendar, or a mere “and clerks” goes on from before."""
    rest = [word for word in words[1:] if word != "the"]
    nouns = [one for one in reading.found if one.last == len(words)]
    more = words[0] == "and" and len(rest) == 1 and rest[0].endswith(("s", "men")) and bool(nouns)
    unheard_of = _BELOW_ZERO.search(reading.text) or any(map(_is_in_no_calendar, reading.found))
    late = _AFTER_MIDNIGHT.search(" ".join(words)) is not None
    return more or late or bool(unheard_of) or _asks_for_colleagues(reading, words)


def _is_in_no_calendar(one: Found) -> bool:
    """Whether a day and a month are told that make no date: “31 February”."""
    return one.form("#day") is not None and one.form("#month") is not None and one.form("#date") is None


def _asks_for_colleagues(reading: Reading, words: Sequence[str]) -> bool:
    """Whether those are asked for who work beside somebody: nothing says who these are."""
    named = {one.last for one in reading.found} | {at for at, word in enumerate(words) if word in POSSESSIVE}
    begins = {one.first for one in reading.found}
    beside = (at for at, word in enumerate(words) if word in BESIDE)
    return any(words[at - 2 : at] in _WITH for at in begins) or any(
        at in named or at - 1 in named or words[at + 1 : at + 2] in _OF_SOMEBODY for at in beside
    )


def _near(words: Sequence[str], one: Found) -> Sequence[str]:
    return (*words[max(0, one.first - _BEFORE) : one.first], *words[one.last : one.last + 1])


def values_denied(reading: Reading) -> frozenset[int]:
    """The denied values that are no measures: the contrary of a bound need not have a NOT in it."""
    return frozenset(number for number in denied_in(reading) if not reading.found[number].is_measure)
