"""The statement of the turn before, changed as a follow-up says: other values, more conditions, other columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, permutations

from curtain.domain.pack.names import split_name

from ..algebra import query as algebra
from ..grammar.building import Builder, Unjoined, any_rows, count_rows, counted, counted_table, summed, with_first_rows
from ..grammar.graph import Graph, RuleDraft, Sketch
from ..grammar.mentions import Line
from ..grammar.projection import best_of, rule_draft, sketched
from ..language.english import english, lemma
from ..language.recognise import Reading

_SILENT = ("dull.words", "asking.which", "turns.people", "verbs.words", "turns.silent")
_MOST = 8
_LEARNED, _FAR, _UNLIKE = 0.1, 0.4, 0.5
_SHORT, _BARE = 4, 2


def leaning(reading: Reading, graph: Graph) -> float:
    """Between 0 and 1: how far the words of a query point back to an earlier turn or are no question by themselves."""
    line = Line(reading, graph)
    free = [one for one in line.mentions if one.last not in line.value_at]
    named = any(one.targets[algebra.Column(table)] >= 0.9 for one in free for table in one.tables) or _has_subject(line)
    # “Is there a limousine” and “per department” ask about what was spoken of, if they say little else.
    short, starts = len(line.words) <= _SHORT, (0, line.phrase("turns.subject", 0))
    grouped = short and any(line.phrase("asking.each", at) for at in starts)
    there = grouped or (line.words[1:2] == ["there"] and (short or not line.values))
    score = 0.7 * max(_points(line), there, bool(_giving_up(line))) + 0.5 * bool(line.phrase("turns.opening", 0))
    bare = [at for at in line.telling(_SILENT) if at not in line.value_at]
    score += 0.4 * (not named) + 0.3 * (not named and len(bare) <= _BARE)
    return min(1.0, score)


def _has_subject(line: Line) -> bool:
    """Whether a question asks about things that it names itself by a value: “who lives in Texas”, “how many of the
    women”, “average salary of the engineers”; by what they are in other tables: “all the managers”; or by what was
    done with them and when: “who was hired in 1985”. “How many are women” names none, and “only” says that it goes
    on."""
    size = line.phrase("turns.subject", 0)
    things = [one for one in line.values.values() if not one.weak and "#" not in one.meanings[0].first[0]]
    counts = line.words[:1] == ["which"] or line.words[:2] == ["how", "many"]
    behind = counts and line.text(size) in english().words("turns.subjectless")
    asked = bool(size) and not behind and bool(things)
    owned = any("of" in line.words[max(0, one.first - 2) : one.first] for one in things)
    owned = owned and not line.phrase("turns.opening", 0)
    roles = bool(size) and any(
        "all" in line.words[max(0, one.first - 2) : one.first] and any(map(line.graph.is_key, one.columns))
        for one in line.mentions
    )
    ends = len({line.towards(algebra.Column(""), one.first) for one in things} - {algebra.Column("")}) > 1
    ends = ends and not line.phrase("turns.opening", 0)
    done = [column for one in line.mentions if one.first <= 2 for column in one.columns]
    dated = line.words[:1] == ["who"] and any(line.graph.kind(column) == "date" for column in done)
    going_on = not english().words("turns.going_on").isdisjoint(line.words)
    return (asked or owned or roles or ends or (dated and bool(line.values))) and not going_on


def _points(line: Line) -> bool:
    """Whether a word stands for what was spoken of before: “those”, “of them”, “the cheapest one”, “show me only”."""
    only = english().words("turns.going_on") & set(line.words[line.phrase("turns.subject", 0) :][:1])
    for at, word in enumerate(line.words):
        size = line.phrase("turns.leaning", at) or word in only
        owned = word in ("their", "his", "her", "its") and any(one.last <= at for one in line.mentions if one.tables)
        counts = line.mention_at(at + 1) if word == "one" else at in line.value_at
        if size and not owned and not counts:
            return True
    return False


def continued(
    reading: Reading,
    before: algebra.Statement,
    graph: Graph,
    included: bool,
    more: Sequence[algebra.Arg],
    learned: Mapping[int, Sequence[algebra.Arg]],
    heads: Sequence[AnsweredHead] = (),
) -> list[RuleDraft]:
    """The statements that may be meant, best first; none if the one before could not be taken apart. `more` are
    conditions that words of the query meant in answered questions, `learned` those of its values by their numbers;
    `heads` are what near answered questions show."""
    if not before.root or before.root not in graph.pack.tables or not reading.words:
        return []
    spoken_of = {algebra.column_named(column.short): "" for column in algebra.columns_of(before.select)}
    compared = algebra.held(before.where, nested=False)
    spoken_of |= {algebra.column_named(column): one.text for column, one in compared if column}
    line = Line(reading, graph, included, spoken_of, before.root)
    back = line.spans("turns.back")
    start = (_the_other_way(before) if back else None) or before
    heads = heads if _asks(line) else ()
    # A word that may be a value, as “one”, may be none here.
    learned = {number: own for number, own in learned.items() if number in line.values}
    found = [*_without(line, before, more), *_of_what_is_shown(line, before)]
    more = [one for one in more if one not in before.where]
    sketch = sketched(line)
    if sketch is None:
        return []
    cost = 0.5 * bool(found) + 0.5 * (len(line.values) - len(sketch.values))
    for span in back if start is not before else ():
        sketch = sketch.claim(*span)
    options: list[tuple[Sketch, Sequence[algebra.Arg], float]] = [(sketch, (), cost + 0.1 * bool(more))]
    options += [(sketch, more, cost)] if more else []
    if learned and set(learned) >= {n for n, one in line.values.items() if not one.weak}:
        own = _without_compares(sketch, line, learned)
        options.append((own, [one for each in learned.values() for one in each], _LEARNED))
    for one, conditions, less in options:
        for turn, headed, costs in _shown_otherwise(line, one, start, heads):
            query = turn.query(conditions, headed and conditions is not more)
            if query is not None:
                found.append(rule_draft(query, turn.sketch, line, _SILENT, less + costs, 1.0))
    return [one for one in best_of(found) if one.query.sense != before.sense][:_MOST]


def _shown_otherwise(
    line: Line, sketch: Sketch, before: algebra.Statement, heads: Sequence[AnsweredHead]
) -> Iterator[tuple[_Turn, bool, float]]:
    """The turn with what its words show, and with what answered questions show; whether its own head counts, and what
    it costs."""
    there = {algebra.table_of(node) for node in algebra.nodes_of(before)}.union(*(one.tables for one in line.mentions))
    # Where questions were answered, what they show is likelier meant than a column of some other table.
    far = bool(heads) and any(column.table not in there for column in algebra.columns_of(sketch.items))
    yield _Turn(line, sketch, before), True, _FAR * far
    for head in heads:
        if own := head.explaining(sketch, line):
            yield _Turn(line, own, head.of(before)), False, _UNLIKE * (1 - head.alike)


def _without_compares(sketch: Sketch, line: Line, values: Iterable[int]) -> Sketch:
    """The sketch with these values explained, and no condition on a value."""
    kept = (one for one in sketch.conditions if algebra.kind_of(one) in ("", "first"))
    sketch = replace(sketch, conditions=tuple(kept)).use(*values)
    for number in values:
        sketch = sketch.claim(line.values[number].first, line.values[number].last)
    return sketch


def _giving_up(line: Line) -> list[tuple[int, int]]:
    """The words that give something up: “forget”, “it does not have to be”, “any” at the beginning."""
    return line.spans("turns.dropping") + [(0, 1)] * (line.words[0] == "any")


def _without(line: Line, before: algebra.Statement, more: Sequence[algebra.Arg]) -> Iterator[RuleDraft]:
    """The statement without the conditions that the query gives up, “any airline”, “forget the price”: those about what
    it names, or those `more` that its words mean. Nothing if it gives none up."""
    spans = _giving_up(line)
    if not spans or ("or" in line.words and len(line.values) > 1):
        return
    # What stands behind such words, or else before them: “the airline is all the same to me”.
    start, values = spans[0][1], list(line.values.values())
    ends = (*(one.first for one in line.mentions), *(one.first for one in values))
    start = start if max(ends, default=0) >= start else 0
    mentions = [one for one in line.mentions if one.first >= start]
    values = [one for one in values if one.first >= start]
    named = {target for one in mentions for target in one.targets if target.table != before.root or target.name}
    texts = {text.strip("%") for one in values for meaning in one.meanings for text in meaning.forms.values()}

    def given_up(one: algebra.Arg) -> bool:
        columns = [algebra.column_named(column.short) for column in algebra.columns_of(one)]
        places = {*columns, *(algebra.Column(column.table) for column in columns)}
        return one in more or bool(places & named) or any(c.text.strip("%") in texts for _, c in algebra.held(one))

    query = replace(before, where=tuple(one for one in before.where if not given_up(one)))
    sketch = Sketch(before.root, values=frozenset(line.values))
    for first, last in (*spans, *(one.span for one in mentions), *((one.first, one.last) for one in values)):
        sketch = sketch.claim(first, last)
    if query != before:
        yield rule_draft(query, sketch, line, _SILENT, 0.0, 1.0)


def _of_what_is_shown(line: Line, before: algebra.Statement) -> Iterator[RuleDraft]:
    """What “he” or “it” asks of another row that the statement shows: of the boss, of the department."""
    graph, columns = line.graph, [one for one in before.select if isinstance(one, algebra.Column)]
    node = columns[0].node if columns and {*columns} == {*before.select} else ""
    if node == before.root and len(columns) == 1:
        steps = (one for one in graph.steps.get(node, ()) if one.column == columns[0].name and not one.many)
        node = next((f"{node}>{one.column}={one.to_table}.{one.to_column}" for one in steps), node)
    table = algebra.table_of(node)
    said = english().words("turns.he_or_she" if table in graph.people else "turns.it")
    if node == before.root or said.isdisjoint(line.words) or len({one.node for one in columns}) != 1:
        return
    own = Line(line.reading, graph, line.included, None, table)
    sketch = sketched(own)
    if sketch is None or sketch.conditions or not sketch.items or sketch.root != table:
        return

    def put(column: algebra.Column) -> algebra.Column:
        return replace(column, node=node + column.node.removeprefix(table))

    with suppress(Unjoined):
        select = tuple(algebra.mapped(one, algebra.Column, put) for one in Builder(sketch, graph).joined(sketch.items))
        plain = all(isinstance(one, algebra.Column) for one in select)
        query = replace(before, select=select, distinct=plain, order=(), limit=None)
        yield rule_draft(query, sketch, own, _SILENT, 0.0, 1.0)


def _asks(line: Line) -> bool:
    """Whether a follow-up asks to see something: “what do they cost”, but not “which ones are cheaper”."""
    at = line.begin
    asks = line.text(at) == "how" or line.text(at) in english().words("asking.which")
    return asks and line.text(at + 1) not in ("one", "ones", "of")


@dataclass(frozen=True)
class AnsweredHead:
    """What an answered question shows, the lemmas of its words, and how `alike` it is (0 to 1)."""

    query: algebra.Statement
    words: frozenset[str]
    alike: float

    def of(self, query: algebra.Statement) -> algebra.Statement:
        """The same shown of the rows of another statement."""
        most = filter(algebra.has_query, self.query.where)
        own = (one for one in most if not any(hole.form for _, hole in algebra.held(one)))
        return replace(self.query, where=(*query.where, *own))

    def explaining(self, sketch: Sketch, line: Line) -> Sketch | None:
        """The sketch with the words that both questions say; None where these say nothing, or the sketch computes."""
        said = {at for at, word in enumerate(line.words) if lemma(word) in self.words}
        asked = {at for at in line.telling(_SILENT) if at not in line.value_at}
        if (asked and not asked & said) or not all(isinstance(item, algebra.Column) for item in sketch.items):
            return None
        return replace(sketch, items=(), yes_no=False, words=sketch.words | said)


def _the_other_way(query: algebra.Statement) -> algebra.Statement | None:
    """The statement with two values of one column changed over, as for the flights back; None without such values."""
    equal = [one for one in query.where if algebra.kind_of(one) == "eq"]
    ends = [(one, *pair) for one in equal for pair in algebra.held(one, nested=False)]
    for (one, column, here), (other, theirs, there) in combinations(ends, 2):
        if column == theirs and here.text != there.text:
            texts = {one: there.text, other: here.text}
            where = (algebra.with_text(each, texts[each]) if each in texts else each for each in query.where)
            return replace(query, where=tuple(where))
    return None


@dataclass
class _Turn:
    """One reading of a follow-up and the statement that it changes."""

    line: Line
    sketch: Sketch
    before: algebra.Statement

    def query(self, said: Sequence[algebra.Arg], headed: bool) -> algebra.Statement | None:
        """The statement with the conditions of the reading and those `said`; None if its tables cannot be joined. What
        it shows changes if it is `headed`, or counts."""
        root = replace(self.sketch, root=self.before.root)
        builder = Builder(root, self.line.graph, algebra.nodes_of(self.before)[1:])
        headed = headed or self.sketch.yes_no or any(isinstance(item, algebra.Call) for item in self.sketch.items)
        try:
            query = self._with_conditions(builder, said)
            return self._with_head(query, builder) if headed else query
        except Unjoined:
            return None

    def _with_conditions(self, builder: Builder, said: Sequence[algebra.Arg]) -> algebra.Statement:
        compares = [one for one in self.sketch.conditions if algebra.kind_of(one) not in ("", "first")]
        query = _corrected(self.before, compares)
        where = list(query.where)
        prefer = ([word for c in algebra.columns_of(one) for word in c.node.split("#")[1:]] for one in compares)
        for new, words in (*zip(builder.joined(compares), prefer, strict=True), *((one, None) for one in said)):
            where = self._placed(where, new, words)
        there = {algebra.table_of(node) for node in algebra.nodes_of(query)}
        related = (one for one in self.sketch.conditions if isinstance(one, algebra.Column))
        where += builder.joined(one for one in related if one.table not in there)
        return algebra.nested_alike(replace(query, where=tuple(where)))

    def _placed(self, where: list[algebra.Arg], new: algebra.Arg, prefer: Sequence[str] | None) -> list[algebra.Arg]:
        """The conditions with a new one: in the place of one that contradicts it, beside others otherwise. Of several,
        it is the one whose columns have a preferred word; with None, only one about the very same column."""
        mates = [mate for mate in where if self._contradicts(mate, new)]
        if prefer is None:
            own = set(algebra.columns_of(new))
            mates = [mate for mate in mates if own & set(algebra.columns_of(mate))]
        if len(mates) > 1:
            liked = [mate for mate in mates if any(w in _words(mate) for w in prefer or ())]
            mates = liked[:1] or ([] if prefer else mates[-1:])
        if not mates:
            return [*where, new]
        mate = mates[0]
        moved = _moved(new, mate)
        bounded = algebra.kind_of(new) == "eq" and algebra.kind_of(mate) in ("gt", "gte", "lt", "lte")
        if bounded and isinstance(moved, algebra.Call):
            # “Make it 45000” keeps the comparison.
            moved = replace(moved, kind=algebra.kind_of(mate))
        both = [one for part in (mate, moved) for _, one in algebra.held(part)]
        equal = {algebra.kind_of(mate), algebra.kind_of(new)} == {"eq"} and [*algebra.columns_of(moved)] == [
            *algebra.columns_of(mate)
        ]
        if equal and english().has("turns.also", self.line.words):
            moved = algebra.compared(next(algebra.columns_of(mate)), "in", both)
        return [moved if each is mate else each for each in where]

    def _contradicts(self, mate: algebra.Arg, new: algebra.Arg) -> bool:
        ours, theirs = ({column.short for column in algebra.columns_of(one)} for one in (new, mate))
        if algebra.has_query(mate) or algebra.has_query(new) or not ours or not any(True for _ in algebra.held(mate)):
            return False
        kinds = algebra.kind_of(mate), algebra.kind_of(new)
        denies = kinds[1] in ("neq", "not") and kinds[0] not in ("neq", "not", "eq")
        if denies or algebra.leave_room(mate, new) or algebra.leave_room(new, mate):
            return False
        return ours == theirs or any(self._same_thing(one, other) for one in ours for other in theirs)

    def _same_thing(self, one: str, other: str) -> bool:
        """Whether two columns say the same of a thing: its code and its name."""
        pack = self.line.graph.pack
        single = (each for each in pack.keys.references if len(each.columns) == 1)
        ends = ((f"{r.table}.{r.columns[0]}", f"{r.to_table}.{r.to_columns[0]}") for r in single)
        return any({one, other} in ({here, there}, {here, pack.codes.get(there)}) for here, there in ends)

    def _with_head(self, query: algebra.Statement, builder: Builder) -> algebra.Statement:
        sketch, items = self.sketch, self.sketch.items
        if sketch.group:
            sums = () if any(isinstance(one, algebra.Call) for one in items) else [count_rows()]
            own = query.select if sums and query.aggregates else sums
            return summed(query, *builder.joined(items), *own, group=builder.joined(sketch.group))
        counts = any(map(counted_table, items)) or english().has("turns.counting", self.line.words)
        if counts and english().has("turns.each", self.line.words) and not query.aggregates:
            count = [one for one in builder.joined(items) if isinstance(one, algebra.Call)][:1] or [count_rows()]
            return summed(query, *query.select, *count, group=query.select)
        if counts:
            query = summed(query, counted(query, query.select), group=query.group)
        elif sketch.yes_no and not query.aggregates:
            query = replace(query, select=(any_rows(),), distinct=False)
        elif items:
            query = self._showing(query, tuple(dict.fromkeys(builder.joined(items))))
        for one in builder.joined(sketch.first):
            if isinstance(one, algebra.Call) and one.get("limit") == algebra.Constant("1"):
                kept = (each for each in query.where if not (algebra.has_query(each) and algebra.kind_of(each) == "eq"))
                query = replace(query, where=tuple(kept))
            query = with_first_rows(query, one)
        return query

    def _showing(self, query: algebra.Statement, select: tuple[algebra.Arg, ...]) -> algebra.Statement:
        words, graph = self.line.words, self.line.graph
        items = self.sketch.items
        aggregates = any(isinstance(item, algebra.Call) for item in items)
        own = all(column.table == query.root and not graph.is_key(column) for column in algebra.columns_of(items))
        adds = words[0] in english().words("turns.adding") and "their" in words and not query.aggregates
        curated = graph.curated and graph.pack.dialect != "1989"
        if not aggregates and graph.shows_key(query.root, query.select) and (adds or (curated and own)):
            select = tuple(dict.fromkeys((*query.select, *select)))
        plain = all(isinstance(one, algebra.Column) for one in select)
        repeats = not graph.shows_key(query.root, select)
        return replace(query, select=select, distinct=plain and repeats, order=() if aggregates else query.order)


def _corrected(query: algebra.Statement, compares: list[algebra.Arg]) -> algebra.Statement:
    """With a value in the place of one that is denied beside it, “denver, not dallas”; both are then done with."""
    said = {(column, one.text) for column, one in algebra.held(query.where)}
    for old, new in permutations(compares, 2):
        ends = [(column, one.text) for part in (old, new) for column, one in algebra.held(part)]
        if (algebra.kind_of(old), algebra.kind_of(new)) == ("neq", "eq") and len(ends) == 2:
            (column, text), (other, instead) = ends
            if (column, text) in said and column == other:
                compares.remove(old)
                compares.remove(new)
                return algebra.map_query(query, algebra.Constant, partial(_instead, text=text, instead=instead))
    return query


def _instead(literal: algebra.Constant, text: str, instead: str) -> algebra.Constant:
    return replace(literal, text=instead) if literal.text == text else literal


def _words(one: algebra.Arg) -> set[str]:
    """The words in the columns that lead to what a condition speaks of."""
    steps = (step for column in algebra.columns_of(one) for step in column.node.split(">"))
    return {word for step in steps for word in split_name(step.split("=")[0])}


def _moved(new: algebra.Arg, mate: algebra.Arg) -> algebra.Arg:
    """A condition about the same column, said of the node of the one that it replaces."""
    nodes = {column.short: column.node for column in algebra.columns_of(mate)}
    return algebra.mapped(new, algebra.Column, lambda one: replace(one, node=nodes.get(one.short, one.node)))
