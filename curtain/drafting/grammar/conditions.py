"""The conditions in a query: values, numbers with comparisons, the most and the least, what is denied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from curtain.domain.pack.names import split_name

from ..algebra.query import Constant
from ..language.english import Bound, english
from ..language.english import stem as lemma_of
from ..language.recognise import Found
from .graph import Graph, Target
from .mentions import Line, Mention
from .sketch import Absent, Average, Compare, Extreme, Most, Ranked, Shown, Sketch, Times

__all__ = ["Conditions"]

_NEAR_BEFORE, _NEAR_BEHIND = 7, 3


class Conditions:
    """Finds the conditions of one query and puts them into a sketch. `flips` chooses other meanings of values."""

    def __init__(self, line: Line, sketch: Sketch, flips: dict[str, int], included: bool) -> None:
        self._line, self._sketch, self._flips = line, sketch, flips
        self._graph: Graph = line.graph
        self._words = line.words
        self._included = included
        self.claimed: set[int] = set()

    def find(self) -> None:
        """All of them."""
        self._averages()
        self._superlatives()
        self._numbers()
        self._values()
        self._denied()

    def claim(self, first: int, last: int) -> None:
        """These words are explained."""
        self.claimed.update(range(first, last))
        self._sketch.words.update(range(first, last))

    # -- which column is meant -----------------------------------------------------------------------------

    def best(self, targets: Sequence[Target], weights: Mention, kinds: tuple[str, ...] = ()) -> Target | None:
        """The likeliest of several columns: one of the root, or near it, of the right kind."""
        root = self._sketch.root
        near = set(self._graph.neighbours(root)) if root else set()

        def rank(target: Target) -> float:
            score = weights.targets[target] + (0.6 if target.table == root else 0.3 if target.table in near else 0.0)
            path = self._graph.path(root, target.table) if root and target.table not in (root, *near) else None
            if root and target.table not in (root, *near) and path is None:
                score -= 2.0
            return score

        fits = [one for one in targets if not kinds or self._graph.kind(one) in kinds]
        return max(fits, key=rank, default=None)

    def _column_near(self, found: Found, kinds: tuple[str, ...], bound: Bound | None) -> Target | None:
        """The column that a number is compared with, by the names around it."""
        first, last = (
            (min(bound.first, found.first), max(bound.last, found.last)) if bound else (found.first, found.last)
        )
        behind = [one for one in self._line.mentions if last <= one.first < last + _NEAR_BEHIND]
        before = [one for one in self._line.mentions if first - _NEAR_BEFORE <= one.first and one.last <= first]
        cut = max((place for place in range(first) if place in self._line.value_at), default=-1)
        before = [one for one in before if one.first > cut]
        years = found.form("#new year") and (bound is None or bound.weak)
        for one in (*behind[:1], *reversed(before)):
            if self.claimed.isdisjoint(range(one.first, one.last)) or one in behind[:1]:
                columns = [
                    target for target in one.columns if not self._graph.is_key(target) or one.targets[target] >= 1
                ]
                if years:
                    columns = [c for c in columns if "year" in c.column or self._graph.kind(c) == "date"]
                target = self.best(columns, one, kinds)
                if (
                    one in behind[:1]
                    and target is not None
                    and any(w in ("and", "or") for w in self._words[last : one.first])
                ):
                    continue
                if target is not None:
                    self.claim(one.first, one.last)
                    return target
        return None

    def _by_adjective(self, adjective: str) -> tuple[Target, int] | None:
        for table in (self._sketch.root, *self._graph.neighbours(self._sketch.root)):
            measured = self._graph.measured(table, adjective)
            if measured:
                return Target(table, measured[0]), measured[1]
        return None

    def _by_unit(self, at: int) -> Target | None:
        """The column that holds amounts of the unit at this place."""
        stems = english().units.get(self._words[at], ()) if at < len(self._words) else ()
        root = self._sketch.root
        for table in (root, *self._graph.neighbours(root)):
            for stem in stems:
                for column in self._graph.pack.tables[table]:
                    target = Target(table, column)
                    if stem in column.lower() and self._graph.is_measure(target):
                        return target
        return None

    # -- numbers, times and dates --------------------------------------------------------------------------

    def _numbers(self) -> None:
        measures = list(self._line.measures())
        skip: set[int] = set()
        for place, (number, one) in enumerate(measures):
            if number in skip or not self.claimed.isdisjoint(range(one.first, one.last)):
                continue
            pair = measures[place + 1] if place + 1 < len(measures) else None
            if pair and self._is_range(one, pair[1]) and self._compare(number, one, pair):
                skip.add(pair[0])
            else:
                self._compare(number, one, None)

    def _is_range(self, one: Found, other: Found) -> bool:
        between = self._words[one.last : other.first]
        before = self._words[one.first - 1] if one.first else ""
        return between in (["and"], ["to"], ["through"]) and (before in ("between", "from") or between != ["and"])

    def _compare(self, number: int, one: Found, pair: tuple[int, Found] | None) -> bool:
        bound = (
            None
            if pair
            else english().bound_before(self._words, one.first) or english().bound_after(self._words, one.last)
        )
        named = next((m for m in self._line.mentions if m.last == one.first and m.columns), None)
        if named is not None and pair is None and (bound is None or bound.weak):
            # “Over level 20”: the comparison stands before the name.
            over = english().bound_before(self._words, named.first)
            bound = Bound(over.first, one.first, over.op, over.adjective, False) if over and not over.weak else bound
        last = bound.last if bound and bound.last > one.last else one.last
        if pair is None and self._counts(number, one, bound, last):
            return True
        kinds = _kinds_of(one)
        target, op = None, bound.op if bound else "eq"
        if bound and bound.weak and one.form("#new year"):
            op = "eq"
        if bound and bound.adjective:
            measured = self._by_adjective(bound.adjective)
            if measured:
                target = measured[0]
                op = _turned(op) if measured[1] < 0 else op
        end = pair[1].last if pair else one.last
        target = target or self._by_unit(end) or self._column_near(one, kinds, bound) or self._only(kinds, one)
        if target is None:
            return False
        for mention in self._line.mentions:
            if 0 <= one.first - mention.last <= 4 and target in mention.targets:
                self.claim(mention.first, mention.last)
        compare = self._as_compare(target, op, one, pair[1] if pair else None)
        if compare is None:
            return False
        if compare.measure == "years" and bound and bound.adjective:
            compare = replace(
                compare, op=bound.op if bound.adjective in ("old", "long", "senior") else _turned(bound.op)
            )
        if self._denial(bound.first if bound else one.first):
            compare = replace(compare, negated=True)
        self._sketch.conditions.append(compare)
        first = min(bound.first, one.first) if bound else one.first - (1 if pair else 0)
        self.claim(first, pair[1].last if pair else last)
        if end < len(self._words) and self._words[end] in english().units:
            self.claim(end, end + 1)
        self._sketch.values.update({number} | ({pair[0]} if pair else set()))
        return True

    def _counts(self, number: int, one: Found, bound: Bound | None, last: int) -> bool:
        """Whether a number counts rows: “more than 3 rentals”, “at least two dogs”."""
        mention = self._line.next_mention(last)
        if one.form("#number") is None or mention is None or not mention.tables:
            return False
        table = mention.tables[0].table
        column = self.best(mention.columns, mention, ("number",)) if mention.columns else None
        if (
            column is not None
            and mention.targets[column] >= mention.targets[mention.tables[0]]
            and not self._graph.is_key(column)
        ):
            return False
        before = self._words[one.first - 1] if one.first else ""
        if bound is None and before in ("top", "first", "last"):
            return False
        if bound is None and (self._sketch.root == table or one.weak):
            return False
        if table == self._sketch.root and not self._sketch.group and not (bound and not bound.weak):
            return False
        op = bound.op if bound and not bound.weak else "eq"
        self._sketch.conditions.append(Times(table, op, Constant(one.form("#number") or "0", False)))
        self.claim(bound.first if bound else one.first, mention.last)
        self._sketch.values.add(number)
        return True

    def _only(self, kinds: tuple[str, ...], one: Found) -> Target | None:
        """The column of the root that alone can be meant: of dates, of years, of amounts."""
        root = self._sketch.root
        columns = [Target(root, column) for column in self._graph.pack.tables.get(root, ())]
        if one.form("#new year") or one.kind in ("date", "month"):
            dated = [c for c in columns if self._graph.kind(c) == "date" or "year" in c.column]
            if dated:
                return dated[0]
        before = self._line.mention_at(one.first - 1) if one.first else None
        named = [c for c in before.columns if c.table == root] if before else []
        if named:
            return named[0]
        if before and before.tables and before.tables[0].table == root and len(self._graph.key(root)) == 1:
            return Target(root, self._graph.key(root)[0])
        fits = [c for c in columns if self._graph.kind(c) in kinds and self._graph.is_measure(c)]
        if one.kind in ("time", "period"):
            timed = [c for c in columns if "time" in c.column and self._graph.kind(c) in ("number", "time")]
            return timed[0] if timed else None
        priced = [c for c in fits if any(stem in c.column for stem in english().units["dollars"])]
        return fits[0] if len(fits) == 1 else priced[0] if priced else None

    def _as_compare(self, target: Target, op: str, one: Found, other: Found | None) -> Compare | None:
        kind = self._graph.kind(target)
        prefer = self._line.prefers(one.first)
        if kind == "date":
            return _dated(target, op, one, other, self._words[one.last : one.last + 1])
        if one.form("#begin") and "time" in target.column:
            ends = tuple(Constant(one.form(name) or "", False) for name in ("#begin", "#end"))
            return Compare(target, "between" if self._included else "within", ends, prefer=prefer)
        if one.form("#begin") and kind == "time":
            clocks = tuple(Constant(f"{int(one.form(name) or 0) // 100:02d}:00", True) for name in ("#begin", "#end"))
            return Compare(target, "between" if self._included else "within", clocks, prefer=prefer)
        if kind == "time":
            clock = one.form("#clock")
            return Compare(target, op, (Constant(clock, True),), prefer=prefer) if clock else None
        forms = ["#time", "#number"] if "time" in target.column else ["#year", "#number", "#age"]
        if other is not None:
            texts = [next((form for name in forms if (form := each.form(name))), None) for each in (one, other)]
            return (
                None
                if None in texts
                else Compare(target, "between", tuple(Constant(str(t), kind == "text") for t in texts))
            )
        text = next((form for name in forms if (form := one.form(name))), None)
        if text is None:
            return None
        text = self._in_its_unit(text, one.last, target)
        return Compare(target, op, (Constant(text, kind == "text"),), prefer=prefer)

    def _in_its_unit(self, text: str, at: int, target: Target) -> str:
        """A number said in hours or minutes as the column holds it: minutes, seconds or milliseconds."""
        unit = self._words[at] if at < len(self._words) else ""
        seconds = (
            3600 if unit in english().words("clock.hours") else 60 if unit in english().words("clock.minutes") else 0
        )
        held = {"minute": 60.0, "second": 1.0, "millisecond": 0.001, "elapsed": 60.0}
        per = next((size for stem, size in held.items() if stem in map(lemma_of, split_name(target.column))), 0.0)
        if not seconds or not per or not text.replace(".", "", 1).isdigit():
            return text
        return f"{float(text) * seconds / per:.10g}"

    # -- values --------------------------------------------------------------------------------------------

    def _values(self) -> None:
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
            return Compare(target, "true", negated=text == "false" or self._denial(one.first))
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
        denied = self._denial(one.first)
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

    def _denial(self, at: int) -> bool:
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

    # -- the most and the least ----------------------------------------------------------------------------

    def _averages(self) -> None:
        """“Above the average price”, “heavier than average”."""
        for at, word in enumerate(self._words):
            if word not in ("average", "mean"):
                continue
            bound = english().bound_before(self._words, at)
            if bound is None or bound.op not in ("gt", "lt", "gte", "lte") or bound.weak:
                continue
            mention = self._line.next_mention(at + 1)
            target = self.best(mention.columns, mention, ("number",)) if mention else None
            op = bound.op
            measured = self._by_adjective(bound.adjective) if bound.adjective else None
            if measured and (target is None or target == measured[0]):
                target, op = measured[0], _turned(op) if measured[1] < 0 else op
            before = [one for one in self._line.mentions if bound.first - 4 <= one.first and one.last <= bound.first]
            for one in reversed(before):
                target = target or self.best([c for c in one.columns if self._graph.is_measure(c)], one)
            if target is not None:
                self._sketch.conditions.append(Average(target, op))
                for one in before[-1:]:
                    if target in one.targets:
                        self.claim(one.first, one.last)
                self.claim(bound.first, mention.last if mention and target in mention.targets else at + 1)

    def _superlatives(self) -> None:
        at = 0
        while at < len(self._words):
            sup = english().superlative(self._words, at) or self._last(at)
            if sup is None or (at in self._line.value_at and not self._line._weak(at)) or at in self.claimed:
                at += 1
                continue
            size, sign, adjective = sup
            self._superlative(at, size, sign, adjective)
            at += size

    def _last(self, at: int) -> tuple[int, int, str] | None:
        """“Hired last”, “leaves first”: the greatest or least of what was named before."""
        sign = {"last": 1, "first": -1, "latest": 1, "earliest": -1}.get(self._words[at], 0)
        before = next((one for one in self._line.mentions if one.last == at), None)
        dated = before is not None and any(
            self._graph.kind(c) in ("date", "time") or "time" in c.column for c in before.columns
        )
        return (1, sign, "") if sign and dated else None

    def _superlative(self, at: int, size: int, sign: int, adjective: str) -> None:
        limit, last = self._limit(at, at + size)
        words = self._words[last : last + 1]
        if words and words[0] in english().words("popular.words"):
            self._popular(at, last, sign, limit)
            return
        if words == ["number"] and self._words[last + 1 : last + 2] == ["of"]:
            last += 2
        aggregate = {"average": "avg", "mean": "avg", "total": "sum"}.get(words[0] if words else "")
        mention = self._line.next_mention(last + (1 if aggregate else 0), frozenset({"of", "the", "total", "number"}))
        if (
            aggregate
            and mention
            and (column := self.best([c for c in mention.columns if self._graph.is_measure(c)], mention))
        ):
            self._sketch.conditions.append(Ranked(Shown(column, aggregate), sign, limit))
            self.claim(at, mention.last)
            return
        specific = bool(adjective) and adjective not in english().generic
        if mention is not None and not specific:
            columns = [c for c in mention.columns if self._graph.kind(c) in ("number", "date", "time")]
            column = self.best(
                [c for c in columns if self._graph.is_measure(c) or self._graph.kind(c) != "number"], mention
            )
            table = next((t.table for t in mention.tables), "")
            if column is not None and not (table and mention.targets[Target(table)] >= mention.targets[column]):
                self._add_extreme(column, sign, limit, at, mention.last)
                return
            if table and table != self._sketch.root and not (adjective and self._graph.measured(table, adjective)):
                self._sketch.conditions.append(Most(table, sign, limit))
                self.claim(at, mention.last)
                return
        tables = [mention.tables[0].table] if mention and mention.tables else []
        for table in (*tables, self._sketch.root):
            measured = self._graph.measured(table, adjective) if adjective and table else None
            if measured:
                self._add_extreme(Target(table, measured[0]), measured[1], limit, at, last)
                return
        if not adjective and (mention is None or not mention.columns):
            before = [one for one in self._line.mentions if at - 4 <= one.first and one.last <= at]
            for one in reversed(before):
                column = self.best([c for c in one.columns if self._is_amount(c)], one)
                if column is not None:
                    self._add_extreme(column, sign, limit, one.first, last)
                    return
        measured_near = self._by_adjective(adjective) if adjective and self._sketch.root else None
        if measured_near:
            self._add_extreme(measured_near[0], measured_near[1], limit, at, last)

    def _is_amount(self, target: Target) -> bool:
        kind = self._graph.kind(target)
        return kind in ("date", "time") or self._graph.is_measure(target)

    def _popular(self, at: int, last: int, sign: int, limit: int) -> None:
        behind = self._line.next_mention(last + 1, frozenset({"among", "of", "in", "the", "all", "for"}))
        table = next((t.table for t in behind.tables), "") if behind else ""
        self._sketch.conditions.append(Most(table or self._sketch.root, sign, limit))
        self.claim(at, behind.last if behind and table else last + 1)

    def _add_extreme(self, target: Target, sign: int, limit: int, first: int, last: int) -> None:
        self._sketch.conditions.append(Extreme(target, sign, limit))
        self.claim(first, last)

    def _limit(self, at: int, last: int) -> tuple[int, int]:
        """How many are asked for beside a superlative: “the 3 cheapest”, “top five”; and where the words end."""
        for place, behind in ((at - 1, False), (last, True)):
            number = self._line.value_at.get(place)
            text = self._line.values[number].form("#number") if number is not None else None
            if text and text.isdigit() and 0 < int(text) <= 100:
                self._sketch.values.add(number or 0)
                one = self._line.values[number or 0]
                self.claim(one.first, one.last)
                return int(text), one.last if behind else last
        return self._counted_before(at), last

    def _counted_before(self, at: int) -> int:
        """“The five students with the highest grade”: how many are asked for before a superlative."""
        for number, one in self._line.values.items():
            mention = self._line.mention_at(one.last)
            text = one.form("#number")
            about = mention is not None and any(t.table == self._sketch.root for t in mention.tables)
            if about and text and text.isdigit() and one.last < at and one.first <= 2 and 1 < int(text) <= 100:
                self._sketch.values.add(number)
                self.claim(one.first, one.last)
                return int(text)
        return 1

    # -- what is not there ---------------------------------------------------------------------------------

    def _denied(self) -> None:
        """“Shops without bikes”, “customers who have no email”, “bikes that were never rented”."""
        at = 0
        while at < len(self._words):
            size = 0 if at in self.claimed else english().phrase_at("asking.none", self._words, at)
            if size == 0 and at not in self.claimed and english().negated(self._words, at):
                size = 1
            if size:
                self._deny(at, at + size)
            at += size or 1

    def _deny(self, at: int, last: int) -> None:
        passed = frozenset({"any", "a", "an", "the", "have", "been", "had", "yet", "some", "in", "to", "for", "by"})
        mention = self._line.next_mention(last, passed | {"made", "placed", "bought", "got", "participate", "belong"})
        if mention is None:
            return
        root = self._sketch.root
        own = [
            target for target in mention.columns if target.table == root and target.column not in self._graph.key(root)
        ]
        tables = [target.table for target in mention.tables if target.table != root]
        others = [
            target.table
            for target in mention.columns
            if target.table != root and target.table in set(self._graph.neighbours(root))
        ]
        if tables:
            self._sketch.conditions.append(Absent(tables[0], tuple(self._inside(mention, tables[0]))))
        elif own and self._graph.is_measure(own[0]):
            self._sketch.conditions.append(Compare(own[0], "eq", (Constant("0", False),)))
        elif own:
            self._sketch.conditions.append(Compare(own[0], "null"))
        elif others:
            self._sketch.conditions.append(Absent(others[0]))
        else:
            return
        self.claim(at, mention.last)

    def _inside(self, mention: Mention, table: str) -> Iterator[Compare]:
        """The conditions that are said of the rows that are not there."""
        for one in list(self._sketch.conditions):
            if isinstance(one, Compare) and one.target.table == table:
                self._sketch.conditions.remove(one)
                yield Compare(one.target, one.op, one.literals, False, one.prefer)


def _kinds_of(one: Found) -> tuple[str, ...]:
    if one.kind in ("date", "month", "decade", "relative day"):
        return ("date", "number") if one.form("#year") else ("date",)
    if one.kind in ("time", "period"):
        return ("number", "time") if one.form("#number") is None else ("number", "time", "date")
    if one.form("#new year"):
        return ("number", "date")
    return ("number", "date") if one.form("#number") else ("number",)


def _turned(op: str) -> str:
    return {"gt": "lt", "lt": "gt", "gte": "lte", "lte": "gte"}[op]


def _dated(target: Target, op: str, one: Found, other: Found | None, behind: Sequence[str]) -> Compare | None:
    """A comparison with a date; a year, a month or a decade is all its days."""
    day, first, last = one.form("#date"), one.form("#new year"), one.form("#last of year")
    if other is not None:
        ends = (day or first, other.form("#date") or other.form("#last of year"))
        return Compare(target, "between", tuple(Constant(str(e), True) for e in ends)) if all(ends) else None
    if day and one.form("#year"):
        return Compare(target, op, (Constant(day, True),))
    number, month = one.form("#number"), one.form("#month")
    if month and not one.form("#year") and not day:
        return Compare(target, op, (Constant(month, False),), measure="month")
    if number and (not first or behind in (["years"], ["year"])):
        # Whoever is older was born earlier, but the number of years is compared as it is said.
        return Compare(target, op, (Constant(number, False),), measure="years")
    if not first or not last:
        return None
    if op == "eq":
        return Compare(target, "between", (Constant(first, True), Constant(last, True)))
    return Compare(target, op, (Constant(last if op in ("gt", "lte") else first, True),))
