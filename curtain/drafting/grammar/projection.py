"""What a query asks to see: the table it is about, columns, counts and other aggregates, groups, order."""

from __future__ import annotations

from dataclasses import replace

from ..algebra.query import Constant
from ..language.english import english
from .aggregates import Aggregates
from .graph import Target
from .mentions import Line, Mention
from .sketch import Absent, Average, Compare, Condition, Extreme, Most, Present, Ranked, Shown, Sketch, Times

__all__ = ["sketched"]


def sketched(line: Line, flips: dict[str, int], included: bool, boolean: bool, root: str = "") -> Sketch | None:
    """What the query asks for; `flips` chooses other meanings than the likeliest, `included` says whether the ends of
    periods belong to them, `boolean` how yes/no questions are answered. None if nothing in it is understood."""
    return _Asking(line, flips, included, boolean, root).sketch()


class _Asking(Aggregates):
    """One reading of one query."""

    def sketch(self) -> Sketch | None:
        sketch = self._sketch
        sketch.root = self._fixed or self.find_root()
        if not sketch.root:
            return None
        self._end = self.end_of_asking()
        self.read_groups()
        self.read_order()
        self.read_aggregates()
        self.read_counts()
        self._conditions.find()
        self._listed()
        self._implied()
        self._averaged()
        self._present()
        self._settle()
        return sketch

    def _listed(self) -> None:
        """The columns that are named among what to show."""
        sketch = self._sketch
        start = 0
        for one in self._line.mentions:
            if one.first >= self._end or not self.free(one) or self._compares_much(one):
                continue
            columns = [c for c in one.columns if one.targets[c] >= 0.4]
            column = self._conditions.best(columns, one)
            table = next((t.table for t in one.tables), "")
            if table == sketch.root and (column is None or one.targets[Target(table)] >= one.targets[column]):
                self.claim(one.first, one.last)
                continue
            if column is None:
                continue
            thing = self._referred(column, one)
            if thing and not self._graph.curated:
                if self._free_of_value(one):
                    sketch.items += [Shown(Target(thing, name)) for name in self._graph.shown(thing)]
                    self.claim(one.first, one.last)
                continue
            if column.table == sketch.root and self._is_true(one, column):
                sketch.conditions.append(Compare(column, "eq", (Constant("1", False),)))
                self.claim(one.first, one.last)
                continue
            had = self._words[max(0, one.first - 2) : one.first]
            if (
                had[-1:] in (["a"], ["an"], ["any"])
                and had[0] in ("have", "has", "had", "with")
                and column.table == sketch.root
            ):
                sketch.conditions.append(Compare(column, "null", negated=True))
                self.claim(one.first, one.last)
                continue
            if table and column.table != sketch.root and one.targets[Target(table)] > one.targets[column]:
                continue
            if self._is_verb(one, column):
                continue
            lasting = self._words[:2] == ["how", "long"] or self._words[:3] == ["how", "many", "years"]
            if lasting and self._graph.kind(column) == "date" and not sketch.items:
                sketch.items.append(Shown(column, "years"))
                self.claim(one.first, one.last)
                continue
            old = {"age", "old", "ages"} & set(self._words[one.first : one.last])
            if self._words[one.first : one.first + 3] == ["total", "of", "all"] and self._graph.is_measure(column):
                sketch.items.append(Shown(column, "sum"))
            elif old and self._graph.kind(column) == "date":
                sketch.items.append(Shown(column, "years"))
            else:
                sketch.items += [Shown(each) for each in self._whole_name(one, column)]
            if english().phrase_at("asking.distinct", self._words, one.first - 1):
                sketch.distinct = True
            self.claim(one.first, one.last)
            start = one.last
        del start

    def _compares_much(self, one: Mention) -> bool:
        """Whether a name is an adjective that compares: “the cheapest”, where “cheapest” is said of a column."""
        form = english().adjective(self._words[one.first])
        return form is not None and form[1] > 1

    def _referred(self, column: Target, one: Mention) -> str:
        """The table that a column refers to, if the words name it."""
        steps = (
            step for step in self._graph.steps.get(column.table, ()) if step.column == column.column and not step.many
        )
        return next((step.to_table for step in steps if Target(step.to_table) in one.targets), "")

    def _free_of_value(self, one: Mention) -> bool:
        return one.last not in self._line.value_at and one.first - 1 not in self._line.value_at

    def _is_true(self, one: Mention, column: Target) -> bool:
        """“Which products are discontinued”: a column of numbers that says yes with a one."""
        word, before = self._words[one.first], self._words[one.first - 1] if one.first else ""
        return word.endswith("ed") and before in ("are", "is", "were", "was") and self._graph.is_measure(column)

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

    def _whole_name(self, one: Mention, column: Target) -> list[Target]:
        """“Name” of people is both parts of it."""
        called = self._graph.called(column.table)
        if len(called) == 2 and self._words[one.last - 1] in ("name", "names") and one.last - one.first == 1:
            vague = self._graph.pack.vague.get("name")
            if vague is None:
                return [Target(column.table, name) for name in called]
        return [column]

    def _is_verb(self, one: Mention, column: Target) -> bool:
        """Whether a name is only a word for what is done: it is shown where the query asks when, where or how much."""
        word = self._words[one.first]
        if word not in english().words("verbs.words"):
            return False
        asks = self._words[0] in ("when", "where", "how", "what", "whats") and not self._sketch.items and one.first > 1
        if not asks:
            self.claim(one.first, one.last)
        return not asks

    def _implied(self) -> None:
        """What “when”, “where” and “how old” ask for without naming it."""
        sketch, words = self._sketch, self._words
        if sketch.items or not words:
            return
        if words[0] == "how" and len(words) > 1 and english().adjective(words[1]):
            measured = self._conditions.by_adjective((english().adjective(words[1]) or ("", 0))[0])
            if measured:
                dated = self._graph.kind(measured[0]) == "date"
                sketch.items.append(Shown(measured[0], "years" if dated else ""))
                self.claim(0, 2)
        wanted = {"when": ("date",), "where": ("text",)}.get(words[0])
        if wanted == ("date",):
            columns = [Target(sketch.root, c) for c in self._graph.pack.tables[sketch.root]]
            sketch.items += [Shown(c) for c in columns if self._graph.kind(c) == "date" or c.column == "year"][:1]
        elif wanted:
            for stem in ("city", "location", "address", "country", "state"):
                fits = [c for c in self._graph.pack.tables[sketch.root] if stem in c]
                if fits and not sketch.items:
                    sketch.items.append(Shown(Target(sketch.root, fits[0])))

    def _present(self) -> None:
        """Tables that are only named: their rows are there, or what is named of them is shown."""
        sketch = self._sketch
        used = {sketch.root} | {item.target.table for item in sketch.items} | {one.table for one in sketch.group}
        used |= {table for one in sketch.conditions for table in _tables_in(one)}
        for one in self._line.mentions:
            tables = [t.table for t in one.tables if one.targets[t] >= 0.9 and t.table not in used]
            if not self.free(one):
                continue
            if any(t.table in used for t in one.tables):
                self.claim(one.first, one.last)
            elif tables and self._graph.path(sketch.root, tables[0]) is not None:
                before = self._words[max(0, one.first - 1) : one.first]
                if (self._fixed and not sketch.items and one.first < self._end) or (
                    one.first < self._end and before and before[0] in ("and", "their", "its") and sketch.items
                ):
                    sketch.items += [Shown(Target(tables[0], name)) for name in self._graph.shown(tables[0])]
                else:
                    sketch.conditions.append(Present(tables[0]))
                used.add(tables[0])
                self.claim(one.first, one.last)

    def _settle(self) -> None:
        """What groups and counts mean together."""
        sketch, graph = self._sketch, self._graph
        counts = [item for item in sketch.items if item.aggregate == "count"]
        grouped = [one for one in sketch.group]
        if sketch.group:
            shown: list[Target] = []
            for one in grouped:
                shown += [one] if one.column else [Target(one.table, name) for name in graph.shown(one.table)]
            aggregated = [item for item in sketch.items if item.aggregate]
            plain = [item for item in sketch.items if not item.aggregate]
            if not aggregated:
                sketch.group = []
                most = [one for one in sketch.conditions if isinstance(one, Extreme)]
                sketch.items = [*[Shown(t) for t in shown if Shown(t) not in plain], *plain] if most or plain else plain
            else:
                sketch.items = [*([] if plain else [Shown(t) for t in shown]), *sketch.items]
                sketch.group = [
                    key
                    for one in grouped
                    for key in (
                        [one] if one.column else [Target(one.table, name) for name in graph.key(one.table)] or shown
                    )
                ]
                if counts and grouped[0].table != sketch.root and counts[0].target.table != sketch.root:
                    sketch.root = counts[0].target.table
        elif counts and not self._fixed:
            plain = [item for item in sketch.items if not item.aggregate]
            if plain and len(sketch.items) > 1:
                sketch.group = [item.target for item in plain]
                keys = graph.key(plain[0].target.table)
                if plain[0].target.table != counts[0].target.table and keys:
                    sketch.group = [Target(plain[0].target.table, key) for key in keys] + sketch.group
            elif counts[0].target.table != sketch.root:
                sketch.root = counts[0].target.table
        self._gather_absent()
        popular = [one for one in sketch.conditions if isinstance(one, Most) and one.table == sketch.root]
        if popular and not sketch.group:
            sketch.group = [item.target for item in sketch.items if not item.aggregate] or []
            if not sketch.group:
                sketch.conditions = [one for one in sketch.conditions if one not in popular]
        times = [one for one in sketch.conditions if isinstance(one, Times) and one.table == sketch.root]
        if times and not sketch.group:
            sketch.group = [item.target for item in sketch.items if not item.aggregate]
        yes_no = self._words[0] in english().words("asking.yes_no") and not sketch.items
        sketch.yes_no = yes_no and self._boolean
        if sketch.order is not None and not sketch.limit:
            sketch.limit = 0

    def _gather_absent(self) -> None:
        """What is said of rows that are not there is said of the same rows: “no women at level 20”."""
        sketch = self._sketch
        for one in list(sketch.conditions):
            denied = isinstance(one, Compare) and one.negated and one.target.table != sketch.root
            path = self._graph.path(sketch.root, one.target.table) if denied and isinstance(one, Compare) else None
            if path is None or not path[1] or not isinstance(one, Compare):
                continue
            mates = [c for c in sketch.conditions if isinstance(c, Compare) and c.target.table == one.target.table]
            sketch.conditions = [c for c in sketch.conditions if c not in mates]
            sketch.conditions.append(Absent(one.target.table, tuple(replace(c, negated=False) for c in mates)))


def _tables_in(one: Condition) -> set[str]:
    if isinstance(one, Compare | Average | Extreme):
        return {one.target.table}
    return {one.item.target.table} if isinstance(one, Ranked) else {one.table}
