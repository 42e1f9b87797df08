"""The studies used before."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPushButton, QSizePolicy, QWidget

from curtain.qt.style import GAP, PANEL, Look
from curtain.qt.widgets import column, heading, named, plain_tip
from curtain_home.panels.action_buttons import action_button

_FOLDER = int(Qt.ItemDataRole.UserRole)
_WIDE = 216


class _StudyList(QListWidget):
    """Enter opens the chosen study, Del takes it off the list."""

    removal_requested = Signal(str)
    left = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and item is not None:
            self.removal_requested.emit(item.data(_FOLDER))
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(_WIDE - 24, 200)


class StudiesPanel(QWidget):
    """A list of folders by name, and the ways to a study that is not in it."""

    study_chosen = Signal(str)
    removal_requested = Signal(str)
    action_requested = Signal(str)
    example_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._open_now: Path | None = None
        self._list = _StudyList()
        self._list.setObjectName("studies")
        self._list.setAccessibleName(self.tr("Studies used before"))
        self._list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.itemActivated.connect(lambda item: self.study_chosen.emit(item.data(_FOLDER)))
        # One click is enough: a study that is highlighted and not open would not be the one that is worked on.
        self._list.itemClicked.connect(self._on_clicked)
        self._list.removal_requested.connect(self.removal_requested)
        self._list.left.connect(self._on_left)
        self.new = action_button("new_study", self.tr("New study …"))
        self.open = action_button("open_study", self.tr("Open a study …"))
        self.example = named(QPushButton(self.tr("Example study"), autoDefault=True), "example_study")
        self.example.setToolTip(plain_tip(self.tr("A small study that is annotated, to try things on: two minutes")))
        self.example.clicked.connect(self.example_requested)
        for button in (self.new, self.open):
            button.clicked.connect(partial(self.action_requested.emit, button.objectName()))
        parts = column(heading(self.tr("Studies"), look), (self._list, 1), self.new, self.open, self.example,
                       margins=PANEL, spacing=GAP)  # fmt: skip
        self.setLayout(parts)
        # As wide as its buttons: names of studies are cut before those of actions are.
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def show_studies(self, folders: Sequence[Path], open_now: Path | None) -> None:
        """The studies in this order; the open one is chosen."""
        shown = [self._list.item(at).data(_FOLDER) for at in range(self._list.count())]
        if shown != [str(folder) for folder in folders]:
            self._list.clear()
            for folder in folders:
                item = QListWidgetItem(folder.name)
                item.setData(_FOLDER, str(folder))
                item.setToolTip(plain_tip(str(folder)))
                self._list.addItem(item)
            self._open_now = None
        if open_now is not None and open_now != self._open_now and open_now in folders:
            self._open_now = open_now
            self._list.setCurrentRow(list(folders).index(open_now))

    def _on_clicked(self, item: QListWidgetItem) -> None:
        if item.data(_FOLDER) != str(self._open_now):
            self.study_chosen.emit(item.data(_FOLDER))

    def _on_left(self) -> None:
        """The cursor was on another study: what is highlighted is what is open."""
        for at in range(self._list.count()):
            if self._list.item(at).data(_FOLDER) == str(self._open_now):
                self._list.setCurrentRow(at)

    def take_focus(self) -> None:
        """Put the cursor into the list, or on New where the list is empty."""
        (self._list if self._list.count() else self.new).setFocus(Qt.FocusReason.ShortcutFocusReason)
