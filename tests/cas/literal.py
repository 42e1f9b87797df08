"""The rules of comparison, word for word and as slow as that makes them: every mapping is tried.

It shares no code with the Comparator. A table is a list of rows, a scalar a table of one cell; a cell is a pair (type,
value): ("string", "TAI"), ("integer", Decimal), ("real", Decimal), ("boolean", True), ("odd", "inf") or ("NIL", None);
a number of a column of several types is ("exact", Decimal).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import groupby, permutations, product

Cell = tuple[str, object]
Row = tuple[Cell, ...]
Table = list[Row]

_NUMBERS = {"integer", "real", "exact"}


@dataclass(frozen=True)
class Rules:
    """What a comparison may ask."""

    epsilon: Decimal = Decimal("0.0001")
    absolute: Decimal = Decimal(0)
    rows: str = "set"
    ties: Sequence[object] | None = None
    keys: Sequence[tuple[int, bool]] = ()
    """Columns of the reference, from 0, by which it was to be sorted, and whether each is descending."""
    ignore_case: bool = False
    text_numbers: bool = False
    dialect: str = "1992"
    yes_no: bool = False


def is_right(hypothesis: Table, references: list[Table], maxima: list[Table] | None, rules: Rules) -> bool:
    """Whether the hypothesis holds one of the minima and keeps to its maximum."""
    pairs = zip(references, maxima or [None] * len(references), strict=True)
    shown = read(hypothesis, rules)
    return any(
        _is_right(shown, read(wanted, rules), None if most is None else read(most, rules), rules)
        for wanted, most in pairs
    )


def _is_right(hypothesis: Table, reference: Table, maximum: Table | None, rules: Rules) -> bool:
    boolean = is_boolean(hypothesis) and is_boolean(reference)
    if rules.dialect == "1990" and (rules.yes_no or is_boolean(reference)) and not boolean:
        # 003, B.2.12: a table is YES unless it is empty.
        if truth(hypothesis) != truth(reference) or (maximum is not None and truth(maximum) != truth(reference)):
            return False
        return maximum is None or is_boolean(hypothesis) or is_boolean(maximum) or keeps_to(hypothesis, maximum, rules)
    return holds(hypothesis, reference, rules) and (maximum is None or keeps_to(hypothesis, maximum, rules))


def is_boolean(table: Table) -> bool:
    """One boolean, however often."""
    return len(set(table)) == 1 and len(table[0]) == 1 and table[0][0][0] == "boolean"


def truth(table: Table) -> bool:
    """What a table says to a yes/no question."""
    return bool(table[0][0][1]) if is_boolean(table) else bool(table)


def read(table: Table, rules: Rules) -> Table:
    """Strings as the options have them; in a column of several types, numbers are only equal or not."""
    columns = [[_read(cell, rules) for cell in column] for column in zip(*table, strict=True)]
    for place, column in enumerate(columns):
        kinds = {"number" if kind in (*_NUMBERS, "odd") else kind for kind, _ in column} - {"NIL"}
        if len(kinds) > 1:
            columns[place] = [("exact" if kind in _NUMBERS else kind, value) for kind, value in column]
    return list(zip(*columns, strict=True))


def _read(cell: Cell, rules: Rules) -> Cell:
    kind, value = cell
    if kind != "string":
        return cell
    text = str(value).casefold() if rules.ignore_case else str(value)
    if rules.text_numbers and re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        return ("real" if re.search("[.eE]", text) else "integer"), Decimal(text)
    return kind, text


def holds(hypothesis: Table, reference: Table, rules: Rules) -> bool:
    """000, section 4: project the hypothesis on every choice of columns, compare the sets of tuples."""
    if not hypothesis or not reference:
        return not hypothesis and not reference
    for mapping in permutations(range(len(hypothesis[0])), len(reference[0])):
        shown = [tuple(row[column] for column in mapping) for row in hypothesis]
        if rules.keys and rules.rows != "set":
            for nil_first in (True, False):
                ranks = places(reference, rules, nil_first)
                order = sorted(range(len(reference)), key=ranks.__getitem__)
                tied = replace(rules, keys=(), ties=sorted(ranks))
                if rows_fit(shown, [reference[row] for row in order], tied):
                    return True
        elif rows_fit(shown, reference, rules) and (not rules.keys or is_in_order(shown, reference, rules)):
            return True
    return False


def is_in_order(shown: Table, reference: Table, rules: Rules) -> bool:
    """000, section 3.3: each row can take the place of a reference row with its keys, none before an earlier one."""
    only_keys = [[tuple(row[column] for column, _ in rules.keys) for row in table] for table in (shown, reference)]
    return any(
        any(
            list(chosen) == sorted(chosen)
            for chosen in product(
                *(
                    {
                        place
                        for wanted, place in zip(only_keys[1], places(reference, rules, nil_first), strict=True)
                        if same_row(row, wanted, rules)
                    }
                    for row in only_keys[0]
                )
            )
        )
        for nil_first in (True, False)
    )


def places(reference: Table, rules: Rules, nil_first: bool) -> list[tuple[int, ...]]:
    """For each reference row how many values of each key come before its own."""
    ranks = []
    for column, descending in rules.keys:
        values = [_sorted_by(row[column]) for row in reference]
        known = sorted({value for value in values if value is not None}, reverse=descending)
        nil = -1 if nil_first else len(known)
        ranks.append([nil if value is None else known.index(value) for value in values])
    return list(zip(*ranks, strict=True))


def _sorted_by(cell: Cell) -> tuple[int, Decimal, str] | None:
    kind, value = cell
    if kind == "NIL":
        return None
    if isinstance(value, Decimal):
        return 0, value, ""
    if value in ("{float: inf}", "{float: -inf}"):
        return 0, Decimal(str(value)[8:-1]), ""
    return 1, Decimal(0), str(value).upper() if kind == "boolean" else str(value)


def rows_fit(shown: Table, reference: Table, rules: Rules) -> bool:
    """Whether rows agree as a set, as a multiset, or place by place."""
    if rules.rows == "set":
        return all(any(same_row(row, wanted, rules) for wanted in reference) for row in shown) and all(
            any(same_row(row, wanted, rules) for row in shown) for wanted in reference
        )
    if len(shown) != len(reference):
        return False
    ties = rules.ties or (range(len(reference)) if rules.rows == "ordered" else [0] * len(reference))
    places = [[row for row, _ in group] for _, group in groupby(enumerate(ties), key=lambda pair: pair[1])]
    return all(
        any(
            _fit_in_order([shown[i] for i in chosen], [reference[j] for j in rows], rules)
            for chosen in permutations(rows)
        )
        for rows in places
    )


def _fit_in_order(shown: Table, reference: Table, rules: Rules) -> bool:
    return all(same_row(row, wanted, rules) for row, wanted in zip(shown, reference, strict=True))


def keeps_to(hypothesis: Table, maximum: Table, rules: Rules) -> bool:
    """001, section 2.2.2: all columns of the hypothesis are columns of the maximum, its tuples projections."""
    if not hypothesis:
        return True
    if not maximum:
        return False
    for mapping in permutations(range(len(maximum[0])), len(hypothesis[0])):
        projected = [tuple(row[column] for column in mapping) for row in maximum]
        if all(any(same_row(row, most, rules) for most in projected) for row in hypothesis):
            return True
    return False


def same_row(row: Row, reference: Row, rules: Rules) -> bool:
    """Cell for cell."""
    return all(same(cell, want, rules.epsilon, rules.absolute) for cell, want in zip(row, reference, strict=True))


@cache
def same(cell: Cell, wanted: Cell, epsilon: Decimal, absolute: Decimal) -> bool:
    """000, S-9, and 001, appendix A: a tolerance for reals, none for integers."""
    kind, value = cell
    wanted_kind, wanted_value = wanted
    if {kind, wanted_kind} <= _NUMBERS:
        assert isinstance(value, Decimal) and isinstance(wanted_value, Decimal)
        if "real" in (kind, wanted_kind) and "exact" not in (kind, wanted_kind):
            return abs(value - wanted_value) <= max(epsilon * abs(wanted_value), absolute)
        return value == wanted_value
    return kind == wanted_kind and value == wanted_value
