"""What all readers of a query share: which words are explained, which column is meant, what is denied."""

from __future__ import annotations

from collections.abc import Sequence

from ..language.english import english
from .graph import Target
from .mentions import Line, Mention
from .sketch import Condition, Shown, Sketch


class Claims:
    """The words of one query that are explained, and how columns are found for the others. `flips` chooses other
    meanings of values than the likeliest, `included` says whether the ends of periods belong to them."""

    def __init__(self, line: Line, flips: dict[str, int], included: bool) -> None:
        self._line, self._flips, self._included = line, flips, included
        self._sketch = Sketch()
        self._graph, self._words = line.graph, line.words

    def claim(self, first: int, last: int) -> None:
        """These words are explained."""
        self._sketch.words.update(range(first, last))

    def claim_name(self, one: Mention) -> None:
        """The words of this name are explained."""
        self.claim(one.first, one.last)

    def free(self, one: Mention) -> bool:
        """Whether no word of a name is explained yet."""
        return self._sketch.words.isdisjoint(range(one.first, one.last))

    def add(self, condition: Condition, first: int, last: int) -> None:
        """One more condition, and the words that say it."""
        self._sketch.conditions.append(condition)
        self.claim(first, last)

    def show(self, item: Shown, first: int, last: int) -> None:
        """One more thing to show, and the words that say it."""
        self._sketch.items.append(item)
        self.claim(first, last)

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

    def best_measure(self, mention: Mention | None) -> Target | None:
        """The likeliest column of amounts that a name means."""
        return self.best([c for c in mention.columns if self._graph.is_measure(c)], mention) if mention else None

    def by_adjective(self, adjective: str) -> tuple[Target, int] | None:
        """The column that an adjective measures, and 1 if much of it is meant, else -1."""
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
        for table in self.near_tables():
            for stem in english().units.get(self._line.text(at), ()):
                for column in self._graph.pack.tables[table]:
                    if stem in column.lower() and self._graph.is_measure(Target(table, column)):
                        return Target(table, column)
        return None

    def denied_at(self, at: int) -> bool:
        """Whether what begins here is denied by a word before it."""
        for place in range(at - 1, max(-1, at - 5), -1):
            size = english().negated(self._words, place) or self._line.phrase("comparing.denying", place)
            if size:
                self.claim(place, place + size)
                return True
            if self._words[place] not in english().words("comparing.behind_a_denial"):
                return False
        return False
