"""A small domain for the drafting tests: ferries between islands, and answered questions about them."""

from pathlib import Path

import duckdb

from curtain_drafts.drafting.values import Example

DOMAIN = """
title = "Ferries"
as_of = 1992-04-20
[codes]
"island.island_code" = "island.island_name"
"company.company_code" = "company.company_name"
[periods]
"morning" = { begin = 0, end = 1200, ends_included = false }
"evening" = { begin = 1800, end = 2200, ends_included = false }
"night" = { begin = 2000, end = 600, ends_included = false }
"""

SCHEMA = """
CREATE TABLE island (island_code VARCHAR PRIMARY KEY, island_name VARCHAR NOT NULL);
CREATE TABLE company (company_code VARCHAR PRIMARY KEY, company_name VARCHAR NOT NULL);
CREATE TABLE ferry (
    ferry_id INTEGER PRIMARY KEY,
    from_island VARCHAR REFERENCES island (island_code),
    to_island VARCHAR REFERENCES island (island_code),
    company_code VARCHAR REFERENCES company (company_code),
    departure_time INTEGER,
    day_name VARCHAR,
    price INTEGER,
    stops INTEGER,
    water VARCHAR
);
CREATE TABLE tide (tide_code VARCHAR, tide_name VARCHAR, PRIMARY KEY (tide_code, tide_name));
"""

ROWS = """
INSERT INTO island VALUES ('MU', 'MULL'), ('SK', 'SKYE'), ('IO', 'IONA'), ('EI', 'EIGG'), ('NR', 'NORTH RONA');
INSERT INTO company VALUES ('RL', 'RED LINE'), ('BL', 'BLUE LINE'), ('KS', 'KESTREL SHIPPING');
INSERT INTO ferry VALUES
    (1, 'MU', 'SK', 'RL', 700, 'MONDAY', 20, 0, 'A'), (2, 'MU', 'SK', 'BL', 1200, 'FRIDAY', 15, 1, 'B'),
    (3, 'IO', 'EI', 'KS', 1900, 'FRIDAY', 9, 0, 'A'), (4, 'SK', 'NR', 'RL', 2030, 'SUNDAY', 30, 2, 'B');
INSERT INTO tide VALUES ('A', 'HIGH TIDE'), ('A', 'LOW TIDE'), ('B', 'HIGH TIDE');
"""

_JOIN = (
    "SELECT DISTINCT ferry.ferry_id FROM ferry, island AS island_1, island AS island_2 WHERE ferry.from_island = "
    "island_1.island_code AND island_1.island_name = '{a}' AND ferry.to_island = island_2.island_code "
    "AND island_2.island_name = '{b}'"
)
_PLACES = [("MULL", "SKYE"), ("IONA", "EIGG"), ("SKYE", "NORTH RONA"), ("EIGG", "MULL")]
_COMPANIES = [("red line", "RL"), ("blue line", "BL"), ("kestrel shipping", "KS")]


def between(a: str, b: str, more: str = "") -> str:
    """The SQL of ferries from one island to another, with more conditions."""
    return _JOIN.format(a=a, b=b) + more


def at_tide(a: str, b: str, tide: str) -> str:
    """The same at a tide, by a join that no key gives."""
    joined = between(a, b, f" AND ferry.water = tide.tide_code AND tide.tide_name = '{tide}'")
    return joined.replace(" FROM ferry", " FROM ferry, tide")


def examples() -> list[Example]:
    """Some 50 answered questions."""
    found = []
    for n, (a, b) in enumerate(_PLACES):
        frm, to = a.lower(), b.lower()
        company, code = _COMPANIES[n % 3]
        hour = 8 + n
        found += [
            (f"show me the ferries from {frm} to {to}", between(a, b)),
            (f"which ferries go to {to} from {frm}", between(a, b)),
            (f"ferries from {frm} to {to} on {company}", between(a, b, f" AND ferry.company_code = '{code}'")),
            (f"nonstop ferries from {frm} to {to}", between(a, b, " AND ferry.stops = 0")),
            (f"ferries from {frm} to {to} on friday", between(a, b, " AND ferry.day_name = 'FRIDAY'")),
            (f"ferries from {frm} to {to} before {hour} am", between(a, b, f" AND ferry.departure_time < {hour}00")),
            (f"ferries from {frm} to {to} after {n + 1} pm", between(a, b, f" AND ferry.departure_time > {n + 13}00")),
            (f"morning ferries from {frm} to {to}", between(a, b, " AND ferry.departure_time BETWEEN 0 AND 1200")),
            (f"what companies sail to {to}", _companies(b)),
            (f"how many ferries leave {frm}", _count(a)),
        ]
    tides = ((a, b, tide) for a, b in _PLACES for tide in ("HIGH TIDE", "LOW TIDE"))
    found += [(f"ferries from {a} to {b} at {tide}".lower(), at_tide(a, b, tide)) for a, b, tide in tides]
    return [Example(question, sql, id=f"e{n}") for n, (question, sql) in enumerate(found)]


def _companies(to: str) -> str:
    return (
        "SELECT DISTINCT company.company_code FROM company, ferry, island "
        "WHERE ferry.company_code = company.company_code AND ferry.to_island = island.island_code "
        f"AND island.island_name = '{to}'"
    )


def runs(where: str) -> str:
    """The companies of the ferries between two islands, `island_1` and `island_2`, with conditions; or of all."""
    islands = ", island AS island_1, island AS island_2" if where else ""
    more = f" AND {where}" if where else ""
    joined = f"FROM ferry, company{islands} WHERE ferry.company_code = company.company_code{more}"
    return f"SELECT DISTINCT company.company_code {joined}"


def _count(place: str) -> str:
    return (
        "SELECT COUNT(*) FROM ferry, island WHERE ferry.from_island = island.island_code "
        f"AND island.island_name = '{place}'"
    )


def write_pack(folder: Path) -> Path:
    """Writes the pack and its database."""
    folder.mkdir()
    (folder / "domain.toml").write_text(DOMAIN)
    (folder / "schema.sql").write_text(SCHEMA)
    (folder / "lexicon.toml").write_text('["company.company_code"]\nKS = ["kestrel"]\n')
    with duckdb.connect(str(folder / "database.duckdb")) as database:
        database.execute(SCHEMA + ROWS)
    return folder
