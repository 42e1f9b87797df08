"""What a wish of a chair does: the facts that it makes, or the sentence with which it is refused."""

from collections.abc import Iterable, Sequence

from curtain.base.errors import CurtainError
from curtain.session.chairs.table import ChairFact, ChairLine, ChairTable, TurnPart
from curtain.session.events import wizard_events as facts
from curtain.session.roles import MAY_HOLD, Chair, Part
from curtain_rooms.chairs.messages import AnyRequest, HandPartOver, ReturnPart, TakePart, TypePart


class NotGranted(CurtainError):
    """A wish of a chair is against the rules; the sentence says why."""


def join(table: ChairTable, wizard_id: str, chair: Chair, granted: str) -> list[ChairLine]:
    """The person sits down at a desk that was paired for the chair `granted`.

    Raises:
        NotGranted: the desk was paired for less, or somebody of that id is here already.
    """
    if not _may_sit_as(granted, chair):
        raise NotGranted(
            f"This desk was paired as {granted or 'observer'}. To join as {chair}, pair it again: start it with --code "
            f"and the code for {chair}. The session’s own station shows it (during a session with Ctrl+Shift+D)."
        )
    if wizard_id in table.chairs:
        raise in_use(wizard_id)
    return [ChairLine(facts.ChairJoined(wizard_id=wizard_id, chair=chair))]


def _may_sit_as(granted: str, chair: Chair) -> bool:
    """Whether a desk that was paired for one chair may join as another: everybody may watch, a wizard may be all."""
    return chair in (granted, "observer") or granted == "wizard"


def in_use(wizard_id: str) -> NotGranted:
    """Why nobody joins under the id of somebody who is here."""
    return NotGranted(f"“{wizard_id}” is at work in this session already. Join with another id.")


def leave(table: ChairTable, wizard_id: str) -> list[ChairLine]:
    """The person is gone: all that they hold is free at once, with what was typed. Nothing if they were not here."""
    if wizard_id not in table.chairs:
        return []
    returned = [
        ChairLine(facts.PartReturned(wizard_id=wizard_id, part=what.part, left=True), what.turn)
        for what in table.held_by(wizard_id)
    ]
    return [*returned, ChairLine(facts.ChairLeft(wizard_id=wizard_id))]


def decide(table: ChairTable, wizard_id: str, wish: AnyRequest) -> list[ChairLine]:
    """The lines that a wish makes, to be appended in this order.

    Raises:
        NotGranted: the wish is against the rules. Nothing changes.
    """
    what = TurnPart(wish.turn, wish.part)
    _check_chair(table, wizard_id, what.part)
    _check_not_done(table, what)
    match wish:
        case TakePart():
            return _take(table, wizard_id, what)
        case HandPartOver():
            return _hand_over(table, wizard_id, what, wish.to)
        case ReturnPart():
            _check_holder(table, wizard_id, what)
            return [ChairLine(facts.PartReturned(wizard_id=wizard_id, part=what.part), what.turn)]
        case TypePart():
            _check_holder(table, wizard_id, what)
            return [ChairLine(facts.PartTyped(wizard_id=wizard_id, part=what.part, text=wish.text), what.turn)]


PART_OF: dict[type[facts.WizardFact], Part] = {
    facts.QuerySent: "transcription",
    facts.AnswerSent: "answer",
    facts.MessageSent: "answer",
    facts.StatementRun: "answer",
    facts.DraftShown: "answer",
    facts.DraftTaken: "answer",
    facts.Corrected: "answer",
}
"""The part that a fact belongs to."""
_DONE_BY = (facts.QuerySent, facts.AnswerSent, facts.MessageSent)
_OF_ANYBODY = (facts.TakeHeard, facts.WordsHeard, facts.NotHeard, facts.Note)
_OF_THE_STATION: dict[type[facts.WizardFact], str] = {
    facts.SessionClosed: "Only the session’s own station can end the session.",
    facts.GapAccepted: "Only the session’s own station can close the session with a gap.",
    facts.WizardFormFilled: "Only the session’s own station takes the wizard’s questionnaires.",
    **dict.fromkeys(
        (
            facts.WizardEpoch, facts.SessionOpened, facts.ConsentConfirmed, facts.SpeakerDescribed, facts.LinkLost,
            facts.LinkRestored, facts.ClocksTied, facts.FileRestored, facts.SystemAnswered, facts.SystemFailed,
            facts.ChairJoined, facts.ChairLeft, facts.PartTaken, facts.PartTyped, facts.PartReturned, facts.PartDone,
            facts.VideoBegan, facts.VideoEnded,
        ),
        "A chair cannot write that; only the session’s own station can.",
    ),
}  # fmt: skip


Written = tuple[facts.WizardFact, int | None]
"""A fact for the journal, with the number of its turn."""


def check_from_chair(fact: facts.WizardFact) -> None:
    """Raises NotGranted for what no chair writes but the session's own station: its clock, its files, its end."""
    if (sentence := _OF_THE_STATION.get(type(fact))) is not None:
        raise NotGranted(sentence)


def around(table: ChairTable, wizard_id: str, written: Sequence[Written]) -> list[Written]:
    """The facts that this person wishes to write, under their name, with who took a part before them and who did it
    behind them.

    A write can be cut off after any line: “done” comes last, so that nothing looks done that is not on the disk.

    Raises:
        NotGranted: one of them is for another chair, or the part is another person's. Nothing may then be written.
    """
    whole: list[Written] = []
    for fact, turn in written:
        lines = _around_one(table, wizard_id, fact, turn)
        for line in lines:
            table = table.after(line)
        whole += [(line.fact, line.turn) for line in lines if not isinstance(line.fact, facts.PartDone)]
        whole.append((facts.named(fact, wizard_id), turn))
        whole += [(line.fact, line.turn) for line in lines if isinstance(line.fact, facts.PartDone)]
    return whole


def recalled(history: Iterable[tuple[facts.WizardFact | None, int | None]], desk: str) -> list[ChairLine]:
    """The lines about chairs of a journal that is opened again. A part is done if what it sends is there.

    “Done” may have been cut off behind it; whoever held the part did it then, or else the person at `desk`.
    """
    lines: list[ChairLine] = []
    table = ChairTable()
    for fact, turn in history:
        line: ChairLine | None = None
        if isinstance(fact, ChairFact):
            line = ChairLine(fact, turn)
        elif isinstance(fact, _DONE_BY) and turn is not None:
            part = PART_OF[type(fact)]
            state = table.state(TurnPart(turn, part))
            if state.done_by is None:
                line = ChairLine(facts.PartDone(wizard_id=state.holder or desk, part=part), turn)
        if line is not None:
            table = table.after(line)
            lines.append(line)
    return lines


def _around_one(table: ChairTable, wizard_id: str, fact: facts.WizardFact, turn: int | None) -> list[ChairLine]:
    chair, part = table.chairs.get(wizard_id), PART_OF.get(type(fact))
    if chair is None:
        raise NotGranted(f"“{wizard_id}” does not sit in this session.")
    if part is None:
        if chair == "wizard" or (chair != "observer" and isinstance(fact, _OF_ANYBODY)):
            return []
        raise NotGranted(f"{wizard_id} sits here as {chair}. That is for the wizard.")
    if turn is None:
        return []
    what = TurnPart(turn, part)
    _check_chair(table, wizard_id, part)
    state = table.state(what)
    if state.done_by not in (None, wizard_id):
        raise NotGranted(f"{state.done_by} has sent the {part} of turn {turn} already.")
    if isinstance(fact, facts.Corrected) and state.done_by is None:
        raise NotGranted(f"No answer of turn {turn} has been sent yet, so there is nothing to correct.")
    if state.holder not in (None, wizard_id):
        raise NotGranted(f"{state.holder} works on the {part} of turn {turn}. Ask {state.holder} to hand it over.")
    if not isinstance(fact, _DONE_BY) or state.done_by == wizard_id:
        return []
    taken = [ChairLine(facts.PartTaken(wizard_id=wizard_id, part=part), turn)] if state.holder is None else []
    return [*taken, ChairLine(facts.PartDone(wizard_id=wizard_id, part=part), turn)]


def _take(table: ChairTable, wizard_id: str, what: TurnPart) -> list[ChairLine]:
    holder = table.state(what).holder
    if holder == wizard_id:
        return []  # asked twice, as after a lost connection: it is so already
    if holder is not None:
        raise NotGranted(f"{holder} works on the {what.part} of turn {what.turn}. Ask {holder} to hand it over.")
    return [ChairLine(facts.PartTaken(wizard_id=wizard_id, part=what.part), what.turn)]


def _hand_over(table: ChairTable, wizard_id: str, what: TurnPart, to: str) -> list[ChairLine]:
    _check_holder(table, wizard_id, what)
    if to == wizard_id:
        return []
    _check_chair(table, to, what.part)
    return [ChairLine(facts.PartTaken(wizard_id=to, part=what.part, handed_by=wizard_id), what.turn)]


def _check_chair(table: ChairTable, wizard_id: str, part: Part) -> None:
    chair = table.chairs.get(wizard_id)
    if chair is None:
        raise NotGranted(f"“{wizard_id}” does not sit in this session.")
    if part not in MAY_HOLD[chair]:
        raise NotGranted(f"{wizard_id} sits here as {chair}. The {part} is for another chair.")


def _check_not_done(table: ChairTable, what: TurnPart) -> None:
    if (who := table.state(what).done_by) is not None:
        raise NotGranted(f"{who} has sent the {what.part} of turn {what.turn} already.")


def _check_holder(table: ChairTable, wizard_id: str, what: TurnPart) -> None:
    if table.state(what).holder != wizard_id:
        raise NotGranted(f"Take the {what.part} of turn {what.turn} first.")
