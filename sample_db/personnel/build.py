"""Builds the personnel database, in which all answers printed in papers/000 come out (appendix B and text).

What the paper prints is data (`data/known_*.csv`, `data/staffing.toml`); everything else is drawn. The same
seed gives the same rows on every machine and version of Python. Nothing is read off a name: sex and ethnic
group are drawn before it and without it.
"""

from __future__ import annotations

import csv
import tomllib
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import duckdb

FOLDER = Path(__file__).resolve().parent
AS_OF = date(1989, 8, 19)
TABLES = ("country", "state", "division", "department", "employee", "school", "major", "degree")

FEMALE_SCIENTISTS = 20  # papers/000 appendix B: "the number of female scientists in the company"
DOCTORS = 45  # papers/000 section 3.1: 45 of 423 employees have PhDs
ETHNIC_GROUPS = ("WHITE",) * 15 + ("BLACK",) * 3 + ("ASIAN",) * 2 + ("AMERICAN INDIAN",)
GROUPS_OF_DEPARTMENT_11 = ("WHITE", "WHITE", "BLACK")  # with its one pinned HISPANIC member: the printed three
YEARS_OF_STUDY = {"known": 25, "NONE": 18, "BA": 22, "BS": 22, "MA": 24, "MS": 24, "MBA": 25, "JD": 25, "PHD": 27}
FIELD_OF_DEGREE = {"MBA": "BUSINESS", "JD": "LAW"}
HARVARD = 2155  # three managers went there, each once: pinned, so no other manager may draw it

Row = dict[str, str]
T = TypeVar("T")


class Dice:
    """SplitMix64: small, and the same everywhere, which `random` does not promise for its helpers."""

    def __init__(self, seed: int, topic: str) -> None:
        """Each topic has its own stream, so that a change in one leaves the others as they were."""
        self._state = (seed * 0x9E3779B97F4A7C15 + zlib.crc32(topic.encode())) & 0xFFFFFFFFFFFFFFFF

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return mixed ^ (mixed >> 31)

    def number(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + self._next() % (high - low + 1)

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.number(0, len(choices) - 1)]

    def sample(self, choices: Iterable[T], count: int) -> list[T]:
        """Different elements, in drawn order."""
        left = list(choices)
        return [left.pop(self.number(0, len(left) - 1)) for _ in range(count)]


@dataclass(frozen=True)
class Person:
    """One row of `employee`, fields in the order of its columns."""

    employee_id: int
    last_name: str
    first_name: str
    ssn: str
    sex: str
    ethnic_group: str
    birth_date: date
    hire_date: date
    job_title: str
    level: int
    salary: int
    department: int
    supervisor_id: int | None
    work_phone: str
    home_phone: str | None
    street: str
    city: str
    state_code: str | None
    country_code: str

    def row(self) -> tuple[Any, ...]:
        return tuple(vars(self).values())


def build(path: Path, seed: int = 1989, progress: Callable[[str, float], None] | None = None) -> None:
    """Writes the database to `path`, a DuckDB file that must not exist yet; calls progress(what, done 0..1)."""
    report = progress or (lambda what, done: None)
    report("drawing the employees", 0.0)
    tables = draw_tables(seed)
    with duckdb.connect(str(path)) as connection:
        connection.execute((FOLDER / "schema.sql").read_text(encoding="utf-8"))
        connection.execute("BEGIN")
        for done, name in enumerate(TABLES):
            report(f"writing {name}", done / len(TABLES))
            _insert(connection, name, tables[name])
        connection.execute("COMMIT")
    report("done", 1.0)


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: list[tuple[Any, ...]]) -> None:
    marks = ", ".join("?" * len(rows[0]))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def draw_tables(seed: int) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables; a supervisor stands before those who report to them."""
    people = draw_people(seed)
    tables: dict[str, list[tuple[Any, ...]]] = {
        name: _plain_rows(name) for name in ("country", "state", "division", "department")
    }
    tables["employee"] = [person.row() for person in _supervisors_first(person for person, _ in people)]
    tables["school"] = [row[:4] for row in _plain_rows("school")]
    tables["major"] = [row[:2] for row in _plain_rows("major")]
    tables["degree"] = draw_degrees(people, Dice(seed, "degrees"))
    return tables


def _supervisors_first(people: Iterable[Person]) -> list[Person]:
    """By employee id, but a supervisor before those who report to them: the table refers to itself."""
    waiting = sorted(people, key=lambda person: person.employee_id)
    ordered: list[Person] = []
    placed: set[int | None] = {None}
    while waiting:
        person = next(person for person in waiting if person.supervisor_id in placed)
        waiting.remove(person)
        placed.add(person.employee_id)
        ordered.append(person)
    return ordered


# --- who works where -------------------------------------------------------------------------------------


def posts() -> list[Row]:
    """The 423 posts, managers first, each with what is known of its holder ("" where it is drawn)."""
    known = _read_csv("known_person")
    staffing = _read_toml("staffing")["reports"]
    manager_names = {block["manager"] for block in staffing} | {row["supervisor"] for row in known} - {""}
    managers = [row for row in known if row["last_name"] in manager_names]
    others = [row for row in known if row["last_name"] not in manager_names]
    return managers + [post for block in staffing for post in _posts_of(block, others)]


def _posts_of(block: dict[str, Any], known: list[Row]) -> list[Row]:
    filled = []
    for title, count in block["titles"].items():
        place = {"supervisor": block["manager"], "department": str(block["department"]), "job_title": title}
        taken = [row for row in known if all(row[key] == value for key, value in place.items())]
        empty = dict.fromkeys(known[0], "") | place
        filled += taken + [empty] * (count - len(taken))
    return filled


def draw_people(seed: int) -> list[tuple[Person, str]]:
    """Everybody with the degrees they hold, such as "BS MS"; "known" if the degrees are in known_degree.csv."""
    all_posts = posts()
    titles = _read_toml("title")
    sexes = _draw_sexes(all_posts, Dice(seed, "sex"))
    schooling = _draw_schooling(all_posts, titles["title"], Dice(seed, "schooling"))
    ids = _draw_unused([post["employee_id"] for post in all_posts], 1029, 6999, Dice(seed, "ids"))
    names = _draw_names(all_posts, sexes, Dice(seed, "names"))
    extensions = _draw_unused([post["work_phone"] for post in all_posts], 2100, 7999, Dice(seed, "extensions"))
    lines = _draw_unused([""] * len(all_posts), 1000, 9999, Dice(seed, "lines"))
    security = _draw_unused([""] * len(all_posts), 900_010_001, 999_499_999, Dice(seed, "security"))
    ages, groups, pay, homes = (Dice(seed, topic) for topic in ("ages", "groups", "pay", "homes"))
    id_of = {post["last_name"]: number for post, number in zip(all_posts, ids, strict=True) if post["last_name"]}
    people = []
    for place, post in enumerate(all_posts):
        hired = _hire_date(ids[place], post)
        salary = _salary(post, titles, pay)
        home = _home(post, lines[place], homes)
        people.append(
            Person(
                employee_id=ids[place],
                last_name=names[place][0],
                first_name=names[place][1],
                ssn=_ssn(security[place]),
                sex=sexes[place],
                ethnic_group=_ethnic_group(post, groups),
                birth_date=_birth_date(post, hired, schooling[place], ages),
                hire_date=hired,
                job_title=post["job_title"],
                level=_level(salary, titles["levels"]["floors"]),
                salary=salary,
                department=int(post["department"]),
                supervisor_id=id_of[post["supervisor"]] if post["supervisor"] else None,
                work_phone=str(extensions[place]),
                **home,
            )
        )
    return list(zip(people, schooling, strict=True))


# --- what a person is --------------------------------------------------------------------------------------


def _draw_sexes(all_posts: list[Row], dice: Dice) -> list[str]:
    """Exactly 20 women among all whose title contains SCIENTIST (S-6); about two in five among the others."""
    sexes = [post["sex"] or dice.pick("MMMFF") for post in all_posts]
    scientists = [place for place, post in enumerate(all_posts) if "SCIENTIST" in post["job_title"]]
    open_places = [place for place in scientists if not all_posts[place]["sex"]]
    known_women = sum(all_posts[place]["sex"] == "F" for place in scientists)
    women = dice.sample(open_places, FEMALE_SCIENTISTS - known_women)
    for place in open_places:
        sexes[place] = "F" if place in women else "M"
    return sexes


def _draw_schooling(all_posts: list[Row], titles: dict[str, Any], dice: Dice) -> list[str]:
    """What each studied; exactly 45 hold a PhD, counting those whose degrees are printed."""
    known = _known_degrees()
    drawn = [
        "known" if post["last_name"] in known else post["schooling"] or _schooling_of(titles[post["job_title"]], dice)
        for post in all_posts
    ]
    known_doctors = sum(any(row["degree"] == "PHD" for row in rows) for rows in known.values())
    doctors = known_doctors + sum(path.endswith("PHD") for path in drawn)
    candidates = [
        place
        for place, post in enumerate(all_posts)
        if titles[post["job_title"]].get("doctorate") == "maybe" and drawn[place] != "known"
    ]
    for place in dice.sample(candidates, DOCTORS - doctors):
        drawn[place] += " PHD"
    return drawn


def _schooling_of(title: dict[str, Any], dice: Dice) -> str:
    path: str = dice.pick(title["schooling"])
    return f"{path} PHD" if title.get("doctorate") == "always" else path


def _draw_names(all_posts: list[Row], sexes: list[str], dice: Dice) -> list[tuple[str, str]]:
    """Last and first names, no pair twice; printed surnames belong only to those who are printed."""
    surnames = _lines("last_name")
    first_names = _read_csv("first_name")
    by_sex = {sex: [row["first_name"] for row in first_names if row["sex"] == sex] for sex in "FM"}
    names: dict[tuple[str, str], None] = {}
    for post, sex in zip(all_posts, sexes, strict=True):
        name = _name(post, surnames, by_sex[sex], dice)
        while name in names:
            name = _name(post, surnames, by_sex[sex], dice)
        names[name] = None
    return list(names)


def _name(post: Row, surnames: list[str], first_names: list[str], dice: Dice) -> tuple[str, str]:
    return post["last_name"] or dice.pick(surnames), post["first_name"] or dice.pick(first_names)


def _draw_unused(known: list[str], low: int, high: int, dice: Dice) -> list[int]:
    """The known numbers in their places, the others filled from low..high, all different."""
    used = {int(number) for number in known if number}
    numbers = []
    for number in known:
        drawn = int(number) if number else dice.number(low, high)
        while not number and drawn in used:
            drawn = dice.number(low, high)
        used.add(drawn)
        numbers.append(drawn)
    return numbers


def _ethnic_group(post: Row, dice: Dice) -> str:
    if post["ethnic_group"]:
        return post["ethnic_group"]
    return dice.pick(GROUPS_OF_DEPARTMENT_11 if post["department"] == "11" else ETHNIC_GROUPS)


def _ssn(number: int) -> str:
    """Nine digits that begin with 9: such numbers are never given to a person."""
    digits = str(number)
    return f"{digits[:3]}-{digits[3:5]}-{digits[5:]}"


# --- time and money ----------------------------------------------------------------------------------------


def _hire_date(employee_id: int, post: Row) -> date:
    """Ids were given out in order of hiring: a weekday between the milestones of tenure.csv."""
    if post["hire_date"]:
        return date.fromisoformat(post["hire_date"])
    milestones = [(int(row["employee_id"]), date.fromisoformat(row["hire_date"])) for row in _read_csv("tenure")]
    place = max(place for place, (first, _) in enumerate(milestones[:-1]) if first <= employee_id)
    (low, start), (high, end) = milestones[place : place + 2]
    day = start + timedelta(days=(end - start).days * (employee_id - low) // (high - low))
    return day + timedelta(days=max(0, 7 - day.weekday()) if day.weekday() > 4 else 0)


def _birth_date(post: Row, hired: date, path: str, dice: Dice) -> date:
    """Hired after the last degree, and not older than 65 on the as-of date."""
    if post["birth_date"]:
        return date.fromisoformat(post["birth_date"])
    youngest = 366 * (1 + max(YEARS_OF_STUDY[degree] for degree in ["NONE", *path.split()]))
    oldest = min(youngest + 13 * 365, (hired - AS_OF).days + 65 * 365)
    return hired - timedelta(days=dice.number(youngest, max(youngest, oldest)))


def _salary(post: Row, titles: dict[str, Any], dice: Dice) -> int:
    if post["salary"]:
        return int(post["salary"])
    level = dice.number(*titles["title"][post["job_title"]]["levels"])
    floors = titles["levels"]["floors"]
    return int(100 * dice.number(floors[level - 1] // 100, floors[level] // 100 - 1))


def _level(salary: int, floors: list[int]) -> int:
    return sum(floor <= salary for floor in floors)


# --- where they live ---------------------------------------------------------------------------------------


def _home(post: Row, line: int, dice: Dice) -> dict[str, Any]:
    """Exchange 555 belongs to nobody. About one in seventeen has no home phone on file."""
    city = _city(post, dice)
    street = f"{dice.number(1, 399)} {dice.pick(_lines('street'))}"
    unlisted = dice.number(1, 17) == 1
    phone = post["home_phone"] or ("NIL" if unlisted else f"{city['area_code']}-555-{line}")
    return {
        "home_phone": None if phone == "NIL" else phone,
        "street": post["street"] or street,
        "city": city["city"],
        "state_code": city["state_code"] or None,
        "country_code": city["country_code"],
    }


def _city(post: Row, dice: Dice) -> Row:
    """Only those who are printed live in Irving (weight 0); some cities house one department's offices."""
    cities = _read_csv("city")
    if post["city"]:
        return next(row for row in cities if row["city"] == post["city"])
    near = [row for row in cities if not row["departments"] or post["department"] in row["departments"].split()]
    return dice.pick([row for row in near for _ in range(int(row["weight"]))])


# --- what they studied -------------------------------------------------------------------------------------


def draw_degrees(people: list[tuple[Person, str]], dice: Dice) -> list[tuple[Any, ...]]:
    """Rows of `degree`. No manager but the printed three went to Harvard (papers/000 appendix B)."""
    known = _known_degrees()
    supervisors = {person.supervisor_id for person, _ in people}
    schools = [(int(row["school_code"]), int(row["weight"])) for row in _read_csv("school")]
    rows: list[tuple[Any, ...]] = []
    for person, path in people:
        if path == "known":
            rows += [_known_degree(person, row) for row in known[person.last_name]]
        else:
            open_to = [s for s in schools if s[0] != HARVARD or person.employee_id not in supervisors]
            rows += _degrees_of(person, path.split(), open_to, dice)
    return rows


def _known_degree(person: Person, row: Row) -> tuple[Any, ...]:
    year = int(row["year"] or person.birth_date.year + YEARS_OF_STUDY[row["degree"]])
    return person.employee_id, row["degree"], int(row["school_code"]), int(row["major_code"]), year


def _degrees_of(person: Person, path: list[str], schools: list[tuple[int, int]], dice: Dice) -> list[tuple[Any, ...]]:
    """Half of those who go on stay at their school, and two thirds with their subject unless the degree has its own."""
    field = _read_toml("title")["title"][person.job_title]["field"]
    school, major = 0, 0
    rows: list[tuple[Any, ...]] = []
    for degree in path:
        if not rows or dice.number(1, 2) == 1:
            school = dice.pick([code for code, weight in schools for _ in range(weight)])
        if not rows or degree in FIELD_OF_DEGREE or dice.number(1, 3) == 1:
            major = dice.pick(_majors(FIELD_OF_DEGREE.get(degree, field)))
        year = person.birth_date.year + YEARS_OF_STUDY[degree]
        rows.append((person.employee_id, degree, school, major, year))
    return rows


def _majors(field: str) -> list[int]:
    return [int(row["major_code"]) for row in _read_csv("major") if row["field"] == field]


def _known_degrees() -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = {}
    for row in _read_csv("known_degree"):
        rows.setdefault(row["last_name"], []).append(row)
    return rows


# --- the data files ----------------------------------------------------------------------------------------


@cache
def _read_csv(name: str) -> list[Row]:
    with open(FOLDER / "data" / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def _read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / "data" / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def _lines(name: str) -> list[str]:
    return (FOLDER / "data" / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def _plain_rows(table: str) -> list[tuple[Any, ...]]:
    """Rows of a data file that is a table: digits as integers, nothing as NULL."""
    return [tuple(int(v) if v.isdigit() else v or None for v in row.values()) for row in _read_csv(table)]
