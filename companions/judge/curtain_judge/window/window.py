"""The judge's window: a line on top, the page, the strip of keys. It decides nothing.

What a driver may read of it, beside the texts and the focus of named widgets: `state` (loading, judging, ruling,
finished, failed), `item`, `place`, `total`, `done`, `clarity`, `correctness`, `filled`, `comment`, `revealed`.

Widgets: top_text, query, message, earlier, scenario_text, clarity, correctness (chosen), opinions, note, problem_text,
key_strip, keys.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QProgressBar, QStackedWidget

from curtain.qt.key_strip import KeyStrip
from curtain.qt.languages.translation import sentence_here
from curtain.qt.style import BAR, Look
from curtain.qt.widgets import Band, column, label, row
from curtain.qt.windows.keyed_window import KeyedWindow

_SIZE = QSize(1280, 700)
_TOP = BAR


class JudgeWindow(KeyedWindow):
    """The frame that is there at once; the page is added when the packet is read."""

    def __init__(self, title: str, look: Look) -> None:
        super().__init__()
        self.setObjectName("judge_window")
        self.setWindowTitle(title)
        self.setProperty("state", "loading")
        self.look = look
        self.problem = Band("problem", look.bad, look)
        self.strip = KeyStrip(look)
        self.strip.pressed.connect(self.press)
        self.pages = QStackedWidget()
        self._top = label(title, look, bold=True, name="top_text")
        self._pace = label("", look, quiet=True)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._waiting = label(self.tr("Reading the packet"), look, quiet=True, name="loading", wraps=True)
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pages.addWidget(self._waiting)
        top = row(self._top, 1, self._pace, margins=_TOP)
        self.setLayout(column(top, self._bar, self.problem, (self.pages, 1), self.strip, spacing=0))
        self.resize(_SIZE)

    def show_progress(self, sentence: str, done: int, total: int, pace: str) -> None:
        """How far the judge is, in words and as a bar, and how fast."""
        self._top.setText(sentence)
        self._pace.setText(pace)
        self._bar.setMaximum(max(1, total))
        self._bar.setValue(done)

    def show_waiting(self, text: str) -> None:
        """The line on the first page."""
        self._waiting.setText(sentence_here(text))

    @Slot(str)
    def show_problem(self, sentence: str) -> None:
        """Something is wrong until an empty sentence takes it back."""
        self.problem.show_text(sentence)
