"""Sessions read by several processes are those that one process reads, and so are their errors."""

import multiprocessing
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from curtain.base.errors import CurtainError
from curtain.corpus.annotation.checks import checker_of
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.sessions import Wanted, read_all
from curtain.corpus.model.utterance import Session
from curtain.session.bundle.bundle import Bundle


@pytest.fixture
def wanted(toy: Path, tmp_path: Path) -> list[Wanted]:
    """Enough sessions for several chunks; each lies in a study of its own."""
    names = sorted(path.name for path in (toy / "sessions").iterdir()) * 4
    copies = [shutil.copytree(toy, tmp_path / f"{n:02}") / "sessions" / names[n] for n in range(20)]
    # As an export wants them: the rules go to the processes too.
    return [Wanted(path, "lab", {"e00": "dev"}, broken_turns=checker_of(toy).broken_turns) for path in copies]


def read(wanted: list[Wanted], jobs: int) -> Iterator[Session]:
    return read_all(wanted, Domains(), jobs, worth_processes=0)


def test_two_processes_read_what_one_reads(wanted: list[Wanted]) -> None:
    alone = list(read(wanted, 1))
    assert [session.path for session in alone] == [one.path for one in wanted]
    assert list(read(wanted, 2)) == alone


def test_a_damaged_session_ends_the_reading_in_the_same_sentence_at_the_same_place(wanted: list[Wanted]) -> None:
    journal = Bundle(wanted[12].path).wizard_journal
    journal.write_bytes(journal.read_bytes().replace(b'"type":"heard"', b'"type":"Heard"', 1))
    reported = []
    for jobs in (1, 2):
        before = []
        with pytest.raises(CurtainError) as fault:
            before.extend(read(wanted, jobs))
        reported.append(str(fault.value))
    assert reported[0] == reported[1] and str(wanted[12].path) in reported[0]


def test_whoever_stops_asking_leaves_no_process_behind(wanted: list[Wanted]) -> None:
    before = set(multiprocessing.active_children())
    sessions = read_all(wanted, Domains(), 2, worth_processes=0)
    for _ in range(4):
        next(sessions)
    ours = set(multiprocessing.active_children()) - before
    assert ours
    sessions.close()
    for process in ours:
        process.join()
    # Not by `active_children`: it keeps a process that the pool's own thread has waited for at the same moment.
    assert not any(psutil.pid_exists(process.pid or 0) for process in ours)


def test_few_sessions_start_no_process(wanted: list[Wanted]) -> None:
    before = set(multiprocessing.active_children())
    sessions = read_all(wanted, Domains(), 2)
    for _ in range(4):
        next(sessions)
    assert set(multiprocessing.active_children()) == before
