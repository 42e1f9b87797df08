"""Our icon, as a file of the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def icon_file() -> Path:
    """The icon as SVG."""
    return Path(__file__).with_name("curtain.svg")


def show_icon(app: QApplication) -> None:
    """Every window, dialog and message box of the program wears it."""
    from PySide6.QtGui import QIcon

    app.setWindowIcon(QIcon(str(icon_file())))
