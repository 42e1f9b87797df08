"""What all readers of conditions share: which words are explained, which column is meant, what is denied."""

from __future__ import annotations

from collections.abc import Sequence

from ..language.english import english
from .graph import Graph, Target
from .mentions import Line, Mention
from .sketch import Sketch

__all__ = ["Claims"]


class Claims:
    """The words of one query that are explained, and how columns are found for the others."""

    def __init__(self, line: Line, sketch: Sketch, flips: dict[str, int], included: bool) -> None:
        self._line, self._sketch, self._flips = line, sketch, flips
        self._graph: Graph = line.graph
        self._words = line.words
        self._included = included
        self.claimed: set[int] = set()

    def claim(self, first: int, last: int) -> None:
        """These words are explained."""
        self.claimed.update(range(first, last))
        self._sketch.words.update(range(first, last))

    def best(self, targets: Sequence[Target], weights: Mention, kinds: tuple[str, ...] = ()) -> Target | None:
        """The likeliest of several columns: one of the root, or near it, of the right kind."""
        root = self._sketch.root
        near = set(self._graph.neighbours(root)) if root else set()

        def rank(target: Target) -> float:
            score = weights.targets[target] + (0.6 if target.table == root else 0.3 if target.table in near else 0.0)
            if root and target.table not in (root, *near):
                path = self._graph.path(root, target.table)
                score -= 2.0 if path is None else 0.05 * path[0].count(">")
            return score

        fits = [one for one in targets if not kinds or self._graph.kind(one) in kinds]
        return max(fits, key=rank, default=None)

    def by_adjective(self, adjective: str) -> tuple[Target, int] | None:
        for table in self.near_tables():
            measured = self._graph.measured(table, adjective)
            if measured:
                return Target(table, measured[0]), measured[1]
        return None

    def near_tables(self) -> list[str]:
        """The table that is asked about, those one step away, and those two steps away."""
        near = [self._sketch.root, *self._graph.neighbours(self._sketch.root)]
        return list(dict.fromkeys([*near, *(other for table in near[1:] for other in self._graph.neighbours(table))]))

    def by_unit(self, at: int) -> Target | None:
        """The column that holds amounts of the unit at this place."""
        stems = english().units.get(self._words[at], ()) if at < len(self._words) else ()
        for table in self.near_tables():
            for stem in stems:
                for column in self._graph.pack.tables[table]:
                    target = Target(table, column)
                    if stem in column.lower() and self._graph.is_measure(target):
                        return target
        return None

    def denied_at(self, at: int) -> bool:
        """Whether what begins here is denied by a word before it."""
        passed = english().words("comparing.skipped") | {
            "in",
            "on",
            "from",
            "of",
            "by",
            "is",
            "are",
            "any",
            "have",
            "with",
        }
        passed |= {"be", "at", "those", "ones", "people", "all"}
        for place in range(at - 1, max(-1, at - 5), -1):
            if english().negated(self._words, place):
                self.claim(place, place + 1)
                return True
            if self._words[place : place + 2] in (["other", "than"], ["leave", "out"]):
                self.claim(place, place + 2)
                return True
            if self._words[place] not in passed and self._words[place] not in ("than", "live", "lives", "come"):
                return False
        return False
