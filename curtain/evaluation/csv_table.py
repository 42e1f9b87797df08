"""CSV files with a line of headings, from hands we do not trust: every fault is one sentence with file and line."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from curtain.base.text_file import csv_cell, csv_reader
from curtain.evaluation.json_lines import BadFile, read_text_file, shown_id


class TableLine(NamedTuple):
    """A line by its headings, without blanks around the values, and its number in the file, from 1."""

    number: int
    values: Mapping[str, str]
    decimal_comma: bool = False
    """Whether numbers may have a comma: spreadsheets that write semicolons between values write them so."""


def read_table(path: Path, needed: Sequence[str], faults: list[str] | None = None) -> Iterator[TableLine]:
    """The lines of a CSV file whose headings hold the `needed` ones; semicolons or tabs may separate its values. Lines
    without any value are left out.

    Raises BadFile for a file that cannot be read or is not UTF-8, a heading that is missing or stands twice, and a
    line with more values than headings; `faults` takes the sentences about such lines instead.
    """
    text = read_text_file(path)
    reader: Any = csv_reader(text, needed)
    try:
        headings = [csv_cell(heading).strip() for heading in next(reader, [])]
        _check_headings(path, headings, needed)
        yield from _lines(path, reader, headings, faults)
    except csv.Error as error:
        raise BadFile(f"{path} line {reader.line_num} is no CSV: {error}.") from error


def _check_headings(path: Path, headings: Sequence[str], needed: Sequence[str]) -> None:
    missing = [heading for heading in needed if heading not in headings]
    if missing:
        raise BadFile(f"{path} line 1 lacks the column {missing[0]}; its headings must hold {', '.join(needed)}.")
    twice = next((heading for heading in headings if headings.count(heading) > 1), None)
    if twice is not None:
        raise BadFile(f"{path} line 1 has the column {shown_id(twice)} twice; keep one of them.")


def _lines(path: Path, reader: Any, headings: Sequence[str], faults: list[str] | None) -> Iterator[TableLine]:
    semicolons = reader.dialect.delimiter == ";"
    for values in reader:
        number = reader.line_num
        if len(values) > len(headings):
            fault = f"{path} line {number} has {len(values)} values for {len(headings)} columns."
            if faults is None:
                raise BadFile(fault)
            faults.append(fault)
        elif any(value.strip() for value in values):
            # A short line lacks the values at its end.
            padded = [*values, *[""] * (len(headings) - len(values))]
            yield TableLine(
                number, dict(zip(headings, (csv_cell(value).strip() for value in padded), strict=True)), semicolons
            )
