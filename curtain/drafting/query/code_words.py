"""Codes that are words of a question as well (“us”, “as”, “y”): they count where the words beside them say so."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from .lexicon import Meaning
from .naming import stem
from .words import Word

__all__ = ["said_to_be_a_code"]

_TOO_COMMON = frozenset(["number", "name", "description"])
_ASKS_WHAT = frozenset(["mean", "stand", "meaning", "definition", "abbreviation", "denote", "explain"])
_IS = frozenset(["is", "are", "what", "what's"])
# “Show us flight 281”: whoever is shown something is no code.
_TO_US = frozenset(["show", "give", "tell", "get", "let", "send", "take", "bring", "help", "find", "offer"])
# “In 1985”, “at 8”: before a number these are what they always are.
_LEADING = frozenset(["in", "on", "at", "as", "to", "of", "or", "by", "is", "if", "no", "me", "my", "ok"])
_LETTERS = 2


def said_to_be_a_code(code: Meaning, words: Sequence[Word], at: int, tables: Collection[str]) -> bool:
    """Whether a word beside it names its column (“class y”, “q fares”), the question is what it means (“what is as”),
    or a number follows, perhaps behind the name of a table (“co 1765”, “us flight 3357”)."""
    texts = [word.text for word in words]
    names = {stem(word) for form in code.forms for word in re.split(r"[._]", form)} - _TOO_COMMON
    near = {stem(text) for text in (*texts[max(0, at - 2) : at], *texts[at + 1 : at + 2])}
    return bool(near & names) or _asked_about(texts, at) or (len(code.forms) > 1 and _numbered(texts, at, tables))


def _asked_about(texts: Sequence[str], at: int) -> bool:
    """Whether the whole question is what this word means."""
    near = {stem(text) for text in (*texts[max(0, at - 3) : at], *texts[at + 1 : at + 2])}
    return bool(near & _ASKS_WHAT) or (at == len(texts) - 1 and 0 < at <= _LETTERS and set(texts[:at]) <= _IS)


def _numbered(texts: Sequence[str], at: int, tables: Collection[str]) -> bool:
    """Whether a number follows two letters, at once or behind the name of a table."""
    named = stem(texts[at + 1]) in tables if at + 1 < len(texts) else False
    told = at > 0 and texts[at - 1] in _TO_US
    number = at + 2 if named and not told else at + 1
    code = len(texts[at]) == _LETTERS and texts[at].isalpha() and texts[at] not in _LEADING
    return code and number < len(texts) and texts[number].isdigit()
