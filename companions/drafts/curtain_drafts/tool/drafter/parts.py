"""The parts of a draft as chips: what it asks for, each column that it shows, each condition. A key makes a wrong part
right. Part of the drafter's process, so that drafts of every drafter have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from curtain.domain.code_names import CodeNames, named_code
from curtain.domain.pack.cells import is_numeric
from curtain_drafts.drafting.values import ALSO, ASKS, BEFORE, SHOWS, WHERE, Chip, Choice, Draft, Request, Value

from ..algebra import query as algebra
from ..algebra.description import condition_text, expression_text, sketched
from ..algebra.query import Arg, Call, Column, Nested, Statement
from ..algebra.reading import SqlReader
from ..algebra.writing import write
from ..grammar.building import counted, summed
from ..language.lexicon import Lexicon, Meaning
from ..language.lexicon import kind_of as word_of
from ..language.recognise import Found, Reading, number_meaning, time_meaning

_SIGNS = (("eq", "neq"), ("gt", "gte", "lt", "lte"))
# The first two are for every column, the others for numbers.
_SUMS = {"list": "a list", "count": "how many", "avg": "the average", "max": "the highest", "min": "the lowest",
         "sum": "the total"}  # fmt: skip
_OPERATOR, _SUM = "#operator", "#sum"
_MOST_VALUES = 120


@dataclass(frozen=True)
class Finisher:
    """Gives drafts their sketches and chips. `tables` are the columns with their types, `keys` the primary ones,
    `names` those of the codes, `swaps` the values of a kind for which one may be swapped."""

    tables: Mapping[str, Mapping[str, str]]
    keys: Mapping[str, tuple[str, ...]]
    reader: SqlReader
    names: CodeNames
    swaps: Swaps = lambda kind: ()

    def finished(self, drafts: Iterable[Draft], request: Request) -> list[Draft]:
        """The drafts after the wizard's choices about their parts, each statement once, in their order."""
        query = self.reader.last(request.previous)
        before = frozenset(map(algebra.key_of, query.conditions)) if query else frozenset()
        done: dict[str, Draft] = {}
        for draft in drafts:
            try:
                one = self._finished(draft, request.choices, before)
            except RecursionError:
                one = replace(draft, sketch=sketched(draft.sql, self.reader))
            done.setdefault(one.sql, one)
        return list(done.values())

    def _finished(self, draft: Draft, choices: Sequence[Choice], before: frozenset[str]) -> Draft:
        query = self.reader.read(draft.sql)
        if query is None or not query.root:
            return replace(draft, sketch=sketched(draft.sql, self.reader, self.names))
        changed = with_choices(query, choices, self.keys)
        sql = draft.sql if changed == query else write(changed)
        said = [self._named(chip, query) for chip in draft.chips if chip.start >= 0]
        chips = (*said, *self._parts(query, said, before))
        return replace(draft, sql=sql, chips=chips, sketch=sketched(sql, self.reader, self.names))

    def _named(self, chip: Chip, query: Statement) -> Chip:
        """With the code that the statement has for the value, or the name of this code, beside it."""
        for column, text in (pair for one in query.where for pair in _texts(one)):
            name = self.names.get(column, {}).get(text)
            if name and chip.value.value in (text, name):
                return replace(chip, value=replace(chip.value, label=named_code(text, name)))
        return chip

    def _parts(self, query: Statement, said: Sequence[Chip], before: frozenset[str]) -> Iterator[Chip]:
        texts = {chip.value.value for chip in said}
        for one in sorted(query.conditions, key=lambda one: algebra.key_of(one) not in before):
            literals = [{text.strip("%"), self.names.get(column, {}).get(text)} for column, text in _texts(one)]
            whole = bool(literals) and not any(map(texts.isdisjoint, literals))
            # A chip of the words that were said is enough for “in Dallas”, but not for “above 40000”.
            if not (whole and algebra.kind_of(one) in ("eq", "in", "like")):
                kind = BEFORE if algebra.key_of(one) in before and not whole else WHERE
                label = condition_text(one, self.names)
                yield _part(kind, condition_text(one, {}), label, self._instead_of(one))
        yield from self._heads(query)

    def _instead_of(self, one: Arg) -> Iterator[Value]:
        """Other values in the place of its only one, and other comparisons, each with the condition as its label."""
        literals, kind, others = _texts(one), algebra.kind_of(one), [Value(_OPERATOR, _OPERATOR, "")]
        if len(literals) == 1:
            others = [Value(_OPERATOR, sign, "") for signs in _SIGNS if kind in signs for sign in signs] + others
            if kind != "like" and not algebra.has_query(one):
                column = literals[0][0]
                swaps = self.swaps(word_of(column.split(".")[-1]))[:_MOST_VALUES]
                others = [value for value in swaps if value.column == column] + others
        return (replace(other, label=condition_text(_swapped(one, other), self.names)) for other in others)

    def _heads(self, query: Statement) -> Iterator[Chip]:
        every = (Column(node, name) for node in algebra.nodes_of(query) for name in self.tables[algebra.table_of(node)])
        columns = [Value(one.short, f"{one.node}.{one.name}", expression_text(one)) for one in every]
        sum_now, shown = _asked(query)
        if sum_now:
            column = next((one for one in shown if isinstance(one, Column)), None)
            sums = list(_SUMS) if column and self._is_number(column) else list(_SUMS)[:2]
            others = (Value(_SUM, one, _SUMS[one]) for one in sums)
            yield _part(ASKS, _SUMS[sum_now], _SUMS[sum_now], others)
        texts = [expression_text(part) for part in shown]
        for part, text in zip(shown, texts, strict=True):
            yield _part(SHOWS, text, text, columns if isinstance(part, Column) else ())
        yield _part(ALSO, f"+{len(query.select)}", "…", (one for one in columns if one.label not in texts))

    def _is_number(self, column: Column) -> bool:
        return column.name not in self.keys.get(column.table, ()) and is_numeric(self.tables[column.table][column.name])


def _texts(one: Arg) -> list[tuple[str, str]]:
    return [(column, literal.text) for column, literal in algebra.held(one)]


def _part(kind: str, said: str, label: str, others: Iterable[Value]) -> Chip:
    return Chip(-1, -1, said, kind, Value(kind, said, label), tuple(one for one in others if one.label != label))


def _asked(query: Statement) -> tuple[str, tuple[Arg, ...]]:
    """What is done with what is shown, as a name of `_SUMS`, and what is shown; no name for anything else."""
    only = query.select[0] if len(query.select) == 1 else None
    if isinstance(only, Call) and only.kind in _SUMS and not query.group:
        what = only.get("this")
        what = what.get("expressions") if isinstance(what, Call) and what.kind == "distinct" else what
        columns = what if isinstance(what, tuple) else (what,)
        return only.kind, tuple(one for one in columns if isinstance(one, Column))
    return "list" if all(isinstance(one, Column) for one in query.select) else "", query.select


def with_choices(query: Statement, choices: Iterable[Choice], keys: Mapping[str, tuple[str, ...]]) -> Statement:
    """The statement after what the wizard did to its parts; a choice about a part that it has not changes nothing. A
    list in place of a count shows the key, by the primary `keys`."""
    own = {one.said: one.value for one in choices if one.start < 0}
    if not own:
        return query

    def kept(where: Sequence[Arg]) -> tuple[Arg, ...]:
        found = (_chosen(one, own) for one in where)
        return tuple(one for one in found if one is not None)

    def put(part: Nested) -> Nested:
        # A nested query that looks for the greatest of the same rows has the same conditions.
        return Nested(replace(part.query, where=kept(part.query.where)))

    query = replace(query, where=kept(tuple(algebra.mapped(one, Nested, put) for one in query.where)))
    query = _with_columns(query, own)
    sum_now, shown = _asked(query)
    wanted = own.get(_SUMS.get(sum_now, ""))
    if wanted is not None and wanted.column == _SUM:
        key = tuple(Column(query.root, name) for name in keys.get(query.root, ())) or (Call("star"),)
        query = _with_sum(query, wanted.value, shown or key)
    for said, value in own.items():
        if said[:1] == "+" and value is not None and value.column != ALSO:
            column = _column(value)
            group = (*query.group, column) if query.aggregates else query.group
            query = replace(query, select=(*query.select, column), group=group)
    return query


def _chosen(one: Arg, own: Mapping[str, Value | None]) -> Arg | None:
    value = own.get(text := condition_text(one, {}))
    return _swapped(one, value) if value is not None else None if text in own else one


def _with_columns(query: Statement, own: Mapping[str, Value | None]) -> Statement:
    """Other columns in the place of those shown; the last one that is left cannot be taken out."""

    def put(column: Column) -> Column | None:
        value = own.get(expression_text(column))
        return _column(value) if value is not None else None

    select = tuple(algebra.mapped(one, Column, put) for one in query.select)
    left = tuple(one for one, was in zip(select, query.select, strict=True) if own.get(expression_text(was), was))
    group = tuple(algebra.mapped(one, Column, put) for one in query.group)
    return replace(query, select=left or select, group=group)


def _with_sum(query: Statement, kind: str, shown: tuple[Arg, ...]) -> Statement:
    """The average or another sum of the first column that is shown, how many rows there are, or the list of them."""
    if kind == "list":
        return replace(query, select=shown)
    of = next((one for one in shown if isinstance(one, Column)), None)
    return summed(query, counted(query, shown) if kind == "count" else Call(kind, (("this", of),)))


def _column(value: Value) -> Column:
    node, _, name = value.value.rpartition(".")
    return Column(node, name)


def _swapped(one: Arg, value: Value) -> Arg:
    """The condition with this value, or compared otherwise; `_OPERATOR` asks for the least in place of the greatest."""
    if value.column != _OPERATOR:
        return algebra.with_text(one, value.value)
    if value.value == _OPERATOR:
        most = algebra.has_query(one) and algebra.kind_of(one) == "eq"
        return algebra.mapped(one, Call, algebra.turned) if most else one
    return replace(one, kind=value.value) if isinstance(one, Call) else one


Swaps = Callable[[str], Sequence[Value]]


def swaps_of(lexicon: Lexicon) -> Swaps:
    """The values of each kind, made once."""
    return cache(lambda kind: tuple(map(_value, lexicon.kinds.get(kind, ()))))


def chosen(reading: Reading, choices: Sequence[Choice], lexicon: Lexicon) -> Reading:
    """The reading after the wizard's choices: values swapped, or marked as meaning nothing."""
    found, values = list(reading.found), {(one.start, one.end): one.value for one in choices}
    removed = {number for number, one in enumerate(found) if values.get((one.start, one.end), one) is None}
    for number, one in enumerate(found):
        if value := values.get((one.start, one.end)):
            found[number] = replace(one, meanings=(_meaning(value, one, lexicon),), weak=False)
    return replace(reading, found=tuple(found), removed=reading.removed | removed)


def _meaning(value: Value, found: Found, lexicon: Lexicon) -> Meaning:
    known = (one for group in lexicon.kinds.values() for one in group)
    named = next((one for one in known if one.forms.get(value.column) == value.value), None)
    if named is not None:
        return named
    if value.value.isdigit() and any(one.kind == "time" for one in found.meanings) and int(value.value) <= 2400:
        return time_meaning(int(value.value), False)
    if value.value.replace(".", "", 1).isdigit():
        return number_meaning(float(value.value), False)
    return Meaning(found.kind, value.label, {value.column: value.value})


def chip_of(found: Found, others_of: Swaps) -> Chip:
    """A value as a chip; `others_of` gives what those of a kind may be swapped for."""
    meaning = found.meanings[0]
    label = meaning.label.casefold()
    readings = [one for one in found.meanings[1:] if one.first != meaning.first]
    if later := meaning.forms.get("#later"):
        readings.append(time_meaning(int(later), False))
    kin = others_of(meaning.kind) if "#" not in meaning.first[0] else ()
    others = [one for one in (*map(_value, readings), *kin) if one.label.casefold() != label]
    # The same words as another kind of thing, named: `NEW YORK (state)`. These come last: who lists others seldom
    # means them. A column that only contains the words is none.
    same = (one for one in readings if one.label.casefold() == label and one.kind != meaning.kind)
    elsewhere = [replace(_value(one), label=f"{one.label} ({one.kind})") for one in same if one.first[0][:1] != "%"]
    once: dict[str, Value] = {}
    for value in (*others[:_MOST_VALUES], *elsewhere):
        once.setdefault(value.label, value)
    return Chip(found.start, found.end, found.said, meaning.kind, _value(meaning), tuple(once.values()))


def _value(meaning: Meaning) -> Value:
    column, value = meaning.first
    return Value(column, value, meaning.label)
