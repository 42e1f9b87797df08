"""The plain pages: waiting, briefing, pause, closing."""

from functools import partial

from PySide6.QtCore import QEvent, QMargins, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from curtain.qt.style import GAP, LOOSE, WIDE, Look, note_reader, set_size
from curtain.qt.widgets import Scrolling, box, column, named, row, say
from subject_app.pages.help_button import HelpButton
from subject_app.pages.widgets import PrimaryButton, beside, reading_column, wrapped
from subject_app.session.texts import Texts

LONG = 1200
WIDEST = 1240
NARROWEST = 480
TWO_COLUMNS = 900


class MessagePage(QWidget):
    """A title, perhaps, and a sentence: those of this name among the texts. Perhaps a button that calls for help."""

    help_requested = Signal()

    def __init__(self, name: str, look: Look, texts: Texts) -> None:
        super().__init__()
        self._title = wrapped(look, look.large_pt, bold=True, name=f"{name}_title")
        self._text = wrapped(look, look.title_pt, name=f"{name}_text")
        for each in (self._title, self._text):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._help = HelpButton(texts, f"{name}_help")
        # Nothing else stands here to be pressed: it must look like a button.
        self._help.called.connect(self.help_requested)
        self._help.hide()
        reading_column(self, look, self._title, LOOSE, self._text, WIDE, box(row(1, self._help, 1)))
        self.show_message(getattr(texts, f"{name}_title", ""), getattr(texts, name))

    def show_message(self, title: str, text: str) -> None:
        """The title, left out if it is empty, and the text."""
        say(self._title, title)
        self._text.setText(text)

    def offer_help(self) -> None:
        """Somebody in the other room hears of a call from here."""
        self._help.show()

    def enter(self) -> None:
        """Nothing to go on to."""


class BriefingPage(QWidget):
    """What the session is, what can be asked about, how to talk. What does not fit scrolls as one page."""

    start_requested = Signal()

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__()
        self._look, self._texts = look, texts
        self._title = wrapped(look, look.large_pt, bold=True, name="briefing_title")
        titled = partial(wrapped, look, look.read_pt, bold=True)
        self._session_title = titled(texts.briefing_session_title, name="briefing_session_title")
        self._session = wrapped(look, look.read_pt, name="briefing")
        self._database_title = titled(texts.briefing_database, name="briefing_database_title")
        self._database = wrapped(look, look.read_pt, name="database_description")
        self._talk_title = titled(texts.briefing_talk, name="briefing_talk_title")
        self._talk = wrapped(look, look.read_pt, texts.briefing_how, name="briefing_talk")
        self._start = PrimaryButton("start", look, texts.briefing_start)
        self._start.clicked.connect(self.start_requested)
        self._lay_out()

    def show_briefing(self, title: str, briefing: str, database: str) -> None:
        """What is empty is the station's own wording, or left out."""
        self._title.setText(title or self._texts.briefing_title)
        self._session.setText(briefing.strip() or self._texts.briefing_session)
        # A long description in smaller letters, so that most of it needs no scrolling.
        set_size(self._database, self._look.body_pt if len(database) > LONG else self._look.read_pt)
        self._database.setText(database.strip())
        for each in (self._database, self._database_title):
            each.setVisible(bool(database.strip()))
        self._sheet.verticalScrollBar().setValue(0)

    def show_how(self, how: str) -> None:
        """How to ask."""
        self._talk.setText(how)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow page, or one of large letters, has one column."""
        super().resizeEvent(event)
        self._follow_width()

    def changeEvent(self, event: QEvent) -> None:
        """Larger letters need one column in the same width."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._follow_width()

    def _follow_width(self) -> None:
        two = self.width() >= self._look.px(TWO_COLUMNS)
        self._columns.setDirection(QBoxLayout.Direction.LeftToRight if two else QBoxLayout.Direction.TopToBottom)

    def enter(self) -> None:
        """Enter goes on."""
        self.start_requested.emit()

    def _lay_out(self) -> None:
        left = column(self._session_title, self._session, _gap(), self._talk_title, self._talk, 1)
        right = column(self._database_title, self._database, 1)
        columns = self._columns = row((left, 4), (right, 8), spacing=WIDE)
        # Room for the frame that shows where the arrow keys go.
        inside = box(column(self._title, columns, 1, margins=QMargins(LOOSE, 0, LOOSE, 0), spacing=LOOSE))
        self._sheet = named(_Sheet(inside), "briefing_sheet", self._texts.briefing_title)
        self._sheet.setMinimumWidth(NARROWEST)
        # The arrow keys scroll; Enter goes on.
        self._sheet.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocusProxy(self._sheet)
        middle = column((self._sheet, 1), beside(self._start), spacing=LOOSE)
        # By far the larger stretch: the outer two only centre it on wide screens.
        self.setLayout(row(1, (middle, 1000), 1, margins=QMargins(WIDE, WIDE, WIDE, WIDE), spacing=GAP))
        self._sheet.setMaximumWidth(WIDEST)


class _Sheet(Scrolling):
    def focusInEvent(self, event: QFocusEvent) -> None:
        note_reader(self, event)
        super().focusInEvent(event)


def _gap() -> QWidget:
    made = QWidget()
    made.setFixedHeight(18)
    return made
