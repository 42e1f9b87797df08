"""A system over a test set: chains in their order, several at a time, and on from where it stopped.

Each finished question is one line on the disk at once, so a run that is stopped loses nothing that was answered.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import structs

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import parse_json
from curtain.base.progress_bar import Report
from curtain.base.record_file import add_record
from curtain.cas import CasError, NoAnswer, parse
from curtain.domain.maximum.yes_no import is_yes_no
from curtain.domain.worker.worker import SqlWorker
from curtain_experiments.systems.choice import SystemChoice
from curtain_experiments.systems.client import SystemClient
from curtain_experiments.systems.offline.questions import TestQuestion, chains
from curtain_experiments.systems.protocol import EarlierTurn, HostedSystemError, SystemQuestion, SystemReply, line_of
from curtain_experiments.systems.starting import SystemGround, start_system

NO_ANSWER = "NO_ANSWER"


class AnswerLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the file of answers, as `curtain score` reads it. `problem` says why a system that broke down has no
    answer and `ms` how long it took by our clock."""

    id: str
    answer: str
    sql: str | None = None
    message: str | None = None
    text: str | None = None
    partial: bool = False
    problem: str | None = msgspec.field(name="fault", default=None)
    ms: int = 0


@dataclass(frozen=True)
class RunCounts:
    """What became of the questions; `kept` were answered by an earlier run."""

    answered: int = 0
    no_answer: int = 0
    problems: int = 0
    kept: int = 0


def run_over(
    choice: SystemChoice,
    ground: SystemGround,
    questions: Sequence[TestQuestion],
    out: Path,
    jobs: int = 1,
    report: Report = lambda what, share: None,
) -> RunCounts:
    """Asks everything that `out` does not answer yet, and leaves `out` in the order of the questions.

    Raises CurtainError, and HostedSystemError if the system cannot be started at all.
    """
    kept = _read(out)
    question_ids = {one.id for one in questions}
    if strangers := [name for name in kept if name not in question_ids]:
        raise CurtainError(f"{out} answers “{strangers[0]}”, which is none of these questions; name another --out.")
    todo = [chain for chain in chains(questions) if any(one.id not in kept for one in chain)]
    with os_errors_as(f"{out} cannot be written"):
        out.parent.mkdir(parents=True, exist_ok=True)
        if out.exists():
            # Without the torn last line of a run that was killed.
            replace_file(out, map(line_of, kept.values()))
    file = _AnswerFile(out, kept)
    _ask_all(choice, ground, todo, file, min(jobs, max(1, len(todo))), len(questions), report)
    with os_errors_as(f"{out} cannot be written"):
        replace_file(out, (line_of(file.answers[one.id]) for one in questions))
    return _counts(file.answers.values(), len(kept))


def _ask_all(
    choice: SystemChoice, ground: SystemGround, todo: Sequence[Sequence[TestQuestion]], file: _AnswerFile, jobs: int,
    total: int, report: Report,
) -> None:  # fmt: skip
    waiting = iter(todo)
    taking = threading.Lock()

    def work() -> None:
        with (
            closing(start_system(choice, ground)) as system,
            closing(SqlWorker(ground.database, ground.pack, with_spare=False)) as worker,
        ):
            while True:
                with taking:
                    chain = next(waiting, None)
                if chain is None:
                    return
                for question in chain:
                    if question.id not in file.answers:
                        file.add(_answered(system, worker, question, file.answers, ground.pack.dialect))
                        report("Asking", len(file.answers) / total)

    with ThreadPoolExecutor(jobs, thread_name_prefix="system-run") as pool:
        for done in [pool.submit(work) for _ in range(jobs)]:
            done.result()


def _answered(
    system: SystemClient, worker: SqlWorker, question: TestQuestion, answers: dict[str, AnswerLine], dialect: str
) -> AnswerLine:
    previous = [*question.given, *(_earlier(answers[name]) for name in question.after if name in answers)]
    asked = SystemQuestion(
        utterance_id=question.id,
        session_id=question.session_id,
        scenario_id=question.scenario_id,
        turn=question.turn,
        text=question.text,
        audio=question.audio,
        previous=previous,
    )
    try:
        timed = system.ask(asked).result()
    except HostedSystemError as error:
        # A system that never ran would leave a whole file of problems, which looks like a result.
        if error.kind == "missing":
            raise
        return AnswerLine(id=question.id, answer=NO_ANSWER, text=question.text, problem=f"{error.kind}: {error}")
    line = AnswerLine(id=question.id, answer=NO_ANSWER, text=timed.reply.text or question.text, ms=timed.ms)
    return _with_reply(line, timed.reply, worker, dialect)


def _with_reply(line: AnswerLine, reply: SystemReply, worker: SqlWorker, dialect: str) -> AnswerLine:
    line = structs.replace(line, partial=reply.partial, message=reply.message)
    if reply.sql is not None:
        result = worker.run(reply.sql, is_yes_no(line.text or "")).result()
        if result.error is not None:
            return structs.replace(line, sql=reply.sql, problem=f"sql: {result.error}")
        return structs.replace(line, sql=reply.sql, answer=result.cas_min or NO_ANSWER, problem=result.cas_error)
    if reply.cas is not None:
        try:
            if not isinstance(parse(reply.cas, dialect), NoAnswer):
                return structs.replace(line, answer=" ".join(reply.cas.split()))
        except CasError as error:
            # Kept as it was said: the score counts a malformed answer as wrong.
            return structs.replace(line, answer=reply.cas, problem=f"cas: {error}")
    return line


def _earlier(line: AnswerLine) -> EarlierTurn:
    shown = None if line.answer == NO_ANSWER or line.sql else line.answer
    return EarlierTurn(text=line.text or "", sql=None if line.problem else line.sql, cas=shown, message=line.message)


class _AnswerFile:
    """Appends answers, each at once; several threads may add."""

    def __init__(self, path: Path, kept: dict[str, AnswerLine]) -> None:
        self._path = path
        self.answers = dict(kept)
        self._adding = threading.Lock()

    def add(self, line: AnswerLine) -> None:
        with self._adding:
            add_record(self._path, line)
            self.answers[line.id] = line


def _read(path: Path) -> dict[str, AnswerLine]:
    """What an earlier run answered; a torn last line is asked again."""
    lines: list[bytes] = []
    with os_errors_as(f"{path} cannot be read"), suppress(FileNotFoundError):
        lines = path.read_bytes().split(b"\n")
    kept: dict[str, AnswerLine] = {}
    for number, line in enumerate(lines, start=1):
        try:
            if line.strip():
                answer = parse_json(line, AnswerLine)
                kept[answer.id] = answer
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            if number < len(lines):
                raise CurtainError(f"{path} line {number} is no answer of a run; name another --out.") from error
    return kept


def _counts(answers: Iterable[AnswerLine], kept: int) -> RunCounts:
    became = Counter(
        "problems" if line.problem is not None else "no_answer" if line.answer == NO_ANSWER else "answered"
        for line in answers
    )
    return RunCounts(**became, kept=kept)
