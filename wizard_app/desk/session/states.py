"""The states of a session at the wizard's station. Each holds what exists only while it lasts.

Idle -> Opening -> Running -> Closing -> Idle. A session that was ended before it is opened goes on as Closing.
"""

from dataclasses import dataclass, field

from curtain.link.messages import SessionName
from wizard_app.desk.session.mirror import Mirror
from wizard_app.desk.session.open_session import OpenSession
from wizard_app.desk.session.subject.audio_fetch import AudioFetch
from wizard_app.desk.session.subject.early_sound import EarlySound
from wizard_app.desk.session.subject.outbox import Outbox
from wizard_app.desk.session.subject.quota import LINES_AT_ONCE, Allowance
from wizard_app.desk.session.subject.subject_copy import SubjectCopy


@dataclass(frozen=True)
class Idle:
    """No session is open."""


@dataclass(frozen=True)
class Opening:
    """The files of a session are being opened, away from the window. No second session is opened meanwhile."""


@dataclass
class Running:
    """A session is open: its files, what copies and fetches them, and what its subject's station has.

    `acked`: the line of our journal up to which the station has what it must show; `welcomed`: a station was welcomed
    since the session was opened; `nobody_left`: the station that is connected has no place in it; `replaces`: the
    station is to take the record that is kept here; `sending_back`: lines for it are being read; `must_wait`: it sent
    too much; `damage`: the sentence on lost lines that is shown.
    """

    session: OpenSession
    copy: SubjectCopy
    audio: AudioFetch
    mirror: Mirror | None
    outbox: Outbox
    allowed_lines: Allowance
    early: EarlySound = field(default_factory=EarlySound)
    acked: int = 0
    welcomed: bool = False
    nobody_left: bool = False
    replaces: bool = False
    sending_back: bool = False
    must_wait: bool = False
    damage: str = ""

    @property
    def name(self) -> SessionName:
        """Which session this is."""
        return SessionName(self.session.session_id, self.session.identity)

    def is_over_quota(self) -> bool:
        """A station that sent too much may come back when half of what may come at once may come again."""
        self.must_wait = self.must_wait and self.allowed_lines.wait_s(LINES_AT_ONCE // 2) > 0
        return self.must_wait


@dataclass
class Closing:
    """The session was ended; what is still on its way is waited for.

    `as_it_is`: the wizard waits no longer; `letting_go`: its files are being listed and closed, and nothing may change.
    """

    running: Running
    as_it_is: bool = False
    letting_go: bool = False


SessionState = Idle | Opening | Running | Closing
