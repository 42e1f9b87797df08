"""What the NL tool proposes: the values it found, up to five drafts, what the one pointed at would answer."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStackedLayout, QWidget

from curtain.qt.style import GAP, TIGHT, Look
from curtain.qt.widgets import OneLine, column, heading, label, row
from curtain_drafts.desk.rows import DraftRow
from curtain_drafts.desk.value_choices import ShownChip
from curtain_drafts.window.chip_row import ChipRow
from curtain_drafts.window.draft_list import DraftList
from wizard_app.desk.desk_view import Place
from wizard_app.window.panels.query_field import QueryField


class RewordField(QueryField):
    """Enter keeps the words and leaves."""

    left = Signal()
    focus_moved = Signal()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_moved.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_moved.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
            return
        super().keyPressEvent(event)


class DraftsPanel(QWidget):
    """Behind the curtain, so nothing here wears the subject's colour. Its height does not change with what it shows;
    only the field of other words, which a hand asks for, is added to it, so that the list keeps its rows. Where the
    window is low the list gives way, and the other drafts are scrolled to."""

    reworded = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("drafts_panel")
        self._look = look
        self.chips = ChipRow(look)
        self.list = DraftList(look, self.chips)
        self.field = RewordField(look)
        self._notice = label("", look, small=True, quiet=True, name="drafts_notice")
        self._calm = label("", look, small=True, quiet=True, name="drafts_calm")
        self._foot = OneLine("draft_details", look)
        self._page = QWidget()
        self._pages = QStackedLayout()
        self._rewording = QWidget()
        self._lay_out()
        self.chips.focus_moved.connect(self._point_at_chips)
        self.field.textChanged.connect(lambda: self.reworded.emit(self.field.toPlainText()))

    @property
    def place(self) -> Place:
        """Where in the panel the cursor is."""
        if self.field.hasFocus():
            return "rewording"
        if self.chips.hasFocus():
            return "chips"
        return "list" if self.list.hasFocus() else ""

    @property
    def rewording(self) -> bool:
        """Whether the field for other words is open."""
        return not self._rewording.isHidden()

    def show_rows(self, rows: Sequence[DraftRow], stale: bool, text: str, calm: str) -> None:
        """The drafts; `text` stands beside the title, `calm` is the one line that stands in for drafts."""
        self.list.show_rows(rows, stale)
        self._point_at_chips()
        self._notice.setText(text)
        self._calm.setText(calm)
        self._pages.setCurrentIndex(1 if rows else 0)
        self.setProperty("stale", stale)

    def show_chips(self, chips: Sequence[ShownChip], stale: bool) -> None:
        """The values of the draft in sight; `stale` shows them as those of an older text."""
        self.chips.show_chips(chips, stale)

    def show_details(self, text: str) -> None:
        """First rows and reason of the draft that is pointed at."""
        self._foot.setText(text)

    def show_rewording(self, text: str | None) -> None:
        """The words that only the tool gets; None folds the field."""
        if text is not None and text != self.field.toPlainText():
            self.field.setPlainText(text)
            self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        self._rewording.setVisible(text is not None)
        self._show_foot()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_foot()

    def _show_foot(self) -> None:
        """Where there is room for it and three drafts; the field of other words has its place."""
        rest = self.height() - self.chips.height() - self.list.height_of(3) - 2 * TIGHT
        self._foot.setHidden(self.rewording or rest < self._foot.sizeHint().height())

    def mark(self, spans: Iterable[tuple[int, int]], struck: Iterable[tuple[int, int]] = ()) -> None:
        """Underline the words that a draft rests on and strike those it passes over, where the tool alone gets them."""
        self.field.mark(spans, struck)

    def _point_at_chips(self) -> None:
        """While the cursor is among the chips, the draft that has them is pointed at."""
        if self.chips.hasFocus() and self.list.rows:
            self.list.select(self.list.selected or self.list.rows[0].number)
        elif not self.list.hasFocus():
            self.list.forget_selection()

    def _lay_out(self) -> None:
        self._notice.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # Its room is there also while it says nothing, so that the values beside it never move.
        self._notice.setMinimumWidth(self._notice.fontMetrics().horizontalAdvance(self.tr("for earlier words")))
        title = row(heading(self.tr("Drafts"), self._look), (self.chips, 1), self._notice)
        self._pages.addWidget(self._calm)
        self._pages.addWidget(self.list)
        self._calm.setIndent(8)
        self._calm.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._page.setLayout(self._pages)
        self._lay_out_field()
        self.setLayout(column(title, self._rewording, self._page, self._foot, spacing=TIGHT))
        for each in (self, self._page):
            each.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def _lay_out_field(self) -> None:
        self.field.setObjectName("reword")
        self.field.setAccessibleName(self.tr("Other wording, used for the drafts only"))
        self.field.setTabChangesFocus(True)
        self.field.setLineWrapMode(QueryField.LineWrapMode.NoWrap)
        self.field.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.field.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.field.setFixedHeight(self.field.fontMetrics().height() + 12)
        field = label(self.tr("Other wording, used for the drafts only:"), self._look, small=True)
        self._rewording.setLayout(row(field, (self.field, 1), spacing=GAP))
        self._rewording.hide()
