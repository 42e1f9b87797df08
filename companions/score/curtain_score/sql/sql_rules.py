"""How the evaluators that published numbers come from compare two results, so that their numbers can be had again.

Written from their published descriptions and code; each takes rows as the database gives them. Our own rules are
`curtain.cas.compare`. What these get wrong is in docs/metric.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

# Whoever only names a rule, as the command line does, waits for no parser and no Comparator: they load where used.
Rows = Sequence[tuple[Any, ...]]
_SPIDER2_DISTANCE = 1e-2


class SqlRule(Enum):
    """Whose idea of a right result: ours, or that of a benchmark's evaluator."""

    CURTAIN = "curtain"
    SPIDER = "spider"
    BIRD = "bird"
    SPIDER2 = "spider2"


def statement_under(rule: SqlRule, sql: str) -> str:
    """The statement as an evaluator runs it: Spider's leaves out every DISTINCT."""
    if rule is not SqlRule.SPIDER:
        return sql
    from curtain.base.sql_tokens import TokenKind, sql_tokens

    kept, end = "", 0
    for token in sql_tokens(sql):
        if token.kind is TokenKind.WORD and token.text.casefold() == "distinct":
            kept, end = kept + sql[end : token.start], token.end
    return kept + sql[end:]


def why_wrong(rule: SqlRule, shown: Rows, gold: Rows, gold_sql: str) -> str:
    """Why a result is wrong by an evaluator's rule; empty if it is right."""
    return _WHY[rule](shown, gold, gold_sql)


def _spider(shown: Rows, gold: Rows, gold_sql: str) -> str:
    """Equal multisets of rows under some order of the columns; lists, where the gold text has an ORDER BY."""
    from curtain.cas import Options, RowRule, compare, from_rows

    if not gold and not shown:
        return ""
    if gold and shown and len(gold[0]) != len(shown[0]):
        return f"{len(shown[0])} columns, the reference has {len(gold[0])}"
    rows = RowRule.ORDERED if "order by" in gold_sql.lower() else RowRule.MULTISET
    verdict = compare(from_rows(shown), from_rows(gold), epsilon="0", options=Options(rows))
    return "" if verdict else verdict.reason or verdict.outcome


def _bird(shown: Rows, gold: Rows, gold_sql: str) -> str:
    """Equal sets of rows, the columns in their order."""
    wanted, given = set(gold), set(shown)
    if wanted == given:
        return ""
    missing = next(iter(wanted - given), None)
    return f"row missing: {missing}" if missing is not None else f"row too many: {next(iter(given - wanted))}"


def _spider2(shown: Rows, gold: Rows, gold_sql: str) -> str:
    """Each gold column has the values of some column, sorted, and each number within a hundredth."""
    columns = [_sorted_column(column) for column in zip(*shown, strict=True)]
    for place, column in enumerate(zip(*gold, strict=True), 1):
        wanted = _sorted_column(column)
        if not any(len(wanted) == len(other) and all(map(_values_match, wanted, other)) for other in columns):
            return f"no column has the values of column {place}"
    return ""


def _sorted_column(values: Sequence[Any]) -> list[Any]:
    plain = [0 if value is None or value != value else value for value in values]
    return sorted(plain, key=lambda value: (str(value), isinstance(value, int | float)))


def _values_match(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(float(one), float(other), abs_tol=_SPIDER2_DISTANCE)
    return bool(one == other)


_WHY: dict[SqlRule, Callable[[Rows, Rows, str], str]] = {
    SqlRule.SPIDER: _spider,
    SqlRule.BIRD: _bird,
    SqlRule.SPIDER2: _spider2,
}
