"""Names and codes of the database in a query, each compared with the column that is meant."""

from __future__ import annotations

from ..algebra.query import Constant
from ..language.recognise import Found
from .evidence import Claims
from .graph import Target
from .mentions import Mention
from .sketch import Compare

__all__ = ["NamedValues"]


class NamedValues(Claims):
    """Puts what is compared with names and codes into the sketch."""

    def read_values(self) -> None:
        groups: list[tuple[Compare, int]] = []
        for number, one in self._line.values.items():
            if one.is_measure or not self.claimed.isdisjoint(range(one.first, one.last)):
                continue
            compare = self._of_value(number, one)
            if compare is None or (one.weak and not self._said_beside(one, compare.target)):
                continue
            self.claim(one.first, one.last)
            self._sketch.values.add(number)
            mate = next(
                (at for at, (other, last) in enumerate(groups) if self._belongs(other, compare, last, one)), None
            )
            if mate is None:
                groups.append((compare, one.last))
            else:
                other = groups[mate][0]
                op = "in" if other.op in ("eq", "in") else other.op
                groups[mate] = (
                    Compare(other.target, op, (*other.literals, *compare.literals), other.negated, other.prefer),
                    one.last,
                )
        self._sketch.conditions += [compare for compare, _ in groups]

    def _belongs(self, other: Compare, compare: Compare, last: int, one: Found) -> bool:
        """Whether two values are alternatives: of one column, with “or”, “and” or a comma between."""
        between = self._words[last : one.first]
        if other.target != compare.target or compare.op != "eq" or len(between) > 3:
            return False
        if "or" not in between and (compare.prefer or other.prefer != compare.prefer):
            return False
        return not between or set(between) <= {"or", "and", "the", "either", "in", "a"}

    def _of_value(self, number: int, one: Found) -> Compare | None:
        options: list[tuple[float, Target, str, str]] = []
        near = set(self._graph.neighbours(self._sketch.root)) if self._sketch.root else set()
        for rank, meaning in enumerate(one.meanings):
            for place, (form, text) in enumerate(meaning.forms.items()):
                if form[0] in "#~":
                    continue
                table, column = form.lstrip("%").split(".")
                target = Target(table, column)
                score = -0.3 * rank - 0.1 * place - (0.2 if form[0] == "%" and rank else 0.0)
                score += 0.8 if table == self._sketch.root else 0.3 if table in near else 0.0
                score += 1.5 if f"{table}.{column}" in self._line.held else 0.0
                said = one.said.casefold()
                if text.strip("%").casefold() == said:
                    score += 1.2
                elif any(other.casefold() == said for other in meaning.forms.values()) and self._refers(target):
                    # A name stands for its code where the table asked about has the code itself.
                    score += 1.6
                score += 1.5 if self._said_beside(one, target) else 0.0
                options.append((score, target, "like" if form[0] == "%" else "eq", text))
        if not options:
            return None
        options.sort(key=lambda option: -option[0])
        chosen = options[min(self._flips.get(f"value {number}", 0), len(options) - 1)]
        _, target, op, text = chosen
        if self._graph.kind(target) == "bool":
            return Compare(target, "true", negated=text == "false" or self.denied_at(one.first))
        for mention in self._line.mentions:
            touching = mention.last in (one.first, one.first - 1, one.first - 2) or mention.first in (
                one.last,
                one.last + 1,
            )
            meant = target in mention.targets or (
                Target(target.table) in mention.targets
                and (mention.first == one.last or (mention.last == one.first and target.table != self._sketch.root))
            )
            if touching and meant and not self._is_asked(mention, one):
                self.claim(mention.first, mention.last)
        denied = self.denied_at(one.first)
        is_text = self._graph.kind(target) != "number"
        return Compare(target, op, (Constant(text, is_text),), denied, self._line.prefers(one.first))

    def _refers(self, target: Target) -> bool:
        """Whether the table that is asked about holds this key itself."""
        steps = self._graph.steps.get(self._sketch.root, ())
        return any((step.to_table, step.to_column, step.many) == (target.table, target.column, False) for step in steps)

    def _is_asked(self, mention: Mention, one: Found) -> bool:
        """Whether a name before a value is what to show of it: “job titles of the scientists”."""
        between, last = self._words[mention.last : one.first], self._words[mention.last - 1]
        return "of" in between and (
            {"the", "all"} & set(between) != set() or last != self._line.stems[mention.last - 1]
        )

    def _said_beside(self, one: Found, target: Target) -> bool:
        """Whether a name beside a value is that of its column or table."""
        for mention in self._line.mentions:
            beside = 0 <= one.first - mention.last <= 2 or 0 <= mention.first - one.last <= 1
            other = Target(target.table) in mention.targets and target.table != self._sketch.root
            if beside and (target in mention.targets or other):
                return True
        return False
