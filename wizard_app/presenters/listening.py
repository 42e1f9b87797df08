"""Which take plays at a key or a click, and the panels that show it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from wizard_app.desk.controllers import Controllers
from wizard_app.desk.sound.live_listening import LiveListening
from wizard_app.presenters.cursor import Cursor
from wizard_app.presenters.desk_screen import PageSet
from wizard_app.window.panels.listen_panel import ListenPanel


class Listening(QObject):
    """Connects the playback with the keys, the panels and the lists of turns."""

    def __init__(self, pages: PageSet, controllers: Controllers, cursor: Cursor, live: LiveListening) -> None:
        super().__init__(live)
        self._live = live
        self._turn_list = pages.work.turns
        self._session = controllers.session
        self._turns = controllers.turns
        self._listen = controllers.listen
        self._cursor = cursor
        self._panel = pages.work.listen
        self.watches = False
        """Nobody works here: each take plays when it comes, unless it was heard while it was spoken."""
        self._session.take_here.connect(self._on_take_here)
        self._turns.turn_changed.connect(self.show_turn)
        live.began.connect(self._on_live_began)
        live.heard.connect(lambda _turn: self._show_live(0))
        live.missed.connect(self._on_missed)
        pages.work.turns.replay_requested.connect(self._on_replay_of)
        pages.archive.turns.replay_requested.connect(lambda _turn: self._listen.play())
        self._serve(pages.work.listen)
        self._serve(pages.archive.listen)

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """What the keys of playback do, by the names of the key table."""
        return {"replay": self._on_replay, "back": self._listen.back, "speed": self._listen.change_speed}

    def show_turn(self) -> None:
        """Another turn is worked on, or none: its recording plays if it is here and new to the wizard."""
        self._show_take(play=self._plays_by_itself)

    def _show_take(self, play: bool) -> None:
        turn = self._turns.turn
        wav = self._session.take_path(turn.number) if turn is not None else None
        self._listen.show_take(turn.number if turn is not None else None, wav, play and wav is not None)
        if turn is not None and wav is None:
            typed = turn.typed is not None
            self._panel.show_notice(self.tr("typed, no sound") if typed else self.tr("the sound is arriving"))

    @property
    def _plays_by_itself(self) -> bool:
        turn = self._turns.turn
        return turn is not None and not self._turns.correcting and not turn.heard and not self._live.covers(turn.number)

    def _serve(self, panel: ListenPanel) -> None:
        panel.replay_requested.connect(self._listen.play)
        panel.back_requested.connect(self._listen.back)
        panel.speed_requested.connect(self._listen.change_speed)
        self._listen.take_shown.connect(panel.show_take)
        self._listen.outline_drawn.connect(panel.show_outline)
        self._listen.place_moved.connect(panel.show_place)
        self._listen.speed_changed.connect(panel.show_speed)

    def _on_take_here(self, turn: int, wav: Path) -> None:
        current = self._turns.turn
        if current is not None and current.number == turn:
            self.show_turn()
        elif self.watches and not self._listen.playing:
            self._listen.show_take(turn, wav, play=not self._live.covers(turn))

    def _on_live_began(self, turn: int) -> None:
        self._show_live(turn)
        self._panel.show_live()

    def _on_missed(self, turn: int) -> None:
        """Something of it was not heard: the recording plays, if it is here and nobody has played it."""
        self._show_live(0)
        wav = self._session.take_path(turn)
        if self.watches and wav is not None:
            self._listen.show_take(turn, wav, play=True)
            return
        is_shown = self._listen.turn == turn and wav is not None
        if is_shown and self._plays_by_itself and not self._listen.playing:
            self._listen.play()

    def _show_live(self, turn: int) -> None:
        """`live_turn` is what a driver reads."""
        self._panel.window().setProperty("live_turn", turn)
        # Where somebody else works on the turn, no recording comes here in place of “speaking now”.
        if not turn and self._turns.turn is None:
            self._panel.show_notice("")

    def _on_replay_of(self, number: int) -> None:
        """A double click on a turn plays it, whichever is at work."""
        if number == self._listen.turn:
            self._listen.play()
            return
        wav = self._session.take_path(number)
        if wav is not None:
            self._listen.show_take(number, wav, play=True)

    def _on_replay(self) -> None:
        """F2 plays the turn at work; in the list of turns the chosen one."""
        turn, chosen = self._turns.turn, self._turn_list.selected
        if not self._cursor.at_work:
            self._listen.play()
        elif self._turn_list.hasFocus() and chosen is not None:
            self._on_replay_of(chosen)
        elif turn is not None and turn.number != self._listen.turn:
            self._show_take(play=True)
        else:
            self._listen.play()
