"""A query taken apart for drafts from the schema alone: what is asked, and which words name tables and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .ages import AGED, age_words
from .column_words import ADJECTIVES, UNITS, is_participle, lemmas, words_in
from .comparisons import Bound, Superlative, bound_after, bound_before, negated_at, range_words, superlative_at
from .pack_schema import Schema
from .recognise import MONEY_SIGNS, Found, Reading
from .schema_words import Sense
from .series import leaders
from .worked_out import worked_out

__all__ = ["FUNCTION_WORDS", "Amount", "Mark", "Question", "question_of"]

FUNCTION_WORDS = words_in(
    """
    a about all also am an and any are as at be been being by can could did display do does each every find for from
    get give had has have having he her here him his how i id if im in into is it its let like list me much many my
    name need now number of on one ones only or our out please print s see she show so some tell than that the their
    them then there these they this those through to too up us want was we were what whats when where which who whom
    whose will with would you your different distinct various whos wheres thats know information work works working
    company more most less not no but yes other both exist exists currently total altogether sum average mean per
    located called named kind kinds sort type types return got look looking whose belong belongs whole entire country us
    usa america
    """
)
_AGGREGATES = {"average": "AVG", "mean": "AVG", "total": "SUM", "sum": "SUM", "combined": "SUM"}
_YES = words_in("is are was were does do did has have can")
_MEASURES = ("number", "date", "month", "time", "period", "relative day", "decade")


@dataclass(frozen=True, slots=True)
class Mark:
    """Words [first, last) that name tables or columns."""

    first: int
    last: int
    senses: tuple[Sense, ...]


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, date, time or period in words [first, last), its comparison included; `found` are the values it is
    made of, two for a range. `kind` is number, year, date, month, whole month (that of one year), time or period; `low`
    and `high` are what SQL has. `aged`: words say that it is an age (“aged 45”)."""

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


@dataclass(frozen=True)
class Question:
    """`asks` is rows, count, yes, or an aggregate function; `opener` the question word; `names` are the values of the
    database among what was found; `per` the places of “each” and the like, `nots` of words that deny; `leaders` the
    first of those that a value is named in one breath with."""

    words: tuple[str, ...]
    found: tuple[Found, ...]
    asks: str
    opener: str
    names: tuple[int, ...]
    amounts: tuple[Amount, ...]
    marks: tuple[Mark, ...]
    superlatives: tuple[Superlative, ...]
    nots: tuple[tuple[int, int], ...]
    per: tuple[int, ...]
    apart: bool
    leaders: Mapping[int, int]

    def next_mark(self, at: int, within: int = 3) -> Mark | None:
        """The first mark that begins at this word or a few words behind it."""
        return next((mark for mark in self.marks if at <= mark.first <= at + within), None)


def question_of(reading: Reading, schema: Schema) -> Question:
    """The query with everything that was recognised in it."""
    words = tuple(word.text for word in reading.words)
    kept = [n for n in range(len(reading.found)) if n not in reading.removed]
    named = _phrases_at(words, schema)
    found = tuple(_with_row(one, words, named, schema) for one in reading.found)
    names = tuple(n for n in kept if _is_name(found[n], named, words))
    amounts = tuple(_amounts(reading, words, kept, named, schema))
    said = {n for amount in amounts for n in amount.found}
    names = tuple(n for n in names if n not in said)
    taken = {at for n in names for at in range(reading.found[n].first, reading.found[n].last)}
    taken |= {
        at for amount in amounts for n in amount.found for at in range(reading.found[n].first, reading.found[n].last)
    }
    taken |= {at for amount in amounts if amount.aged for at in range(amount.first, amount.last)}
    marks = tuple(mark for mark in _marks(words, named) if not taken & set(range(mark.first, mark.last)))
    superlatives = tuple(_superlatives(words, amounts, taken, marks))
    marks = tuple(
        mark for mark in marks if not any(s.first <= mark.first and mark.last <= s.last for s in superlatives)
    )
    asks, opener = _asked(words, marks)
    return Question(
        words,
        found,
        asks,
        opener,
        names,
        amounts,
        marks,
        superlatives,
        tuple(_nots(words, amounts)),
        tuple(at for at, word in enumerate(words) if word in ("per", "each", "every", "by") and _groups(words, at)),
        "different" in words or "distinct" in words,
        leaders(reading),
    )


def _groups(words: Sequence[str], at: int) -> bool:
    return words[at] != "by" or at + 1 < len(words)


def _phrases_at(words: Sequence[str], schema: Schema) -> dict[int, Mark]:
    """The longest phrase of the schema that begins at each place."""
    stems = lemmas(words)
    found = {}
    for at in range(len(words)):
        for size in range(min(schema.longest, len(words) - at), 0, -1):
            senses = schema.phrases.get(stems[at : at + size])
            # “Couriers born in 1970” are couriers, and not when they were born.
            done = any(map(is_participle, words[at + 1 : at + size])) and _names_table(schema, stems[at])
            mere = size == 1 and (words[at] in _NO_MARKS or (at == 0 and words[at] in _ORDERS))
            if senses and not done and not mere:
                found[at] = Mark(at, at + size, senses)
                break
    return found


def _names_table(schema: Schema, word: str) -> bool:
    return any(not one.column and one.weight >= 0.9 for one in schema.phrases.get((word,), ()))


_ORDERS = frozenset(["name", "list", "state", "count", "show"])
_NO_MARKS = words_in(
    """
    to from in of on at by is are the a for with where when how what which over start end or and get
    """
)


def _with_row(found: Found, words: Sequence[str], named: dict[int, Mark], schema: Schema) -> Found:
    """“Mississippi river”: also the river of this name, not only what is called so as a whole."""
    mark = named.get(found.last - 1)
    if mark is None or mark.last != found.last or found.last - found.first < 2:
        return found
    tables = {one.table for one in mark.senses if not one.column and one.weight >= 0.9}
    known = schema.names.get(tuple(words[found.first : found.last - 1]), ())
    own = tuple(one for one in known if any(form.strip("%").split(".")[0] in tables for form in one.forms))
    return replace(found, meanings=(*own, *found.meanings)) if own else found


def _marks(words: Sequence[str], named: dict[int, Mark]) -> Iterator[Mark]:
    at = 0
    while at < len(words):
        mark = named.get(at)
        following = named.get(mark.last) if mark else None
        joined = _compound(mark, following) if mark and following else None
        mark = joined or mark
        if mark is not None:
            yield mark
        at = mark.last if mark else at + 1


def _compound(first: Mark, second: Mark) -> Mark | None:
    """Of two columns of a table side by side the second is meant: “population density”."""
    tables = {one.table for one in first.senses if one.column}
    both = tuple(one for one in second.senses if one.column and one.table in tables and one.weight > 0.75)
    plain = first.senses[0].column and second.senses[0].column
    return Mark(first.first, second.last, both) if plain and both else None


def _is_name(found: Found, named: dict[int, Mark], words: Sequence[str]) -> bool:
    """Whether it is a value of the database, and not rather a word for a table or a column."""
    forms = [form for one in found.meanings for form in one.forms if "#" not in form]
    mark = named.get(found.first)
    if not forms or (found.last - found.first == 1 and words[found.first] in FUNCTION_WORDS | _NO_MARKS):
        return False
    if mark is not None and mark.last >= found.last:
        exact = any(form[0] != "%" for form in forms) and found.last - found.first > 1
        return exact or (mark.senses[0].weight < 0.6 and not found.weak)
    return not found.weak


def _amounts(
    reading: Reading, words: Sequence[str], kept: Sequence[int], named: dict[int, Mark], schema: Schema
) -> Iterator[Amount]:
    waiting = [n for n in kept if _measure(reading.found[n])]
    while waiting:
        n = waiting.pop(0)
        found = reading.found[n]
        other = waiting[0] if waiting else None
        if other is not None and range_words(words, found.first, (found.last, reading.found[other].first)):
            pair = _range(reading, words, n, other)
            if pair is not None:
                waiting.pop(0)
                yield _as_age(pair, reading, words)
                continue
        one = _amount(reading, words, n, named, schema)
        if one is not None:
            yield _as_age(one, reading, words)


def _as_age(amount: Amount, reading: Reading, words: Sequence[str]) -> Amount:
    """The amount as an age if words say so: “aged 45”, “between 30 and 40 years old”."""
    first, last = reading.found[amount.found[0]].first, reading.found[amount.found[-1]].last
    told = age_words(words, min(first, amount.first), last) or age_words(words, first, last)
    if amount.kind != "number" or told is None:
        return amount
    aged = amount.adjective if amount.adjective in AGED else "old"
    ends = min(amount.first, told[0]), max(amount.last, told[1])
    return replace(amount, first=ends[0], last=ends[1], adjective=aged, units=(), sure=True, aged=True)


def _measure(found: Found) -> bool:
    return any(one.kind in _MEASURES and any("#" in form for form in one.forms) for one in found.meanings)


def _range(reading: Reading, words: Sequence[str], n: int, other: int) -> Amount | None:
    low, high = _literal(reading, words, n), _literal(reading, words, other)
    if low is None or high is None or low[0] != high[0]:
        return None
    first = reading.found[n].first
    start = first - 1 if first and words[first - 1] in ("between", "from") else first
    last = reading.found[other].last
    small, large = low[1], high[2] or high[1]
    scale = 1000 if words[last : last + 1] == ("grand",) and low[0] == "number" else 1
    if scale > 1:
        small = str(int(float(small) * (scale if float(small) < scale else 1)))
    return Amount(
        start,
        _unit_end(words, last),
        (n, other),
        low[0],
        "between",
        small,
        large,
        units=_units(words, last, reading, n),
    )


def _amount(reading: Reading, words: Sequence[str], n: int, named: dict[int, Mark], schema: Schema) -> Amount | None:
    found = reading.found[n]
    literal = _literal(reading, words, n)
    if literal is None:
        return None
    bound = (
        bound_after(words, found.last)
        or bound_before(words, found.first)
        or Bound(found.first, found.first, "=", weak=True)
    )
    units = _units(words, found.last, reading, n)
    beside = _beside(found, named, words)
    if bound.weak and not units and _has_names(found) and (beside or literal[0] == "number"):
        return None
    sure = not bound.weak or bool(units) or not found.weak
    if found.weak and bound.weak and not units and not beside:
        return None
    after = named.get(found.last)
    if literal[0] == "number" and bound.first == bound.last and after and not after.senses[0].column:
        return None
    first, last = (
        found.first if bound.weak else min(bound.first, found.first),
        max(bound.last, _unit_end(words, found.last)),
    )
    kind, low, high = literal
    within = bound.op == "=" or (bound.weak and bound.op == ">=")
    op = "between" if kind == "year" and high and within else bound.op
    return Amount(first, last, (n,), kind, op, low, high, bound.adjective, units, sure)


def _has_names(found: Found) -> bool:
    return any("#" not in form for one in found.meanings for form in one.forms)


def _beside(found: Found, named: dict[int, Mark], words: Sequence[str]) -> bool:
    marks = [mark for mark in named.values() if mark.last == found.first or mark.first == found.last]
    return bool(marks)


def _unit_end(words: Sequence[str], at: int) -> int:
    while at < len(words) and (words[at] in UNITS or words[at] in ("old", "long", "high")):
        at += 1
    return at


def _units(words: Sequence[str], at: int, reading: Reading, n: int) -> tuple[str, ...]:
    start = reading.found[n].start
    if start and reading.text[start - 1] in MONEY_SIGNS:
        return UNITS["dollars"]
    return UNITS.get(words[at], ()) if at < len(words) else ()


def _literal(reading: Reading, words: Sequence[str], n: int) -> tuple[str, str, str] | None:
    """Kind, and the value or two of it as SQL has them, without quotes."""
    found = reading.found[n]
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
    if year:
        return "year", str(number), ""
    if number and words[found.last : found.last + 1] == ("grand",):
        number = str(int(float(number) * 1000))
    return ("number", number, "") if number else None


def _superlatives(
    words: Sequence[str], amounts: Sequence[Amount], taken: set[int], marks: Sequence[Mark]
) -> Iterator[Superlative]:
    """“The first flight” is the earliest one."""
    things = {mark.first for mark in marks if any(not one.column and one.weight >= 0.9 for one in mark.senses)}
    said = {at for amount in amounts for at in range(amount.first, amount.last)} | taken
    at = 0
    while at < len(words):
        first = Superlative(at, at + 1, 1, "early") if words[at] == "first" and at + 1 in things else None
        one = None if at in said else superlative_at(words, at) or first
        if one is not None:
            yield one
        at = one.last if one else at + 1


def _nots(words: Sequence[str], amounts: Sequence[Amount]) -> Iterator[tuple[int, int]]:
    said = {at for amount in amounts for at in range(amount.first, amount.last)}
    for at in range(len(words)):
        size = negated_at(words, at) if at not in said else None
        if size:
            yield at, at + size


def _asked(words: Sequence[str], marks: Sequence[Mark]) -> tuple[str, str]:
    text = " ".join(words[:8])
    opener = _opener(words)
    if opener == "how many" or (" number of " in f" {text} " and not _in_name(words, marks)) or words[0] == "count":
        return "count", "how many"
    for at, word in enumerate(words):
        if word in _AGGREGATES and any(mark.first >= at or word == "combined" for mark in marks):
            return _AGGREGATES[word], opener
    if function := worked_out(words):
        return function, opener
    if words[0] in _YES and words[1:2] not in (("you",), ("i",)):
        return "yes", ""
    return "rows", opener


def _in_name(words: Sequence[str], marks: Sequence[Mark]) -> bool:
    """Whether “number” is the end of a column's name: “phone number of”."""
    at = list(words).index("number")
    return any(mark.first < at < mark.last and mark.senses[0].column for mark in marks)


def _opener(words: Sequence[str]) -> str:
    for at, word in enumerate(words[:4]):
        after = words[at + 1] if at + 1 < len(words) else ""
        if word == "how" and (after in ("many", "much") or after in ADJECTIVES):
            return f"how {after}"
        if word in ("who", "whos", "whom", "when", "where", "wheres"):
            return word.removesuffix("s").replace("whom", "who")
        if word in ("what", "which", "list", "show", "give", "name", "find"):
            return ""
    return ""
