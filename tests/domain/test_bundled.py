from contextlib import closing

import pytest

from curtain.cas import compare
from curtain.domain.pack.pack import bundled_packs, database, load_pack
from curtain.domain.worker.worker import SqlWorker


@pytest.mark.parametrize("name", bundled_packs())
def test_every_solution_of_a_bundled_pack_runs_and_gives_its_answer(name: str) -> None:
    pack = load_pack(name)
    solutions = [pack.solution(scenario.id) for scenario in pack.scenarios]
    wanted = [(solution.sql, solution.answer) for solution in solutions if solution and solution.sql]

    with closing(SqlWorker(database(pack), pack, with_spare=False)) as worker:
        for sql, answer in wanted:
            result = worker.run(sql, with_maximum=False).result(timeout=30)
            assert (result.error, result.cas_error) == (None, None), sql
            if answer:
                verdict = compare(result.cas_min or "", answer, dialect=pack.dialect)
                assert verdict.outcome == "correct", (sql, result.cas_min, answer, verdict)
