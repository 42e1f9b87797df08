"""Text size and colours of a window: what the command line says, and what keys change while it is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication

from curtain.qt.languages.key_table import APPEARANCE_KEYS, KeyTable, KeyWindow
from curtain.qt.looks.recolouring import change
from curtain.qt.style import THEMES, Look, Theme

TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)
ORDINARY = 100


@dataclass(frozen=True)
class Appearance:
    """The colours, and the size of text in percent of the ordinary one."""

    theme: Theme = "system"
    percent: int = ORDINARY

    def larger(self) -> Appearance:
        """With the next larger text, if there is one."""
        return replace(self, percent=next((size for size in TEXT_SIZES if size > self.percent), self.percent))

    def smaller(self) -> Appearance:
        """With the next smaller text, if there is one."""
        return replace(self, percent=next((size for size in TEXT_SIZES[::-1] if size < self.percent), self.percent))

    def next_theme(self) -> Appearance:
        """With the next colours of the round."""
        return replace(self, theme=THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)])


class AppearanceControl(QObject):
    """Changes the look of the running application. `actions` are named as the keys' tables name them."""

    changed = Signal()

    def __init__(self, app: QApplication, look: Look, appearance: Appearance, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self._look = look
        self.appearance = appearance

    def bind(self, window: KeyWindow) -> None:
        """Give the window the keys of APPEARANCE_KEYS."""
        KeyTable(APPEARANCE_KEYS).bind(window, self.actions, lambda: True)

    @property
    def actions(self) -> Mapping[str, Callable[[], None]]:
        """What keys may be bound to."""
        return {
            "text_larger": self.make_larger,
            "text_smaller": self.make_smaller,
            "text_ordinary": self.make_ordinary,
            "next_theme": self.take_next_theme,
        }

    @Slot()
    def make_larger(self) -> None:
        """One step larger."""
        self._take(self.appearance.larger())

    @Slot()
    def make_smaller(self) -> None:
        """One step smaller."""
        self._take(self.appearance.smaller())

    @Slot()
    def make_ordinary(self) -> None:
        """Text of the ordinary size."""
        self._take(replace(self.appearance, percent=ORDINARY))

    @Slot()
    def take_next_theme(self) -> None:
        """The next colours of the round."""
        self._take(self.appearance.next_theme())

    def _take(self, appearance: Appearance) -> None:
        if appearance != self.appearance:
            self.appearance = appearance
            change(self._app, self._look, appearance.theme, appearance.percent)
            self.changed.emit()
