"""The wizard's station, put together in one place: first the window, and behind its first paint all the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication, QWidget

from curtain.base.clock import Clock, steady_ns
from curtain.base.errors import CurtainError, close_all
from curtain.base.privacy import keep_files_private
from curtain.base.terminal import print_error
from curtain.qt.languages.translation import WindowLanguage
from curtain.qt.paint_events import when_painted
from curtain.qt.style import Look
from curtain.qt.windows.awake import Awake
from curtain.qt.windows.window_options import read_options
from curtain.qt.windows.window_program import window_program
from curtain.session.study.study import Study, load_study
from wizard_app.keys.guard import KeyGuard
from wizard_app.options import MakeLink, StationInputs, WizardOptions
from wizard_app.window.window import WizardWindow

if TYPE_CHECKING:
    from curtain.link.messages import Message
    from curtain.link.qt import SessionLink
    from curtain.ports.seat import JoinedLink
    from wizard_app.station import WizardStation


class WizardApp(QObject):
    """The window at once, the station behind it as soon as the window has been painted."""

    furnished = Signal()

    def __init__(self, study: Study, look: Look, options: WizardOptions, outside: StationInputs) -> None:
        super().__init__()
        self._study = study
        self._look = look
        self._options = options
        self._outside = outside
        self.window = WizardWindow(look)
        self.window.start.show_wizard(options.wizard)
        self.window.start.show_pilot(options.pilot)
        self.window.show_trial(options.pilot)
        self.station: WizardStation | None = None

    def begin(self) -> None:
        """Show the window, and load all the rest once it is painted."""
        self.window.show()
        when_painted(self.window, self._furnish)

    def close(self) -> None:
        """Let everything go; what was typed and not sent is kept, an open session stays open."""
        if self.station is not None:
            self.station.close()

    def on_session(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        """Call `begin` when a session is opened and `end` when it is closed; from `furnished` on."""
        assert self.station is not None
        session = self.station.controllers.session
        session.opened.connect(begin)
        session.closed.connect(lambda _session: end())

    def _furnish(self) -> None:
        # Imported here: what is heavy is loaded when there is something to look at.
        from wizard_app.assembly import furnish

        self.station = furnish(self.window, self._look, self._study, self._options, self._outside)
        self.furnished.emit()


def build(
    study: Study,
    look: Look,
    options: WizardOptions | None = None,
    make_link: MakeLink | None = None,
    clock: Clock | None = None,
    joined: JoinedLink | None = None,
) -> WizardApp:
    """The station over one study, its window not yet shown."""
    outside = StationInputs(make_link or _local_link, clock or Clock(), joined)
    return WizardApp(study, look, options or WizardOptions(), outside)


def _local_link(resend: Callable[[int], Iterable[Message]]) -> SessionLink:
    from curtain.link.qt import WizardLink

    return WizardLink(resend, steady_ns)


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = read_options(WizardOptions, arguments)
    try:
        study = load_study(given.study)
        study.ensure_writable()
        if given.join:
            # Before there is a window, which the link itself needs. Loaded here, since most sessions need no network.
            from curtain.ports.seat import seats_of_companion

            seats_of_companion().check_address(given.join)
    except CurtainError as error:
        print_error(error)
        return 2
    language = WindowLanguage(given.language, study.spoken_language, study.folder)
    with window_program("wizard", study.folder / "logs", given, language) as program:
        wizard = (_joining if given.join else build)(study, program.look, given)
        program.bind(wizard.window, wizard.window.show_unexpected)
        if program.missing_language:
            wizard.window.show_notice(program.missing_language)
        guard, keys = ScreenGuard(program.app), KeyGuard(program.app)
        awake = Awake()
        wizard.furnished.connect(lambda: wizard.on_session(awake.begin, awake.end))
        code = program.run(wizard.window, wizard.begin, lambda: close_all(wizard.close, awake.end), given.drive)
        guard.deleteLater()
        keys.deleteLater()
    return code


def _joining(study: Study, look: Look, given: WizardOptions) -> WizardApp:
    """A chair at another station's session."""
    from curtain.ports.seat import seats_of_companion

    clock = Clock()
    link = seats_of_companion().join(given.join, given.code, given.wizard or "chair", given.chair, clock)
    return build(study, look, given, make_link=lambda resend: link, clock=clock, joined=link)


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
