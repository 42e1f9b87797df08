"""Codes that are words of a question as well (“us”, “as”, “y”): they count where the words beside them say so."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from .english import english, stem
from .lexicon import Meaning
from .tokens import Word

__all__ = ["meant_as_code"]

_LETTERS = 2


def meant_as_code(code: Meaning, words: Sequence[Word], at: int, tables: Collection[str]) -> bool:
    """Whether a word beside it names its column (“class y”, “q fares”), the question is what it means (“what is as”),
    or a number follows, perhaps behind the name of a table (“co 1765”, “us flight 3357”)."""
    texts = [word.text for word in words]
    names = {stem(word) for form in code.forms for word in re.split(r"[._]", form)} - english().words(
        "codes.too_common"
    )
    near = {stem(text) for text in (*texts[max(0, at - 2) : at], *texts[at + 1 : at + 2])}
    return bool(near & names) or _asked_about(texts, at) or (len(code.forms) > 1 and _numbered(texts, at, tables))


def _asked_about(texts: Sequence[str], at: int) -> bool:
    """Whether the whole question is what this word means."""
    near = {stem(text) for text in (*texts[max(0, at - 3) : at], *texts[at + 1 : at + 2])}
    return bool(near & english().words("codes.asks_what")) or (
        at == len(texts) - 1 and 0 < at <= _LETTERS and set(texts[:at]) <= english().words("codes.is")
    )


def _numbered(texts: Sequence[str], at: int, tables: Collection[str]) -> bool:
    """Whether a number follows two letters, at once or behind the name of a table."""
    named = stem(texts[at + 1]) in tables if at + 1 < len(texts) else False
    told = at > 0 and texts[at - 1] in english().words("codes.to_us")
    number = at + 2 if named and not told else at + 1
    code = len(texts[at]) == _LETTERS and texts[at].isalpha() and texts[at] not in english().words("codes.leading")
    return code and number < len(texts) and texts[number].isdigit()
