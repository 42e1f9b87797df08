"""A query taken apart for drafts from the schema alone: what is asked, and which words name tables and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..query.column_words import ADJECTIVES, is_participle, is_verb, lemmas, words_in
from ..query.comparisons import Superlative, negated_at, superlative_at
from ..query.lexicon import YES_OR_NO
from ..query.recognise import Found, Reading
from ..query.series import leaders
from ..query.small_words import POINTERS
from ..query.worked_out import AGGREGATES, worked_out
from .names import with_names_of_things
from .numbers import Amount, amounts_in
from .pack_schema import Schema
from .words import Mark, Sense

__all__ = ["FUNCTION_WORDS", "MOST_WORDS", "Question", "question_of", "works_out_for_each"]

FUNCTION_WORDS = words_in(
    """
    a about all also am an and any are as at be been being by can could did display do does each every find for from
    full get give had has have having he her here him his how i id if im in into is it its let like list me much many my
    name need now number of on one ones only or our out please print s see she show so some tell than that the their
    them then there these they this those through to too up us want was we were what whats when where which who whom
    whose will with would you your different distinct various whos wheres thats know information work works working
    company more most less not no but yes other both exist exists currently total altogether sum average mean per
    located called named kind kinds sort type types return got look looking whose belong belongs whole entire country us
    usa america database represented stored recorded along together well plus
    """
)
MOST_WORDS = 35
"""Longer queries are not read against the schema: of a list of hundreds of things nobody asks."""

_YES = words_in("is are was were does do did has have can")


@dataclass(frozen=True)
class Question:
    """`asks` is rows, count, yes, or an aggregate function; `opener` the question word; `names` are the values of the
    database among what was found; `per` the places of “each” and the like, `nots` of words that deny; `leaders` the
    first of those that a value is named in one breath with; `idle` are the places of words that leave nothing out (“in
    all departments”); `they` is the table that the turn before was about, if there was one; a comma stands behind the
    words at `commas`."""

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
    idle: frozenset[int] = frozenset()
    they: str = ""
    commas: frozenset[int] = frozenset()

    def next_mark(self, at: int, within: int = 3) -> Mark | None:
        """The first mark that begins at this word or a few words behind it."""
        return next((mark for mark in self.marks if at <= mark.first <= at + within), None)


def question_of(reading: Reading, schema: Schema, they: str = "") -> Question:
    """The query with everything that was recognised in it. `they` is the table that a turn before was about, so that
    “those” are its rows."""
    words = tuple(word.text for word in reading.words)
    kept = [n for n in range(len(reading.found)) if n not in reading.removed]
    commas = _commas(reading)
    named = with_names_of_things(_phrases_at(words, schema, commas), words, schema)
    if they:
        named |= {at: Mark(at, at + 1, (Sense(they, "", 0.9),)) for at, word in enumerate(words) if word in POINTERS}
    found = tuple(_with_row(one, words, named, schema) for one in reading.found)
    names = tuple(n for n in kept if _is_name(found[n], named, words))
    amounts = tuple(amounts_in(reading, kept, named, schema))
    said = {n for amount in amounts for n in amount.found}
    names = tuple(n for n in names if n not in said)
    taken = {at for n in names for at in range(reading.found[n].first, reading.found[n].last)}
    taken |= {
        at for amount in amounts for n in amount.found for at in range(reading.found[n].first, reading.found[n].last)
    }
    taken |= {at for amount in amounts if amount.aged for at in range(amount.first, amount.last)}
    every = _marks(words, named, schema, commas)
    marks = tuple(mark for mark in every if not taken & set(range(mark.first, mark.last)))
    superlatives = tuple(_superlatives(words, amounts, taken, marks))
    marks = tuple(
        mark for mark in marks if not any(s.first <= mark.first and mark.last <= s.last for s in superlatives)
    )
    idle = tuple(mark for mark in marks if words[max(0, mark.first - 2) : mark.first] in _EVERYWHERE)
    marks = tuple(mark for mark in marks if mark not in idle)
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
        frozenset(at for mark in idle for at in range(mark.first, mark.last)),
        they,
        commas,
    )


def works_out_for_each(question: Question) -> bool:
    """Whether something is to be worked out for each of what is named first: “departments and their payroll”, “job
    titles and the average salary for each”."""
    words, first = question.words, next(iter(question.marks), None)
    if first is None or not set(words[: first.first]) <= FUNCTION_WORDS or _is_called(words, first):
        return False
    ends = "each" in words[first.last :] and question.next_mark(words.index("each", first.last) + 1, 2) is None
    at = first.last + (words[first.last : first.last + 1] in (("and",), ("with",), ("plus",)))
    if at == first.last and at - 1 not in question.commas:
        return False
    theirs = words[at : at + 1] in (("their",), ("its",))
    at += words[at : at + 1] in (("their",), ("its",), ("the",))
    counts = words[at : at + 2] in (("number", "of"), ("how", "many"))
    most = any(one.first == at for one in question.superlatives)
    works_out = not AGGREGATES.keys().isdisjoint(words[at : at + 1]) or bool(worked_out(words[at - 1 :]))
    return counts or ((works_out or most) and (theirs or ends or at - 1 in question.commas))


def _is_called(words: Sequence[str], mark: Mark) -> bool:
    return lemmas(words[mark.last - 1 : mark.last]) == ("name",) and mark.last - mark.first == 1


def _groups(words: Sequence[str], at: int) -> bool:
    return words[at] != "by" or at + 1 < len(words)


def _commas(reading: Reading) -> frozenset[int]:
    """The places of words with a comma behind them."""
    gaps = (reading.text[one.end : other.start] for one, other in pairwise(reading.words))
    return frozenset(at for at, gap in enumerate(gaps) if "," in gap)


def _phrases_at(words: Sequence[str], schema: Schema, commas: frozenset[int]) -> dict[int, Mark]:
    """The longest phrase of the schema that begins at each place."""
    stems = lemmas(words)
    found = {}
    for at in range(len(words)):
        for size in range(min(schema.longest, len(words) - at), 0, -1):
            senses = schema.phrases.get(stems[at : at + size])
            # “Couriers born in 1970” are couriers, and not when they were born.
            done = any(map(is_participle, words[at + 1 : at + size])) and _names_table(schema, stems[at])
            mere = size == 1 and (words[at] in _NO_MARKS or (at == 0 and _orders(words, commas, schema)))
            parted = not commas.isdisjoint(range(at, at + size - 1))
            if senses and not done and not mere and not parted:
                found[at] = Mark(at, at + size, senses)
                break
    return found


def _orders(words: Sequence[str], commas: frozenset[int], schema: Schema) -> bool:
    """Whether the first word says what to do: “name the clerks”, and not “name and age of the clerks”."""
    column = words[0] == "name" and any(one.column for one in schema.phrases.get(lemmas(words[1:2]), ())[:1])
    return words[0] in _ORDERS and 0 not in commas and words[1:2] not in (("and",), ("or",), ("of",)) and not column


def _names_table(schema: Schema, word: str) -> bool:
    return any(not one.column and one.weight >= 0.9 for one in schema.phrases.get((word,), ()))


# So far into a query “the number of” asks for a count, and so far behind “for each department”.
_NEAR, _FAR = 8, 13
_EVERYWHERE = (("in", "all"), ("of", "all"), ("across", "all"), ("throughout", "all"), ("from", "all"))
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


def _marks(words: Sequence[str], named: dict[int, Mark], schema: Schema, commas: frozenset[int]) -> Iterator[Mark]:
    at, listing = 0, False
    while at < len(words):
        mark = named.get(at)
        following = named.get(mark.last) if mark else None
        listing = bool(mark and following) and (listing or _are_listed(words, mark, following, named, commas))
        together = mark and following and not listing and not is_verb(words[following.first])
        joined = _compound(mark, following) if mark and following and together and not _is_above(mark, schema) else None
        mark = joined or mark
        if mark is not None:
            yield mark
        at = mark.last if mark else at + 1


def _are_listed(
    words: Sequence[str], mark: Mark | None, following: Mark | None, named: dict[int, Mark], commas: frozenset[int]
) -> bool:
    """Whether columns side by side are several things: “names, salaries”, “names salaries”, “name salary and city”."""
    if mark is None or following is None or superlative_at(words, mark.first):
        return False
    many = (one.endswith("s") and lemmas([one]) != (one,) for one in words[mark.last - 1 : mark.last + 1])
    name = words[mark.first : mark.last] == ("name",)
    after = following.last + (words[following.last : following.last + 1] == ("and",))
    third = named.get(after)
    columns = all(one is not None and bool(one.senses[0].column) for one in (mark, following, third))
    return mark.last - 1 in commas or all(many) or columns or (name and bool(following.senses[0].column))


def _is_above(mark: Mark, schema: Schema) -> bool:
    """Whether words stand for who is above somebody: “Mary's boss's salary” is that of the boss."""
    return any(schema.bosses.get(one.table) == one.column for one in mark.senses[:1])


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
        if _told_by_its_column(found, named, words) or _is_yes_or_no(found, mark):
            return True
        exact = any(form[0] != "%" for form in forms) and found.last - found.first > 1
        return exact or (mark.senses[0].weight < 0.6 and not found.weak)
    return not found.weak


def _is_yes_or_no(found: Found, mark: Mark) -> bool:
    """Whether a word names a column that says yes or no: “explicit albums” are those that are."""
    own = {f"{sense.table}.{sense.column}" for sense in mark.senses}
    return any(own & one.forms.keys() and one.label in YES_OR_NO for one in found.meanings)


def _told_by_its_column(found: Found, named: dict[int, Mark], words: Sequence[str]) -> bool:
    """“Whose job title is supervisor”: the column is named right before."""
    forms = {form for one in found.meanings for form in one.forms}
    before = (one for at, one in named.items() if at < found.first)
    told = (one for one in before if tuple(words[one.last : found.first]) in ((), ("is",), ("of",)))
    return any(f"{sense.table}.{sense.column}" in forms for one in told for sense in one.senses)


def _superlatives(
    words: Sequence[str], amounts: Sequence[Amount], taken: set[int], marks: Sequence[Mark]
) -> Iterator[Superlative]:
    """“The first flight” is the earliest one, and who was hired first at the least date; a first name is neither."""
    things = {mark.first for mark in marks if any(not one.column and one.weight >= 0.9 for one in mark.senses)}
    said = {at for amount in amounts for at in range(amount.first, amount.last)} | taken
    told = {mark.last for mark in marks if any(one.column for one in mark.senses)}

    def first_at(at: int) -> Superlative | None:
        if words[at] != "first":
            return None
        if at + 1 in things:
            return Superlative(at, at + 1, 1, "early")
        of_name = words[at + 1 : at + 2] in (("name",), ("names",))
        return Superlative(at, at + 1, -1) if at in told and not of_name else None

    at = 0
    while at < len(words):
        one = None if at in said else superlative_at(words, at) or first_at(at)
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
    text = " ".join(words[: _FAR if words[:2] in (("for", "each"), ("for", "every")) else _NEAR])
    opener = _opener(words, marks)
    if opener == "how many" or (" number of " in f" {text} " and not _in_name(words, marks)) or words[0] == "count":
        return "count", "how many"
    for at, word in enumerate(words):
        asked = any(mark.first >= at or word == "combined" for mark in marks)
        if word in AGGREGATES and asked and not _compares_with(words, at):
            return AGGREGATES[word], opener
    if function := worked_out(words):
        return function, opener
    if words[0] in _YES and words[1:2] not in (("you",), ("i",)):
        return "yes", ""
    return "rows", opener


def _compares_with(words: Sequence[str], at: int) -> bool:
    """Whether an average is only what something is compared with: “more than the average”."""
    at -= words[at - 1 : at] == ("the",)
    return words[at - 1 : at] in (("than",), ("above",), ("below",))


def _in_name(words: Sequence[str], marks: Sequence[Mark]) -> bool:
    """Whether “number” is the end of a column's name: “phone number of”."""
    at = list(words).index("number")
    return any(mark.first < at < mark.last and mark.senses[0].column for mark in marks)


def _opener(words: Sequence[str], marks: Sequence[Mark]) -> str:
    for at, word in enumerate(words[:4]):
        if word in ("who", "where", "whom") and any(mark.last == at for mark in marks):
            # “Members who are women”.
            return ""
        after = words[at + 1] if at + 1 < len(words) else ""
        if word == "how" and (after in ("many", "much") or after in ADJECTIVES):
            return f"how {after}"
        if word in ("who", "whos", "whom", "when", "where", "wheres"):
            return word.removesuffix("s").replace("whom", "who")
        if word in ("what", "which", "list", "show", "give", "name", "find"):
            return ""
    return ""
