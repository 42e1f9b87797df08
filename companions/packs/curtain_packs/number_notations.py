"""Numbers as people write them: “10 237,65”, “1'200.50”, “$100”, “85 %”, “(12.00)”. A column is read in one notation,
and a sentence says which; what fits none stays text, and a sentence says that, too."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

import duckdb

from curtain.base.sql_names import sql_literal
from curtain.domain.pack.names import currencies

_SAMPLE = 1000
# Blanks that do not break, the minus sign and the dash that stands for it, apostrophes of typographers, and the wide
# and the Arabic figures and signs.
_TYPED = "\u00a0\u202f\u2007\u2009\u2212\u2013\u2019\u02bc０１２３４５６７８９．，－％￥٠١٢٣٤٥٦٧٨٩٫٬٪"
_PLAIN = "    --''0123456789.,-%¥0123456789.,%"
_NAMES = {",": "comma", ".": "point", " ": "blank", "'": "apostrophe"}
# What groups thousands, by the decimal sign; where both signs fit, the first decides unless somebody says more.
_NOTATIONS = {".": (",", " ", "'"), ",": (".", " ", "'")}
_TEXTS = "curtain_numbers"
_DECIMALS, _DIGITS, _MOST_DIGITS = 4, 18, 38
_SHARES = {"%", "‰"}
_UNIT = "[A-Za-zµ°]{1,4}[²³]?"


@dataclass(frozen=True)
class NumberReading:
    """How a column of texts is read as numbers: the SQL, its type, what to say about it as the end of a sentence, and
    how 1234 is written with the sign of its money or unit. `sql` is empty where the column stays text."""

    sql: str = ""
    kind: str = "VARCHAR"
    note: str = ""
    format: str = ""


def looks_like_number(text: str) -> bool:
    """Whether a text is a number in one of the notations."""
    return bool(_any_form().fullmatch(_cleaned(text)))


def _cleaned(text: str) -> str:
    return text.translate(str.maketrans(_TYPED, _PLAIN)).strip(" ")


def number_reading(into: duckdb.DuckDBPyConnection, column: str, query: str, decimal: str = "") -> NumberReading:
    """How the texts of a column of `query` are read. `decimal` is the sign that decides where two readings fit.

    Numbers with up to four decimals become DECIMAL, so that money adds up exactly.
    """
    some = f"SELECT {column} FROM ({query}) AS rows WHERE {column} IS NOT NULL LIMIT {_SAMPLE}"
    sample = [_cleaned(str(text)) for (text,) in into.execute(some).fetchall()]
    if not sample or sum(bool(_any_form().fullmatch(text)) for text in sample) * 2 < len(sample):
        return NumberReading()
    return _NumberColumn(into, column, query).reading(sample, decimal)


class _NumberColumn:
    """A column of texts, about half of which or more are numbers."""

    def __init__(self, into: duckdb.DuckDBPyConnection, column: str, query: str) -> None:
        self._into, self._column = into, column
        # Each text once: a column of a million amounts has some thousand.
        texts = f"SELECT DISTINCT trim({column}) AS written FROM ({query}) AS rows WHERE {column} IS NOT NULL"
        shown = f"written, {_clean('written')} AS clean, {_core('written')} AS core"
        into.execute(f"CREATE OR REPLACE TEMP TABLE {_TEXTS} AS SELECT {shown} FROM ({texts})")

    def reading(self, sample: Sequence[str], decimal: str) -> NumberReading:
        """Texts of one notation as numbers, or why they stay text. `sample` are some, cleaned."""
        fitting = [one for point in _NOTATIONS for one in islice(self._fitting(point, sample), 1)]
        if not fitting:
            return NumberReading(note=self._mixture())
        sign = "regexp_replace(clean, '[-+(). ,''0-9]', '', 'g')"
        (signs,) = self._asked(f"list_sort(list_distinct(list({sign})))")
        marks = list({sign.casefold(): sign for sign in signs if sign}.values())
        if len(marks) > 1 or ("" in signs and _SHARES & {*marks}):
            listed = " and ".join(f"“{sign}”" if sign else "none" for sign in signs)
            return NumberReading(note=f"holds numbers with different signs, {listed}; it is kept as text")
        two_ways = len(fitting) > 1 and self._any("regexp_matches(core, '[.,]')")
        point, group = next((one for one in fitting if two_ways and one[0] == decimal), fitting[0])
        return self._as_numbers(point, group, two_ways, "".join(marks))

    def _fitting(self, point: str, sample: Sequence[str]) -> Iterator[tuple[str, str]]:
        for group in _NOTATIONS[point]:
            looks = re.compile(_form(point, group))
            if all(map(looks.fullmatch, sample)) and not self._any(f"NOT {self._like(looks.pattern)}"):
                yield point, group

    def _as_numbers(self, point: str, group: str, two_ways: bool, mark: str) -> NumberReading:
        digits = "replace(translate({}, " + sql_literal("()+-" + group) + ", ''), ',', '.')"
        kind = self._kind(digits.format("core"))
        if not kind:
            return NumberReading()
        grouped = self._any(f"regexp_matches(clean, {sql_literal(f'[0-9][{group}][0-9]')})")
        written = re.sub("[0-9].*[0-9]|[0-9]", f"1{group if grouped else ''}234", self._above_zero()) if mark else ""
        notes = [f"the {_NAMES[group]} groups thousands"] if grouped else []
        notes += self._notes(point, two_ways)
        if mark:
            notes.append(f"“{mark}” is {'in [formats]' if written else 'left out'}")
        if two_ways:
            notes.append(f"if that is wrong, add --decimal {_NAMES[',' if point == '.' else '.']}")
        (shown,) = self._asked(f"min(written) FILTER (WHERE NOT {self._like('-?[0-9]+')})")
        note = f"holds numbers such as {shown}: {'; '.join(notes)}; they are kept as numbers" if notes else ""
        if not self._any(f"written <> clean OR NOT {self._like('[-+]?[0-9]*[.]?[0-9]*')}") and point == ".":
            return NumberReading(f"CAST(trim({self._column}) AS {kind})", kind, note)
        core = _core(self._column)
        sign = f"CASE WHEN regexp_matches({core}, '[-(]') THEN '-' ELSE '' END"
        return NumberReading(f"CAST({sign} || {digits.format(core)} AS {kind})", kind, note, written)

    def _above_zero(self) -> str:
        """A text of a number above zero with its money or unit, if there is one."""
        bare = self._like("[0-9., ']*")
        shown = f"min(clean) FILTER (WHERE NOT {bare} AND NOT regexp_matches(clean, '[-+(]'))"
        return str(self._asked(shown)[0] or "")

    def _notes(self, point: str, two_ways: bool) -> Iterator[str]:
        if (point == "," or two_ways) and self._any(f"contains(core, {sql_literal(point)})"):
            yield f"the {_NAMES[point]} is the decimal sign"
        if self._any("contains(clean, '(')"):
            yield "brackets mean less than zero"
        if self._any("regexp_matches(clean, '[0-9 ]-$')"):
            yield "a minus at the end means less than zero"

    def _kind(self, digits: str) -> str:
        """The narrowest type that keeps every number as it stands; "" if none does."""
        whole, decimals = self._asked(*(f"max(length(split_part({digits}, '.', {part})))" for part in (1, 2)))
        if not decimals:
            return "BIGINT" if whole <= _DIGITS else ""
        most = _DIGITS if whole + decimals <= _DIGITS else _MOST_DIGITS
        return f"DECIMAL({most},{decimals})" if decimals <= _DECIMALS and whole + decimals <= most else "DOUBLE"

    def _mixture(self) -> str:
        # A code such as 0920 makes codes of the others.
        if self._any(self._like("0[0-9]+")):
            return ""
        number = self._like(_any_form().pattern)
        first, last, odd = self._asked(*(f"{ask} FILTER (WHERE {number})" for ask in ("min(written)", "max(written)")),
                                       f"min(written) FILTER (WHERE NOT {number})")  # fmt: skip
        if odd is None:
            return f"holds numbers in different notations, such as {first} and {last}; it is kept as text"
        return f"holds numbers such as {first} and texts such as “{odd}”; it is kept as text"

    def _like(self, pattern: str) -> str:
        return f"regexp_full_match(clean, {sql_literal(pattern)})"

    def _any(self, condition: str) -> bool:
        return bool(self._asked(f"bool_or({condition})")[0])

    def _asked(self, *expressions: str) -> tuple[Any, ...]:
        row = self._into.execute(f"SELECT {', '.join(expressions)} FROM {_TEXTS}").fetchone()
        assert row is not None
        return row


def _clean(column: str) -> str:
    return f"trim(translate({column}, {sql_literal(_TYPED)}, {sql_literal(_PLAIN)}))"


def _core(column: str) -> str:
    """The number alone: its digits and points, and a minus or a bracket if it is less than zero."""
    around = sql_literal(f"(?:{_affix()})| {_UNIT}|[ ']")
    return f"regexp_replace(regexp_replace({_clean(column)}, {around}, '', 'g'), '[.,]--?$', '')"


@cache
def _affix() -> str:
    """A sign of a currency, its code or word, or that of a share of a hundred."""
    words = "|".join(re.escape(word) for word in sorted(currencies(), key=len, reverse=True))
    return f"[$¢£¤¥\u20a0-\u20cf฿%‰]|(?i:{words})"


def _form(point: str, group: str) -> str:
    """The pattern of a number, for Python as for DuckDB."""
    p, g = re.escape(point), re.escape(group)
    # A whole number in India is grouped by two after the first three.
    pairs = "{2,3}" if group == "," else "{3}"
    whole = rf"(?:0|[1-9][0-9]{{0,17}}|[1-9][0-9]{{0,2}}(?:{g}[0-9]{pairs})*{g}[0-9]{{3}})"
    number = rf"(?:{whole}(?:{p}[0-9]*|[.,]--?)?|{p}[0-9]+)"
    mark = rf"(?:{_affix()})?"
    # Behind a blank also a unit, such as kg.
    behind = rf"(?: ?(?:{_affix()})| {_UNIT})?"
    return rf"[-+]? ?{mark} ?[-+]?{number}{behind} ?-?|{mark} ?\( ?{mark} ?{number} ?{mark} ?\) ?{mark}"


@cache
def _any_form() -> re.Pattern[str]:
    return re.compile("|".join(_form(point, group) for point, groups in _NOTATIONS.items() for group in groups))
