"""One look for every window, as names with values: five sizes of text, five spaces, four greys, one accent, the
subject's colour, three states, one typeface; light, dark and high contrast. Flat: `FlatStyle` draws it.

Texts stand at 4.5:1 or better, outlines and marks at 3:1 (WCAG 2.2, 1.4.3 and 1.4.11).
A running application changes its look in place (`looks/recolouring.py`): paint from it, and keep no colour or size.
Whatever Tab reaches wears a ring while it has the keyboard: Fusion's own mark is one dotted pixel.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import as_file, files
from typing import Literal

from PySide6.QtCore import QEvent, QMargins, QObject, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontDatabase,
    QIcon,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QStyleHints,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QProgressBar,
    QProxyStyle,
    QStyle,
    QStyleOption,
    QStyleOptionComplex,
    QStyleOptionFrame,
    QStyleOptionHeader,
    QStyleOptionViewItem,
    QTreeWidget,
    QVBoxLayout,
    QWidget,
)

from curtain.qt import icons

Theme = Literal["system", "light", "dark", "contrast"]
THEMES: tuple[Theme, ...] = ("system", "light", "dark", "contrast")

# The sizes of text, in pixels: of notes and labels, of ordinary text, of what is read, of titles, of what is large.
SIZES = (12, 14, 16, 20, 26)
# macOS counts 72 points an inch, and the others 96.
_POINT = 1.0 if sys.platform == "darwin" else 0.75
# The grid: every margin and every gap of every page is one of these, in pixels.
TIGHT, GAP, LOOSE, ROOMY, WIDE, LONE = 4, 8, 12, 16, 24, 96
# The corners of buttons, fields and surfaces; those of small marks are TIGHT.
CORNER = 6.0
BAR = QMargins(LOOSE, TIGHT, LOOSE, TIGHT)
"""The margins of a strip across the window."""
PANEL = QMargins(GAP, GAP, GAP, GAP)
"""The margins within a frame."""
PAGE = QMargins(WIDE, LOOSE, WIDE, LOOSE)
"""The margins of a page or a dialog."""
SHEET = QMargins(LONE, WIDE, LONE, WIDE)
"""The margins of a page with one column of text."""


def _points(step: int, look: Look) -> float:
    return SIZES[step] * _POINT * look.scale


@dataclass(eq=False)
class Look:
    """Colours as `#rrggbb`, no two the same; sizes in points at `scale` times the ordinary text size.

    The greys are `window`, `line` (only divides), `edge` (outlines what can be pressed or filled in) and `quiet`.
    `subject` frames what the subject sees, and nothing else. `line_px` is the width of edges that must be noticed.
    """

    dark: bool
    window: str
    base: str
    text: str
    quiet: str
    line: str
    edge: str
    accent: str
    on_accent: str
    subject: str
    good: str
    warning: str
    bad: str
    line_px: float = 1.0
    scale: float = 1.0

    def px(self, pixels: float) -> int:
        """The extent that goes with text: `pixels` at the ordinary text size."""
        return round(pixels * self.scale)

    # In points: of headings and notes, of ordinary text, of what is read rather than looked up (all that the subject
    # reads, and the query), of titles within a page, and of what is read from a distance.
    small_pt, body_pt, read_pt, title_pt, large_pt = (property(partial(_points, at)) for at in range(len(SIZES)))


LIGHT = Look(
    dark=False,
    window="#f5f6f8",
    base="#ffffff",
    text="#171a20",
    quiet="#5a6170",
    line="#dfe3e9",
    edge="#868e9c",
    accent="#1f5fbf",
    on_accent="#fefefe",
    subject="#7038a8",
    good="#1b7a4b",
    warning="#8a5a00",
    bad="#b0203a",
)
DARK = Look(
    dark=True,
    window="#16181d",
    base="#1e2127",
    text="#e7e9ee",
    quiet="#a3abb9",
    line="#343a44",
    edge="#7a8291",
    accent="#7fb0ff",
    on_accent="#0b1526",
    subject="#c79bff",
    good="#62cf8f",
    warning="#e0b04a",
    bad="#ff8a80",
)
# Black, white and two colours that no colour blindness merges with them; every text at 7:1 or better (WCAG 2, 1.4.6).
CONTRAST = Look(
    dark=True,
    window="#000000",
    base="#010101",
    text="#ffffff",
    quiet="#e0e0e0",
    line="#bdbdbd",
    edge="#c8c8c8",
    accent="#ffe14d",
    on_accent="#020202",
    subject="#c9a2ff",
    good="#7dff9a",
    warning="#c8a820",
    bad="#ff8f85",
    line_px=2.0,
)


def apply(app: QApplication, theme: Theme = "system", percent: int = 100) -> Look:
    """Dress the application, with texts at `percent` of their ordinary size. Returns the look for whoever paints."""
    look = replace(themed(app, theme), scale=percent / 100)
    worn = app.findChild(_FocusRings)
    if worn is not None and vars(worn.look) == vars(look):
        return worn.look  # what paints holds this one, and it is changed in place
    app.setStyle(FlatStyle(look))
    dress(app, look)
    _FocusRings(app, look)
    return look


def themed(app: QApplication, theme: Theme) -> Look:
    """The look of a theme at ordinary size; `system` is what the desktop asks for."""
    if theme == "system":
        hints = app.styleHints()
        if _wants_contrast(hints):
            return CONTRAST
        # Unknown counts as light.
        theme = "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"
    return {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}[theme]


def _wants_contrast(hints: QStyleHints) -> bool:
    # Qt before 6.10 cannot say.
    if not hasattr(hints, "accessibility"):
        return False
    # Held by a name: PySide lets the object go with the last one, although it belongs to Qt.
    accessibility = hints.accessibility()
    return accessibility.contrastPreference() == Qt.ContrastPreference.HighContrast


def dress(app: QApplication, look: Look) -> None:
    """Colours and font of the application, for widgets that have none of their own."""
    app.setPalette(palette(look))
    # Fusion outlines boxes and lists in a shade of the window's colour that is darker by 1.4.
    outlined = palette(look)
    outlined.setColor(QPalette.ColorRole.Window, QColor(look.edge).lighter(140))
    for kind in ("QListView", "QTreeView", "QTableView", "QPlainTextEdit", "QLineEdit", "QCheckBox", "QRadioButton"):
        app.setPalette(outlined, kind)  # type: ignore[arg-type]  # PySide takes a text; its types say bytes
    font = app.font()
    # The system's own comes second: it has the scripts that ours lacks.
    font.setFamilies([_typeface(), *(each for each in font.families() if each != _typeface())])
    font.setFeature(QFont.Tag("tnum"), 1)
    app.setFont(sized(font, look.body_pt))


@cache
def _typeface() -> str:
    """Inter, which looks the same on every system; the system's own where its package was left out."""
    try:
        font = files("fontpkg_inter") / "files" / "Inter[opsz,wght].ttf"
    except ModuleNotFoundError:
        return QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    with as_file(font) as path:
        return QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(path)))[0]


def palette(look: Look) -> QPalette:
    """The colours of a look in the roles that Fusion uses."""
    roles = {
        QPalette.ColorRole.Window: look.window,
        QPalette.ColorRole.WindowText: look.text,
        QPalette.ColorRole.Base: look.base,
        QPalette.ColorRole.AlternateBase: look.window,
        QPalette.ColorRole.Text: look.text,
        QPalette.ColorRole.PlaceholderText: look.quiet,
        QPalette.ColorRole.Button: look.base,
        QPalette.ColorRole.ButtonText: look.text,
        QPalette.ColorRole.BrightText: look.bad,
        QPalette.ColorRole.Highlight: look.accent,
        QPalette.ColorRole.HighlightedText: look.on_accent,
        QPalette.ColorRole.Accent: look.accent,
        QPalette.ColorRole.Link: look.accent,
        QPalette.ColorRole.ToolTipBase: look.base,
        QPalette.ColorRole.ToolTipText: look.text,
        QPalette.ColorRole.Mid: look.line,
        QPalette.ColorRole.Midlight: look.window,
    }
    # The shades that the look does not name are derived by Qt from these two.
    made = QPalette(QColor(roles[QPalette.ColorRole.Button]), QColor(look.window))
    for role, colour in roles.items():
        made.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        # Quiet, not faint: also what is switched off must be readable.
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(look.quiet))
    return made


def sized(font: QFont, points: float, bold: bool = False) -> QFont:
    """The same font at another size."""
    made = QFont(font)
    made.setPointSizeF(points)
    weight = QFont.Weight.DemiBold if bold else QFont.Weight.Normal
    made.setWeight(weight)
    # Without the axis FreeType smears the letters of a variable font.
    made.setVariableAxis(QFont.Tag("wght"), weight.value)
    return made


def set_size(widget: QWidget, points: float, bold: bool = False) -> None:
    """Set the widget's own font to this size in points, its family kept."""
    widget.setFont(sized(widget.font(), points, bold))


def set_text_colour(widget: QWidget, colour: str) -> None:
    """Colour the widget's text by palette, so that a style sheet never cuts Fusion off."""
    made = widget.palette()
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(role, QColor(colour))
    widget.setPalette(made)
    if isinstance(widget, QLabel):
        _mark(widget, mark_of(colour))


def set_ground(widget: QWidget, colour: str) -> None:
    """Set the colour behind the widget's words; the widget paints it."""
    made = widget.palette()
    made.setColor(QPalette.ColorRole.Window, QColor(colour))
    widget.setPalette(made)


def note_reader(widget: QWidget, event: QFocusEvent) -> None:
    """Of a text to read, in its `focusInEvent`: it wears the ring where Tab led there, not where the page did."""
    by_tab = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
    widget.setProperty("read_by", "" if by_tab else "page")


def mark_of(colour: str) -> str:
    """The name of the icon that says the same as this colour of a look; "" where colour says nothing by itself."""
    return _MARKS.get(colour, "")


_MARKS = {
    getattr(look, name): icon
    for look in (LIGHT, DARK, CONTRAST)
    for name, icon in (("warning", "warning"), ("bad", "fault"), ("subject", "eye"))
}


def _mark(words: QLabel, name: str) -> None:
    """Put the icon before the words, in their colour; a note on what the subject sees has its own."""
    there = words.findChild(_TextMark)
    name = "" if name == "eye" else name
    if there is None and name:
        there = _TextMark(words)
    if there is not None:
        there.name = name
        there.place()


class _TextMark(icons.Mark):
    """Beside the first line of a label, as high as its letters."""

    def __init__(self, words: QLabel) -> None:
        super().__init__("", 1.0, words)
        self._words, self._margins = words, words.contentsMargins()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        words.installEventFilter(self)
        self.show()

    def place(self) -> None:
        """To the side at which the words begin or, where they stand to the right, end."""
        words, metrics = self._words, self._words.fontMetrics()
        side = metrics.height()
        room = side + TIGHT if self.name else 0
        right = QStyle.visualAlignment(words.layoutDirection(), words.alignment()) & Qt.AlignmentFlag.AlignRight
        # Margins, not an indent: with words at the top, Qt indents them from the top too.
        margins = self._margins + (QMargins(0, 0, room, 0) if right else QMargins(room, 0, 0, 0))
        if words.contentsMargins() != margins:
            words.setContentsMargins(margins)
        wraps = Qt.TextFlag.TextWordWrap if words.wordWrap() else Qt.TextFlag.TextSingleLine
        lines = metrics.boundingRect(words.contentsRect(), wraps, words.text()).height()
        area = words.rect().marginsRemoved(self._margins)
        block = QStyle.alignedRect(words.layoutDirection(), words.alignment(), QSize(side, max(side, lines)), area)
        self.setFixedSize(side, side)
        self.move(block.topLeft())
        if words.alignment() & Qt.AlignmentFlag.AlignHCenter:
            centred = metrics.boundingRect(words.contentsRect(), wraps | Qt.AlignmentFlag.AlignHCenter, words.text())
            self.move(centred.left() - room, block.top())
        self.setVisible(bool(self.name and words.text()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Where the words go."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange, QEvent.Type.Paint):
            self.place()
        return False


def contrast(first: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2, relative luminance)."""
    # WCAG 2.2, 1.4.3: plus .05 for the light that a screen reflects.
    darker, lighter = sorted((_luminance(QColor(first)), _luminance(QColor(other))))
    return (lighter + 0.05) / (darker + 0.05)


def mixed(first: str, other: str, share: float) -> str:
    """The colour between two: `share` of `other`, 0 to 1."""
    a, b = QColor(first), QColor(other)
    pairs = ((a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue()))
    return QColor(*(round(low + (high - low) * share) for low, high in pairs)).name()


def washed(look: Look, colour: str) -> str:
    """The ground behind what is marked with this colour."""
    return mixed(look.base, colour, 0.16)


def _luminance(colour: QColor) -> float:
    red, green, blue = (_linear(part) for part in (colour.redF(), colour.greenF(), colour.blueF()))
    # The weights of red, green and blue for the eye (Rec. 709).
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


_CONTROL, _PRIMITIVE, _STATE = QStyle.ControlElement, QStyle.PrimitiveElement, QStyle.StateFlag
_ROOM = {
    QStyle.ContentsType.CT_PushButton: QSize(GAP, 0),
    QStyle.ContentsType.CT_LineEdit: QSize(GAP, TIGHT),
    QStyle.ContentsType.CT_ItemViewItem: QSize(0, TIGHT),
    QStyle.ContentsType.CT_HeaderSection: QSize(GAP, TIGHT),
}


_PICTURE = QStyle.StandardPixmap
_STANDARD = {
    _PICTURE.SP_MessageBoxQuestion: "question", _PICTURE.SP_MessageBoxInformation: "question",
    _PICTURE.SP_MessageBoxWarning: "warning", _PICTURE.SP_MessageBoxCritical: "fault",
    _PICTURE.SP_ArrowBack: "left", _PICTURE.SP_ArrowForward: "right", _PICTURE.SP_FileDialogToParent: "up",
    _PICTURE.SP_FileDialogNewFolder: "folder_new", _PICTURE.SP_FileDialogListView: "list",
    _PICTURE.SP_FileDialogDetailedView: "details", _PICTURE.SP_LineEditClearButton: "cross",
    _PICTURE.SP_DirIcon: "folder", _PICTURE.SP_FileIcon: "file", _PICTURE.SP_DirHomeIcon: "home",
    _PICTURE.SP_ComputerIcon: "screen", _PICTURE.SP_DesktopIcon: "screen", _PICTURE.SP_DriveHDIcon: "disk",
    _PICTURE.SP_DriveNetIcon: "link",
}  # fmt: skip
"""Qt asks for more: those would be of another family, and nothing of ours needs them."""


_BOXES = ("IndicatorWidth", "IndicatorHeight", "ExclusiveIndicatorWidth", "ExclusiveIndicatorHeight")
_ICONS = {QStyle.PixelMetric.PM_ButtonIconSize, QStyle.PixelMetric.PM_SmallIconSize}
_GROWING = _ICONS | {QStyle.PixelMetric[f"PM_{name}"] for name in _BOXES}


class FlatStyle(QProxyStyle):
    """Fusion without gradients and shades of its own. A style sheet would double the time in which a page is made.

    A button with the property `primary` is filled: the one that goes on. One with `tab` has a line below while chosen.
    """

    def __init__(self, look: Look) -> None:
        super().__init__("Fusion")
        self._look = look

    def drawPrimitive(
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        """The plate of a button and of a list that opens, and a field; no frame around the pages of tabs."""
        if element == _PRIMITIVE.PE_PanelButtonCommand:
            self._paint_plate(option, painter, widget)
        elif element == _PRIMITIVE.PE_PanelLineEdit and isinstance(option, QStyleOptionFrame) and option.lineWidth:
            self._paint_box(painter, QRectF(option.rect), self._look.edge, self._look.base)
        elif element == _PRIMITIVE.PE_PanelScrollAreaCorner:
            painter.fillRect(option.rect, QColor(self._look.window))
        elif element != _PRIMITIVE.PE_FrameTabWidget:
            super().drawPrimitive(element, option, painter, widget)

    def drawControl(
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        """Headers, tabs and the progress of a task."""
        look, area = self._look, QRectF(option.rect)
        if element in (_CONTROL.CE_HeaderSection, _CONTROL.CE_HeaderEmptyArea):
            painter.fillRect(area, QColor(look.window))
            painter.fillRect(area.adjusted(0, area.height() - look.line_px, 0, 0), QColor(look.edge))
        elif element == _CONTROL.CE_TabBarTabShape:
            if option.state & _STATE.State_Selected:
                painter.fillRect(area.adjusted(0, area.height() - 2, 0, 0), QColor(look.accent))
        elif element == _CONTROL.CE_ProgressBarGroove:
            self._paint_box(painter, area, look.line, look.line)
        elif element == _CONTROL.CE_ProgressBarContents and isinstance(widget, QProgressBar) and widget.maximum():
            area.setWidth(area.width() * max(0, widget.value()) / widget.maximum())
            self._paint_box(painter, area, look.accent, look.accent)
        else:
            if element == _CONTROL.CE_PushButtonLabel and _primary(option, widget):
                option.palette.setColor(QPalette.ColorRole.ButtonText, QColor(look.on_accent))
            if element == _CONTROL.CE_HeaderLabel and isinstance(option, QStyleOptionHeader) and widget is not None:
                figure = _is_figure(option.textAlignment, widget.parentWidget())
                option.rect = option.rect.adjusted(0, 0, -GAP if figure else 0, 0)
            super().drawControl(element, option, painter, widget)

    def drawComplexControl(
        self, control: QStyle.ComplexControl, option: QStyleOptionComplex, painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:  # fmt: skip
        """Of a scroll bar the handle alone."""
        if control != QStyle.ComplexControl.CC_ScrollBar:
            super().drawComplexControl(control, option, painter, widget)
            return
        handle = QRectF(self.subControlRect(control, option, QStyle.SubControl.SC_ScrollBarSlider, widget))  # type: ignore[arg-type]  # None too
        painter.fillRect(option.rect, QColor(self._look.window))
        self._paint_box(painter, handle.adjusted(3, 3, -3, -3), self._look.edge, self._look.edge)

    def standardIcon(
        self, kind: QStyle.StandardPixmap, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> QIcon:
        """Our drawing, or none: message boxes, and the file dialog where the system has none of its own."""
        name = _STANDARD.get(kind)
        return icons.icon(name) if name else QIcon()

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        """Boxes to tick grow with the text; icons of buttons half as much, or buttons would grow higher than it."""
        made = super().pixelMetric(metric, option, widget)
        grown = self._look.px(made) if metric in _GROWING else made
        return (made + grown) // 2 if metric in _ICONS else grown

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: QWidget | None = None
    ) -> QSize:
        """Some air around words that can be pressed, filled in or chosen."""
        if widget is not None and widget.property("tab"):
            return size + QSize(LOOSE, GAP)
        made = super().sizeFromContents(kind, option, size, widget)  # type: ignore[arg-type]  # None too
        return made + _ROOM[kind] if kind in _ROOM else made

    def subElementRect(self, element: QStyle.SubElement, option: QStyleOption, widget: QWidget | None = None) -> QRect:
        """What is typed stands off the outline, and figures of a list off the next column."""
        made = super().subElementRect(element, option, widget)  # type: ignore[arg-type]  # None too
        if element == QStyle.SubElement.SE_LineEditContents:
            return made.adjusted(TIGHT, 0, -TIGHT, 0)
        if element == QStyle.SubElement.SE_ItemViewItemText and isinstance(option, QStyleOptionViewItem):
            return made.adjusted(0, 0, -GAP, 0) if _is_figure(option.displayAlignment, widget) else made
        return made

    def _paint_plate(self, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
        look, state = self._look, option.state
        if widget is not None and widget.property("tab"):
            if state & _STATE.State_On:
                painter.fillRect(option.rect.adjusted(0, option.rect.height() - 2, 0, 0), QColor(look.accent))
            return
        primary = _primary(option, widget)
        edge = look.accent if primary else look.edge
        face = look.accent if primary else look.base
        if not state & _STATE.State_Enabled:
            # Not `line`: in high contrast that is as bright as the outline of what can be pressed.
            edge, face = mixed(look.window, look.edge, 0.45), look.window
        elif state & (_STATE.State_On | _STATE.State_Sunken):
            edge, face = look.accent, mixed(face, look.text if primary else look.accent, 0.2)
        elif state & _STATE.State_MouseOver:
            face = mixed(face, look.text if primary else look.accent, 0.1)
        area = QRectF(option.rect)
        if primary and state & _STATE.State_HasFocus:
            # The ring has the same colour: a gap lets it be seen.
            area.adjust(TIGHT, TIGHT, -TIGHT, -TIGHT)
        self._paint_box(painter, area, edge, face)

    def _paint_box(self, painter: QPainter, area: QRectF, edge: str, face: str) -> None:
        inset = self._look.line_px / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(edge), self._look.line_px))
        painter.setBrush(QColor(face))
        painter.drawRoundedRect(area.adjusted(inset, inset, -inset, -inset), CORNER, CORNER)
        painter.restore()


def _primary(option: QStyleOption, widget: QWidget | None) -> bool:
    return widget is not None and bool(widget.property("primary")) and bool(option.state & _STATE.State_Enabled)


def _is_figure(alignment: Qt.AlignmentFlag, widget: QWidget | None) -> bool:
    """At the right of its column, in a list of several."""
    return isinstance(widget, QTreeWidget) and bool(alignment & Qt.AlignmentFlag.AlignRight)


class _FocusRings(QObject):
    """Puts a ring on what has the keyboard now. One for the application: a new one takes the place of the last."""

    def __init__(self, app: QApplication, look: Look) -> None:
        for last in app.findChildren(_FocusRings):
            app.focusChanged.disconnect(last.move_ring)
            last.setParent(None)
        super().__init__(app)
        self.look = look
        app.focusChanged.connect(self.move_ring)
        self.move_ring(app.focusWidget(), app.focusWidget())

    @Slot(QWidget, QWidget)
    def move_ring(self, before: QWidget | None, now: QWidget | None) -> None:
        """What Tab does not reach is a page or a window, and a ring around all of it says nothing."""
        if before is not None:
            for ring in before.findChildren(_Ring, options=Qt.FindChildOption.FindDirectChildrenOnly):
                ring.hide()
                ring.deleteLater()
        read = now is not None and now.property("read_by") == "page"
        if now is not None and not now.isWindow() and now.focusPolicy() & Qt.FocusPolicy.TabFocus and not read:
            _Ring(now, self.look)


class _Ring(QWidget):
    """Lies over its parent, so that nothing around the parent cuts it, and goes where the parent goes."""

    def __init__(self, parent: QWidget, look: Look) -> None:
        super().__init__(parent)
        self._look = look
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        parent.installEventFilter(self)
        self.setGeometry(parent.rect())
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keeps to the size of the parent, and above its other parts: a scroll area raises its bars when they come."""
        if isinstance(watched, QWidget) and watched is self.parentWidget():
            self.setGeometry(watched.rect())
            self.raise_()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Two pixels of the accent colour, three with high contrast."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        thick = 1 + self._look.line_px
        painter.setPen(QPen(QColor(self._look.accent), thick))
        inner = QRectF(self.rect()).adjusted(thick / 2, thick / 2, -thick / 2, -thick / 2)
        painter.drawRoundedRect(inner, CORNER, CORNER)


class SubjectFrame(QFrame):
    """The frame worn by whatever goes to the subject; what stays behind the curtain never wears it."""

    def __init__(self, content: QWidget, look: Look) -> None:
        super().__init__()
        self._look = look
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL)
        layout.addWidget(content)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame, and the ground within it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Wider than any other line, so that whoever does not see the colour knows the frame.
        wide = 1 + self._look.line_px
        painter.setPen(QPen(QColor(self._look.subject), wide))
        painter.setBrush(QColor(self._look.base))
        inset = wide / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), CORNER, CORNER)
