"""What a window remembers between two starts: its place, its size, full screen, and the look a person chose in it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtWidgets import QWidget

from curtain.qt.looks.appearance import ORDINARY, TEXT_SIZES, Appearance
from curtain.qt.style import THEMES
from curtain.qt.windows.window_options import WindowOptions

FRAME = QSize(8, 40)  # what a desktop may put around a window
_LIKE_ALL = "home"


def own_windows() -> Path:
    """The file of this user in which windows keep how they looked last."""
    import platformdirs

    return Path(platformdirs.user_data_dir("curtain", appauthor=False)) / "windows.ini"


class WindowMemory:
    """The part of the window `name`. Without a file nothing is kept; one that cannot be read is as good as none.

    Qt's own settings: it locks the file, so that several windows may write it, and replaces it whole.
    """

    def __init__(self, name: str, file: Path | None) -> None:
        self._name = name
        self._look: Appearance | None = None
        self._kept = QSettings(str(file), QSettings.Format.IniFormat) if file is not None else None

    def appearance(self, given: WindowOptions) -> Appearance:
        """What the command line says, which is not kept, else what was chosen in this window, else in the home window,
        else the usual.

        A window with usual colours of its own does not follow the home window: it is another person's, the subject's.
        """
        names = [self._name, *[_LIKE_ALL] * (given.usual_theme == "system")]
        theme = next((one for value in self._all(given.theme, "theme", names) for one in THEMES if one == value), None)
        percent = next((one for value in self._all(given.text_size, "text_size", names) for one in TEXT_SIZES
                        if str(one) == str(value)), ORDINARY)  # fmt: skip
        self._look = Appearance(theme or given.usual_theme, percent)
        return self._look

    def keep_look(self, chosen: Appearance) -> None:
        """A person chose this look in this window: what it changes is kept."""
        before, self._look = self._look, chosen
        if self._kept is not None:
            if before is None or chosen.theme != before.theme:
                self._kept.setValue(f"{self._name}/theme", chosen.theme)
            if before is None or chosen.percent != before.percent:
                self._kept.setValue(f"{self._name}/text_size", chosen.percent)
            self._kept.sync()

    def restore(self, window: QWidget) -> None:
        """Put the window where it was, at first with its frame within the screen. Qt moves what would lie beyond every
        screen that is there now."""
        if self._kept is None:
            return
        window.resize(window.size().boundedTo(window.screen().availableSize() - FRAME))
        if isinstance(place := self._kept.value(f"{self._name}/place"), QByteArray):
            window.restoreGeometry(place)

    def keep_place(self, window: QWidget) -> None:
        """Where the window is now, also when it was just closed."""
        if self._kept is not None:
            self._kept.setValue(f"{self._name}/place", window.saveGeometry())
            self._kept.sync()

    def _all(self, given: object, what: str, names: Iterable[str]) -> Iterator[object]:
        yield given
        if self._kept is not None:
            yield from (self._kept.value(f"{name}/{what}") for name in names)
