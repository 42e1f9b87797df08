"""Columns that are never compared alone."""

from __future__ import annotations

from curtain.drafting.algebra.reading import SqlReader
from curtain.drafting.ranking.column_companions import Company

TABLES = {"date_day": {"year": "INTEGER", "month": "INTEGER", "day_name": "VARCHAR"}}


def test_a_year_without_its_month_is_missed_only_where_both_always_come_together() -> None:
    """Twenty answered statements tell."""
    reader, company = SqlReader(TABLES), Company()
    both = reader.read("SELECT day_name FROM date_day WHERE year = 1991 AND month = 3")
    alone = reader.read("SELECT day_name FROM date_day WHERE year = 1991")
    assert both is not None and alone is not None
    company.add(both)
    assert not company.lacks(alone)
    for _ in range(20):
        company.add(both)
    assert company.lacks(alone)
    assert not company.lacks(both)
