"""The host's end of all chairs without sockets: messages in, lines for the journal and messages out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from curtain.session.chairs.table import ChairFact, ChairLine, ChairTable
from curtain.session.roles import Chair
from curtain_rooms.chairs import rules
from curtain_rooms.chairs.messages import (
    CHAIR_MAGIC,
    CHAIR_PROTOCOL,
    AnyRequest,
    ChairHello,
    ChairRefused,
    ChairWelcome,
    RequestGranted,
    RequestRefused,
    ToChair,
)


@dataclass
class HostStep:
    """What the host does now: append `lines` to the journal, then send `letters` (connection, message) in order.

    Connections in `closed` are over.
    """

    lines: list[ChairLine] = field(default_factory=list)
    letters: list[tuple[int, ToChair]] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)


class ChairHost:
    """Serves the chairs of one session. Connections are numbers that the owner gives and never gives again."""

    def __init__(self, history: list[ChairLine] | None = None, desk: str = "") -> None:
        """`history`: the lines about chairs of a session that is opened; `begin` says who is here now.

        `desk`: who sits at the session's own station; "" while no session is open.
        """
        self.table = table_of(history or [])
        self._desk = desk
        self._seats: dict[int, ChairHello] = {}

    def begin(self, before: ChairHost | None = None) -> HostStep:
        """The session is open: all who sat here earlier have left, and then those sit down who are connected to
        `before`, behind the person at the host's own desk."""
        step = HostStep()
        for wizard_id in list(self.table.chairs):
            self._write(step, rules.leave(self.table, wizard_id))
        for connection, hello in (before._seats if before is not None else {}).items():
            if hello.wizard_id == self._desk:
                _refuse(step, connection, ChairRefused(code="in_use", sentence=str(rules.in_use(self._desk))))
            else:
                self._seats[connection] = hello
        return self.seat_all(step)

    def seat_all(self, step: HostStep | None = None) -> HostStep:
        """Seat whoever is here and has no chair, as after a disk that did not take it. A desk alone needs none."""
        step = step or HostStep()
        if self._desk and self._seats:
            self._seat(step, self._desk, "wizard")
        for hello in self._seats.values():
            self._seat(step, hello.wizard_id, hello.chair)
        return step

    def receive(self, connection: int, message: ChairHello | AnyRequest, granted: str = "") -> HostStep:
        """A message of a chair about itself or about one part; `granted` is the chair that its pairing allows."""
        if isinstance(message, ChairHello):
            return self._greet(connection, message, granted)
        if connection not in self._seats:
            refused = ChairRefused(code="no_hello", sentence="This chair did not say who it is.")
            return _refuse(HostStep(), connection, refused)
        return self._request(connection, message)

    def drop(self, connection: int) -> HostStep:
        """The connection is gone."""
        step = HostStep()
        if (seat := self._seats.pop(connection, None)) is not None:
            self._write(step, rules.leave(self.table, seat.wizard_id))
        return step

    def around(self, wizard_id: str, written: Sequence[rules.Written]) -> list[rules.Written]:
        """All to journal in one piece for these facts. Raises NotGranted; then nothing changes."""
        whole = rules.around(self.table, wizard_id, written)
        self._write(HostStep(), [ChairLine(fact, turn) for fact, turn in whole if isinstance(fact, ChairFact)])
        return whole

    def remember(self, lines: list[ChairLine]) -> None:
        """What the host's desk did while nobody else was here: the journal knows it without lines about chairs."""
        self._write(HostStep(), lines)

    def recall(self, history: list[ChairLine]) -> None:
        """The disk did not take what was granted: only what is in the journal holds."""
        self.table = table_of(history)

    def decide(self, wizard_id: str, wish: AnyRequest) -> list[ChairLine]:
        """What a wish from the host's own desk makes. Raises NotGranted."""
        lines = rules.decide(self.table, wizard_id, wish)
        self._write(HostStep(), lines)
        return lines

    @property
    def has_guests(self) -> bool:
        """Whether somebody has joined the host's own desk."""
        return bool(self._seats)

    def name_of(self, connection: int) -> str | None:
        """Who sits at this connection; None before the hello."""
        return self._seats[connection].wizard_id if connection in self._seats else None

    def _greet(self, connection: int, hello: ChairHello, granted: str) -> HostStep:
        if connection in self._seats:
            step = self.drop(connection)  # a second hello is a problem: its parts must not stay behind
            return _refuse(step, connection, ChairRefused(code="late", sentence="This chair said twice who it is."))
        if hello.magic != CHAIR_MAGIC or hello.version != CHAIR_PROTOCOL:
            sentence = "The stations have different versions of Curtain. Install the same on both."
            return _refuse(HostStep(), connection, ChairRefused(code="version", sentence=sentence))
        step = self.seat_all(self._hang_up_old(hello))
        try:
            if hello.wizard_id == self._desk:
                raise rules.in_use(self._desk)
            rules.join(self.table, hello.wizard_id, hello.chair, granted)
        except rules.NotGranted as error:
            return _refuse(step, connection, ChairRefused(code="in_use", sentence=str(error)))
        step.letters.append((connection, ChairWelcome(wizard_id=hello.wizard_id, chair=hello.chair)))
        self._seats[connection] = hello
        return self.seat_all(step)

    def _hang_up_old(self, hello: ChairHello) -> HostStep:
        """A desk that dials again gives up its own connection of before, which may be dead without our knowing."""
        for connection, seat in self._seats.items():
            if hello.secret and (seat.wizard_id, seat.secret) == (hello.wizard_id, hello.secret):
                step = self.drop(connection)
                step.closed.append(connection)
                return step
        return HostStep()

    def _request(self, connection: int, wish: AnyRequest) -> HostStep:
        step = HostStep()
        try:
            self._write(step, rules.decide(self.table, self._seats[connection].wizard_id, wish))
        except rules.NotGranted as error:
            step.letters.append((connection, RequestRefused(number=wish.number, sentence=str(error))))
        else:
            step.letters.append((connection, RequestGranted(number=wish.number)))
        return step

    def _seat(self, step: HostStep, wizard_id: str, chair: Chair) -> None:
        if wizard_id not in self.table.chairs:
            self._write(step, rules.join(self.table, wizard_id, chair, "wizard"))

    def _write(self, step: HostStep, lines: list[ChairLine]) -> None:
        for line in lines:
            self.table = self.table.after(line)
            step.lines.append(line)


def table_of(lines: Iterable[ChairLine]) -> ChairTable:
    """The table that a whole journal makes."""
    table = ChairTable()
    for line in lines:
        table = table.after(line)
    return table


def _refuse(step: HostStep, connection: int, refused: ChairRefused) -> HostStep:
    step.letters.append((connection, refused))
    step.closed.append(connection)
    return step
