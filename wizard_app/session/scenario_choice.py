"""Which scenarios a session has, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from curtain.desk.style import Look, set_size
from curtain.desk.widgets import plain_tip

_ID = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True)
class ScenarioChoice:
    """A scenario as the wizard knows it."""

    id: str
    title: str
    chosen: bool = True


class ScenarioList(QListWidget):
    """Check boxes; Space checks, Alt+Up and Alt+Down move, the mouse drags."""

    choice_changed = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scenarios")
        self.setAccessibleName(self.tr("Scenarios"))
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        set_size(self, look.body_pt)
        self.installEventFilter(self)
        self.itemChanged.connect(lambda _: self.choice_changed.emit())
        self.model().rowsMoved.connect(lambda *_: self.choice_changed.emit())

    def show_choices(self, choices: Sequence[ScenarioChoice]) -> None:
        """The scenarios in their order, the chosen ones ticked."""
        self.clear()
        for choice in choices:
            item = QListWidgetItem(f"{choice.id}   {choice.title}")
            item.setData(_ID, choice.id)
            item.setToolTip(plain_tip(choice.title))
            item.setCheckState(Qt.CheckState.Checked if choice.chosen else Qt.CheckState.Unchecked)
            self.addItem(item)
        self.setCurrentRow(0)
        self.choice_changed.emit()

    @property
    def chosen_ids(self) -> tuple[str, ...]:
        """The ids of the ticked scenarios, in the order of the list."""
        items = (self.item(at) for at in range(self.count()))
        return tuple(item.data(_ID) for item in items if item.checkState() == Qt.CheckState.Checked)

    def sizeHint(self) -> QSize:
        return QSize(240, 160)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
            if alt and event.key() in moves:
                self._move(moves[Qt.Key(event.key())])
                return True
        return False

    def _move(self, by: int) -> None:
        at, to = self.currentRow(), self.currentRow() + by
        if at < 0 or not 0 <= to < self.count():
            return
        item = self.takeItem(at)
        self.insertItem(to, item)
        self.setCurrentRow(to)
        self.choice_changed.emit()
