"""The subject's window. It begins with the waiting page alone; the others come after the first paint."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from curtain.desk.style import Look
from subject_app.pages import MessagePage
from subject_app.texts import Texts

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _Page(Protocol):
    def enter(self) -> None: ...


class Window(QWidget):
    """A stack of named pages. Its properties `state`, `turn`, `shown_turn` and `link` tell what is shown."""

    closed = Signal()

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setWindowTitle(texts.window_title)
        self.resize(1280, 720)
        self.setMinimumSize(1160, 600)
        self._pages = QStackedWidget()
        self._by_name: dict[str, QWidget] = {}
        self._waiting = MessagePage("waiting", look)
        self._waiting.show_message("", texts.waiting)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        self.add_page("waiting", self._waiting)
        for name, value in (("state", "waiting"), ("turn", 0), ("shown_turn", 0), ("link", "down")):
            self.setProperty(name, value)

    def add_page(self, name: str, page: QWidget) -> None:
        self._by_name[name] = page
        self._pages.addWidget(page)

    def show_page(self, name: str) -> None:
        page = self._by_name[name]
        if self._pages.currentWidget() is not page:
            self._pages.setCurrentWidget(page)
            page.setFocus()

    def show_waiting_text(self, text: str) -> None:
        self._waiting.show_message("", text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        page: _Page = self._pages.currentWidget()  # type: ignore[assignment]
        if event.key() in ENTER and not event.isAutoRepeat():
            page.enter()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)
