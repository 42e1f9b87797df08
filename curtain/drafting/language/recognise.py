"""The values in a query: names and codes of the database, numbers, times, dates, periods of the day."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise, takewhile
from typing import Any

from .clock import (
    EARLIEST_YEAR,
    LATEST_YEAR,
    Day,
    ages_at,
    date_at,
    day_before,
    decade_at,
    is_year,
    month_name,
    shifted,
    time_at,
)
from .codes import meant_as_code
from .english import english, lemmas, stem
from .lexicon import YES_OR_NO, Lexicon, Meaning
from .tokens import Word, number_at, split_words

__all__ = ["Found", "Reading", "Recogniser", "number_meaning", "time_meaning"]

_SMALL = 12
_SIGNS = frozenset("/-+*&#")
# A period of the day by this name is mostly something else.
_DAYS = (("day",), ("days",))
_MOST_FOUND = 30
_LONGEST_QUERY = 600
_OFFSETS = (-60, -30, -15, -10, 10, 15, 30, 60)


@dataclass(frozen=True)
class Found:
    """A value in a query: characters [start, end), words [first, last), and what it may mean, likeliest first. A weak
    one keeps its words when the query is compared with others, since they may be no value at all."""

    start: int
    end: int
    first: int
    last: int
    said: str
    meanings: tuple[Meaning, ...]
    weak: bool = False

    @property
    def kind(self) -> str:
        """The kind of its likeliest meaning."""
        return self.meanings[0].kind

    @property
    def is_measure(self) -> bool:
        """Whether it is likeliest a number, a time or the like, and no value of the database."""
        return all("#" in name for name in self.meanings[0].forms)

    def form(self, name: str) -> str | None:
        """Its spelling in SQL of this name, in the likeliest meaning that has one."""
        return next((one.forms[name] for one in self.meanings if name in one.forms), None)


@dataclass(frozen=True)
class Reading:
    """A query with its words and the values in it; `removed` are those that the wizard has taken away."""

    text: str
    words: tuple[Word, ...]
    found: tuple[Found, ...]
    removed: frozenset[int] = frozenset()

    def without(self, numbers: Iterable[int]) -> Reading:
        """The query as if the wizard had taken some of its values away."""
        return replace(self, removed=self.removed | {*numbers})


Spelling = Callable[[Sequence[Word]], Sequence[Word]]


class Recogniser:
    """Finds values. `usual` counts how often a column is compared with a literal in answered questions: what is usual
    comes first where words may mean several things. `spelt` puts misspelled words right; `names` are the lemmas of what
    tables and columns are called: what may be one of these is hardly a value."""

    def __init__(
        self,
        lexicon: Lexicon,
        periods: Mapping[str, Any],
        as_of: date,
        spelt: Spelling = lambda words: words,
        names: Container[tuple[str, ...]] = (),
    ) -> None:
        self._lexicon = lexicon
        self._spelt, self._names = spelt, names
        self._as_of = as_of
        self._periods = dict(_period_phrases(periods))
        self._longest = max(lexicon.longest, 5)
        self.usual: dict[str, int] = {}

    def read(self, text: str) -> Reading:
        """The query with all values in it; of a very long one, the beginning."""
        text = text[:_LONGEST_QUERY]
        words = self._spelt(split_words(text))
        found: list[Found] = []
        at = 0
        while at < len(words) and len(found) < _MOST_FOUND:
            one = self._at(text, words, at, found)
            if one is not None:
                found.append(one)
            at = one.last if one else at + 1
        return Reading(text, tuple(words), _in_order(words, found))

    def _at(self, text: str, words: Sequence[Word], at: int, before: Sequence[Found]) -> Found | None:
        sizes: dict[int, list[Meaning]] = {}
        for size, meaning in [*self._named(words, at, before), *self._counted(words, at)]:
            sizes.setdefault(size, []).append(meaning)
        if not sizes:
            return None
        size = max(sizes)
        start, end = words[at].start, words[at + size - 1].end
        meanings = self._ordered(sizes[size], before, at, _beside(words, at, at + size), _written(text, start, end))
        weak = all(one.weak for one in meanings) or (size == 1 and self._describes(text, words, at))
        plain = len(meanings[0].forms) - any(form[0] == "%" for form in meanings[0].forms) <= 1
        plain = plain and meanings[0].label not in YES_OR_NO
        weak = weak or (plain and lemmas(word.text for word in words[at : at + size]) in self._names)
        return Found(start, end, at, at + size, text[start:end], tuple(meanings), weak)

    def _describes(self, text: str, words: Sequence[Word], at: int) -> bool:
        """Whether what might be a name is rather an adjective of what stands behind it: “young employees”, “the best
        paid”, “the first flight”."""
        texts = [word.text for word in words[at : at + 2]]
        adjective = texts[0] == "first" or english().adjective(texts[0]) is not None
        behind = texts[1] if len(texts) > 1 else ""
        thing = stem(behind) in self._lexicon.tables or behind in english().words("dull.people") or behind == "paid"
        return adjective and thing and text[words[at].start].islower()

    def _named(self, words: Sequence[Word], at: int, before: Sequence[Found]) -> Iterator[tuple[int, Meaning]]:
        texts = tuple(word.text for word in words[at : at + self._longest])
        for size in range(len(texts), 0, -1):
            phrase = texts[:size]
            known = self._lexicon.phrases.get(phrase) or self._lexicon.phrases.get((*phrase[:-1], stem(phrase[-1])))
            if known:
                yield from ((size, meaning) for meaning in known)
                break
        for code in self._lexicon.codes.get(texts[0], ()):
            if meant_as_code(code, words, at, self._lexicon.tables) or _listed(code, words, at, before):
                yield 1, code
        for size in range(min(5, len(texts)), 0, -1):
            if texts[:size] in self._periods:
                if texts[:size] not in _DAYS or self._has_light(words, at):
                    yield size, self._periods[texts[:size]]
                break

    def _has_light(self, words: Sequence[Word], at: int) -> bool:
        """Whether a “day” is the time when it is light, and no date: “by day”, “during the day”, “day flights”."""
        texts = [word.text for word in words]
        behind = texts[at + 1 : at + 2]
        of_such = bool(behind) and (behind[0] in ("time", "times") or stem(behind[0]) in self._lexicon.tables)
        if texts[max(0, at - 2) : at] == ["during", "the"] or texts[at - 1 : at] == ["by"]:
            return True
        return of_such and not (at > 0 and texts[at - 1] in english().words("clock.dated"))

    def _counted(self, words: Sequence[Word], at: int) -> Iterator[tuple[int, Meaning]]:
        day = date_at(words, at)
        if day:
            yield day.size, _date(day, self._as_of.year)
        relative = english().get("clock.relative").get(words[at].text)
        if relative is not None:
            yield 1, _relative(words[at].text, self._as_of + timedelta(days=relative))
        time = time_at(words, at) if self._lexicon.has_times else None
        if time and not (_measures(words, at, time.size) or (not time.sure and self._is_no_time(words, at))):
            late = shifted(time.hhmm, 12 * 60)
            if time.open and time.hhmm < self._lexicon.opens <= late:
                # Nothing is there before noon: “at eight” is in the evening.
                yield time.size, time_meaning(late, False)
            yield time.size, time_meaning(time.hhmm, time.open)
        decade = decade_at(words, at)
        if decade:
            yield decade[1], _decade(decade[0])
        ages = ages_at(words, at)
        if ages:
            yield 1, _ages(*ages)
        number = number_at(words, at)
        if number and not (day and day.size >= number[1]):
            weak = number[1] == 1 and number[0] <= _SMALL and not words[at].text.isdigit()
            yield number[1], number_meaning(number[0], weak)

    def _is_no_time(self, words: Sequence[Word], at: int) -> bool:
        """Whether a bare number is a price, one of minutes, or a year where there are dates: “before 2001”."""
        unit = _unit_behind(words, at + 1)
        is_date = self._lexicon.has_dates and is_year(words[at].text) and unit not in english().words("clock.hours")
        return is_date or unit in english().words("clock.minutes") or _priced(words, at)

    def _ordered(
        self, meanings: list[Meaning], before: Sequence[Found], at: int, beside_words: set[str], said: str
    ) -> list[Meaning]:
        beside = {one.label for found in before[-1:] if found.last == at for one in found.meanings}
        rows = [one.row for found in before[-1:] if found.last == at for one in found.meanings]

        def rank(meaning: Meaning) -> tuple[bool, bool, bool, int]:
            called = bool(beside_words & set(meaning.kind.split()))
            fits = any(row & set(meaning.forms.values()) for row in rows) and meaning.label not in beside
            return (
                not called,
                not fits,
                meaning.weak,
                -max((self.usual.get(form, 0) for form in meaning.forms), default=0),
            )

        return _exact_first(sorted(meanings, key=rank), said)


def _exact_first(meanings: list[Meaning], said: str) -> list[Meaning]:
    """The meanings with those first, among the values of the same columns, that are spelled as it was said: for “d/s”
    of the meals “/D/S” and “D/S” the second."""
    groups: dict[tuple[str, ...], list[Meaning]] = {}
    for one in meanings:
        groups.setdefault(tuple(one.forms), []).append(one)
    spelled = said.upper()
    turns = {
        columns: iter(sorted(group, key=lambda one: spelled not in map(str.upper, one.forms.values())))
        for columns, group in groups.items()
    }
    return [next(turns[tuple(one.forms)]) for one in meanings]


def _written(text: str, start: int, end: int) -> str:
    """Some words as they are written, with the signs that stand at them: “/d/s”."""
    before = takewhile(_SIGNS.__contains__, reversed(text[:start]))
    behind = takewhile(_SIGNS.__contains__, text[end:])
    return f"{''.join(before)[::-1]}{text[start:end]}{''.join(behind)}"


def _listed(code: Meaning, words: Sequence[Word], at: int, before: Sequence[Found]) -> bool:
    """Whether a code of the same column is named before it, as in “airlines ac and as”."""
    joined = at > 0 and words[at - 1].text in ("and", "or") and bool(before) and before[-1].last == at - 1
    return joined and before[-1].meanings[0].first[0] == code.first[0] and len(before[-1].said) == len(words[at].text)


def _in_order(words: Sequence[Word], found: Sequence[Found]) -> tuple[Found, ...]:
    """The values; an end of a span of time that would come before its begin is in the afternoon: “between 10 and 2”."""
    out = list(found)
    for place, (one, two) in enumerate(pairwise(found), start=1):
        begin, end = one.form("#time"), two.form("#time")
        opens = words[one.first - 1].text if one.first else ""
        closes = [word.text for word in words[one.last : two.first]]
        if not (begin and end and {one.kind, two.kind} == {"time"} and two.form("#later")):
            continue
        if (opens, closes) in (("between", ["and"]), ("from", ["to"])) and int(end) < int(begin):
            out[place] = replace(two, meanings=(time_meaning(shifted(int(end), 12 * 60), False),))
    return tuple(out)


def _measures(words: Sequence[Word], at: int, size: int) -> bool:
    """Whether the word behind a number, or behind another number in one breath with it, makes it one of money, weight
    or the like, and no time; “1700 hours” are one."""
    unit, digits = _unit_behind(words, at + size), words[at].text
    return unit in english().words("units.no_time") or (
        unit in english().words("clock.hours") and not (digits.isdigit() and len(digits) > 2)
    )


def _unit_behind(words: Sequence[Word], at: int) -> str:
    if at + 2 < len(words) and words[at].text == "or" and words[at + 1].text in english().words("units.more"):
        at += 2
    if at + 2 < len(words) and words[at].text in ("and", "to", "or"):
        other = number_at(words, at + 1)
        at += 1 + other[1] if other else 0
    return words[at].text if at < len(words) else ""


def _priced(words: Sequence[Word], at: int) -> bool:
    """Whether a number is said to be a price: “costing between 200 and 300”, “fares under 500”, “cheaper than 300”,
    “for less than 250”."""
    before = at - 1
    while before >= 0 and (words[before].text in english().words("units.bounds") or words[before].text.isdigit()):
        before -= 1
    if not 0 <= before < at - 1:
        return False
    return words[before].text in english().words("units.prices") or (
        words[before].text == "for" and _says_no_more(words, at)
    )


def _says_no_more(words: Sequence[Word], at: int) -> bool:
    """Whether a number in digits has nothing behind it that it may count."""
    return words[at].text.isdigit() and (at + 1 == len(words) or words[at + 1].text in english().words("units.goes_on"))


def _beside(words: Sequence[Word], start: int, end: int) -> set[str]:
    """The word behind a value and the one before it, “of” left out: they may say what it is."""
    before = start - 2 if start >= 2 and words[start - 1].text == "of" else start - 1
    return {stem(words[at].text) for at in (before, end) if 0 <= at < len(words)}


def _period_phrases(periods: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Meaning]]:
    for name, period in periods.items():
        if not isinstance(period, Mapping) or "begin" not in period:
            continue
        forms = {"#begin": str(period["begin"]), "#end": str(period["end"])}
        meaning = Meaning("period", name, forms)
        words = tuple(name.split())
        yield words, meaning
        yield (*words[:-1], f"{words[-1]}s"), meaning
        if len(words) == 2:
            yield (words[0], "in", "the", words[1]), meaning


def time_meaning(hhmm: int, open_: bool) -> Meaning:
    """A time of day, and the times around it that people may mean."""
    later = shifted(hhmm, 12 * 60) if open_ else hhmm
    forms = {"#time": str(hhmm), "#clock": f"{hhmm // 100:02d}:{hhmm % 100:02d}"}
    forms |= {f"#time{offset:+d}": str(shifted(hhmm, offset)) for offset in _OFFSETS}
    if open_:
        forms |= {"#later": str(later)} | {f"#later{offset:+d}": str(shifted(later, offset)) for offset in _OFFSETS}
    return Meaning("time", f"{hhmm // 100}:{hhmm % 100:02d}", forms)


def number_meaning(value: float, weak: bool) -> Meaning:
    """A number."""
    text = str(int(value)) if value == int(value) else str(value)
    forms = {"#number": text}
    if EARLIEST_YEAR <= value <= LATEST_YEAR and value == int(value):
        forms |= {"#new year": f"{text}-01-01", "#last of year": f"{text}-12-31"}
    return Meaning("number", text, forms, weak=weak)


def _date(day: Day, year: int) -> Meaning:
    forms = {"#month": str(day.month)} if day.month else {}
    if day.month:
        forms["#month_name"] = month_name(day.month).upper()
    if day.day:
        forms["#day"] = str(day.day)
    if day.year:
        forms["#year"] = str(day.year)
    earlier = day_before(day, year) if day.month and day.day else None
    if earlier:
        forms |= {"#date": f"{day.year or year:04d}-{day.month:02d}-{day.day:02d}"}
        forms |= {"#day-1": str(earlier.day), "#month-1": str(earlier.month)}
    kind = "date" if day.day else "month"
    return Meaning(kind, " ".join(filter(None, [forms.get("#month_name", ""), forms.get("#day", "")])), forms)


def _decade(first: int) -> Meaning:
    forms = {"#new year": f"{first}-01-01", "#last of year": f"{first + 9}-12-31", "#decade": str(first)}
    return Meaning("decade", f"{first}s", forms)


def _ages(low: int, high: int) -> Meaning:
    return Meaning("ages", f"aged {low} to {high}", {"#age": str(low), "#to age": str(high)})


def _relative(word: str, day: date) -> Meaning:
    forms = {"#month": str(day.month), "#day": str(day.day), "#year": str(day.year), "#date": day.isoformat()}
    return Meaning("relative day", word, forms)
