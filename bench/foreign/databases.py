"""Small databases as strangers have them: the schemas of Chinook and Northwind, a university's with abbreviated names,
and four (`STRANGE`) by whose questions the rules were never corrected. The rows are our own, made by counting, so they
are the same each time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

__all__ = ["NAMES", "STRANGE", "write"]

NAMES = ("chinook", "northwind", "university")
STRANGE = ("world", "garage", "kennel", "theatre_halls")


def _listed(text: str, sign: str | None = None) -> list[str]:
    return [one.strip() for one in text.split(sign)]


CHINOOK = """
CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title NVARCHAR(160), ArtistId INTEGER REFERENCES Artist (ArtistId));
CREATE TABLE Genre (GenreId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE MediaType (MediaTypeId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE Employee (
    EmployeeId INTEGER PRIMARY KEY, LastName NVARCHAR(20), FirstName NVARCHAR(20), Title NVARCHAR(30),
    ReportsTo INTEGER REFERENCES Employee (EmployeeId), BirthDate DATE, HireDate DATE, City NVARCHAR(40));
CREATE TABLE Customer (
    CustomerId INTEGER PRIMARY KEY, FirstName NVARCHAR(40), LastName NVARCHAR(20), Company NVARCHAR(80),
    City NVARCHAR(40), Country NVARCHAR(40), Email NVARCHAR(60), SupportRepId INTEGER REFERENCES Employee (EmployeeId));
CREATE TABLE Invoice (
    InvoiceId INTEGER PRIMARY KEY, CustomerId INTEGER REFERENCES Customer (CustomerId), InvoiceDate DATE,
    BillingCity NVARCHAR(40), BillingCountry NVARCHAR(40), Total NUMERIC(10, 2));
CREATE TABLE Track (
    TrackId INTEGER PRIMARY KEY, Name NVARCHAR(200), AlbumId INTEGER REFERENCES Album (AlbumId),
    MediaTypeId INTEGER REFERENCES MediaType (MediaTypeId), GenreId INTEGER REFERENCES Genre (GenreId),
    Composer NVARCHAR(220), Milliseconds INTEGER, Bytes INTEGER, UnitPrice NUMERIC(10, 2));
CREATE TABLE InvoiceLine (
    InvoiceLineId INTEGER PRIMARY KEY, InvoiceId INTEGER REFERENCES Invoice (InvoiceId),
    TrackId INTEGER REFERENCES Track (TrackId), UnitPrice NUMERIC(10, 2), Quantity INTEGER);
CREATE TABLE Playlist (PlaylistId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE PlaylistTrack (
    PlaylistId INTEGER REFERENCES Playlist (PlaylistId), TrackId INTEGER REFERENCES Track (TrackId),
    PRIMARY KEY (PlaylistId, TrackId));
"""

NORTHWIND = """
CREATE TABLE Categories (CategoryID INTEGER PRIMARY KEY, CategoryName TEXT, Description TEXT);
CREATE TABLE Suppliers (SupplierID INTEGER PRIMARY KEY, CompanyName TEXT, ContactName TEXT, City TEXT, Country TEXT);
CREATE TABLE Shippers (ShipperID INTEGER PRIMARY KEY, CompanyName TEXT, Phone TEXT);
CREATE TABLE Customers (
    CustomerID TEXT PRIMARY KEY, CompanyName TEXT, ContactName TEXT, ContactTitle TEXT, City TEXT, Country TEXT,
    Phone TEXT, Fax TEXT);
CREATE TABLE Employees (
    EmployeeID INTEGER PRIMARY KEY, LastName TEXT, FirstName TEXT, Title TEXT, BirthDate DATE, HireDate DATE, City TEXT,
    ReportsTo INTEGER REFERENCES Employees (EmployeeID));
CREATE TABLE Products (
    ProductID INTEGER PRIMARY KEY, ProductName TEXT, SupplierID INTEGER REFERENCES Suppliers (SupplierID),
    CategoryID INTEGER REFERENCES Categories (CategoryID), QuantityPerUnit TEXT, UnitPrice NUMERIC,
    UnitsInStock INTEGER,
    UnitsOnOrder INTEGER, ReorderLevel INTEGER, Discontinued INTEGER);
CREATE TABLE Orders (
    OrderID INTEGER PRIMARY KEY, CustomerID TEXT REFERENCES Customers (CustomerID),
    EmployeeID INTEGER REFERENCES Employees (EmployeeID), OrderDate DATE, ShippedDate DATE,
    ShipVia INTEGER REFERENCES Shippers (ShipperID), Freight NUMERIC, ShipCity TEXT, ShipCountry TEXT);
CREATE TABLE "Order Details" (
    OrderID INTEGER REFERENCES Orders (OrderID), ProductID INTEGER REFERENCES Products (ProductID), UnitPrice NUMERIC,
    Quantity INTEGER, Discount REAL, PRIMARY KEY (OrderID, ProductID));
"""

UNIVERSITY = """
CREATE TABLE dept (dept_cd TEXT PRIMARY KEY, dept_nm TEXT, bldg TEXT, budget INTEGER);
CREATE TABLE prof (
    prof_id INTEGER PRIMARY KEY, lname TEXT, fname TEXT, dept_cd TEXT REFERENCES dept (dept_cd), salary INTEGER,
    hire_dt DATE);
CREATE TABLE stu (
    stu_id INTEGER PRIMARY KEY, lname TEXT, fname TEXT, sex TEXT, dob DATE, dept_cd TEXT REFERENCES dept (dept_cd),
    gpa NUMERIC, home_city TEXT);
CREATE TABLE crs (
    crs_cd TEXT PRIMARY KEY, crs_title TEXT, credits INTEGER, dept_cd TEXT REFERENCES dept (dept_cd),
    prof_id INTEGER REFERENCES prof (prof_id));
CREATE TABLE enroll (
    stu_id INTEGER REFERENCES stu (stu_id), crs_cd TEXT REFERENCES crs (crs_cd), term TEXT, grade INTEGER,
    PRIMARY KEY (stu_id, crs_cd));
"""

WORLD = """
CREATE TABLE country (
    code TEXT PRIMARY KEY, name TEXT, continent TEXT, region TEXT, area NUMERIC, population INTEGER,
    life_expectancy NUMERIC, government TEXT, indep_year INTEGER);
CREATE TABLE city (
    id INTEGER PRIMARY KEY, name TEXT, country_code TEXT REFERENCES country (code), district TEXT, population INTEGER);
CREATE TABLE language (
    country_code TEXT REFERENCES country (code), language TEXT, official TEXT, percentage NUMERIC,
    PRIMARY KEY (country_code, language));
"""

GARAGE = """
CREATE TABLE maker (id INTEGER PRIMARY KEY, maker TEXT, full_name TEXT, country TEXT);
CREATE TABLE model (model_id INTEGER PRIMARY KEY, maker_id INTEGER REFERENCES maker (id), model TEXT);
CREATE TABLE car (
    car_id INTEGER PRIMARY KEY, model_id INTEGER REFERENCES model (model_id), year INTEGER, horsepower INTEGER,
    weight INTEGER, cylinders INTEGER, mpg NUMERIC, accelerate NUMERIC);
"""

KENNEL = """
CREATE TABLE owner (owner_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, city TEXT, state TEXT);
CREATE TABLE breed (breed_code TEXT PRIMARY KEY, breed_name TEXT);
CREATE TABLE dog (
    dog_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owner (owner_id),
    breed_code TEXT REFERENCES breed (breed_code), name TEXT, age INTEGER, weight NUMERIC, gender TEXT, arrived DATE);
CREATE TABLE vet (vet_id INTEGER PRIMARY KEY, name TEXT, role TEXT, city TEXT);
CREATE TABLE treatment (
    treatment_id INTEGER PRIMARY KEY, dog_id INTEGER REFERENCES dog (dog_id), vet_id INTEGER REFERENCES vet (vet_id),
    treatment_type TEXT, day DATE, cost NUMERIC);
"""

THEATRE_HALLS = """
CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, name TEXT, town TEXT, seats INTEGER, usual_visitors INTEGER);
CREATE TABLE musician (musician_id INTEGER PRIMARY KEY, name TEXT, nation TEXT, age INTEGER, sex TEXT);
CREATE TABLE performance (
    performance_id INTEGER PRIMARY KEY, title TEXT, theme TEXT, hall_id INTEGER REFERENCES hall (hall_id),
    year INTEGER);
CREATE TABLE playing (
    performance_id INTEGER REFERENCES performance (performance_id),
    musician_id INTEGER REFERENCES musician (musician_id),
    PRIMARY KEY (performance_id, musician_id));
"""

FIRST = _listed("""
Ada Ben Cora Dan Eva Finn Gina Hugo Ines Jack Kate Leo Mia Nils Olga Paul Rosa Sven Tina Uwe
""")
LAST = _listed("""
Abel Brook Carter Dunn Evans Fisher Grant Hall Irving Jones Kemp Lowe Moss Nash Owens Price Quinn Reed
""")
PLACES = [
    ("Berlin", "Germany"), ("Paris", "France"), ("London", "United Kingdom"), ("Madrid", "Spain"), ("Oslo", "Norway"),
    ("Toronto", "Canada"), ("Lyon", "France"), ("Munich", "Germany"), ("Chicago", "USA"), ("Seattle", "USA"),
]  # fmt: skip
ARTISTS = ["Silver Pines", "Night Harbour", "The Larks", "Copper Sky", "Mara Voss", "Old Trams", "Blue Ferry", "Quartz"]
GENRES = ["Rock", "Jazz", "Metal", "Classical", "Reggae", "Pop"]
ALBUMS = _listed("""
Dawn Ember Fable Glass Harvest Island Juniper Kites Lantern Mosaic Nomad Orchard Prism Quiet River
""")
CATEGORIES = ["Beverages", "Condiments", "Dairy Products", "Seafood", "Produce", "Confections"]
GOODS = _listed(
    """
Almond Tea; Barley Beer; Cherry Jam; Dill Sauce; Goat Cheese; Butter; Smoked Eel; Pickled Herring; Dried
Plums; Red Cabbage; Nougat Bar; Mint Drops; Black Coffee; Hot Mustard; Blue Cheese; Crab Meat; Apple Rings;
Honey Cake
""",
    ";",
)
DEPTS = [("CS", "Computer Science", "Turing Hall", 900000), ("MA", "Mathematics", "Noether Hall", 400000),
         ("PH", "Physics", "Curie Hall", 750000), ("HI", "History", "Old Library", 250000)]  # fmt: skip
COURSES = ["Databases", "Compilers", "Algebra", "Calculus", "Optics", "Mechanics", "Modern History", "Archives"]


def write(name: str, path: Path) -> Path:
    """One of the databases as a SQLite file; gives back its path."""
    schema, fill = {
        "chinook": (CHINOOK, _chinook),
        "northwind": (NORTHWIND, _northwind),
        "university": (UNIVERSITY, _university),
        "world": (WORLD, _world),
        "garage": (GARAGE, _garage),
        "kennel": (KENNEL, _kennel),
        "theatre_halls": (THEATRE_HALLS, _theatre_halls),
    }[name]
    with sqlite3.connect(path) as database:
        database.executescript(schema)
        for table, rows in fill():
            marks = ", ".join("?" * len(rows[0]))
            database.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)
    database.close()
    return path


def _person(n: int) -> tuple[str, str]:
    return FIRST[n % len(FIRST)], LAST[(n * 7 + n // len(FIRST)) % len(LAST)]


def _day(n: int, first: int, years: int) -> str:
    return f"{first + n % years}-{1 + n * 5 % 12:02d}-{1 + n * 11 % 28:02d}"


_Tables = Iterable[tuple[str, Sequence[tuple[object, ...]]]]


def _chinook() -> _Tables:
    yield "Artist", [(n, name) for n, name in enumerate(ARTISTS, 1)]
    yield "Album", [(n, name, 1 + (n * 3) % 7) for n, name in enumerate(ALBUMS, 1)]
    yield "Genre", list(enumerate(GENRES, 1))
    yield "MediaType", [(1, "MPEG audio file"), (2, "AAC audio file")]
    titles = ["General Manager", "Sales Manager", "IT Manager", *["Sales Support Agent"] * 4, "IT Staff"]
    yield "Employee", [
        (n, _person(n + 40)[1], _person(n + 40)[0], title, None if n == 1 else 1 if n < 4 else 2, _day(n, 1955, 20),
         _day(n, 2002, 3), ["Calgary", "Edmonton", "Lethbridge"][n % 3])
        for n, title in enumerate(titles, 1)
    ]  # fmt: skip
    yield "Customer", [
        (n, *_person(n), None if n % 3 else f"{LAST[n % 18]} & Sons", *PLACES[n % 10],
         f"{_person(n)[0]}.{_person(n)[1]}{n}@mail.example".lower(), 4 + n % 3)
        for n in range(1, 41)
    ]  # fmt: skip
    yield (
        "Invoice",
        [
            (n, 1 + n * 7 % 36, _day(n, 2009, 5), *PLACES[(1 + n * 7 % 36) % 10], round(0.99 * (1 + n * 13 % 23), 2))
            for n in range(1, 151)
        ],
    )
    yield "Track", [
        (n, f"{ALBUMS[n % 15]} Song {n}", 1 + n % 14, 1 + (n % 9 == 0), 1 + n * 5 % 6 if n % 7 else 1,
         None if n % 4 == 0 else " ".join(_person(n % 12)), 120_000 + n * 7919 % 400_000,
         2_000_000 + n * 91_193 % 9_000_000, 1.99 if n % 10 == 3 else 0.99)
        for n in range(1, 121)
    ]  # fmt: skip
    yield (
        "InvoiceLine",
        [(n, 1 + n % 150, 1 + n * 17 % 110, 1.99 if n % 10 == 3 else 0.99, 1 + n % 3) for n in range(1, 301)],
    )
    yield "Playlist", [(1, "Morning"), (2, "Workout"), (3, "Late Night"), (4, "Empty Hours")]
    yield "PlaylistTrack", [(1 + n % 3, 1 + n * 3 % 120) for n in range(1, 40)]


def _northwind() -> _Tables:
    yield "Categories", [(n, name, f"All kinds of {name.lower()}") for n, name in enumerate(CATEGORIES, 1)]
    yield "Suppliers", [(n, f"{LAST[n]} Foods", " ".join(_person(n + 60)), *PLACES[n % 7]) for n in range(1, 10)]
    shippers = ["Speedy Express", "United Package", "Federal Shipping"]
    yield "Shippers", [(n, name, f"(503) 555-98{n}1") for n, name in enumerate(shippers, 1)]
    titles = ["Owner", "Sales Representative", "Marketing Manager", "Accounting Manager"]
    yield "Customers", [
        (f"{LAST[n % 18][:4].upper()}{n}", f"{LAST[n % 18]} {['Markets', 'Delikatessen', 'Imports'][n % 3]} {n}",
         " ".join(_person(n)), titles[n % 4], *PLACES[n % 10], f"030-{n:05d}", None if n % 3 == 0 else f"030-9{n:04d}")
        for n in range(1, 31)
    ]  # fmt: skip
    yield "Employees", [
        (n, _person(n + 20)[1], _person(n + 20)[0], "Sales Manager" if n == 5 else "Sales Representative",
         _day(n, 1948, 18), _day(n, 1992, 3), ["London", "Seattle", "Tacoma"][n % 3], None if n == 5 else 5)
        for n in range(1, 10)
    ]  # fmt: skip
    yield "Products", [
        (n, name.strip(), 1 + n % 9 if n % 9 != 7 else 2, 1 + (n - 1) // 3 if n < 18 else 6, f"{6 * n} boxes",
         round(2.5 + n * 7.3 % 61, 2), n * 13 % 65, n * 10 % 40, 5 * (n % 6), int(n % 6 == 0))
        for n, name in enumerate(GOODS, 1)
    ]  # fmt: skip
    yield "Orders", [
        (10247 + n, f"{LAST[(1 + n * 3 % 28) % 18][:4].upper()}{1 + n * 3 % 28}", 1 + n * 4 % 9, _day(n, 1996, 3),
         None if n % 12 == 0 else _day(n + 1, 1996, 3), 1 + n % 3, round(3 + n * 17.7 % 210, 2), *PLACES[n % 10])
        for n in range(1, 121)
    ]  # fmt: skip
    yield (
        "Order Details",
        [
            (10247 + n, 1 + (n * 5 + k) % 17, round(2.5 + n * 3.1 % 50, 2), 1 + (n + k) * 7 % 40, [0, 0.05, 0.1][n % 3])
            for n in range(1, 121)
            for k in range(1 + n % 3)
        ],
    )


def _university() -> _Tables:
    codes = [one[0] for one in DEPTS]
    yield "dept", DEPTS
    yield "prof", [
        (n, _person(n + 30)[1], _person(n + 30)[0], codes[n % 4] if n != 9 else "CS", 52_000 + n * 6_100 % 61_000,
         _day(n, 1985, 30))
        for n in range(1, 11)
    ]  # fmt: skip
    yield "stu", [
        (n, _person(n)[1], _person(n)[0], "FM"[n % 2], _day(n, 1998, 7), codes[n * 3 % 4] if n % 5 else "CS",
         round(2.0 + n * 0.37 % 2.0, 2), PLACES[n % 10][0])
        for n in range(1, 51)
    ]  # fmt: skip
    yield (
        "crs",
        [(f"{codes[n // 2]}{100 + n}", title, 2 + n % 4, codes[n // 2], 1 + n % 7) for n, title in enumerate(COURSES)],
    )
    yield (
        "enroll",
        [
            (n, f"{codes[c // 2]}{100 + c}", ["Fall 2021", "Spring 2022"][n % 2], 55 + (n * 7 + c * 13) % 45)
            for n in range(1, 46)
            for c in {n % 7, (n * 3) % 7}
        ],
    )


NATIONS = _listed("Norland Sudria Estovia Wester Calda Brum Orania Tavia Munda Serra Quill Pontia")
TOWNS = _listed("Lakemouth Highford Stonebury Eastwick Marsh Oakton Pinewell Redcliff Saltby Thorn Upwell Vale Windon")
TONGUES = ["French", "Spanish", "English", "Arabic", "Norse", "Calic"]


def _world() -> _Tables:
    continents = [("Africa", "Nile Coast"), ("Europe", "Nordic"), ("Asia", "Far East"), ("America", "Caribbean")]
    yield "country", [
        (name[:3].upper(), name, *continents[n % 4], 9_000 + n * 73_111 % 910_000, 400_000 + n * 7_919_333 % 60_000_000,
         52.5 + n * 3.7 % 30, ["Republic", "Monarchy", "Federation"][n // 2 % 3], 1890 + n * 17 % 110)
        for n, name in enumerate(NATIONS)
    ]  # fmt: skip
    yield "city", [
        (n, f"{TOWNS[n % 13]}{' New'[: 4 * (n > 12)]}", NATIONS[n * n % 11][:3].upper(), f"{TOWNS[n % 5]} County",
         120_000 + n * 397_241 % 1_900_000)
        for n in range(39)
    ]  # fmt: skip
    yield "language", [
        (name[:3].upper(), TONGUES[(n + k * k) % 6], "TF"[k > 1], round(70 / (k + 1) + n % 7, 1))
        for n, name in enumerate(NATIONS)
        for k in range(1 + n % 3)
    ]  # fmt: skip


def _garage() -> _Tables:
    names = _listed("volta norden kaze brava eigen titan sakura lumen")
    lands = ["Italy", "Sweden", "Japan", "Italy", "Germany", "USA", "Japan", "France"]
    full = ["Motors", "Works", "Industries"]
    yield "maker", [
        (n, name, f"{name.title()} {full[n % 3]}", lands[n - 1]) for n, name in enumerate(names, 1)
    ]  # fmt: skip
    yield "model", [(n, 1 + n * n % 7, f"{ALBUMS[n % 15].lower()} {n}") for n in range(1, 19)]
    yield "car", [
        (n, 1 + n * 7 % 18, 1970 + n * 5 % 13 - n % 2, 46 + n * 37 % 184, 1_650 + n * 211 % 3_400,
         [4, 4, 6, 8, 4][n % 5], round(9 + n * 7.3 % 35, 1), round(8 + n * 2.9 % 16, 1))
        for n in range(1, 91)
    ]  # fmt: skip


def _kennel() -> _Tables:
    states = ["Texas", "Ohio", "Maine", "Utah"]
    yield "owner", [(n, *_person(n), TOWNS[n % 9], states[n * n % 4 if n % 3 else n % 4]) for n in range(1, 16)]
    kinds = [("HUS", "Husky"), ("BUL", "Bulldog"), ("POO", "Poodle"), ("TER", "Terrier")]
    yield "breed", kinds
    names = _listed("Rex Bella Max Luna Rocky Daisy Bruno Molly Duke Nala Oscar Ruby Toby Zoe Argo Penny Sam Lola")
    yield "dog", [
        (n, 1 + n * n % 13, kinds[n * 3 % 4 if n % 5 else 0][0], name, 1 + n * 7 % 13, round(3.5 + n * 4.7 % 30, 1),
         "MF"[n % 2], _day(n, 2016, 4))
        for n, name in enumerate(names)
    ]  # fmt: skip
    roles = ["Veterinarian", "Employee", "Assistant"]
    people = ["Dr Moss", "Dr Nash", "Dr Kemp", "Kate Hall", "Leo Price"]
    yield "vet", [(n, name, roles[n % 3], TOWNS[n * 3 % 13]) for n, name in enumerate(people, 1)]
    types = ["Vaccination", "Walk", "Examination", "Surgery"]
    yield "treatment", [
        (n, n * n % 14, 1 + n * 3 % 4 if n % 6 else 5, types[n * 3 % 4 if n % 3 else 0], _day(n, 2017, 3),
         40 + n * 83 % 900)
        for n in range(1, 31)
    ]  # fmt: skip


def _theatre_halls() -> _Tables:
    towns = ["Harbour Town", "Hillside", "Oldbridge"]
    yield "hall", [
        (n, f"{name} Hall", towns[n % 3], 240 + n * 317 % 1_900, 90 + n * 131 % 700)
        for n, name in enumerate(LAST[:9], 1)
    ]  # fmt: skip
    nations = ["France", "Norway", "Chile", "Japan", "France"]
    yield "musician", [
        (n, " ".join(_person(n + 11)), nations[n * n % 5], 19 + n * 11 % 47, "MF"[n % 2]) for n in range(1, 25)
    ]  # fmt: skip
    themes = ["Free Choice", "Winter", "Dance"]
    yield "performance", [
        (n, f"{ALBUMS[n % 15]} Night", themes[n * n % 3], 1 + n * n % 7, 2012 + n * 3 % 5 - n % 2) for n in range(1, 21)
    ]  # fmt: skip
    yield (
        "playing",
        [(n, m) for n in range(1, 21) for m in sorted({1 + (n * 5 + k * k * 7) % 24 for k in range(1 + n % 4)})],
    )
