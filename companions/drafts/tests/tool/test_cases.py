"""Questions with the statements that count as right, one file for a domain: first drafts without answered examples.

A file in `cases/` has blocks: the question, and indented its SQL (before it `after` and the SQL of the turn before). A
draft is right if it answers as that SQL does, in whatever order; columns beside those asked for do not count. The
files hold what the rules read: of ten first drafts nine at least must be right.
"""

from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import duckdb
import pytest

from companions.drafts.tests.tool import bikes_pack, cinema_pack, label_pack, theatre_pack
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain_drafts.drafting.values import Asked, Request
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_packs.new_pack import new_pack

CASES = Path(__file__).parent / "cases"
DOMAINS = ("personnel", "bikes", "theatre", "label", "cinema")


@dataclass(frozen=True)
class Case:
    """A question, the SQL of the turn before it, if any, and the SQL that counts as right."""

    question: str
    sql: str
    before: str = ""


def read(name: str) -> list[Case]:
    """The cases of a file."""
    blocks: list[list[str]] = []
    for line in (CASES / f"{name}.cases").read_text("utf-8").splitlines():
        if line.startswith(" "):
            blocks[-1].append(line.strip())
        elif line:
            blocks.append([line])
    return [Case(one[0], one[-1], one[1].removeprefix("after ") if len(one) > 2 else "") for one in blocks]


def made(name: str, folder: Path) -> Pack:
    """The pack of a domain."""
    writers = {"bikes": bikes_pack.write_sqlite, "theatre": theatre_pack.write_sqlite}
    packs = {"cinema": cinema_pack.write_pack, "label": label_pack.write_pack}
    if name in writers:
        new_pack(writers[name](folder / f"{name}.sqlite"), folder / "pack", lambda what, share: None)
        return load_pack(folder / "pack")
    return load_pack(packs[name](folder / name)) if name in packs else load_pack(name)


def holds(connection: duckdb.DuckDBPyConnection, sql: str, wanted: str) -> bool:
    """Whether a draft answers as is wanted, perhaps with further columns."""
    try:
        rows, right = connection.execute(sql).fetchall(), set(connection.execute(wanted).fetchall())
    except duckdb.Error:
        return False
    if not rows or not right:
        return not rows and not right
    places = permutations(range(min(len(rows[0]), 6)), len(next(iter(right))))
    return any({tuple(row[at] for at in chosen) for row in rows} == right for chosen in places)


@pytest.mark.parametrize("name", DOMAINS)
def test_first_drafts_of_a_domain_are_right(name: str, tmp_path: Path) -> None:
    pack = made(name, tmp_path)
    path = database(pack)
    drafter = LocalDrafter(pack, path, [])
    cases, wrong = read(name), []
    with duckdb.connect(str(path), read_only=True) as connection:
        for case in cases:
            previous = (Asked("", case.before),) if case.before else ()
            drafts = drafter.drafts(Request(case.question, previous))
            if not (drafts and holds(connection, drafts[0].sql, case.sql)):
                wrong.append(case.question)
    assert 10 * len(wrong) <= len(cases), wrong
