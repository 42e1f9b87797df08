"""What the window says of link, microphone, disk and problems while a session runs."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from curtain.link.messages import Absent, StationStatus
from curtain.session.events.wizard_events import ScenarioStarted
from wizard_app.desk.controllers import Controllers
from wizard_app.desk.session.disk_watch import DiskSpace, DiskWatch
from wizard_app.desk.session.microphone_watch import MicrophoneWatch
from wizard_app.keys.table import key_of
from wizard_app.presenters.desk_screen import DeskScreen
from wizard_app.presenters.questions import Asking
from wizard_app.window.window import WizardWindow

# The other station was turned away or repaired, and nothing says when it has given up; or a file was made whole.
_PASSING = ("station", "seat", "restored", "clock")
# What is said of a turn or its sound is over with the task, or earlier.
_OF_A_TASK = ("sound", "line", "quota", "drafts", "transcriber")


class Notices(QObject):
    """Follows the session and updates the bar at the top and the band of problems. `changed`: the next key may be
    another one."""

    changed = Signal()

    def __init__(
        self, window: WizardWindow, screen: DeskScreen, controllers: Controllers, disk: DiskWatch, asking: Asking
    ) -> None:
        super().__init__(window)
        self._window = window
        self._screen = screen
        self._session = controllers.session
        self._turns = controllers.turns
        self._asking = asking
        self._disks = DiskSpace()
        self._forms: list[str] = []
        self._absent: set[Absent] = set()
        self._task: ScenarioStarted | None = None
        self._wire(controllers, disk)

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """What the key of an offer does, by the name in the key table."""
        return {"accept_offer": self._on_offer_accepted}

    def _wire(self, controllers: Controllers, disk: DiskWatch) -> None:
        session, window = self._session, self._window
        session.opening.connect(lambda: window.start.hinder("open", self.tr("Opening the session.")))
        session.opened.connect(lambda: window.start.hinder("open", ""))
        session.progress_changed.connect(self._show_forms)
        session.progress_changed.connect(self._follow_task)
        session.link_changed.connect(self._on_link_changed)
        session.status_came.connect(self._on_status)
        session.write_failed.connect(self._on_write_failed)
        session.problem.connect(self._on_problem)
        session.problem_over.connect(window.end_problem)
        window.problem.accepted.connect(self._on_offer_accepted)
        disk.hours_left.connect(lambda hours: self._show_disk(replace(self._disks, wizard=hours)))
        controllers.turns.notice.connect(window.show_notice)
        controllers.turns.reply_left.connect(lambda _turn: window.clear_notice())
        controllers.listen.problem.connect(lambda sentence: window.show_problem("sound", sentence))
        controllers.listen.playing_began.connect(lambda: window.end_problem("sound"))

    def _on_problem(self, what: str, sentence: str) -> None:
        if what == "open":
            self._window.start.hinder("open", "")
        if what in _PASSING:
            self._window.show_passing_problem(what, sentence, offer=self._offer(what))
        else:
            self._window.show_problem(what, sentence, self._offer(what))

    def _offer(self, what: str) -> str:
        """The way on that the wizard is offered beside a problem."""
        offers = {"seat": self.tr("Let it in"), "record": self.tr("Use the record kept here")}
        return f"{offers[what]}  ({key_of('accept_offer')})" if what in offers else ""

    def _on_offer_accepted(self) -> None:
        # Both offers are about a session that runs; the closing page has none to give a place in.
        if self._session.running and not self._session.closing:
            if self._window.offered == "seat":
                self._asking.let_in()
            elif self._window.offered == "record":
                self._asking.take_record()

    def _show_forms(self) -> None:
        """The subject is busy with a form, or has done it: nobody should begin a task or end the session meanwhile."""
        forms, before = self._session.open_forms, self._forms
        if forms == before:
            return
        self._forms = forms
        if forms:
            self._window.show_notice(self.tr("The subject fills in: {0}.").format("; ".join(forms)))
        elif self._session.running:
            left_out = self._session.texts.unanswered(self._session.progress)
            filled = self.tr("The subject has filled in everything.")
            self._window.show_notice(self.tr("The subject has left out: {0}.").format(left_out) if left_out else filled)

    def _follow_task(self) -> None:
        before, self._task = self._task, self._session.progress.scenario
        if before != self._task:
            for what in _OF_A_TASK:
                self._window.end_problem(what)

    def _on_link_changed(self, up: bool) -> None:
        self._window.top.show_link(up)
        self._window.start.show_link(up)
        if not up:
            self._window.top.show_recording(False)
            self._screen.microphone = MicrophoneWatch()
            self._show_absent(())
        self.changed.emit()

    def _on_status(self, status: StationStatus) -> None:
        self._screen.microphone = self._screen.microphone.after(status)
        self.changed.emit()
        self._window.top.show_level(status.level_dbfs, status.clipped)
        self._window.top.show_recording(status.recording)
        disks = replace(self._disks, subject=status.disk_hours, subject_problem=status.disk_problem)
        self._show_disk(disks)
        self._show_absent(status.absent)

    def _show_absent(self, absent: Sequence[Absent]) -> None:
        if set(absent) == self._absent:
            return
        self._absent = set(absent)
        texts: dict[Absent, str] = {
            "voice": self.tr("Answers are not said aloud: the voice of the subject’s station does not work."),
            "second_microphone": self.tr("The second microphone does not record. The session goes on with the first."),
            "screen": self.tr("The subject’s screen is away. What they say until it is back comes later."),
        }
        if sentences := [sentence for what, sentence in texts.items() if what in absent]:
            self._window.show_problem("absent", " ".join(sentences))
        else:
            self._window.end_problem("absent")

    def _on_write_failed(self, turns: list[int | None]) -> None:
        for turn in turns:
            if turn is not None:
                self._turns.recall(turn)

    def _show_disk(self, disks: DiskSpace) -> None:
        if disks == self._disks and disks.hours is not None:
            return
        before, self._disks = self._disks, disks
        self._window.top.show_disk(disks.hours)
        # The whole page is looked through again.
        if disks.refusal != before.refusal:
            self._window.start.hinder("disk", disks.refusal)
        if disks.warning:
            self._window.show_problem("disk", disks.warning)
        else:
            self._window.end_problem("disk")
