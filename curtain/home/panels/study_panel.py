"""The open study: what to do next, what can be done, and its sessions."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from curtain.desk.style import Look, set_size, set_text_colour
from curtain.desk.widgets import OneLine, column, heading, label, row
from curtain.home.control.facts import StudyFacts
from curtain.home.panels.action_buttons import ActionButtons
from curtain.home.panels.session_table import SessionTable


class StudyPanel(QWidget):
    """`action_requested` carries the name of an action of the key table."""

    action_requested = Signal(str)
    next_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._title = OneLine("study_title", look)
        set_size(self._title, look.large_pt, bold=True)
        set_text_colour(self._title, look.text)
        self._place = OneLine("study_place", look)
        self._next_step = label("", look, bold=True)
        self._next_step.setObjectName("next_step")
        self._next_step.setWordWrap(True)
        self._next_step.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._do = QPushButton()
        self._do.setObjectName("do_next")
        self._do.setDefault(True)
        self._do.clicked.connect(self.next_requested)
        set_size(self._do, look.body_pt, bold=True)
        self.sessions = SessionTable(look)
        self.buttons = ActionButtons(self._groups(), look)
        self.buttons.action_requested.connect(self.action_requested)
        box = QFrame()
        box.setObjectName("next_box")
        box.setFrameShape(QFrame.Shape.StyledPanel)
        box.setLayout(column(heading(self.tr("NEXT"), look), row(self._next_step, self._do, spacing=16),
                             margins=QMargins(12, 8, 12, 10)))  # fmt: skip
        parts = column(
            self._title, self._place, box, self.buttons, heading(self.tr("SESSIONS"), look), self.sessions,
            margins=QMargins(16, 10, 16, 8), spacing=7,
        )  # fmt: skip
        parts.setStretch(5, 1)
        self.setLayout(parts)

    def show_study(self, study: StudyFacts | None, reading: bool) -> None:
        """The study's name, folder, domain and sessions; None is no study yet."""
        if study is None:
            self._title.setText(self.tr("Reading the study") if reading else self.tr("Welcome to Curtain"))
            self._place.setText("")
            self.sessions.show_sessions(())
            return
        self._title.setText(study.name)
        where = str(study.folder)
        self._place.setText(f"{study.domain}   ·   {where}" if study.domain else where)
        self.sessions.show_sessions(study.sessions)

    def show_next(self, sentence: str, button: str) -> None:
        """What to do next; without a text the button goes."""
        self._next_step.setText(sentence)
        self._do.setText(button)
        self._do.setAccessibleDescription(sentence)
        self._do.setVisible(bool(button))

    def show_possible(self, possible: Mapping[str, bool]) -> None:
        """Which actions can be done now."""
        self.buttons.show_possible(possible)

    def take_focus(self) -> None:
        """Put the cursor on what comes next."""
        target: QWidget = self._do if self._do.isVisibleTo(self) else self.sessions
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _groups(self) -> list[tuple[str, list[tuple[str, str]]]]:
        return [
            (self.tr("Session"), [
                ("both_stations", self.tr("Both stations")), ("wizard_station", self.tr("Wizard’s station")),
                ("subject_station", self.tr("Subject’s station")), ("trial_session", self.tr("Trial session")),
                ("sample_session", self.tr("Play the sample")),
            ]),
            (self.tr("Corpus"), [
                ("annotate", self.tr("Annotate")), ("export", self.tr("Export …")),
                ("score", self.tr("Score answers …")),
            ]),
            (self.tr("Care"), [
                ("verify", self.tr("Verify")), ("repair", self.tr("Repair a copy")),
                ("retention", self.tr("Days to keep")), ("check", self.tr("Check this machine")),
            ]),
        ]  # fmt: skip
