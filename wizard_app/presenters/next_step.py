"""The strip with the next key, the deadline, and what a driver reads: renewed after each change and each tick."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.session.roles import Chair
from wizard_app.desk.controllers import Controllers
from wizard_app.desk.situation import Situation, WizardState, next_steps
from wizard_app.desk.turn.deadline import Deadline
from wizard_app.presenters.drafts_desk import DraftsDesk
from wizard_app.presenters.driver_view import seen_by_driver
from wizard_app.presenters.page_set import PageSet
from wizard_app.presenters.work_presenter import WorkPresenter
from wizard_app.window.window import WizardWindow

_TICK_MS = 250


class NextStep(QObject):
    """Reads what is true now and tells the window. `refreshed` comes after each renewal."""

    refreshed = Signal()

    def __init__(
        self, window: WizardWindow, pages: PageSet, presenter: WorkPresenter, controllers: Controllers, desk: DraftsDesk
    ) -> None:
        super().__init__(window)
        self._window = window
        self._pages = pages
        self._presenter = presenter
        self._session = controllers.session
        self._desk = desk
        self.chair: Chair = "wizard"
        self.joins = False
        self._ticker = QTimer(self)
        self._ticker.setInterval(_TICK_MS)
        self._ticker.timeout.connect(presenter.tick)
        self._ticker.timeout.connect(self.refresh)
        self._session.opened.connect(self._ticker.start)
        self._session.closed.connect(self.end)

    @Slot()
    def end(self) -> None:
        """Nothing happens by itself any more."""
        self._ticker.stop()

    @Slot()
    def refresh(self) -> None:
        """Show the next key and the deadline anew, and tell the driver."""
        situation = self._situation()
        self._window.strip.show_steps(next_steps(situation))
        self._window.top.show_waiting(self._presenter.waiting if self._session.running else 0)
        self._window.top.show_deadline(self._presenter.deadline if self._session.running else Deadline(0))
        for name, value in seen_by_driver(situation, self._session, self._presenter.deadline).items():
            self._window.setProperty(name, value)
        self.refreshed.emit()

    def _situation(self) -> Situation:
        page, pages, work = self._window.page, self._pages, self._pages.work
        if page is pages.start:
            enter = pages.start.enter_told
            return Situation(WizardState.START, link_up=self._session.link_up, enter=enter, joins=self.joins)
        if page is pages.archive:
            return Situation(WizardState.ARCHIVE, link_up=self._session.link_up)
        if page is pages.closing and not self._session.running:
            return Situation(WizardState.CLOSED, link_up=self._session.link_up)
        return replace(
            self._presenter.situation(work.messages.picking, work.messages.ready),
            in_empty_blank=work.messages.in_empty_blank,
            browsing=page is work and work.turns.hasFocus(),
            drafts=self._desk.count,
            at_drafts=self._desk.place,
            words_offered=bool(work.query.field.offered),
            chair=self.chair,
        )
