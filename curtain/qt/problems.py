"""Where everything unexpected goes: into a log of bounded size, and as one plain sentence to the window.

The log holds kinds and places, never values: the text of an exception may quote what somebody said. Of a session it
holds no id, since nobody looks into logs when a speaker is erased.
"""

import faulthandler
import logging
import sys
import threading
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from PySide6.QtCore import QMessageLogContext, QObject, Qt, QtMsgType, Signal, qInstallMessageHandler

from curtain.base.disk import disk_problem
from curtain.base.errors import CurtainError
from curtain.session.study.ids import without_ids

log = logging.getLogger(__name__)

UNEXPECTED = "Something went wrong in this window. What was recorded is safe. The details are in the log."
LOG_BYTES = 2 * 1024 * 1024
LOG_FILES = 5
LONGEST_LINE = 8000

_LEVELS = {
    # Qt's five kinds by Python's levels.
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}

# Said by the platform without a display at each fixed size.
_KNOWN_AND_HARMLESS = ("This plugin does not support propagateSizeHints()",)


class Problems(QObject):
    """Sends all unexpected things of this process to `<log_folder>/<station>.log`, until `close`. Never raises.

    It hooks every way in which an exception can escape; `problem(str)` carries one plain sentence. The subject's window
    shows its own neutral text instead.
    """

    problem = Signal(str)
    _reported = Signal(str)

    def __init__(self, station: str, log_folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Queued: an exception of any thread reaches the window on its own.
        self._reported.connect(self.problem, Qt.ConnectionType.QueuedConnection)
        self._log = _QuietRotatingFile(log_folder / f"{station}.log")
        self._level_before = logging.getLogger().level
        logging.getLogger().addHandler(self._log)
        logging.getLogger().setLevel(logging.INFO)
        # Of the C side: a crash below Python leaves its stack there.
        self._crash_file = _open_crash_file(log_folder / f"{station}.crash")
        self._before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        sys.unraisablehook = self._on_unraisable
        self._qt_before: Callable[..., Any] | None = qInstallMessageHandler(_log_qt_message)

    def report(self, error: BaseException) -> None:
        """Log an exception and show it on the GUI thread; safe from any thread."""
        log.error("unexpected: %s", places_of(error))
        sentence = str(error) if isinstance(error, CurtainError) else disk_problem(error)
        self._reported.emit(sentence or self.tr(UNEXPECTED))

    def close(self) -> None:
        """Put the earlier hooks back and close the log."""
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._before
        qInstallMessageHandler(self._qt_before)
        logging.getLogger().removeHandler(self._log)
        logging.getLogger().setLevel(self._level_before)
        self._log.close()
        if self._crash_file is not None:
            faulthandler.disable()
            self._crash_file.close()

    def _on_exception(self, kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        # As a shell counts an interrupt.
        if issubclass(kind, KeyboardInterrupt):
            sys.exit(130)
        self.report(error)

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            self.report(args.exc_value)

    def _on_unraisable(self, args: Any) -> None:
        if args.exc_value is not None:
            self.report(args.exc_value)


def places_of(error: BaseException) -> str:
    """The kind of an exception and of its causes, with file names and lines, without any value."""
    causes: list[str] = []
    seen: BaseException | None = error
    # Five causes and twelve frames are enough to find the place; a loop of causes must end.
    while seen is not None and len(causes) < 5:
        causes.append(f"{type(seen).__qualname__} at {_frames(seen.__traceback__)}")
        # The cause that was named, else the one during which it happened.
        seen = seen.__cause__ or seen.__context__
    return " <- ".join(causes)


def _frames(trace: TracebackType | None) -> str:
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{Path(code.co_filename).name}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return ", ".join(places[-12:]) or "nowhere"


class _QuietRotatingFile(RotatingFileHandler):
    """Logging must never cost a session: whatever fails here is forgotten."""

    def __init__(self, path: Path) -> None:
        # Opened with the first line: an empty log helps nobody.
        super().__init__(path, maxBytes=LOG_BYTES, backupCount=LOG_FILES - 1, encoding="utf-8", delay=True)
        self.setFormatter(_PlacesOnly("%(asctime)s %(levelname)s %(name)s %(message)s"))
        self.setLevel(logging.INFO)

    def _open(self) -> Any:
        Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:
        pass


class _PlacesOnly(logging.Formatter):
    def formatException(self, ei: Any) -> str:
        # Never the text of the exception: it may quote what somebody said.
        return places_of(ei[1]) if ei and ei[1] is not None else ""

    def format(self, record: logging.LogRecord) -> str:
        # Another handler may have left the full text in the record.
        cleaned = logging.makeLogRecord(record.__dict__ | {"exc_text": None, "stack_info": None})
        # Here for all calls: an id in a file's name or in the system's own message would outlive an erased speaker.
        # Cut: a line may hold a whole message of Qt.
        return without_ids(super().format(cleaned))[:LONGEST_LINE]


def _open_crash_file(path: Path) -> IO[str] | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Anew at each start: it holds the crash of the last run only until the next one.
        file = path.open("w", encoding="utf-8")
        faulthandler.enable(file)
    except OSError:
        log.warning("no crash file can be written")
        return None
    return file


def _log_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str | None) -> None:
    level = logging.INFO if text in _KNOWN_AND_HARMLESS else _LEVELS.get(kind, logging.WARNING)
    logging.getLogger("qt").log(level, "%s", text)
