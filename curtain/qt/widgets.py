"""Small pieces that several panels of the windows share."""

import unicodedata
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QMargins, QObject, QRect, QRectF, QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QDesktopServices,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from curtain.qt.icons import Mark
from curtain.qt.languages.translation import sentence_here, translate
from curtain.qt.style import BAR, GAP, TIGHT, Look, mark_of, set_ground, set_size, set_text_colour, sized, washed


def heading(text: str, look: Look, note: str = "") -> QWidget:
    """A panel's small title; the note beside it is in the colour of what the subject sees."""
    words: list[QWidget] = [label(text, look, small=True, bold=True)]
    if note:
        eye, line = Mark("eye", 0.8), OneLine("", look, whole=True)
        line.setText(note)
        for each in (eye, line):
            set_text_colour(each, look.subject)
        words += [eye, line]
    made = box(row(*words, 1, spacing=GAP))
    made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return made


Named = TypeVar("Named", bound=QWidget)


def named(widget: Named, name: str, spoken: str = "") -> Named:
    """The same widget: `name` is for tests and the driver, `spoken` for a screen reader."""
    widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    return widget


def announce(widget: QWidget, text: str) -> None:
    """Have a screen reader say a text that appeared in this widget, when it has said what it is saying. `announced` is
    what a driver reads."""
    if text:
        widget.setProperty("announced", text)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def label(
    text: str, look: Look, name: str = "", *, small: bool = False, bold: bool = False, quiet: bool = False,
    colour: str = "", pt: float = 0, wraps: bool = False, within: bool = False,
) -> QLabel:  # fmt: skip
    """A label that shows its text as it stands, in one of the look's sizes or in `pt` points; `name` is for tests and
    the driver. It `wraps` its words, or even stays `within` whatever width there is, as high as they then need."""
    # Never markup: texts come from studies, subjects and databases.
    wraps = wraps or within
    kind = _Wrapped if wraps else QLabel
    made = named(kind(text, textFormat=Qt.TextFormat.PlainText, wordWrap=wraps), name)
    if within:
        made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    set_size(made, pt or (look.small_pt if small else look.body_pt), bold)
    if colour or quiet:
        set_text_colour(made, colour or look.quiet)
    return made


class _Wrapped(QLabel):
    def hasHeightForWidth(self) -> bool:
        """Whatever its size policy: Qt forgets this with each new one, and a layout then cuts the last lines."""
        return True


def say(line: QLabel, text: str) -> None:
    """Show the text, or nothing of the line where it is empty."""
    line.setText(text)
    line.setVisible(bool(text))


def line_within(view: QAbstractItemView, look: Look) -> QLabel:
    """For `say`: a line in the middle of a list that has nothing to show."""
    line = label("", look, f"{view.objectName()}_empty", small=True, quiet=True, wraps=True)
    line.setAlignment(Qt.AlignmentFlag.AlignCenter)
    line.hide()
    view.viewport().setLayout(column(line))
    return line


def text_to_read(name: str, spoken: str, look: Look) -> QPlainTextEdit:
    """A field for a long text in small letters, without a frame; nobody types in it, and Tab leaves it."""
    made = named(QPlainTextEdit(readOnly=True, tabChangesFocus=True), name, spoken)
    made.setFrameShape(QFrame.Shape.NoFrame)
    set_size(made, look.small_pt)
    return made


def button(text: str, name: str, tip: str = "") -> QPushButton:
    """A button that has a key of its own: neither Tab nor a click takes the cursor out of a text field to it."""
    made = named(QPushButton(text), name)
    made.setToolTip(plain_tip(tip))
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    # Return belongs to the text field.
    made.setAutoDefault(False)
    return made


class LowButton(QPushButton):
    """As `button` makes one, in small letters and as low as a heading beside it, at every size of the text."""

    def __init__(self, text: str, name: str, look: Look) -> None:
        super().__init__(text, autoDefault=False)
        named(self, name)
        set_size(self, look.small_pt)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.fontMetrics().height() + 2)

    minimumSizeHint = sizeHint


def open_outside(path: Path, report: Callable[[str], object]) -> None:
    """Open a file or folder with the program that the system has for it; `report` gets a sentence if it has none."""
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        report(translate("Outside", "No program on this computer opens this: {0}").format(path))


def plain_tip(text: str) -> str:
    """A tooltip that shows a text as it stands: Qt takes `<b>` in it for markup, and `<img>` for a file to open."""
    if "<" not in text:
        return text
    return f'<p style="white-space: pre-wrap">{escape(text)}</p>'


def mirrored(part: QRectF, whole: QRectF, direction: Qt.LayoutDirection) -> QRectF:
    """Where a painted part stands in what is painted: as it is, or on the other side from right to left."""
    if direction == Qt.LayoutDirection.LeftToRight:
        return part
    return QRectF(whole.left() + whole.right() - part.right(), part.top(), part.width(), part.height())


def direction_of(text: str) -> Qt.LayoutDirection:
    """From where a text runs: the side on which its first letter with a direction begins."""
    first = next((kind for kind in map(unicodedata.bidirectional, text) if kind in ("L", "R", "AL")), "L")
    return Qt.LayoutDirection.LeftToRight if first == "L" else Qt.LayoutDirection.RightToLeft


Part = QWidget | QLayout | int | tuple[QWidget | QLayout, int]
"""A widget, a layout, either of them with its stretch, or a stretch alone."""
_NO_MARGINS = QMargins()
Layout = TypeVar("Layout", QHBoxLayout, QVBoxLayout)


def column(*parts: Part, margins: QMargins = _NO_MARGINS, spacing: int = GAP) -> QVBoxLayout:
    """The parts from top to bottom."""
    return _filled(QVBoxLayout(), parts, margins, spacing)


def row(*parts: Part, margins: QMargins = _NO_MARGINS, spacing: int = GAP) -> QHBoxLayout:
    """The parts from left to right."""
    return _filled(QHBoxLayout(), parts, margins, spacing)


def box(layout: QLayout) -> QWidget:
    """A plain widget that holds what is laid out."""
    made = QWidget()
    made.setLayout(layout)
    return made


def _filled(layout: Layout, parts: Sequence[Part], margins: QMargins, spacing: int) -> Layout:
    layout.setContentsMargins(margins)
    layout.setSpacing(spacing)
    for part in parts:
        what, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(what, int):
            layout.addStretch(what)
        elif isinstance(what, QLayout):
            layout.addLayout(what, stretch)
        else:
            layout.addWidget(what, stretch)
    return layout


class Band(QFrame):
    """A coloured strip with one sentence: a problem, or “trial session”. It may offer one way on. A click puts it away
    until it says something else."""

    accepted = Signal()

    def __init__(self, name: str, colour: str, look: Look) -> None:
        super().__init__()
        self.setObjectName(name)
        self._is_tag = False
        set_ground(self, washed(look, colour))
        mark = Mark(mark_of(colour))
        set_text_colour(mark, colour)
        mark.setVisible(bool(mark.name))
        self._label = label("", look, bold=True, name=f"{name}_text", wraps=True)
        self._button = named(QPushButton(), f"{name}_button")
        self._button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it comes and goes; its key is in its text
        self._button.clicked.connect(self.accepted)
        self._button.hide()
        self._row = row(mark, self._label, self._button, margins=BAR)
        self.setLayout(self._row)
        self._label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        # Not `Maximum`: that is the height without what wraps.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.hide()

    def shrink(self) -> None:
        """Be a tag of a word or two in a line of others, no larger than these words, which stays."""
        self._is_tag = True
        self._label.setWordWrap(False)
        self._row.setContentsMargins(GAP, 0, GAP, 0)
        for widget in (self, self._label):
            widget.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)

    def show_text(self, text: str) -> None:
        """Show the sentence in the language of the window, or nothing if it is empty."""
        # A problem of a room without Qt comes as an English sentence; what is translated already stays.
        sentence = sentence_here(text)
        if sentence != self.text:
            self._label.setText(sentence)
            self.setVisible(bool(sentence))

    def offer(self, text: str) -> None:
        """A button with this text beside the sentence, or none if it is empty."""
        self._button.setText(text)
        self._button.setVisible(bool(text))

    @property
    def text(self) -> str:
        """The sentence that is shown now."""
        return self._label.text()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setVisible(self._is_tag)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground; the sentence and the button are widgets on it."""
        QPainter(self).fillRect(self.rect(), self.palette().window())


def least_height(widget: QWidget, width: int) -> int:
    """The least height of what is laid out in a widget that is so wide, with all lines of its sentences."""
    layout = widget.layout()
    assert layout is not None
    return layout.minimumHeightForWidth(width) if layout.hasHeightForWidth() else layout.minimumSize().height()


class WrappingPanel(QWidget):
    """For a splitter, which does not ask how many lines a sentence needs in this width, and for a column, which shrinks
    nothing below the height that it would like to have: it has at least those lines."""

    def hasHeightForWidth(self) -> bool:
        return False

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), least_height(self, self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class Scrolling(QScrollArea):
    """Content with a layout, as wide as this. It scrolls where even the least height of its parts is too high: what can
    shrink shrinks first, which a resizable content of Qt does not. What gets the focus comes into sight."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._content = content
        self.setWidget(content)
        for each in (content, self.viewport()):
            each.setAutoFillBackground(False)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._show_focused)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the content can be beside the bar."""
        width = self._content.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Other content may need another height."""
        done = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest and watched is self._content:
            self.updateGeometry()
            self._fit()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may need another height."""
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """While it was hidden the text may have grown, and Qt lays out nothing that is hidden."""
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.maximumViewportSize()
        needed = least_height(self._content, room.width())
        if needed > room.height():
            room -= QSize(self.verticalScrollBar().sizeHint().width(), 0)
            needed = least_height(self._content, room.width())
        self._content.resize(room.expandedTo(QSize(0, needed)))

    @Slot(QWidget, QWidget)
    def _show_focused(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self._content.isAncestorOf(now):
            self.ensureWidgetVisible(now)


class Hairline(QFrame):
    """A hairline between regions."""

    def __init__(self, look: Look, upright: bool = False) -> None:
        super().__init__()
        self._look = look
        if upright:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """One line of the look's colour."""
        QPainter(self).fillRect(self.rect(), QColor(self._look.line))


class Veil(QWidget):
    """Greys what lies below and says why; clicks and the wheel go through it."""

    def __init__(self, words: str, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = words
        self._look = look
        # What lies below can still be scrolled.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFont(sized(self.font(), look.small_pt, bold=True))
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The veil, and the words on a chip in its middle."""
        painter = QPainter(self)
        ground = QColor(self._look.window)
        ground.setAlpha(150)
        painter.fillRect(self.rect(), ground)
        size = painter.fontMetrics().size(0, self._words)
        chip = QRect(0, 0, size.width() + 24, size.height() + 10)
        chip.moveCenter(self.rect().center())
        painter.setPen(QPen(QColor(self._look.warning), 1))
        painter.setBrush(QColor(self._look.base))
        painter.drawRoundedRect(chip, TIGHT, TIGHT)
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, self._words)


class OneLine(QLabel):
    """A quiet line that never widens or grows: what does not fit is left out, and a tip shows all of it. With
    `whole` it asks for the room of its words, and gives way where there is none."""

    def __init__(self, name: str, look: Look, whole: bool = False) -> None:
        super().__init__()
        self._whole = whole
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        set_size(self, look.small_pt)
        set_text_colour(self, look.quiet)
        # A long text must not widen the window.
        wide = QSizePolicy.Policy.Preferred if whole else QSizePolicy.Policy.Ignored
        self.setSizePolicy(wide, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """One line of the present text size."""
        metrics = self.fontMetrics()
        # An advance is rounded, and what is a fraction too wide would be cut.
        wide = metrics.horizontalAdvance(self.text()) + 1 if self._whole else 0
        return QSize(wide, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        """The same height: only the width gives way."""
        return QSize(0, self.sizeHint().height())

    def setText(self, text: str) -> None:
        """The text, and the same as a tip. Shown as it stands, without markup."""
        super().setText(text)
        self.setToolTip(plain_tip(text))

    def paintEvent(self, event: QPaintEvent) -> None:
        """As much as fits, with an ellipsis."""
        painter = QPainter(self)
        area = self.contentsRect()
        fitting = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, area.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, fitting)
