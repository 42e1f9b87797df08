"""What a query is about, how its answer is grouped, and in which order it comes."""

from __future__ import annotations

from ..language.english import english
from .conditions import Conditions
from .graph import Target
from .mentions import Line, Mention
from .sketch import Shown, Sketch

__all__ = ["AskedTable"]


class AskedTable:
    """The table that a query asks about, its groups and its order."""

    def __init__(self, line: Line, flips: dict[str, int], included: bool, boolean: bool, root: str) -> None:
        self._line, self._flips, self._boolean, self._fixed = line, flips, boolean, root
        self._words, self._graph = line.words, line.graph
        self._sketch = Sketch()
        self._conditions = Conditions(line, self._sketch, flips, included)

    def find_root(self) -> str:
        tables: list[tuple[float, int, str]] = []
        for one in self._line.mentions:
            for target in one.tables:
                weight = one.targets[target]
                columns = max((one.targets[c] for c in one.columns), default=0.0)
                said = self._words[max(0, one.first - 2) : one.first]
                if self._words[one.first] in english().words("verbs.words"):
                    weight -= 0.8
                if one.first == 1 and self._words[0] == "who":
                    weight += 0.5
                if set(said) & {"each", "per", "every", "no", "without", "most", "fewest", "by"}:
                    weight -= 0.8
                if any(place in self._line.value_at for place in range(one.first - 1, one.first)) and self._is_number(
                    one.first - 1
                ):
                    weight -= 0.5
                if any(f"{target.table}." in form.lstrip("%") for form in self._forms_beside(one)):
                    weight -= 0.6
                tables.append(
                    (weight - (0.3 if columns >= weight else 0.0) - 0.02 * one.first, one.first, target.table)
                )
        tables.sort(key=lambda one: -one[0])
        options = list(dict.fromkeys(table for _, _, table in tables))
        if tables and tables[0][0] < 0.3:
            valued = [
                form.lstrip("%").split(".")[0] for one in self._line.values.values() for form in one.meanings[0].forms
            ]
            options = list(dict.fromkeys([*(table for table in valued if table in self._graph.pack.tables), *options]))
        if "who" in self._words[:2] or {"anybody", "anyone", "people", "person"} & set(self._words[:6]):
            people = sorted(self._graph.people, key=self._said_of)
            options = (
                [*people, *options] if not options or tables[0][1] > 3 or tables[0][0] < 0.5 else [*options, *people]
            )
        if not options:
            options = list(dict.fromkeys(c.table for one in self._line.mentions for c in one.columns))
        if not options:
            forms = (form for found in self._line.values.values() for m in found.meanings[:1] for form in m.forms)
            options = list(dict.fromkeys(form.lstrip("%").split(".")[0] for form in forms if form[0] not in "#~"))
        place = self._flips.get("root", 0)
        if place >= len(options):
            return options[0] if options and not place else ""
        return options[place]

    def _said_of(self, table: str) -> int:
        """How much in the query is said of a table of people: its values and columns, counted downwards."""
        values = {
            form.lstrip("%").split(".")[0]
            for one in self._line.values.values()
            for m in one.meanings
            for form in m.forms
        }
        columns = sum(any(t.table == table and w >= 0.5 for t, w in one.targets.items()) for one in self._line.mentions)
        return -2 * (table in values) - columns

    def _forms_beside(self, one: Mention) -> list[str]:
        """The columns that a value right beside a name may stand in."""
        numbers = (self._line.value_at.get(place) for place in (one.first - 1, one.last))
        return [
            form
            for n in numbers
            if n is not None
            for meaning in self._line.values[n].meanings
            for form in meaning.forms
        ]

    def _is_number(self, place: int) -> bool:
        return self._line.values[self._line.value_at[place]].is_measure

    def end_of_asking(self) -> int:
        """Where the words end that say what to show."""
        relative = english().words("asking.relative")
        for at in range(2, len(self._words)):
            if self._words[at] in relative and self._words[at + 1 : at + 2] not in (["their"], ["its"]):
                return at
        return len(self._words)

    def claim(self, first: int, last: int) -> None:
        self._conditions.claim(first, last)

    def free(self, one: Mention) -> bool:
        return self._conditions.claimed.isdisjoint(range(one.first, one.last))

    def read_groups(self) -> None:
        for at in range(len(self._words)):
            size = english().phrase_at("asking.each", self._words, at) or self._by_group(at)
            mention = self._line.next_mention(at + size) if size else None
            if mention is None or not self.free(mention):
                continue
            target = self._group_target(mention)
            if target is not None:
                self._sketch.group.append(target)
                self.claim(at, mention.last)
                return

    def _by_group(self, at: int) -> int:
        """“Average price by city”: one word, if an aggregate or a count stands before."""
        if self._words[at] != "by":
            return 0
        return int(
            any(self.aggregate_at(n)[0] or english().phrase_at("asking.count", self._words, n) for n in range(at))
        )

    def _group_target(self, mention: Mention) -> Target | None:
        root = self._sketch.root
        tables = [target.table for target in mention.tables]
        columns = [target for target in mention.columns if mention.targets[target] >= 0.5]
        column = self._conditions.best(columns, mention)
        if tables and tables[0] != root and (column is None or column.table != root or self._graph.is_key(column)):
            return Target(tables[0])
        if tables and tables[0] == root and column is None:
            return Target(root)
        if column is not None:
            return column
        return Target(tables[0]) if tables else None

    def read_order(self) -> None:
        descending = english().has("asking.descending", self._words)
        for at in range(len(self._words)):
            size = english().phrase_at("asking.order", self._words, at)
            if not size:
                continue
            count = english().phrase_at("asking.count", self._words, at + size)
            the = self._words[at + size : at + size + 1] == ["the"]
            count = count or (the and english().phrase_at("asking.count", self._words, at + size + 1))
            mention = self._line.next_mention(at + size + int(the) + int(count))
            if mention is None:
                continue
            aggregate = "count" if count and mention.tables else ""
            target = Target(mention.tables[0].table) if aggregate else self._conditions.best(mention.columns, mention)
            if target is not None:
                down = descending or "descending" in self._words[at : at + 4]
                self._sketch.order = (Shown(target, aggregate), down)
                self.claim(at, mention.last)
        if self._sketch.order is None and self._words[-1] == "first":
            self._listed_by(descending)
        for name in ("descending", "ascending"):
            for at in range(len(self._words)):
                size = english().phrase_at(f"asking.{name}", self._words, at)
                self.claim(at, at + size)

    def _listed_by(self, descending: bool) -> None:
        """“List the products by price, most expensive first”."""
        for at, word in enumerate(self._words):
            mention = self._line.next_mention(at + 1) if word == "by" else None
            target = self._conditions.best(mention.columns, mention) if mention else None
            if target is not None and mention is not None:
                sup = next(
                    (s for n in range(mention.last, len(self._words)) if (s := english().superlative(self._words, n))),
                    None,
                )
                measured = self._graph.measured(target.table, sup[2]) if sup and sup[2] else None
                sign = measured[1] if measured and measured[0] == target.column else sup[1] if sup else 1
                self._sketch.order = (Shown(target), descending or (sup is not None and sign > 0))
                self.claim(at, len(self._words))
                return

    def aggregate_at(self, at: int) -> tuple[str, int]:
        """The aggregate that is said here and how many words say it; see `aggregates`."""
        raise NotImplementedError
