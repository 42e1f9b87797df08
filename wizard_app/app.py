"""The wizard's station, put together in one place: first the window, and behind its first paint all the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from curtain.base.clock import Clock, steady_ns
from curtain.qt.paint_events import when_painted
from curtain.qt.style import Look
from curtain.session.study.study import Study
from wizard_app.options import MakeLink, StationInputs, WizardOptions
from wizard_app.window.window import WizardWindow

if TYPE_CHECKING:
    from curtain.link.messages import Message
    from curtain.link.qt import SessionLink
    from wizard_app.desk.chairs.chair_link import ChairLink
    from wizard_app.desk.drafting_tool import StartDrafting
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
        self.window.start.show_wizard(options.wizard_id)
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
    drafting: StartDrafting | None = None,
    joined: ChairLink | None = None,
) -> WizardApp:
    """The station over one study, its window not yet shown."""
    outside = StationInputs(make_link or _local_link, clock or Clock(), drafting, joined)
    return WizardApp(study, look, options or WizardOptions(), outside)


def _local_link(resend: Callable[[int], Iterable[Message]]) -> SessionLink:
    from curtain.link.qt import WizardLink

    return WizardLink(resend, steady_ns)
