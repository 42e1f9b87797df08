"""The few small windows over the annotator's: the reasons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from curtain.corpus.annotation.tag_table import Reason
from curtain.qt.style import LOOSE, Look, set_size
from curtain.qt.widgets import named
from curtain.qt.windows.dialog import TitledDialog
from curtain.review.panels.keys import TAG_KEYS


class ReasonsDialog(TitledDialog):
    """The reasons that the rule-book of a year knows; each has a key, and the tag that goes with it is shown."""

    reason_toggled = Signal(str)

    def __init__(self, look: Look, year: int, reasons: Sequence[Reason], parent: QWidget) -> None:
        title = self.tr("Why the turn is left out, by the rule-book of {0}").format(year)
        super().__init__(look, title, parent)
        self.setObjectName("reasons_dialog")
        self._reasons = list(reasons)
        self._list = named(QTreeWidget(columnCount=3), "reasons", title)
        self._list.setRootIsDecorated(False)
        self._list.setHeaderHidden(True)
        set_size(self._list, look.small_pt)
        keys = TAG_KEYS.upper().ljust(len(self._reasons))
        self._rows = [QTreeWidgetItem([key, one.title, one.tag]) for key, one in zip(keys, self._reasons, strict=False)]
        self._list.addTopLevelItems(self._rows)
        for column_ in range(3):
            self._list.resizeColumnToContents(column_)
        self._list.setMinimumSize(720, min(430, 22 * len(self._reasons) + 10))
        self._list.setCurrentItem(self._rows[0])
        self._list.itemClicked.connect(lambda item: self._toggle(self._list.indexOfTopLevelItem(item)))
        self._list.installEventFilter(self)
        self.fill(self._list, spacing=LOOSE)
        self.show_chosen(())

    def show_chosen(self, chosen: Sequence[str]) -> None:
        """Tick the reasons of these names and no other."""
        for at, reason in enumerate(self._reasons):
            state = Qt.CheckState.Checked if reason.name in chosen else Qt.CheckState.Unchecked
            self._rows[at].setCheckState(1, state)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return self._takes(event) if isinstance(event, QKeyEvent) and event.type() == event.Type.KeyPress else False

    def _takes(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        elif event.key() == Qt.Key.Key_Space:
            self._toggle(self._list.currentIndex().row())
        elif event.text() and TAG_KEYS.find(event.text().lower()) >= 0:
            self._toggle(TAG_KEYS.find(event.text().lower()))
        else:
            return False
        return True

    def _toggle(self, at: int) -> None:
        if 0 <= at < len(self._reasons):
            self._list.setCurrentItem(self._rows[at])
            self.reason_toggled.emit(self._reasons[at].name)
