"""What stands on the subject's screen, folded from the messages that crossed the curtain."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import msgspec

from curtain.base.table import Table
from curtain.link import messages


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn as the subject sees it. `query_seq` and `answer_seq` are 0 for what has not come; a `typed` query came
    from the keyboard here.

    While it is folded away, `packed` holds its table as bytes (compressed msgpack), and `table` is None: the tables of
    a long session would fill the memory.
    """

    turn: int
    query: str = ""
    query_seq: int = 0
    table: Table | None = None
    message: str | None = None
    answer_seq: int = 0
    replaced: bool = False
    packed: bytes = b""
    typed: bool = False

    @property
    def answered(self) -> bool:
        """Whether an answer or a message has come."""
        return self.answer_seq > 0

    def folded(self) -> Exchange:
        """The same with its table packed."""
        if self.table is None:
            return self
        return replace(self, table=None, packed=zlib.compress(msgspec.msgpack.encode(self.table)))

    def unfolded(self) -> Exchange:
        """The same with its table to be shown."""
        if not self.packed:
            return self
        return replace(self, table=msgspec.msgpack.decode(zlib.decompress(self.packed), type=Table), packed=b"")


@dataclass(frozen=True)
class ScreenState:
    """`newest` is the turn that changed last; `cleared` the last message that the subject wiped off; `forms` are the
    questionnaires that came at the end of the scenario, `typed` the questions that were typed here, by turn.

    All exchanges but the newest are folded.
    """

    scenario: messages.ScenarioShown | None = None
    scenario_over: bool = False
    forms: tuple[messages.Form, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    newest: int = 0
    cleared: int = 0
    seq: int = 0
    closing: str = ""
    typed: Mapping[int, str] = field(default_factory=dict)

    def asked(self, turn: int, text: str) -> ScreenState:
        """With a question that was just typed; nobody has to send it back."""
        seen = replace(self, typed={**self.typed, turn: text})
        return seen._with(seen.exchange(turn))

    def after(self, message: messages.KeptMessage) -> ScreenState:
        """With one more message; messages come in the order of their `seq`."""
        seen = replace(self, seq=max(self.seq, message.seq))
        match message:
            case messages.ScenarioShown():
                # A new task clears the screen: answers to the last one would mislead.
                return replace(seen, scenario=message, scenario_over=False, forms=(), exchanges=(), newest=0)
            case messages.ScenarioOver():
                return replace(seen, scenario_over=True, forms=tuple(message.forms))
            case messages.SessionOver():
                # The last page may be there already.
                forms = {form.name: form for form in (*self.forms, *message.forms)}
                return replace(seen, closing=message.text, forms=tuple(forms.values()))
            # Messages up to the point where the subject started over stay away, also when they come again.
            case messages.QueryShown() | messages.AnswerShown() | messages.MessageShown() if message.seq > self.cleared:
                return seen._with(_changed(self.exchange(message.turn), message))
        return seen

    def started_over(self, through: int) -> ScreenState:
        """Without anything that came up to message `through`."""
        kept = tuple(exchange for exchange in self.exchanges if _last_seq(exchange) > through)
        # The newest may be among what was cleared.
        newest = self.newest if any(exchange.turn == self.newest for exchange in kept) else 0
        return replace(self, exchanges=kept, newest=newest, cleared=max(self.cleared, through))

    def exchange(self, turn: int) -> Exchange:
        """The exchange of this turn with its table; an empty one if there is none."""
        new = Exchange(turn, query=self.typed.get(turn, ""), typed=turn in self.typed)
        return next((each.unfolded() for each in self.exchanges if each.turn == turn), new)

    @property
    def current(self) -> Exchange | None:
        """The exchange that changed last; None before the first."""
        return self.exchange(self.newest) if self.newest else None

    @property
    def earlier(self) -> tuple[Exchange, ...]:
        """All but the current one, folded, the latest first."""
        return tuple(each for each in reversed(self.exchanges) if each.turn != self.newest)

    def _with(self, exchange: Exchange) -> ScreenState:
        others = [each.folded() for each in self.exchanges if each.turn != exchange.turn]
        ordered = tuple(sorted([*others, exchange], key=lambda each: each.turn))
        return replace(self, exchanges=ordered, newest=exchange.turn)


def _changed(before: Exchange, message: messages.QueryShown | messages.AnswerShown | messages.MessageShown) -> Exchange:
    match message:
        case messages.QueryShown():
            return replace(before, query=message.text, query_seq=message.seq)
        case messages.AnswerShown():
            return replace(_answered(before, message), table=message.table, message=None)
        case messages.MessageShown():
            return replace(_answered(before, message), table=None, message=message.text)


def _answered(before: Exchange, message: messages.AnswerShown | messages.MessageShown) -> Exchange:
    return replace(before, answer_seq=message.seq, replaced=message.corrects)


def _last_seq(exchange: Exchange) -> int:
    return max(exchange.query_seq, exchange.answer_seq)
