"""The maximum of what bundled packs are asked holds the minimum, and nothing beside the point (001, section 2.2.2).

What a subject reads never goes beyond it; all examples are asked in the soak, else every fourth.
"""

from collections.abc import Iterator

import duckdb
import pytest

from curtain.domain.pack.pack import Pack, bundled_packs, database, load_pack
from curtain.domain.worker.worker import SqlWorker
from tests.support.maximum import check_maximum
from tests.support.shown import TRUTH, check_shown

TOO_LARGE = "The maximum answer is too large to be kept."
Opened = tuple[Pack, SqlWorker, duckdb.DuckDBPyConnection]


@pytest.fixture(scope="module", params=bundled_packs())
def opened(request: pytest.FixtureRequest) -> Iterator[Opened]:
    pack = load_pack(request.param)
    path = database(pack)
    worker = SqlWorker(path, pack, with_spare=False, show="readable")
    with duckdb.connect(str(path), read_only=True) as bare:
        # One thread, as the worker has: rows with the same rank at a LIMIT are then the same.
        bare.execute("SET threads = 1")
        yield pack, worker, bare
    worker.close()


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_the_maximum_of_examples_holds_their_minimum_and_what_is_shown(opened: Opened, every: int) -> None:
    pack, worker, bare = opened
    keys = {heading for name in ("flight", "fare", "employee") for heading in _key_headings(pack, name)}
    running = [(example, worker.run(example.sql, example.yes_no)) for example in pack.examples()[::every]]
    for example, future in running:
        result = future.result(timeout=60)
        assert result.error is None, example.question
        if result.cas_max is None:
            assert result.max_error == TOO_LARGE, (example.question, result.max_error)
        else:
            try:
                check_maximum(result.cas_min or "", result.cas_max, pack.dialect)
            except AssertionError as error:
                raise AssertionError(f"{example.question}\n{result.sql_max}") from error
        if example.yes_no:
            assert result.shown is not None and result.shown.rows in TRUTH, example.question
        elif result.shown is None:
            assert result.show_fault == TOO_LARGE, example.question
        else:
            check_shown(result, bare, pack.formats)
            assert not keys & set(result.shown.headings), example.question


def _key_headings(pack: Pack, entity: str) -> list[str]:
    """Of a key that only computers go by."""
    return [pack.headings[place.partition(".")[2]] for place in pack.canonical.get(entity, ())]


def test_every_line_of_what_may_be_told_leads_to_a_column(opened: Opened) -> None:
    assert opened[0].problems_of_entities == []
