"""What words may mean in a domain: names and codes of its database, its lexicon.toml, and misspelled ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
from rapidfuzz import process
from rapidfuzz.distance import OSA

from curtain.base.sql_names import quoted
from curtain.base.words import is_word, without_accents, words_in
from curtain.domain.pack.lexicon import read_pack_lexicon
from curtain.domain.pack.pack import Pack

from .english import english, lemma
from .tokens import Word, number_at, split_words, words_of

_MOST_VALUES = 5000
_LONGEST_NAME = 60
_MOST_LISTED = 200
_ENDING = re.compile(r"(?<=.)(?:_(?:name|code|type|description|number|id|title|group))+\Z")
YES_OR_NO = ("true", "false")
"""The values of a column that says yes or no."""

_AUXILIARIES = ("is", "was", "has", "had", "can", "may", "does")
_CONTRARY = ("un", "in", "non")


@dataclass(frozen=True)
class Meaning:
    """One thing that words may stand for. `kind` is one plain word; `forms` are its spellings in SQL by `table.column`,
    the likeliest first; `row` are the values that stand beside it in the database."""

    kind: str
    label: str
    forms: Mapping[str, str]
    row: frozenset[str] = frozenset()
    weak: bool = False

    @property
    def first(self) -> tuple[str, str]:
        """Column and value of the likeliest spelling."""
        return next(iter(self.forms.items()))


@dataclass
class Lexicon:
    """Phrases, as tuples of words, and what they may mean, likeliest first. `codes` are short or common words that are
    codes only beside a word that says so. `words` are what people call a `table` or a `table.column`."""

    phrases: dict[tuple[str, ...], list[Meaning]] = field(default_factory=dict)
    codes: dict[str, list[Meaning]] = field(default_factory=dict)
    kinds: dict[str, list[Meaning]] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_times: bool = False

    def add(self, phrase: tuple[str, ...], meaning: Meaning, first: bool = False, own: bool = False) -> None:
        """One more phrase."""
        if not phrase:
            return
        bare = tuple(map(without_accents, phrase))
        if bare != phrase:
            self.add(bare, meaning, first, own)
        known = self.phrases.setdefault(phrase, [])
        same = next((one for one in known if (one.kind, one.label) == (meaning.kind, meaning.label)), None)
        if same is None or first:
            # A richer meaning takes the place of the plain one.
            known[:] = [one for one in known if one is not same]
            known.insert(0 if first and (own or not known) else len(known), meaning)
        elif same.row == meaning.row == frozenset():
            # A plain value in columns of one name: the city of a venue, and of a producer.
            known[known.index(same)] = replace(same, forms={**same.forms, **meaning.forms})


def load_lexicon(pack: Pack, db_path: Path) -> Lexicon:
    """Reads the names and codes of the database; raises duckdb.Error for it and PackError for lexicon.toml."""
    own = read_pack_lexicon(pack)
    types = (pair for columns in pack.tables.values() for pair in columns.items())
    lexicon = Lexicon(
        has_times=bool(pack.periods) or any("time" in column or kind.startswith("TIME") for column, kind in types),
        words=own.names,
    )
    with duckdb.connect(str(db_path), read_only=True) as database:
        entities = list(_entities(pack, database))
        plain = list(_plain(pack, database, {column for one in entities for column in one.forms}))
    # Tables that others refer to are things, the rest are lists.
    referred = {one.to_table.replace("_", " ") for one in pack.keys.references if one.table != one.to_table}
    things = [one for one in entities if one.kind in referred]
    lists = [one for one in entities if one.kind not in referred]
    for meaning in [*things, *plain, *lists]:
        lexicon.kinds.setdefault(meaning.kind, []).append(meaning)
        _add_names(lexicon, meaning)
    _add_words_of(lexicon, plain)
    _add_short_names(lexicon, entities)
    _add_codes(lexicon, entities)
    _add_sexes(lexicon, plain)
    _add_yes_or_no(lexicon, pack)
    _add_periods(lexicon, pack.periods)
    _add_own_words(lexicon, own.values)
    return lexicon


def _entities(pack: Pack, database: duckdb.DuckDBPyConnection) -> Iterator[Meaning]:
    """Things with a code and a name: one meaning for each row."""
    for code, name in pack.codes.items():
        table, column = code.split(".")
        if not isinstance(name, str) or name.split(".")[0] != table:
            continue
        columns = list(pack.tables[table])
        listed = ", ".join(map(quoted, columns))
        for row in database.execute(f"SELECT {listed} FROM {quoted(table)} LIMIT {_MOST_VALUES}").fetchall():
            values = dict(zip(columns, map(str, row), strict=True))
            title = values[name.split(".")[1]]
            yield Meaning(
                table.replace("_", " "), title, {name: title, code: values[column]}, frozenset(values.values())
            )


def _plain(pack: Pack, database: duckdb.DuckDBPyConnection, named: set[str]) -> Iterator[Meaning]:
    """Values of text columns that are neither codes nor names of a thing with both, nor refer to another table."""
    names = {column for name in named if "_" in (column := name.split(".")[1])}
    refers = {f"{one.table}.{column}" for one in pack.keys.references for column in one.columns}
    for table, columns in pack.tables.items():
        for column in (c for c, kind in columns.items() if kind.startswith(("VARCHAR", "TEXT")) and c not in names):
            if f"{table}.{column}" in named | refers:
                continue
            name = quoted(column)
            found = database.execute(
                f"SELECT {name} FROM {quoted(table)} WHERE length({name}) BETWEEN 1 AND {_LONGEST_NAME} "
                f"GROUP BY 1 ORDER BY 1 LIMIT {_MOST_VALUES + 1}"
            ).fetchall()
            if len(found) <= _MOST_VALUES:
                yield from (Meaning(kind_of(column), value, {f"{table}.{column}": value}) for (value,) in found)


def kind_of(column: str) -> str:
    """A column's name as a plain word: `class_type` is class."""
    return _ENDING.sub("", column).replace("_", " ")


def _add_names(lexicon: Lexicon, meaning: Meaning) -> None:
    phrase = words_of(meaning.label)
    text = "".join(phrase)
    if len(meaning.forms) == 1 and len(phrase) == 1 and (len(text) < 3 or text in english().words("codes.never")):
        lexicon.codes.setdefault(text, []).append(meaning)
    else:
        lexicon.add(phrase, meaning)


def _add_words_of(lexicon: Lexicon, plain: Iterable[Meaning]) -> None:
    """Words that occur in several values of a column, as “scientist” in job titles: for LIKE '%SCIENTIST%'."""
    for column, values in groupby(plain, lambda one: one.first[0]):
        group = list(values)
        if len(group) > _MOST_LISTED or not any(" " in one.label for one in group):
            continue
        labels = {one.label for one in group}
        times = Counter(word for one in group for word in dict.fromkeys(one.label.split()))
        for word, many in times.items():
            if many > 1 and is_word(word) and len(word) > 3:
                exact = {column: word} if word in labels else {}
                meaning = Meaning(group[0].kind, word, {f"%{column}": f"%{word}%", **exact})
                lexicon.add(words_of(word), meaning, first=True)


def _add_short_names(lexicon: Lexicon, entities: Sequence[Meaning]) -> None:
    """“delta” for DELTA AIR LINES: a name without the words that end many names of its kind."""
    for kind in dict.fromkeys(one.kind for one in entities):
        group = [one for one in entities if one.kind == kind]
        names = [words_of(one.label) for one in group]
        common = {word for word, times in Counter(word for name in names for word in name[1:]).items() if times >= 3}
        short = {one.label: _without(name, common) for one, name in zip(group, names, strict=True)}
        times = Counter(short.values())
        for one in group:
            if times[short[one.label]] == 1 and not set(short[one.label]) <= english().words("codes.never"):
                lexicon.add(short[one.label], one)


def _without(name: tuple[str, ...], common: set[str]) -> tuple[str, ...]:
    while len(name) > 1 and name[-1] in common:
        name = name[:-1]
    return name


def _add_sexes(lexicon: Lexicon, plain: Iterable[Meaning]) -> None:
    """“Women” and “men” where a column of sexes has F and M."""
    sexes: Mapping[str, str] = english().get("sexes")
    for column, group in groupby(plain, lambda one: one.first[0]):
        found = {one.first[1].upper(): one for one in group}
        if column.split(".")[1] in ("sex", "gender") and found.keys() >= sexes.keys():
            for value, words in sexes.items():
                for word in words.split():
                    lexicon.add((word,), found[value])


def _add_yes_or_no(lexicon: Lexicon, pack: Pack) -> None:
    """Columns that say yes or no: their names are what is so, as in “sold out”, “active” and “inactive”."""
    for table, columns in pack.tables.items():
        for column in (name for name, kind in columns.items() if kind.startswith("BOOL")):
            (first, *rest) = words_of(column.replace("_", " ")) or ("",)
            phrase = tuple(rest) if first in _AUXILIARIES and rest else (first, *rest)
            said = " ".join(phrase)
            if len(phrase) == 1 and (said in english().words("codes.never") or len(said) < 3):
                continue
            yes, no = (Meaning(said, it, {f"{table}.{column}": it}) for it in YES_OR_NO)
            lexicon.kinds.setdefault(said, []).extend([yes, no])
            lexicon.add(phrase, yes)
            for before in _CONTRARY if len(phrase) == 1 else ():
                lexicon.add((f"{before}{said}",), no)


def _add_codes(lexicon: Lexicon, entities: Iterable[Meaning]) -> None:
    """Codes as they are said: “bwi”, “b w i”."""
    for meaning in entities:
        code = words_of(list(meaning.forms.values())[1])
        text = "".join(code)
        if len(text) < 2 or text in english().words("codes.never") or (text.isdigit() and len(text) < 3):
            lexicon.codes.setdefault(text, []).append(meaning)
            continue
        lexicon.add(code, meaning)
        if len(code) == 1 and is_word(text) and len(text) <= 4:
            lexicon.add(tuple(text), meaning)


def _add_periods(lexicon: Lexicon, periods: Mapping[str, Any]) -> None:
    """Periods of the day: “early morning”, “early in the morning”."""
    for name, period in periods.items():
        # “Day” is mostly something else.
        if isinstance(period, Mapping) and "begin" in period and name != "day":
            meaning = Meaning("period", name, {"#begin": str(period["begin"]), "#end": str(period["end"])})
            words = words_of(name)
            lexicon.add(words, meaning)
            if len(words) == 2:
                lexicon.add((words[0], "in", "the", words[1]), meaning)


def _add_own_words(lexicon: Lexicon, own: Mapping[str, Mapping[str, list[str]]]) -> None:
    """lexicon.toml of the pack: a table for each `table.column`, in it the value and the words for it."""
    every = [meaning for group in lexicon.kinds.values() for meaning in group]
    for column, entries in own.items():
        for value, phrases in entries.items():
            known = (one for one in every if one.forms.get(column) == value)
            meaning = next(known, Meaning(kind_of(column.split(".")[1]), value, {column: value}))
            for phrase in phrases:
                lexicon.add(words_of(phrase), meaning, first=True, own=True)


_SHORTEST, _LONG, _SHORTEST_SAID = 4, 7, 5
_OFTEN = 2
_RIGHT = ("asking", "said", "comparing", "dull", "turns", "likeness", "codes", "units", "clock")


@dataclass(frozen=True)
class Spelling:
    """`targets` may be meant by a misspelled word; `right` are words and lemmas that are right as they stand."""

    targets: tuple[str, ...]
    right: frozenset[str]

    @classmethod
    def of(cls, lexicon: Lexicon, names: Iterable[str], questions: Iterable[str]) -> Spelling:
        """The words of a domain: those of its values, of what tables and columns are called, and those that come more
        than once in answered questions may be meant; words of English are only known."""
        asked = Counter(word for question in questions for word in words_of(question))
        targets = {word for phrase in lexicon.phrases for word in phrase} | set(names)
        targets |= {word for word, times in asked.items() if times >= _OFTEN}
        targets |= set(english().listed("clock.months"))
        words = {word for word in targets if len(word) >= _SHORTEST and is_word(word)}
        right = words.union(asked, english().adjectives, *(words_in(str(english().get(name))) for name in _RIGHT))
        return cls(tuple(sorted(words)), frozenset(right | {lemma(word) for word in right}))

    def corrected(self, words: Sequence[Word]) -> list[Word]:
        """The words, each misspelled one replaced by what it most likely stands for; the places in the text stay."""
        return [Word(self.nearest(word) or word, word.start, word.end) for word in words]

    def nearest(self, word: str) -> str | None:
        """The known word at distance 1, or 2 if both are long; None if the word is right, or none is near."""
        if len(word) < _SHORTEST_SAID or not is_word(word) or word in self.right or lemma(word) in self.right:
            return None
        if english().adjective(word) or number_at(split_words(word), 0):
            return None
        most = 2 if len(word) >= _LONG else 1
        near = process.extract(word, self.targets, scorer=OSA.distance, score_cutoff=most, limit=4)
        ranked = sorted(
            (distance, other[0] != word[0], other) for other, distance, _ in near if distance < 2 or len(other) >= _LONG
        )
        if not ranked or (len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]):
            return None
        return ranked[0][2]
