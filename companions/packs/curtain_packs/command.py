"""`curtain domain new`, `check` and `build`: packs are made, looked over, and given their database."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from glob import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from curtain.base.disk import rename
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.privacy import sweep
from curtain.base.progress_bar import progress_bar
from curtain.base.sql_names import quoted
from curtain.base.terminal import print_json, print_line
from curtain.commands.options import AsJson, Overwrite, Pack, ensure_free_file
from curtain.commands.purposes import InPath, OutFile, OutFolder
from curtain.domain.pack.cells import text_of
from curtain.domain.pack.pack import agree_to_pack, database, named_pack
from curtain.ports.result import end_with
from curtain_packs.check import look_over
from curtain_packs.findings import PackFinding, Weight
from curtain_packs.guesses import guess
from curtain_packs.new_pack import new_pack
from curtain_packs.sources import Wishes, bring, tables_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


_ROWS_SHOWN = 3
_SHOWN = {Weight.PROBLEM: "BAD ", Weight.LACK: "lack", Weight.FINE: "ok  "}


def new(
    source: Annotated[InPath, typer.Argument(help="A DuckDB or SQLite file, or a folder of CSV or Parquet files.")],
    out: Annotated[OutFolder | None, typer.Option("--out", help="The pack's folder to make.")] = None,
    header: Annotated[
        list[str] | None,
        typer.Option("--header", help="The line of a CSV file that holds the names, or 0 for none. FILE=LINE for one."),
    ] = None,
    dates: Annotated[
        list[str] | None,
        typer.Option("--dates", help="How to read dates such as 01/02/2020: dmy, mdy or text. FILE=dmy for one."),
    ] = None,
    encoding: Annotated[
        list[str] | None,
        typer.Option("--encoding", help="The encoding of texts that are not UTF-8, such as cp1252. FILE=… for one."),
    ] = None,
    decimal: Annotated[
        list[str] | None,
        typer.Option("--decimal", help="What 1.234 and 1,234 mean where both are possible: point or comma is decimal."),
    ] = None,
    heading: Annotated[
        list[str] | None, typer.Option("--heading", help="What stands above a column in an answer: TABLE.COLUMN=WORDS.")
    ] = None,
    look: Annotated[
        bool, typer.Option("--look", help="Show the first rows and how they are understood; make nothing.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Writes a pack for a database, or with `look` shows how it is understood. Raises CurtainError."""
    headings = {column: words for column, _, words in (one.partition("=") for one in heading or ())}
    wishes = Wishes(_by_file(header), _by_file(dates), _by_file(encoding), _by_file(decimal), headings)
    if look:
        return _look(source, wishes, as_json)
    if out is None:
        raise CurtainError("Name the pack's folder to make with --out, or add --look.")
    with progress_bar() as report:
        made = new_pack(source, out, report, wishes)
    # Its author agreed by making it: the next command must not ask.
    agree_to_pack(made.folder.absolute())
    print_line(f"{made.folder}: tables {made.tables}, rows {made.rows:,}.")
    for note in made.notes:
        print_line(f"Look at this: {note}")
    folder = shlex.quote(str(made.folder))
    print_line(f'Try it: curtain answer --domain {folder} --sql "SELECT ..."; curtain domain check {folder}')
    return end_with(f"{made.folder}: tables {made.tables}, rows {made.rows:,}.", [made.folder], say=None)


def _by_file(given: Sequence[str] | None) -> dict[str, str]:
    return {file: value for file, _, value in (one.rpartition("=") for one in given or ())}


def _look(source: Path, wishes: Wishes, as_json: bool) -> int:
    import duckdb

    with duckdb.connect() as tables:
        with progress_bar() as report:
            brought = bring(source, tables, report, wishes)
            schema = guess(tables, brought, report)
        shown = [(table, columns, _first_rows(tables, table)) for table, columns in tables_of(tables)]
    if as_json:
        read_as = {table: asdict(reading) for table, reading in brought.readings.items()}
        looks = [
            {
                "table": table,
                "columns": columns,
                "rows": rows,
                "read_as": read_as.get(table),
                "headings": {column: schema.heading(table, column) for column in columns},
                "key": schema.keys.primary.get(table, ()),
                "understood": {column: schema.understood(table, column) for column in columns},
            }
            for table, columns, rows in shown
        ]
        return print_json({"tables": looks, "notes": schema.notes})
    for table, columns, rows in shown:
        print_line(f"{table}: {', '.join(f'{column} {kind}' for column, kind in columns.items())}")
        for row in rows:
            print_line(f"    {' | '.join(row)}")
    for note in schema.notes:
        print_line(f"Look at this: {note}")
    return 0


def _first_rows(tables: DuckDBPyConnection, table: str) -> list[list[str]]:
    rows = tables.execute(f"SELECT * FROM {quoted(table)} LIMIT {_ROWS_SHOWN}").fetchall()
    return [list(map(text_of, row)) for row in rows]


def check(pack: Pack, as_json: AsJson = False) -> int:
    """Lists what a pack lacks; 1 if something of it does not work."""
    with progress_bar() as report:
        findings = look_over(pack, report=report)
    if as_json:
        print_json([_as_json(finding) for finding in findings])
    else:
        for finding in findings:
            print_line(f"{_SHOWN[finding.weight]} {finding.file}: {finding.text}")
    return 1 if any(finding.weight is Weight.PROBLEM for finding in findings) else 0


def _as_json(finding: PackFinding) -> dict[str, str]:
    return {"weight": finding.weight.value, "file": finding.file, "text": finding.text}


def build(
    domain: Pack,
    out: Annotated[OutFile, typer.Option("--out", help="The file to write.")],
    seed: Annotated[int | None, typer.Option("--seed", help="The seed of every random draw.")] = None,
    overwrite: Overwrite = False,
) -> int:
    """The DuckDB file of a pack, made anew. Raises CurtainError."""
    ensure_free_file(out, overwrite)
    pack = named_pack(domain)
    if seed is not None and not (pack.folder / "build.py").is_file():
        raise CurtainError(f"{pack.folder} has no build.py, so there is nothing to seed.")
    home = out.absolute().parent
    with os_errors_as(f"{out} cannot be written"):
        home.mkdir(parents=True, exist_ok=True)
        # Parts of a build that was killed; `escape`, since the name may hold a * or [.
        sweep(home, [f".{escape(out.name)}.part-*"])
        with progress_bar() as report, TemporaryDirectory(dir=home, prefix=f".{out.name}.part-") as part:
            made = shutil.copy(database(pack, Path(part), seed, report), Path(part) / "copy.duckdb")
            # Built beside and renamed: `out` is never half a database.
            rename(made, out)
    print_line(out)
    return 0
