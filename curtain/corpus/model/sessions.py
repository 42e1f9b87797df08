"""The sessions of a corpus, read and checked one after another or by several processes."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import BrokenTurns, read_session
from curtain.corpus.model.utterance import Session, Split
from curtain.corpus.model.worker_pool import WorkerLost, in_order
from curtain.session.bundle.checks import ENDED, RESTORED, ensure_whole
from curtain.session.journal.journals import Journals
from curtain.session.study.languages import ENGLISH

_A_CHUNK = 8
# Starting two processes takes as long as reading some thousand turns, which fill this much of journals.
WORTH_PROCESSES = 8 * 1024 * 1024
# Whoever only wants to know whether there is anything starts no process.
_READ_FIRST = 2


@dataclass(frozen=True)
class Wanted:
    """A session to read: its folder, site and language, the splits of its study, the rules of annotation that are
    looked at, and whether it keeps of its journals what checks ask for."""

    path: Path
    site: str = ""
    splits: Mapping[str, Split] | None = None
    language: str = ENGLISH
    journals: bool = False
    broken_turns: BrokenTurns | None = None


def read_all(
    wanted: Sequence[Wanted], domains: Domains, jobs: int, worth_processes: int = WORTH_PROCESSES
) -> Generator[Session]:
    """The sessions in their order. `jobs` processes read them if there is more than `worth_processes` bytes of journals
    to read; 1 reads all of them here.

    Raises as `read_wanted`, at the session that is at fault.
    """
    # Bytes of the journals; those that are not there count nothing.
    spread = jobs > 1 and sum(Journals(one.path).size for one in wanted) > worth_processes
    first = _READ_FIRST if spread else len(wanted)
    for path in wanted[:first]:
        yield read_wanted(path, domains)
    yield from _spread(wanted[first:], domains, jobs)


def read_wanted(wanted: Wanted, domains: Domains) -> Session:
    """One session. Raises CurtainError unless it is whole, and what `read_session` raises."""
    journals = Journals(wanted.path)
    ensure_whole(wanted.path, journals)
    session = read_session(
        wanted.path,
        site=wanted.site,
        language=wanted.language,
        splits=wanted.splits,
        domains=domains,
        journals=journals,
        broken_turns=wanted.broken_turns,
    )
    if not wanted.journals:
        return session
    # Each line of an open session counts for the checks: it has no list of checksums.
    return replace(session, journals=journals.only((ENDED, RESTORED)) if session.closed else journals)


def _spread(wanted: Sequence[Wanted], domains: Domains, jobs: int) -> Iterator[Session]:
    """A session that a process could not read is read again here, so that it ends in the same error.

    So is everything behind a process that was ended from outside.
    """
    done = 0
    try:
        for session in (one for chunk in in_order(_read_chunk, _chunks(wanted), jobs) for one in chunk):
            yield session if session is not None else read_wanted(wanted[done], domains)
            done += 1
    except WorkerLost:
        for left in wanted[done:]:
            yield read_wanted(left, domains)


def _chunks(wanted: Sequence[Wanted]) -> Iterator[Sequence[Wanted]]:
    return (wanted[start : start + _A_CHUNK] for start in range(0, len(wanted), _A_CHUNK))


def _read_chunk(wanted: Sequence[Wanted]) -> list[Session | None]:
    """In a process of its own. None stands for a session that cannot be read: not every error can be sent."""
    domains = Domains()
    return [_read_or_none(one, domains) for one in wanted]


def _read_or_none(wanted: Wanted, domains: Domains) -> Session | None:
    try:
        return read_wanted(wanted, domains)
    except CurtainError:
        return None
