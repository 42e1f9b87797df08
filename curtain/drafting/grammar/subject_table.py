"""What a query is about, how its answer is grouped, and in which order it comes."""

from __future__ import annotations

from ..language.english import english
from .aggregates import Aggregates
from .graph import Target
from .mentions import Mention
from .sketch import Shown


class AskedTable(Aggregates):
    """The table that a query asks about, its groups and its order."""

    def find_root(self) -> str:
        """The likeliest table, or the next one if `flips` says so; empty without one."""
        options = self._options()
        place = self._flips.get("root", 0)
        return options[place] if place < len(options) else ""

    def _options(self) -> list[str]:
        tables = [(self._weight(one, table), one.first, table) for one in self._line.mentions for table in one.tables]
        tables.sort(key=lambda option: -option[0])
        options = list(dict.fromkeys(table for _, _, table in tables))
        valued = [table for table in self._valued() if table in self._graph.pack.tables]
        if tables and tables[0][0] < 0.3:
            options = list(dict.fromkeys([*valued, *options]))
        if "who" in self._words[:2] or {"anybody", "anyone", "people", "person"} & set(self._words[:6]):
            # Those first of which something is said.
            named = [target.table for one in self._line.mentions for target in one.targets]
            people = sorted(self._graph.people, key=lambda table: -2 * (table in valued) - named.count(table))
            doubtful = not options or tables[0][1] > 3 or tables[0][0] < 0.5
            options = [*people, *options] if doubtful else [*options, *people]
        named = [c.table for one in self._line.mentions for c in one.columns]
        return options or list(dict.fromkeys(named or valued))

    def _weight(self, one: Mention, table: str) -> float:
        """How likely a name says what is asked about."""
        weight, before = one.targets[Target(table)], one.first - 1
        columns = max((one.targets[c] for c in one.columns), default=0.0)
        if self._words[one.first] in english().words("verbs.words"):
            weight -= 0.8
        if one.first == 1 and self._words[0] == "who":
            weight += 0.5
        if set(self._words[max(0, one.first - 2) : one.first]) & english().words("asking.no_subject_behind"):
            weight -= 0.8
        if before in self._line.value_at and self._line.values[self._line.value_at[before]].is_measure:
            weight -= 0.5
        beside = {self._line.value_at[place] for place in (before, one.last) if place in self._line.value_at}
        if any(_table_of(form) == table for number in beside for form in self._forms(number)):
            weight -= 0.6
        return weight - (0.3 if columns >= weight else 0.0) - 0.02 * one.first

    def _valued(self) -> list[str]:
        """The tables of the likeliest meanings of all values."""
        return [_table_of(form) for one in self._line.values.values() for form in one.meanings[0].forms]

    def _forms(self, number: int) -> list[str]:
        return [form for meaning in self._line.values[number].meanings for form in meaning.forms]

    def end_of_asking(self) -> int:
        """Where the words end that say what to show."""
        relative = english().words("asking.relative")
        for at in range(2, len(self._words)):
            if self._words[at] in relative and self._line.text(at + 1) not in ("their", "its"):
                return at
        return len(self._words)

    def read_groups(self) -> None:
        """“For each city”; also “average price by city”."""
        for at in range(len(self._words)):
            size = self._line.phrase("asking.each", at) or self._by_group(at)
            mention = self._line.next_mention(at + size) if size else None
            target = self._group_target(mention) if mention and self.free(mention) else None
            if mention and target:
                self._sketch.group.append(target)
                self.claim(at, mention.last)
                return

    def _by_group(self, at: int) -> int:
        """One word, if an aggregate or a count stands before."""
        behind = self._words[at] == "by"
        return int(behind and any(self.aggregate_at(n)[0] or self._line.phrase("asking.count", n) for n in range(at)))

    def _group_target(self, mention: Mention) -> Target | None:
        root, table = self._sketch.root, mention.table
        column = self.best([target for target in mention.columns if mention.targets[target] >= 0.5], mention)
        other = table not in ("", root) and (column is None or column.table != root or self._graph.is_key(column))
        return Target(table) if table and (other or column is None) else column

    def read_order(self) -> None:
        """“Ordered by price”; also “by price, most expensive first”."""
        descending = english().has("asking.descending", self._words)
        listed = self._words[-1] == "first"
        for at, word in enumerate(self._words):
            size = self._line.phrase("asking.order", at) or int(listed and word == "by")
            if not size:
                continue
            last = at + size + (self._line.text(at + size) == "the")
            count = self._line.phrase("asking.count", last) or self._line.phrase("asking.count", at + size)
            mention = self._line.next_mention(last + count)
            target = self.best(mention.columns, mention) if mention else None
            shown = Shown(target) if target else None
            if mention and count and mention.table:
                shown = Shown(Target(mention.table), "count")
            if mention and shown:
                down = descending or "descending" in self._words[at : at + 4] or (listed and self._falls(shown.target))
                self._sketch.order = shown, down
                self.claim(at, len(self._words) if listed else mention.last)
        for name in ("asking.descending", "asking.ascending"):
            for at in range(len(self._words)):
                self.claim(at, at + self._line.phrase(name, at))

    def _falls(self, target: Target) -> bool:
        """Whether the greatest of a column come first: “most expensive first”, “youngest first”."""
        places = range(max(0, len(self._words) - 3), len(self._words) - 1)
        found = (sup for at in places if (sup := english().superlative(self._words, at)))
        _, sign, adjective = next(found, (0, -1, ""))
        measured = self._graph.measured(target.table, adjective)
        return (measured[1] if measured and measured[0] == target.column else sign) > 0


def _table_of(form: str) -> str:
    return form.lstrip("%").split(".")[0]
