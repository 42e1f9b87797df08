"""No draft is shown that the guard refuses or that does not fit the schema: each is tried, in a process of its own, and
what it answers is its preview. Rubbish that a drafter gave is left out before; numbers and spans are put right."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from curtain.base.clock import steady_s
from curtain.base.terminal import without_hidden_signs
from curtain.domain.pack.reader import Pack
from curtain.domain.worker.worker import STOPPED, Limits, Result, SqlWorker
from curtain.drafting.values import Draft, Request

SQL_CHARS = 20_000
NOTHING = "nothing"
"""Stands for an answer without rows."""
_BECAUSE_CHARS = 200
_KEPT = 300
# Two questions have one of these as their answer by chance too often.
_SAY_LITTLE = frozenset({"", "0", "Yes", "No", "true", "false"})


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
    rows of its answer are kept."""

    def __init__(self, pack: Pack, db_path: Path, seconds: float = 1.0) -> None:
        # No answer is written here, so no row more than is shown is kept; all are counted.
        limits = Limits(interrupt_after_s=seconds, kill_after_s=1.5 * seconds, cas_rows=Limits().display_rows)
        self._worker = SqlWorker(db_path, pack, limits, with_spare=False)
        # The child opens the database now and not at the first draft.
        self._worker.examine(["SELECT 1"])
        self._trials: OrderedDict[str, Trial] = OrderedDict()
        self._previews: set[Future[Result]] = set()
        self._lock = threading.Lock()

    def passed(self, drafts: Sequence[Draft], correct: bool = True, within: float = 0.5) -> list[Draft]:
        """Those of the drafts that can run, with `correct` perhaps in another text. Waits `within` seconds for all."""
        trials = self.tried([draft.sql for draft in drafts], correct, within)
        pairs = ((draft, trials[draft.sql]) for draft in drafts)
        return [replace(own, sql=one.sql, key=one.key, answer=one.answer) for own, one in pairs if not one.problem]

    def tried(self, statements: Iterable[str], correct: bool = True, within: float = 0.5) -> dict[str, Trial]:
        """What became of each. All of them are examined, and run as long as there is time: `within` seconds for all."""
        trials = {sql: self._trials.get(sql) for sql in statements}
        unknown = [sql for sql, trial in trials.items() if trial is None]
        known = {sql: trial for sql, trial in trials.items() if trial is not None}
        return known | (self._try(unknown, correct, within) if unknown else {})

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

    def _try(self, statements: Sequence[str], correct: bool, within: float) -> dict[str, Trial]:
        ends = steady_s() + within
        examined = self._worker.examine(statements, correct).result()
        pairs = zip(statements, examined, strict=True)
        trials = {sql: Trial(one.sql or sql, one.key, one.problem or "") for sql, one in pairs}
        running = {
            sql: self._worker.run(sql, with_maximum=False, correct=correct)
            for sql, one in trials.items()
            if not one.problem
        }
        wait(running.values(), max(0.0, ends - steady_s()))
        for sql, future in running.items():
            if not future.done() and not future.cancel():
                self._worker.interrupt()
            elif not future.cancelled():
                trials[sql] = _after(trials[sql], future.result())
        with self._lock:
            # Faults are not remembered: one may come of a child that died.
            self._trials |= {sql: one for sql, one in trials.items() if not one.problem}
            self._trials |= {one.sql: one for one in trials.values() if one.result}
            while len(self._trials) > _KEPT:
                self._trials.popitem(last=False)
        return trials


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
