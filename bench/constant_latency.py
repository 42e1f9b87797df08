"""How punctual replies are under a constant latency: python bench/constant_latency.py [SECONDS]

200 answers, made at any moment before they are due, leave through the wizard's gate in real time and are made
durable. Measured from the release of the key to the disk; bench/latency.py has the way from there to the screen.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QCoreApplication, QObject, QTimer
from size import SMALL, sized

from curtain.base.clock import Clock
from curtain.base.table import Table
from curtain.base.terminal import print_line
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.journal.journal import Journal
from curtain.session.study.design import PlannedRun, SubjectPlan
from wizard_app.desk.session.progress import SessionProgress, with_subject_fact, with_wizard_fact
from wizard_app.desk.turn.reply_gate import ReplyGate

ANSWERS = sized(200, 10)
APART_MS = 40
TABLE = Table(headings=["n"], rows=[["1"]] * 20, numeric=[True], total=20)


def main() -> None:
    """Prints the waits; exit 1 if the 5th and the 95th percentile are more than 50 ms apart."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else sized(2.0, 0.5)
    app, owner = QCoreApplication([]), QObject()
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "wizard.events.jsonl", Clock())
        bench = _Bench(seconds, journal, owner)
        bench.finished = app.quit
        QTimer.singleShot(0, bench.begin)
        app.exec()
        journal.close()
    waits = sorted(bench.waits_ms)
    marks = statistics.quantiles(waits, n=20)
    print_line(f"{len(waits)} answers, set {1000 * seconds:.0f} ms after the release; on the disk after")
    print_line(f"5 % {marks[0]:.1f} ms   median {statistics.median(waits):.1f} ms   95 % {marks[-1]:.1f} ms")
    print_line(f"spread {marks[-1] - marks[0]:.1f} ms   latest {waits[-1]:.1f} ms")
    sys.exit(not SMALL and marks[-1] - marks[0] > 50)


class _Bench:
    """Makes an answer to each turn at a random moment before it is due."""

    def __init__(self, seconds: float, journal: Journal, owner: QObject) -> None:
        self.waits_ms: list[float] = []
        self.finished = lambda: None
        self._seconds = seconds
        self._journal = journal
        self._owner = owner
        self._released: dict[int, int] = {}
        self._progress = _opened(seconds)
        self._gate = ReplyGate(self._write, lambda: self._progress, time.monotonic_ns, owner)
        self._dice = random.Random(1992)

    def begin(self) -> None:
        for turn in range(1, ANSWERS + 1):
            QTimer.singleShot(APART_MS * turn, self._owner, lambda turn=turn: self._release(turn))

    def _release(self, turn: int) -> None:
        now = self._released[turn] = time.monotonic_ns()
        self._progress = with_subject_fact(self._progress, subject.KeyDown(source="key", pressed_ns=now), turn, now)
        self._progress = with_subject_fact(self._progress, subject.KeyUp(released_ns=now, held_ms=900), turn, now)
        made_ms = round(self._dice.uniform(0.05, 0.95) * 1000 * self._seconds)
        answer = wizard.AnswerSent(sql="SELECT 1", table=TABLE, cas_min="((1))")
        QTimer.singleShot(made_ms, self._owner, lambda: self._gate.write([(answer, turn)]))

    def _write(self, facts: list[tuple[wizard.WizardFact, int | None]]) -> None:
        for (_, turn), future in zip(facts, self._journal.append_all(facts), strict=True):
            future.add_done_callback(lambda _done, turn=turn: self._durable(turn))

    def _durable(self, turn: int) -> None:
        self.waits_ms.append((time.monotonic_ns() - self._released[turn]) / 1e6)
        if len(self.waits_ms) == ANSWERS:
            self.finished()


def _opened(seconds: float) -> SessionProgress:
    opened = wizard.SessionOpened(
        session_id="e00-01", speaker_id="e00", wizard_ids=["w"], scenario_ids=["fair"],
        plan=SubjectPlan(number=1, runs=(PlannedRun("fair", "slow"),)),
        conditions=[{"id": "slow", "who": "wizard", "latency": seconds}],
    )  # fmt: skip
    progress = with_wizard_fact(SessionProgress(), opened, None, 0, 1)
    tied = wizard.LinkRestored(subject_epoch=1, offset_ns=0, rtt_ns=0)
    progress = with_wizard_fact(progress, tied, None, 0, 2)
    started = wizard.ScenarioStarted(scenario_id="fair", number=1, of=1, condition_id="slow")
    return with_wizard_fact(progress, started, None, 0, 3)


if __name__ == "__main__":
    main()
