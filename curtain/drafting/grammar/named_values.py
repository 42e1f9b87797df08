"""Names and codes of the database in a query, each compared with the column that is meant."""

from __future__ import annotations

from ..algebra.query import Constant
from ..language.english import stem
from ..language.lexicon import Meaning
from ..language.recognise import Found
from .evidence import Claims
from .graph import Target
from .mentions import Mention
from .sketch import Compare


class NamedValues(Claims):
    """Puts what is compared with names and codes into the sketch."""

    def read_values(self) -> None:
        groups: list[tuple[Compare, int]] = []
        for number, one in self._line.values.items():
            if one.is_measure or not self._sketch.words.isdisjoint(range(one.first, one.last)):
                continue
            compare = self._of_value(number, one)
            if compare is None or (one.weak and not self._said_beside(one, compare.target)):
                continue
            self.claim(one.first, one.last)
            self._sketch.values.add(number)
            mates = (at for at, (other, last) in enumerate(groups) if self._belongs(other, compare, last, one))
            mate = next(mates, None)
            if mate is None:
                groups.append((compare, one.last))
            else:
                other = groups[mate][0]
                op = "in" if other.op in ("eq", "in") else other.op
                literals = (*other.literals, *compare.literals)
                groups[mate] = Compare(other.target, op, literals, other.negated, other.prefer), one.last
        self._sketch.conditions += [compare for compare, _ in groups]

    def _belongs(self, other: Compare, compare: Compare, last: int, one: Found) -> bool:
        """Whether two values are alternatives: of one column, with “or”, “and” or a comma between."""
        between = self._words[last : one.first]
        if other.target != compare.target or compare.op != "eq" or len(between) > 3:
            return False
        if "or" not in between and (compare.prefer or other.prefer != compare.prefer):
            return False
        return set(between) <= {"or", "and", "the", "either", "in", "a"}

    def _of_value(self, number: int, one: Found) -> Compare | None:
        options = [
            (self._fit(one, meaning, form, text) - 0.3 * rank - 0.1 * place, form, text)
            for rank, meaning in enumerate(one.meanings)
            for place, (form, text) in enumerate(meaning.forms.items())
            if form[0] != "#"
        ]
        if not options:
            return None
        options.sort(key=lambda option: -option[0])
        _, form, text = options[min(self._flips.get(f"value {number}", 0), len(options) - 1)]
        target = _target_of(form)
        if self._graph.kind(target) == "bool":
            return Compare(target, "true", negated=text == "false" or self.denied_at(one.first))
        for mention in self._line.mentions:
            if self._names(mention, one, target) and not self._is_asked(mention, one):
                self.claim_name(mention)
        denied = self.denied_at(one.first)
        constant = Constant(text, self._graph.kind(target) != "number")
        return Compare(target, "like" if form[0] == "%" else "eq", (constant,), denied, self._line.prefers(one.first))

    def _fit(self, one: Found, meaning: Meaning, form: str, text: str) -> float:
        """How well a spelling of a value suits what is said and asked about."""
        root, target, said = self._sketch.root, _target_of(form), one.said.casefold()
        near = root and target.table in self._graph.neighbours(root)
        score = 0.8 if target.table == root else 0.3 if near else 0.0
        score += 1.5 if f"{target.table}.{target.column}" in self._line.held else 0.0
        score += 1.5 if self._said_beside(one, target) else 0.0
        score -= 0.2 if form[0] == "%" and meaning != one.meanings[0] else 0.0
        if text.strip("%").casefold() == said:
            return score + 1.2
        # A name stands for its code where the table asked about has the code itself.
        named = any(other.casefold() == said for other in meaning.forms.values())
        return score + 1.6 if named and self._refers(target) else score

    def _refers(self, target: Target) -> bool:
        """Whether the table that is asked about holds this key itself."""
        steps = self._graph.steps.get(self._sketch.root, ())
        return any((step.to_table, step.to_column, step.many) == (target.table, target.column, False) for step in steps)

    def _names(self, mention: Mention, one: Found, target: Target) -> bool:
        """Whether a name that touches a value says which column or table it is of."""
        touching = 0 <= one.first - mention.last <= 2 or 0 <= mention.first - one.last <= 1
        behind = mention.first == one.last or (mention.last == one.first and target.table != self._sketch.root)
        return touching and (target in mention.targets or (target.table in mention.tables and behind))

    def _is_asked(self, mention: Mention, one: Found) -> bool:
        """Whether a name before a value is what to show of it: “job titles of the scientists”."""
        between, last = set(self._words[mention.last : one.first]), self._words[mention.last - 1]
        return "of" in between and (bool({"the", "all"} & between) or last != stem(last))

    def _said_beside(self, one: Found, target: Target) -> bool:
        """Whether a name beside a value is that of its column or table."""
        for mention in self._line.mentions:
            beside = 0 <= one.first - mention.last <= 2 or 0 <= mention.first - one.last <= 1
            other = target.table in mention.tables and target.table != self._sketch.root
            if beside and (target in mention.targets or other):
                return True
        return False


def _target_of(form: str) -> Target:
    table, column = form.lstrip("%").split(".")
    return Target(table, column)
