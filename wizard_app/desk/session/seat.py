"""The subject's place in a session: who may take it, and how a station there is welcomed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from hmac import compare_digest
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from curtain.base.clock import Clock, ns_of_iso
from curtain.link.events import ClockTied, TurnedAway
from curtain.link.messages import Form, Hello, HelloRefused, Waiting, Welcome
from curtain.link.qt import SessionLink
from curtain.qt.background import Background, or_else
from curtain.session.events import wizard_events as wizard
from curtain.session.study.messages import MessageSet
from curtain.session.study.study import Study
from curtain.session.study.text_names import DISCLOSURE_TEXTS
from wizard_app.desk.session import session_files
from wizard_app.desk.session.open_session import OpenSession
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.restoring import MOST_LOST_LINES
from wizard_app.desk.session.scenarios import input_of_session, must_speak
from wizard_app.desk.session.states import Running
from wizard_app.desk.session.subject.outbox import ScenarioText
from wizard_app.desk.session.subject.subject_forms import SubjectForms, unanswered_in

if TYPE_CHECKING:
    from wizard_app.desk.session.control import SessionControl

OF_A_CONNECTION = ("declined", "record")
# Clocks drift; below 2 ms a new line in the journal would say nothing.
_OFFSET_STEP_NS = 2_000_000
# Clocks of two machines drift apart by up to 10 ms in this time (`session_times` counts with 100 ppm).
_TIE_AGE_NS = 100_000_000_000


@dataclass(frozen=True)
class SubjectTexts:
    """What the subject's station learns about study and domain, and nothing else; `messages` are the sentences
    that it may be sent."""

    title: str = ""
    briefing: str = ""
    database_description: str = ""
    closing: str = ""
    scenarios: Mapping[str, ScenarioText] = field(default_factory=dict)
    forms: SubjectForms = field(default_factory=SubjectForms)
    messages: MessageSet = field(default_factory=lambda: MessageSet(()))

    def missing_forms(self, progress: SessionProgress) -> list[str]:
        """The titles of what the subject has not filled in, with what follows the scenario that runs."""
        return [form.title for form in self._due_in(progress) if form.name not in progress.forms]

    def missing_of_wizard(self, progress: SessionProgress) -> list[Form]:
        """What the wizard has still to fill in when the session is over."""
        return [one for one in self.forms.of_wizard(progress.starts.values()) if one.name not in progress.wizard_forms]

    def unanswered(self, progress: SessionProgress) -> str:
        """The titles of the forms that subject or wizard went on from with questions left out, with their numbers."""
        of_wizard = unanswered_in(self.forms.of_wizard(progress.starts.values()), progress.wizard_forms)
        return "; ".join(filter(None, (unanswered_in(self._due_in(progress), progress.forms), of_wizard)))

    def _due_in(self, progress: SessionProgress) -> list[Form]:
        return self.forms.due(progress.starts.values(), progress.closed is not None)


@dataclass(frozen=True)
class JournaledTie:
    """How the clocks stood when that was last journaled: the offset, and the wizard's clock then, in nanoseconds."""

    offset_ns: int
    at_ns: int

    def gives_way(self, offset_ns: int, now_ns: int) -> bool:
        """Whether a newly measured offset is worth a line of the journal."""
        return abs(offset_ns - self.offset_ns) >= _OFFSET_STEP_NS or now_ns - self.at_ns >= _TIE_AGE_NS


class SubjectSeat(QObject):
    """Judges and welcomes the station that comes to the subject's place, and journals how its clock stands."""

    def __init__(
        self, session: SessionControl, link: SessionLink, study: Study, clock: Clock, files: Background
    ) -> None:
        super().__init__(session)
        self._session = session
        self._link = link
        self._study = study
        self._clock = clock
        self._files = files
        # Of the station that said hello last.
        self._hello: Hello | None = None
        self._tie: ClockTied | None = None
        self._journaled: JournaledTie | None = None
        link.subject_joined.connect(self._on_joined)
        link.clock_tied.connect(self._on_clock_tied)
        link.turned_away.connect(self._on_turned_away)
        link.judge_with(self._judge)

    @property
    def joined(self) -> Hello | None:
        """What the subject's station that is connected now said of itself."""
        return self._hello if self._link.up else None

    def let_in(self) -> None:
        """Give the place to the next station that asks, and refuse the one that had it."""
        if (session := self._session.session) is not None:
            failed = partial(self._session.report, "station")
            self._files.run(partial(session_files.new_seat, self._study, session), or_else(self._on_free, failed))

    def take_record(self) -> None:
        """Let the subject's station put its own record aside and take the one that is kept here."""
        if (running := self._session.open_session) is not None:
            running.replaces = True
            self._link.begin_again(running.session.replica.whole_until)

    def welcome_to_new(self) -> None:
        """A session was opened: welcome whoever is here; how their clock stands is news to it."""
        self._welcome()
        self._journaled = None
        self._journal_tie()

    def _on_free(self, _: None) -> None:
        self._link.let_in()
        self._session.problem_over.emit("seat")

    def _judge(self, hello: Hello) -> HelloRefused | None:
        running = self._session.open_session
        return None if running is None else refusal(hello, running, self._session.closing)

    def _on_joined(self, hello: Hello) -> None:
        self._hello, self._tie, self._journaled = hello, None, None
        session, running = self._session, self._session.open_session
        if running is not None and hello.session == running.name:
            # What the station has counts as acknowledged, also where the ack was lost with the link.
            running.acked = max(running.acked, hello.have)
            session.skip_numbers(running, hello.have)
        for what in ("station", "seat", *OF_A_CONNECTION):
            session.problem_over.emit(what)
        if sentence := clocks_apart(hello.wall_utc, self._clock.wall_utc()):
            session.problem.emit("clock", sentence)
        self._welcome()
        session.link_changed.emit(True)

    def _on_turned_away(self, refused: TurnedAway) -> None:
        what = "seat" if refused.code == "seat" and self._session.running else "station"
        self._session.problem.emit(what, refused.sentence)

    def _welcome(self) -> None:
        """Nothing of a session reaches the subject before it and the consent are on the disk."""
        running, closing = self._session.open_session, self._session.closing
        if (hello := self.joined) is not None and (refused := self._judge(hello)):
            self._link.welcome(refused)
            return
        if running is not None:
            # A subject's station that comes from elsewhere has nothing of this session: nobody is left to wait for.
            running.nobody_left = hello is not None and not may_join(hello, running, closing)
        if running is None or running.session.progress.consent is None or running.nobody_left:
            self._link.welcome(Waiting())
            self._session.ending.look()
            return
        if self._link.up:
            running.welcomed = running.session.secret_given = True
        self._link.welcome(welcome_to(running, self._study, self._session.texts))
        self._session.ending.look()
        if self._link.up:
            running.audio.link_up()

    def _on_clock_tied(self, tie: ClockTied) -> None:
        self._tie = tie
        self._journal_tie()

    def _journal_tie(self) -> None:
        """Journal how the clocks stand when it is news; a tie from before the session is news to it."""
        hello, tie, now = self._hello, self._tie, self._clock.monotonic_ns()
        if hello is None or tie is None or not isinstance(self._session.state, Running):
            return
        if self._journaled is None or self._journaled.gives_way(tie.offset_ns, now):
            kind = wizard.LinkRestored if self._journaled is None else wizard.ClocksTied
            self._journaled = JournaledTie(tie.offset_ns, now)
            # A station that had no session yet when it said hello begins its first epoch with this one.
            epoch = hello.epoch or 1
            fact = kind(subject_epoch=epoch, offset_ns=tie.offset_ns, rtt_ns=tie.rtt_ns)
            self._session.write([(fact, None)])


def refusal(hello: Hello, running: Running, closing: bool) -> HelloRefused | None:
    """Who may not join: a station of another session, and one that did not begin this one."""
    session = running.session
    if hello.session_id and hello.session != running.name:
        return HelloRefused(code="session")
    if hello.have > session.journal.last_seq + MOST_LOST_LINES:
        return HelloRefused(code="session")  # it made that up, or belongs to another journal
    if running.is_over_quota():
        return HelloRefused(code="quota")
    if closing and not hello.session_id:
        return None  # it will be asked to wait, and the session need not wait for it
    if _knows_the_secret(session, hello):
        return None
    return HelloRefused(code="seat", session_id=session.session_id, identity=session.identity)


def may_join(hello: Hello, running: Running, closing: bool) -> bool:
    """A session that was ended before this start takes no subject that does not come from it."""
    if not _knows_the_secret(running.session, hello):
        return False
    return not closing or running.welcomed or hello.session_id == running.session.session_id


def welcome_to(running: Running, study: Study, texts: SubjectTexts) -> Welcome:
    """What a station learns of the session, its study and what is safe here of its record and recordings."""
    session = running.session
    opened = session.progress.opened
    return Welcome(
        session_id=session.session_id,
        identity=session.identity,
        secret=session.secret,
        talk_key=study.talk_key,
        microphone=study.microphone,
        title=texts.title,
        briefing=texts.briefing,
        database_description=texts.database_description,
        pilot=opened is not None and opened.pilot,
        journal_have=session.replica.whole_until,
        journal_sum=session.replica.sum_until(session.replica.whole_until),
        replaces=running.replaces,
        audio_have=running.audio.safe,
        texts={name: text for name, text in study.texts.items() if name not in DISCLOSURE_TEXTS},
        voice=study.voice,
        # Also where nobody listens live: what has come by the end of a recording is not fetched after it.
        live_sound=True,
        input=input_of_session(opened),
        must_speak=must_speak(opened),
        recording_rate=study.recording_rate,
        second_microphone=study.second_microphone,
    )


def clocks_apart(theirs: str, ours: str) -> str:
    """How far the clock of the subject's computer is off by this one's, as a sentence; "" for less than a minute."""
    try:
        seconds = round((ns_of_iso(theirs) - ns_of_iso(ours)) / 1_000_000_000)
    except ValueError:
        return ""  # an earlier Curtain does not say it
    days, rest = divmod(abs(seconds), 86_400)
    far = f"{days:,} d {rest // 3600} h" if days else f"{rest // 3600} h {rest % 3600 // 60} min"
    if abs(seconds) < 60:
        return ""
    side = "ahead of" if seconds > 0 else "behind"
    return (
        f"The clock of the subject’s computer is {far} {side} this one’s. The session runs and its times fit all the "
        "same. Set the clock that is wrong after the session."
    )


def _knows_the_secret(session: OpenSession, hello: Hello) -> bool:
    """Whether this station has the place in the session. Until a line of its journal came, nobody has it."""
    if session.replica.last_seq == 0 or not session.secret_given:
        return True
    return compare_digest(hello.secret, session.secret)
