"""Names and codes of the database in a query, each compared with the column that is meant."""

from __future__ import annotations

from dataclasses import replace

from ..algebra.query import Constant
from ..language.english import stem
from ..language.lexicon import Meaning
from ..language.recognise import Found
from .graph import Target
from .mentions import Line, Mention, denial
from .sketch import Compare, Sketch


def read_values(line: Line, sketch: Sketch) -> Sketch:
    """“Red or blue bikes”, “flights from Boston”."""
    groups: list[tuple[Compare, int]] = []
    for number, one in line.values.items():
        if one.is_measure or not sketch.free(one.first, one.last):
            continue
        form, text = _spelling(line, sketch, number, one)
        if not form:
            continue
        compare, sketch = _compared(line, sketch, one, form, text)
        if one.weak and not _said_beside(line, sketch, one, compare.target):
            continue
        sketch = sketch.claim(one.first, one.last).use(number)
        mates = (at for at, (other, last) in enumerate(groups) if _alternative(line, other, compare, last, one))
        mate = next(mates, None)
        if mate is None:
            groups.append((compare, one.last))
        else:
            other = groups[mate][0]
            op = "in" if other.op in ("eq", "in") else other.op
            literals = (*other.literals, *compare.literals)
            groups[mate] = Compare(other.target, op, literals, other.negated, other.prefer), one.last
    return replace(sketch, conditions=(*sketch.conditions, *(compare for compare, _ in groups)))


def _alternative(line: Line, other: Compare, compare: Compare, last: int, one: Found) -> bool:
    """Whether two values are alternatives: of one column, with “or”, “and” or a comma between."""
    between = line.words[last : one.first]
    if other.target != compare.target or compare.op != "eq" or len(between) > 3:
        return False
    if "or" not in between and (compare.prefer or other.prefer != compare.prefer):
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
    return options[min(line.flips.get(f"value {number}", 0), len(options) - 1)][1:] if options else ("", "")


def _compared(line: Line, sketch: Sketch, one: Found, form: str, text: str) -> tuple[Compare, Sketch]:
    """The comparison with a value; the words that deny it and that name its column are explained by it."""
    target = _target_of(form)
    denied = denial(line, one.first)
    if line.graph.kind(target) == "bool":
        if text != "false" and denied:
            sketch = sketch.claim(*denied)
        return Compare(target, "true", negated=text == "false" or denied is not None), sketch
    for mention in line.mentions:
        if _names(sketch, mention, one, target) and not _is_asked(line, mention, one):
            sketch = sketch.claim(*mention.span)
    constant = Constant(text, line.graph.kind(target) != "number")
    op = "like" if form[0] == "%" else "eq"
    compare = Compare(target, op, (constant,), denied is not None, line.prefers(one.first))
    return compare, sketch.claim(*denied) if denied else sketch


def _fit(line: Line, sketch: Sketch, one: Found, meaning: Meaning, form: str, text: str) -> float:
    """How well a spelling of a value suits what is said and asked about."""
    root, target, said = sketch.root, _target_of(form), one.said.casefold()
    near = root and target.table in line.graph.neighbours(root)
    score = 0.8 if target.table == root else 0.3 if near else 0.0
    score += 1.5 if f"{target.table}.{target.column}" in line.held else 0.0
    score += 1.5 if _said_beside(line, sketch, one, target) else 0.0
    score -= 0.2 if form[0] == "%" and meaning != one.meanings[0] else 0.0
    if text.strip("%").casefold() == said:
        return score + 1.2
    # A name stands for its code where the table asked about has the code itself.
    steps = line.graph.steps.get(root, ())
    refers = any((step.to_table, step.to_column, step.many) == (target.table, target.column, False) for step in steps)
    return score + 1.6 if refers and any(other.casefold() == said for other in meaning.forms.values()) else score


def _names(sketch: Sketch, mention: Mention, one: Found, target: Target) -> bool:
    """Whether a name that touches a value says which column or table it is of."""
    touching = 0 <= one.first - mention.last <= 2 or 0 <= mention.first - one.last <= 1
    behind = mention.first == one.last or (mention.last == one.first and target.table != sketch.root)
    return touching and (target in mention.targets or (target.table in mention.tables and behind))


def _is_asked(line: Line, mention: Mention, one: Found) -> bool:
    """Whether a name before a value is what to show of it: “job titles of the scientists”."""
    between, last = set(line.words[mention.last : one.first]), line.words[mention.last - 1]
    return "of" in between and (bool({"the", "all"} & between) or last != stem(last))


def _said_beside(line: Line, sketch: Sketch, one: Found, target: Target) -> bool:
    """Whether a name beside a value is that of its column or table."""
    for mention in line.mentions:
        beside = 0 <= one.first - mention.last <= 2 or 0 <= mention.first - one.last <= 1
        other = target.table in mention.tables and target.table != sketch.root
        if beside and (target in mention.targets or other):
            return True
    return False


def _target_of(form: str) -> Target:
    table, column = form.lstrip("%").split(".")
    return Target(table, column)
