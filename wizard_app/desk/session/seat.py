"""The subject's place in a session: who may take it, and how a station there is welcomed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hmac import compare_digest

from curtain.base.clock import ns_of_iso
from curtain.link.events import ClockTied
from curtain.link.messages import Hello, HelloRefused, Welcome
from curtain.session.study.messages import MessageSet
from curtain.session.study.study import Study
from curtain.session.study.text_names import DISCLOSURE_TEXTS
from wizard_app.desk.session.open_session import OpenSession
from wizard_app.desk.session.restoring import MOST_LOST_LINES
from wizard_app.desk.session.scenarios import input_of_session, must_speak
from wizard_app.desk.session.states import Running
from wizard_app.desk.session.subject.outbox import ScenarioText
from wizard_app.desk.session.subject.subject_forms import SubjectForms

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


@dataclass(frozen=True)
class JournaledTie:
    """How the clocks stood when that was last journaled: the offset, and the wizard's clock then, in nanoseconds."""

    offset_ns: int
    at_ns: int

    def gives_way(self, offset_ns: int, now_ns: int) -> bool:
        """Whether a newly measured offset is worth a line of the journal."""
        return abs(offset_ns - self.offset_ns) >= _OFFSET_STEP_NS or now_ns - self.at_ns >= _TIE_AGE_NS


@dataclass
class SubjectConnection:
    """The subject's station that said hello last, and how its clock stands to this one."""

    hello: Hello
    tie: ClockTied | None = None
    journaled: JournaledTie | None = None


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
