"""The plain pages: waiting, briefing, pause, closing."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from curtain.desk.style import Look
from subject_app.parts import PrimaryButton, ReadingText, beside, column, label, wrapped
from subject_app.texts import Texts, fill


class MessagePage(QWidget):
    """A title, perhaps, and a sentence."""

    def __init__(self, name: str, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = wrapped(24, bold=True, name=f"{name}_title")
        self._text = wrapped(16, name=f"{name}_text")
        for each in (self._title, self._text):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column(self, self._title, 12, self._text)

    def show_message(self, title: str, text: str) -> None:
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self._text.setText(text)

    def enter(self) -> None:
        """Nothing to go on to."""


class BriefingPage(QWidget):
    """What the session is, what can be asked about, how to talk."""

    start_requested = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._default_title = ""
        self._title = wrapped(24, bold=True, name="briefing_title")
        self._briefing = ReadingText(14, 200)
        self._database_title = label(14, bold=True, name="briefing_database_title")
        self._database = ReadingText(14, 170)
        self._talk_title = label(14, bold=True, name="briefing_talk_title")
        self._talk = ReadingText(14, 110)
        self._start = PrimaryButton("start", look)
        self._briefing.label.setObjectName("briefing")
        self._database.label.setObjectName("database_description")
        self._talk.label.setObjectName("briefing_talk")
        self._start.clicked.connect(self.start_requested)
        column(
            self, self._title, 12, self._briefing, 14, self._database_title, self._database, 14,
            self._talk_title, self._talk, 24, beside(self._start),
        )  # fmt: skip

    def show_briefing(self, title: str, briefing: str, database: str) -> None:
        self._title.setText(title or self._default_title)
        self._briefing.set_text(briefing)
        self._briefing.setVisible(bool(briefing))
        self._database.set_text(database)
        for each in (self._database, self._database_title):
            each.setVisible(bool(database))

    def set_texts(self, texts: Texts, key: str) -> None:
        self._default_title = texts.briefing_title
        self._title.setText(texts.briefing_title)
        self._database_title.setText(texts.briefing_database)
        self._talk_title.setText(texts.briefing_talk)
        self._talk.set_text(fill(texts.briefing_how, key=key))
        self._start.setText(texts.briefing_start)

    def enter(self) -> None:
        self.start_requested.emit()
