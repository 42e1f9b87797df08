"""A small pack for the maximum: members, teams, who plays where, and visits; and statements over it by the dozen."""

import random
from collections.abc import Iterator
from pathlib import Path

DOMAIN = """
title = "Club"
as_of = 1992-04-20
dialect = "1992"
yes_no = "alternates"

[canonical]
member = ["member.member_id"]
team = ["team.team_code"]
visit = ["visit.member_id", "visit.day"]

[maximum]
member = ["member.member_id", "member.last_name", "member.first_name", "member.city"]
team = ["team.team_code", "team.team_name", "member.last_name", "plays.member_id"]
visit = ["visit.member_id", "visit.day", "visit.hours", "member.last_name"]

[readable.member]
"First name" = "member.first_name"
"Last name" = "member.last_name"

[readable.team]
"Team" = "team.team_name"
"Captain" = "team.captain_id > member.last_name"

[readable."team.captain_id"]
"Name of captain" = "member.last_name"

[readable.visit]
"Visitor" = "member.last_name"
"Day" = "visit.day"

[formats]
joined = "06.10.1952"
fee = "1.234,50 €"
"""

SCHEMA = """
CREATE TABLE member (
    member_id INTEGER PRIMARY KEY, last_name VARCHAR, first_name VARCHAR, city VARCHAR, fee INTEGER, joined DATE,
    sponsor_id INTEGER REFERENCES member (member_id)
);
CREATE TABLE team (
    team_code VARCHAR PRIMARY KEY, team_name VARCHAR, captain_id INTEGER REFERENCES member (member_id)
);
CREATE TABLE plays (
    member_id INTEGER REFERENCES member (member_id), team_code VARCHAR REFERENCES team (team_code), since INTEGER,
    PRIMARY KEY (member_id, team_code)
);
CREATE TABLE visit (
    member_id INTEGER REFERENCES member (member_id), day INTEGER, hours INTEGER, PRIMARY KEY (member_id, day)
);
"""

BUILD = """
import random
from datetime import date
from pathlib import Path
import duckdb

def build(path, seed=1, progress=None):
    draw = random.Random(seed)
    with duckdb.connect(str(path)) as db:
        db.execute((Path(__file__).parent / "schema.sql").read_text())
        for number in range(1, 31):
            who = [number, f"LAST {number % 11}", f"FIRST {number % 7}", draw.choice(["ROME", "OSLO", None])]
            who += [draw.choice([10, 20, 30]), date(1990, 1 + number % 12, 5), draw.randrange(1, max(2, number))]
            db.execute("INSERT INTO member VALUES (?, ?, ?, ?, ?, ?, ?)", who if number > 1 else [*who[:6], None])
        for number in range(5):
            db.execute("INSERT INTO team VALUES (?, ?, ?)", [f"T{number}", f"TEAM {number % 4}", number + 1])
        for member in range(1, 26):
            for team in draw.sample(range(5), draw.randrange(0, 3)):
                db.execute("INSERT INTO plays VALUES (?, ?, ?)", [member, f"T{team}", 1980 + member % 3])
            for day in draw.sample(range(1, 6), draw.randrange(0, 3)):
                db.execute("INSERT INTO visit VALUES (?, ?, ?)", [member, day, draw.choice([1, 2, None])])
"""


def write_club(folder: Path) -> Path:
    """The pack's folder."""
    folder.mkdir(parents=True)
    for name, text in {"domain.toml": DOMAIN, "schema.sql": SCHEMA, "build.py": BUILD}.items():
        (folder / name).write_text(text, "utf-8")
    return folder


_COLUMNS = {
    "member": ["member_id", "last_name", "first_name", "city", "fee", "joined", "sponsor_id"],
    "team": ["team_code", "team_name", "captain_id"],
    "plays": ["member_id", "team_code", "since"],
    "visit": ["member_id", "day", "hours"],
}
_FROMS = [
    ("member m", {"m": "member"}),
    ("team t", {"t": "team"}),
    ("plays p", {"p": "plays"}),
    ("visit v", {"v": "visit"}),
    ("member m JOIN visit v ON v.member_id = m.member_id", {"m": "member", "v": "visit"}),
    ("member m LEFT JOIN visit v ON v.member_id = m.member_id", {"m": "member", "v": "visit"}),
    ("member m JOIN member s ON s.member_id = m.sponsor_id", {"m": "member", "s": "member"}),
    ("member m, plays p, team t", {"m": "member", "p": "plays", "t": "team"}),
    ("plays p JOIN team t USING (team_code)", {"p": "plays", "t": "team"}),
    ("team t JOIN member c ON c.member_id = t.captain_id", {"t": "team", "c": "member"}),
]
_TIES = {"member m, plays p, team t": "p.member_id = m.member_id AND p.team_code = t.team_code"}
_CONDITIONS = {
    "member": [
        "{0}.fee > 10", "{0}.city = 'ROME'", "{0}.city IS NULL", "{0}.joined < DATE '1990-06-30'",
        "{0}.last_name LIKE 'LAST 1%'", "{0}.member_id IN (SELECT sponsor_id FROM member)",
        "{0}.fee = (SELECT MAX(fee) FROM member)",
        "EXISTS (SELECT 1 FROM visit WHERE visit.member_id = {0}.member_id)",
    ],
    "team": ["{0}.team_code <> 'T1'", "{0}.captain_id < 4"],
    "plays": ["{0}.since >= 1981", "{0}.team_code IN ('T0', 'T1', 'T2')"],
    "visit": ["{0}.hours IS NOT NULL", "{0}.day BETWEEN 2 AND 4"],
}  # fmt: skip


def statements(seed: int) -> Iterator[str]:
    """SELECTs without end: joins, nested queries, DISTINCT, groups, least and greatest, limits, set operations."""
    draw = random.Random(seed)
    while True:
        yield draw.choice([_plain, _plain, _plain, _grouped, _extreme, _of_set, _derived, _named, _starred])(draw)


def _plain(draw: random.Random) -> str:
    source, tables = draw.choice(_FROMS)
    outputs = ", ".join(_outputs(draw, tables))
    distinct = draw.choice(["", "", "DISTINCT "])
    return f"SELECT {distinct}{outputs} FROM {source}{_where(draw, source, tables)}{_end(draw)}"


def _outputs(draw: random.Random, tables: dict[str, str]) -> list[str]:
    places = [f"{alias}.{column}" for alias, table in tables.items() for column in _COLUMNS[table]]
    chosen = draw.sample(places, draw.choice([1, 1, 1, 2, 2, 3]))
    if draw.random() < 0.1:
        chosen.append(draw.choice(["concat({0}) AS big", "coalesce({0}, {0})", "{0} IS NULL"]).format(chosen[0]))
    return [f"CAST({one} AS VARCHAR)" if draw.random() < 0.05 else one for one in chosen]


def _where(draw: random.Random, source: str, tables: dict[str, str]) -> str:
    parts = [_TIES[source]] if source in _TIES else []
    for alias, table in tables.items():
        parts += [one.format(alias) for one in draw.sample(_CONDITIONS[table], draw.choice([0, 0, 1]))]
    if len(parts) > 1 and source not in _TIES and draw.random() < 0.2:
        return f" WHERE {' OR '.join(parts)}"
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def _end(draw: random.Random) -> str:
    return draw.choice(["", "", "", "", " ORDER BY 1", " ORDER BY 1 LIMIT 3", ";", " -- why"])


def _grouped(draw: random.Random) -> str:
    source, tables = draw.choice(_FROMS)
    key = draw.choice(_outputs(draw, tables)[:1])
    counted = draw.choice(["COUNT(*)", "COUNT(*) AS n", f"COUNT(DISTINCT {key})"])
    having = draw.choice(["", " HAVING COUNT(*) > 1"])
    listed = draw.choice([f"{key}, {counted}", key])
    if " AS big" in key:
        return _plain(draw)
    return f"SELECT {listed} FROM {source}{_where(draw, source, tables)} GROUP BY {key}{having}"


def _extreme(draw: random.Random) -> str:
    source, tables = draw.choice(_FROMS)
    alias, table = draw.choice(list(tables.items()))
    value = f"{draw.choice(['MIN', 'MAX'])}({alias}.{draw.choice(_COLUMNS[table])})"
    grouped = f"{alias}.{draw.choice(_COLUMNS[table])}"
    where = _where(draw, source, tables)
    if draw.random() < 0.3:
        return f"SELECT {grouped}, {value} FROM {source}{where} GROUP BY {grouped}"
    return f"SELECT {draw.choice([value, value, f'{value}, COUNT(*)', 'COUNT(*)', 'SUM(1)'])} FROM {source}{where}"


def _of_set(draw: random.Random) -> str:
    word = draw.choice(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"])
    column, others = draw.choice(
        [
            ("member_id", ["member", "visit", "plays"]), ("last_name", ["member", "member"]),
            ("team_code", ["team", "plays"]), ("hours", ["visit", "visit"]),
        ]
    )  # fmt: skip
    parts = []
    for table in (draw.choice(others), draw.choice(others)):
        condition = draw.choice(_CONDITIONS[table]).format(table)
        parts.append(f"SELECT {table}.{column} FROM {table} WHERE {condition}")
    return f" {word} ".join(parts) + draw.choice(["", "", " ORDER BY 1", " ORDER BY 1 LIMIT 2"])


def _derived(draw: random.Random) -> str:
    inner = draw.choice(
        [
            "SELECT member_id, last_name AS name FROM member WHERE fee > 10",
            "SELECT DISTINCT member_id, city AS name FROM member",
            "SELECT member_id, last_name AS name FROM member ORDER BY member_id LIMIT 4",
            "SELECT city AS name, MIN(member_id) AS member_id FROM member GROUP BY city",
            "SELECT member_id, city AS name FROM member UNION SELECT captain_id, team_name FROM team",
            "SELECT DISTINCT last_name AS name, fee AS member_id FROM member ORDER BY 1 LIMIT 3",
        ]
    )
    outputs = draw.choice(["x.member_id", "x.name", "x.name, v.day", "DISTINCT x.name", "COUNT(*)"])
    return f"SELECT {outputs} FROM ({inner}) x LEFT JOIN visit v ON v.member_id = x.member_id"


def _named(draw: random.Random) -> str:
    columns = draw.choice(["who", "who, called", "called", "MAX(called)"])
    inner = "SELECT member_id, first_name FROM member WHERE city = 'OSLO'"
    return f"WITH w (who, called) AS ({inner}) SELECT {columns} FROM w WHERE who > 3"


def _starred(draw: random.Random) -> str:
    source, tables = draw.choice(_FROMS)
    star = draw.choice(["*", f"{next(iter(tables))}.*"])
    return f"SELECT {star} FROM {source}{_where(draw, source, tables)}"
