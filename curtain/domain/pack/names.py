"""The words in names of tables and columns: `hire_date`, `HireDate` and `hiredate` are “hire date”."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from curtain.base.words import words_in


@dataclass(frozen=True)
class _Names:
    """The words that run together in names, what abbreviations stand for, and what stands beside amounts of money."""

    parts: frozenset[str]
    short: Mapping[str, str]
    currencies: Sequence[str]


@cache
def _names() -> _Names:
    table = tomllib.loads(resources.files("curtain.domain.pack").joinpath("names.toml").read_text("utf-8"))
    parts = frozenset(table["parts"].split()) | table["short"].keys()
    return _Names(parts, table["short"], table["currencies"].split())


def currencies() -> Sequence[str]:
    """Codes, words and signs of several letters that stand beside amounts of money."""
    return _names().currencies


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, ...]:
    """The words in a name: `hire_date`, `HireDate` and `hiredate` are hire date; abbreviations are written out.

    There is always one: what cannot be split is itself.
    """
    lexicon = _names()
    parts = words_in(name)
    if name != name.lower():
        parts = [part for run in parts for part in _by_capitals(run)]
    words: list[str] = []
    for part in parts:
        for segment in _segmented(part.lower()):
            words += lexicon.short.get(segment, segment).split()
    # A name of signs alone is shown as it is.
    return tuple(words) or (name,)


def _by_capitals(run: str) -> list[str]:
    """`HTTPServer2` as HTTP, Server, 2. The regular expression reads the kinds of the letters: it knows no others."""
    kinds = "".join("0" if sign.isdecimal() else "A" if sign.isupper() else "a" for sign in run)
    return [run[found.start() : found.end()] for found in re.finditer(r"A+(?!a)|A?a+|0+", kinds)]


def _segmented(part: str) -> tuple[str, ...]:
    """A run of letters as words, if words of a name make it up entirely."""
    lexicon = _names().parts
    if part in lexicon or len(part) < 5 or not part.isalpha():
        return (part,)
    best: list[tuple[str, ...] | None] = [()] + [None] * len(part)
    for end in range(1, len(part) + 1):
        for start in range(max(0, end - 14), end):
            before, piece = best[start], part[start:end]
            plain = piece in lexicon or (piece.endswith("s") and piece[:-1] in lexicon)
            if before is not None and plain and (best[end] is None or len(before) + 1 < len(best[end] or ())):
                best[end] = (*before, piece)
    # No name ends in such a word: `termin` is not term in.
    whole = best[-1]
    return whole if whole and whole[-1] not in ("by", "from", "in", "of", "per", "to", "via") else (part,)


_PRIVATE = frozenset(["phone", "telephone", "mobile", "cell", "cellphone", "fax", "email", "mail"])
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|(?!\d{4}-\d\d-\d\d)[+(]?\d[\d ().-]{2,}[ ().-]\d[\d ().-]{2,}")


def reaches_somebody(column: str, values: Sequence[object] = ()) -> bool:
    """Whether a column holds e-mail addresses or telephone numbers, by its name or by all of some values in it."""
    texts = [str(value) for value in values if value is not None]
    named = not _PRIVATE.isdisjoint(split_name(column))
    return named or (bool(texts) and all(_ADDRESS.fullmatch(text) for text in texts))
