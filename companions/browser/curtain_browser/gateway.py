"""The gateway as a program: the subject's station without a window, and the page's server beside it.

It prints one JSON object a line on standard output for whoever started it, and ends when its standard input does.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import msgspec
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from curtain.base.clock import Clock, steady_s
from curtain.base.disk import lock_file, unlock_file
from curtain.base.errors import CurtainError, close_all, os_errors_as
from curtain.base.privacy import keep_files_private, own_spool
from curtain.base.python_process import app_version
from curtain.base.terminal import print_error, print_line
from curtain.link.qt import SubjectLink
from curtain.qt.background import Background
from curtain.qt.problems import Problems
from curtain.session.study.languages import ENGLISH, bundled_languages
from curtain_browser.page_talk import PageTalk
from curtain_browser.places import place_of
from curtain_browser.seat import PageSeat
from curtain_browser.server import PageServer, Place, ServerThread, page_files
from curtain_browser.sound import PageMicrophones
from subject_app.session.recovery import ThisStation
from subject_app.session.spool import Spool
from subject_app.session.texts import texts_in
from subject_app.station import SubjectStation
from subject_app.status import StatusReporter

COLLECT_MS = 5000


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line for whoever started the gateway. `link` leads the subject here, once; "" once somebody entered.
    `note`: what the subject will meet on the way, such as the warning about a certificate; `here`: a page is there."""

    link: str = ""
    note: str = ""
    here: bool = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until standard input ends; the exit code."""
    keep_files_private()
    options = read_options(sys.argv[1:] if arguments is None else arguments)
    sys.setswitchinterval(0.001)
    app = QCoreApplication(sys.argv[:1])
    spool: Path = options.spool or own_spool().with_name("browser")
    try:
        with os_errors_as(f"The folder {spool} cannot be used", advice=" Name another with --spool."):
            spool.mkdir(mode=0o700, parents=True, exist_ok=True)
            held = lock_file(spool / "in-use")
        if held is None:
            raise CurtainError("A subject's station for browsers runs already. Close it, or name another --spool.")
        problems = Problems("browser", spool / "logs")
        try:
            return _run(app, options, spool, problems)
        finally:
            problems.close()
            unlock_file(spool / "in-use", held)
    except CurtainError as error:
        print_error(error)
        return 2


def _run(app: QCoreApplication, options: argparse.Namespace, spool: Path, problems: Problems) -> int:
    seat = PageSeat(spool, steady_s)
    place = place_of(options, seat.port, spool)
    background, clock, microphones = Background(), Clock(), PageMicrophones()
    station = SubjectStation(
        Spool(spool), microphones, background, clock, ThisStation(app_version=app_version(), pid=os.getpid())
    )
    station.refused.connect(problems.report)
    talk = PageTalk(station, microphones, seat, texts_in(options.language), options.language)
    link = SubjectLink(station.hello, station.resend, clock.monotonic_ns)
    link.received.connect(station.on_message)
    link.acked.connect(station.on_acked)
    link.lost.connect(station.on_link_lost)
    link.refused.connect(station.on_refused)
    status = StatusReporter(station, spool, background, link)
    server = PageServer(seat, talk, place.secure, page_files())
    talk.out = server
    thread = ServerThread(server, place)
    desk = _Desk(seat, talk, thread.port, place)
    collector = QTimer(interval=COLLECT_MS)
    collector.timeout.connect(lambda: None if station.recording() else gc.collect())
    # On this thread alone: an object of Qt must not die on the server's.
    gc.disable()
    collector.start()
    # Python runs handlers between its instructions; the timers of the talk see to it that there are some.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: app.quit())
    ended = _InputEnd()
    ended.came.connect(app.quit)

    def dial() -> None:
        link.dial(options.connect)
        status.start()

    station.begin(link, dial)
    desk.begin()
    code = app.exec()
    close_all(thread.close, station.close, link.close, background.close, collector.stop)
    return code


class _Desk(QObject):
    """Says on standard output where the page is."""

    def __init__(self, seat: PageSeat, talk: PageTalk, port: int, place: Place) -> None:
        super().__init__()
        self._seat, self._talk = seat, talk
        self._base = place.addresses(port)[0]
        self._note = place.note
        self._link = ""
        self._last: Report | None = None
        seat.use_port(port)
        self._timer = QTimer(self, interval=500)
        self._timer.timeout.connect(self._say)
        talk.entered.connect(self._on_entered)
        talk.said_goodbye.connect(self.invite)

    def begin(self) -> None:
        """A page of before the last end of this process goes on with its cookie; else somebody is invited."""
        if not self._seat.box:
            self.invite()
        self._say()
        self._timer.start()

    def invite(self) -> None:
        """A new link. The secret stands behind “#”: no server, proxy or log sees it before the page sends it."""
        self._link = f"{self._base}/#{self._seat.invite()}"
        self._say()

    def _on_entered(self) -> None:
        self._link = ""
        self._say()

    def _say(self) -> None:
        report = Report(self._link, self._note if self._link else "", self._talk.here)
        if report != self._last:
            self._last = report
            print_line(msgspec.json.encode(report).decode())
            sys.stdout.flush()


class _InputEnd(QObject):
    """`came()`: whoever started this program has ended, or wants it to."""

    came = Signal()

    def __init__(self) -> None:
        super().__init__()
        threading.Thread(target=self._wait, name="input", daemon=True).start()

    def _wait(self) -> None:
        # os.read, not sys.stdin: a thread waiting in a buffered reader holds its lock when Python ends.
        while os.read(0, 4096):
            pass
        self.came.emit()


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line; a wrong option ends the program with exit code 2."""
    parser = argparse.ArgumentParser(prog="python -m curtain_browser.gateway")
    parser.add_argument("--connect", default="wizard", help="the name at which the wizard's station waits")
    parser.add_argument("--spool", type=Path, help="where recordings are kept until they are safe")
    parser.add_argument("--language", choices=bundled_languages(), default=ENGLISH)
    parser.add_argument("--at", default="", help="ADDRESS:PORT at which the page is served; without it, this computer")
    parser.add_argument("--certificate", type=Path, help="the lab's certificate, with its chain, in PEM")
    parser.add_argument("--key", type=Path, help="the key of the certificate, in PEM")
    parser.add_argument("--public", default="", help="the https:// address of a proxy or tunnel that leads here")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
