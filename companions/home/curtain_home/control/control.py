"""Decides what the home window does: which study is open, what runs, what to do next. It owns no widgets."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from curtain.base.clock import Clock, steady_s
from curtain.base.errors import CurtainError
from curtain.commands.sessions.facts import SessionFacts, StudyFacts, Verified
from curtain.commands.sessions.study_reader import (
    Marks,
    begin_study,
    manifest_sum,
    mark_of_session,
    marks_of,
    read_session,
)
from curtain.qt.background import Background, or_else
from curtain.qt.languages.translation import PARTS, translate
from curtain_home.control import plans
from curtain_home.control.actions import Action, OpenNow, read_actions
from curtain_home.control.commands import Activity, CommandRunner
from curtain_home.control.memory import MOST_TASKS, HomeMemory
from curtain_home.control.next_step import NextDeed, next_deed
from curtain_home.control.plans import CommandPlan, NewStudyWish, StationKind
from curtain_home.control.stations import StationDesk
from curtain_home.control.week import NAMES

_LOOK_EVERY_MS = 3000
_READ_FOR_S = 0.2


@dataclass(frozen=True)
class HomeTools:
    """What the control works with."""

    memory: HomeMemory
    background: Background
    commands: CommandRunner
    stations: StationDesk
    clock: Clock
    language: str = ""


class HomeControl(QObject):
    """Signals say what changed; the presenter shows everything anew."""

    changed = Signal()
    problem = Signal(str)
    ended = Signal(object)

    def __init__(self, tools: HomeTools, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools = tools
        self._folder: Path | None = None
        self._waits_to_read = False
        self.study: StudyFacts | None = None
        self.reading = False
        self._now: Activity | None = None
        self._last: dict[Path | None, Activity] = {}
        self.tasks: tuple[Activity, ...] = tools.memory.tasks
        """What ran, the newest first; of earlier starts what it made."""
        self._asked_in: dict[CommandPlan, Path | None] = {}
        self._marks: Marks = ()
        self._read_before: dict[Path, tuple[Marks, SessionFacts]] = {}
        self._actions: tuple[Action, ...] = ()
        self._looking = False
        self._timer = QTimer(self, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self.look_for_changes)
        self._timer.start()
        tools.commands.changed.connect(self._on_command)
        tools.commands.finished.connect(self._on_finished)
        tools.stations.changed.connect(self.changed)
        tools.stations.ended.connect(lambda _: self.refresh())
        tools.stations.refused.connect(self._on_refused)

    @property
    def studies(self) -> tuple[Path, ...]:
        """The studies used before, the last one first."""
        return self._tools.memory.studies

    @property
    def stations(self) -> tuple[str, ...]:
        """The windows that run now."""
        return self._tools.stations.kinds

    @property
    def running(self) -> CommandPlan | None:
        """The command that runs now."""
        return self._tools.commands.running

    @property
    def activity(self) -> Activity | None:
        """What runs, or else what ran last in the open study."""
        return self._now or self._last.get(self._folder)

    @property
    def next(self) -> NextDeed:
        """What to do next."""
        return next_deed(self.study, [kind for kind in self.stations if kind in ("wizard", "subject")])

    def close(self) -> None:
        """Look for changes no more."""
        self._timer.stop()

    def begin(self) -> None:
        """Open the study that was used last, if it is still there."""
        last = next((one for one in self.studies if (one / "study.toml").is_file()), None)
        if last is not None:
            self.open_study(last)
        self.changed.emit()

    def open_study(self, folder: Path) -> None:
        """Read a study and show it."""
        folder = folder.parent if folder.name == "study.toml" else folder
        if not (folder / "study.toml").is_file():
            self.problem.emit(self.tr("There is no study in {0}: study.toml is missing.").format(folder))
            return
        self._folder = folder.absolute()
        self.study = None
        self._read_before = {}
        self._tools.memory.put_first(self._folder)
        self._tools.background.run(self._tools.memory.save)
        self.refresh()

    def drop_study(self, folder: Path) -> None:
        """Take a study off the list; its folder stays."""
        self._tools.memory.drop(folder)
        self._tools.background.run(self._tools.memory.save)
        self.changed.emit()

    def refresh(self) -> None:
        """Read the open study again."""
        if self._folder is None:
            return
        if self.reading:
            # Once more behind the reading that runs: it may have gone past what changed.
            self._waits_to_read = True
            return
        self.reading = True
        today = date.fromisoformat(self._tools.clock.wall_utc()[:10])
        work = partial(_read, self._folder, self._tools.memory.verified, today)
        self._tools.background.run(work, partial(self._on_read, self._folder))
        self.changed.emit()

    def look_for_changes(self) -> None:
        """Read the open study again if a session began or ended in it, was annotated, or was exported."""
        if self._folder is None or self.reading or self._looking:
            return
        self._looking = True
        self._tools.background.run(partial(marks_of, self._folder), partial(self._on_looked, self._folder))

    def make_study(self, wish: NewStudyWish) -> None:
        """Make a study, and the pack of its database before it."""
        self._run(plans.steps_of_new_study(wish))

    def open_stations(self, kinds: Iterable[StationKind], pilot: bool = False) -> None:
        """Open these windows over the study; the subject's needs none. Neither is opened where the study cannot be
        written: the subject's would wait there alone."""
        wanted = tuple(kinds)
        open_now = partial(self._open_stations, wanted, pilot)
        if self._folder is not None and "wizard" in wanted:
            done = or_else(lambda _: open_now(), lambda problem: self.problem.emit(str(problem)))
            self._tools.background.run(partial(_ensure_writable, self._folder), done)
        else:
            open_now()

    def _open_stations(self, kinds: Iterable[StationKind], pilot: bool) -> None:
        folder = self._folder or Path()
        # The subject's window speaks the study's language; the others what this one was asked to speak.
        language = ["--language", self._tools.language] if self._tools.language else []
        for kind in kinds:
            options = plans.station_arguments(kind, folder, pilot)
            self._tools.stations.open(kind, options if kind == "subject" else [*options, *language])

    def verify(self, session_id: str) -> None:
        """Look whether every file of the session is there and unchanged."""
        self._with_session(session_id, plans.verify_plan)

    def repair(self, session_id: str) -> None:
        """A repaired copy beside the session."""
        self._with_session(session_id, _repair)

    def play_sample(self) -> None:
        """The domain's sample session as a trial."""
        study = self.study
        if study is None or study.sample is None:
            self.problem.emit(self.tr("The domain of this study has no sample session."))
        else:
            self._run([plans.sample_plan(study.folder, study.domain, study.sample)])

    def about_study(self, plan: Callable[[Path], CommandPlan]) -> None:
        """Run what this plan is for the open study."""
        if self._folder is not None:
            self._run([plan(self._folder)])

    def run(self, plan: CommandPlan) -> None:
        """Run a command behind those that wait."""
        self._run([plan])

    def open_window(self, plan: CommandPlan) -> None:
        """Open another window of ours, which goes on without this one."""
        self._tools.stations.open(plan.kind.removeprefix("do "), plan.arguments)

    def list_actions(self, asker: QObject, show: Callable[[tuple[Action, ...]], None]) -> None:
        """Call `show` with all commands as actions, unless `asker` is gone by then."""

        def listed(future: Future[tuple[Action, ...]]) -> None:
            self._actions = future.result()
            if isValid(asker):
                show(self._actions)

        if self._actions:
            show(self._actions)
        else:
            self._tools.background.run(read_actions, listed)

    def around(self, chosen: str) -> OpenNow:
        """What is open, with the session of this id."""
        session = self.study.session(chosen) if self.study is not None else None
        study = self.study or StudyFacts(Path())
        return OpenNow(self._folder, study.domain, session.path if session is not None else None, study.references)

    def cancel(self) -> None:
        """Stop what runs."""
        self._tools.commands.cancel()

    def _run(self, wanted: Iterable[CommandPlan]) -> None:
        plans = list(wanted)
        self._asked_in |= dict.fromkeys(plans, self._folder)
        self._tools.commands.run(plans)

    def _with_session(self, session_id: str, plan: Callable[[Path], CommandPlan]) -> None:
        session = self.study.session(session_id) if self.study is not None else None
        if session is None:
            self.problem.emit(self.tr("Choose a session in the list first."))
        else:
            self._run([plan(session.path)])

    def _on_looked(self, folder: Path, future: Future[Marks]) -> None:
        self._looking = False
        if folder == self._folder and future.result() != self._marks:
            self.refresh()

    def _on_read(self, folder: Path, future: Future[tuple[Marks, StudyFacts]]) -> None:
        self.reading = False
        marks, facts = future.result()
        if folder == self._folder:
            before = self.study.sessions if self.study is not None else ()
            self.study, self._marks = _with(facts, before, stay_unread=True), marks
            self._read_more()
        if self._waits_to_read or folder != self._folder:
            self._waits_to_read = False
            self.refresh()
        self.changed.emit()

    def _read_more(self) -> None:
        """What takes long, from the last session on, a few at a time: what else waits for the disk comes in between."""
        if self.study is not None and self.study.unread:
            work = partial(_read_some, self.study.unread[::-1], self._read_before)
            self._tools.background.run(work, partial(self._on_read_some, self.study))

    def _on_read_some(self, of: StudyFacts, future: Future[list[SessionFacts]]) -> None:
        # A study that was begun anew meanwhile has a reading of its own.
        if of is self.study:
            self.study = _with(of, future.result())
            self._read_more()
            self.changed.emit()

    def _on_command(self, activity: Activity) -> None:
        self._now = activity
        self.changed.emit()

    def _on_finished(self, done: Activity) -> None:
        is_made = done.plan.kind == "new_study" and done.end == "good"
        is_for_new = is_made or (done.plan.kind == "new_domain" and done.end == "good")
        asked_in = self._asked_in.pop(done.plan, self._folder)
        study = Path(done.plan.about).absolute() if is_for_new else asked_in
        done = replace(done, study=study.name if study else "", ended=self._tools.clock.wall_utc())
        self._now, self._last[study] = None, done
        self.tasks = (done, *self.tasks)[:MOST_TASKS]
        self._tools.memory.keep_tasks(self.tasks)
        self._tools.background.run(self._tools.memory.save, lambda _: None)
        if done.plan.kind == "verify" and done.end != "stopped":
            self._note_verified(done)
        elif is_made:
            self.open_study(Path(done.plan.about))
        self.ended.emit(done)
        self.refresh()
        self.changed.emit()

    def _note_verified(self, done: Activity) -> None:
        path = Path(done.plan.arguments[-1])
        memory = self._tools.memory

        def note() -> None:
            # On the thread of the files, in front of the reading that follows: that sees what is noted here.
            memory.note_verified(path, Verified(manifest_sum(path), done.end == "good"))
            memory.save()

        self._tools.background.run(note, lambda _: self.refresh())

    def _on_refused(self, kind: str, sentence: str) -> None:
        names = {"wizard": self.tr("The wizard’s station"), "subject": self.tr("The subject’s station"),
                 "annotate": self.tr("The annotator’s window")}  # fmt: skip
        name = names.get(kind) or translate(PARTS, NAMES.get(kind, kind.capitalize()))
        self.problem.emit(f"{name}: {sentence}")


def _read(folder: Path, verified: Mapping[str, Verified], today: date) -> tuple[Marks, StudyFacts]:
    # The marks first: what changes while the study is read is noticed at the next look.
    marks, facts = marks_of(folder), begin_study(folder, verified, today)
    if not (facts.problem or facts.data):
        from curtain.commands.run.check import why_nobody_can_ask

        with suppress(CurtainError):
            facts = replace(facts, voiceless=why_nobody_can_ask(folder))
    return marks, facts


def _read_some(unread: Iterable[SessionFacts], before: dict[Path, tuple[Marks, SessionFacts]]) -> list[SessionFacts]:
    """As many as can be read in a moment, at least one; what did not change since it was read `before` costs nothing.

    `before` is in use by one thread alone, that of the files.
    """
    done: list[SessionFacts] = []
    until = steady_s() + _READ_FOR_S
    for begun in unread:
        mark, (marked, read) = mark_of_session(begun.path), before.get(begun.path, ((), begun))
        if mark != marked:
            read = read_session(begun)
            before[begun.path] = mark, read
        done.append(read)
        if steady_s() > until:
            break
    return done


def _with(study: StudyFacts, read: Iterable[SessionFacts], stay_unread: bool = False) -> StudyFacts:
    """The study with what was read of its sessions. Those that `stay_unread` are shown so until they are read anew."""
    by_id = {session.session_id: session for session in read}
    taken = ((begun, by_id.get(begun.session_id, begun)) for begun in study.sessions)
    return replace(study, sessions=tuple(
        replace(last, closed=begun.closed, soundness=begun.soundness, is_read=last.is_read and not stay_unread)
        for begun, last in taken
    ))  # fmt: skip


def _ensure_writable(folder: Path) -> None:
    from curtain.session.study.study import load_study

    load_study(folder).ensure_sessions_writable()


def _repair(session: Path) -> CommandPlan:
    # Beside the study's sessions, not among them: a copy there would look like one more session.
    repaired = session.parent.parent / "repaired"
    return plans.repair_plan(session, plans.free_folder(repaired, session.name))
