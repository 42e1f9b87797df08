"""Whether a query leans on the turn before."""

from __future__ import annotations

from ..grammar.mentions import Line
from ..language.english import english

__all__ = ["leaning"]

_SHORT = 4


def leaning(line: Line) -> float:
    """Between 0 and 1: how far the words of a query point back to an earlier turn or are no question by themselves."""
    words = line.words
    if not words:
        return 0.0
    pointing = _points(line)
    opening = english().phrase_at("turns.opening", words, 0) > 0
    names = any(
        one.tables and max(one.targets[t] for t in one.tables) >= 0.9 and one.last not in line.value_at
        for one in line.mentions
    )
    asks = (
        words[0] in english().words("asking.which") or words[0] in english().words("asking.yes_no") or words[0] == "how"
    )
    score = 0.0
    if pointing:
        score += 0.7
    if opening:
        score += 0.5
    if not names and not asks:
        score += 0.4
    if not names and len(words) <= _SHORT:
        score += 0.3
    if not names and asks:
        score += 0.4
    return min(1.0, score)


def _points(line: Line) -> bool:
    """Whether a word stands for what was spoken of before: “those”, “of them”, “the cheapest one”."""
    words = line.words
    for at in range(len(words)):
        size = english().phrase_at("turns.leaning", words, at)
        if not size or (at in line.value_at and words[at] != "one"):
            continue
        if words[at] in ("their", "his", "her", "its") and any(one.last <= at for one in line.mentions if one.tables):
            continue
        if words[at] == "one" and words[at + 1 : at + 2] and line.mention_at(at + 1):
            continue
        return True
    return False
