"""Which scenarios a session has, and in which order: the wizard ticks and moves them."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from curtain.qt.style import Look, set_size
from curtain.qt.widgets import named, plain_tip
from wizard_app.desk.session.scenario_choice import ScenarioChoice

_ID = int(Qt.ItemDataRole.UserRole)


class ScenarioList(QListWidget):
    """Check boxes; Space checks, Alt+Up and Alt+Down move, the mouse drags."""

    choice_changed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        named(self, "scenarios", self.tr("Scenarios"))
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        set_size(self, look.body_pt)
        self.installEventFilter(self)
        self._showing = False
        self.changed_by_hand = False
        self.itemChanged.connect(lambda _: self._on_changed())
        self.model().rowsMoved.connect(lambda *_: self._on_changed())

    def show_choices(self, choices: Sequence[ScenarioChoice]) -> None:
        """The scenarios in their order, the chosen ones ticked."""
        self._showing = True
        self.clear()
        for choice in choices:
            done = self.tr("   (done by this speaker)") if choice.done else ""
            item = QListWidgetItem(f"{choice.id}   {choice.title}{done}")
            item.setData(_ID, choice.id)
            item.setToolTip(plain_tip(choice.title))
            item.setCheckState(Qt.CheckState.Checked if choice.chosen else Qt.CheckState.Unchecked)
            self.addItem(item)
        self.setCurrentRow(0)
        self._showing = self.changed_by_hand = False
        self.choice_changed.emit()

    def put_first(self, scenario_ids: Sequence[str]) -> None:
        """Tick these and no others, in this order, before all others."""
        self._showing = True
        items = {item.data(_ID): item for item in [self.takeItem(0) for _ in range(self.count())]}
        wanted = [one for one in scenario_ids if one in items]
        for scenario_id in [*wanted, *(one for one in items if one not in wanted)]:
            item = items[scenario_id]
            item.setCheckState(Qt.CheckState.Checked if scenario_id in wanted else Qt.CheckState.Unchecked)
            self.addItem(item)
        self.setCurrentRow(0)
        self._showing = False
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

    def _on_changed(self) -> None:
        if not self._showing:
            self.changed_by_hand = True
            self.choice_changed.emit()

    def _move(self, by: int) -> None:
        at, to = self.currentRow(), self.currentRow() + by
        if at < 0 or not 0 <= to < self.count():
            return
        item = self.takeItem(at)
        self.insertItem(to, item)
        self.setCurrentRow(to)
        self._on_changed()
