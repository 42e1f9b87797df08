"""A small domain for the drafting tests: a theatre whose actors have mentors among themselves, roles and degrees. Rows
are made up by counting, so they are the same each time."""

import sqlite3
from pathlib import Path

TABLES = """
CREATE TABLE school (school_id INTEGER PRIMARY KEY, school_name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE actor (
    actor_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, gender TEXT NOT NULL,
    birth_date DATE NOT NULL, hire_date DATE NOT NULL, mentor_id INTEGER REFERENCES actor (actor_id)
);
CREATE TABLE diploma (
    actor_id INTEGER REFERENCES actor (actor_id), subject TEXT, school_id INTEGER REFERENCES school (school_id),
    year INTEGER, PRIMARY KEY (actor_id, subject)
);
CREATE TABLE play (play_id INTEGER PRIMARY KEY, title TEXT NOT NULL, written INTEGER);
CREATE TABLE role (
    actor_id INTEGER REFERENCES actor (actor_id), play_id INTEGER REFERENCES play (play_id), part TEXT,
    PRIMARY KEY (actor_id, play_id)
);
"""
ACTORS = ["Anna Abbott", "Sam Rowe", "Ida Birch", "Tom Vale", "Anna Holt", "Max Rowe", "Lea Finch", "Jon Marsh"]
MENTORS = [None, 1, 1, 2, 2, 5, 5, None]
PLAYS = ["Faust", "Hamlet", "Medea"]
PARTS = [["witch", "student", "devil"], ["ghost", "queen", "king"], ["nurse", "king", "witch"]]
SCHOOLS = [("Old Hall", "Leeds"), ("Drama Centre", "York")]
SUBJECTS = ["drama", "dance", "music"]


def write_sqlite(path: Path) -> Path:
    """Writes the database."""
    with sqlite3.connect(path) as database:
        database.executescript(TABLES)
        database.executemany("INSERT INTO school VALUES (?, ?, ?)", [(n + 1, *one) for n, one in enumerate(SCHOOLS)])
        database.executemany("INSERT INTO actor VALUES (?, ?, ?, ?, ?, ?, ?)", [_actor(n) for n in range(len(ACTORS))])
        database.executemany(
            "INSERT INTO diploma VALUES (?, ?, ?, ?)",
            [(n % 8 + 1, SUBJECTS[(n % 8 + n // 8) % 3], n % 2 + 1, 1975 + (n * 3) % 20) for n in range(13)],
        )
        database.executemany("INSERT INTO play VALUES (?, ?, ?)", [(n + 1, t, 1600 + n) for n, t in enumerate(PLAYS)])
        database.executemany(
            "INSERT INTO role VALUES (?, ?, ?)",
            [((n * 3 + play * 2) % 8 + 1, play + 1, PARTS[play][n]) for play in range(3) for n in range(3)],
        )
    database.close()
    return path


def _actor(n: int) -> tuple[object, ...]:
    first, last = ACTORS[n].split()
    born, hired = f"{1950 + 5 * n}-0{n + 1}-11", f"{1999 - 3 * n}-0{n + 1}-01"
    return n + 1, first, last, "MF"[first in ("Anna", "Ida", "Lea")], born, hired, MENTORS[n]
