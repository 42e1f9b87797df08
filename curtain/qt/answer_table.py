"""The answer as a table, the same widget in the wizard's preview and at the subject's."""

import textwrap
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QLabel,
    QMenu,
    QScrollBar,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from curtain.base.table import Table
from curtain.qt.style import SIZES, note_reader, sized
from curtain.qt.widgets import box, column, named

HEADING_COLUMNS = 40
NARROW_HEADING = 14
HEADING_LINES = 3
CELL_COLUMNS = 60
PADDING, LEAST_PADDING = 14, 4
# The longest by letters need not be the widest: every text of a table that a station shows is measured.
MEASURED_PER_COLUMN = 200

Index = QModelIndex | QPersistentModelIndex


class AnswerTable(QWidget):
    """A read-only table that scrolls by keyboard. Headings wrap, numbers stand to the right.

    The words are for an empty table, a cut one, and the rows of another, which are not counted without `row_count`.
    """

    # Of the class, since Qt reports a change of font while the widget is being made.
    _shown: tuple[Table, int] | None = None

    def __init__(self, empty: str = "", first_of: str = "", row_count: str = "") -> None:
        super().__init__()
        self._first_of, self._row_count = first_of or self.tr("First {shown} of {total}"), row_count
        self._view = named(_View(), "answer_rows")
        left = Qt.AlignmentFlag.AlignLeft
        self._note = named(QLabel(textFormat=Qt.TextFormat.PlainText, indent=PADDING, alignment=left), "answer_note")
        self._empty = named(
            QLabel(
                empty or self.tr("Nothing was found."),
                textFormat=Qt.TextFormat.PlainText,
                alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop,
                wordWrap=True,
            ),
            "answer_empty",
        )
        self._lay_out()
        self.setFocusProxy(self._view)

    def show_table(self, table: Table, step: int = 1) -> None:
        """Show a table in this of the five sizes, its headings in the next smaller one. Any earlier one is replaced."""
        self._shown = (table, step)
        whole = self.font().pointSizeF() / SIZES[1]
        font, small = (sized(self.font(), whole * SIZES[at]) for at in (step, max(0, step - 1)))
        self._empty.setFont(font)
        self._note.setFont(small)
        note = self._first_of if table.total > len(table.rows) else self._row_count if table.total > 1 else ""
        # Not str.format: a study may write this text.
        self._note.setText(note.replace("{shown}", str(len(table.rows))).replace("{total}", str(table.total)))
        self._note.setVisible(bool(table.rows and note))
        self._view.show_table(table, font, small)
        # What is said of the rows stands right under them.
        self._view.setMaximumHeight(self._view.full_size().height())
        # Kept side by side: a table that comes after an empty one needs no new widgets.
        self._pages.setCurrentIndex(0 if table.rows else 1)
        self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        """Another text size: heights and widths are measured anew."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._shown is not None:
            self.show_table(*self._shown)

    def let_copy(self) -> None:
        """Ctrl+C copies the table, and a menu a cell or the table: never on the subject's screen."""
        self._view.least_rows = 2
        self._view.cell_words, self._view.table_words = self.tr("Copy the cell"), self.tr("Copy the table")

    def set_name(self, name: str) -> None:
        """What a screen reader calls the table."""
        # The rows hold the focus, this widget what belongs to them.
        for each in (self, self._view):
            each.setAccessibleName(name)

    @property
    def painted_widget(self) -> QWidget:
        """The widget that draws the table now, for `when_painted`."""
        return self._view.viewport() if self._pages.currentIndex() == 0 else self._empty

    def sizeHint(self) -> QSize:
        """Without scrolling; a layout may give less."""
        if self._pages.currentIndex() == 1:
            return self._empty.sizeHint()
        hint = self._view.full_size()
        note = self._note.sizeHint().height() + 6 if not self._note.isHidden() else 0
        return QSize(hint.width(), hint.height() + note)

    def minimumSizeHint(self) -> QSize:
        """The height of the headings and of the least rows, since a larger table scrolls."""
        if self._pages.currentIndex() == 1:
            return QSize(120, min(self.sizeHint().height(), 96))
        note = self._note.sizeHint().height() + 6 if not self._note.isHidden() else 0
        return QSize(120, min(self.sizeHint().height(), self._view.least_height() + note))

    def _lay_out(self) -> None:
        self._pages = QStackedLayout(self)
        self._pages.addWidget(box(column((self._view, 1), self._note, 0)))
        self._pages.addWidget(self._empty)


class _Cells(QStyledItemDelegate):
    """Text with room on both sides; no cell stands out, for none can be chosen."""

    padding = PADDING

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area, colours = option.rect, option.palette
        if index.row() % 2:
            painter.fillRect(area, colours.color(QPalette.ColorRole.AlternateBase))
        painter.setPen(colours.color(QPalette.ColorRole.Text))
        flags = index.data(Qt.ItemDataRole.TextAlignmentRole)
        painter.setFont(option.font)
        beside = self.padding
        painter.drawText(area.adjusted(beside, 0, -beside, 0), int(flags), index.data())


class _Headings(QHeaderView):
    """Plain words over a line."""

    padding = PADDING

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        model = self.model()
        text = model.headerData(logicalIndex, self.orientation())
        flags = model.headerData(logicalIndex, self.orientation(), Qt.ItemDataRole.TextAlignmentRole)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        beside = self.padding
        painter.drawText(rect.adjusted(beside, 0, -beside, -PADDING // 2), int(_low(flags)), text)
        painter.setPen(self.palette().color(QPalette.ColorRole.Highlight))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    # Painted whole: Fusion's own header draws buttons, and these are none.
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.palette().color(QPalette.ColorRole.Base))
        for section in range(self.count()):
            left, width = self.sectionViewportPosition(section), self.sectionSize(section)
            if left + width > event.rect().left() and left < event.rect().right():
                self.paintSection(painter, QRect(left, 0, width, self.height()), section)


class _View(QTableView):
    """Row heights and column widths come from a few measured texts: measuring every cell would be felt."""

    least_rows = 1

    def __init__(self) -> None:
        super().__init__()
        self._model = _Model()
        # The room that the words of each column and the lines of each row need.
        self._widths: list[int] = []
        self._lines = 0
        self._cells, self._heads = _Cells(self), _Headings()
        # Empty where nothing may be copied.
        self.cell_words = self.table_words = ""
        self.setModel(self._model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(self._cells)
        self.setHorizontalHeader(self._heads)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setCornerButtonEnabled(False)
        self.setWordWrap(True)
        # Tab belongs to the window: nobody is to be caught in a table.
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)

    def show_table(self, table: Table, font: QFont, small: QFont) -> None:
        self.setFont(font)
        heading_font = sized(small, small.pointSizeF(), bold=True)
        self.horizontalHeader().setFont(heading_font)
        headings = [_wrapped_heading(table, column) for column in range(len(table.headings))]
        self._model.replace(table, headings)
        # A line over nothing would look like a table that lost its headings: “Yes” stands by itself.
        self.horizontalHeader().setVisible(any(table.headings))
        self._measure(headings, heading_font)
        self._fit()
        # A new table begins at its beginning, wherever the last one was left.
        self.horizontalScrollBar().setValue(0)
        self.verticalScrollBar().setValue(0)

    def focusInEvent(self, event: QFocusEvent) -> None:
        note_reader(self, event)
        super().focusInEvent(event)

    def full_size(self) -> QSize:
        """The size at which nothing needs to scroll."""
        width = sum(self._widths) + 2 * PADDING * len(self._widths)
        height = self._heading_height() + self._height_with(PADDING // 2)
        return QSize(width + 2, height + self.horizontalScrollBar().sizeHint().height() + 2)

    def least_height(self) -> int:
        """The height at which headings and the least rows are seen, one of them above the bar that scrolls sideways."""
        # As high as they are where there is room: a row gets lower with the room for it.
        row = QFontMetrics(self.font()).lineSpacing() + PADDING // 2
        rows = max(self.least_rows * row, row + self.horizontalScrollBar().sizeHint().height())
        return self._heading_height() + rows + 2

    def _heading_height(self) -> int:
        header = self.horizontalHeader()
        # Until a table is shown the headings have a height that means nothing.
        return 0 if header.isHidden() or header.count() == 0 else header.height()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.table_words:
            return
        menu, cell = QMenu(self), self.indexAt(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if cell.isValid():
            menu.addAction(self.cell_words, partial(QApplication.clipboard().setText, self._model.cell(cell)))
        menu.addAction(self.table_words, self._copy)
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        QApplication.clipboard().setText(self._model.as_lines())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.table_words and event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
            return
        # A key that does not scroll is left to the window.
        if not self._scroll(Qt.Key(event.key())):
            event.ignore()

    def _scroll(self, key: Qt.Key) -> bool:
        bar, to = self._scrolled(key)
        if bar is not None:
            bar.setValue(to)
        return bar is not None

    def _scrolled(self, key: Qt.Key) -> tuple[QScrollBar | None, int]:
        down, right = self.verticalScrollBar(), self.horizontalScrollBar()
        line = self.verticalHeader().defaultSectionSize()
        moves = {
            Qt.Key.Key_Down: (down, down.value() + line),
            Qt.Key.Key_Up: (down, down.value() - line),
            Qt.Key.Key_PageDown: (down, down.value() + down.pageStep()),
            Qt.Key.Key_PageUp: (down, down.value() - down.pageStep()),
            Qt.Key.Key_Home: (down, 0),
            Qt.Key.Key_End: (down, down.maximum()),
            Qt.Key.Key_Right: (right, right.value() + 4 * line),
            Qt.Key.Key_Left: (right, right.value() - 4 * line),
        }
        return moves.get(key, (None, 0))

    def _measure(self, headings: list[str], heading_font: QFont) -> None:
        cells, heads = QFontMetrics(self.font()), QFontMetrics(heading_font)
        lines = max((heading.count("\n") + 1 for heading in headings), default=1)
        self.horizontalHeader().setFixedHeight(lines * heads.lineSpacing() + PADDING)
        self._lines = self._model.rowCount() + sum(count - 1 for _, count in self._model.tall_rows())
        self._widths = []
        for at, heading in enumerate(headings):
            widest = max((heads.horizontalAdvance(line) for line in heading.split("\n")), default=0)
            for text in self._model.longest(at):
                widest = max(widest, max(cells.horizontalAdvance(line) for line in text.split("\n")))
            self._widths.append(widest)

    def _height_with(self, padding: int) -> int:
        return self._lines * QFontMetrics(self.font()).lineSpacing() + self._model.rowCount() * padding

    def _fit(self) -> None:
        """No bar for padding alone: what is a little too large gets less of it."""
        room = self.contentsRect().size()
        height, rows = room.height() - self._heading_height(), max(1, self._model.rowCount())
        above = _padding(height - self._height_with(0), rows, PADDING // 2, LEAST_PADDING // 2)
        line = QFontMetrics(self.font()).lineSpacing()
        self.verticalHeader().setDefaultSectionSize(line + above)
        for row, count in self._model.tall_rows():
            self.verticalHeader().resizeSection(row, count * line + above)
        bar = self.verticalScrollBar().sizeHint().width() if self._height_with(above) > height else 0
        sides = 2 * max(1, len(self._widths))
        beside = _padding(room.width() - bar - sum(self._widths), sides, PADDING, LEAST_PADDING)
        self._cells.padding = self._heads.padding = beside
        for at, width in enumerate(self._widths):
            self.horizontalHeader().resizeSection(at, width + 2 * beside)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _padding(room: int, among: int, most: int, least: int) -> int:
    """The share of the room, if everything then fits; else as much as looks best."""
    share = room // among
    return share if least <= share < most else most


class _Model(QAbstractTableModel):
    """Texts only; long cells are broken into lines once."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[list[str]] = []
        self._headings: list[str] = []
        self._alignments: list[Qt.AlignmentFlag] = []
        self._whole = Table(headings=[], rows=[], numeric=[], total=0)

    def replace(self, table: Table, headings: list[str]) -> None:
        self.beginResetModel()
        self._headings, self._whole = headings, table
        self._rows = [[_broken(cell) for cell in row] for row in table.rows]
        self._alignments = [_alignment(numeric) for numeric in table.numeric]
        self.endResetModel()

    def cell(self, index: Index) -> str:
        """The cell as it came, in one line."""
        return " ".join(self._whole.rows[index.row()][index.column()].split())

    def as_lines(self) -> str:
        """The headings and rows as a spreadsheet takes them: a tab between cells, which hold no tab or line break."""
        lines = [self._whole.headings, *self._whole.rows] if any(self._whole.headings) else self._whole.rows
        return "\n".join("\t".join(" ".join(cell.split()) for cell in line) for line in lines)

    def longest(self, column: int) -> list[str]:
        texts = {row[column] for row in self._rows if column < len(row)}
        return sorted(texts, key=len, reverse=True)[:MEASURED_PER_COLUMN]

    def tall_rows(self) -> list[tuple[int, int]]:
        # Measured by line breaks, which `_broken` has put in: no cell is laid out for it.
        lines = ((n, max((cell.count("\n") for cell in row), default=0)) for n, row in enumerate(self._rows))
        return [(number, more + 1) for number, more in lines if more]

    def rowCount(self, parent: Index | None = None) -> int:
        # Rows have no rows: a table is no tree.
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._headings)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[row][column] if column < len(self._rows[row]) else ""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment_of(column)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment_of(section)
        return None

    def _alignment_of(self, column: int) -> Qt.AlignmentFlag:
        return self._alignments[column] if column < len(self._alignments) else _alignment(False)


def _low(flags: Qt.AlignmentFlag) -> Qt.AlignmentFlag:
    """The same side, at the bottom: headings of one line stand right over the cells."""
    return (flags & ~Qt.AlignmentFlag.AlignVertical_Mask) | Qt.AlignmentFlag.AlignBottom


def _alignment(numeric: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if numeric else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _wrapped_heading(table: Table, column: int) -> str:
    """A heading is as wide as its column's cells, in up to three lines, and never wider than 40 letters."""
    heading = table.headings[column]
    longest = max((len(row[column]) for row in table.rows if column < len(row)), default=HEADING_COLUMNS)
    # Three lines at most: so many letters must fit into each. The 3 are room for breaks between words.
    width = max(NARROW_HEADING, longest, len(heading) // HEADING_LINES + 3)
    return "\n".join(textwrap.wrap(heading, min(HEADING_COLUMNS, width))) or " "


def _broken(cell: str) -> str:
    if len(cell) <= CELL_COLUMNS and "\n" not in cell:
        return cell
    return "\n".join(part for line in cell.splitlines() for part in textwrap.wrap(line, CELL_COLUMNS) or [""])
