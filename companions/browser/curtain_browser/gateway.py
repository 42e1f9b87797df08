"""The gateway as a program: the subject's station without a window, and the page's server beside it.

It takes a `Gate` as JSON, prints a `StationReport` a line on standard output, and ends when its standard input does.
"""

from __future__ import annotations

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
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

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

SAY_MS, COLLECT_EVERY = 500, 10


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
    desk = _Desk(seat, talk, station, place.addresses(port)[0], place.note)
    desk.ended.connect(app.quit)
    # Python runs handlers between its instructions; the timers see to it that there are some.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: app.quit())

    def dial() -> None:
        link.dial(options.connect)
        status.start()

    station.begin(link, lambda: desk.once_opened.append(dial))
    return lambda: close_all(desk.close, hang_up, station.close, link.close, background.close)


class _Desk(QObject):
    """Says on standard output where the page is. `ended()`: whoever started this program has ended, or wants it to."""

    ended = Signal()

    def __init__(self, seat: PageSeat, talk: PageTalk, station: SubjectStation, base: str, note: str) -> None:
        super().__init__()
        self._seat, self._talk, self._station, self._base, self._note = seat, talk, station, base, note
        self._link, self._picture = "", b""
        self._last: StationReport | None = None
        self._times = 0
        self.once_opened: list[Callable[[], None]] = []  # until a page is let in, nobody sits at this station
        self._timer = QTimer(self, interval=SAY_MS)
        self._timer.timeout.connect(self._say)
        self._timer.start()
        threading.Thread(target=self._wait_for_end, name="input", daemon=True).start()

    def close(self) -> None:
        """Say nothing more."""
        self._timer.stop()

    def _say(self) -> None:
        # A page of before the last end of this process goes on with its cookie; else somebody is invited.
        if self._seat.kept.box:
            self._link = ""
            while self.once_opened:
                self.once_opened.pop()()
        elif not self._link:
            # The secret stands behind “#”: no server, proxy or log sees it before the page sends it.
            self._link = f"{self._base}/#{self._seat.invite()}"
            self._picture = _picture_of(self._link)
        picture, note = (self._picture, self._note) if self._link else (b"", "")
        report = StationReport(self._link, picture, note, self._talk.here)
        if report != self._last:
            self._last = report
            print_line(msgspec.json.encode(report).decode())
            sys.stdout.flush()
        self._times += 1
        if self._times % COLLECT_EVERY == 0 and not self._station.recording():
            gc.collect()

    def _wait_for_end(self) -> None:
        # os.read, not sys.stdin: a thread waiting in a buffered reader holds its lock when Python ends.
        while os.read(0, 4096):
            pass
        self.ended.emit()


def _picture_of(link: str) -> bytes:
    picture = io.BytesIO()
    # White around it, also on a dark window: a camera looks for that.
    segno.make(link, error="m").save(picture, kind="png", scale=4, border=3)
    return picture.getvalue()


if __name__ == "__main__":
    sys.exit(main())
