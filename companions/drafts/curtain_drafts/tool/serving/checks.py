"""No draft is shown that the guard refuses or that does not fit the schema: each is tried, in a process of its own, and
what it answers is its preview. Rubbish that a drafter gave is left out before; numbers and spans are put right."""

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from curtain.base.clock import steady_s
from curtain.base.terminal import without_hidden_signs
from curtain.domain.pack.reader import Pack
from curtain.domain.worker.worker import STOPPED, TOO_MUCH_MEMORY, Examination, Limits, Result, SqlWorker
from curtain_drafts.drafting.values import Draft, Request

SQL_CHARS = 20_000
NOTHING = "nothing"
"""Stands for an answer without rows."""
_BECAUSE_CHARS = 200
_KEPT = 300
# Two questions have one of these as their answer by chance too often.
_SAY_LITTLE = frozenset({"", "0", "Yes", "No", "true", "false"})
# What other databases do with more tolerance or more exactly.
_TOLERANT = re.compile(r"\b(LIKE|REAL|FLOAT4?)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Trial:
    """What became of a statement: the text that can run, which is another one if it was corrected, or its `problem`.
    Those with one `key` answer alike, or are the same statement where that is not known or would be chance; `answer`
    stands for the whole answer, whatever it says, and is empty if it is not known."""

    sql: str
    key: str = ""
    problem: str = ""
    answer: str = ""
    result: Result | None = None


class Checks:
    """Tries statements and remembers what came of them; used from any thread. A statement has `seconds`, and 200
    rows of its answer are kept. With `correct`, one that fails is read as another dialect, with its names and types put
    right: that loads sqlglot, which a window's process does without."""

    def __init__(self, pack: Pack, db_path: Path, seconds: float = 1.0, *, correct: bool = True) -> None:
        self._pack, self._correct = pack, correct
        # No answer is written here, so no row more than is shown is kept; all are counted.
        limits = Limits(interrupt_after_s=seconds, kill_after_s=1.5 * seconds, cas_rows=Limits().display_rows)
        self._worker = SqlWorker(db_path, pack, limits, with_spare=False)
        # The child opens the database now and not at the first draft.
        self._worker.examine(["SELECT 1"])
        self._trials: OrderedDict[str, Trial] = OrderedDict()
        self._previews: set[Future[Result]] = set()
        self._lock = threading.Lock()

    def passed(self, drafts: Sequence[Draft], within: float = 0.5) -> list[Draft]:
        """Those of the drafts that can run, perhaps in another text. Waits `within` seconds for all."""
        trials = self.tried([draft.sql for draft in drafts], within)
        pairs = ((draft, trials[draft.sql]) for draft in drafts)
        return [replace(own, sql=one.sql, key=one.key, answer=one.answer) for own, one in pairs if not one.problem]

    def tried(self, statements: Iterable[str], within: float = 0.5) -> dict[str, Trial]:
        """What became of each. All of them are examined, and run as long as there is time: `within` seconds for all."""
        trials = {sql: self._trials.get(sql) for sql in statements}
        unknown = [sql for sql, trial in trials.items() if trial is None]
        known = {sql: trial for sql, trial in trials.items() if trial is not None}
        return known | (self._try(unknown, within) if unknown else {})

    def preview(self, sql: str, yes_no: bool = False) -> Future[Result]:
        """How many rows there are, the first ones, and a yes or no if that is asked for; can be cancelled until it is
        resolved, and never raises."""
        trial = self._trials.get(sql)
        if trial and trial.result and not yes_no:
            done: Future[Result] = Future()
            done.set_result(trial.result)
            return done
        asked = self._worker.run(sql, yes_no, with_maximum=False)
        self._previews.add(asked)
        asked.add_done_callback(self._previews.discard)
        return asked

    def cancel(self) -> None:
        """Cancels the previews that wait, and stops the one that runs."""
        running = [one for one in list(self._previews) if not one.cancel() and not one.done()]
        if running:
            self._worker.interrupt()

    def close(self) -> None:
        self.cancel()
        self._worker.close()

    def _try(self, statements: Sequence[str], within: float) -> dict[str, Trial]:
        ends = steady_s() + within
        examined = self._worker.examine(statements).result()
        trials = {sql: self._examined(sql, one) for sql, one in zip(statements, examined, strict=True)}
        running = {sql: self._run(one.sql) for sql, one in trials.items() if not one.problem}
        wait(running.values(), max(0.0, ends - steady_s()))
        for sql, future in running.items():
            trials[sql] = _after(trials[sql], self._as_meant(sql, self._ended(future, trials[sql].sql, ends), ends))
        with self._lock:
            # Faults are not remembered: one may come of a child that died.
            self._trials |= {sql: one for sql, one in trials.items() if not one.problem}
            self._trials |= {one.sql: one for one in trials.values() if one.result}
            while len(self._trials) > _KEPT:
                self._trials.popitem(last=False)
        return trials

    def _examined(self, sql: str, first: Examination) -> Trial:
        """The statement or the likeliest of its corrections that could run."""
        if first.problem:
            for other in self._corrections(sql):
                [examined] = self._worker.examine([other]).result()
                if not examined.problem:
                    return Trial(other, examined.key)
        return Trial(sql, first.key, first.problem or "")

    def _corrections(self, sql: str) -> Iterator[str]:
        if not self._correct:
            return iter(())
        from curtain_drafts.models.corrections import corrections

        return corrections(sql[: Limits().statement_chars], self._pack.tables, self._pack.as_of)

    def _run(self, sql: str) -> Future[Result]:
        return self._worker.run(sql, with_maximum=False)

    def _ended(self, running: Future[Result], sql: str, ends: float) -> Result:
        """What became of a statement until then; what still runs is stopped."""
        if wait([running], max(0.0, ends - steady_s())).done:
            return running.result()
        if not running.cancel():
            self._worker.interrupt()
        return Result(sql=sql, error=STOPPED)

    def _as_meant(self, sql: str, result: Result, ends: float) -> Result:
        """The result of the first correction that runs where the statement fails; and of what is as tolerant, or as
        exact, as other databases are."""
        # What took time was stopped or ended its process: it would not do better in other words.
        if result.error and not result.ms and result.error not in (STOPPED, TOO_MUCH_MEMORY):
            others = (self._ended(self._run(other), other, ends) for other in self._corrections(sql))
            result = next((one for one in others if not one.error), result)
        if result.error or not self._correct or not _TOLERANT.search(result.sql):
            return result
        from curtain_drafts.models.corrections import as_meant

        exact, loose = (
            self._ended(self._run(one), one, ends) if one != result.sql else result for one in as_meant(result.sql)
        )
        best = result if exact.error else exact
        return loose if not loose.error and (loose.total, loose.rows) != (best.total, best.rows) else best


def _after(trial: Trial, result: Result) -> Trial:
    if result.error == STOPPED:
        # For a newer request; nothing is wrong with it.
        return trial
    if result.error:
        return replace(trial, problem=result.error)
    if result.total != len(result.rows):
        return replace(trial, sql=result.sql, result=result)
    # An answer is a set, and the order of its rows a matter of chance.
    rows = sorted({"\x1f".join(row) for row in result.rows})
    answer = hashlib.sha256("\x1e".join(rows).encode()).hexdigest()[:16] if rows else NOTHING
    little = not rows or (len(rows) == 1 and rows[0] in _SAY_LITTLE)
    return Trial(result.sql, trial.key if little else answer, "", answer, result)


def sanitized(given: Iterable[object], request: Request) -> list[Draft]:
    """The drafts among what was given, at most `request.n`; each is whole, and its places are within the question."""
    drafts = (_whole(one, len(request.question)) for one in given)
    return [draft for draft in drafts if draft is not None][: request.n]


def _whole(one: object, chars: int) -> Draft | None:
    """The draft of a question of so many characters with each field of its type, if it has them; also no text that
    could not be sent."""
    try:
        draft = msgspec.msgpack.decode(msgspec.msgpack.encode(one), type=Draft)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        return None

    def is_within(span: tuple[int, int]) -> bool:
        return 0 <= span[0] < span[1] <= chars

    # What nobody sees, as marks that turn the direction of writing, must not stand in an editor.
    sql = without_hidden_signs(draft.sql).strip()
    made = replace(
        draft,
        sql=sql,
        confidence=min(1.0, max(0.0, draft.confidence)),
        chips=tuple(one for one in draft.chips if one.start == one.end == -1 or is_within((one.start, one.end))),
        rests_on=tuple(filter(is_within, draft.rests_on)),
        ignored=tuple(filter(is_within, draft.ignored)),
        because=" ".join(without_hidden_signs(draft.because).split())[:_BECAUSE_CHARS],
    )
    return made if 0 < len(sql) <= SQL_CHARS else None
