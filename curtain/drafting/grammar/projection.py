"""What a query asks to see: the table it is about, columns, counts and other aggregates, groups, order."""

from __future__ import annotations

from dataclasses import replace

from ..algebra.query import Constant
from ..language.english import english
from .graph import Target
from .mentions import Line, Mention
from .sketch import Compare, Condition, Extreme, Ranked, Related, Shown, Sketch, Times
from .subject_table import AskedTable


def sketched(line: Line, flips: dict[str, int], included: bool, root: str = "") -> Sketch | None:
    """What the query asks for; `flips` chooses other meanings than the likeliest, `included` says whether the ends of
    periods belong to them; `root` is the table of the turn before. None if nothing in it is understood."""
    return _Asking(line, flips, included).sketch(root)


class _Asking(AskedTable):
    """One reading of one query."""

    def sketch(self, fixed: str) -> Sketch | None:
        sketch = self._sketch
        sketch.root = fixed or self.find_root()
        if not sketch.root:
            return None
        end = self.end_of_asking()
        self.read_groups()
        self.read_order()
        self.read_aggregates()
        self.read_counts()
        self.read_conditions()
        self._listed(end)
        self._implied()
        self._averaged()
        self._present(end, bool(fixed))
        self._settle(bool(fixed))
        return sketch

    def _listed(self, end: int) -> None:
        """The columns that are named among what to show."""
        for one in self._line.mentions:
            form = english().adjective(self._words[one.first])
            # “The cheapest”, where “cheapest” is said of a column, compares.
            if one.first >= end or not self.free(one) or (form is not None and form[1] > 1):
                continue
            column = self.best([c for c in one.columns if one.targets[c] >= 0.4], one)
            table = one.table
            if table == self._sketch.root and (column is None or one.targets[Target(table)] >= one.targets[column]):
                self.claim_name(one)
            elif column is not None:
                self._column(one, column)

    def _column(self, one: Mention, column: Target) -> None:
        sketch, words = self._sketch, self._words
        own = column.table == sketch.root
        before, had = self._line.text(one.first - 1), self._line.text(one.first - 2)
        thing = self._referred(column, one)
        if thing and not self._graph.curated:
            if one.last not in self._line.value_at and one.first - 1 not in self._line.value_at:
                sketch.items += [Shown(Target(thing, name)) for name in self._graph.shown(thing)]
                self.claim_name(one)
        elif own and self._is_true(one, column):
            self.add(Compare(column, "eq", (Constant("1"),)), one.first, one.last)
        elif own and before in ("a", "an", "any") and had in ("have", "has", "had", "with"):
            self.add(Compare(column, "null", negated=True), one.first, one.last)
        elif not own and one.table and one.targets[Target(one.table)] > one.targets[column]:
            return
        elif self._is_verb(one):
            self.claim_name(one)
        elif words[one.first : one.first + 3] == ["total", "of", "all"] and self._graph.is_measure(column):
            self.show(Shown(column, "sum"), one.first, one.last)
        else:
            aged = {"age", "old", "ages"} & set(words[one.first : one.last]) and self._graph.kind(column) == "date"
            sketch.items += (
                [Shown(column, "years")] if aged else [Shown(each) for each in self._whole_name(one, column)]
            )
            sketch.distinct = sketch.distinct or bool(self._line.phrase("asking.distinct", one.first - 1))
            self.claim_name(one)

    def _referred(self, column: Target, one: Mention) -> str:
        """The table that a column refers to, if the words name it."""
        steps = (s for s in self._graph.steps.get(column.table, ()) if s.column == column.column and not s.many)
        return next((step.to_table for step in steps if Target(step.to_table) in one.targets), "")

    def _is_true(self, one: Mention, column: Target) -> bool:
        """“Which products are discontinued”: a column of numbers that says yes with a one."""
        before = self._line.text(one.first - 1) in ("are", "is", "were", "was")
        return before and self._words[one.first].endswith("ed") and self._graph.is_measure(column)

    def _whole_name(self, one: Mention, column: Target) -> list[Target]:
        """“Name” of people is both parts of it."""
        called = self._graph.called(column.table)
        plain = self._words[one.first : one.last] in (["name"], ["names"]) and "name" not in self._graph.pack.vague
        return [Target(column.table, name) for name in called] if plain and len(called) == 2 else [column]

    def _is_verb(self, one: Mention) -> bool:
        """Whether a name is only a word for what is done: it is shown where the query asks when, where or how much."""
        asks = self._words[0] in english().words("asking.of_a_verb") and not self._sketch.items and one.first > 1
        return not asks and self._words[one.first] in english().words("verbs.words")

    def _implied(self) -> None:
        """What “when”, “where” and “how old” ask for without naming it."""
        sketch, first = self._sketch, self._words[0]
        columns = [Target(sketch.root, name) for name in self._graph.pack.tables[sketch.root]]
        form = english().adjective(self._line.text(1)) if first == "how" else None
        measured = self.by_adjective(form[0]) if form and not sketch.items else None
        if measured:
            self.show(Shown(measured[0], "years" if self._graph.kind(measured[0]) == "date" else ""), 0, 2)
        elif not sketch.items and first == "when":
            sketch.items += [Shown(c) for c in columns if self._graph.kind(c) == "date" or c.column == "year"][:1]
        elif not sketch.items and first == "where":
            stems = english().listed("asking.where")
            sketch.items += [Shown(c) for stem in stems for c in columns if stem in c.column][:1]

    def _averaged(self) -> None:
        """“How much do they make on average”: the aggregate stands behind what it is of."""
        for at in range(len(self._words)):
            if self._words[at : at + 2] == ["on", "average"] or (at and self._words[at:] == ["altogether"]):
                kind = "avg" if self._words[at] == "on" else "sum"
                self._sketch.items = [
                    replace(one, aggregate=kind) if not one.aggregate and self._graph.is_measure(one.target) else one
                    for one in self._sketch.items
                ]
                self.claim(at, at + 2)

    def _present(self, end: int, fixed: bool) -> None:
        """Tables that are only named: their rows are there, or what is named of them is shown."""
        sketch = self._sketch
        used = {sketch.root} | {item.target.table for item in sketch.items} | {one.table for one in sketch.group}
        used |= {_table_in(one) for one in sketch.conditions}
        for one in filter(self.free, self._line.mentions):
            table = next((t for t in one.tables if one.targets[Target(t)] >= 0.9), "")
            if used & set(one.tables):
                self.claim_name(one)
            elif table and self._graph.path(sketch.root, table) is not None:
                beside = bool(sketch.items) and self._line.text(one.first - 1) in ("and", "their", "its")
                if one.first < end and (beside or (fixed and not sketch.items)):
                    sketch.items += [Shown(Target(table, name)) for name in self._graph.shown(table)]
                else:
                    sketch.conditions.append(Related(table))
                used.add(table)
                self.claim_name(one)

    def _settle(self, fixed: bool) -> None:
        """What groups and counts mean together."""
        sketch = self._sketch
        counts = [item for item in sketch.items if item.aggregate == "count"]
        plain = [item for item in sketch.items if not item.aggregate]
        if sketch.group:
            self._settle_group(sketch.group[0], counts, plain)
        elif counts and not fixed:
            counted = counts[0].target.table
            if plain:
                first = plain[0].target.table
                keys = self._graph.key(first) if first != counted else ()
                sketch.group = [*(Target(first, key) for key in keys), *(item.target for item in plain)]
            else:
                sketch.root = counted
        self._gather_absent()
        own = Shown(Target(sketch.root), "count")
        popular = [one for one in sketch.conditions if isinstance(one, Ranked) and one.item == own]
        times = any(isinstance(one, Times) and one.table == sketch.root for one in sketch.conditions)
        if not sketch.group and (popular or times):
            # What is counted by rows of the table itself is counted for each of what is shown.
            sketch.group = [item.target for item in sketch.items if not item.aggregate]
            if not sketch.group:
                sketch.conditions = [one for one in sketch.conditions if one not in popular]
        asks = self._words[0] in english().words("asking.yes_no") and not sketch.items
        sketch.yes_no = asks and self._graph.pack.yes_no == "boolean"

    def _settle_group(self, key: Target, counts: list[Shown], plain: list[Shown]) -> None:
        sketch, graph = self._sketch, self._graph
        shown = [Shown(key)] if key.column else [Shown(Target(key.table, name)) for name in graph.shown(key.table)]
        if len(plain) == len(sketch.items):
            most = not plain or any(isinstance(one, Extreme) for one in sketch.conditions)
            sketch.group = []
            sketch.items = [*(one for one in shown if most and one not in plain), *plain]
            return
        sketch.items = [*([] if plain else shown), *sketch.items]
        if not key.column:
            names = graph.key(key.table)
            sketch.group = [Target(key.table, name) for name in names] or [one.target for one in shown]
        if counts and key.table != sketch.root != counts[0].target.table:
            sketch.root = counts[0].target.table

    def _gather_absent(self) -> None:
        """What is said of rows that are not there is said of the same rows: “no women at level 20”."""
        sketch = self._sketch
        for one in list(sketch.conditions):
            if not isinstance(one, Compare) or not one.negated or one.target.table == sketch.root:
                continue
            path = self._graph.path(sketch.root, one.target.table)
            if path is not None and path[1]:
                mates = [c for c in sketch.conditions if isinstance(c, Compare) and c.target.table == one.target.table]
                sketch.conditions = [c for c in sketch.conditions if c not in mates]
                positive = tuple(replace(c, negated=False) for c in mates)
                sketch.conditions.append(Related(one.target.table, True, positive))


def _table_in(one: Condition) -> str:
    if isinstance(one, Compare | Extreme):
        return one.target.table
    return one.item.target.table if isinstance(one, Ranked) else one.table
