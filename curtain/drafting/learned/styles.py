"""How answered questions write what there are several ways to write: counts, the first of a sorted list, yes or no."""

from __future__ import annotations

from ..sql.statements import Part
from .memory import Memory

__all__ = ["YES_NO", "by_limit", "by_star", "yes_no_head"]

YES_NO = frozenset(["is", "are", "was", "were", "do", "does", "did", "has", "have", "can", "could", "will", "would"])
"""Words that questions begin with whose answer is yes or no."""

_MOST = 400


def by_limit(memory: Memory) -> bool:
    """Whether they rather sort and cut than compare with a nested SELECT to get what is least or greatest."""
    cut = sum(shape.times for key, shape in memory.shapes.items() if "LIMIT" in key)
    nested = sum(shape.times for key, shape in memory.shapes.items() if "(SELECT MIN" in key or "(SELECT MAX" in key)
    return cut > nested


def by_star(memory: Memory, root: str) -> bool:
    """Whether they count the rows of this table with COUNT(*)."""
    counts = [shape for shape in memory.shapes.values() if shape.head.startswith(f"{root}|COUNT(")]
    stars = sum(shape.times for shape in counts if shape.head.startswith(f"{root}|COUNT(*)|"))
    return 2 * stars >= sum(shape.times for shape in counts)


def yes_no_head(memory: Memory) -> tuple[Part, ...] | None:
    """The head that most of them have that begin with “is” or “do”, if it tells whether there are any."""
    heads = [
        memory.shapes[entry.shape].form.statement.head
        for entry in memory.entries[:_MOST]
        if entry.live and entry.words and entry.words[0] in YES_NO
    ]
    usual = [head for head in heads if str(head[0]).startswith("COUNT(*) >")]
    return max(set(usual), key=usual.count) if len(usual) * 2 > len(heads) else None
