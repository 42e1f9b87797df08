"""When a session is over: what it still waits for, and how its files are let go."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject, QTimer

from curtain.base.errors import CurtainError
from curtain.link.qt import SessionLink
from curtain.qt.background import Background
from curtain.session.bundle.session_json import wizards_of
from curtain.session.events import wizard_events as wizard
from curtain.session.events.subject_events import MicrophoneTake
from curtain.session.study.study import Study
from curtain.session.turns.coverage import coverage_of
from curtain.session.turns.pace import pace_of
from curtain.session.turns.scenario_runs import scenario_runs
from curtain.session.turns.turn_progress import TurnState
from curtain.session.turns.turns import Turn, read_turns
from wizard_app.desk.session.mirror import Mirror
from wizard_app.desk.session.open_session import OpenSession, subject_fact
from wizard_app.desk.session.progress import Facts
from wizard_app.desk.session.restoring import note_lines_that_came, restore_session_json
from wizard_app.desk.session.scenarios import scenario_left
from wizard_app.desk.session.seat import SubjectTexts
from wizard_app.desk.session.states import Closing, Idle, Running

if TYPE_CHECKING:
    from wizard_app.desk.session.control import SessionControl

log = logging.getLogger(__name__)

# Long enough for a line that is on its way when everything seems to be here.
SETTLE_MS = 600
# How soon what a full disk did not take is tried again.
RETRY_MS = 1000
Reason = Literal["finished", "broken_off"]

_MOVING = (TurnState.SPEAKING, TurnState.SAVING)


class SessionEnding(QObject):
    """Ends the session, waits for what is still on its way, then has its files listed. `also_awaited` may add to it."""

    def __init__(self, session: SessionControl, link: SessionLink, study: Study, files: Background) -> None:
        super().__init__(session)
        self._session = session
        self._link = link
        self._study = study
        self._files = files
        self.also_awaited: Callable[[], list[str]] = list
        self.settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self.settle.timeout.connect(self._finish_if_settled)

    def begin(self, reason: Reason = "finished") -> None:
        """The closing page at the subject's; then the manifest, once everything is here."""
        session = self._session
        session.scenario_ending.emit()
        progress = session.progress
        if progress.closed is not None:
            return
        facts: Facts = [(wizard.SessionClosed(reason=reason), None)]
        if progress.scenario is not None:
            facts.insert(0, (scenario_left(progress, progress.scenario.scenario_id, "session_ended"), None))
        session.write(facts, partial(self._on_written, session.session, reason))

    def _on_written(self, session: OpenSession | None, reason: Reason, on_disk: bool) -> None:
        """A full disk did not take the end: it is written when there is room, and nobody has to ask again."""
        if not on_disk and session is self._session.session:
            QTimer.singleShot(RETRY_MS, self, partial(self.begin, reason))

    def close_as_it_is(self) -> None:
        """Close a session that was ended without what has not arrived, and record what that is."""
        if missing := self.still_awaited():
            self._session.write([(wizard.GapAccepted(missing=missing), None)])

    def look(self) -> None:
        """Something came, or will not: whether everything is here is seen once nothing more comes."""
        if self._session.closing and self._session.hosts:
            self.settle.start()

    def _finish_if_settled(self) -> None:
        """Everything has come that will come: list it and let go."""
        closing = self._session.state
        # Asked once more after the pause: something may have come, or been lost, meanwhile.
        if not isinstance(closing, Closing) or closing.letting_go or (self.still_awaited() and not closing.as_it_is):
            return
        # A file that grows cannot be listed.
        if self.also_awaited():
            return
        closing.letting_go = True
        work = partial(close_files, closing.running.session, closing.running.mirror, self._study)
        self._files.run(work, partial(self._on_closed, closing))

    def still_awaited(self) -> list[str]:
        """What the closing session still waits for, each in words."""
        if not isinstance(self._session.state, Closing):
            return []
        return [*awaited(self._session.state.running, self._session.texts), *self.also_awaited()]

    def _on_closed(self, closing: Closing, future: Future[None]) -> None:
        try:
            future.result()
        except (CurtainError, OSError) as error:
            # A full disk, most likely: the session closes by itself when there is room.
            self._session.problem.emit("closing", str(error))
            closing.letting_go = False
            QTimer.singleShot(RETRY_MS, self, self.look)
            return
        session = closing.running.session
        session.unanswered = self._session.texts.unanswered(session.progress)
        self._session.state = Idle()
        # The next subject may sit in another booth.
        self._link.free_seat()
        self._session.end_problems()
        self._session.closed.emit(session)


def awaited(running: Running, texts: SubjectTexts) -> list[str]:
    """What is still to come before the list of files can be written, each in words."""
    session, progress, copy, gone = running.session, running.session.progress, running.copy, running.nobody_left
    missing = [one.turn for one in running.audio.missing]
    forms = [] if gone else texts.missing_forms(progress)
    wizard_forms = [form.title for form in texts.missing_of_wizard(progress)]
    recording = any(turn.state in _MOVING for turn in progress.in_order)
    waits = [
        (running.acked < progress.closed_seq and not gone, "the subject’s station to show the closing page"),
        (not running.audio.idle, "audio"),
        (not copy.settled or copy.lost or bool(session.awaited_turns), "the subject’s record"),
        (bool(missing), recordings_text(missing)),
        (recording, "a recording to end"),
        (bool(forms), f"the subject to fill in: {'; '.join(forms)}"),
        (bool(wizard_forms), f"your own answers: {'; '.join(wizard_forms)}"),
    ]
    return [text for waiting, text in waits if waiting]


def recordings_text(turns: Sequence[int]) -> str:
    """Recordings that the subject's station cannot give, by turn."""
    numbers = ", ".join(map(str, turns))
    return f"the recording of turn {numbers}" if len(turns) == 1 else f"the recordings of turns {numbers}"


def close_files(session: OpenSession, mirror: Mirror | None, study: Study) -> None:
    """Let the journals go and list every file: from here on the session is closed. May be called again after a problem.

    Raises CurtainError, OSError.
    """
    # Before the journal goes, and once: it notes what was made whole.
    if not session.noted:
        restore_session_json(session, study)
        note_lines_that_came(session)
        session.noted = True
    if mirror is not None:
        close_mirror(mirror)
    session.journal.close()
    session.replica.close()
    # Before the manifest, which lists the file as it is at the end.
    wizards = wizards_of(session.bundle.read_wizard_journal().entries)
    more = what_ran(session)
    session.bundle.update_session_json(audio=audio_as_obtained(session), wizard_ids=wizards, **more)
    session.bundle.write_manifest()
    session.measures = measures(session)


def measures(session: OpenSession) -> str:
    """What the session holds, its pace and how far the NL tool reached, in sentences; "" if it cannot be read."""
    try:
        turns = read_turns(session.bundle)
    except CurtainError as error:
        log.warning("the session's turns were not counted: %s", type(error).__name__)
        return ""
    sentences = (*_counts(turns), pace_of(turns).sentence(), coverage_of(turns).sentence(), _late_text(turns))
    return " ".join(filter(None, sentences))


def _counts(turns: Sequence[Turn]) -> Iterator[str]:
    """As every list of sessions counts: practice is no data."""
    data = [turn for turn in turns if not turn.practice]
    yield f"Turns: {len(data)}; with a reply: {sum(turn.reply is not None for turn in data)}."
    if len(data) < len(turns):
        yield f"Practice turns, not counted: {len(turns) - len(data)}."


def _late_text(turns: Sequence[Turn]) -> str:
    """How many replies missed their moment under a constant latency; "" where none had one."""
    under = (turn for turn in turns if turn.condition is not None and turn.condition.latency_s is not None)
    timed = [turn.reply for turn in under if turn.reply and (turn.reply.held_ms, turn.reply.late_ms) != (None, None)]
    late = [reply.late_ms for reply in timed if reply.late_ms is not None]
    if not timed:
        return ""
    worst = f", by up to {max(late) / 1000:.1f} s" if late else ""
    return f"Under a constant latency {len(late)} of {len(timed)} replies were late{worst}."


def what_ran(session: OpenSession) -> dict[str, list[dict[str, Any]]]:
    """Of an experiment, which scenarios really ran under which conditions, in order, as session.json keeps it."""
    if session.progress.opened is None or session.progress.opened.plan is None:
        return {}
    bundle = session.bundle
    runs = scenario_runs(bundle.read_subject_journal().entries, bundle.read_wizard_journal().entries)
    return {"ran": [{"scenario_id": run.scenario_id, **run.as_json()} for run in runs]}


def audio_as_obtained(session: OpenSession) -> list[dict[str, str | int]]:
    """Each microphone with the rate in Hz that it really gave, in the order of use."""
    facts = [subject_fact(entry) for entry in session.bundle.read_subject_journal().entries]
    obtained = [(fact.microphone, fact.sample_rate) for fact in facts if isinstance(fact, MicrophoneTake)]
    return [{"microphone": name, "sample_rate": rate} for name, rate in dict.fromkeys(obtained)]


def close_mirror(mirror: Mirror) -> None:
    """The second copy is a help, never a problem."""
    try:
        mirror.close()
    except (CurtainError, OSError) as error:
        log.warning("the mirror was not brought to its end: %s", type(error).__name__)
