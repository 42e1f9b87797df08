"""What the readers of a query share: which column is meant, near which table, and what is denied."""

from __future__ import annotations

from collections.abc import Sequence

from ..language.english import english
from .graph import Target
from .mentions import Line, Mention
from .sketch import Sketch


def best(
    line: Line, sketch: Sketch, targets: Sequence[Target], weights: Mention, kinds: tuple[str, ...] = ()
) -> Target | None:
    """The likeliest of several columns: one of the root, or near it, of one of these kinds (any without)."""
    root, graph = sketch.root, line.graph
    near = set(graph.neighbours(root)) if root else set()

    def rank(target: Target) -> float:
        score = weights.targets[target] + (0.6 if target.table == root else 0.3 if target.table in near else 0.0)
        if root and target.table not in (root, *near):
            path = graph.path(root, target.table)
            score -= 2.0 if path is None else 0.05 * path[0].count(">")
        return score

    fits = [one for one in targets if not kinds or graph.kind(one) in kinds]
    return max(fits, key=rank, default=None)


def best_measure(line: Line, sketch: Sketch, mention: Mention | None) -> Target | None:
    """The likeliest column of amounts that a name means."""
    return best(line, sketch, [c for c in mention.columns if line.graph.is_measure(c)], mention) if mention else None


def by_adjective(line: Line, sketch: Sketch, adjective: str) -> tuple[Target, int] | None:
    """The column that an adjective measures, and 1 if much of it is meant, else -1."""
    for table in near_tables(line, sketch):
        measured = line.graph.measured(table, adjective)
        if measured:
            return Target(table, measured[0]), measured[1]
    return None


def near_tables(line: Line, sketch: Sketch) -> list[str]:
    """The table that is asked about, those one step away, and those two steps away."""
    near = [sketch.root, *line.graph.neighbours(sketch.root)]
    return list(dict.fromkeys([*near, *(other for table in near[1:] for other in line.graph.neighbours(table))]))


def denial(line: Line, at: int) -> tuple[int, int] | None:
    """The words [first, last) that deny what begins here; None if nothing does."""
    for place in range(at - 1, max(-1, at - 5), -1):
        size = english().negated(line.words, place) or line.phrase("comparing.denying", place)
        if size:
            return place, place + size
        if line.words[place] not in english().words("comparing.behind_a_denial"):
            return None
    return None
