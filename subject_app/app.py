"""The subject's station as a program. Until the waiting page is painted only Qt's widgets are loaded."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtWidgets import QApplication

from curtain.base.errors import CurtainError, close_all, os_errors_as
from curtain.base.privacy import keep_files_private, own_spool
from curtain.base.terminal import print_error
from curtain.qt.looks.appearance import AppearanceControl
from curtain.qt.paint_events import when_painted
from curtain.qt.style import Theme
from curtain.qt.windows.window_options import WindowOptions, read_options
from curtain.qt.windows.window_program import WindowProgram, window_program
from curtain.session.study.languages import ENGLISH
from subject_app.session.texts import texts_in
from subject_app.window import Window

if TYPE_CHECKING:
    from subject_app.talk.sound import SoundDevices

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class SubjectOptions(WindowOptions):
    """`mic` and `mic_file` exclude each other in use: a file, or the files of a folder, play the microphone."""

    usual_theme: ClassVar[Theme] = "light"
    connect: str = "wizard"
    mic: str = ""
    mic_file: Path | None = None
    spool: Path = field(default_factory=own_spool)
    full_screen: bool = False
    keep_days: float = 0
    language: str = ENGLISH


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the station until its window is closed; the exit code."""
    # Before the first file is made: recordings are for this person alone.
    keep_files_private()
    options = read_options(SubjectOptions, arguments)
    # A fifth of Python's own: the recorder hands a block on in four steps, and each waits so long for a busy window.
    sys.setswitchinterval(0.001)
    with window_program("subject", options.spool / "logs", options) as program:
        window = Window(program.look, texts_in(options.language))
        looks = program.bind(window)
        closers: list[Callable[[], None]] = []

        def furnish() -> None:
            try:
                # After the first paint: a folder on a network may answer late.
                _check_spool(options.spool)
                closers.append(build(program, looks, window, options))
            except CurtainError as error:
                _leave(program.app, error)

        def begin() -> None:
            when_painted(window, furnish)
            # Before the window is shown, since the first paint comes only once.
            if options.drive:
                from curtain.qt.driver import log_first_paint

                log_first_paint(window)
            window.showFullScreen() if options.full_screen else window.show()

        return program.run(window, begin, lambda: close_all(*closers))


def build(
    program: WindowProgram, looks: AppearanceControl, window: Window, options: SubjectOptions
) -> Callable[[], None]:
    """Make and connect everything else; gives what to call at the end. Raises CurtainError."""
    # Imported here: numpy, the link and the widgets of the later pages would delay the first paint.
    from curtain.base.clock import Clock
    from curtain.base.python_process import app_version
    from curtain.link.qt import SubjectLink
    from curtain.link.socket_paths import is_network_address
    from curtain.ports.way import way_elsewhere
    from curtain.qt.background import Background
    from curtain.qt.windows.awake import Awake
    from subject_app.screen import Screen
    from subject_app.session.recovery import ThisStation
    from subject_app.session.spool import Spool
    from subject_app.station import SubjectStation
    from subject_app.status import StatusReporter
    from subject_app.talk.sound import ReplayMicrophone
    from subject_app.talk.talk_key import TalkKey

    app, look = program.app, program.look
    sound = _sound(options)
    background = Background(parent=window)
    clock = Clock()
    this = ThisStation(app_version=app_version(), pid=os.getpid())
    microphone = sound.names()[0] if options.mic_file else options.mic
    spool = Spool(options.spool, options.keep_days)
    station = SubjectStation(spool, sound, background, clock, this, microphone, window)
    program.collection.busy = station.recording
    awake = Awake()
    station.began.connect(awake.begin)
    station.left.connect(awake.end)
    talk_key = TalkKey(station.stamp, window)
    # For the whole application: the talk key works wherever the focus is.
    app.installEventFilter(talk_key)
    if isinstance(sound, ReplayMicrophone):
        talk_key.pressed.connect(sound.press)
    screen = Screen(window, station, talk_key, look, texts_in(options.language))
    looks.changed.connect(screen.refit)
    link = SubjectLink(station.hello, station.resend, clock.monotonic_ns, parent=window)
    link.received.connect(station.on_message)
    link.acked.connect(station.on_acked)
    link.lost.connect(station.on_link_lost)
    link.refused.connect(station.on_refused)
    station.refused.connect(program.problem_log.report)
    status = StatusReporter(station, options.spool, background, link, window)

    def dial() -> None:
        try:
            if is_network_address(options.connect):
                station.takes_turns = True
                screen.offer_help()
                way_elsewhere()(options.connect, link, clock, window, look, texts_in(options.language))
            else:
                link.dial(options.connect)
        except CurtainError as error:
            # A name that cannot be used is a problem of the command line: nobody is to wait before an empty page.
            _leave(app, error)
        status.start()

    def close() -> None:
        # First: no key may begin a turn while the station closes.
        app.removeEventFilter(talk_key)
        close_all(screen.close, station.close, link.close, background.close, awake.end)

    # Dials only when a session left behind has been looked for: the hello names it.
    station.begin(link, dial)
    if options.drive:
        _drive(window, sound)
    return close


def _sound(options: SubjectOptions) -> SoundDevices:
    from subject_app.talk.sound import ReplayMicrophone, SoundCard

    return ReplayMicrophone(options.mic_file) if options.mic_file else SoundCard()


def _drive(window: Window, sound: SoundDevices) -> None:
    from curtain.qt.driver import Driver, Hook
    from subject_app.talk.sound import ReplayMicrophone

    hooks: dict[str, Hook] = {}
    if isinstance(sound, ReplayMicrophone):
        hooks["cue"] = lambda request: sound.cue(Path(request["wav"]))
    Driver(window, hooks, parent=window).start()


def _leave(app: QApplication, error: CurtainError) -> None:
    log.error("the station cannot start: %s", type(error).__name__)
    print_error(error)
    app.exit(2)


def _check_spool(spool: Path) -> None:
    with os_errors_as(f"The folder {spool} cannot be made", advice=" Name another with --spool."):
        spool.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Asked before the session: a folder that can only be read would fail at the first question.
    if not os.access(spool, os.W_OK | os.X_OK):
        raise CurtainError(f"The folder {spool} cannot be written to. Name another with --spool.")
