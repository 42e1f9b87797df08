"""What has happened in a session, folded from the two journals: the same code live, on resume and in the archive.

Nothing here logs, opens files or knows the time. Times are nanoseconds: of the subject's clock where the
fact is the subject's, of the wizard's clock where it is the wizard's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeVar

from msgspec import structs

from curtain.session.chairs.table import ChairFact, ChairLine, ChairTable
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.study.ids import is_turn_number
from curtain.session.turns.turn_progress import TurnProgress, TurnState

_ASKING = (TurnState.OPEN, TurnState.SPEAKING, TurnState.SAVING)


Facts = list[tuple[wizard.WizardFact, int | None]]
"""Facts to be journaled together, each with its turn."""
Write = Callable[[Facts], None]
_BLOCK = 32
Block = dict[int, TurnProgress]


class Turns(Mapping[int, TurnProgress]):
    """The turns by number, in order. `with_turn` gives other ones; these never change.

    A line costs the same in turn 900 as in turn 9. All versions share the `blocks` in which no turn changed, so nobody
    copies or compares every turn: whoever kept an earlier version looks only at the blocks that are not the same.
    What the window asks after each line is known without a search: `asking` are the numbers of the turns that wait, are
    being spoken or saved, in order; `last_sent` is the turn whose answer or message left last; `unseen` are the turns
    whose latest reply the subject's station has not reported on its screen.
    """

    def __init__(self, turns: Mapping[int, TurnProgress] | None = None) -> None:
        self.blocks: dict[int, Block] = {}
        self.asking: tuple[int, ...] = ()
        self.unseen: frozenset[int] = frozenset()
        self.last_sent: TurnProgress | None = None
        for turn in (turns or {}).values():
            self._take_in(turn)

    def with_turn(self, turn: TurnProgress) -> Turns:
        """The turns with this one in place of the one of its number."""
        # Without a look at every turn: what they share is taken over.
        after = Turns()
        after.blocks, after.asking = self.blocks, self.asking
        after.unseen, after.last_sent = self.unseen, self.last_sent
        after._take_in(turn)
        return after

    def changed_since(self, before: Turns) -> Iterator[int]:
        """The numbers of the turns that are not the same objects as in an earlier version, in order."""
        for at, block in self.blocks.items():
            earlier = before.blocks.get(at, {})
            if block is not earlier:
                yield from (number for number, turn in block.items() if earlier.get(number) is not turn)

    def _take_in(self, turn: TurnProgress) -> None:
        at = turn.number // _BLOCK
        block = {**self.blocks.get(at, {}), turn.number: turn}
        self.blocks = _in_order({**self.blocks, at: _in_order(block)})
        others = (number for number in self.asking if number != turn.number)
        self.asking = tuple(sorted((*others, turn.number))) if turn.state in _ASKING else tuple(others)
        unseen = turn.sent and not turn.reply_painted
        self.unseen = self.unseen | {turn.number} if unseen else self.unseen - {turn.number}
        last = self.last_sent
        if turn.sent and (last is None or _last_seq(turn) >= _last_seq(last)):
            self.last_sent = turn

    def __getitem__(self, number: int) -> TurnProgress:
        return self.blocks[number // _BLOCK][number]

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self.blocks.values())

    def __reversed__(self) -> Iterator[int]:
        return chain.from_iterable(map(reversed, reversed(self.blocks.values())))

    def __len__(self) -> int:
        return sum(map(len, self.blocks.values()))


_Value = TypeVar("_Value")


def _in_order(numbered: dict[int, _Value]) -> dict[int, _Value]:
    return dict(sorted(numbered.items()))


def _last_seq(turn: TurnProgress) -> int:
    return turn.sent[-1].seq


@dataclass(frozen=True)
class SessionProgress:
    """The session as far as both journals record it.

    `cuts` are the turns after which nothing said before counts, `started_over_after` those of them after which the
    subject started over. `closed_seq` is the journal line of `closed`, 0 before
    it; `missing` is without what the wizard closed the session. `corrected` maps each corrected turn to the journal
    line of its first correction. `starts` maps the journal line of each start of a scenario to it, and `on_screen`
    is the scenario that the subject's station last reported on its screen. `withdrawn`: the subject asked at the end
    that everything is deleted. `forms` and `wizard_forms` are those that subject and wizard have gone on from, with the
    number of questions left out, and
    `wizard_answers` the wizard's own answers by form and item. `calls` counts the subject's calls for help, and
    `calls_answered` those that the wizard has seen to.
    """

    opened: wizard.SessionOpened | None = None
    consent: wizard.ConsentConfirmed | None = None
    scenario: wizard.ScenarioStarted | None = None
    starts: Mapping[int, wizard.ScenarioStarted] = field(default_factory=dict)
    on_screen: str | None = None
    scenarios_ended: tuple[wizard.ScenarioEnded, ...] = ()
    solutions: tuple[subject.SolutionReported, ...] = ()
    paused: bool = False
    closed: wizard.SessionClosed | None = None
    closed_seq: int = 0
    missing: tuple[str, ...] = ()
    corrected: Mapping[int, int] = field(default_factory=dict)
    wizard_epochs: int = 0
    subject_epoch: int = 0
    offset_ns: int | None = None
    microphone_lost: str | None = None
    forms: Mapping[str, int] = field(default_factory=dict)
    wizard_answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    wizard_forms: Mapping[str, int] = field(default_factory=dict)
    chairs: ChairTable = field(default_factory=ChairTable)
    withdrawn: bool = False
    calls: int = 0
    calls_answered: int = 0
    started_over: bool = False
    cuts: tuple[int, ...] = ()
    started_over_after: tuple[int, ...] = ()
    system_stopped: bool = False
    turns: Mapping[int, TurnProgress] = field(default_factory=Turns)

    def __post_init__(self) -> None:
        if not isinstance(self.turns, Turns):
            object.__setattr__(self, "turns", Turns(self.turns))

    @property
    def calls_for_help(self) -> bool:
        """Whether the wizard has not seen to the subject's latest call."""
        return self.calls > self.calls_answered

    @property
    def in_order(self) -> list[TurnProgress]:
        """All turns by their numbers."""
        return [turn for block in self.all_turns.blocks.values() for turn in block.values()]

    @property
    def undisclosed(self) -> bool:
        """Whether the subject was to read at the end who answered, and has not."""
        return self.opened is not None and self.opened.disclose is True and subject.DISCLOSURE not in self.forms

    @property
    def open_turns(self) -> list[TurnProgress]:
        """The takes that wait for an answer, oldest first: the wizard works on the first."""
        return [turn for turn in self.unfinished_turns if turn.state is TurnState.OPEN]

    @property
    def unfinished_turns(self) -> list[TurnProgress]:
        """Every turn that still asks for something: waiting, being spoken, being saved."""
        return [self.turns[number] for number in self.all_turns.asking]

    @property
    def soundless_turn(self) -> int | None:
        """The latest turn with a recording, if that holds digital silence and belongs to the task that runs."""
        latest_first = (self.turns[number] for number in reversed(self.all_turns))
        latest = next((turn for turn in latest_first if turn.take is not None), None)
        if latest is None or not latest.soundless or latest.scenario_id not in (None, self._running_id):
            return None
        return latest.number

    @property
    def _running_id(self) -> str | None:
        return self.scenario.scenario_id if self.scenario is not None else None

    @property
    def last_sent(self) -> TurnProgress | None:
        """The turn whose answer or message left last."""
        return self.all_turns.last_sent

    @property
    def all_turns(self) -> Turns:
        """The turns with what is known of them without a search."""
        assert isinstance(self.turns, Turns)
        return self.turns

    @property
    def ended_ids(self) -> set[str]:
        """The ids of the scenarios that have ended."""
        return {ended.scenario_id for ended in self.scenarios_ended}

    def solution_of(self, scenario_id: str) -> subject.SolutionReported | None:
        """The latest answer that the subject stated for this scenario."""
        stated = [one for one in self.solutions if one.scenario_id == scenario_id]
        return stated[-1] if stated else None

    @property
    def stated_solution(self) -> str:
        """What the subject has stated as the answer to the running scenario, or an empty text."""
        stated = self.solution_of(self.scenario.scenario_id) if self.scenario is not None else None
        return stated.value if stated is not None else ""

    def released_on_wizard_clock(self, number: int) -> int | None:
        """When the talk key of this turn came up, or its text was entered; None before, and without tied clocks."""
        released = self.turns[number].released_ns if number in self.turns else None
        if released is None or self.offset_ns is None:
            return None
        return released + self.offset_ns


def with_subject_fact(
    progress: SessionProgress, fact: subject.SubjectFact | None, turn: int | None, t_ns: int
) -> SessionProgress:
    """The progress after one line of the subject's journal. `fact` is None for a line that cannot be read."""
    progress = _session_after_subject(progress, fact)
    if not is_turn_number(turn):
        return progress
    return _with_turn(progress, _pressed_at(progress, turn, fact).after_subject(fact, t_ns))


def _session_after_subject(progress: SessionProgress, fact: subject.SubjectFact | None) -> SessionProgress:
    match fact:
        case subject.SubjectEpoch(number=number):
            return _interrupt_open_takes(replace(progress, subject_epoch=number))
        case subject.SolutionReported():
            return replace(progress, solutions=(*progress.solutions, fact))
        case subject.DeviceLost(name=name):
            return replace(progress, microphone_lost=name)
        case subject.DeviceFound():
            return replace(progress, microphone_lost=None)
        case subject.FormFilled(form=form, complete=True):
            return replace(progress, forms={**progress.forms, form: fact.left_out})
        case subject.FormFilled(form=subject.DISCLOSURE, values=values):
            item, withdraw = subject.WITHDRAW
            return replace(progress, withdrawn=values.get(item) == withdraw)
        case subject.HistoryCleared():
            # By the subject's own journal: on resume the wizard's is folded first and knows of later turns.
            last = max((turn.number for turn in progress.turns.values() if turn.pressed_ns is not None), default=0)
            after = (*progress.started_over_after, last) if last else progress.started_over_after
            return replace(_cut(progress, last), started_over=True, started_over_after=after)
        case subject.Painted(what="scenario", id=seq):
            start = progress.starts.get(seq)
            return replace(progress, on_screen=start.scenario_id if start is not None else None)
        case subject.HelpCalled():
            return replace(progress, calls=progress.calls + 1)
        case subject.Take() | subject.TurnTyped() if progress.started_over:
            # With the next question there is something on the screen again.
            return replace(progress, started_over=False)
    return progress


def _with_wizard_form(progress: SessionProgress, fact: wizard.WizardFormFilled) -> SessionProgress:
    answers = {**progress.wizard_answers.get(fact.form, {}), **fact.values}
    done = {**progress.wizard_forms, fact.form: fact.left_out} if fact.complete else progress.wizard_forms
    return replace(progress, wizard_answers={**progress.wizard_answers, fact.form: answers}, wizard_forms=done)


def with_wizard_fact(
    progress: SessionProgress, fact: wizard.WizardFact | None, turn: int | None, t_ns: int, seq: int
) -> SessionProgress:
    """The progress after one line of the wizard's journal. `fact` is None for a line that cannot be read."""
    if isinstance(fact, ChairFact):
        return replace(progress, chairs=progress.chairs.after(ChairLine(fact, turn)))
    if not is_turn_number(turn):
        return _session_after_wizard(progress, fact, seq)
    if isinstance(fact, wizard.Corrected) and turn not in progress.corrected:
        progress = replace(progress, corrected={**progress.corrected, turn: seq})
    return _with_turn(progress, _turn(progress, turn).after_wizard(fact, t_ns, seq))


def _session_after_wizard(progress: SessionProgress, fact: wizard.WizardFact | None, seq: int) -> SessionProgress:
    match fact:
        case wizard.WizardEpoch(number=number):
            return replace(progress, wizard_epochs=number)
        case wizard.SessionOpened():
            return replace(progress, opened=fact)
        case wizard.ConsentConfirmed():
            return replace(progress, consent=fact)
        case wizard.ScenarioStarted():
            starts = {**progress.starts, seq: fact}
            return replace(_cut(progress, max(progress.turns, default=0)), scenario=fact, starts=starts)
        case wizard.ScenarioEnded():
            return replace(progress, scenario=None, scenarios_ended=(*progress.scenarios_ended, fact))
        case wizard.Paused() | wizard.Resumed():
            return replace(progress, paused=isinstance(fact, wizard.Paused))
        case wizard.CallAnswered(calls=calls):
            return replace(progress, calls_answered=calls)
        case wizard.LinkRestored(offset_ns=offset):
            return replace(progress, offset_ns=offset)
        case wizard.SessionClosed():
            return replace(progress, closed=fact, closed_seq=seq)
        case wizard.SystemStopped(stopped=stopped):
            return replace(progress, system_stopped=stopped)
        case wizard.WizardFormFilled():
            return _with_wizard_form(progress, fact)
        case wizard.GapAccepted(missing=missing):
            return replace(progress, missing=tuple(missing))
    return progress


def earlier_of(progress: SessionProgress, number: int) -> Iterator[TurnProgress]:
    """The turns on which this one may lean, the latest first: before it, in its scenario, and since the subject last
    started over."""
    turn = progress.turns.get(number)
    after = max((cut for cut in progress.cuts if cut < number), default=0)
    scenario = turn.scenario_id if turn is not None else None
    before = (progress.turns[at] for at in range(number - 1, after, -1) if at in progress.turns)
    return (one for one in before if one.scenario_id == scenario)


def oldest_unanswered(turns: Iterable[TurnProgress]) -> int | None:
    """The number of the turn that the wizard works on now."""
    return next((turn.number for turn in turns if turn.state is TurnState.OPEN), None)


def _cut(progress: SessionProgress, after: int) -> SessionProgress:
    return replace(progress, cuts=(*progress.cuts, after)) if after else progress


def _turn(progress: SessionProgress, number: int) -> TurnProgress:
    scenario = progress.scenario.scenario_id if progress.scenario else None
    return progress.turns.get(number) or TurnProgress(number, scenario_id=scenario)


def _pressed_at(progress: SessionProgress, number: int, fact: subject.SubjectFact | None) -> TurnProgress:
    """The turn, in the scenario that was on the subject's screen when its key went down, if the screen reported it."""
    turn = _turn(progress, number)
    is_first_press = isinstance(fact, subject.KeyDown | subject.TurnTyped) and turn.pressed_ns is None
    return structs.replace(turn, scenario_id=progress.on_screen) if is_first_press and progress.on_screen else turn


def _with_turn(progress: SessionProgress, turn: TurnProgress) -> SessionProgress:
    return replace(progress, turns=progress.all_turns.with_turn(turn))


def _interrupt_open_takes(progress: SessionProgress) -> SessionProgress:
    """A new start of the subject's station: what was being said then can only come back as a repaired take."""
    turns = {
        number: structs.replace(turn, interrupted=True) if not turn.is_whole and turn.cancelled is None else turn
        for number, turn in progress.turns.items()
    }
    return replace(progress, turns=turns)
