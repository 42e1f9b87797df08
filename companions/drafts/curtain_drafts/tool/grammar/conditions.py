"""What a query says of the rows: names of the database, numbers, dates and superlatives, with their columns."""

from dataclasses import replace
from typing import NamedTuple

from ..algebra.query import Arg, Column, Constant, call, column_named, columns_of, compared, kind_of
from ..language.english import Bound, english, stem
from ..language.lexicon import Meaning
from ..language.recognise import Found
from .building import first_rows
from .graph import Sketch
from .mentions import Line, Mention, best, denial, measured_by, near_tables

_NEAR_BEFORE, _NEAR_BEHIND = 7, 3
_TURNED = {"gt": "lt", "lt": "gt", "gte": "lte", "lte": "gte"}
_MOST_ASKED = 100


def read_superlatives(line: Line, sketch: Sketch) -> Sketch:
    """“The 3 cheapest bikes”, “the highest salary”."""
    for at in range(len(line.words)):
        sup = english().superlative(line.words, at)
        valued = at in line.value_at and not line.is_weak(at)
        if sup and not valued and at not in sketch.words:
            sketch = _superlative(line, sketch, at, *sup)
    return sketch


def _superlative(line: Line, sketch: Sketch, at: int, size: int, sign: int, adjective: str) -> Sketch:
    limit, last, sketch = _limit(line, sketch, at, at + size)
    mention = line.next_mention(last, frozenset({"of", "the", "total", "number"}))
    if mention is not None and (not adjective or adjective in english().generic):
        column = best(line, sketch, filter(line.graph.is_amount, mention.columns), mention)
        if column is not None and mention.targets.get(Column(mention.table), 0.0) < mention.targets[column]:
            return sketch.add(first_rows(column, sign, limit), at, mention.last)
    if adjective:
        measured = measured_by(line, sketch, adjective)
        if measured is None and adjective in english().generic:
            # “The lowest” of fares that were shown.
            prices = (c for one in line.spoken_of for c in line.graph.columns(one.table) if _is_price(c))
            measured = next(((c, 1) for c in prices if line.graph.is_measure(c)), None)
        return sketch.add(first_rows(measured[0], sign * measured[1], limit), at, last) if measured else sketch
    for one in line.mentions_before(at) if mention is None or not mention.columns else ():
        column = best(line, sketch, filter(line.graph.is_amount, one.columns), one)
        if column is not None:
            return sketch.add(first_rows(column, sign, limit), one.first, last)
    return sketch


def _limit(line: Line, sketch: Sketch, at: int, last: int) -> tuple[int, int, Sketch]:
    """How many are asked for beside a superlative: “the 3 cheapest”, “top five”; and where the words end."""
    for place, behind in ((at - 1, False), (last, True)):
        number = line.value_at.get(place)
        one = line.values[number] if number is not None else None
        text = (one.form("#number") or "") if one else ""
        if number is not None and one and text.isdigit() and 0 < int(text) <= _MOST_ASKED:
            return int(text), one.last if behind else last, sketch.claim(one.first, one.last).use(number)
    return 1, last, sketch


def read_numbers(line: Line, sketch: Sketch) -> Sketch:
    """“Under 400 dollars”, “between 8 and 10”, “born before 1980”."""
    measures = [(number, one) for number, one in line.values.items() if one.is_measure]
    for (number, one), pair in zip(measures, [*measures[1:], None], strict=False):
        if pair and _is_range(line, one, pair[1]):
            sketch = _amount(line, sketch, number, one, pair)
        if number not in sketch.values:
            sketch = _amount(line, sketch, number, one, None)
    return sketch


def _is_range(line: Line, one: Found, other: Found) -> bool:
    between = line.words[one.last : other.first]
    before = line.text(one.first - 1)
    return between in (["and"], ["to"], ["through"]) and (before in ("between", "from") or between != ["and"])


def _amount(line: Line, sketch: Sketch, number: int, one: Found, pair: tuple[int, Found] | None) -> Sketch:
    """With a number, or two, compared with the column that is meant; only names are claimed if there is none."""
    bound = None if pair else _bound(line, one)
    op = bound.op if bound and not (bound.weak and one.form("#new year")) else "eq"
    measured = measured_by(line, sketch, bound.adjective) if bound and bound.adjective else None
    column: Column | None
    if measured:
        column, op = measured[0], _TURNED[op] if measured[1] < 0 else op
    elif line.text(pair[1].last if pair else one.last) in english().words("units.money"):
        columns = (*line.spoken_of, *(c for table in near_tables(line, sketch) for c in line.graph.columns(table)))
        column = next((c for c in columns if _is_price(c) and line.graph.is_measure(c)), None)
    else:
        column, sketch = _column_near(line, sketch, one, bound)
    other = pair[1] if pair else None
    compare = _compared(line, column, op, one, other) if column else None
    if compare is None:
        column = _only(line, sketch, one)
        compare = _compared(line, column, op, one, other) if column else None
    if column is None or compare is None:
        return sketch
    for mention in line.mentions:
        if 0 <= one.first - mention.last <= 4 and column in mention.targets:
            sketch = sketch.claim(*mention.span)
    if kind_of(compare.part) == "div" and bound and bound.adjective:
        # Whoever is older was born earlier, but the number of years is compared as it is said.
        compare = compare._replace(op=bound.op)
    denied = denial(line, bound.first if bound else one.first)
    if denied:
        compare, sketch = compare._replace(negated=True), sketch.claim(*denied)
    first = min(bound.first, one.first) if bound else one.first - bool(pair)
    last = other.last if other else max(one.last, bound.last if bound else 0)
    last += line.text(last) in english().words("units.words")
    sketch = sketch.add(compared(*compare), first, last)
    return sketch.use(number, pair[0]) if pair else sketch.use(number)


def _bound(line: Line, one: Found) -> Bound | None:
    bound = english().bound_before(line.words, one.first) or english().bound_after(line.words, one.last)
    named = next((m for m in line.mentions if m.last == one.first and m.columns), None)
    if named is not None and (bound is None or bound.weak):
        # “Over level 20”: the comparison stands before the name.
        over = english().bound_before(line.words, named.first)
        return replace(over, last=one.first) if over and not over.weak else bound
    return bound


def _column_near(line: Line, sketch: Sketch, found: Found, bound: Bound | None) -> tuple[Column | None, Sketch]:
    """The column that a number is compared with, by the names around it; its name is then explained."""
    first = min(bound.first, found.first) if bound else found.first
    last = max(bound.last, found.last) if bound else found.last
    behind = [one for one in line.mentions if last <= one.first < last + _NEAR_BEHIND][:1]
    if behind and {"and", "or"} & set(line.words[last : behind[0].first]):
        behind = []
    cut = max((place for place in range(first) if place in line.value_at), default=-1)
    before = [m for m in line.mentions_before(first, _NEAR_BEFORE) if m.first > cut and sketch.free(*m.span)]
    kinds, years = _kinds_of(found), found.form("#new year") and (bound is None or bound.weak)
    for one in (*behind, *before):
        likely = (c for c in one.columns if one.targets[c] >= 1 or not line.graph.is_key(c))
        columns = [c for c in likely if line.graph.kind(c) in kinds and (not years or _is_dated(line, c))]
        target = best(line, sketch, columns, one)
        if target is not None:
            return target, sketch.claim(*one.span)
    return None, sketch


def _is_dated(line: Line, column: Column) -> bool:
    return "year" in column.name or line.graph.kind(column) == "date"


def _only(line: Line, sketch: Sketch, one: Found) -> Column | None:
    """The column of the root that alone can be meant: of dates, of years, of amounts."""
    root, graph = sketch.root, line.graph
    before = line.mention_at(one.first - 1)
    named = [c for c in before.columns if c.table == root] if before else []
    if named:
        return named[0]
    # What the turn before speaks of comes first: of several columns the one whose value has as many digits.
    fits, bare = _kinds_of(one), line.corrects or line.words[:1] == ["make"]
    digits = {c: abs(len(text) - len(one.form("#number") or "")) for c, text in line.spoken_of.items()}
    known = [
        c
        for c in digits
        if graph.kind(c) in fits and (bare or graph.is_amount(c) or (line.spoken_of[c] and not digits[c]))
    ]
    if known:
        return min(known, key=lambda c: (not line.spoken_of[c], digits[c]))
    columns = graph.columns(root)
    dated = [c for c in columns if _is_dated(line, c)]
    if dated and (one.form("#new year") or one.kind in ("date", "month", "decade", "relative day")):
        return dated[0]
    if before and before.table == root and len(graph.key(root)) == 1:
        return Column(root, graph.key(root)[0])
    if one.kind in ("time", "period"):
        timed = (c for c in columns if "time" in c.name and graph.kind(c) in ("number", "time"))
        return next(timed, None)
    amounts = [c for c in columns if graph.kind(c) in fits and graph.is_measure(c)]
    return amounts[0] if len(amounts) == 1 else next(filter(_is_price, amounts), None)


def _is_price(column: Column) -> bool:
    return any(word in column.name for word in english().words("units.prices"))


class _Comparison(NamedTuple):
    """What is compared, by an operator of the algebra with literals."""

    part: Arg
    op: str
    literals: tuple[Constant, ...]
    negated: bool = False


def _compared(line: Line, column: Column, op: str, one: Found, other: Found | None) -> _Comparison | None:
    kind = line.graph.kind(column)
    if kind == "date":
        return _dated(line, column, op, one, other)
    timed = "time" in column.name or kind == "time"
    forms = ("#clock",) if kind == "time" else ("#time", "#number") if timed else ("#year", "#number")
    values = [each for each in (one, other) if each is not None]
    texts = [next((form for name in forms if (form := each.form(name))), "") for each in values]
    period = [end for name in ("#begin", "#end") if timed and (end := one.form(name))]
    if period:
        texts = [f"{int(end) // 100:02d}:{int(end) % 100:02d}" if kind == "time" else end for end in period]
    if not all(texts):
        return None
    column = line.towards(column, one.first)
    if len(texts) == 1:
        return _Comparison(column, op, (Constant(texts[0], kind != "number"),))
    # What ends earlier than it begins goes over midnight: it lies not between its end and its beginning.
    over = timed and int(texts[0].replace(":", "")) > int(texts[1].replace(":", ""))
    ends = tuple(Constant(text, kind != "number") for text in (reversed(texts) if over else texts))
    return _Comparison(column, "between" if (line.included or not period) != over else "within", ends, over)


def _kinds_of(one: Found) -> tuple[str, ...]:
    if one.kind in ("date", "month", "decade", "relative day", "span"):
        return ("date", "number") if one.form("#year") else ("date",)
    if one.kind in ("time", "period"):
        return ("number", "time", "date") if one.form("#number") else ("number", "time")
    return ("number", "date") if one.form("#new year") or one.form("#number") else ("number",)


def _dated(line: Line, column: Column, op: str, one: Found, other: Found | None) -> _Comparison | None:
    """A comparison with a date; a year, a month or a decade is all its days."""
    day, first, last = one.form("#date"), one.form("#new year"), one.form("#last of year")
    if other is not None:
        ends = (day or first, other.form("#date") or other.form("#last of year"))
        return _Comparison(column, "between", tuple(Constant(str(e), True) for e in ends)) if all(ends) else None
    weekday = one.form("#weekday")
    if weekday:
        return _Comparison(call("dayname", column), op, (Constant(weekday, True),))
    if day and (one.form("#year") or one.kind == "relative day"):
        return _Comparison(column, op, (Constant(day, True),))
    number, month = one.form("#number"), one.form("#month")
    if month and not one.form("#year") and not day:
        return _Comparison(call("month", column), op, (Constant(month),))
    if number and (not first or line.text(one.last) in ("years", "year")):
        return _Comparison(line.graph.years(column), op, (Constant(number),))
    if not first or not last:
        return None
    if op == "eq":
        return _Comparison(column, "between", (Constant(first, True), Constant(last, True)))
    return _Comparison(column, op, (Constant(last if op in ("gt", "lte") else first, True),))


def read_values(line: Line, sketch: Sketch) -> Sketch:
    """“Red or blue bikes”, “flights from Boston”."""
    groups: list[tuple[_Comparison, int]] = []
    for number, one in line.values.items():
        if one.is_measure or not sketch.free(one.first, one.last):
            continue
        form, text = _spelling(line, sketch, number, one)
        target = column_named(form) if form else None
        if target is None or (one.weak and not _beside(line, sketch, one, target)):
            continue
        compare, sketch = _named(line, sketch, one, form, text)
        sketch = sketch.claim(one.first, one.last).use(number)
        mates = (at for at, (other, last) in enumerate(groups) if _alternative(line, other, compare, last, one))
        mate = next(mates, None)
        if mate is None:
            groups.append((compare, one.last))
        else:
            other = groups[mate][0]
            op = "in" if other.op in ("eq", "in") else other.op
            groups[mate] = other._replace(op=op, literals=(*other.literals, *compare.literals)), one.last
    return replace(sketch, conditions=(*sketch.conditions, *(compared(*compare) for compare, _ in groups)))


def _alternative(line: Line, other: _Comparison, compare: _Comparison, last: int, one: Found) -> bool:
    """Whether two values are alternatives: of one column, with “or”, “and” or a comma between."""
    between, columns = line.words[last : one.first], [*columns_of((other.part, compare.part))]
    if len({column.short for column in columns}) > 1 or compare.op != "eq" or len(between) > 3:
        return False
    if other.negated and {"or", "and"}.isdisjoint(between):
        # “Not american, delta”.
        return False
    if "or" not in between and any("#" in column.node for column in columns):
        return False
    return set(between) <= {"or", "and", "the", "either", "in", "a"}


def _spelling(line: Line, sketch: Sketch, number: int, one: Found) -> tuple[str, str]:
    """The column whose value is meant, behind a % for a part of one, and how the database spells it; or nothing."""
    options = [
        (_fit(line, sketch, one, meaning, form, text) - 0.3 * rank - 0.1 * place, form, text)
        for rank, meaning in enumerate(one.meanings)
        for place, (form, text) in enumerate(meaning.forms.items())
        if form[0] != "#"
    ]
    options.sort(key=lambda option: -option[0])
    options = (options[1:] or options) if sketch.second == number else options
    return options[0][1:] if options else ("", "")


def _named(line: Line, sketch: Sketch, one: Found, form: str, text: str) -> tuple[_Comparison, Sketch]:
    """The comparison with a value; the words that deny it and that name its column are explained by it."""
    target, denied = column_named(form), denial(line, one.first)
    kind = line.graph.kind(target)
    for mention in _beside(line, sketch, one, target) if kind != "bool" else ():
        if not _is_asked(line, mention, one):
            sketch = sketch.claim(*mention.span)
    sketch = sketch.claim(*denied) if denied else sketch
    if kind == "bool":
        return _Comparison(target, "true", (), text == "false" or denied is not None), sketch
    constant = Constant(text, kind != "number")
    op = "like" if form[0] == "%" else "eq"
    return _Comparison(line.towards(target, one.first), op, (constant,), denied is not None), sketch


def _fit(line: Line, sketch: Sketch, one: Found, meaning: Meaning, form: str, text: str) -> float:
    """How well a spelling of a value suits what is said and asked about."""
    root, target, said = sketch.root, column_named(form), one.said.casefold()
    near = root and target.table in line.graph.neighbours(root)
    score = 0.8 if target.table == root else 0.3 if near else 0.0
    score += 1.5 if line.spoken_of.get(target) else 0.0
    score += 1.5 if _beside(line, sketch, one, target) else 0.0
    if text.strip("%").casefold() == said:
        return score + 1.2
    # A name stands for its code where the table asked about has the code itself.
    steps = line.graph.steps.get(root, ())
    refers = any((step.to_table, step.to_column, step.many) == (target.table, target.name, False) for step in steps)
    return score + 1.6 if refers and any(other.casefold() == said for other in meaning.forms.values()) else score


def _beside(line: Line, sketch: Sketch, one: Found, target: Column) -> list[Mention]:
    """The names beside a value that are those of its column or table."""
    beside = (m for m in line.mentions if 0 <= one.first - m.last <= 2 or 0 <= m.first - one.last <= 1)
    other = target.table != sketch.root
    return [m for m in beside if target in m.targets or (other and target.table in m.tables)]


def _is_asked(line: Line, mention: Mention, one: Found) -> bool:
    """Whether a name before a value is what to show of it: “job titles of the scientists”."""
    between, last = set(line.words[mention.last : one.first]), line.words[mention.last - 1]
    return "of" in between and (bool({"the", "all"} & between) or last != stem(last))
