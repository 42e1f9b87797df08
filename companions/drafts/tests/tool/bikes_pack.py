"""A small domain for the drafting tests and benches: bikes, the shops they stand in, who rents them. Rows are made up
by counting, so they are the same each time."""

import sqlite3
from pathlib import Path

TABLES = """
CREATE TABLE shops (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, opened DATE);
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, city TEXT, email TEXT);
CREATE TABLE bikes (
    id INTEGER PRIMARY KEY, model TEXT NOT NULL, brand TEXT NOT NULL, color TEXT NOT NULL, price INTEGER NOT NULL,
    weight_kg REAL, gears INTEGER, shop_id INTEGER REFERENCES shops (id)
);
CREATE TABLE rentals (
    id INTEGER PRIMARY KEY, bike_id INTEGER REFERENCES bikes (id), customer_id INTEGER REFERENCES customers (id),
    start_date DATE NOT NULL, days INTEGER NOT NULL
);
"""
SHOPS = ["Wheelhouse", "Pedal Corner", "Spoke and Chain", "Velo Nord", "Harbor Bikes", "Green Gear"]
CITIES = ["Leeds", "York", "Hull", "Leeds", "Bath", "York"]
BRANDS = ["Acorn", "Borealis", "Cirrus", "Drake"]
COLORS = ["red", "blue", "green", "black", "white"]
MODELS = ["Swift", "Comet", "Badger", "Heron", "Otter", "Lynx", "Marten", "Falcon"]
PEOPLE = ["Ada Quill", "Ben Marsh", "Cora Finch", "Dan Holt", "Eve Larch", "Finn Rook", "Gwen Thorn", "Hal Birch"]


def write_sqlite(path: Path) -> Path:
    """Writes the database."""
    with sqlite3.connect(path) as database:
        database.executescript(TABLES)
        database.executemany(
            "INSERT INTO shops VALUES (?, ?, ?, ?)",
            [(n + 1, name, CITIES[n], f"{1988 + 4 * n}-0{n + 1}-15") for n, name in enumerate(SHOPS)],
        )
        database.executemany(
            "INSERT INTO customers VALUES (?, ?, ?, ?, ?)",
            [
                (
                    n + 1, name, f"{1950 + 6 * n}-0{n % 9 + 1}-1{n}", CITIES[(n * 2) % 5],
                    None if n % 3 == 0 else f"p{n}@mail.test",
                )
                for n, name in enumerate(PEOPLE)
            ],
        )  # fmt: skip
        database.executemany("INSERT INTO bikes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [_bike(n) for n in range(40)])
        database.executemany(
            "INSERT INTO rentals VALUES (?, ?, ?, ?, ?)",
            [
                (
                    n + 1, (n * 7) % 33 + 1, (n * n + 3) % 7 + 1, f"20{20 + n % 4}-{n % 12 + 1:02d}-{n % 27 + 1:02d}",
                    n % 9 + 1,
                )
                for n in range(120)
            ],
        )  # fmt: skip
    database.close()
    return path


def _bike(n: int) -> tuple[object, ...]:
    price = 180 + (n * 37) % 23 * 45
    weight = 8.5 + (n * 11) % 17 * 0.5
    return (
        n + 1, MODELS[n % 8], BRANDS[(n * 3 + n // 8) % 4], COLORS[(n * 2 + n // 5) % 5], price, weight,
        3 + (n * 5) % 19, n % 5 + 1,
    )  # fmt: skip
