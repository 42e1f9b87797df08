"""Whether a table that a subject reads lies within the maximum answer, looked at from outside."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice, product
from typing import Any

import duckdb

from curtain.domain.pack.cells import text_of
from curtain.domain.pack.formats import Formats, formatted
from curtain.domain.wire import Result

TRUTH = [[["Yes"]], [["No"]], [["Unknown"]]]
MOST_CHOICES = 5_000

Texts = tuple[str, ...]


def check_shown(result: Result, connection: duckdb.DuckDBPyConnection, formats: Formats) -> None:
    """Every row that is shown is a row of the maximum, cut to some of its columns (001, section 2.2.2).

    The rows of the maximum are fetched anew by a connection without Curtain, and the columns are searched without its
    plan. A value counts as itself or as a format of the pack writes it. A cell of several values stands for each.
    """
    assert result.shown is not None and result.sql_max is not None, (result.sql, result.show_fault)
    if (result.yes_no and result.shown.rows in TRUTH) or not result.shown.rows:
        return
    rows = connection.execute(result.sql_max).fetchall()
    shown = {texts for row in result.shown.rows for texts in product(*(cell.split(", ") for cell in row))}
    assert _is_within(shown, rows, formats), (result.sql, result.shown.headings, result.shown.rows[:3])


def _is_within(shown: set[Texts], rows: Sequence[tuple[Any, ...]], formats: Formats) -> bool:
    examples = tuple({example for example in (formats.date, formats.time, *formats.columns.values()) if example})

    @cache
    def forms(value: object, kind: type) -> frozenset[str]:
        written = (formatted(value, example) for example in examples)
        truth = {formats.truth[not value]} if kind is bool else set()
        return frozenset({text_of(value), *truth, *(text for text in written if text)})

    columns = [[forms(value, type(value)) for value in column] for column in zip(*rows, strict=True)]
    texts = [frozenset().union(*column) for column in columns]
    choices = [[n for n, there in enumerate(texts) if set(wanted) <= there] for wanted in zip(*shown, strict=True)]
    return any(_holds(shown, [columns[n] for n in chosen]) for chosen in islice(product(*choices), MOST_CHOICES))


def _holds(shown: Iterable[Texts], columns: Sequence[Sequence[frozenset[str]]]) -> bool:
    allowed = {texts for row in zip(*columns, strict=True) for texts in product(*row)}
    return set(shown) <= allowed
