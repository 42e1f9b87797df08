"""Conditions on a table that no column joins with the others: they narrow nothing, as “the period is called night”
without the times of that period."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from .align import nodes_in
from .statements import Clause

__all__ = ["narrows_nothing"]

# A node that is only there beside the others, as `flight>=time_interval.`.
_UNJOINED = re.compile(r">=\w+\.$")


def narrows_nothing(clauses: Iterable[Clause], spoken_of: Collection[str] = ()) -> bool:
    """Whether a condition is said of such a table alone; of the nodes that are `spoken_of` otherwise, it may be."""
    told = [nodes_in(clause) for clause in clauses if not clause.bare]
    loose = {node for own in told for node in own if _UNJOINED.search(node) and node not in spoken_of}
    return any(all(own == {node} for own in told if node in own) for node in loose)
