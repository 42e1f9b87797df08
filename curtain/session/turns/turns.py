"""The turns of a session: both journals folded into one linked record per utterance."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import structs

from curtain.base.edit_distance import alignment
from curtain.base.hearing import HeardWord, Modality, plain_word
from curtain.session.bundle.bundle import Bundle
from curtain.session.chairs.steps import PersonStep, person_steps
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.events.facts import FactLine, subject_lines, wizard_lines
from curtain.session.journal.lines import JournalEntry
from curtain.session.study import ids
from curtain.session.study.conditions import Condition
from curtain.session.study.design import condition_in
from curtain.session.study.ids import is_turn_number
from curtain.session.turns.draft_trail import Trail, trail_of
from curtain.session.turns.scenario_runs import ScenarioRun, run_at, runs_in
from curtain.session.turns.session_times import SessionTimes
from curtain.session.turns.turn_progress import Outcome, TurnProgress, turns_in
from curtain.session.untrusted_files import look_through

HypothesisUse = Literal["taken", "edited", "replaced", "unused", "unseen"]
"""What became of the words that a recogniser offered. `unused`: no query was sent; `unseen`: they were not offered."""

_Fact = TypeVar("_Fact", bound=wizard.WizardFact)
_Printed = TypeVar("_Printed")

TIMES = (
    "key_down",
    "key_up",
    "take_saved",
    "one_moment_painted",
    "heard",
    "words_shown",
    "query_sent",
    "query_painted",
    "answer_sent",
    "message_sent",
    "painted",
)


_BEGINS = (subject.KeyDown, subject.TurnTyped)
"""The first line of a turn in the subject's journal."""

_PRINTED = (
    "turn", "session_id", "speaker_id", "scenario_id", "utterance_id", "audio", "modality", "query", "attempts",
    "sql_min", "sql_max", "cas_min", "cas_max", "corrections", "outcome", "message_id", "tags", "recovered", "clipped",
    "times", "clock_bound_ms", "message", "blanks", "counts_as", "table_total", "cas_error", "max_error", "yes_no",
    "show", "shown", "show_fault", "unseen", "cut_short", "cut_reason", "notes", "practice", "pilot", "drafts",
    "scenario", "earlier_texts", "hypothesis", "query_by", "hypothesis_use", "recogniser", "heard_words", "decoding_s",
    "not_heard", "held_ms", "late_ms", "steps", "query_wizard_id", "reply_wizard_id",
)  # fmt: skip
"""The order in which `curtain turns` prints. What is not here follows in the order of its type."""
_NOT_PRINTED = frozenset(("reply", "take", "history_cleared", "sent", "painted", "system"))


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """An answer or a canned message that went to the subject. `sent` and `painted` are ms since the session began.

    The other fields are those of the line in the wizard's journal; what a line of the other kind has is null.
    """

    outcome: Literal["answer", "message"] = "answer"
    sent: int = 0
    painted: int | None = None
    sql_min: str | None = None
    sql_max: str | None = None
    cas_min: str | None = None
    cas_max: str | None = None
    cas_error: str | None = None
    max_error: str | None = None
    yes_no: bool = False
    table_total: int | None = None
    message_id: str | None = None
    message: str | None = None
    blanks: dict[str, str] = {}
    counts_as: str | None = None
    show: str | None = None
    shown: str | None = None
    show_fault: str | None = None
    unseen: bool = False
    system: str | None = None
    held_ms: int | None = None
    late_ms: int | None = None
    wizard_id: str | None = None


def _reply(fact: wizard.AnswerSent | wizard.MessageSent, sent: int, painted: int | None) -> Reply:
    given = structs.asdict(fact) | {"sent": sent, "painted": painted, "wizard_id": fact.wizard_id or None}
    if isinstance(fact, wizard.AnswerSent):
        given |= {"outcome": "answer", "sql_min": fact.sql, "table_total": fact.table.total}
    else:
        given |= {"outcome": "message", "message": fact.text}
    return msgspec.convert(given, Reply)


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One utterance and all that was done about it. `reply` is the latest, `corrections` the earlier ones.

    `history_cleared`: since the turn before, the subject had started over. `clock_bound_ms`: how far off, at most, the
    times that the subject's station stamped are on the wizard's clock; None if that was never measured.
    `query_wizard_id` and the `wizard_id` of attempts and replies: whose doing, None where one person has the desk.

    `hypothesis` is what a recogniser made of the turn: what was on the screen where one heard the query or erred on
    purpose, else what that of the wizard's desk heard. Of the latter are `heard_words`; `recogniser` names its program
    and model, `decoding_s` is how long it was at work, `hypothesis_use` what the wizard did with its words, `not_heard`
    why it heard nothing.
    `answered_by` is `wizard` or the name of a system, None while the turn is open and where there are no conditions.
    `taken_over` turns do not count for a comparison. `plan_number` is that of the subject's plan,
    `planned_condition_id` what the design had said for the scenario.
    """

    turn: int
    session_id: str
    speaker_id: str
    scenario_id: str | None
    utterance_id: str
    audio: str | None
    modality: Modality
    query: str | None
    attempts: tuple[wizard.StatementRun, ...]
    reply: Reply | None
    corrections: tuple[Reply, ...]
    outcome: Outcome
    tags: tuple[str, ...]
    recovered: bool
    clipped: bool
    cut_short: bool
    cut_reason: str | None
    practice: bool
    pilot: bool
    notes: tuple[str, ...]
    times: Mapping[str, int | None]
    drafts: Trail
    scenario: ScenarioRun | None
    earlier_texts: tuple[str, ...]
    take: subject.TakeSaved | subject.TakeRecovered | None
    history_cleared: bool
    steps: tuple[PersonStep, ...]
    clock_bound_ms: int | None
    query_wizard_id: str | None
    condition_id: str | None
    condition: Condition | None
    plan_number: int | None
    planned_condition_id: str | None
    hypothesis: str | None
    query_by: wizard.QueryBy
    hypothesis_use: HypothesisUse | None
    recogniser: str | None
    heard_words: tuple[HeardWord, ...]
    decoding_s: float | None
    not_heard: str | None
    answered_by: str | None
    taken_over: bool
    system_reply: wizard.SystemAnswered | None
    system_fault: wizard.SystemFailed | None

    @property
    def facts(self) -> dict[str, Any]:
        """Every fact by its name in `curtain turns`, those of the latest reply among them."""
        reply = structs.asdict(self.reply or Reply())
        return {"reply_wizard_id": reply.pop("wizard_id"), **reply, **structs.asdict(self)}

    def as_json(self) -> dict[str, Any]:
        """The object that `curtain turns` prints; what did not happen is null."""
        facts = self.facts | {
            "attempts": [_attempt(one) for one in self.attempts],
            "scenario": self.scenario.as_json() if self.scenario else None,
        }
        return {name: _plain(fact) for name, fact in printed(facts).items()}


def printed(facts: Mapping[str, _Printed]) -> dict[str, _Printed]:
    """Of what a turn has by name, what `curtain turns` prints, in its order."""
    return {name: facts[name] for name in dict.fromkeys((*_PRINTED, *facts)) if name not in _NOT_PRINTED}


def _attempt(fact: wizard.StatementRun) -> dict[str, Any]:
    return {**_plain(structs.replace(fact, wizard_id=msgspec.UNSET)), "wizard_id": fact.wizard_id or None}


def _plain(value: Any) -> Any:
    plain = msgspec.to_builtins(value)
    if isinstance(value, wizard.WizardFact):
        del plain["type"]
    return plain


def read_turns(bundle: Bundle) -> list[Turn]:
    """The turns of a bundle; `audio` is null where the file is not there.

    Raises CurtainError, JournalUnreadable.
    """
    turns = fold(bundle.read_subject_journal().entries, bundle.read_wizard_journal().entries)
    there = look_through(bundle.path).plain
    return [turn if turn.audio in there else structs.replace(turn, audio=None) for turn in turns]


def fold(subject_entries: Sequence[JournalEntry], wizard_entries: Sequence[JournalEntry]) -> list[Turn]:
    """All turns in order, without those that are no turns (`TurnProgress.is_no_turn`)."""
    return list(record_of(subject_entries, wizard_entries).turns)


def data_turns(subject_entries: Sequence[JournalEntry], wizard_entries: Sequence[JournalEntry]) -> dict[str, str]:
    """The turns of `fold` that are no practice, by utterance id, with what was typed for each; a third of the work of a
    whole fold."""
    drafts = _Session(subject_entries, wizard_entries).drafts()
    return {draft.utterance_id(): draft.query for draft in drafts if not draft.practice}


@dataclass(frozen=True)
class SessionRecord:
    """What both journals say of a session: its turns as `fold` gives them, its scenarios, and all lines."""

    turns: tuple[Turn, ...]
    scenarios: tuple[ScenarioRun, ...]
    subject: Sequence[FactLine]
    wizard: Sequence[FactLine]
    pauses: tuple[tuple[int, int], ...] = ()
    """(begin, end) of each pause, in ms since the session began; one that never ended counts for nothing."""


def record_of(subject_entries: Sequence[JournalEntry], wizard_entries: Sequence[JournalEntry]) -> SessionRecord:
    """Everything from one reading of the facts."""
    session = _Session(subject_entries, wizard_entries)
    turns = tuple(draft.turn() for draft in session.drafts())
    return SessionRecord(turns, session.runs, session.subject, session.wizard, _pauses(session.wizard, session.times))


def _pauses(lines: Sequence[FactLine], times: SessionTimes) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    began: int | None = None
    for entry, fact, _ in lines:
        if isinstance(fact, wizard.Paused) and began is None:
            began = times.of_wizard(entry)
        elif isinstance(fact, wizard.Resumed) and began is not None:
            spans.append((began, times.of_wizard(entry)))
            began = None
    return tuple(spans)


def _by_turn(lines: Iterable[FactLine]) -> dict[int, list[FactLine]]:
    turns: dict[int, list[FactLine]] = {}
    for line in lines:
        if is_turn_number(line.entry.turn):
            turns.setdefault(line.entry.turn, []).append(line)
    return turns


class _Session:
    """What concerns all turns: whose session it is, its scenarios, its times."""

    def __init__(self, subject_entries: Sequence[JournalEntry], wizard_entries: Sequence[JournalEntry]) -> None:
        self.subject = subject_lines(subject_entries)
        self.wizard = wizard_lines(wizard_entries)
        self.times = SessionTimes(subject_entries, wizard_entries)
        opened = next((line.fact for line in self.wizard if isinstance(line.fact, wizard.SessionOpened)), None)
        self.opened = opened
        self.pilot = opened is not None and opened.pilot
        self.session_id = opened.session_id if opened else self._id_of_a_start()
        self.speaker_id = opened.speaker_id if opened else self.session_id[:3]
        self._starts = [line for line in self.wizard if isinstance(line.fact, wizard.ScenarioStarted)]
        self._scenarios = {
            line.entry.seq: line.fact for line in self._starts if isinstance(line.fact, wizard.ScenarioStarted)
        }
        self.runs = runs_in(self.subject, self.wizard, self.times)
        self._painted = self._first_painted()
        self._shown_at = self._scenario_shown_at_each_press()

    def _id_of_a_start(self) -> str:
        starts = (line.fact for line in (*self.wizard, *self.subject))
        return next((f.session_id for f in starts if isinstance(f, wizard.WizardEpoch | subject.SubjectEpoch)), "")

    def _first_painted(self) -> dict[int, int]:
        painted: dict[int, int] = {}
        for line in self.subject:
            if isinstance(line.fact, subject.Painted) and line.fact.id:
                painted.setdefault(line.fact.id, self.times.of_subject(line.entry, line.fact.at_ns))
        return painted

    def drafts(self) -> Iterator[_Draft]:
        """What becomes a `Turn` each."""
        turns = [turn for turn in turns_in(self.subject, self.wizard).values() if not turn.is_no_turn]
        self.cleared = self._cleared_before({turn.number for turn in turns})
        of_subject, of_wizard = _by_turn(self.subject), _by_turn(self.wizard)
        for turn in turns:
            yield _Draft(self, turn, of_subject.get(turn.number, []), of_wizard.get(turn.number, []))

    def _cleared_before(self, numbers: Set[int]) -> set[int]:
        """The turns before which the subject had started over since the turn before, in the same scenario."""
        cleared: set[int] = set()
        waiting = False
        for entry, fact, _ in self.subject:
            if isinstance(fact, subject.HistoryCleared):
                waiting = True
            elif isinstance(fact, subject.Painted) and fact.what == "scenario":
                # Starting over behind the last question of a task is no fact about the next one.
                waiting = False
            elif waiting and isinstance(fact, _BEGINS) and entry.turn is not None and entry.turn in numbers:
                cleared.add(entry.turn)
                waiting = False
        return cleared

    def painted(self, seq: int) -> int | None:
        """When the thing that a line of the wizard's journal sent was first on the subject's screen."""
        return self._painted.get(seq)

    def scenario_of(self, key_down: FactLine | None, done: Sequence[FactLine]) -> wizard.ScenarioStarted | None:
        """The scenario that was on the subject's screen when the key went down."""
        shown = self._shown_at.get(key_down.entry.seq) if key_down else None
        return shown or self._started_before(key_down, done)

    def _scenario_shown_at_each_press(self) -> dict[int, wizard.ScenarioStarted | None]:
        shown: wizard.ScenarioStarted | None = None
        at: dict[int, wizard.ScenarioStarted | None] = {}
        for line in self.subject:
            if isinstance(line.fact, subject.Painted) and line.fact.what == "scenario":
                shown = self._scenarios.get(line.fact.id)
            elif isinstance(line.fact, _BEGINS):
                at[line.entry.seq] = shown
        return at

    def _started_before(self, key_down: FactLine | None, done: Sequence[FactLine]) -> wizard.ScenarioStarted | None:
        """By the clock, for a screen that did not report what it showed."""
        if key_down is not None:
            until = self.times.of_subject(key_down.entry)
        elif done:
            until = self.times.of_wizard(done[0].entry)
        else:
            return None
        before = takewhile(lambda one: self.times.of_wizard(one.entry) <= until, self._starts)
        last = next(iter(deque(before, maxlen=1)), None)
        return self._scenarios[last.entry.seq] if last else None


class _Draft:
    """One turn: what its fold gives, and the rest from its own lines in both journals."""

    def __init__(
        self, session: _Session, progress: TurnProgress, of_subject: list[FactLine], of_wizard: list[FactLine]
    ) -> None:
        self._session = session
        self._progress = progress
        self._subject = of_subject
        self._wizard = of_wizard

        self._scenario = session.scenario_of(self._first(of_subject, _BEGINS), of_wizard)
        self.query = progress.query or ""
        self.practice = self._scenario is not None and self._scenario.practice

    def turn(self) -> Turn:
        progress = self._progress
        replies = self._replies()
        opened = self._session.opened
        scenario = self._scenario
        condition_id = scenario.condition_id if scenario else None
        # After a restart the same recording may have been heard again.
        heard = next(iter(self._facts(wizard.WordsHeard)), None)
        return Turn(
            turn=progress.number,
            session_id=self._session.session_id,
            speaker_id=self._session.speaker_id,
            scenario_id=scenario.scenario_id if scenario else None,
            utterance_id=self.utterance_id(),
            audio=self._audio(),
            modality="speech" if progress.typed is None else "text",
            query=progress.query,
            earlier_texts=self._earlier_texts(),
            attempts=tuple(self._facts(wizard.StatementRun)),
            reply=replies[-1] if replies else None,
            corrections=tuple(replies[:-1]),
            outcome=progress.outcome,
            tags=self._tags(),
            recovered=progress.recovered,
            clipped=progress.take is not None and progress.take.clipped > 0,
            cut_short=progress.cut_reason is not None,
            cut_reason=progress.cut_reason,
            practice=self.practice,
            pilot=self._session.pilot,
            notes=progress.notes,
            times=self._times(replies),
            drafts=trail_of(line.fact for line in self._wizard),
            scenario=run_at(self._session.runs, scenario.scenario_id, self._began_ms()) if scenario else None,
            take=progress.take,
            history_cleared=progress.number in self._session.cleared,
            steps=person_steps(self._wizard, self._session.times.of_wizard),
            clock_bound_ms=self._clock_bound_ms(),
            query_wizard_id=next((fact.wizard_id or None for fact in self._facts(wizard.QuerySent)[::-1]), None),
            condition_id=condition_id,
            condition=condition_in(opened.conditions, condition_id) if opened else None,
            plan_number=opened.plan.number if opened and opened.plan else None,
            planned_condition_id=_planned(opened, scenario),
            hypothesis=_text_of(heard) if heard and progress.hypothesis is None else progress.hypothesis,
            query_by=progress.query_by,
            hypothesis_use=use_of(heard, progress.query) if heard else None,
            recogniser=f"{heard.version}, {heard.model}" if heard else None,
            heard_words=heard.words if heard else (),
            decoding_s=heard.decoding_s if heard else None,
            not_heard=None if heard else next((fact.reason for fact in self._facts(wizard.NotHeard)), None),
            # Without conditions everybody knows who answers.
            answered_by=(replies[-1].system or "wizard") if replies and condition_id is not None else None,
            taken_over=progress.taken_over,
            system_reply=next(iter(self._facts(wizard.SystemAnswered)[::-1]), None),
            system_fault=next(iter(self._facts(wizard.SystemFailed)[::-1]), None),
        )

    def _facts(self, kind: type[_Fact]) -> list[_Fact]:
        return [line.fact for line in self._wizard if isinstance(line.fact, kind)]

    def _clock_bound_ms(self) -> int | None:
        """Of all times that the subject's station stamped; None if a clock was never tied, or nothing was stamped."""
        bounds = [self._session.times.bound_of_subject(line.entry) for line in self._subject]
        measured = [bound for bound in bounds if bound is not None]
        return max(measured, default=None) if len(measured) == len(bounds) else None

    def _began_ms(self) -> int | None:
        """When the key went down, else when the wizard first did something about the turn."""
        down = self._first(self._subject, _BEGINS)
        if down is not None:
            return self._session.times.of_subject(down.entry)
        return self._session.times.of_wizard(self._wizard[0].entry) if self._wizard else None

    def _first(self, lines: list[FactLine], kind: Any) -> FactLine | None:
        return next((line for line in lines if isinstance(line.fact, kind)), None)

    def _last(self, lines: list[FactLine], kind: Any) -> FactLine | None:
        return self._first(lines[::-1], kind)

    def utterance_id(self) -> str:
        try:
            return ids.utterance_id(self._session.session_id, self._progress.number)
        except ids.BadId:
            return f"{self._session.session_id}-{self._progress.number:03}"

    def _audio(self) -> str | None:
        take = self._progress.take
        if take is None:
            return None
        try:
            ids.split_utterance_id(take.utterance_id)
        except ids.BadId:
            return None
        return f"audio/{take.utterance_id}.wav"

    def _earlier_texts(self) -> tuple[str, ...]:
        """Of every query that was sent, also of one that was sent again."""
        return tuple(text for fact in self._facts(wizard.QuerySent) for text in fact.earlier_texts)

    def _tags(self) -> tuple[str, ...]:
        progress = self._progress
        holding = {
            "wizard-error": len(progress.sent) > 1,
            "damaged": any(line.damaged for line in (*self._subject, *self._wizard)),
            "truncated": progress.cut_reason is not None,
            "taken-over": progress.taken_over,
            "system-fault": progress.system_failed,
            "too-short": progress.cancelled == "too_short",
            "no-sound": progress.cancelled == "no_sound" or progress.soundless,
        }
        return tuple(tag for tag, holds in holding.items() if holds)

    def _replies(self) -> list[Reply]:
        """With their tables and CAS, of which the fold keeps an outline."""
        seqs = {sent.seq for sent in self._progress.sent}
        at, painted = self._session.times.of_wizard, self._session.painted
        sent = (line for line in self._wizard if line.entry.seq in seqs)
        return [_reply(line.fact, at(line.entry), painted(line.entry.seq)) for line in sent]

    def _times(self, replies: Sequence[Reply]) -> dict[str, int | None]:
        """Of the latest query and the latest reply; a key that moved twice counts from its first press."""
        latest = replies[-1] if replies else None
        query = self._last(self._wizard, wizard.QuerySent)
        times: dict[str, int | None] = dict.fromkeys(TIMES)
        times |= self._times_of_subject()
        times["heard"] = self._wizard_ms(self._first(self._wizard, wizard.TakeHeard))
        shown = self._first(self._wizard, wizard.WordsHeard)
        times["words_shown"] = self._wizard_ms(shown) if shown and shown.fact.shown else None
        times["query_sent"] = self._wizard_ms(query)
        times["query_painted"] = self._session.painted(query.entry.seq) if query else None
        if latest is not None:
            times[f"{latest.outcome}_sent"] = latest.sent
            times["painted"] = latest.painted
        return times

    def _times_of_subject(self) -> dict[str, int | None]:
        down, up = self._first(self._subject, subject.KeyDown), self._last(self._subject, subject.KeyUp)
        at = self._session.times.of_subject
        saved = self._last(self._subject, subject.TakeSaved | subject.TakeRecovered)
        moment = next((line for line in self._subject if _is_one_moment(line.fact)), None)
        typed = self._first(self._subject, subject.TurnTyped)
        if typed is not None:
            return {
                "key_down": at(typed.entry, typed.fact.began_ns),
                "key_up": at(typed.entry, typed.fact.entered_ns),
                "one_moment_painted": at(moment.entry, moment.fact.at_ns) if moment else None,
            }
        return {
            "key_down": at(down.entry, down.fact.pressed_ns) if down else None,
            "key_up": at(up.entry, up.fact.released_ns) if up else None,
            "take_saved": at(saved.entry) if saved else None,
            "one_moment_painted": at(moment.entry, moment.fact.at_ns) if moment else None,
        }

    def _wizard_ms(self, line: FactLine | None) -> int | None:
        return self._session.times.of_wizard(line.entry) if line else None


def _text_of(heard: wizard.WordsHeard) -> str:
    return " ".join(word.text for word in heard.words)


def use_of(heard: wizard.WordsHeard, query: str | None) -> HypothesisUse:
    """What the wizard did with the words, from what was sent: `edited` keeps some of them in their order."""
    if not heard.shown:
        return "unseen"
    if query is None:
        return "unused"
    words, sent = (list(map(plain_word, text.split())) for text in (_text_of(heard), query))
    if words == sent:
        return "taken"
    pairs = alignment(words, sent)
    kept = any(at is not None and to is not None and words[at] == sent[to] for at, to in pairs)
    return "edited" if kept else "replaced"


def _planned(opened: wizard.SessionOpened | None, scenario: wizard.ScenarioStarted | None) -> str | None:
    if opened is None or opened.plan is None or scenario is None:
        return None
    runs = opened.plan.planned or opened.plan.runs
    return next((run.condition_id for run in runs if run.scenario_id == scenario.scenario_id), None)


def _is_one_moment(fact: object) -> bool:
    return isinstance(fact, subject.Painted) and fact.what == "one_moment"
