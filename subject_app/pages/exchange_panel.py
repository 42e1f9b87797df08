"""The newest exchange, large; an earlier one in its place while the subject looks back."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from curtain.qt.answer_table import AnswerTable
from curtain.qt.paint_events import when_painted
from curtain.qt.style import GAP, LOOSE, TIGHT, Look, set_size
from curtain.qt.widgets import box, column, named, row
from subject_app.pages.widgets import ReadingText, Sheet, button, label, wrapped
from subject_app.session.screen_state import Exchange
from subject_app.session.texts import Texts

LONG_QUERY = 140


class ExchangePanel(Sheet):
    """`painted(what, seq, turn)`: emitted after each part has reached the screen."""

    painted = Signal(str, int, int)
    back_requested = Signal()

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__(look, bright=True)
        self._exchange: Exchange | None = None
        self._texts = texts
        self._earlier = False
        self._asked_since = False
        self._low = False
        self._caption = label(look, look.body_pt, colour=look.quiet, name="caption")
        self._back = button(look, "back_to_newest", texts.back_to_newest, quiet=True)
        self._query = ReadingText(look, look.large_pt, 132)
        self._query.label.setObjectName("query")
        self._replaced = label(look, look.body_pt, texts.replaced, colour=look.quiet, name="replaced")
        self._message = ReadingText(look, look.large_pt)
        self._message.label.setObjectName("message")
        self._message.set_name(texts.answer)
        self._table = named(AnswerTable(texts.empty, texts.first_of, texts.row_count), "answer")
        self._table.set_name(texts.answer)
        self._start = wrapped(look, look.title_pt, texts.ask_now, colour=look.quiet, name="ask_now")
        self._lay_out()
        self._back.clicked.connect(self.back_requested)

    def show_exchange(self, exchange: Exchange | None, earlier: bool = False) -> None:
        """Show this one and report when it is painted; None: nothing has been asked yet."""
        before, self._exchange = self._exchange, exchange
        self._earlier = earlier
        self._back.setVisible(earlier)
        self._show_caption()
        self._outer.setCurrentIndex(0 if exchange is None else 1)
        if exchange is not None and exchange != before:
            self._show_query(exchange)
            self._show_answer(exchange, before)
            self._report(exchange)

    def hide_prompt(self, hidden: bool) -> None:
        """Before the first task and after each there is nothing to ask for."""
        self._start.setVisible(not hidden)

    def show_low(self, low: bool) -> None:
        """Whether the window is so low that the answer needs the room of the caption and of large letters."""
        if low != self._low:
            self._low = low
            self._show_caption()
            if self._exchange is not None:
                self._show_query(self._exchange)
                if self._exchange.table is not None:
                    self._table.show_table(self._exchange.table, self._table_step)

    def show_asked_since(self, asked_since: bool) -> None:
        """Whether another question waits: the caption then says that this answer is not its answer."""
        self._asked_since = asked_since
        self._show_caption()

    def needed(self, width: int) -> int:
        """The height in pixels at which nothing scrolls in this width but a long query."""
        exchange, inner = self._exchange, width - 2 * self.inset(width)
        if exchange is None:
            # The page of an exchange, which is hidden, needs more.
            return self._start.heightForWidth(inner) + 2 * LOOSE
        around = self.minimumSizeHint().height() - self._answer.minimumSizeHint().height()
        if exchange.table is not None:
            return around + self._table.sizeHint().height()
        return around + (self._message.needed(inner) if exchange.message is not None else 0)

    def focus_answer(self) -> None:
        """Let the arrow keys scroll the answer."""
        if self._exchange and self._exchange.table is not None:
            self._table.setFocus()
        elif self._exchange and self._exchange.message is not None:
            self._message.setFocus()

    def scroll_answer(self, event: QKeyEvent) -> None:
        """A key that scrolls, pressed elsewhere."""
        if self._exchange is not None and self._exchange.answered:
            QApplication.sendEvent(self._table if self._exchange.table is not None else self._message, event)

    def _show_caption(self) -> None:
        another = self._earlier or self._asked_since
        has_query = self._exchange is not None and bool(self._exchange.query)
        typed = self._exchange is not None and self._exchange.typed
        asked = self._texts.you_typed if typed else self._texts.you_said
        self._caption.setText(self._texts.earlier_one if another else asked)
        self._query.set_name(asked)
        self._caption.setVisible(another or (has_query and not self._low))

    @property
    def _table_step(self) -> int:
        return 2 if self._low else 3

    def _show_query(self, exchange: Exchange) -> None:
        # A long query in smaller letters leaves room for the answer.
        points = self._look.read_pt if self._low or len(exchange.query) > LONG_QUERY else self._look.large_pt
        set_size(self._query.label, points)
        self._query.set_text(exchange.query)
        self._query.setVisible(bool(exchange.query))

    def _show_answer(self, exchange: Exchange, before: Exchange | None) -> None:
        self._replaced.setVisible(exchange.replaced)
        if exchange.table is not None:
            # The same table again is not laid out anew: the place to which it was scrolled stays.
            if before is None or before.table is not exchange.table:
                self._table.show_table(exchange.table, self._table_step)
            self._answer.setCurrentIndex(1)
        elif exchange.message is not None:
            self._message.set_text(exchange.message)
            self._answer.setCurrentIndex(2)
        else:
            self._answer.setCurrentIndex(0)

    def _report(self, exchange: Exchange) -> None:
        if exchange.query_seq:
            self._report_part("query", self._query.label, exchange)
        if exchange.table is not None:
            self._report_part("answer", self._table.painted_widget, exchange)
        elif exchange.message is not None:
            self._report_part("message", self._message.label, exchange)

    def _report_part(self, what: str, widget: QWidget, exchange: Exchange) -> None:
        seq = exchange.query_seq if what == "query" else exchange.answer_seq

        # Another exchange may have taken its place before the paint.
        def on_painted() -> None:
            now = self._exchange
            if now is not None and seq in (now.query_seq, now.answer_seq):
                self.painted.emit(what, seq, exchange.turn)

        when_painted(widget, on_painted)

    def _lay_out(self) -> None:
        self._answer = QStackedWidget()
        for page in (QWidget(), self._table, self._message):
            self._answer.addWidget(page)
        self._outer = QStackedWidget()
        self._start.setAlignment(Qt.AlignmentFlag.AlignCenter)
        top = row(self._caption, 1, self._back, spacing=GAP)
        filled = column(top, self._query, self._replaced, (self._answer, 1), spacing=TIGHT)
        for page in (box(column(self._start)), box(filled)):
            self._outer.addWidget(page)
        self.setLayout(column(self._outer))
