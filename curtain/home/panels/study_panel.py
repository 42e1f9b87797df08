"""The open study: what to do next, what can be done, and its sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QFrame, QPushButton, QSizePolicy, QTreeWidget, QTreeWidgetItem, QWidget

from curtain.home.control.facts import SessionFacts, StudyFacts, size_text
from curtain.home.panels.action_buttons import ActionButtons
from curtain.qt.style import GAP, PAGE, PANEL, WIDE, Look, set_size, set_text_colour
from curtain.qt.widgets import OneLine, column, heading, label, named, plain_tip, row


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
        self._next_step = label("", look, bold=True, name="next_step", wraps=True)
        self._next_step.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._do = named(QPushButton(default=True), "do_next")
        self._do.clicked.connect(self.next_requested)
        set_size(self._do, look.body_pt, bold=True)
        self.sessions = SessionTable(look)
        self.buttons = ActionButtons(self._groups(), look)
        self.buttons.action_requested.connect(self.action_requested)
        box = named(QFrame(frameShape=QFrame.Shape.StyledPanel), "next_box")
        box.setLayout(column(heading(self.tr("NEXT"), look), row(self._next_step, self._do, spacing=WIDE),
                             margins=PANEL))  # fmt: skip
        parts = column(
            self._title, self._place, box, self.buttons, heading(self.tr("SESSIONS"), look), (self.sessions, 1),
            margins=PAGE, spacing=GAP,
        )  # fmt: skip
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


_ID = int(Qt.ItemDataRole.UserRole)
_RIGHT = (2, 3, 4)


class SessionTable(QTreeWidget):
    """One line a session. Enter or a double click asks to verify it."""

    session_activated = Signal(str)
    session_chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._shown: tuple[SessionFacts, ...] | None = None
        named(self, "sessions", self.tr("Sessions of the study"))
        self.setRootIsDecorated(False)
        self.setAlternatingRowColors(True)
        self.setAllColumnsShowFocus(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHeaderLabels([
            self.tr("Session"), self.tr("Begun (UTC)"), self.tr("Turns"), self.tr("Annotated"), self.tr("Size"),
            self.tr("State"),
        ])  # fmt: skip
        set_size(self, look.small_pt)
        self.itemActivated.connect(lambda item: self.session_activated.emit(item.data(0, _ID)))
        self.currentItemChanged.connect(lambda now, _: self.session_chosen.emit(now.data(0, _ID) if now else ""))

    @property
    def chosen(self) -> str:
        """The id of the chosen session, or an empty text."""
        item = self.currentItem()
        return str(item.data(0, _ID)) if item is not None else ""

    def show_sessions(self, sessions: Sequence[SessionFacts]) -> None:
        """The sessions in this order; the chosen one stays chosen, at first it is the last."""
        if tuple(sessions) == self._shown:
            return
        before, self._shown = self.chosen, tuple(sessions)
        self.clear()
        self.addTopLevelItems([self._item(session) for session in sessions])
        ids = [session.session_id for session in sessions]
        self.setCurrentIndex(self.model().index(ids.index(before) if before in ids else len(ids) - 1, 0))
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for at, session in enumerate(self._shown or ()):
                if (item := self.topLevelItem(at)) is not None:
                    self._colour(item, session)
        elif event.type() == QEvent.Type.FontChange:
            self._fit_columns()

    def sizeHint(self) -> QSize:
        return QSize(400, 150)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 90)

    def _item(self, session: SessionFacts) -> QTreeWidgetItem:
        state = self._state(session)
        annotated = f"{session.annotated} of {session.turns}" if session.turns else ""
        texts = [session.session_id, session.begun, str(session.turns), annotated, size_text(session.size), state]
        item = QTreeWidgetItem(texts)
        item.setData(0, _ID, session.session_id)
        for at in _RIGHT:
            item.setTextAlignment(at, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setToolTip(5, plain_tip(session.fault or state))
        self._colour(item, session)
        return item

    def _colour(self, item: QTreeWidgetItem, session: SessionFacts) -> None:
        if session.fault or session.soundness == "damaged":
            item.setForeground(5, QColor(self._look.bad))
        elif session.closed and session.soundness == "sound":
            item.setForeground(5, QColor(self._look.good))

    def _fit_columns(self) -> None:
        for at in range(5):
            self.resizeColumnToContents(at)
            self.setColumnWidth(at, self.columnWidth(at) + 14)

    def _state(self, session: SessionFacts) -> str:
        if session.fault:
            return self.tr("cannot be read")
        state = self.tr("closed") if session.closed else self.tr("not ended")
        soundness = {"sound": self.tr(", verified"), "damaged": self.tr(", damaged"), "unknown": ""}[session.soundness]
        return (self.tr("trial, ") if session.pilot else "") + state + soundness
