"""What is shown of one answer: the table, by the study's wish and the pack's formats."""

from collections.abc import Sequence
from datetime import date, datetime, time
from itertools import islice

from curtain.base.table import Show, Table
from curtain.domain.pack.cells import display_rows, is_numeric, text_of
from curtain.domain.wire import Limits, PackRules

from ..maximum.shown_places import Maximum
from ..pack.formats import Formats, formatted, kind_of
from .plan import ReadColumn, ReadingPlan, name_columns, plain_plan, readable_plan, whole_plan
from .reading import Cell, ReadRows, Row, ensure_within, read_rows

_VERDICTS = ("TRUE", "YES"), ("FALSE", "NO"), ("NIL",)
_BETWEEN = ", "


def truth_table(cas_min: str, formats: Formats) -> Table | None:
    """Yes, No or Unknown, if the minimum answer is one of these, alone or with a table beside it (001, rule 2.11)."""
    place = verdict_of(cas_min)
    # No heading: the word is the answer to the query right above it.
    return None if place is None else Table(headings=[""], rows=[[formats.truth[place]]], numeric=[False], total=1)


def verdict_of(cas_min: str) -> int | None:
    """0 for yes, 1 for no, 2 for neither, as `Formats.truth` has them; None for an answer without such a word."""
    verdict = cas_min[:8].lstrip("(").partition(" ")[0].upper()
    return next((place for place, words in enumerate(_VERDICTS) if verdict in words), None)


def reading_of(
    show: Show, maximum: Maximum, headings: Sequence[str], rows: Sequence[Row], minimum: Sequence[Row],
    words: dict[str, str], ordered: bool = True,
) -> ReadRows:  # fmt: skip
    """The rows of a maximum as they are to be shown; `headings` and `minimum` are those of the minimum answer, whose
    rows the statement has `ordered` or not.

    Raises OutsideMaximum.
    """
    read = read_rows(_plan(show, maximum, headings, rows, words), rows, minimum, ordered)
    ensure_within(read.rows, read.plan, rows)
    return read


def table_of(reading: ReadRows, types: Sequence[str], rules: PackRules, limits: Limits) -> Table:
    """The texts of a reading; `types` are DuckDB's, of all columns of the maximum."""
    columns = reading.plan.columns
    formats = [_format(column, types[column.number], rules.formats) for column in columns]
    rows = ([_text(cell, *form) for cell, form in zip(row, formats, strict=True)]
            for row in islice(reading.rows, limits.display_rows))  # fmt: skip
    return Table(
        headings=[column.heading for column in columns],
        rows=display_rows(rows, limits.display_bytes),
        numeric=[is_numeric(types[column.number]) and kind_of(example) != "time"
                 for column, (example, _) in zip(columns, formats, strict=True)],
        total=len(reading.rows),
    )  # fmt: skip


def _plan(
    show: Show, maximum: Maximum, headings: Sequence[str], rows: Sequence[Row], words: dict[str, str]
) -> ReadingPlan:
    width = max(len(maximum.origins), len(headings))
    # Where the columns were followed to others than DuckDB gives, nothing is known of them.
    if rows and len(rows[0]) != width:
        return plain_plan(Maximum(""), headings)
    if show == "maximum":
        return whole_plan(maximum, headings, words)
    nameless = [
        place
        for place, (key, names) in name_columns(maximum).items()
        if any(all(row[n] is None for n in names) and any(row[n] is not None for n in key) for row in rows)
    ]
    return readable_plan(maximum, headings, nameless)


def _format(column: ReadColumn, type_name: str, formats: Formats) -> tuple[str, Formats]:
    return formats.of_column(column.origin) if column.origin else "", formats


def _text(cell: Cell, example: str, formats: Formats) -> str:
    return _BETWEEN.join(_text_of_value(value, example, formats) for value in cell)


def _text_of_value(value: object, example: str, formats: Formats) -> str:
    match value:
        case bool():
            return formats.truth[0] if value else formats.truth[1]
        case datetime():
            pass
        case date():
            example = example or formats.date
        case time():
            example = example or formats.time
    return (formatted(value, example) if example else None) or text_of(value)
