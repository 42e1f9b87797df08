"""One look for both stations: Fusion, one accent colour, light and dark, every text at 4.5:1 or better."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget


@dataclass(frozen=True)
class Look:
    """Colours as `#rrggbb`, sizes in points. `subject` frames what the subject sees, and nothing else."""

    dark: bool
    window: str
    base: str
    stripe: str
    text: str
    quiet: str
    line: str
    accent: str
    on_accent: str
    subject: str
    good: str
    warning: str
    bad: str
    small_pt: float = 9.5
    body_pt: float = 11.0
    large_pt: float = 18.0


LIGHT = Look(
    dark=False,
    window="#f3f5f7",
    base="#ffffff",
    stripe="#f5f7fa",
    text="#1b1f24",
    quiet="#57606a",
    line="#cdd3da",
    accent="#1d5fa6",
    on_accent="#ffffff",
    subject="#a04e00",
    good="#17703a",
    warning="#8a5a00",
    bad="#b42318",
)
DARK = Look(
    dark=True,
    window="#1d2024",
    base="#25282d",
    stripe="#2a2e34",
    text="#e6e9ed",
    quiet="#a6afba",
    line="#444b54",
    accent="#74b3f8",
    on_accent="#0b1826",
    subject="#f0a35c",
    good="#62cf85",
    warning="#e3b341",
    bad="#ff8f85",
)


def apply(app: QApplication, dark: bool | None = None) -> Look:
    """Dress the application; `dark=None` follows the system. Returns the look for whoever paints."""
    if dark is None:
        # Unknown counts as light.
        dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    look = DARK if dark else LIGHT
    app.setStyle("Fusion")
    app.setPalette(palette(look))
    _outline_boxes(app, look)
    app.setFont(sized(app.font(), look.body_pt))
    return look


def _outline_boxes(app: QApplication, look: Look) -> None:
    # Fusion draws the outline of a box in a darker shade of the window's colour: nearly nothing where that is dark.
    made = palette(look)
    made.setColor(QPalette.ColorRole.Window, QColor(look.quiet if look.dark else look.window))
    for kind in ("QListView", "QTreeView", "QCheckBox"):
        app.setPalette(made, kind)  # type: ignore[arg-type]  # PySide takes a text; its types say bytes


def palette(look: Look) -> QPalette:
    """The colours of a look in the roles that Fusion uses."""
    roles = {
        QPalette.ColorRole.Window: look.window,
        QPalette.ColorRole.WindowText: look.text,
        QPalette.ColorRole.Base: look.base,
        QPalette.ColorRole.AlternateBase: look.stripe,
        QPalette.ColorRole.Text: look.text,
        QPalette.ColorRole.PlaceholderText: look.quiet,
        QPalette.ColorRole.Button: look.base if look.dark else "#e9edf1",
        QPalette.ColorRole.ButtonText: look.text,
        QPalette.ColorRole.BrightText: look.bad,
        QPalette.ColorRole.Highlight: look.accent,
        QPalette.ColorRole.HighlightedText: look.on_accent,
        QPalette.ColorRole.Accent: look.accent,
        QPalette.ColorRole.Link: look.accent,
        QPalette.ColorRole.ToolTipBase: look.base,
        QPalette.ColorRole.ToolTipText: look.text,
        QPalette.ColorRole.Mid: look.line,
        QPalette.ColorRole.Midlight: look.stripe,
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
    made.setBold(bold)
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


def _luminance(colour: QColor) -> float:
    red, green, blue = (_linear(part) for part in (colour.redF(), colour.greenF(), colour.blueF()))
    # The weights of red, green and blue for the eye (Rec. 709).
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


class SubjectFrame(QFrame):
    """The frame worn by whatever goes to the subject; what stays behind the curtain never wears it."""

    def __init__(self, content: QWidget, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colour = QColor(look.subject)
        self._fill = QColor(look.base)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(content)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame, and the ground within it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._colour, 2))
        painter.setBrush(self._fill)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
