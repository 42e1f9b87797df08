"""The values in a query: names and codes of the database, numbers, times, dates, periods of the day."""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from . import clock
from .english import english, lemmas, stem, word_at
from .lexicon import YES_OR_NO, Lexicon, Meaning
from .tokens import Word, number_at, split_words

_SMALL = 12
_MOST_WORDS = 15
_MOST_FOUND = 30
_LONGEST_QUERY = 600
_LISTING = 2
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


class Recogniser:
    """Finds values. `usual` counts how often a column is compared with a literal in answered questions: what is usual
    comes first where words may mean several things; `calendar` is the date that a day said from today (“monday”) had in
    them, where it nearly always had the same. `spelt` puts misspelled words right; `names` are the lemmas of what
    tables and columns are called: what may be one of these is hardly a value."""

    def __init__(
        self,
        lexicon: Lexicon,
        as_of: date,
        spelt: Callable[[Sequence[Word]], Sequence[Word]] = lambda words: words,
        names: Container[tuple[str, ...]] = (),
    ) -> None:
        self._lexicon, self._as_of = lexicon, as_of
        self._spelt, self._names = spelt, names
        self.usual: dict[str, int] = {}
        self.calendar: dict[str, str] = {}

    def read(self, text: str, usual: bool = True) -> Reading:
        """The query with all values in it; of a very long one, the beginning. `usual` says whether words that may mean
        several things mean first what they did in answered questions."""
        text = text[:_LONGEST_QUERY]
        words = self._spelt(split_words(text))
        found: list[Found] = []
        at = 0
        while at < len(words) and len(found) < _MOST_FOUND:
            one = self._at(text, words, at, found, usual)
            if one is not None:
                found.append(one)
            at = one.last if one else at + 1
        return Reading(text, tuple(words), tuple(found))

    def _at(self, text: str, words: Sequence[Word], at: int, before: Sequence[Found], usual: bool) -> Found | None:
        # “Next” and “this” say which weekday is meant.
        lead = words[at] in english().get("clock.leads") and word_at(words, at + 1) in clock.weekdays()
        read = [*self._named(words, at + lead), *self._counted(words, at + lead)]
        if not read:
            return None
        most = max(size for size, _ in read)
        longest, size = [meaning for size, meaning in read if size == most], lead + most
        start, end = words[at].start, words[at + size - 1].end
        meanings = sorted(longest, key=_order(before, words, at, at + size, self.usual if usual else {}))
        forms = meanings[0].forms
        plain = len(forms) - any(form[0] == "%" for form in forms) <= 1 and meanings[0].label not in YES_OR_NO
        weak = all(one.weak for one in meanings) or (plain and lemmas(words[at : at + size]) in self._names)
        weak = weak or (size == 1 and self._describes(text, words, at))
        return Found(start, end, at, at + size, text[start:end], tuple(meanings), weak)

    def _describes(self, text: str, words: Sequence[Word], at: int) -> bool:
        """Whether what might be a name is rather an adjective of what stands behind it: “young employees”, “the best
        paid”, “the first flight”."""
        first, behind = words[at], word_at(words, at + 1)
        adjective = first == "first" or english().adjective(first) is not None
        thing = lemmas((behind,)) in self._names or behind in english().words("dull.people") or behind == "paid"
        return adjective and thing and text[first.start].islower()

    def _named(self, words: Sequence[Word], at: int) -> Iterator[tuple[int, Meaning]]:
        texts = tuple(words[at : at + _MOST_WORDS])
        for size in range(len(texts), 0, -1):
            phrase = texts[:size]
            known = self._lexicon.phrases.get(phrase) or self._lexicon.phrases.get((*phrase[:-1], stem(phrase[-1])))
            if known:
                # “The ohio river” is the river OHIO, too.
                shorter = self._lexicon.phrases.get(phrase[:-1], ())
                own = (one for one in shorter if one.kind == stem(phrase[-1]))
                yield from ((size, meaning) for meaning in (*own, *known))
                break
        for code in self._lexicon.codes.get(texts[0], ()):
            if _meant_as_code(code, words, at):
                yield 1, code

    def _counted(self, words: Sequence[Word], at: int) -> Iterator[tuple[int, Meaning]]:
        day = clock.date_at(words, at)
        if day:
            yield day.size, _date(day, self._as_of.year)
        relative = clock.relative_at(words, at, self._as_of)
        if relative:
            yield relative[1], self._relative(words, at, *relative)
        span = clock.span_at(words, at, self._as_of)
        if span:
            first, last, size = span
            yield size, Meaning("span", " ".join(words[at : at + size]), _days(first, last))
        time = clock.time_at(words, at) if self._lexicon.has_times else None
        if time and not _measures(words, at, time.size):
            yield time.size, time_meaning(time.hhmm, time.open)
        decade = clock.decade_at(words, at)
        if decade:
            yield decade[1], Meaning("decade", f"{decade[0]}s", _years(decade[0], decade[0] + 9))
        number = number_at(words, at)
        if number and not (day and day.size >= number[1]):
            weak = number[1] == 1 and number[0] <= _SMALL and not words[at].isdigit()
            yield number[1], number_meaning(number[0], weak)

    def _relative(self, words: Sequence[Word], at: int, day: date, size: int) -> Meaning:
        """A day said from today. The year is left out, as people leave it out of dates."""
        label = " ".join(words[at : at + size])
        weekday = clock.weekdays().get(label)
        label = label if weekday is None else english().listed("clock.weekdays")[weekday]
        day = date.fromisoformat(self.calendar[label]) if label in self.calendar else day
        forms = {"#month": str(day.month), "#day": str(day.day), "#date": day.isoformat()}
        often = words[at] != label or word_at(words, at - 1) in english().words("clock.any")
        if weekday is not None and often:
            forms["#weekday"] = label.capitalize()
        return Meaning("relative day", label, forms)


def _order(
    before: Sequence[Found], words: Sequence[Word], first: int, last: int, times: Mapping[str, int]
) -> Callable[[Meaning], tuple[bool, bool, bool, bool, int]]:
    """What comes first of the meanings of words [first, last), behind what was found `before`; `times` say how usual a
    column is."""
    # The word behind a value and the one before it, “of” left out, may say what it is, as may its own last.
    beside = (first - 1 - (word_at(words, first - 1) == "of"), last, *([last - 1] if last - first > 1 else []))
    called = {stem(word_at(words, at)) for at in beside}
    touching = [one for found in before[-1:] if found.last == first for one in found.meanings]
    labels = {one.label for one in touching}
    # “In Texas and Ohio”: what is listed with a state is a state, if it may be one.
    between = [(one, words[one.last : first]) for one in before[-1:] if first - one.last <= _LISTING]
    listed = [one.kind for one, joined in between if not {"and", "or", "nor"}.isdisjoint(joined)]

    def rank(meaning: Meaning) -> tuple[bool, bool, bool, bool, int]:
        fits = meaning.label not in labels and any(one.row & set(meaning.forms.values()) for one in touching)
        usual = max((times.get(form, 0) for form in meaning.forms), default=0)
        return not called & set(meaning.kind.split()), not fits, meaning.kind not in listed, meaning.weak, -usual

    return rank


def _meant_as_code(code: Meaning, words: Sequence[Word], at: int) -> bool:
    """Whether a word beside it names its column (“class y”, “q fares”), or the question is what it means (“what is
    as”)."""
    names = {stem(word) for form in code.forms for word in re.split(r"[._]", form)}
    behind = word_at(words, at + 1)
    if words[at] in english().words("dull.words"):
        # “Countries are” and “country in” name no code; “airline as” at the end and “what as means” do.
        ends = behind in ("", "and", "or")
        first = at - 1 - (word_at(words, at - 1) in english().words("codes.is"))
        named = not names.isdisjoint(map(stem, words[max(0, first) : at]))
        return (named and ends) or stem(behind) in english().words("codes.asks_what")
    near = {stem(text) for text in (*words[max(0, at - 2) : at], behind)}
    if near & (names - english().words("codes.too_common")) or near & english().words("codes.asks_what"):
        return True
    return at == len(words) - 1 and 0 < at <= 2 and set(words[:at]) <= english().words("codes.is")


def _measures(words: Sequence[Word], at: int, size: int) -> bool:
    """Whether the word behind a number makes it one of money, weight, minutes or the like, and no time; “1700 hours”
    are one."""
    unit, short = word_at(words, at + size), not (words[at].isdigit() and len(words[at]) > 2)
    return unit in english().words("units.no_time") or (unit in english().words("clock.hours") and short)


def time_meaning(hhmm: int, open_: bool) -> Meaning:
    """A time of day, and the times around it that people may mean."""
    forms = {"#time": str(hhmm), "#clock": f"{hhmm // 100:02d}:{hhmm % 100:02d}"}
    times = {"#time": hhmm}
    if open_:
        times["#later"] = clock.shifted(hhmm, 12 * 60)
        forms["#later"] = str(times["#later"])
    for name, around in times.items():
        forms |= {f"{name}{offset:+d}": str(clock.shifted(around, offset)) for offset in _OFFSETS}
    return Meaning("time", f"{hhmm // 100}:{hhmm % 100:02d}", forms)


def number_meaning(value: float, weak: bool) -> Meaning:
    """A number."""
    text = str(int(value)) if value == int(value) else str(value)
    forms = {"#number": text}
    if clock.is_year(text):
        forms |= _years(int(text), int(text))
    return Meaning("number", text, forms, weak=weak)


def _years(first: int, last: int) -> dict[str, str]:
    return _days(date(first, 1, 1), date(last, 12, 31))


def _days(first: date, last: date) -> dict[str, str]:
    return {"#new year": first.isoformat(), "#last of year": last.isoformat()}


def _date(day: clock.Day, year: int) -> Meaning:
    parts = {"#month": day.month, "#day": day.day, "#year": day.year}
    forms = {name: str(part) for name, part in parts.items() if part}
    month = english().listed("clock.months")[day.month - 1].upper() if day.month else ""
    forms |= {"#month_name": month} if month else {}
    if day.year and not day.day:
        first = date(day.year, day.month, 1)
        forms |= _days(first, clock.months_on(first, 1) - timedelta(days=1))
    whole = clock.dated(day, year)
    if whole:
        # Published statements take the day before for “before april 25th”.
        forms |= {"#date": whole.isoformat(), "#day-1": str((whole - timedelta(days=1)).day)}
    return Meaning("date" if day.day else "month", " ".join(filter(None, [month, forms.get("#day", "")])), forms)
