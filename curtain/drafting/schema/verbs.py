"""Verbs for what those above others do in a table that refers to itself: “supervise”, “report to”."""

from __future__ import annotations

from ..query.column_words import lemma, words_in
from .pack_schema import Schema

__all__ = ["BELOW", "TO_THOSE_ABOVE", "stands_for_above", "table_of_verb", "verbs_for_above"]

BELOW = words_in("subordinate subordinates underling underlings")
TO_THOSE_ABOVE = (
    ("report", "to"),
    ("report", "directly", "to"),
    ("work", "for"),
    ("work", "under"),
    ("answer", "to"),
)


def table_of_verb(word: str, schema: Schema) -> str | None:
    """The table in which rows stand above others as this verb says; None if it is no such verb."""
    verbs = ((said[:-2], table) for said, table in schema.boss_words.items() if _has_verb(said))
    return next((table for verb, table in verbs if lemma(word) == verb), None)


def stands_for_above(word: str, schema: Schema) -> bool:
    """Whether a word is a verb for what those above others do: “supervise”."""
    return table_of_verb(word, schema) is not None


def verbs_for_above(schema: Schema) -> frozenset[str]:
    """All such verbs, in their forms, and words for those below."""
    bare = [said[:-2] for said in schema.boss_words if _has_verb(said)]
    others = {*BELOW, *(word for said in TO_THOSE_ABOVE for word in said)} if schema.bosses else set()
    return frozenset(one + ending for one in bare for ending in ("", "s", "e", "es", "ed", "ing")) | others


def _has_verb(said: str) -> bool:
    return said.endswith(("or", "er")) and len(said) > 5
