"""The transcription: what the subject will read as “You said”."""

from collections.abc import Iterable
from math import ceil

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QFrame, QWidget

from curtain.qt.style import TIGHT, Look, SubjectFrame, set_size, set_text_colour
from curtain.qt.widgets import LowButton, column, heading, label, row
from wizard_app.desk.turn.offered_text import OfferedText
from wizard_app.keys.table import key_of
from wizard_app.window.panels.query_field import OfferField


class QueryPanel(QWidget):
    """Holds the text of one turn and shows whether the subject has it."""

    text_edited = Signal()
    send_requested = Signal()
    doubt_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.field = OfferField(look)
        self.field.setObjectName("query")
        self.field.setAccessibleName(self.tr("Query"))
        self.field.setTabChangesFocus(True)
        self.field.setFrameShape(QFrame.Shape.NoFrame)
        set_size(self.field, look.read_pt)
        self._state = label("", look, "query_state", small=True, quiet=True)
        self._doubts = LowButton("", "next_doubt", look)
        self._doubts.clicked.connect(self.doubt_requested)
        self._send = LowButton(self.tr("Send query  {0}").format(key_of("send_query")), "send_query", look)
        self._send.clicked.connect(self.send_requested)
        title = row(
            heading(self.tr("Query"), look, self.tr("the subject sees this")), self._doubts, self._state, self._send
        )
        self.setLayout(column(title, SubjectFrame(self.field, look), spacing=TIGHT))
        self.field.textChanged.connect(self.text_edited)
        self.field.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.field.textChanged.connect(self._show_state)
        self._sent: str | None = None
        self._by_subject = False
        self._shown = ("", "")
        self.field.offer_changed.connect(self._show_state)
        self._fit()
        self._show_state()

    @Slot()
    def _fit(self) -> None:
        """Two lines; up to four where the query needs more and there is room. The rest is scrolled."""
        # Of a plain text Qt gives the height in lines.
        lines = max(2, min(4, round(self.field.document().size().height())))
        # In whole pixels a line; the rest is the margin of a document and a pixel, or a bar would come.
        line = ceil(QFontMetricsF(self.field.font()).lineSpacing())
        two, all_of_it = (count * line + 9 for count in (2, lines))
        self.field.setMinimumHeight(two)
        self.field.setMaximumHeight(all_of_it)

    @property
    def text(self) -> str:
        """The query on one line, without outer white space."""
        return " ".join(self.field.toPlainText().split())

    @property
    def offer(self) -> OfferedText:
        """The words that stand behind what is typed."""
        return self.field.offer if not self.field.isReadOnly() else OfferedText()

    def show_turn(self, text: str, editable: bool) -> None:
        """Put the text of another turn here; `show_sent` says what the subject has of it."""
        if self.field.toPlainText() != text:
            self.field.setPlainText(text)
            self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        self.field.setReadOnly(not editable)
        self.field.show_offer(self.field.offer)

    def show_placeholder(self, words: str) -> None:
        """What stands in the empty field: it changes while the turn stays, as when a reply can be taken back."""
        self.field.setPlaceholderText(words)
        # Qt repaints an empty field late: the words of the state before stood there until the next key.
        self.field.viewport().update()

    def show_sent(self, sent: str | None, by_subject: bool = False) -> None:
        """The query that the subject reads; None if none was sent. `by_subject`: they typed it, and it stays so."""
        self._sent, self._by_subject = sent, by_subject
        self._show_state()

    def mark(self, spans: Iterable[tuple[int, int]], struck: Iterable[tuple[int, int]] = ()) -> None:
        """Underline the words that a draft rests on, strike those it passes over; only the wizard sees that."""
        self.field.mark(spans, struck)

    def _show_state(self) -> None:
        doubts = len(self.offer.doubts) if self._sent is None and self.offer.whole else 0
        self._doubts.setText(self.tr("Doubtful: {0}  F12").format(doubts))
        self._doubts.setVisible(doubts > 0)
        something = self.text or (self.offer.whole and self.offer.rest)
        self._send.setEnabled(bool(something) and not self.field.isReadOnly() and self._sent != self.text)
        if self._sent is None:
            grey = self.tr("grey: not sent yet") if self.offer.whole else self.tr("grey: still coming")
            text, colour = grey if self.offer.rest else "", self._look.quiet
        elif self._by_subject:
            text, colour = self.tr("typed by the subject"), self._look.good
        elif self._sent == self.text:
            text, colour = self.tr("sent"), self._look.good
        else:
            text, colour = self.tr("changed since it was sent"), self._look.warning
        if (text, colour) != self._shown:
            self._shown = (text, colour)
            self._state.setText(text)
            set_text_colour(self._state, colour)
