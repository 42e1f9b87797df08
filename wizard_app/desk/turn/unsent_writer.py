"""Keeps what was typed and not sent in the side file of the session, twice a second while it changes."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from curtain.base.errors import CurtainError
from curtain.qt.background import Background
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.session.open_session import OpenSession
from wizard_app.desk.session.unsent import Unsent, read_unsent, write_unsent

_KEEP_MS = 500  # far below the two seconds promised: the write may wait behind a take that arrives


class UnsentWriter(QObject):
    """`typed` gives what is in the fields now. `failed(sentence)`: the disk does not take it; `kept`: it does."""

    failed = Signal(str)
    kept = Signal()

    def __init__(
        self, session: SessionControl, typed: Callable[[], Unsent], files: Background, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._typed = typed
        self._files = files
        self._last: Unsent | None = Unsent()
        self._timer = QTimer(self, interval=_KEEP_MS)
        self._timer.timeout.connect(self._keep)
        session.opened.connect(self._timer.start)
        session.closed.connect(self._on_closed)

    def end(self) -> None:
        """Write no more: the session is closed."""
        self._timer.stop()

    def keep_at_once(self) -> None:
        """When the window goes: no background is left to do it. Raises CurtainError if the disk does not take it."""
        session, typed = self._session.session, self._typed()
        if session is None:
            return
        try:
            write_unsent(session.unsent_path, typed)
        except OSError as error:
            # The copy of a moment ago may hold the same.
            if read_unsent(session.unsent_path) != typed:
                raise CurtainError(self._not_kept(error)) from error

    def _not_kept(self, error: OSError) -> str:
        return self.tr("The text you are typing cannot be saved: {0}.").format(error.strerror)

    def _keep(self) -> None:
        session = self._session.session
        if session is None:
            return
        typed = self._typed()
        if typed != self._last:
            # Noted before the write is done, or a slow disk would get the same text again and again.
            self._last = typed
            self._files.run(partial(write_unsent, session.unsent_path, typed), self._on_kept)

    def _on_closed(self, session: OpenSession) -> None:
        """Nothing typed waits any more, so nothing typed is kept beside the session."""
        self.end()
        self._files.run(partial(session.unsent_path.unlink, missing_ok=True), self._on_kept)

    def _on_kept(self, future: Future[None]) -> None:
        try:
            future.result()
        except OSError as error:
            # Tried again with the next look, also where nothing more is typed: the sentence must not outlast its cause.
            self._last = None
            self.failed.emit(self._not_kept(error))
        else:
            self.kept.emit()
