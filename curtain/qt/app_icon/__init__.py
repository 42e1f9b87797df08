"""Our icon, `curtain.svg` beside this file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def show_icon(app: QApplication) -> None:
    """Every window, dialog and message box of the program wears it."""
    from PySide6.QtGui import QIcon

    app.setWindowIcon(QIcon(str(Path(__file__).with_name("curtain.svg"))))
