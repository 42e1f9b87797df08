"""Small words of questions that go on from an earlier turn: which point back, count, turn round, or say nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = [
    "BACKWARDS",
    "BESIDE",
    "DENYING",
    "LIGHT",
    "NARROWING",
    "POINTERS",
    "POSSESSIVE",
    "SILENT",
    "asks_how_many",
    "is_narrowing",
    "phrase_at",
    "points_back",
]

_POINTING = """
those these them they their theirs it its one ones same there he she his her hers him former latter
"""
POSSESSIVE = frozenset(["their", "theirs", "its", "his", "her", "hers"])
"""Words for what belongs to it."""

BESIDE = frozenset(["colleague", "coworker", "peer", "teammate", "colleagues", "coworkers", "peers", "teammates"])
"""Words for those who work beside somebody."""

_THOSE = POSSESSIVE | frozenset(["those", "these", "them", "they", "he", "she", "him", "it", "ones"])
_SAYING_NOTHING = """
a an the of to in on at for from with by and or but if so as than is are was were be been am do does did done
has have had that this which what whats who whom whose when where why how many much please me my i id im ive
you your we us our can could would will should may might now then also only just instead about any anybody
anyone all each every some list show give tell display find name again okay ok well yes no not none too still
among amongst within
exactly both else other others more most less least rest thing things kind kinds type types sort uh um let
lets see look up out into here s t yeah oh hey and/or mean actually sorry rather another next previous first
one's dollars dollar bucks people persons person everybody everyone somebody someone anything something
"""
_VERBS = """
serve serves served serving fly flies flying flown go goes going gone work works working make makes made get
gets getting want wants need needs like likes take takes taking come comes coming use uses used using offer
offers run runs put say says said know keep call called happen happens belong belongs own owns hold holds
"""

POINTERS = frozenset(_POINTING.split())
"""Words that stand for what an earlier turn was about."""

SILENT = POINTERS | frozenset(_SAYING_NOTHING.split())
"""Words that say nothing about a column or a value."""

LIGHT = frozenset(_VERBS.split())
"""Verbs that are said of nearly everything."""

BACKWARDS = (
    "return",
    "returning",
    "the way back",
    "way back",
    "coming back",
    "going back",
    "back",
    "the other way",
    "the other way round",
    "other way around",
    "other direction",
    "opposite direction",
    "opposite way",
    "reverse",
    "reversed",
    "vice versa",
    "inbound",
)
"""Phrases that turn from and to round."""

DENYING = (
    "leave out",
    "leaving out",
    "drop",
    "skip",
    "exclude",
    "excluding",
    "remove",
    "apart from",
    "anything but",
    "all but",
    "everything but",
    "minus",
    "instead of",
    "rather than",
)
"""Phrases that deny what follows."""

NARROWING = re.compile(
    r"\b(of (those|these|them|the ones)|which ones?|only|just|the ones|the one|those that|those who|those with|"
    r"the \w+ ones?|do (they|any)|are (they|any)|is (it|he|she))\b"
)
_COUNTS = re.compile(r"^(and |so |okay |ok |now )*(how many|count|number of|the number of|what number of)\b")


def is_narrowing(text: str) -> bool:
    """Whether the words speak of some of what there is already, and not of something else in its place."""
    return bool(NARROWING.search(text)) and not re.match(r"^(and |or |but )?(what|how) about\b", text)


def points_back(words: Sequence[str]) -> bool:
    """Whether the words speak of those of an earlier turn."""
    return not _THOSE.isdisjoint(words) or is_narrowing(" ".join(words))


def asks_how_many(text: str) -> bool:
    """Whether the words ask for a number of what there is."""
    return bool(_COUNTS.match(text))


def phrase_at(words: Sequence[str], phrases: Sequence[str]) -> tuple[int, int] | None:
    """Where the longest of these phrases stands: words [first, last)."""
    best: tuple[int, int] | None = None
    for phrase in phrases:
        own = phrase.split()
        for at in range(len(words) - len(own) + 1):
            if list(words[at : at + len(own)]) == own and (best is None or len(own) > best[1] - best[0]):
                best = at, at + len(own)
    return best
