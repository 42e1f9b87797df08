"""A small domain for the drafting tests: films, the halls in which they are shown, and the people who see them. There
are no answered questions about them."""

from pathlib import Path

import duckdb

DOMAIN = """
title = "Cinema"
as_of = 2024-05-20
"""

SCHEMA = """
CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, hall_name VARCHAR NOT NULL, city VARCHAR NOT NULL, year_built INTEGER);
CREATE TABLE film (
    film_id INTEGER PRIMARY KEY, title VARCHAR NOT NULL, running_minutes INTEGER NOT NULL, premiere DATE NOT NULL
);
CREATE TABLE showing (
    showing_id INTEGER PRIMARY KEY,
    film_id INTEGER NOT NULL REFERENCES film (film_id),
    hall_id INTEGER NOT NULL REFERENCES hall (hall_id),
    day_name VARCHAR NOT NULL,
    break_minutes INTEGER NOT NULL
);
CREATE TABLE guest (
    guest_id INTEGER PRIMARY KEY, guest_name VARCHAR NOT NULL, home_town VARCHAR NOT NULL, birth_date DATE NOT NULL,
    spending INTEGER NOT NULL
);
CREATE TABLE ticket (
    guest_id INTEGER REFERENCES guest (guest_id),
    showing_id INTEGER REFERENCES showing (showing_id),
    PRIMARY KEY (guest_id, showing_id)
);
"""

ROWS = """
INSERT INTO hall VALUES (1, 'REGAL', 'LEEDS', 1911), (2, 'ODEON', 'YORK', 1987), (3, 'RITZ', 'HULL', 1936);
INSERT INTO film VALUES
    (1, 'HARBOUR', 95, DATE '2019-03-01'), (2, 'THE LONG ROAD', 168, DATE '2020-06-12'),
    (3, 'NIGHT TRAIN', 121, DATE '2020-11-30'), (4, 'SNOW', 80, DATE '2021-01-08');
INSERT INTO showing VALUES
    (1, 1, 1, 'MONDAY', 10), (2, 2, 2, 'TUESDAY', 20), (3, 3, 3, 'TUESDAY', 15), (4, 4, 1, 'FRIDAY', 10);
INSERT INTO guest VALUES
    (1, 'ADA QUILL', 'YORK', DATE '1960-02-01', 120), (2, 'BEN MARSH', 'LEEDS', DATE '1985-07-09', 45),
    (3, 'CORA FINCH', 'HULL', DATE '1999-12-24', 80), (4, 'DAN HOLT', 'YORK', DATE '1972-05-05', 30);
INSERT INTO ticket VALUES (1, 1), (1, 2), (2, 3), (3, 4), (4, 1), (4, 3);
"""


def write_pack(folder: Path) -> Path:
    """Writes the pack and its database."""
    folder.mkdir()
    (folder / "domain.toml").write_text(DOMAIN)
    (folder / "schema.sql").write_text(SCHEMA)
    with duckdb.connect(str(folder / "database.duckdb")) as database:
        database.execute(SCHEMA + ROWS)
    return folder
