"""The tables of a pack as the alteration of copies needs them."""

from __future__ import annotations

from curtain.domain.pack.pack import Pack
from curtain.evaluation.copies.alteration import TableShape


def shapes_of(pack: Pack) -> list[TableShape]:
    """Every table, with the columns that belong to keys: its own, and those that refer to another table."""
    keys = pack.keys
    shapes = []
    for table, columns in pack.tables.items():
        outgoing = {column for one in keys.references if one.table == table for column in one.columns}
        incoming = [one for one in keys.references if one.to_table == table]
        pointed_at = {column for one in incoming for column in one.to_columns}
        own_keys = frozenset(keys.primary.get(table, ())) | outgoing | pointed_at
        shapes.append(TableShape(table, columns, own_keys, tuple((one.table, one.pairs) for one in incoming)))
    # Those that nothing refers to come first: what they lose frees rows of the others.
    return sorted(shapes, key=lambda shape: len(shape.references))
