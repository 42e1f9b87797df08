"""How a session begins: a new one from the start page, or the one that a crash left open."""

from PySide6.QtCore import QObject, QTimer, Signal

from curtain.base.errors import CurtainError
from curtain.qt.background import or_else
from curtain.session.events.wizard_events import TakeHeard
from wizard_app.desk.loading import StudyLoading
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.session.ending import RETRY_MS
from wizard_app.desk.session.plan import SessionPlan


class SessionOpening(QObject):
    """Starts and resumes sessions over what was read. `notice` and `failed` are sentences for the wizard; what failed
    is tried again until it is `described`."""

    notice = Signal(str)
    failed = Signal(str)
    described = Signal()

    def __init__(self, session: SessionControl, loading: StudyLoading, resume: bool, parent: QObject) -> None:
        """`resume`: go straight on with the one session that was not ended."""
        super().__init__(parent)
        self._session = session
        self._loading = loading
        self._resume_wished = resume
        loading.content_read.connect(lambda _content: self._resume_if_asked())
        loading.sessions_read.connect(lambda _rows: self._resume_if_asked())
        loading.database_hashed.connect(lambda _sha256: self._describe())
        session.opened.connect(self._describe)
        self._again = QTimer(self, singleShot=True, interval=RETRY_MS)
        self._again.timeout.connect(self._describe)

    def start(self, plan: SessionPlan) -> None:
        """Begin a new session over the database that was loaded."""
        self._session.start(plan, self._loading.database_sha256)

    def note_heard(self, turn: int, live: bool = False) -> None:
        """The take of this turn was played for the first time, or heard while it was spoken (`live`)."""
        turn_progress = self._session.progress.turns.get(turn)
        if turn_progress is not None and not turn_progress.heard and not self._session.closing:
            self._session.write([(TakeHeard(live=live), turn)])

    def _resume_if_asked(self) -> None:
        """Straight into the one unfinished session, once both the domain and the list of sessions are there."""
        rows = self._loading.sessions
        if not self._resume_wished or self._loading.content is None or rows is None:
            return
        self._resume_wished = False
        waiting = [row.session_id for row in rows if not row.closed and not row.problem]
        if len(waiting) == 1:
            self._session.resume(waiting[0])
        elif waiting:
            named = ", ".join(waiting)
            several = self.tr("Several sessions were not ended: {0}. Choose one in the list below; Enter resumes it.")
            self.notice.emit(several.format(named))
        else:
            self.notice.emit(self.tr("No session waits to be resumed. Start a new one."))

    def _describe(self) -> None:
        """session.json names the very database and rule-book, also when they were read after the session began."""
        sha256, content = self._loading.database_sha256, self._loading.content
        if sha256 is not None:
            rule_book = content.book.year if content is not None else None
            done = or_else(lambda _: self.described.emit(), self._on_failed)
            self._session.describe({"domain_content_sha256": sha256, "principles": rule_book}, done)

    def _on_failed(self, error: CurtainError) -> None:
        self.failed.emit(str(error))
        self._again.start()
