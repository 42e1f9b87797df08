"""Whom a part of a turn goes to, where several could have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from curtain.session.roles import Chair
from curtain_rooms.chairs.people import chair_names


class ReceiverMenu(QMenu):
    """A line for each person; its number or Enter chooses, Esc leaves all as it is."""

    def __init__(self, people: Mapping[str, Chair], choose: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("receivers")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        heading = self.addAction(self.tr("Hand this part to"))
        heading.setEnabled(False)
        names = chair_names()
        for number, (who, chair) in enumerate(people.items(), 1):
            line = self.addAction(f"&{number}  {who} ({names[chair]})")
            line.triggered.connect(lambda _checked=False, who=who: choose(who))
            if number == 1:
                self.setActiveAction(line)

    def open_over(self, window: QWidget) -> None:
        """In the middle of the window, where the eyes are."""
        size = self.sizeHint()
        middle = window.mapToGlobal(window.rect().center())
        self.popup(middle - QPoint(size.width() // 2, size.height() // 2))
