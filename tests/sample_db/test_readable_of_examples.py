"""Every example of every bundled pack as a subject reads it: never beyond the maximum (001, section 2.2.2)."""

from collections.abc import Iterator

import duckdb
import pytest

from curtain.domain.pack.pack import Pack, bundled_packs, database, load_pack
from curtain.domain.worker.worker import SqlWorker
from tests.support.shown import TRUTH, check_shown

Opened = tuple[Pack, SqlWorker, duckdb.DuckDBPyConnection]


@pytest.fixture(scope="module", params=bundled_packs())
def opened(request: pytest.FixtureRequest) -> Iterator[Opened]:
    pack = load_pack(request.param)
    path = database(pack)
    worker = SqlWorker(path, pack, show="readable")
    with duckdb.connect(str(path), read_only=True) as bare:
        # One thread, as the worker has: rows with the same rank at a LIMIT are then the same.
        bare.execute("SET threads = 1")
        yield pack, worker, bare
    worker.close()


def test_what_is_shown_of_examples_lies_within_their_maximum(opened: Opened) -> None:
    check_examples(opened, every=5)


@pytest.mark.soak
def test_what_is_shown_of_every_example_lies_within_its_maximum(opened: Opened) -> None:
    check_examples(opened, every=1)


def check_examples(opened: Opened, every: int) -> None:
    pack, worker, bare = opened
    keys = {heading for name in ("flight", "fare", "employee") for heading in _key_headings(pack, name)}
    running = [(example, worker.run(example.sql, example.yes_no)) for example in pack.examples()[::every]]
    for example, future in running:
        result = future.result(timeout=60)
        assert result.error is None, example.question
        if example.yes_no:
            assert result.shown is not None and result.shown.rows in TRUTH, example.question
        elif result.shown is None:
            assert result.show_fault == "The maximum answer is too large to be kept.", example.question
        else:
            check_shown(result, bare, pack.formats)
            assert not keys & set(result.shown.headings), example.question


def _key_headings(pack: Pack, entity: str) -> list[str]:
    """Of a key that only computers go by."""
    return [pack.headings[place.partition(".")[2]] for place in pack.canonical.get(entity, ())]
