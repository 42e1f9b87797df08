"""The sessions of a study: state, size, and what was done with them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem

from curtain.desk.style import Look, set_size
from curtain.desk.widgets import plain_tip
from curtain.home.control.facts import SessionFacts, size_text

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
        self.setObjectName("sessions")
        self.setAccessibleName(self.tr("Sessions of the study"))
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
