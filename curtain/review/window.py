"""The annotator's window: its pages, its keys, its strip. It decides nothing.

What a driver may read of it, beside the texts and the focus of named widgets:

==================  ======================================================================================
property            means
==================  ======================================================================================
state               loading, annotating, ruling, editing_ruling, failed
utterance           the open turn's id
turn                its number
session             its session's id
place, total        where it stands among all turns
done                how many of them are annotated, or ruled
eval_class          the class that follows, A, D1, D or X
category            the category, 0 to 3 or X
reasons             the names of the reasons for leaving it out
faults              how many rules keep it from being saved
dirty               something is unsaved
writing             something is on its way to the disk
sql_settled         no statement is running
reading, readings   which reading is in sight, of how many
filter              all, open, differing
saved               the turn that was saved last
drafts_settled      what is unsaved is safe on the disk
unread              how many sessions are still to be read
==================  ======================================================================================

Widgets: turns_dialog (found), turn_search, scenario_title, scenario_text, tags (chosen), earlier (pointed), sro, lsn,
sro_faults, query, deeds, message, sql_min, sql_max, sql_status, cas_min, cas_max, reading, reads, weight, yes_no, note,
hidden, context, reasons_line, faults, class_banner, waveform (place, part), listening, ruling (picks, layer),
ruling_notice, reasons, keys, key_strip, top, notice_text, problem_text.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtWidgets import QStackedWidget

from curtain.desk.key_strip import KeyStrip
from curtain.desk.style import Look
from curtain.desk.widgets import Band, column, label
from curtain.desk.windows.keyed_window import KeyedWindow
from curtain.review.panels.top_line import TopLine

_SIZE = QSize(1280, 720)
_NOTICE_MS = 8000


class ReviewWindow(KeyedWindow):
    """The frame that is there at once; pages are added when there is something to show. `may_close` is asked when a
    person closes the window."""

    def __init__(self, title: str, look: Look) -> None:
        super().__init__()
        self.setObjectName("review_window")
        self.setWindowTitle(title)
        self.setProperty("state", "loading")
        self.look = look
        self.top = TopLine(look)
        self.problem = Band("problem", look.bad, look)
        self.notice = Band("notice", look.accent, look)
        self.strip = KeyStrip(look)
        self.pages = QStackedWidget()
        self._loading = label(self.tr("Reading the sessions"), look, quiet=True)
        self._loading.setObjectName("loading")
        self._loading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._loading.setWordWrap(True)
        self.pages.addWidget(self._loading)
        self.setLayout(column(self.top, self.problem, self.pages, self.notice, self.strip, spacing=0))
        self.layout().setStretch(2, 1)  # type: ignore[union-attr]
        self._notice_timer = QTimer(self)
        self._notice_timer.setSingleShot(True)
        self._notice_timer.setInterval(_NOTICE_MS)
        self._notice_timer.timeout.connect(lambda: self.notice.show_text(""))
        self.resize(_SIZE)

    def show_loading(self, text: str) -> None:
        """The line on the first page while the study is read."""
        self._loading.setText(text)

    def show_notice(self, sentence: str) -> None:
        """Say something until it is over; an empty sentence takes it back."""
        # The same sentence again keeps its place and only stays longer.
        if sentence != self.notice.text:
            self.notice.show_text(sentence)
        if sentence:
            self._notice_timer.start()

    def show_trouble(self, sentence: str) -> None:
        """Something is wrong until it is taken back with an empty sentence."""
        self.problem.show_text(sentence)

    @Slot(str)
    def show_unexpected(self, sentence: str) -> None:
        """A fault that nobody foresaw; the window goes on."""
        self.show_notice(sentence)
