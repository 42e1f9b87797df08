"""Plays recordings: at once, again, from a second earlier, a part of them, round and round, slower or faster."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.base.errors import CurtainError
from curtain.qt.background import Background, nothing, or_else

if TYPE_CHECKING:
    from curtain.audio.levels import Envelope
    from curtain.audio.live_voice import LiveVoice
    from curtain.audio.playback import Player, ToneMark

SPEEDS = (1.0, 0.8, 0.6, 1.3)
# The speeds of one key, and steps between them for the two others.
_STEPS = tuple(sorted({*SPEEDS, 0.7, 0.5, 1.6}))
_OUTLINE_POINTS = 400
_LOOK_EVERY_MS = 50


Draw = Callable[[Path, int], "Envelope"]


class ListenControl(QObject):
    """Holds the take of the turn at work; `heard(turn)` is emitted the first time it is played.

    `output_lost` may be emitted from any thread, by whoever listens to the player. `reopen_requested`: the output does
    not take sound any more; whoever hears it gives another player, which then plays what was asked for.
    """

    heard = Signal(int)
    playing_began = Signal()
    reopen_requested = Signal()
    take_shown = Signal(bool)
    outline_drawn = Signal(object, object)
    place_moved = Signal(float, float)
    speed_changed = Signal(float)
    loop_changed = Signal(bool)
    problem = Signal(str)
    output_lost = Signal(str)

    def __init__(self, background: Background, parent: QObject | None = None) -> None:
        """`background` must do one thing after the other: opening a device can take a second."""
        super().__init__(parent)
        self._background = background
        self._player: Player | None = None
        self._draw: Draw | None = None
        self.turn: int | None = None
        self._wav: Path | None = None
        # The length of the recording, 0 until it is known.
        self.seconds = 0.0
        self._place = 0.0
        self._chosen = 0.0
        self._speed = SPEEDS[0]
        self._wants_to_play = False
        self._gone = False
        self._reopened = False
        # By turn: only the first time counts, also after another take was shown.
        self._heard: set[int] = set()
        self._span: tuple[float, float] | None = None
        self._span_once = False
        self._loops = False
        self._looking = QTimer(self, interval=_LOOK_EVERY_MS)
        self._looking.timeout.connect(self._look)
        self.output_lost.connect(self._on_output_lost)

    @property
    def playing(self) -> bool:
        """Whether it sounds now, or will as soon as the output takes it."""
        return self._wants_to_play or self._looking.isActive()

    @property
    def place(self) -> float:
        """Seconds into the recording: where it plays, or where it began or stopped."""
        # The player may be at an earlier take still, for it starts on another thread.
        if self._player is not None and self._looking.isActive() and self._player.playing == self._wav:
            return self._player.position
        return self._place

    def set_player(self, player: Player, draw: Draw) -> None:
        """The sound system is ready, or another output was chosen; what waited to be heard is played now."""
        if self._player is not None:
            # On the background: closing a device can take a second.
            self._background.run(self._player.close)
        self._player, self._draw, self._gone = player, draw, False
        player.set_speed(self._speed)
        self._draw_outline()
        if self._wants_to_play:
            self.play()

    def show_take(self, turn: int | None, wav: Path | None, play: bool) -> None:
        """Take up another take, or none."""
        if (turn, wav) == (self.turn, self._wav):
            # The same take again: what plays goes on.
            return
        self.stop()
        self.turn, self._wav, self.seconds = turn, wav, 0.0
        self._span, self._place, self._chosen = None, 0.0, 0.0
        self.take_shown.emit(wav is not None)
        self._draw_outline()
        if play:
            self.play()

    def hear_live(self, voice: LiveVoice) -> None:
        """Let it be heard while it comes. Without an output, and while a take plays, it is given up."""
        player = self._player
        if player is None or self._gone:
            voice.give_up()
            return
        # The take itself is played after the release, and reports what is wrong with the output.
        give_up = or_else(nothing, lambda _: voice.give_up())
        self._background.run(lambda: player.play_live(voice), give_up)

    @Slot()
    def play(self) -> None:
        """From the beginning, or from the place or in the part that was chosen."""
        if self._span_once:
            self.choose_part(None)
        # A chosen place counts once; a part counts until it is taken back.
        start, self._chosen = self._span[0] if self._span else self._chosen, 0.0
        self._play_from(start)

    @Slot()
    def play_or_stop(self) -> None:
        """Stop where it is, or play as `play` does."""
        if self.playing:
            self._place = self.place
            self.stop()
        else:
            self.play()

    def play_part(self, start: float, end: float) -> None:
        """Play from one second to another, this time alone."""
        self.choose_part((start, end))
        self._span_once = True
        self._play_from(start)

    def choose_part(self, span: tuple[float, float] | None) -> None:
        """From now on play only from one second to another, or all of it again."""
        self._span_once = False
        self._span = span if span is not None and span[1] > span[0] else None

    def choose_place(self, seconds: float) -> None:
        """Be still at this place; the next time it is played from there."""
        self.stop()
        self._place = self._chosen = seconds

    @Slot()
    def toggle_loop(self) -> None:
        """Whether it begins again at its end."""
        self._loops = not self._loops
        self.loop_changed.emit(self._loops)

    @Slot()
    def back(self) -> None:
        """One second back; after the end, the last second once more."""
        if self._player is None or self._wav is None:
            return
        if self._player.playing == self._wav:
            self._player.back(1.0)
        else:
            self._play_from(max(0.0, self.seconds - 1.0))

    @Slot()
    def change_speed(self) -> None:
        """1.0, 0.8, 0.6, 1.3 and round; what plays goes on from its place."""
        at = SPEEDS.index(self._speed) if self._speed in SPEEDS else -1
        self._set_speed(SPEEDS[(at + 1) % len(SPEEDS)])

    @Slot()
    def slower(self) -> None:
        """One step slower, at least 0.5; what plays goes on from its place."""
        self._set_speed(max((speed for speed in _STEPS if speed < self._speed), default=_STEPS[0]))

    @Slot()
    def faster(self) -> None:
        """One step faster, at most 1.6; what plays goes on from its place."""
        self._set_speed(min((speed for speed in _STEPS if speed > self._speed), default=_STEPS[-1]))

    def _set_speed(self, speed: float) -> None:
        self._speed = speed
        if self._player is not None:
            self._player.set_speed(self._speed)
        self.speed_changed.emit(self._speed)

    @Slot()
    def stop(self) -> None:
        """Be still. The place is kept only by `play_or_stop` and `choose_place`."""
        self._wants_to_play = False
        self._looking.stop()
        if self._player is not None:
            self._background.run(self._player.stop)

    def chime(self, mark: ToneMark) -> None:
        """A soft tone where the takes are played. An output that fails is reported when a take is to be heard."""
        if self._player is not None and not self._gone:
            self._background.run(partial(self._player.chime, mark), or_else(nothing, nothing))

    def hush(self) -> None:
        """End the soft tones."""
        if self._player is not None:
            self._background.run(self._player.hush)

    def close(self) -> None:
        """Let the output go; called where waiting is allowed."""
        self._looking.stop()
        if self._player is not None:
            self._player.close()

    def _play_from(self, seconds: float) -> None:
        player, wav, turn = self._player, self._wav, self.turn
        self._wants_to_play = True
        if self._gone:
            # The output went while nobody played: it is opened anew only now that somebody wants to hear.
            self._reopen()
        if player is None or wav is None or turn is None:
            return
        self._background.run(
            partial(player.play, wav, start_seconds=seconds), or_else(lambda _: self._on_playing(turn), self._on_mute)
        )

    def _on_playing(self, turn: int) -> None:
        if not self.playing:
            return  # stopped before it began
        # It plays, so the next problem is a new one.
        self._wants_to_play = self._reopened = False
        self._looking.start()
        self.playing_began.emit()
        if turn not in self._heard:
            self._heard.add(turn)
            self.heard.emit(turn)

    def _on_mute(self, error: CurtainError) -> None:
        """A take that cannot be read is reported; an output that came back is found only by opening it anew."""
        if not _is_output(error):
            self.problem.emit(str(error))
            return
        player, self._player = self._player, None
        self._gone = True
        if player is not None:
            self._background.run(player.close)
        # Once only: an output that fails again at once is reported, not tried for ever.
        if self._reopened:
            self._reopened = False
            self.problem.emit(in_plain_words(error))
        else:
            self._reopen()

    def _reopen(self) -> None:
        self._reopened = True
        self.reopen_requested.emit()

    @Slot(str)
    def _on_output_lost(self, reason: str) -> None:
        self.problem.emit(reason + " " + self.tr("F2 tries it again."))

    def _draw_outline(self) -> None:
        draw, wav = self._draw, self._wav
        if draw is not None and wav is not None:
            self._background.run(lambda: draw(wav, _OUTLINE_POINTS), lambda future: self._on_drawn(wav, future))

    def _on_drawn(self, wav: Path, future: Future[Envelope]) -> None:
        # The drawing may come when another take is shown.
        if wav != self._wav:
            return
        try:
            outline = future.result()
        except CurtainError as error:
            self.problem.emit(str(error))
            return
        self.seconds = outline.seconds
        self.outline_drawn.emit(outline.low, outline.high)
        self.place_moved.emit(0.0, self.seconds)

    # By looking: the player reports its end on its own thread.
    def _look(self) -> None:
        if self._player is None or self._player.playing != self._wav:
            self._on_end(self.seconds)
            return
        self._place = self._player.position
        if self._span is not None and self._place >= self._span[1]:
            self._background.run(self._player.stop)
            self._on_end(self._span[1])
        else:
            self.place_moved.emit(self._place, self.seconds)

    def _on_end(self, place: float) -> None:
        self._looking.stop()
        self._place = place
        self.place_moved.emit(place, self.seconds)
        if self._span_once:
            self.choose_part(None)
        if self._loops:
            self.play()


def in_plain_words(error: CurtainError) -> str:
    """What the person reads when an output does not open: without the sound system's own code in brackets."""
    sentence = str(error)
    # PortAudio's own text, which says nothing to a lab.
    if "PaErrorCode" in sentence:
        sentence = re.sub(r"\s*\(.*\)", "", sentence, flags=re.DOTALL)
    return f"{sentence} F2 tries it again."


def _is_output(error: CurtainError) -> bool:
    # Loaded already when there is a player; nothing before it needs the audio room.
    from curtain.audio.devices import SoundError

    return isinstance(error, SoundError)


def open_player(name: str | None, listen: ListenControl, anew: bool = False) -> Player:
    """A player on an output that is open; with `anew`, among the devices that are there now. Raises CurtainError."""
    # The system's sound takes longer to load than a window to be painted.
    from curtain.audio.outputs import choose_output
    from curtain.audio.playback import Player, PlayerListener

    class Listener(PlayerListener):
        def on_output_lost(self, reason: str) -> None:
            listen.output_lost.emit(reason)

    if anew:
        from curtain.audio.devices import rescan

        rescan()
    player = Player(choose_output(name), Listener())
    player.open()
    return player


class OpenedSound(QObject):
    """Opens the output on another thread, anew when it was lost, and gives the listening its player. `opened(why)`:
    with the reason if it is silent, else an empty text. `report` gets why none could be opened. `shared`: what
    plays may come out of the system's own loudspeaker, which another program on this machine uses."""

    opened = Signal(str)

    def __init__(self, background: Background, listen: ListenControl, output: str | None) -> None:
        """`background` must be the one that `listen` plays on."""
        super().__init__(listen)
        self._background = background
        self._listen = listen
        self._output = output
        self.shared = True
        self.report: Callable[[str], object] = listen.problem.emit
        listen.reopen_requested.connect(partial(self._open, anew=True))

    def begin(self) -> None:
        """Open the output, away from the window."""
        self._open()

    def open(self, name: str) -> None:
        """Open the output of this name; an empty one is the system's own."""
        self._output = name or None
        self._open()

    def _open(self, anew: bool = False) -> None:
        self._background.run(
            partial(self._opened, self._output, anew),
            or_else(lambda made: self._on_player(*made), lambda error: self.report(in_plain_words(error))),
        )

    def _opened(self, name: str | None, anew: bool) -> tuple[Player, bool]:
        from curtain.audio.devices import is_systems_own

        player = open_player(name, self._listen, anew)
        return player, name is None or is_systems_own(player.output.name)

    def _on_player(self, player: Player, shared: bool) -> None:
        from curtain.audio.levels import envelope

        self.shared = shared
        self.opened.emit(getattr(player.output, "why", "") if player.output.silent else "")
        self._listen.set_player(player, envelope)
