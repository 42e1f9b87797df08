"""The loudspeaker or headphones of the wizard's station: opened by name, and anew when one was lost."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from curtain.qt.background import Background, or_else
from curtain.qt.listen_control import ListenControl, in_plain_words, open_player
from wizard_app.desk import preparation

if TYPE_CHECKING:
    from curtain.audio.playback import Player


class SoundOutput(QObject):
    """Gives the player to `listen`. `opened(why)`: with the reason if the output is silent, else an empty text.
    `listed(names)`: the outputs that there are. `failed(sentence)`: none could be opened or listed."""

    opened = Signal(str)
    listed = Signal(list)
    failed = Signal(str)

    def __init__(self, name: str | None, listen: ListenControl, sound: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._name = name
        self._listen = listen
        self._sound = sound
        listen.reopen_requested.connect(partial(self._open, anew=True))

    def begin(self, background: Background) -> None:
        """Open the output and list all of them; the list may take longer and goes another way."""
        self.open(self._name or "")
        background.run(preparation.outputs, or_else(self.listed.emit, lambda error: self.failed.emit(str(error))))

    def open(self, name: str) -> None:
        """Open the output of this name, away from the window; an empty name is the system's own."""
        self._name = name or None
        self._open()

    def _open(self, anew: bool = False) -> None:
        """With `anew` the former player is closed, so that the sound system may look for its devices again."""
        self._sound.run(
            partial(open_player, self._name, self._listen, anew),
            or_else(self._on_player, lambda error: self.failed.emit(in_plain_words(error))),
        )

    def _on_player(self, player: Player) -> None:
        from curtain.audio.levels import envelope

        self.opened.emit(getattr(player.output, "why", "") if player.output.silent else "")
        self._listen.set_player(player, envelope)
