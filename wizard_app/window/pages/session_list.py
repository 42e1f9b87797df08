"""The sessions of the study so far."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from curtain.qt.style import Look, set_size
from curtain.qt.widgets import line_within, named, plain_tip, say
from wizard_app.desk.session.session_rows import SessionRow

_ID = int(Qt.ItemDataRole.UserRole)


class SessionList(QTreeWidget):
    """Return or a double click opens: an unfinished session is resumed, a closed one is looked at."""

    resume_requested = Signal(str)
    look_requested = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        named(self, "sessions", self.tr("Earlier sessions"))
        self.setRootIsDecorated(False)
        self.setAlternatingRowColors(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHeaderLabels([self.tr("Session"), self.tr("Begun"), self.tr("Turns"), self.tr("State")])
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        set_size(self, look.small_pt)
        self.itemActivated.connect(self._on_activated)
        self._empty = line_within(self, look)
        self._rows: dict[str, SessionRow] = {}

    def show_sessions(self, rows: Sequence[SessionRow]) -> None:
        """The sessions of the study, in the order in which they are given."""
        self.clear()
        self._rows = {row.session_id: row for row in rows}
        say(self._empty, "" if rows else self.tr("There is none yet."))
        for row in rows:
            item = QTreeWidgetItem([row.session_id, row.begun, str(row.turns), self._state(row)])
            item.setData(0, _ID, row.session_id)
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight)
            item.setToolTip(3, plain_tip(row.problem))
            self.addTopLevelItem(item)

    def sizeHint(self) -> QSize:
        return QSize(300, 110)

    def _state(self, row: SessionRow) -> str:
        if row.problem:
            return self.tr("cannot be read")
        state = self.tr("closed: Enter looks at it") if row.closed else self.tr("not ended: Enter resumes it")
        return self.tr("trial, ") + state if row.pilot else state

    def _on_activated(self, item: QTreeWidgetItem) -> None:
        row = self._rows[item.data(0, _ID)]
        if not row.problem:
            (self.look_requested if row.closed else self.resume_requested).emit(row.session_id)
