"""What a statement answers."""

from __future__ import annotations

import duckdb

from curtain.domain.pack import Pack, database


def answer(pack: Pack, sql: str) -> set[int]:
    """The first column of its rows."""
    with duckdb.connect(str(database(pack)), read_only=True) as connection:
        return {row[0] for row in connection.execute(sql).fetchall()}
