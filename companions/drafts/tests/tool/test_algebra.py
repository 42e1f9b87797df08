"""Statements read into the algebra and written again: the same statement, and the same answer."""

import duckdb
import pytest

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain_drafts.tool.algebra.reading import SqlReader
from curtain_drafts.tool.algebra.writing import write


def statements(pack: Pack) -> list[str]:
    """All SQL that a pack publishes."""
    return [sql for example in pack.examples() for sql in example.statements]


@pytest.mark.parametrize(("domain", "opaque"), [("personnel", 1), ("atis", 4)])
def test_published_statements_come_back_the_same(domain: str, opaque: int) -> None:
    """What is written reads as what was read; at most so many statements stay as they are."""
    pack = load_pack(domain)
    reader = SqlReader(pack.tables, "", pack.keys.primary)
    changed, untaken = [], []
    for sql in statements(pack):
        read = reader.read(sql)
        assert read is not None, sql
        again = reader.read(write(read))
        if again is None or again.key != read.key:
            changed.append(sql)
        if not read.root:
            untaken.append(sql)
    assert not changed
    assert len(untaken) <= opaque, untaken


def test_published_statements_answer_the_same_when_written_again() -> None:
    """No row of an answer is lost or added."""
    pack = load_pack("personnel")
    reader = SqlReader(pack.tables, "", pack.keys.primary)
    with duckdb.connect(str(database(pack)), read_only=True) as connection:
        for sql in statements(pack):
            read = reader.read(sql)
            assert read is not None, sql
            assert set(connection.execute(write(read)).fetchall()) == set(connection.execute(sql).fetchall()), sql
