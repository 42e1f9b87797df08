"""`python -m wizard_app --study DIR`: the wizard's station as a process of its own."""

from __future__ import annotations

import argparse
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication, QWidget

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError, close_all
from curtain.base.privacy import keep_files_private
from curtain.base.terminal import print_error
from curtain.qt.languages.translation import WindowLanguage
from curtain.qt.style import Look
from curtain.qt.windows.awake import Awake
from curtain.qt.windows.window_program import window_parser, window_program
from curtain.session.roles import CHAIRS
from curtain.session.study.study import Study, load_study
from wizard_app.app import WizardApp, build
from wizard_app.options import WizardOptions
from wizard_app.window.key_guard import KeyGuard


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = _parser().parse_args(arguments)
    try:
        study = load_study(given.study)
        study.ensure_writable()
        if given.join:
            # Checked before there is a window; the link itself needs the application.
            _check_address(given.join)
    except CurtainError as error:
        print_error(error)
        return 2
    language = WindowLanguage(given.language, study.spoken_language, study.folder)
    with window_program("wizard", study.folder / "logs", given, language) as program:
        options = WizardOptions(
            given.listen, given.output, given.wizard, given.resume, given.pilot, given.chairs, given.chime
        )
        wizard = _joining(study, program.look, options, given) if given.join else build(study, program.look, options)
        program.bind(wizard.window)
        program.problem_log.problem.connect(wizard.window.show_unexpected)
        if program.missing_language:
            wizard.window.show_notice(program.missing_language)
        guard, keys = ScreenGuard(program.app), KeyGuard(program.app)
        awake = Awake()
        wizard.furnished.connect(lambda: wizard.on_session(awake.begin, awake.end))
        code = program.run(wizard.window, wizard.begin, lambda: close_all(wizard.close, awake.end), given.drive)
        guard.deleteLater()
        keys.deleteLater()
    return code


def _check_address(address: str) -> None:
    """Raises CurtainError."""
    # Here and below: the network's modules take as long to load as the first page, and most sessions need none.
    from curtain.link.network.dialler import read_address

    read_address(address)


def _joining(study: Study, look: Look, options: WizardOptions, given: argparse.Namespace) -> WizardApp:
    """A chair at another station's session."""
    from wizard_app.desk.chairs.joining import joined_link

    clock = Clock()
    link = joined_link(given.join, given.code, given.wizard or "chair", given.chair, clock)
    return build(study, look, options, make_link=lambda resend: link, clock=clock, joined=link)


def _parser() -> argparse.ArgumentParser:
    parser = window_parser("wizard_app", "The wizard's station.")
    parser.add_argument("--study", type=Path, required=True, help="the study folder")
    parser.add_argument("--listen", default="curtain", help="the name the subject's station dials")
    parser.add_argument("--output", help="the loudspeaker or headphones, by name")
    parser.add_argument("--wizard", default="", help="the wizard id, filled in already")
    parser.add_argument("--resume", action="store_true", help="go straight on with the unfinished session")
    parser.add_argument("--pilot", action="store_true", help="begin with “Trial session” ticked")
    parser.add_argument("--chime", action="store_true", help="switch soft tones on: question, help, answer")
    parser.add_argument("--chairs", default="", help="the address and port at which other desks may join")
    parser.add_argument("--join", default="", help="the address and port of the session's own station to join")
    parser.add_argument("--as", dest="chair", choices=CHAIRS, default="observer", help="as what this desk joins")
    parser.add_argument("--code", default="", help="the code that the session's own station shows, once")
    return parser


class ScreenGuard(QObject):
    """Hides the windows of a screen that goes, before Qt moves them to another; shows them on the next that comes."""

    def __init__(self, app: QGuiApplication) -> None:
        super().__init__()
        self._hidden: list[QWidget] = []
        app.screenRemoved.connect(self._on_screen_removed)
        app.screenAdded.connect(self._on_screen_added)

    @Slot(QScreen)
    def _on_screen_removed(self, screen: QScreen) -> None:
        for window in QApplication.topLevelWidgets():
            if window.isVisible() and window.screen() is screen:
                self._hidden.append(window)
                # At once, in this very signal: Qt moves the window to the other screen right after it.
                window.hide()

    @Slot(QScreen)
    def _on_screen_added(self, screen: QScreen) -> None:
        windows, self._hidden = self._hidden, []
        for window in windows:
            # Place it while it is hidden, or it would flash on the subject's screen.
            window.setScreen(screen)
            window.move(screen.availableGeometry().topLeft())
            window.show()
