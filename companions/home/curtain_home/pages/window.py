"""The home window: its frame, its keys, its strip. It decides nothing.

What a driver may read of it, beside the texts and the focus of named widgets:

==================  ======================================================================================
property            means
==================  ======================================================================================
state               empty, reading, study, problem
study               the name of the open study's folder, or an empty text
sessions            how many sessions it has
unread              of how many of them only the beginning is read so far
chosen              the id of the session chosen in the table, or an empty text
next                the action that is proposed, or an empty text
running             the kind of command that runs, or an empty text
done                the kind of command that ended last, or an empty text
end                 how it ended: good, bad, stopped, or an empty text
ended               how many commands have ended
stations            the windows that were opened from here and still run, as “wizard subject”
==================  ======================================================================================

Widgets: studies, new_study, open_study, study_title, study_place, study_folder, next_step, do_next, session_search,
sessions (found), session_timeline (turn, place), timeline_line, every action of the key table as a button ·
activity_text, progress, cancel, tasks, open_result, key_strip, problem_text ·
words, words_above, words_text, words_note, open_words_file ·
study_name, study_parent, study_domain, study_source, make_study,
database_table, database_rows, database_read_as, database_header, database_dates, database_decimal, database_encoding,
database_notes, make_from_database, formats, export_out, with_live,
with_trials, export_it, keys, leave_confirmed.
"""

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from curtain.qt.key_strip import KeyStrip
from curtain.qt.style import Look
from curtain.qt.widgets import Band, Hairline, column, named, row
from curtain.qt.windows.keyed_window import KeyedWindow
from curtain_home.panels.activity_panel import ActivityPanel
from curtain_home.panels.studies_panel import StudiesPanel
from curtain_home.panels.study_panel import StudyPanel

_SIZE = QSize(1180, 680)
_LEAST = QSize(900, 560)
_NOTICE_MS = 12_000


class HomeWindow(KeyedWindow):
    """Studies on the left; on the right the open study, what to do next, its sessions, and what runs."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("home_window")
        self.setWindowTitle(self.tr("Curtain"))
        self.look = look
        self.problem = Band("problem", look.bad, look)
        self.studies = StudiesPanel(look)
        self.study = StudyPanel(look)
        self.activity = ActivityPanel(look)
        self.strip = KeyStrip(look)
        self.strip.pressed.connect(self.press)
        self._timer = QTimer(self, singleShot=True, interval=_NOTICE_MS)
        self._timer.timeout.connect(self.clear_notice)
        self._lay_out()
        for name in ("state", "study", "chosen", "next", "running", "done", "end", "stations"):
            self.setProperty(name, "empty" if name == "state" else "")
        self.setProperty("sessions", 0)
        self.setProperty("ended", 0)

    @Slot(str)
    def show_problem(self, sentence: str) -> None:
        """Something did not work; the sentence goes by itself, later if it comes again."""
        self.problem.show_text(sentence)
        self._timer.start()

    @Slot()
    def clear_notice(self) -> None:
        """Take back what was said last."""
        self.problem.show_text("")

    def show_top(self) -> None:
        """Show what comes next, wherever the cursor is."""
        self._area.verticalScrollBar().setValue(0)

    def _scrolled(self, panel: QWidget) -> QScrollArea:
        """In a low window, or with large letters, it scrolls and nothing is squashed."""
        area = self._area = named(QScrollArea(widgetResizable=True), "study_sheet")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(panel)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus_changed)
        return area

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        # Keys go straight to a field; Qt itself scrolls to it for Tab alone.
        if now is not None and self.study.isAncestorOf(now):
            self._area.ensureWidgetVisible(now)

    def _lay_out(self) -> None:
        right = column((self._scrolled(self.study), 1), Hairline(self.look), self.activity, spacing=0)
        body = row(self.studies, Hairline(self.look, upright=True), (right, 1), spacing=0)
        whole = column(self.problem, (body, 1), Hairline(self.look), self.strip, spacing=0)
        self.setLayout(whole)
        self.setMinimumSize(_LEAST)
        # A small screen would cut off the strip with the next key.
        self.resize(_SIZE.boundedTo(QGuiApplication.primaryScreen().availableSize()))
