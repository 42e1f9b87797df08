"""The window drawn from one value: after each change and each tick, and nothing here decides what happens."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.session.roles import Chair
from wizard_app.desk.controllers import Controllers
from wizard_app.desk.desk_view import DeskNow, DeskTexts, desk_view
from wizard_app.desk.next_steps import next_steps
from wizard_app.desk.session.microphone_watch import MicrophoneWatch
from wizard_app.desk.turn.turn_clock import TurnClock
from wizard_app.desk.turn.turn_rows import TurnRows
from wizard_app.window.pages.archive_page import ArchivePage
from wizard_app.window.pages.closing_page import ClosingPage
from wizard_app.window.pages.start_page import StartPage
from wizard_app.window.pages.work_page import WorkPage
from wizard_app.window.window import WizardWindow

_TICK_MS = 250


@dataclass(frozen=True)
class PageSet:
    """The pages of the window: one of each for its life."""

    start: StartPage
    work: WorkPage
    closing: ClosingPage
    archive: ArchivePage


class DeskScreen(QObject):
    """Reads what is true now and shows the `DeskView` that follows. `shown(view)` comes after each drawing."""

    shown = Signal(object)

    def __init__(self, window: WizardWindow, pages: PageSet, controllers: Controllers, clock: TurnClock) -> None:
        super().__init__(window)
        self._window = window
        self._pages = pages
        self._controllers = controllers
        self._clock = clock
        self._rows = TurnRows()
        self.texts = DeskTexts()
        self.microphone = MicrophoneWatch()
        self.chair: Chair = "wizard"
        self.joins = False
        self._ticker = QTimer(self, interval=_TICK_MS)
        self._ticker.timeout.connect(self.show)
        controllers.session.opened.connect(self._ticker.start)
        controllers.session.closed.connect(self.end)
        controllers.turns.changed.connect(self.show)
        controllers.outgoing.changed.connect(self.show)
        pages.work.turns.turn_selected.connect(self.show)

    @Slot()
    def end(self) -> None:
        """Nothing happens by itself any more."""
        self._ticker.stop()

    @Slot()
    def show(self) -> None:
        """Draw everything anew that is different."""
        view = desk_view(self._now(), self._rows)
        self._pages.work.show_view(view)
        self._window.show_view(view, next_steps(view))
        self.shown.emit(view)

    def _now(self) -> DeskNow:
        session, turns, sql = self._controllers.session, self._controllers.turns, self._controllers.sql
        progress, running, form = session.progress, session.session, session.wizard_form
        waiting_s, outgoing = self._clock.waiting_s(progress), self._controllers.outgoing
        take_back, take_back_s = outgoing.latest or (0, 0.0)
        return DeskNow(
            **self._hands(),
            progress=progress,
            texts=self.texts,
            session=running.session_id if running is not None else "",
            link_up=session.link_up,
            open_forms=len(session.open_forms),
            wizard_form=form.name if form is not None else "",
            microphone=self.microphone,
            turn=turns.turn,
            coming=turns.coming,
            fields=turns.fields,
            correcting=turns.correcting,
            end_stated=turns.end_stated is not None,
            may_correct=turns.correctable is not None,
            sql=sql.state,
            database_open=sql.ready,
            completing=sql.completing,
            last=sql.last,
            good=sql.good,
            fresh=sql.fresh,
            deadline=self._clock.deadline(progress, waiting_s, outgoing.held),
            waiting_s=waiting_s,
            unseen=self._clock.unseen(progress),
            leaving=list(outgoing.held),
            take_back=take_back,
            take_back_s=take_back_s,
            grace_s=outgoing.take_back_s,
        )

    def _hands(self) -> dict[str, Any]:
        """Who sits here, which page is in front, and what has the cursor there, as fields of `DeskNow`."""
        pages, work = self._pages, self._pages.work
        here: dict[str, Any] = {"chair": self.chair, "joins": self.joins}
        if self._window.page is pages.start:
            return here | {"enter": pages.start.enter_label}
        if self._window.page is not work:
            return here | {"page": "archive" if self._window.page is pages.archive else "closing"}
        return here | {
            "page": "work",
            "picking": work.messages.picking,
            "picked": work.messages.ready,
            "in_empty_blank": work.messages.in_empty_blank,
            "browsing": work.turns.hasFocus(),
            "selected": work.turns.selected or 0,
            "drafts": self._controllers.drafts.count,
            "drafts_guess": self._controllers.drafts.guesses,
            "at_drafts": self._controllers.drafts.place,
            "words_offered": work.query.offer.can_take,
            "words_doubted": work.query.offer.next_doubt(0) is not None,
        }
