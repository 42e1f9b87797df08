"""Remembers how the panels were dragged and whether soft tones are on, for each study."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from wizard_app.window.pages.work_page import WorkPage


class LayoutMemory:
    """A small file in the study; it may be missing or broken, then the panels stand as designed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def restore(self, page: WorkPage) -> None:
        """Put the panels where they were left; what was never kept stays as it is."""
        kept = QSettings(str(self._path), QSettings.Format.IniFormat)
        for name, splitter in page.splitters.items():
            state = kept.value(name)
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
        place = str(kept.value("side", ""))
        if place.isdecimal():
            page.side.show_place(int(place))
        folded = kept.value("folded")
        if folded in ("true", "false"):
            page.fold_right(folded == "true")

    @property
    def soft_tones(self) -> bool:
        """Whether the wizard last switched them on."""
        return QSettings(str(self._path), QSettings.Format.IniFormat).value("soft_tones") in ("true", True)

    def keep_soft_tones(self, wanted: bool) -> None:
        """Keep what the wizard chose."""
        kept = QSettings(str(self._path), QSettings.Format.IniFormat)
        kept.setValue("soft_tones", wanted)
        kept.sync()

    def keep(self, page: WorkPage) -> None:
        """Keep where the panels are now."""
        kept = QSettings(str(self._path), QSettings.Format.IniFormat)
        for name, splitter in page.splitters.items():
            kept.setValue(name, splitter.saveState())
        kept.setValue("side", page.side.place)
        if page.folded_by_hand is not None:
            kept.setValue("folded", page.folded_by_hand)
        # Written now, since a station may be ended before Qt comes to it.
        kept.sync()
