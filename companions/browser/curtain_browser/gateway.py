"""The gateway as a program: the subject's station without a window, and the page's server beside it.

It takes a `Gate` as JSON and prints a `StationReport` a line on standard output. What comes on standard input asks for
another link; it ends when that does.
"""

import gc
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import segno
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot

from curtain.base.clock import Clock, steady_s
from curtain.base.disk import lock_file, unlock_file
from curtain.base.errors import CurtainError, close_all, os_errors_as
from curtain.base.privacy import keep_files_private, own_spool
from curtain.base.python_process import app_version
from curtain.base.terminal import print_error, print_line
from curtain.link.qt import SubjectLink
from curtain.ports.station import StationReport
from curtain.qt.background import Background
from curtain.qt.problems import Problems
from curtain_browser.page_talk import PageTalk
from curtain_browser.places import place_of
from curtain_browser.seat import PageSeat
from curtain_browser.server import PageServer, page_files, serve
from curtain_browser.sound import PageMicrophones
from curtain_browser.station import Gate
from subject_app.session.recovery import ThisStation
from subject_app.session.spool import Spool
from subject_app.session.texts import texts_in
from subject_app.station import SubjectStation
from subject_app.status import StatusReporter

SAY_MS, COLLECT_MS = 500, 5000


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until standard input ends; the exit code."""
    keep_files_private()
    options = msgspec.json.decode((arguments or sys.argv[1:])[0], type=Gate)
    sys.setswitchinterval(0.001)
    app = QCoreApplication(sys.argv[:1])
    spool = Path(options.spool) if options.spool else own_spool().with_name("browser")
    try:
        with os_errors_as(f"The folder {spool} cannot be used", advice=" Name another folder."):
            spool.mkdir(mode=0o700, parents=True, exist_ok=True)
            held = lock_file(spool / "in-use")
        if held is None:
            raise CurtainError("A subject's station for browsers runs already. Close it first.")
        problems = Problems("browser", spool / "logs")
        try:
            close = build(app, options, spool, problems)
            code = app.exec()
            close()
            return code
        finally:
            problems.close()
            unlock_file(spool / "in-use", held)
    except CurtainError as error:
        print_error(error)
        return 2


def build(app: QCoreApplication, options: Gate, spool: Path, problems: Problems) -> Callable[[], None]:
    """Make and connect everything, and begin; gives what to call at the end. Raises CurtainError."""
    seat = PageSeat(spool, steady_s)
    place = place_of(options, seat.kept.port, spool)
    background, clock, microphones = Background(), Clock(), PageMicrophones()
    this = ThisStation(app_version=app_version(), pid=os.getpid())
    station = SubjectStation(Spool(spool), microphones, background, clock, this)
    station.refused.connect(problems.report)
    talk = PageTalk(station, microphones, seat, texts_in(options.language), options.language)
    link = SubjectLink(station.hello, station.resend, clock.monotonic_ns)
    link.received.connect(station.on_message)
    link.acked.connect(station.on_acked)
    link.lost.connect(station.on_link_lost)
    link.refused.connect(station.on_refused)
    status = StatusReporter(station, spool, background, link, talk)
    server = talk.out = PageServer(seat, talk, place.secure, page_files())
    port, hang_up = serve(server, place)
    seat.use_port(port)
    # On this thread alone: an object of Qt must not die on the server's.
    gc.disable()
    collect = QTimer(app, interval=COLLECT_MS)
    collect.timeout.connect(lambda: station.recording() or gc.collect())
    collect.start()
    desk = _Desk(seat, talk, place.addresses(port)[0], place.note)
    desk.ended.connect(app.quit)
    # Python runs handlers between its instructions; the timers see to it that there are some.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: app.quit())

    desk.taken.connect(lambda: link.dial(options.connect))
    desk.left.connect(link.close)
    desk.left.connect(station.on_link_lost)
    status.start()
    station.begin(link, desk.timer.start)
    return lambda: close_all(hang_up, station.close, link.close, background.close)


class _Desk(QObject):
    """Says on standard output where the page is. `asked()`: whoever started this program wants another link; `ended()`:
    it has ended, or wants this one to. `taken()`: a page has the seat; `left()`: nobody sits here any more."""

    asked, ended, taken, left = Signal(), Signal(), Signal(), Signal()

    def __init__(self, seat: PageSeat, talk: PageTalk, base: str, note: str) -> None:
        super().__init__()
        self._seat, self._talk, self._base, self._note = seat, talk, base, note
        self._link, self._picture = "", b""
        self._last: StationReport | None = None
        self.timer = QTimer(self, interval=SAY_MS)
        self.timer.timeout.connect(self._say)
        self._taken = False
        self.asked.connect(self._invite)
        threading.Thread(target=self._wait_for_end, name="input", daemon=True).start()

    def _say(self) -> None:
        # A page of before the last end of this process goes on with its cookie; else somebody is invited.
        if (taken := bool(self._seat.kept.box)) != self._taken:
            self._taken = taken
            (self.taken if taken else self.left).emit()
        if not self._seat.waits:
            self._link, self._picture = "", b""
            if not taken:
                self._invite()
        report = StationReport(self._link, self._picture, self._note if self._link else "", self._talk.here)
        if report != self._last:
            self._last = report
            print_line(msgspec.json.encode(report).decode())
            sys.stdout.flush()

    @Slot()
    def _invite(self) -> None:
        # The secret stands behind “#”: no server, proxy or log sees it before the page sends it.
        self._link = f"{self._base}/#{self._seat.invite()}"
        picture = io.BytesIO()
        # White around it, also on a dark window: a camera looks for that.
        segno.make(self._link, error="m").save(picture, kind="png", scale=4, border=3)
        self._picture = picture.getvalue()

    def _wait_for_end(self) -> None:
        # os.read, not sys.stdin: a thread waiting in a buffered reader holds its lock when Python ends.
        while os.read(0, 4096):
            self.asked.emit()
        self.ended.emit()


if __name__ == "__main__":
    sys.exit(main())
