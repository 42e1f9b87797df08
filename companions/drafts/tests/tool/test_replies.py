"""What served models write in the SQL of other databases answers here as it answers there, behind the same guard."""

import re
import sqlite3
import tomllib
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path

import duckdb
import pytest

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain_drafts.models.served_model import statement_in
from curtain_drafts.tool.serving.checks import Checks

MARKET = """
CREATE TABLE "Customer Accounts" (
    "Account No" INTEGER PRIMARY KEY, Name TEXT, City TEXT, Zip TEXT, Joined DATE, "Credit Limit" DOUBLE);
CREATE TABLE Product (
    ProductId INTEGER PRIMARY KEY, Title TEXT, Category TEXT, Price TEXT, Weight DOUBLE, InStock BOOLEAN);
CREATE TABLE Staff (
    StaffId INTEGER PRIMARY KEY, Name TEXT, City TEXT, Manager INTEGER, Salary INTEGER,
    Born TEXT, Started DATE);
CREATE TABLE Sale (
    SaleId INTEGER PRIMARY KEY, AccountNo INTEGER,
    ProductId INTEGER, Quantity INTEGER, SoldOn DATE, Note TEXT);
INSERT INTO "Customer Accounts" VALUES (1, 'Lund', 'Oslo', '0150', '2020-01-05', 900.5),
    (2, 'Berg', 'Bergen', '5003', '2020-03-17', 250), (3, 'Moe', 'Oslo', '0181', '2021-07-30', NULL),
    (4, 'Dahl', 'Tromso', 'abroad', '2021-09-01', 700);
INSERT INTO Product VALUES (1, 'Lamp', 'light', '12.50', 1.5, 1), (2, 'Lantern', 'light', '30', 2.25, 0),
    (3, 'Table', 'wood', '199.99', 30, 1), (4, 'Night lamp', 'light', 'n/a', 0.75, 1),
    (5, 'Stool', 'wood', '45', 6.5, 0);
INSERT INTO Staff VALUES (1, 'Ada', 'Oslo', NULL, 5200, '1961-04-02', '2015-02-01'),
    (2, 'Ben', 'Bergen', 1, 3400, '1975-11-23', '2019-06-15'),
    (3, 'Cora', 'Oslo', 1, 3100, '1969-12-31', '2019-08-01'),
    (4, 'Dan', 'Bergen', 2, 2800, 'unknown', '2020-10-10');
INSERT INTO Sale VALUES (1, 1, 1, 3, '2021-03-04', 'gift wrapped'), (2, 1, 3, 1, '2021-03-15', NULL),
    (3, 2, 2, 2, '2020-12-24', 'urgent'), (4, 3, 4, 5, '2021-05-01', NULL), (5, 4, 5, 1, '2021-04-30', 'none');
"""
TABLE = tomllib.loads((Path(__file__).parent / "cases" / "replies.toml").read_text("utf-8"))
CASES = [("market", said, said) for said in TABLE["market"]["sqlite"]]
CASES += [(name, said, means) for name, table in TABLE.items() for said, means in table["others"]]

Tried = tuple[Pack, Checks, sqlite3.Connection | None]


@pytest.fixture(scope="module")
def domains(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Tried]]:
    folder = tmp_path_factory.mktemp("market") / "market"
    folder.mkdir()
    lite = sqlite3.connect(":memory:")
    lite.executescript(MARKET)
    # A pack has plain names in the place of those that need quotes.
    schema = re.sub('"([^"]*)"', lambda name: name[1].replace(" ", "_").lower(), MARKET)
    (folder / "domain.toml").write_text('title = "Market"\nas_of = 2022-01-01\n', "utf-8")
    (folder / "schema.sql").write_text(schema.partition("INSERT")[0], "utf-8")
    with duckdb.connect(str(folder / "database.duckdb")) as duck:
        duck.execute(schema)
    packs = {"market": load_pack(folder), "personnel": load_pack("personnel"), "atis": load_pack("atis")}
    made = {name: (pack, Checks(pack, database(pack), 20.0), lite) for name, pack in packs.items()}
    yield made  # type: ignore[misc]
    for _, checks, _ in made.values():
        checks.close()
    lite.close()


def plain(value: object) -> object:
    """A value as SQLite has it; numbers as they are written."""
    match value:
        case bool() | int() | float() | Decimal():
            return f"{float(value):.6g}"
        case datetime() if (value.hour, value.minute, value.second) == (0, 0, 0):
            return str(value.date())
        case None:
            return None
    return str(value)


@cache
def attached(path: Path) -> duckdb.DuckDBPyConnection:
    # To open a file takes longer than most statements. Attached, it may be opened with other settings elsewhere.
    connection = duckdb.connect()
    quoted = str(path).replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS attached (READ_ONLY)")
    connection.execute("USE attached")
    return connection


@pytest.mark.parametrize(("name", "said", "means"), CASES)
def test_a_reply_answers_here_what_it_answers_there(
    domains: dict[str, Tried], name: str, said: str, means: str
) -> None:
    pack, checks, lite = domains[name]
    sql = statement_in(said)
    trial = checks.tried([sql], within=30)[sql]
    assert trial.result and not trial.problem, sql
    duck = attached(database(pack))
    rows = sorted((tuple(map(plain, row)) for row in duck.execute(trial.sql).fetchall()), key=repr)
    wanted = lite.execute(means).fetchall() if name == "market" else duck.execute(means).fetchall()
    assert rows == sorted((tuple(map(plain, row)) for row in wanted), key=repr), trial.sql
