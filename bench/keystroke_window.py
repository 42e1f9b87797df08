"""Answers questions in the wizard's real window, key by key, with and without drafts; a silent subject asks them."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from keystroke_plan import Plan, strokes_of
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTreeView

from curtain.base.clock import Clock
from curtain.domain.pack.pack import Pack
from curtain.drafting.service import DrafterChoice, DraftService, DraftSettings, Standing
from curtain.drafting.store import read_examples
from curtain.link import messages
from curtain.qt import style
from curtain.session.events import subject_events as subject
from curtain.session.journal.journal import Journal
from curtain.session.study import ids
from curtain.session.study.study import Study, new_study
from wizard_app.app import WizardApp, build
from wizard_app.desk.drafts.start import KeptInStudy
from wizard_app.desk.session.plan import SessionPlan
from wizard_app.options import WizardOptions

if TYPE_CHECKING:
    from keystrokes import Case

PATIENCE_S = 600.0


class SilentSubject(QObject):
    """In place of the link: a subject that joins, asks without a sound, and shows whatever it is sent at once."""

    subject_joined = Signal(object)
    received = Signal(object)
    acked = Signal(int)
    clock_tied = Signal(object)
    lost = Signal()
    turned_away = Signal(object)
    up = True

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._clock = Clock()
        self._journal: Journal | None = None
        self._session_id = ""
        self._turn = 0

    def listen(self, name: str = "") -> None:
        self.subject_joined.emit(messages.Hello())

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()

    def welcome(self, answer: messages.Message) -> None:
        if isinstance(answer, messages.Welcome) and self._journal is None:
            self._session_id = answer.session_id
            self._journal = Journal(self._folder / "subject.jsonl", self._clock)
            epoch = subject.SubjectEpoch(number=1, app_version="0", pid=1, session_id=answer.session_id)
            self._journal_fact(epoch)

    def send(self, message: messages.Message) -> bool:
        seq = getattr(message, "seq", None)
        if seq is not None:
            self.acked.emit(seq)
        return True

    def ack(self, seq: int) -> None: ...

    def judge_with(self, judge: object) -> None:
        """Nobody else asks for the subject's place."""

    def begin_again(self, have: int) -> None:
        """Its record is never in doubt."""

    def ask(self) -> int:
        """One more question; what was said before does not count for it."""
        self._turn += 1
        now = self._clock.monotonic_ns()
        self._journal_fact(subject.HistoryCleared())
        self._journal_fact(subject.KeyDown(source="key", pressed_ns=now), self._turn)
        self._journal_fact(subject.KeyUp(released_ns=now, held_ms=1), self._turn)
        utterance = ids.utterance_id(self._session_id, self._turn)
        saved = subject.TakeSaved(utterance_id=utterance, frames=1, sample_rate=16000, sha256="0" * 64, peak_dbfs=-9.0)
        self._journal_fact(saved, self._turn)
        return self._turn

    def _journal_fact(self, fact: Any, turn: int | None = None) -> None:
        assert self._journal is not None
        entry = self._journal.append(fact, turn).result()
        self.received.emit(messages.JournalLine(seq=entry.seq, line=self._journal.line_of(entry.seq)))


class Window:
    """The wizard's window, pressed by keys and counted; waits run the event loop."""

    def __init__(self, app: WizardApp, asker: SilentSubject) -> None:
        self.app = app
        self.asker = asker
        self.strokes = 0

    def begin(self) -> None:
        shown = self.app.window.findChild(QLabel, "missing")
        self.until(lambda: shown is not None and shown.text().startswith("Still missing"))
        station = self.app.station
        assert station is not None
        tables = self.app.window.findChild(QTreeView, "schema")
        self.until(lambda: tables is not None and tables.model().rowCount() > 0, "the schema")
        plan = SessionPlan("e00", "bench", ("1",), None, False, "", pilot=True)
        station.pages.start.start_requested.emit(plan)
        self.wait(state="idle")

    def wait(self, **wanted: object) -> None:
        self.until(lambda: all(self.app.window.property(name) == value for name, value in wanted.items()), wanted)

    def until(self, holds: Callable[[], bool], wanted: object = "") -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            if time.monotonic() > end:
                raise SystemExit(f"The window never came to {wanted}.")
            QTest.qWait(1)

    def press(self, key: str) -> None:
        self.strokes += strokes_of(key)
        target = QApplication.focusWidget() or self.app.window
        if len(key) == 1:
            QTest.keyClicks(target, key)
            return
        chord = QKeySequence(key)[0]  # type: ignore[index]
        QTest.keyClick(target, chord.key(), chord.keyboardModifiers())

    def play(self, plan: Plan) -> tuple[str, float]:
        """All keys of a turn; returns what was sent and how long the station was waited for, in seconds."""
        turn, waited = self.asker.ask(), 0.0
        self.wait(turn=turn, state="transcribe")
        self.until(lambda: self.app.window.focusWidget() is not None)
        for key in plan.keys:
            began = time.monotonic()
            if key.startswith("Alt+"):
                self.wait(drafts_settled=True, draft_state="here")
            elif key == "Ctrl+Shift+Return":
                self.wait(sql_settled=True, sql_state="done")
            waited += time.monotonic() - began
            self.press(key)
            if key == "Ctrl+Return":
                self.wait(state="answer")
        self.wait(answered_turn=turn, state="idle")
        station = self.app.station
        assert station is not None
        answer = station.controllers.session.progress.turns[turn].answer
        return (answer.sql if answer is not None else ""), waited


def press_all(cases: Sequence[Case], train: Path) -> None:
    """Prints what the window did; stops with a sentence where it did not do as planned."""
    made = QApplication.instance() or QApplication(["keystrokes"])
    assert isinstance(made, QApplication)
    look = style.apply(made, "light")
    with tempfile.TemporaryDirectory(prefix="curtain-keystrokes-") as scratch:
        asker = SilentSubject(Path(scratch))
        app = build(
            _study(Path(scratch) / "study"),
            look,
            WizardOptions(),
            lambda resend: asker,
            drafting=partial(_start, train),
        )
        app.begin()
        window = Window(app, asker)
        try:
            window.begin()
            _press(cases, window)
        finally:
            app.close()
            app.window.may_close = lambda: True
            app.window.close()


def _press(cases: Sequence[Case], window: Window) -> None:
    QApplication.setActiveWindow(window.app.window)
    waits: list[float] = []
    counted = {"by hand": 0, "with drafts": 0}
    for case in cases:
        sent, _ = window.play(case.without)
        _must(sent.lower() == case.written.sql.lower(), case, sent)
        counted["by hand"] += case.without.strokes
        if case.place:
            sent, waited = window.play(case.with_drafts)
            waits.append(waited)
            _must(sent == case.taken, case, sent)
            counted["with drafts"] += case.with_drafts.strokes
    planned = sum(counted.values())
    shown = "as planned" if window.strokes == planned else f"but {planned} were planned"
    print(f"in the window: {len(cases)} turns by hand and {len(waits)} by a draft with {window.strokes} keys, {shown}")
    if waits:
        print(f"waited for the station at a draft and its result: median {statistics.median(waits):.2f} s")


def _must(holds: bool, case: Case, sent: str) -> None:
    if not holds:
        raise SystemExit(f"“{case.question}”: other than planned was sent:\n  {sent}\n  {case.written.sql}")


def _study(folder: Path) -> Study:
    """Nothing is learnt from the answers, and there is no practice."""
    return msgspec.structs.replace(new_study(folder, "atis", practice="none", take_back_s=0), learn=False)


def _start(
    train: Path,
    study: Study,
    pack: Pack,
    database: Path,
    on_ready: Callable[[], None],
    on_problem: Callable[[str], None],
    on_standing: Callable[[Standing], None],
) -> tuple[DraftService, KeptInStudy]:
    """The same store as the plans have: the training questions alone."""
    settings = DraftSettings(drafters=(DrafterChoice(start_s=PATIENCE_S),))
    service = DraftService(pack, database, read_examples(train), settings, on_ready, on_problem, on_standing)
    return service, KeptInStudy(study)
