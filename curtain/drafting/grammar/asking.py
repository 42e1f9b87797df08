"""What a query asks to see: the table it is about, columns, counts and other aggregates, groups, order."""

from __future__ import annotations

from dataclasses import replace

from ..algebra.query import Constant
from ..language.english import english
from .conditions import Conditions
from .graph import Target
from .mentions import Line, Mention
from .sketch import Absent, Average, Compare, Condition, Extreme, Most, Present, Ranked, Shown, Sketch, Times

__all__ = ["sketched"]

_AGGREGATES = {"average": "avg", "total": "sum", "maximum": "max", "minimum": "min"}


def sketched(line: Line, flips: dict[str, int], included: bool, boolean: bool, root: str = "") -> Sketch | None:
    """What the query asks for; `flips` chooses other meanings than the likeliest, `included` says whether the ends of
    periods belong to them, `boolean` how yes/no questions are answered. None if nothing in it is understood."""
    return _Asking(line, flips, included, boolean, root).sketch()


class _Asking:
    """One reading of one query."""

    def __init__(self, line: Line, flips: dict[str, int], included: bool, boolean: bool, root: str) -> None:
        self._line, self._flips, self._boolean, self._fixed = line, flips, boolean, root
        self._words, self._graph = line.words, line.graph
        self._sketch = Sketch()
        self._conditions = Conditions(line, self._sketch, flips, included)

    def sketch(self) -> Sketch | None:
        sketch = self._sketch
        sketch.root = self._fixed or self._root()
        if not sketch.root:
            return None
        self._end = self._end_of_asking()
        self._grouped()
        self._ordered()
        self._aggregates()
        self._counted()
        self._conditions.find()
        self._listed()
        self._implied()
        self._averaged()
        self._present()
        self._settle()
        return sketch

    # -- what it is about ----------------------------------------------------------------------------------

    def _root(self) -> str:
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

    def _end_of_asking(self) -> int:
        """Where the words end that say what to show."""
        relative = english().words("asking.relative")
        for at in range(2, len(self._words)):
            if self._words[at] in relative and self._words[at + 1 : at + 2] not in (["their"], ["its"]):
                return at
        return len(self._words)

    def _claim(self, first: int, last: int) -> None:
        self._conditions.claim(first, last)

    def _free(self, one: Mention) -> bool:
        return self._conditions.claimed.isdisjoint(range(one.first, one.last))

    # -- groups and order ----------------------------------------------------------------------------------

    def _grouped(self) -> None:
        for at in range(len(self._words)):
            size = english().phrase_at("asking.each", self._words, at) or self._by_group(at)
            mention = self._line.next_mention(at + size) if size else None
            if mention is None or not self._free(mention):
                continue
            target = self._group_target(mention)
            if target is not None:
                self._sketch.group.append(target)
                self._claim(at, mention.last)
                return

    def _by_group(self, at: int) -> int:
        """“Average price by city”: one word, if an aggregate or a count stands before."""
        if self._words[at] != "by":
            return 0
        return int(
            any(self._aggregate_at(n)[0] or english().phrase_at("asking.count", self._words, n) for n in range(at))
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

    def _ordered(self) -> None:
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
                self._claim(at, mention.last)
        if self._sketch.order is None and self._words[-1] == "first":
            self._listed_by(descending)
        for name in ("descending", "ascending"):
            for at in range(len(self._words)):
                size = english().phrase_at(f"asking.{name}", self._words, at)
                self._claim(at, at + size)

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
                self._claim(at, len(self._words))
                return

    # -- what to show --------------------------------------------------------------------------------------

    def _aggregates(self) -> None:
        """“The average and maximum age”, “total price”, “the highest salary”."""
        at = 0
        while at < len(self._words):
            kinds, last = self._aggregates_at(at)
            mention = self._line.next_mention(last) if kinds else None
            if mention is None or at in self._conditions.claimed or self._compares(at):
                at += 1
                continue
            columns = [c for c in mention.columns if self._graph.kind(c) in ("number", "date", "time")]
            target = self._conditions.best([c for c in columns if not self._graph.is_key(c)], mention)
            if target is None:
                at += 1
                continue
            dated = self._graph.kind(target) == "date"
            self._sketch.items += [Shown(target, "avg years" if dated and kind == "avg" else kind) for kind in kinds]
            self._claim(at, mention.last)
            at = self._further(mention.last, kinds)

    def _further(self, at: int, kinds: list[str]) -> int:
        """“The average age and height”: further columns of one aggregate."""
        while self._words[at : at + 1] == ["and"]:
            mention = self._line.mention_at(at + 1)
            fits = [c for c in mention.columns if self._graph.is_measure(c)] if mention else []
            target = self._conditions.best(fits, mention) if mention and len(kinds) == 1 else None
            if target is None or mention is None:
                return at
            self._sketch.items.append(Shown(target, kinds[0]))
            self._claim(at, mention.last)
            at = mention.last
        return at

    def _aggregates_at(self, at: int) -> tuple[list[str], int]:
        kinds: list[str] = []
        last = at
        while last < len(self._words):
            kind, size = self._aggregate_at(last)
            if not kind:
                break
            kinds.append(kind)
            last += size
            joined = last
            while joined < len(self._words) and self._words[joined] in ("and", "the", "as", "well"):
                joined += 1
            if joined > last and self._aggregate_at(joined)[0]:
                last = joined
        return kinds, last

    def _aggregate_at(self, at: int) -> tuple[str, int]:
        if at >= len(self._words) or english().phrase_at("asking.count", self._words, at) or self._is_column(at):
            return "", 0
        for name, kind in _AGGREGATES.items():
            size = english().phrase_at(f"asking.{name}", self._words, at)
            if size:
                if kind in ("max", "min") and self._has_thing(at):
                    return "", 0
                return kind, size
        sup = english().superlative(self._words, at)
        if sup and sup[0] == 1 and (not sup[2] or sup[2] in english().generic) and not self._has_thing(at):
            mention = self._line.next_mention(at + 1, frozenset())
            columns = [c for c in mention.columns if self._graph.is_measure(c)] if mention else []
            if (
                mention
                and columns
                and not mention.tables
                and self._words[0] in ("what", "whats", "show", "find", "give", "tell")
            ):
                return ("max" if sup[1] > 0 else "min"), 1
        return "", 0

    def _is_column(self, at: int) -> bool:
        """Whether a word such as “total” is the name of a column of amounts here."""
        one = self._line.mention_at(at)
        columns = [c for c in one.columns if one.targets[c] >= 0.9 and self._graph.is_measure(c)] if one else []
        behind = self._line.next_mention(at + 1)
        other = behind is not None and any(
            self._graph.is_measure(c) and behind.targets[c] >= 0.6 for c in behind.columns
        )
        return bool(columns) and not other

    def _has_thing(self, at: int) -> bool:
        """Whether a thing or a column was named before, so that the most or least is a condition on it."""
        return any(one.last <= at and self._free(one) for one in self._line.mentions)

    def _compares(self, at: int) -> bool:
        """Whether an average is only compared with."""
        bound = english().bound_before(self._words, at)
        return bound is not None and not bound.weak

    def _counted(self) -> None:
        for at in range(len(self._words)):
            if at in self._conditions.claimed:
                continue
            size = english().phrase_at("asking.count", self._words, at)
            if not size or english().superlative(self._words, at - 1) if at else not size:
                continue
            last, distinct = at + size, False
            while last < len(self._words) and (
                self._words[last] in ("of", "the", "total", "all")
                or english().phrase_at("asking.distinct", self._words, last)
            ):
                distinct = distinct or bool(english().phrase_at("asking.distinct", self._words, last))
                last += 1
            mention = self._line.next_mention(last) or self._behind_value(last)
            if mention is None or not self._free(mention):
                if at <= 3 and not self._sketch.items:
                    self._sketch.items.append(Shown(Target(self._sketch.root), "count"))
                    self._claim(at, at + size)
                continue
            total = "total" in self._words[at:last]
            self._count(at, at + size, mention, distinct, total)

    def _behind_value(self, at: int) -> Mention | None:
        """The name behind a value: “how many red bikes”."""
        while at < len(self._words) and (at in self._line.value_at or self._words[at] in ("or", "and", "not", "non")):
            at += 1
        return self._line.next_mention(at)

    def _count(self, at: int, last: int, mention: Mention, distinct: bool, total: bool) -> None:
        tables = [t.table for t in mention.tables if mention.targets[t] >= 0.5]
        columns = [c for c in mention.columns if mention.targets[c] >= 0.6 and not self._graph.is_key(c)]
        column = self._conditions.best(columns, mention)
        if column is not None and (not tables or (distinct and column.table == self._sketch.root)):
            measure = self._graph.is_measure(column) and not distinct
            item = Shown(column, "sum" if total else "") if measure else Shown(column, "distinct")
        elif tables:
            item = Shown(Target(tables[0]), "count")
        else:
            return
        self._sketch.items.append(item)
        self._claim(at, last)
        self._claim(mention.first, mention.last)

    def _listed(self) -> None:
        """The columns that are named among what to show."""
        sketch = self._sketch
        start = 0
        for one in self._line.mentions:
            if one.first >= self._end or not self._free(one):
                continue
            columns = [c for c in one.columns if one.targets[c] >= 0.4]
            column = self._conditions.best(columns, one)
            table = next((t.table for t in one.tables), "")
            if table == sketch.root and (column is None or one.targets[Target(table)] >= one.targets[column]):
                self._claim(one.first, one.last)
                continue
            if column is None:
                continue
            thing = self._referred(column, one)
            if thing and not self._graph.curated:
                if self._free_of_value(one):
                    sketch.items += [Shown(Target(thing, name)) for name in self._graph.shown(thing)]
                    self._claim(one.first, one.last)
                continue
            if column.table == sketch.root and self._is_true(one, column):
                sketch.conditions.append(Compare(column, "eq", (Constant("1", False),)))
                self._claim(one.first, one.last)
                continue
            had = self._words[max(0, one.first - 2) : one.first]
            if (
                had[-1:] in (["a"], ["an"], ["any"])
                and had[0] in ("have", "has", "had", "with")
                and column.table == sketch.root
            ):
                sketch.conditions.append(Compare(column, "null", negated=True))
                self._claim(one.first, one.last)
                continue
            if table and column.table != sketch.root and one.targets[Target(table)] > one.targets[column]:
                continue
            if self._is_verb(one, column):
                continue
            lasting = self._words[:2] == ["how", "long"] or self._words[:3] == ["how", "many", "years"]
            if lasting and self._graph.kind(column) == "date" and not sketch.items:
                sketch.items.append(Shown(column, "years"))
                self._claim(one.first, one.last)
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
            self._claim(one.first, one.last)
            start = one.last
        del start

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
                self._claim(at, at + 2)

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
            self._claim(one.first, one.last)
        return not asks

    def _implied(self) -> None:
        """What “when”, “where” and “how old” ask for without naming it."""
        sketch, words = self._sketch, self._words
        if sketch.items or not words:
            return
        if words[0] == "how" and len(words) > 1 and english().adjective(words[1]):
            measured = self._conditions._by_adjective((english().adjective(words[1]) or ("", 0))[0])
            if measured:
                dated = self._graph.kind(measured[0]) == "date"
                sketch.items.append(Shown(measured[0], "years" if dated else ""))
                self._claim(0, 2)
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
            if not self._free(one):
                continue
            if any(t.table in used for t in one.tables):
                self._claim(one.first, one.last)
            elif tables and self._graph.path(sketch.root, tables[0]) is not None:
                before = self._words[max(0, one.first - 1) : one.first]
                if one.first < self._end and before and before[0] in ("and", "their", "its") and sketch.items:
                    sketch.items += [Shown(Target(tables[0], name)) for name in self._graph.shown(tables[0])]
                else:
                    sketch.conditions.append(Present(tables[0]))
                used.add(tables[0])
                self._claim(one.first, one.last)

    # -- the whole -----------------------------------------------------------------------------------------

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
