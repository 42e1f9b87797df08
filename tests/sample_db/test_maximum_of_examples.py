"""Every example of every bundled pack: its maximum holds its minimum, and nothing beside the point (001, 2.2.2)."""

from collections.abc import Iterator

import pytest

from curtain.domain.pack.pack import Pack, bundled_packs, database, load_pack
from curtain.domain.worker.worker import SqlWorker
from tests.support.maximum import check_maximum


@pytest.fixture(scope="module", params=bundled_packs())
def opened(request: pytest.FixtureRequest) -> Iterator[tuple[Pack, SqlWorker]]:
    pack = load_pack(request.param)
    worker = SqlWorker(database(pack), pack)
    yield pack, worker
    worker.close()


def test_the_maximum_of_every_example_holds_its_minimum(opened: tuple[Pack, SqlWorker]) -> None:
    pack, worker = opened
    running = [(example, worker.run(example.sql, example.yes_no)) for example in pack.examples()]
    for example, future in running:
        result = future.result(timeout=60)
        assert result.error is None, example.question
        if result.cas_max is None:
            assert result.max_error == "The maximum answer is too large to be kept.", (
                example.question,
                result.max_error,
            )
            continue
        try:
            check_maximum(result.cas_min or "", result.cas_max, pack.dialect)
        except AssertionError as fault:
            raise AssertionError(f"{example.question}\n{result.sql_max}") from fault


def test_every_line_of_what_may_be_told_leads_to_a_column(opened: tuple[Pack, SqlWorker]) -> None:
    assert opened[0].faults_of_entities == []
