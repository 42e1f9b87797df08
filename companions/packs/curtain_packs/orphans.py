"""Rows that refer to something that is not there."""

from collections.abc import Mapping

import duckdb

from curtain.base.sql_names import quoted
from curtain.domain.pack.cells import base_type, is_numeric
from curtain.domain.pack.keys import ForeignKey

Tables = Mapping[str, Mapping[str, str]]


def orphans(connection: duckdb.DuckDBPyConnection, reference: ForeignKey, tables: Tables) -> int:
    """How many rows have a value in the reference that its other side has not; `tables` gives the types of columns."""
    full = " AND ".join(f"a.{quoted(own)} IS NOT NULL" for own in reference.columns)
    same = " AND ".join(_same(reference, own, their, tables) for own, their in reference.pairs)
    match_query = f"SELECT 1 FROM {quoted(reference.to_table)} AS b WHERE {same}"
    query = f"SELECT count(*) FROM {quoted(reference.table)} AS a WHERE {full} AND NOT EXISTS ({match_query})"
    [(number,)] = connection.execute(query).fetchall()
    return int(number)


def _same(reference: ForeignKey, alias: str, their: str, tables: Tables) -> str:
    """The condition that both columns hold the same; of unlike kinds as texts, since a cast could fail."""
    kinds = {tables[reference.table][alias], tables[reference.to_table][their]}
    alike = len(set(map(base_type, kinds))) == 1 or all(map(is_numeric, kinds))
    form = "a.{0} = b.{1}" if alike else "CAST(a.{0} AS VARCHAR) = CAST(b.{1} AS VARCHAR)"
    return form.format(quoted(alias), quoted(their))
