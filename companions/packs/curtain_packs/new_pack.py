"""A pack from a database: what `curtain domain new` writes. It works at once, and every guess in it can be changed."""

from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from curtain.base.errors import CurtainError
from curtain.base.progress_bar import Report
from curtain.base.scratch import whole_folder
from curtain.base.sql_names import quoted, sql_literal
from curtain_packs import pack_text
from curtain_packs.guesses import SchemaGuess, guess
from curtain_packs.sources import Wishes, bring, newest_day


@dataclass(frozen=True)
class NewPack:
    """What was written: how many tables and rows, and what to look at, in plain sentences."""

    folder: Path
    tables: int
    rows: int
    notes: tuple[str, ...]


def new_pack(source: Path, folder: Path, report: Report, wishes: Wishes | None = None) -> NewPack:
    """Writes a pack for the tables of a DuckDB or SQLite file or of a folder of CSV or Parquet files.

    `wishes` are what a person says about files that do not say it themselves.

    All of it or nothing is there in the end. Raises CurtainError; `report(what, share)` hears how far it is.
    """
    if folder.exists():
        raise CurtainError(f"{folder} is there already; name a folder that is not.")
    with whole_folder(folder) as made:
        schema = _fill(made, source, folder.name, report, wishes or Wishes())
    return NewPack(folder, len(schema.tables), sum(schema.rows.values()), schema.notes)


def _fill(pack: Path, source: Path, name: str, report: Report, wishes: Wishes) -> SchemaGuess:
    (pack / "scenarios").mkdir()
    with duckdb.connect(str(raw_file := pack / "raw.duckdb")) as raw:
        brought = bring(source, raw, lambda what, share: report(what, share / 2), wishes)
        schema = guess(raw, brought, lambda what, share: report(what, 0.5 + 0.4 * share))
    wished = wishes.headings
    if lost := wished.keys() - {f"{table}.{column}" for table, columns in schema.tables.items() for column in columns}:
        raise CurtainError(f"--heading {min(lost)}: there is no such column. Write TABLE.COLUMN=WORDS.")
    schema = replace(schema, headings=wished)
    report("writing the database", 0.9)
    _build(raw_file, pack / "database.duckdb", schema)
    raw_file.unlink()
    as_of = newest_day(source)
    files = {
        "schema.sql": pack_text.schema_text(schema),
        "domain.toml": pack_text.domain_text(schema, name, as_of),
        "principles.toml": pack_text.principles_text(as_of.year),
        "demo.jsonl": pack_text.demo_text(schema),
        "scenarios/look-around.toml": pack_text.PRACTICE,
        f"scenarios/{pack_text.OWN_WISH_ID}.toml": pack_text.OWN_WISH,
    }
    for file, text in files.items():
        (pack / file).write_text(text, "utf-8")
    report("done", 1.0)
    return schema


def _build(raw: Path, database: Path, schema: SchemaGuess) -> None:
    """The database with its primary keys, so that rows have an order that does not depend on the source."""
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"ATTACH {sql_literal(str(raw))} AS raw (READ_ONLY)")
        for table in schema.tables:
            name = quoted(table)
            connection.execute(f"CREATE TABLE {name} ({', '.join(pack_text.column_entries(schema, table))})")
            connection.execute(f"INSERT INTO {name} SELECT * FROM raw.{name}")
        connection.execute("DETACH raw")
