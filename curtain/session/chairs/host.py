"""The host's end of all chairs without sockets: messages in, lines for the journal and messages out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from curtain.session.chairs import rules
from curtain.session.chairs.messages import (
    CHAIR_MAGIC,
    CHAIR_PROTOCOL,
    AnyRequest,
    ChairHello,
    ChairRefused,
    ChairWelcome,
    PartsLine,
    RequestGranted,
    RequestRefused,
    ToChair,
)
from curtain.session.chairs.table import ChairFact, ChairLine, table_of


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

    def __init__(self, history: list[ChairLine] | None = None) -> None:
        """`history`: the lines about chairs of a session that is resumed. Who sat there then must join again."""
        self._lines = list(history or [])
        self.table = table_of(self._lines)
        self._names: dict[int, str] = {}

    def clear(self) -> HostStep:
        """After a restart of the host: nobody is connected, so every chair of before gives its parts back."""
        step = HostStep()
        for wizard_id in [who for who in self.table.chairs if who not in self._names.values()]:
            self._write(step, rules.leave(self.table, wizard_id))
        return step

    def adopt(self, before: ChairHost) -> list[ChairLine]:
        """Those who are connected sit down in this session too; who sat here earlier has left. For the journal."""
        step = self.clear()
        self._names = dict(before._names)
        for who in self._names.values():
            self._write(step, rules.join(self.table, who, before.table.chairs[who], "wizard"))
        return step.lines

    def receive(self, connection: int, message: ChairHello | AnyRequest, granted: str = "") -> HostStep:
        """A message of a chair about itself or about one part; `granted` is the chair that its pairing allows."""
        if isinstance(message, ChairHello):
            return self._greet(connection, message, granted)
        if connection not in self._names:
            return _refusal(connection, ChairRefused(code="no_hello", sentence="This chair did not say who it is."))
        return self._request(connection, message)

    def drop(self, connection: int) -> HostStep:
        """The connection is gone."""
        step = HostStep()
        if (wizard_id := self._names.pop(connection, None)) is not None:
            self._write(step, rules.leave(self.table, wizard_id))
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
        self._lines = list(history)
        self.table = table_of(self._lines)

    def seat(self, wizard_id: str) -> list[ChairLine]:
        """The person at the host's own desk: once others join, that desk is a chair like theirs."""
        lines = [] if wizard_id in self.table.chairs else rules.join(self.table, wizard_id, "wizard", "wizard")
        self._write(HostStep(), lines)
        return lines

    def decide(self, wizard_id: str, wish: AnyRequest) -> list[ChairLine]:
        """What a wish from the host's own desk makes. Raises NotGranted."""
        lines = rules.decide(self.table, wizard_id, wish)
        self._write(HostStep(), lines)
        return lines

    def name_of(self, connection: int) -> str | None:
        """Who sits at this connection; None before the hello."""
        return self._names.get(connection)

    def _greet(self, connection: int, hello: ChairHello, granted: str) -> HostStep:
        if connection in self._names:
            step = self.drop(connection)  # a second hello is a fault: its parts must not stay behind
            refused = ChairRefused(code="late", sentence="This chair said twice who it is.")
            return HostStep(step.lines, [*step.letters, (connection, refused)], [connection])
        if hello.magic != CHAIR_MAGIC or hello.version != CHAIR_PROTOCOL:
            sentence = "The stations have different versions of Curtain. Install the same on both."
            return _refusal(connection, ChairRefused(code="version", sentence=sentence))
        try:
            lines = rules.join(self.table, hello.wizard_id, hello.chair, granted)
        except rules.NotGranted as fault:
            return _refusal(connection, ChairRefused(code="in_use", sentence=str(fault)))
        step = HostStep(letters=[(connection, ChairWelcome(wizard_id=hello.wizard_id, chair=hello.chair))])
        step.letters += [(connection, _letter(line)) for line in self._lines]
        self._names[connection] = hello.wizard_id
        self._write(step, lines)
        return step

    def _request(self, connection: int, wish: AnyRequest) -> HostStep:
        step = HostStep()
        try:
            self._write(step, rules.decide(self.table, self._names[connection], wish))
        except rules.NotGranted as fault:
            step.letters.append((connection, RequestRefused(number=wish.number, sentence=str(fault))))
        else:
            step.letters.append((connection, RequestGranted(number=wish.number)))
        return step

    def _write(self, step: HostStep, lines: list[ChairLine]) -> None:
        for line in lines:
            self._lines.append(line)
            self.table = self.table.after(line)
            step.lines.append(line)
            step.letters += [(connection, _letter(line)) for connection in self._names]


def _letter(line: ChairLine) -> PartsLine:
    return PartsLine(fact=line.fact, turn=line.turn)


def _refusal(connection: int, refused: ChairRefused) -> HostStep:
    return HostStep(letters=[(connection, refused)], closed=[connection])
