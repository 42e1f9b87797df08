"""The conversation with the page: what comes is applied to the station in its order, what is to be seen goes back."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from curtain.base.clock import steady_ns
from curtain.link import messages
from curtain.session.events.subject_events import LONGEST_HOLD_S
from curtain_browser import wire
from curtain_browser.inbox import NS_PER_US, LifeClock, OutOfOrder, PageOrder
from curtain_browser.screen import do, screen_of, shown_of, welcome_of
from curtain_browser.seat import PageSeat
from curtain_browser.sound import PageMicrophones
from curtain_browser.wire import Act, Down, Mic, PagePainted, PageSound, Up
from subject_app.session.screen_state import ScreenState
from subject_app.session.texts import Texts
from subject_app.sitting.states import Seated, SittingDown
from subject_app.sitting.view import View
from subject_app.station import SubjectStation
from subject_app.talk.hold import Keyed, RawKeys, Stamp
from subject_app.talk.microphone import Readiness

if TYPE_CHECKING:
    from curtain_browser.server import PageServer

log = logging.getLogger(__name__)

NS_PER_S = 1_000_000_000
TICK_MS, ASK_EVERY = 100, 5
SYNCED_NS = 300_000_000
"""What the recorder wrote so long ago is fsynced: it does so every 250 ms."""
AWAY_NS, LEFT_NS, OPENS_NS = 6 * NS_PER_S, 2 * NS_PER_S, 10 * NS_PER_S
CUT_NS = round((LONGEST_HOLD_S + 30) * NS_PER_S)
"""A line that was cut may come back: the hold goes on in the page, and is ended here only after this. Where the browser
said that the page was left, it is ended after LEFT_NS."""
MOST_EARLY, MOST_LIVES, MOST_FED = 4096, 8, 500
SAME_NS = 100_000_000
"""Two presses are never so near each other: what is, came twice."""
EVER_NS = 2**63
Event = Mic | Down | Up | Act | PagePainted | PageSound


@dataclass
class _Line:
    """One connection of the page, while it lasts."""

    number: int
    heard_ns: int
    hidden: bool = False
    caught_up: bool = False
    asked_seq: dict[int, int] = field(default_factory=dict)


class PageTalk(QObject):
    """It lives on the thread of the station; `opened`, `heard` and `gone` are for the server's. `gone` is given whether
    the browser said that it leaves the page."""

    _opened = Signal(int)
    _heard = Signal(int, object, object)
    _gone = Signal(int, bool)

    def __init__(
        self, station: SubjectStation, microphones: PageMicrophones, seat: PageSeat, texts: Texts, language: str,
        now_ns: Callable[[], int] = steady_ns,
    ) -> None:  # fmt: skip
        super().__init__()
        self._station, self._microphones, self._seat = station, microphones, seat
        self._texts, self._language, self._now_ns = texts, language, now_ns
        self.out: PageServer  # given before it listens
        self._view, self._shown = View(), ScreenState()
        self._welcome: messages.Welcome | None = None
        self._noted, self._ticks = "", 0
        self._line: _Line | None = None
        self._over = False
        # What was pressed before this process showed the page anything was judged by the one before it.
        self._started_ns, self._forbidden_ns = self._now_ns(), EVER_NS
        self._begin_box()
        self._wire()
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _begin_box(self) -> None:
        """Another page has the seat: its numbers and its clock are new."""
        self._box = self._seat.kept.box
        self._order, self._keys = PageOrder(), RawKeys()
        self._life = self._chosen = ""
        self._clocks: dict[str, LifeClock] = {}
        # With the connection that waits until it is done with; 0 where it does not.
        self._pending: deque[tuple[Event, int]] = deque()
        self._unsafe: deque[int] = deque()
        self._aging: deque[tuple[int, int]] = deque()
        self._through = self._up = 0
        self._last: Stamp | None = None
        self._gone_ns, self._left, self._opens_until_ns = self._now_ns(), False, 0

    def _wire(self) -> None:
        station, queued = self._station, Qt.ConnectionType.QueuedConnection
        station.shown_elsewhere = True
        station.began.connect(self._on_began)
        station.left.connect(self._on_left)
        station.welcomed.connect(self._on_welcomed)
        station.view_changed.connect(self._on_view)
        station.shown_changed.connect(self._on_shown)
        station.microphone.changed.connect(self._on_microphone)
        station.tested.connect(lambda _heard: self._show_screen())
        station.solution_noted.connect(self._on_noted)
        self._opened.connect(self._on_opened, queued)
        self._heard.connect(self._on_heard, queued)
        self._gone.connect(self._on_gone, queued)
        self.opened, self.heard, self.gone = self._opened.emit, self._heard.emit, self._gone.emit

    @property
    def here(self) -> bool:
        """Whether a page is connected and answers."""
        return self._line is not None and self._now_ns() - self._line.heard_ns < AWAY_NS

    @Slot(int)
    def _on_opened(self, connection: int) -> None:
        if self._seat.kept.box != self._box:
            self._end_hold()
            self._begin_box()
        self._line = _Line(connection, self._now_ns())
        self._send(self._greeting())
        # At once: nothing is dated before the clocks are tied.
        self._ask()
        self._show_screen()
        self._send(shown_of(self._shown))
        if self._over:
            self._say_goodbye()

    def _greeting(self) -> wire.PageWelcome:
        return welcome_of(self._box, self._order.acked, self._texts, self._language, self._welcome)

    @Slot(int, bool)
    def _on_gone(self, connection: int, closed_by_page: bool) -> None:
        if self._line is not None and self._line.number == connection:
            self._line = None
            self._gone_ns, self._left = self._now_ns(), closed_by_page

    @Slot(int, object, object)
    def _on_heard(self, connection: int, frame: str | bytes, at_ns: int) -> None:
        line, waits = self._line, False
        if line is None or line.number != connection:
            self.out.done(connection)
            return
        try:
            event = wire.read_sound(frame) if isinstance(frame, bytes) else wire.read_text(frame)
            if isinstance(event, wire.ClockReading):
                self._on_clock(line, event, at_ns)
            elif self._order.takes(event.n):
                # Read on while nothing is tied: the answer that ties stands behind it.
                waits = bool(self._tied) or len(self._pending) >= MOST_EARLY
                self._pending.append((event, connection if waits else 0))
        except (wire.FrameRefused, OutOfOrder) as refusal:
            log.warning("the page is hung up on: %s", type(refusal).__name__)
            self._on_gone(connection, False)
            self.out.send(connection, None)
        if not waits:
            self.out.done(connection)
        self._pump()

    def _ask(self) -> None:
        if self._line is None:
            return
        # A life that nobody knows yet answers the first question.
        self._clocks.setdefault("", LifeClock())
        ask = self._now_ns() // NS_PER_US
        for clock in self._clocks.values():
            clock.asked(ask)
        self._line.asked_seq[ask] = self._shown.seq
        self._send(wire.PageAsk(ask=ask))

    def _on_clock(self, line: _Line, answer: wire.ClockReading, at_ns: int) -> None:
        line.heard_ns, line.hidden = self._now_ns(), answer.hidden
        if answer.life not in self._clocks:
            self._clocks[answer.life] = self._clocks.pop("", LifeClock())
            while len(self._clocks) > MOST_LIVES:
                del self._clocks[next(iter(self._clocks))]
        self._clocks[answer.life].answered(answer, at_ns)
        seq = line.asked_seq.pop(answer.ask, 0)
        line.caught_up = answer.last <= self._order.applied and not self._pending
        # What the page showed before it answered is on the screen. It is confirmed behind all that was said before it:
        # the wizard could close a session of which something is still on its way.
        if seq and not answer.hidden and line.caught_up:
            self._station.confirm(seq)

    def _send(self, message: wire.ToPage) -> None:
        if self._line is not None:
            self.out.send(self._line.number, wire.write(message))

    def _pump(self) -> None:
        while self._pending and self._tied and self._may_apply(self._pending[0][0]):
            event, connection = self._pending.popleft()
            if not self._apply(event):
                self._unsafe.append(event.n)
            if connection:
                self.out.done(connection)

    def _may_apply(self, event: Event) -> bool:
        state = self._station.state
        always = isinstance(event, Mic) or (isinstance(event, Act) and event.do == "call_for_help")
        if always or not isinstance(state, Seated | SittingDown):
            return True
        # A session that is being opened, or has not been welcomed since a start of this process, is not ready.
        # The recorder takes a minute ahead of its disk and no more: a page that catches up has to wait for it.
        return self._station.seated and len(self._microphones.fed) < MOST_FED and self._now_ns() >= self._opens_until_ns

    def _apply(self, event: Event) -> bool:
        """Whether the recorder will say when it is done with it."""
        # First: a view that follows from it says so.
        if isinstance(event, Down | Act):
            self._through = event.n
        if isinstance(event, Mic):
            self._on_mic(event)
        elif isinstance(event, Act) and event.do == "call_for_help":
            self._station.call_for_help()
        elif isinstance(self._station.state, Seated):
            return self._apply_seated(event, self._stamp(event.ms))
        return False

    @property
    def _tied(self) -> dict[str, LifeClock]:
        return {life: clock for life, clock in self._clocks.items() if clock.tie}

    def _stamp(self, ms: float) -> Stamp:
        # Of a life before a start of this process nothing is known but that its clock hardly jumps.
        clock = self._tied.get(self._life) or next(iter(self._tied.values()))
        return clock.stamp(ms, self._now_ns())

    def _apply_seated(self, event: Event, at: Stamp) -> bool:
        station = self._station
        if isinstance(event, PageSound | Down | Up):
            self._last = at
        match event:
            case PageSound():
                self._do(self._keys.until(at))
                source = self._microphones.source
                return source is not None and source.take(event, at.stream)
            case Down():
                allowed = self._view.talking_allowed or at.ns < self._forbidden_ns
                self._do(self._keys.down(at, event.by, allowed and not self._is_journaled(at)))
            case Up():
                self._up = event.n
                self._do(self._keys.up(at, event.why))
                if not self._keys.held:
                    self._through = event.n
            case PagePainted():
                self._on_painted(event, at)
            case Act(do="begin_typing"):
                station.acts.begin_typing(at.ns)
            case Act(do="ask"):
                if not self._is_journaled(at):
                    station.acts.ask(event.value, at.ns)
            case Act(do="choose_microphone"):
                self._chosen = event.value
            case Act(do="played"):
                self._microphones.note_played(event.value != "silent")
            case Act():
                do(station, event, self._view)
                self._show_screen()
        return False

    def _is_journaled(self, at: Stamp) -> bool:
        """Whether an earlier start of this process has it already, and only its acknowledgement was lost."""
        state = self._station.state
        if at.ns > self._started_ns or not isinstance(state, Seated):
            return False
        turns = state.sitting.past.turns.values()
        moments = [one.pressed_ns if one.typed is None else one.released_ns for one in turns]
        return any(moment is not None and abs(moment - at.ns) < SAME_NS for moment in moments)

    def _do(self, keyed: list[Keyed]) -> None:
        for each in keyed:
            if each.why is None:
                self._station.acts.press(each.at, each.by)
            else:
                # Until it is certain, the page knows better.
                self._through = max(self._through, self._up)
                self._station.acts.release(each.at, each.why)

    def _on_painted(self, event: PagePainted, at: Stamp) -> None:
        state = self._station.state
        if event.what != "one_moment":
            if 0 < event.seq <= self._shown.seq:
                self._station.acts.painted(event.what, event.seq, event.turn, at.ns)
        elif isinstance(state, Seated) and (turn := state.sitting.takes.last_turn):
            self._station.acts.painted("one_moment", 0, turn, at.ns)

    def _on_mic(self, mic: Mic) -> None:
        if mic.life != self._life:
            # Loaded anew: what was held is held no more.
            self._end_hold()
            self._life = mic.life
            self._clocks = {life: clock for life, clock in self._clocks.items() if life in (mic.life, "")}
        # Browsers give no name where they were not allowed to.
        self._microphones.update(mic if mic.name else msgspec.structs.replace(mic, name="microphone"))
        self._opens_until_ns = self._now_ns() + OPENS_NS if mic.state == "ready" else 0
        self._look_at_microphone()

    def _look_at_microphone(self) -> None:
        mic, microphone, soon = self._microphones.mic, self._station.microphone, self._now_ns() < self._opens_until_ns
        wanted, types = (self._welcome.microphone, self._welcome.input == "text") if self._welcome else ("", False)
        recorded = microphone.readiness is Readiness.READY and self._microphones.is_opened
        if mic is None or mic.state != "ready" or recorded or types or not self._station.seated:
            self._opens_until_ns = 0
        elif microphone.readiness is Readiness.READY or (soon and microphone.readiness is not Readiness.OPENING):
            # A study that names a microphone gets it or says that it is missing; the subject may choose another one.
            if wanted.casefold() in mic.name.casefold() or mic.name == self._chosen:
                microphone.choose(mic.name)
            else:
                self._opens_until_ns = 0

    @Slot()
    def _on_microphone(self) -> None:
        self._look_at_microphone()
        self._show_screen()
        self._pump()

    def _end_hold(self) -> None:
        """The page that held the key is gone: its hold ends with the last that came of it, and so does its sound."""
        if self._last is not None and self._keys.held:
            self._do(self._keys.up(self._last, "page_left"))
            self._microphones.lose("The page is gone.")

    @Slot()
    def _on_began(self) -> None:
        if self._over:
            # Its page never came back to hear that the session is over.
            self._say_goodbye()
        self._shown, self._noted, self._over = ScreenState(), "", False

    @Slot(object)
    def _on_welcomed(self, welcome: messages.Welcome) -> None:
        if not self._seat.serves(welcome.identity or welcome.session_id):
            self._say_goodbye()
        self._welcome = welcome
        if self._microphones.mic is not None and self._microphones.mic.state == "ready":
            self._opens_until_ns = self._now_ns() + OPENS_NS
        self._send(self._greeting())
        self._send(shown_of(self._shown))

    @Slot()
    def _on_left(self) -> None:
        self._welcome = None
        if self._view.page == "closing":
            self._over = True
            if self._line is not None:
                self._say_goodbye()

    def _say_goodbye(self) -> None:
        """The session of this page is over, and so is its seat."""
        self._show_screen()
        self._send(wire.Bye(why="over"))
        if self._line is not None:
            self.out.send(self._line.number, None)
        self._line = None
        self._seat.vacate()
        self._begin_box()

    @Slot(object)
    def _on_view(self, view: View) -> None:
        self._view = view
        self._show_screen()

    @Slot(object)
    def _on_shown(self, shown: ScreenState) -> None:
        if shown.scenario != self._shown.scenario:
            self._noted = ""
        self._shown = shown
        self._send(shown_of(shown))

    @Slot(str)
    def _on_noted(self, value: str) -> None:
        self._noted = value
        self._show_screen()

    def _show_screen(self) -> None:
        if self._line is not None:
            # What was pressed before the page could know is heard.
            now = self._now_ns()
            self._forbidden_ns = EVER_NS if self._view.talking_allowed else min(self._forbidden_ns, now)
            self._send(screen_of(self._station, self._view, self._noted, self._through))

    @Slot()
    def _tick(self) -> None:
        now = self._now_ns()
        self._ticks += 1
        self._look_after_hold(now)
        self._acknowledge(now)
        self._pump()
        if self._ticks % ASK_EVERY == 0:
            self._ask()
            away = not self.here or (self._line is not None and self._line.hidden)
            self._station.note_absent("screen", away and self._station.seated)

    def _look_after_hold(self, now: int) -> None:
        if self._line is None:
            if now - self._gone_ns > (LEFT_NS if self._left else CUT_NS):
                self._end_hold()
        elif self._line.caught_up and self._last is not None and now - self._last.ns > SAME_NS and self.here:
            # Without sound nothing else says that time goes on.
            self._do(self._keys.until(replace(self._last, ns=now - SAME_NS)))

    def _acknowledge(self, now: int) -> None:
        state, before, written = self._station.state, self._order.acked, self._microphones.written
        if not isinstance(state, Seated) or state.sitting.keeper.settled:
            while self._unsafe:
                self._order.safe(self._unsafe.popleft())
        while written:
            self._aging.append((now, written.popleft()))
        while self._aging and now - self._aging[0][0] > SYNCED_NS:
            self._order.safe(self._aging.popleft()[1])
        if self._order.acked > before:
            self._send(wire.PageAck(n=self._order.acked))
