"""The scripts of the demonstrations: what a newcomer sees a wizard do is done by the rules."""

from collections.abc import Iterator

import pytest

from curtain.domain.pack.pack import Pack, bundled_packs, database, load_pack
from curtain.domain.rules.principles import load_rules, warnings
from curtain.domain.worker.worker import SqlWorker
from curtain.rehearsal.script import ScriptStep, read_script


@pytest.fixture(scope="module", params=bundled_packs())
def opened(request: pytest.FixtureRequest) -> Iterator[tuple[Pack, SqlWorker, list[ScriptStep]]]:
    pack = load_pack(request.param)
    worker = SqlWorker(database(pack), pack, with_spare=False)
    scripts = [pack.folder / "demo.jsonl", *sorted((pack.folder / "study").glob("*.jsonl"))]
    yield pack, worker, [step for script in scripts for step in read_script(script)]
    worker.close()


def test_the_last_statement_of_every_step_runs_and_has_a_maximum(
    opened: tuple[Pack, SqlWorker, list[ScriptStep]],
) -> None:
    _, worker, steps = opened
    for step in (step for step in steps if step.statements):
        result = worker.run(step.statements[-1]).result(timeout=30)
        assert (result.error, result.max_error, result.total > 0) == (None, None, True), step.query


def test_no_statement_breaks_a_rule_of_the_pack(opened: tuple[Pack, SqlWorker, list[ScriptStep]]) -> None:
    pack, worker, steps = opened
    book, query, broken = load_rules(pack), "", []
    for step in steps:
        query = step.query or query
        facts = [worker.look(sql).result(timeout=30) for sql in step.statements]
        broken += [(query, warned) for found in facts for warned in warnings(pack, book, query, found)]
    assert broken == []
