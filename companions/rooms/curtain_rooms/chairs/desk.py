"""Several people at one session: which turns this desk works on, who holds what, and handing a part over."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.session.chairs.table import ChairTable, PartState, TurnPart
from curtain.session.roles import MAY_HOLD
from curtain.session.turns.turn_progress import TurnProgress
from curtain_rooms.chairs.messages import AnyRequest, HandPartOver, TakePart, TypePart
from curtain_rooms.chairs.people import people_in_words
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.turn.control import TurnControl

# A pause in typing: what was written until then survives this station.
TYPED_MS = 1000

Ask = Callable[[Callable[[int], AnyRequest]], None]


def turns_for(progress: SessionProgress, who: str) -> Sequence[TurnProgress]:
    """The turns, open or being spoken, of which this person may work on the next part, oldest first.

    A whole desk leaves a part to the chair that is there for it, unless it holds the part itself.
    """
    chairs = progress.chairs
    if not chairs.chairs:
        return progress.unfinished_turns
    return [turn for turn in progress.unfinished_turns if who in chairs.people_for(turn.number, turn.next_part)]


def last_sent_by(progress: SessionProgress, who: str) -> TurnProgress | None:
    """The turn whose answer or message this person sent last: nobody corrects what another one sent.

    What names nobody is of the time before others joined, and the host's desk sent it.
    """
    if not progress.chairs.chairs:
        return progress.last_sent
    at_host = progress.opened is not None and who in progress.opened.wizard_ids
    senders = (who, None) if at_host else (who,)
    theirs = (turn for turn in progress.in_order if turn.sent and turn.sent[-1].by in senders)
    return max(theirs, key=lambda turn: turn.sent[-1].seq, default=None)


class ChairDesk(QObject):
    """Takes the part that is worked on, keeps what is typed at the host, and hands over.

    `changed(sentence)`: who is here, for the strip; `notice` is a sentence for the person; `prefilled`: the fields hold
    what somebody else had typed. `receivers_wanted(people)`: several may have the part; `hand_to` says who gets it.
    """

    changed = Signal(str)
    receivers_wanted = Signal(dict)
    notice = Signal(str)
    prefilled = Signal()

    def __init__(
        self, session: SessionControl, turns: TurnControl, who: Callable[[], str], ask: Ask, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._turns = turns
        self._who = who
        self._ask = ask
        self._typed: dict[TurnPart, str] = {}
        self._known: dict[TurnPart, str] = {}
        self._words = ""
        self._pause = QTimer(self, singleShot=True, interval=TYPED_MS)
        self._pause.timeout.connect(self._keep_typed)
        turns.work_on(
            lambda progress: turns_for(progress, self._who()), lambda progress: last_sent_by(progress, self._who())
        )
        turns.changed.connect(self._on_typing)
        session.opened.connect(self._on_opened)
        session.progress_changed.connect(self.follow)

    @Slot()
    def follow(self) -> None:
        """The journals have grown: take what this desk works on, and say who is here."""
        chairs = self._session.progress.chairs
        turn = self._turns.turn
        # What another desk has by now is asked for anew when it comes back.
        self._typed = {
            what: text for what, text in self._typed.items() if chairs.state(what).holder in (None, self._who())
        }
        if turn is not None and len(chairs.chairs) > 1:
            self._take(chairs, turn)
        words = people_in_words(chairs, self._who())
        if words != self._words:
            self._words = words
            self.changed.emit(words)

    def hand_over(self) -> None:
        """Give the part that is worked on to another chair that may hold it."""
        turn, chairs = self._turns.turn, self._session.progress.chairs
        if turn is None:
            self.notice.emit(self.tr("There is nothing to hand over: no turn is open here."))
            return
        part = turn.next_part
        others = {who: chair for who, chair in chairs.chairs.items() if who != self._who() and part in MAY_HOLD[chair]}
        if not others:
            self.notice.emit(self.tr("Nobody else is here for this part."))
        elif len(others) == 1:
            self.hand_to(next(iter(others)))
        else:
            self.receivers_wanted.emit(others)

    def hand_to(self, who: str) -> None:
        """Give the part that is worked on to this person."""
        turn = self._turns.turn
        if turn is None:
            return
        self._keep_typed()
        number, part = turn.number, turn.next_part
        self._ask(lambda wish: HandPartOver(number=wish, turn=number, part=part, to=who))
        self.notice.emit(self.tr("Turn {0} goes to {1}.").format(number, who))

    def _take(self, chairs: ChairTable, turn: TurnProgress) -> None:
        what = TurnPart(turn.number, turn.next_part)
        state = chairs.state(what)
        if state.holder is None and state.done_by is None and what not in self._typed:
            self._typed[what] = ""
            self._ask(lambda wish: TakePart(number=wish, turn=what.turn, part=what.part))
        elif state.holder == self._who() and self._is_newer(what, state):
            # What somebody typed who left, or who handed it over.
            self._typed[what] = self._known[what] = state.typed
            self._turns.set_query(state.typed) if what.part == "transcription" else self._turns.set_sql(state.typed)
            self.prefilled.emit()

    def _is_newer(self, what: TurnPart, state: PartState) -> bool:
        """Whether the field gives way to what is kept: never where it holds something that nobody else has seen."""
        field = self._field(what)
        if not field or field == state.typed:
            return bool(state.typed) and not field
        by_another = state.typed_by not in (None, self._who())
        return by_another and (field == self._known.get(what) or state.typed.startswith(field))

    @Slot()
    def _on_opened(self) -> None:
        self._typed = {}
        self._known = {}

    @Slot()
    def _on_typing(self) -> None:
        if len(self._session.progress.chairs.chairs) > 1:
            self._pause.start()

    @Slot()
    def _keep_typed(self) -> None:
        self._pause.stop()
        turn = self._turns.turn
        if turn is None:
            return
        what = TurnPart(turn.number, turn.next_part)
        text = self._field(what)
        held = self._session.progress.chairs.state(what).holder == self._who()
        if held and text and text != self._typed.get(what):
            self._typed[what] = self._known[what] = text
            self._ask(lambda wish: TypePart(number=wish, turn=what.turn, part=what.part, text=text[:20_000]))

    def _field(self, what: TurnPart) -> str:
        return self._turns.fields.query if what.part == "transcription" else self._turns.fields.sql
