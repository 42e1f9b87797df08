"""What a question that goes on from another gives, and what it should."""

from __future__ import annotations

from curtain.domain.pack.pack import Pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.values import Asked, Request
from tests.drafting import ferry_pack as ferries

MULL_SKYE = ferries.between("MULL", "SKYE")


def after(drafter: LocalDrafter, question: str, *previous: str) -> str:
    """The first draft after turns with this SQL."""
    asked = tuple(Asked("", sql) for sql in previous)
    return drafter.drafts(Request(question, asked, reading="published"))[0].sql


def same(pack: Pack, sql: str, other: str, hub: str = "ferry") -> bool:
    """Whether two statements say the same."""
    parser = Parser(pack.tables, hub, pack.keys.primary)
    one, two = parser.parse(sql), parser.parse(other)
    return one is not None and two is not None and one.key == two.key


def least(column: str, name: str = "MIN", more: str = "") -> str:
    """The ferries from Mull to Skye for which a column is least or greatest."""
    inner = (
        f"SELECT {name}(f.{column}) FROM ferry AS f, island AS i, island AS j WHERE f.from_island = i.island_code "
        f"AND i.island_name = 'MULL' AND f.to_island = j.island_code AND j.island_name = 'SKYE'{more}"
    )
    sql: str = ferries.between("MULL", "SKYE", f" AND ferry.{column} = ({inner})")
    return sql
