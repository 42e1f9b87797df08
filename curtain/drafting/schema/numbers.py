"""Numbers, dates and times of a query with what is said of them: “over 50”, “between 3 and 5 hours”, “aged 45”."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..query.ages import AGED, AGES, age_words
from ..query.column_words import UNITS, adjective_forms, lemma, lemmas, words_in
from ..query.comparisons import Bound, bound_after, bound_before, range_words
from ..query.recognise import MONEY_SIGNS, Found, Reading
from .pack_schema import Schema
from .verbs import stands_for_above
from .words import Mark, Sense

__all__ = ["YEARLY", "Amount", "amounts_in"]

YEARLY = words_in("in before after since by until till during")
"""Words that are said of a year."""

_SPANS = ("year", "month", "whole month")
_ONWARDS = frozenset(["on", "onward", "onwards", "forward"])
_MEASURES = ("number", "date", "month", "time", "period", "relative day", "decade", "ages")
_IS = words_in("is are was were be am turned")
_SERVED = frozenset(map(lemma, words_in("work employ serve been")))
_SERVED_BEFORE = 6
_HAVING = words_in("with have has having had")
_AGES = (("the", "ages", "of"), ("ages", "of"), ("ages",))
_UP = (("and", "up"), ("or", "up"))
_PAST = words_in("last past previous")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, date, time or period in words [first, last), its comparison included; `found` are the values it is
    made of, two for a range. `kind` is number, year, date, month, whole month (that of one year), time or period; `low`
    and `high` are what SQL has. `aged`: words say that it is an age (“aged 45”); `served`: that it is for how long
    somebody has been there (“worked here for 20 years”); `short`: a year was said with two digits."""

    first: int
    last: int
    found: tuple[int, ...]
    kind: str
    op: str
    low: str
    high: str = ""
    adjective: str = ""
    units: tuple[str, ...] = ()
    sure: bool = True
    aged: bool = False
    served: bool = False
    short: bool = False


def amounts_in(reading: Reading, kept: Sequence[int], named: Mapping[int, Mark], schema: Schema) -> Iterator[Amount]:
    """The amounts among the values `kept`, in their order; `named` are the words for tables and columns."""
    said = _Query(reading, tuple(word.text for word in reading.words), named, schema)
    before: Amount | None = None
    for one in said.amounts(kept):
        before = said.told(one, before)
        yield before


@dataclass(frozen=True)
class _Query:
    reading: Reading
    words: tuple[str, ...]
    named: Mapping[int, Mark]
    schema: Schema

    def amounts(self, kept: Sequence[int]) -> Iterator[Amount]:
        """The amounts with how they are compared."""
        waiting = [n for n in kept if _measure(self.reading.found[n])]
        while waiting:
            n = waiting.pop(0)
            found = self.reading.found[n]
            other = waiting[0] if waiting else None
            if other is not None and self._is_range(found, self.reading.found[other]):
                pair = self._range(n, other)
                if pair is not None:
                    waiting.pop(0)
                    yield pair
                    continue
            one = self._amount(n)
            if one is not None:
                yield one

    def _is_range(self, one: Found, other: Found) -> bool:
        """Whether two numbers are the ends of a range, also “between the ages of 30 and 35”."""
        said = next((said for said in _AGES if self.words[max(0, one.first - len(said)) : one.first] == said), ())
        start = one.first - len(said)
        between = bool(said) and self.words[max(0, start - 1) : start] == ("between",)
        ends = between and self.words[one.last : other.first] == ("and",)
        return ends or range_words(self.words, one.first, (one.last, other.first))

    def told(self, amount: Amount, before: Amount | None) -> Amount:
        """The amount as an age, a year or a time of service, if words say so; `before` is the one before it."""
        if amount.kind != "number":
            return amount
        return self._as_age(amount, before) or self._as_year(amount) or self._as_service(amount) or amount

    def _as_age(self, amount: Amount, before: Amount | None) -> Amount | None:
        """“Aged 45”, “between 30 and 40 years old”, “who is 45”."""
        if self.reading.found[amount.found[0]].form("#age"):
            # “In their early thirties”.
            part = self.words[amount.first - 1 : amount.first] in (("early",), ("mid",), ("middle",), ("late",))
            return replace(amount, first=amount.first - part, adjective="old", sure=True, aged=True)
        first, last = self._place(amount)
        told = age_words(self.words, min(first, amount.first), last) or age_words(self.words, first, last)
        if told is None and self._is_said_of_people(amount, before):
            told = first, last
        if told is None:
            return None
        aged = amount.adjective if amount.adjective in AGED else "old"
        # “Over the age of 60”: the comparison stands before these words.
        bound = bound_before(self.words, told[0]) if amount.op == "=" else None
        op, start = (bound.op, bound.first) if bound and not bound.weak else (amount.op, amount.first)
        ends = min(start, told[0]), max(amount.last, told[1])
        return replace(amount, first=ends[0], last=ends[1], op=op, adjective=aged, units=(), sure=True, aged=True)

    def _is_said_of_people(self, amount: Amount, before: Amount | None) -> bool:
        """“Who is 45”, “women of 45”, “employees who are 30 or 31”."""
        exact = amount.op in ("=", "<>") and not amount.units
        if not exact or not (amount.low.isdigit() and int(amount.low) in AGES):
            return False
        at = self._place(amount)[0]
        at -= self.words[at - 1 : at] in (("not",), ("only",), ("exactly",), ("now",))
        word = self.words[at - 1] if at else ""
        if before is not None and before.aged and before.last == at - 1:
            return before.op == "=" and word in ("or", "and")
        return self._are_people(at - 1, word == "of") if word in _IS or word == "of" else False

    def _are_people(self, end: int, by_kind: bool) -> bool:
        """Whether the words up to here end with people, `by_kind` (“women”) or in any way."""
        kinds = any(one.last == end and self._is_kind(one) for one in self.reading.found)
        if by_kind or kinds:
            return kinds
        mark = self._mark_before(end)
        who = self.words[end - 1 : end] in (("who",), ("whos",), ("they",), ("them",), ("those",), ("these",))
        return bool(self.schema.people) and (who or (mark is not None and self._names_people(mark)))

    def _names_people(self, mark: Mark) -> bool:
        return not mark.senses[0].column and mark.senses[0].table in self.schema.people

    def _is_kind(self, found: Found) -> bool:
        forms = [form for one in found.meanings[:1] for form in one.forms if "#" not in form]
        return not found.weak and any(form.strip("%").split(".")[0] in self.schema.people for form in forms)

    def _as_year(self, amount: Amount) -> Amount | None:
        """“Born before 40”, “hired between 70 and 80”: two digits for a year of the last hundred."""
        texts = [text for text in (amount.low, amount.high) if text]
        if amount.units or amount.adjective or not all(len(text) == 2 and text.isdigit() for text in texts):
            return None
        at = self._place(amount)[0]
        word = self.words[at - 1] if at else ""
        mark = self._mark_before(at - 1)
        yearly = word in YEARLY or amount.op == "between"
        told = mark is not None and any(map(self._is_of_years, mark.senses))
        if not yearly or not (told or (word in YEARLY and self._are_of_years(at - 1))):
            return None
        now = self.schema.as_of.year
        years = [str(now - (now - int(text)) % 100) for text in texts]
        return replace(amount, kind="year", low=years[0], high=years[-1] if amount.high else "", short=True)

    def _are_of_years(self, end: int) -> bool:
        """Whether things that have a year are named shortly before: “degrees earned in 72”."""
        near = (mark for mark in self.named.values() if end - 2 <= mark.last <= end)
        tables = {sense.table for mark in near for sense in mark.senses[:1] if not sense.column}
        return any(lemma("year") in self.schema.stems_of(table) for table in tables - self.schema.people)

    def _is_of_years(self, sense: Sense) -> bool:
        if not sense.column:
            return False
        return self.schema.kind(sense.table, sense.column) == "date" or lemma("year") in self.schema.stems[sense.column]

    def _as_service(self, amount: Amount) -> Amount | None:
        """“Has worked here for over 20 years”, “with less than 2 years here”."""
        before = self.words[max(0, amount.first - _SERVED_BEFORE) : amount.first]
        said = not _SERVED.isdisjoint(lemmas(before)) or before[-1:] in (("with",), ("have",), ("has",))
        served = amount.units == UNITS["years"] and not amount.adjective and said
        return replace(amount, served=True) if served else None

    def _place(self, amount: Amount) -> tuple[int, int]:
        """The words of the numbers themselves."""
        return self.reading.found[amount.found[0]].first, self.reading.found[amount.found[-1]].last

    def _range(self, n: int, other: int) -> Amount | None:
        low, high = self._literal(n), self._literal(other)
        if low is None or high is None or low[0] != high[0]:
            return None
        first, last = self.reading.found[n].first, self.reading.found[other].last
        start = first - 1 if first and self.words[first - 1] in ("between", "from") else first
        small, large = low[1], high[2] or high[1]
        if self.words[last : last + 1] == ("grand",) and low[0] == "number":
            small = str(int(float(small) * (1000 if float(small) < 1000 else 1)))
        units = self._units(last, n)
        return Amount(start, self._unit_end(last), (n, other), low[0], "between", small, large, units=units)

    def _amount(self, n: int) -> Amount | None:
        found = self.reading.found[n]
        literal = self._literal(n)
        if literal is None:
            return None
        kind, low, high = literal
        bound = self._bound(found, kind)
        units = self._units(found.last, n)
        beside = any(mark.last == found.first or mark.first == found.last for mark in self.named.values())
        named = _has_names(found) and kind != "period"
        if bound.weak and not units and named and (beside or kind == "number"):
            return None
        sure = not bound.weak or bool(units) or not found.weak
        if found.weak and bound.weak and not units and not beside:
            return None
        after = self.named.get(found.last)
        bare = kind == "number" and bound.first == bound.last and after and not after.senses[0].column
        if bare and not self._counts(found.first):
            return None
        first = found.first if bound.weak else min(bound.first, found.first)
        last = max(bound.last, self._unit_end(found.last))
        within = bound.op == "=" or (bound.weak and bound.op == ">=")
        # “Albums from 1998” are those of that year.
        of_that = kind in _SPANS and bound.weak and bound.op == ">=" and not set(self.words[last : last + 1]) & _ONWARDS
        op = "between" if kind in ("year", "number") and high and within else "=" if of_that else bound.op
        return Amount(first, last, (n,), kind, op, low, high, bound.adjective, units, sure)

    def _counts(self, at: int) -> bool:
        """Whether a number stands behind a word for having so many, or for a column: “with 2 degrees”, “supervises two
        people”, “level 31 employees”."""
        before = self.words[max(0, at - 1)]
        return before in _HAVING or stands_for_above(before, self.schema) or self._column_before(at) is not None

    def _mark_before(self, at: int) -> Mark | None:
        """The words for a table or column that end before a place."""
        return next((mark for mark in self.named.values() if mark.last == at), None)

    def _column_before(self, at: int) -> Mark | None:
        """Those that name a column: “level 31 employees”."""
        return next((mark for mark in self.named.values() if mark.last == at and mark.senses[0].column), None)

    def _bound(self, found: Found, kind: str) -> Bound:
        """The comparison that is said of a number."""
        number = kind == "number"
        return (
            bound_after(self.words, found.last)
            or (self._or_more(found) if number else None)
            or (self._in_the_last(found) if number else None)
            or bound_before(self.words, found.first)
            or (self._before_column(found.first) if number else None)
            or Bound(found.first, found.first, "=", weak=True)
        )

    def _or_more(self, found: Found) -> Bound | None:
        """“50+”, “50 plus”, “60 years and older”."""
        if self.reading.text[found.end : found.end + 1] == "+":
            return Bound(found.first, found.last, ">=", with_end=True)
        if self.words[found.last : found.last + 1] == ("plus",):
            return Bound(found.first, found.last + 1, ">=", with_end=True)
        at = self._unit_end(found.last)
        behind = self.words[at : at + 2]
        if behind in _UP:
            return Bound(found.first, at + 2, ">=", with_end=True)
        ends = len(behind) == 2 and behind[0] == "and" and self.words[at + 2 : at + 3] != ("than",)
        form = adjective_forms(behind[1]) if ends else None
        return Bound(found.first, at + 2, ">=", form[0], with_end=True) if form and form[1] == 2 else None

    def _in_the_last(self, found: Found) -> Bound | None:
        """“In the last 10 years”: no longer ago."""
        years = UNITS.get(self.words[found.last], ()) == UNITS["years"] if found.last < len(self.words) else False
        if not years or not found.first or self.words[found.first - 1] not in _PAST:
            return None
        start = found.first - 1
        while start and self.words[start - 1] in ("in", "the", "within", "during", "over"):
            start -= 1
        return Bound(start, found.first, "<=", with_end=True)

    def _before_column(self, at: int) -> Bound | None:
        """“Above level 20”: the comparison before the word for what is compared."""
        mark = self._column_before(at)
        bound = bound_before(self.words, mark.first) if mark else None
        return replace(bound, last=at) if bound and not bound.weak and bound.op not in ("=", "<>") else None

    def _unit_end(self, at: int) -> int:
        while at < len(self.words) and (self.words[at] in UNITS or self.words[at] in ("old", "long", "high")):
            at += 1
        return at

    def _units(self, at: int, n: int) -> tuple[str, ...]:
        start = self.reading.found[n].start
        if start and self.reading.text[start - 1] in MONEY_SIGNS:
            return UNITS["dollars"]
        return UNITS.get(self.words[at], ()) if at < len(self.words) else ()

    def _literal(self, n: int) -> tuple[str, str, str] | None:
        """Kind, and the value or two of it as SQL has them, without quotes."""
        found = self.reading.found[n]
        date, month, begin = found.form("#date"), found.form("#month"), found.form("#begin")
        time, number, year = found.form("#time"), found.form("#number"), found.form("#new year")
        decade = found.form("#decade")
        if begin:
            return "period", begin, str(found.form("#end"))
        if date:
            return "date", date, ""
        if month and found.form("#year"):
            return "whole month", f"{found.form('#year')}-{month:0>2}", ""
        if month:
            return "month", month, ""
        if time:
            return "time", time, ""
        if decade:
            return "year", decade, str(int(decade) + 9)
        if found.form("#age"):
            return "number", str(found.form("#age")), str(found.form("#to age"))
        if year:
            return "year", str(number), ""
        if number and self.words[found.last : found.last + 1] == ("grand",):
            number = str(int(float(number) * 1000))
        return ("number", number, "") if number else None


def _has_names(found: Found) -> bool:
    return any("#" not in form for one in found.meanings for form in one.forms)


def _measure(found: Found) -> bool:
    return any(one.kind in _MEASURES and any("#" in form for form in one.forms) for one in found.meanings)
