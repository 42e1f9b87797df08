"""Small building blocks of the subject's pages."""

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from curtain.qt import widgets
from curtain.qt.command_text import CommandLine
from curtain.qt.style import GAP, LONE, LOOSE, PANEL, TIGHT, Look, mixed, note_reader, set_size, set_text_colour
from curtain.qt.widgets import Scrolling, box, column, named, row

COLUMN, LEAST = 760, 120
# From this width and height on, the page has wide margins.
WIDE_PAGE, HIGH_PAGE = 1100, 640
# A lower window than this is one of 1920x1080 at twice the size.
LOW = 560


class Sheet(QFrame):
    """A part of the page from edge to edge, whose words stand in from it where there is room. What the subject is to
    look at is `bright`, between two lines."""

    def __init__(self, look: Look, bright: bool = False) -> None:
        super().__init__()
        self._look, self._bright = look, bright

    def inset(self, width: int) -> int:
        """How far the words of a sheet so wide stand in, at either side."""
        return LONE if width >= self._look.px(WIDE_PAGE) else LOOSE

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width, another margin."""
        super().resizeEvent(event)
        side, high = self.inset(self.width()), TIGHT if self.window().height() < self._look.px(HIGH_PAGE) else LOOSE
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(side, high, side, high)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground and its lines."""
        if self._bright:
            painter, line = QPainter(self), round(self._look.line_px)
            painter.fillRect(self.rect(), QColor(self._look.line))
            painter.fillRect(self.rect().adjusted(0, line, 0, -line), QColor(self._look.base))


class QuietBand(QLabel):
    """A quiet coloured strip across the window with a few words in its middle."""

    def __init__(self, name: str, look: Look) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setContentsMargins(0, TIGHT, 0, TIGHT)
        self._look = look
        set_size(self, look.body_pt, bold=True)
        set_text_colour(self, look.text)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground between the window's colour and that of a warning, and the words."""
        QPainter(self).fillRect(self.rect(), QColor(mixed(self._look.window, self._look.warning, 0.28)))
        super().paintEvent(event)


class TallLine(CommandLine):
    """A line to type in, easy to hit, and never lower than its letters."""

    def sizeHint(self) -> QSize:
        """As the letters need it, and at least 44 pixels."""
        return super().sizeHint().expandedTo(QSize(0, 44))

    def minimumSizeHint(self) -> QSize:
        """As high."""
        # No minimum is set: Qt would let a cramped page cut large letters to it.
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())


class TallButton(QPushButton):
    """As high as its words need, and easy to hit."""

    least = QSize(0, 36)

    def sizeHint(self) -> QSize:
        """As the words need it, and at least this."""
        return super().sizeHint().expandedTo(self.least)

    def minimumSizeHint(self) -> QSize:
        """No less."""
        return self.sizeHint()


class PrimaryButton(TallButton):
    """The one button of a page to go on with."""

    least = QSize(240, 46)

    def __init__(self, name: str, look: Look, text: str) -> None:
        super().__init__(text)
        self._look = look
        self.setObjectName(name)
        self.setAutoDefault(True)
        self.setProperty("primary", True)
        set_size(self, look.read_pt, bold=True)


class ReadingText(QScrollArea):
    """Text of any length, which scrolls where it gets less height than it needs. With `most` it asks for its height, up
    to so many pixels; without, it takes what it is given."""

    def __init__(self, look: Look, points: float, most: int = 0) -> None:
        super().__init__()
        self._look = look
        self._most = most
        self.label = QLabel(
            textFormat=Qt.TextFormat.PlainText,
            wordWrap=True,
            alignment=Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft,
        )
        set_size(self.label, points)
        self._make_room(False)
        self.setWidget(self.label)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.viewport().setAutoFillBackground(False)
        self.label.setAutoFillBackground(False)

    def set_text(self, text: str) -> None:
        """Show a text from its beginning, as it stands."""
        self.label.setText(text)
        self.verticalScrollBar().setValue(0)
        self.fit()

    def set_name(self, name: str) -> None:
        """What a screen reader calls the text."""
        self.setAccessibleName(name)
        self.label.setAccessibleDescription(name)

    def needed(self, width: int) -> int:
        """The height in pixels at which this width needs no scrolling."""
        # As if the bar stood there: it would come and go with the lines that it breaks.
        return self.label.heightForWidth(width - self.verticalScrollBar().sizeHint().width()) + TIGHT

    def fit(self) -> None:
        """Take the height that the text needs; to be called when its size has changed."""
        if self._most:
            # In a low window the answer keeps its room, and the text scrolls.
            most = min(self._look.px(self._most), self.window().height() // 5)
            self.setFixedHeight(max(self.minimumSizeHint().height(), min(self.needed(self.width()), most)))
        self.updateGeometry()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring lies beside the letters."""
        note_reader(self, event)
        super().focusInEvent(event)
        self._make_room(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The letters stand under those of other texts again."""
        super().focusOutEvent(event)
        self._make_room(False)

    def _make_room(self, ring: bool) -> None:
        # The lines are as long in both: no word goes to another line.
        left = TIGHT if ring else 0
        self.label.setContentsMargins(left, 0, GAP - left, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A new width means a new height of the text."""
        super().resizeEvent(event)
        self.fit()

    def sizeHint(self) -> QSize:
        """As wide as a column to read, as high as it must be."""
        return QSize(self._look.px(COLUMN), self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        """One line."""
        return QSize(LEAST, self.label.fontMetrics().height() + TIGHT)


def label(
    look: Look, points: float, text: str = "", *, name: str, bold: bool = False, colour: str = "", wraps: bool = False
) -> QLabel:
    """A label that shows its text as it stands; `points` is its size."""
    return widgets.label(text, look, name, bold=bold, colour=colour, pt=points, wraps=wraps)


wrapped = partial(label, wraps=True)


def button(look: Look, name: str, text: str = "", quiet: bool = False) -> QPushButton:
    """Enter presses it; space is for talking."""
    made = named(TallButton(text, autoDefault=True, flat=quiet), name)
    set_size(made, look.body_pt)
    return made


def beside(*widgets: QWidget) -> QWidget:
    """Widgets in their own size, at the left of a row."""
    return box(row(*widgets, 1, spacing=GAP))


def reading_column(page: QWidget, look: Look, *widgets: QWidget | int) -> None:
    """Lay widgets out in one readable column in the middle of the page; a number is a space in pixels. What is too high
    scrolls."""
    inner = QVBoxLayout()
    inner.addStretch(2)
    for each in widgets:
        if isinstance(each, int):
            inner.addSpacing(each)
        else:
            each.setMaximumWidth(look.px(COLUMN))
            # Not a new policy: it would forget that the height follows from the width.
            policy = each.sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
            each.setSizePolicy(policy)
            inner.addWidget(each)
    inner.addStretch(3)
    page.setLayout(column(Scrolling(box(row(1, (inner, 100), 1, margins=PANEL)))))
