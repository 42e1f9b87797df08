"""A score report on the terminal, as CSV and JSON, and as one page that needs nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curtain.base.disk import replace_files
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.record_file import by_name
from curtain.base.terminal import shown
from curtain.base.text_file import csv_lines, csv_text
from curtain.cas.scoring.intervals import Interval
from curtain.cas.scoring.score import Contrast, OverAnswering, ScoreRow, ScoreSheet
from curtain_score.score_tables import (
    Report,
    TextTable,
    bounds,
    comparison_of,
    excluded_of,
    method_of,
    notes_of,
    over_answering_of,
    paired_of,
    rounded,
    shares_of,
    tables_of,
)

if TYPE_CHECKING:
    from jinja2 import Template
    from rich.console import Console

_HYPHEN = re.compile(r"(?<![\w\]-])-(?=\.?\d)")
_GROUPINGS = ("by_class", "by_scenario", "by_site", "by_speaker", "by_failure")
# Wide enough for ten columns with intervals; Rich would fold them at 80.
_PIPE_WIDTH = 160


# -- the terminal -----------------------------------------------------------------------------------------


def print_report(report: Report, console: Console | None = None) -> None:
    """The tables and notes of a report on the terminal; wide enough for every figure where it is none."""
    from rich.console import Console
    from rich.text import Text

    screen = console or Console(highlight=False)
    # Without this a pipe would get tables folded for a narrow screen.
    if not screen.is_terminal:
        screen.width = max(screen.width, _PIPE_WIDTH)
    for table in (*tables_of(report), *_apart(report, paired_of(report))):
        screen.print(_rich_table(table))
    for sentence in (*comparison_of(report), *notes_of(report), *method_of(report)):
        # As Text: Rich reads [b] in a plain string as its own.
        screen.print(Text(shown(sentence)))


def _apart(report: Report, *more: TextTable | None) -> list[TextTable]:
    """The tables that stand after those with scores."""
    tables = (shares_of(report), over_answering_of(report), excluded_of(report), *more)
    return [table for table in tables if table is not None]


def _rich_table(table: TextTable) -> Any:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(title=Text(shown(table.title)), title_justify="left", box=box.SIMPLE_HEAD)
    for index, heading in enumerate(table.headings):
        drawn.add_column(Text(shown(heading)), justify="left" if index < table.labels else "right")
    for row in table.rows:
        drawn.add_row(*(Text(shown(cell)) for cell in row))
    return drawn


# -- for programs -----------------------------------------------------------------------------------------


def report_json(report: Report) -> str:
    """The figures, unrounded, as JSON."""
    # Unrounded: whoever computes on must not inherit our rounding.
    return json.dumps(_report_object(report), ensure_ascii=False, indent=2)


def _report_object(report: Report) -> dict[str, Any]:
    return {
        **by_name(report, "references", "dialect"),
        "epsilon": report.rules.epsilon,
        "all_readings": report.rules.all_readings,
        "seed": report.seed,
        "systems": [_sheet_object(sheet, tagged) for sheet, tagged in _tagged(report)],
        "contrast": _contrast_object(report.contrast) if report.contrast else None,
        "notes": notes_of(report),
    }


def _tagged(report: Report) -> Iterator[tuple[ScoreSheet, Sequence[ScoreRow]]]:
    """Each system with its rows by tag; none where nobody asked for them."""
    return zip(report.sheets, report.by_tag or [()] * len(report.sheets), strict=True)


def _sheet_object(sheet: ScoreSheet, by_tag: Sequence[ScoreRow]) -> dict[str, Any]:
    return {
        "system": sheet.system,
        "total": _row_object(sheet.total),
        **({"by_tag": list(map(_row_object, by_tag))} if by_tag else {}),
        **{name: list(map(_row_object, getattr(sheet, name))) for name in _GROUPINGS},
        "not_scored": {"n": sheet.excluded_count, "reasons": dict(sheet.excluded)},
        **by_name(sheet, "empty_matches", "chance_prone", "without_maximum"),
        "over_answering": _over_object(sheet.over_answering),
        "over_answering_right": _over_object(sheet.over_answering_right),
        # Without undecided items the range would be one point.
        "score_range": sheet.score_range if sheet.total.tally.undecided else None,
    }


def _over_object(over: OverAnswering) -> dict[str, Any]:
    counts = ("answers", "columns", "beyond_minimum", "bounded", "beyond_maximum")
    return by_name(over, *counts, "percent_beyond_minimum", "percent_beyond_maximum")


def _row_object(row: ScoreRow) -> dict[str, Any]:
    counts = row.tally
    return {
        "label": row.label,
        "n": counts.total,
        **by_name(counts, "right", "wrong", "no_answer", "malformed", "missing", "undecided"),
        "credit": None if counts.credit is None else float(counts.credit),
        "speakers": row.speakers,
        **{key: value for name in ("right", "wrong", "no_answer") for key, value in _share(row, name).items()},
        "weighted_error": counts.weighted_error,
        "weighted_error_half_width": row.error_half_width,
        "wald_1992_half_width": row.wald_1992,
        "score": counts.score,
        "score_95": _pair(row.score),
        "score_95_by": row.score.by if row.score else None,
    }


def _share(row: ScoreRow, name: str) -> dict[str, Any]:
    percent = f"percent_{name}"
    return {percent: getattr(row.tally, percent), f"{percent}_95": _pair(getattr(row, name))}


def _pair(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def _contrast_object(contrast: Contrast) -> dict[str, Any]:
    return {
        **by_name(contrast, "first", "second"),
        "outcomes": ["right", "wrong", "no_answer"],
        "table": contrast.table,
        "only_first_right": contrast.only_first,
        "only_second_right": contrast.only_second,
        "mcnemar_p": contrast.mcnemar,
        "stuart_maxwell_p": contrast.stuart_maxwell,
        "score_difference": contrast.difference,
        "score_difference_95": _pair(contrast.interval),
        "permutation_p": contrast.permutation.p,
        "permutation_by": contrast.permutation.by,
        "permutation_exact": contrast.permutation.exact,
        "undecided_left_out": contrast.left_out,
    }


def report_csv(report: Report) -> str:
    """One line for each row of each table and system, unrounded."""
    lines = [line for sheet, tagged in _tagged(report) for line in _csv_lines(sheet, tagged)]
    # There is always a row: the total.
    return csv_text(list(lines[0]), ([line[name] for name in lines[0]] for line in lines))


def _csv_lines(sheet: ScoreSheet, by_tag: Sequence[ScoreRow]) -> Iterator[dict[str, Any]]:
    tables = {"total": (sheet.total,), "tag": by_tag}
    # The table's name without “by_”: it is a column here, not a key.
    tables |= {name.removeprefix("by_"): getattr(sheet, name) for name in _GROUPINGS}
    for table, rows in tables.items():
        for row in rows:
            yield {"system": sheet.system, "table": table, **_flat(_row_object(row))}


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """An interval as two columns, `_low` and `_high`."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name.endswith("_95"):
            flat[f"{name}_low"], flat[f"{name}_high"] = value or (None, None)
        else:
            flat[name] = value
    return flat


def items_csv(sheets: Iterable[ScoreSheet]) -> Iterator[str]:
    """One line for each item and system, with its verdict; first the headings."""
    of_item = ("id", "eval_class", "speaker", "scenario", "site", "outcome", "reason")
    marks, excess = ("missing", "empty_match", "chance_prone"), ("columns", "beyond_minimum", "beyond_maximum")
    names = {"eval_class": "class", "outcome": "verdict"}
    headings = ("system", *(names.get(name, name) for name in of_item), "credit", *marks, *excess)
    rows = (
        (
            sheet.system,
            *(getattr(item, name) for name in of_item),
            float(item.credit),
            *(getattr(item, name) for name in marks),
            *(getattr(item.excess, name, None) for name in excess),
        )
        for sheet in sheets
        for item in (*sheet.items, *sheet.failing)
    )
    return csv_lines(headings, rows)


# -- the page ---------------------------------------------------------------------------------------------


def report_html(report: Report) -> str:
    """One page with tables: no script, nothing fetched, fit to be printed. The same report gives the
    same bytes."""
    return page_template("score.html").render(
        report=report,
        heads=[_head(sheet) for sheet in report.sheets],
        tables=tables_of(report),
        apart=_apart(report),
        paired=paired_of(report),
        comparison=comparison_of(report),
        notes=notes_of(report),
        method=method_of(report),
    )


def typeset(text: str) -> str:
    """A text as it is printed: with a minus before numbers in place of a hyphen."""
    return _HYPHEN.sub("−", text)


def page_template(name: str) -> Template:
    """One of our pages. What is put into it is escaped: labels and queries come from files we do not trust."""
    # Slow to load, and needed for pages alone.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("curtain_score", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        # Drawings are markup, and stay as they are.
        finalize=lambda value: typeset(value) if type(value) is str else value,
    )
    return environment.get_template(name)


def _head(sheet: ScoreSheet) -> dict[str, str]:
    counts = sheet.total.tally
    return {
        "system": sheet.system,
        "score": rounded(counts.score),
        "interval": bounds(sheet.total.score),
        "counts": f"{counts.right} right, {counts.wrong} wrong, {counts.no_answer} without an answer of {counts.total}",
    }


def write_report(report: Report, folder: Path) -> None:
    """Writes score.html, score.json, score.csv and items.csv; all are new and whole, or as they were. Raises
    CurtainError."""
    files: dict[str, str | Iterable[str]] = {
        "score.html": report_html(report),
        "score.json": report_json(report) + "\n",
        "score.csv": report_csv(report),
        "items.csv": items_csv(report.sheets),
    }
    write_files(folder, files, "The page")


def write_files(folder: Path, files: Mapping[str, str | Iterable[str]], what: str) -> None:
    """Writes texts, or their lines, by name into a folder that is made; all are new and whole, or as they were. `what`
    begins the sentence of CurtainError, which is raised if the disk does not take one."""
    with os_errors_as(f"{what} cannot be written to {folder}", CurtainError):
        replace_files(folder, {name: _encoded(text) for name, text in files.items()})


def _encoded(text: str | Iterable[str]) -> Iterator[bytes]:
    for line in (text,) if isinstance(text, str) else text:
        yield line.encode("utf-8", "backslashreplace")
