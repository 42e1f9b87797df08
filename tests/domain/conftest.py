"""A tiny pack of our own: forty people, four departments, and everything a pack may hold."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.domain.worker.worker import SqlWorker
from tests.domain.club import write_club

DOMAIN = """
title = "Workshop"
as_of = 1989-08-19
dialect = "1989"
description = "Forty people in four departments."
yes_no = "boolean"

[headings]
"person.id" = "Number"
name = "Name"
born = "Date of birth"
"dept.name" = "Department"
dept = "Department number"

[canonical]
person = ["person.id"]
"""

SCHEMA = """
-- who works where
CREATE TABLE dept (dept INTEGER PRIMARY KEY, name VARCHAR NOT NULL);
CREATE TABLE IF NOT EXISTS "person" (
    id INTEGER PRIMARY KEY,
    name VARCHAR NOT NULL, /* upper case */
    born DATE,
    starts TIME,
    salary DECIMAL(9, 2),
    share DOUBLE,
    active BOOLEAN DEFAULT (1 = 1),
    dept INTEGER REFERENCES dept (dept),
    CHECK (id > 0)
);
"""

BUILD = """
from datetime import date, time
from pathlib import Path
import duckdb

def build(path, seed=1, progress=None):
    with duckdb.connect(str(path)) as db:
        db.execute((Path(__file__).parent / "schema.sql").read_text())
        for number in range(1, 5):
            db.execute("INSERT INTO dept VALUES (?, ?)", [number, f"DEPT {number}"])
        for number in range(1, 41):
            born = date(1930 + number, 1 + number % 12, 1 + number % 28) if number != 7 else None
            row = [number, f"NAME {number:02}", born, time(9, number), f"{number * seed}.50"]
            row += [number / 8, number % 2 == 1, 1 + number % 4]
            db.execute("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            if progress:
                progress("hiring", number / 40)
    print("a build may print")
"""

SCENARIO = 'id = "one"\ntitle = "One"\ntext = """\\nFind out.\\n"""\nkind = "closed"\n'
SOLUTION = 'sql = "SELECT 1"\nanswer = "1"\naccepted = ["one"]\n'
EXAMPLES = '{"question": "how many", "sql": "SELECT count(*) FROM person", "answer": "40"}\n'

MakePack = Callable[..., Path]


@pytest.fixture(scope="session")
def make_pack(tmp_path_factory: pytest.TempPathFactory) -> MakePack:
    """Writes the tiny pack into a new folder. A keyword with a file's stem changes that file: a text takes its place,
    a pair (old, new) is replaced in it, None leaves it out."""

    def make(**changed: str | tuple[str, str] | None) -> Path:
        folder = tmp_path_factory.mktemp("packs") / "workshop"
        files = {"domain.toml": DOMAIN, "schema.sql": SCHEMA, "build.py": BUILD, "scenarios/one.toml": SCENARIO}
        files |= {"solutions/one.toml": SOLUTION, "examples.jsonl": EXAMPLES}
        for name, text in files.items():
            wanted = changed.get(name.split(".")[0].split("/")[0], text)
            if isinstance(wanted, tuple):
                wanted = text.replace(*wanted)
            if wanted is not None:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(wanted, "utf-8")
        return folder

    return make


@pytest.fixture(scope="session")
def pack(make_pack: MakePack) -> Pack:
    return load_pack(make_pack())


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return load_pack(write_club(tmp_path_factory.mktemp("packs") / "club"))


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Named as in a cache of the user, for commands that look there."""
    return tmp_path_factory.mktemp("cache") / "curtain"


@pytest.fixture(scope="session")
def db(pack: Pack, cache: Path) -> Path:
    return database(pack, cache)


@pytest.fixture(scope="session")
def worker(pack: Pack, db: Path) -> Iterator[SqlWorker]:
    """One worker for all statements that do not hurt."""
    worker = SqlWorker(db, pack)
    yield worker
    worker.close()
