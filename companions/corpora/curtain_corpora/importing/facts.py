"""From a session's rows to the two journals that would have given them.

Only what the rows say is written. What they do not say and a line of a journal must have is said to be unknown: no
table of an answer, no content of a corrected reply, no machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, Literal, cast

import msgspec

from curtain.base.clock import iso_utc
from curtain.base.record_file import by_name
from curtain.base.table import Table
from curtain.corpus.annotation.sro import lsn_of_query
from curtain.corpus.model.utterance import Session, Utterance
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.journal.lines import JournalEntry, write_line
from curtain.session.turns.scenario_runs import ScenarioRun
from curtain_corpora.importing.redactions import unhidden

NOT_IN_THE_TREE = "not in the imported tree"
_NS = 1_000_000


@dataclass(frozen=True)
class Recorded:
    """A recording as it lies in the bundle. `peak_dbfs` and `clipped` count in its samples."""

    frames: int
    sample_rate: int
    sha256: str
    peak_dbfs: float
    clipped: int


@dataclass(frozen=True)
class _Moment:
    """A fact of the wizard's station, and what the subject's screen showed of it and when."""

    ms: int
    fact: msgspec.Struct
    turn: int | None = None
    painted: tuple[Literal["scenario", "query", "answer", "message"], int] | None = None


def journals_of(session: Session, recorded: Mapping[str, Recorded]) -> tuple[bytes, bytes]:
    """The subject's and the wizard's journal. `recorded` is by utterance id; the ids are ours and the times known."""
    # Sorting is stable: what happened in one millisecond stays in the order of a live session.
    moments = sorted(_of_wizard(session), key=lambda moment: moment.ms)
    wall = _Wall(session.recorded)
    wizard_lines = (wall.entry(seq, moment.turn, moment.ms, moment.fact) for seq, moment in enumerate(moments, 1))
    of_subject = sorted(_of_subject(session, recorded, moments), key=lambda one: one[0])
    subject_lines = (wall.entry(seq, turn, ms, fact) for seq, (ms, turn, fact) in enumerate(of_subject, 1))
    return b"".join(map(write_line, subject_lines)), b"".join(map(write_line, wizard_lines))


class _Wall:
    """Both clocks count from the session's beginning, which is taken for midnight of its day."""

    def __init__(self, day: str | None) -> None:
        try:
            self._begin: datetime | None = datetime.fromisoformat(day or "").replace(tzinfo=UTC)
        except ValueError:
            self._begin = None

    def entry(self, seq: int, turn: int | None, ms: int, fact: msgspec.Struct) -> JournalEntry:
        data: dict[str, Any] = msgspec.to_builtins(fact)
        return JournalEntry(seq, turn, ms * _NS, self._utc(ms), data.pop("type"), data)

    def _utc(self, ms: int) -> str:
        try:
            return "" if self._begin is None else iso_utc(self._begin + timedelta(milliseconds=max(0, ms)))
        except OverflowError:
            return ""


# -- the wizard's ----------------------------------------------------------------------------------------


def _of_wizard(session: Session) -> Iterator[_Moment]:
    scenarios = _scenarios(session)
    begin = min([0, *(ms for one in session.utterances for _, ms in one.times)])
    version, name = session.app_version or "unknown", session.session_id
    yield _Moment(begin, wizard.WizardEpoch(number=1, app_version=version, pid=0, session_id=name))
    yield _Moment(0, _opened(session, [one.run.scenario_id for one in scenarios]))
    yield _Moment(0, wizard.LinkRestored(subject_epoch=1, offset_ns=0, rtt_ns=0))
    for number, scenario in enumerate(scenarios, 1):
        yield from _of_scenario(scenario, number, len(scenarios))
    for utterance in session.utterances:
        yield from _of_turn(utterance)
    yield _Moment(_end(session), wizard.SessionClosed(reason="finished"))


def _end(session: Session) -> int:
    moments = [ms for one in session.utterances for _, ms in one.times]
    return max([0, *moments, *(run.ended_ms for run in session.scenarios if run.ended_ms is not None)])


def _opened(session: Session, scenarios: Sequence[str]) -> wizard.SessionOpened:
    return wizard.SessionOpened(
        session_id=session.session_id,
        speaker_id=session.speaker_id,
        wizard_ids=list(session.wizard_ids),
        scenario_ids=list(dict.fromkeys(scenarios)),
        pilot=session.pilot,
        language=session.language,
    )


@dataclass(frozen=True)
class _Scenario:
    """A scenario with its moments; `ends` is None for one that never ended."""

    run: ScenarioRun
    practice: bool
    begins: int
    ends: int | None


def _scenarios(session: Session) -> list[_Scenario]:
    """Each stretch of turns with one scenario, with what is known of the run; then scenarios without a turn.

    Where the tree does not say when a scenario began, it began when the key of its first turn went down.
    """
    runs = list(session.scenarios)
    scenarios = []
    for name, practice, begins, ends in _stretches(session):
        run = next((one for one in runs if one.scenario_id == name), ScenarioRun(name))
        runs = [one for one in runs if one is not run]
        untimed = run.started_ms is None
        scenarios.append(_Scenario(run, practice, begins, ends) if untimed else _timed(run, practice))
    return scenarios + [_timed(run, False) for run in runs]


def _stretches(session: Session) -> Iterator[tuple[str, bool, int, int]]:
    with_one = [one for one in _in_time(session.utterances) if one.scenario_id is not None]
    for (name, practice), group in groupby(with_one, key=lambda one: (one.scenario_id, one.practice)):
        members = list(group)
        ends = max(ms for one in members for ms in _all_times(one))
        yield cast(str, name), practice, _begins(members[0]), ends


def _timed(run: ScenarioRun, practice: bool) -> _Scenario:
    begins = run.started_ms if run.started_ms is not None else run.answered_ms or 0
    return _Scenario(run, practice, begins, run.ended_ms)


def _in_time(utterances: Sequence[Utterance]) -> list[Utterance]:
    return sorted(utterances, key=lambda one: (_begins(one), one.turn))


def _begins(utterance: Utterance) -> int:
    return dict(utterance.times).get("key_down", min(_all_times(utterance)))


def _all_times(utterance: Utterance) -> list[int]:
    return [ms for _, ms in utterance.times] or [0]


_REASONS = ("answered", "given_up", "next", "session_ended")


def _of_scenario(scenario: _Scenario, number: int, of: int) -> Iterator[_Moment]:
    run = scenario.run
    started = wizard.ScenarioStarted(
        scenario_id=run.scenario_id, number=number, of=of, practice=scenario.practice, condition_id=run.condition_id
    )
    yield _Moment(scenario.begins, started, painted=("scenario", scenario.begins))
    if scenario.ends is None:
        return
    likely = "next" if run.answer is None else "answered"
    ended = wizard.ScenarioEnded(
        scenario_id=run.scenario_id,
        reason=cast(Any, run.reason if run.reason in _REASONS else likely),
        answer=run.answer,
        how=_how(run) if run.answer is not None else None,
    )
    yield _Moment(scenario.ends, ended)


def _how(run: ScenarioRun) -> Literal["typed", "spoken"]:
    return "spoken" if run.how == "spoken" else "typed"


def _of_turn(utterance: Utterance) -> Iterator[_Moment]:
    times = dict(utterance.times)
    late = max(_all_times(utterance))
    if "heard" in times:
        yield _Moment(times["heard"], wizard.TakeHeard(), utterance.turn)
    text = unhidden(utterance).query
    heard = _words_heard(utterance)
    if heard is not None:
        yield _Moment(times.get("words_shown", times.get("query_sent", late)), heard, utterance.turn)
    if text is not None and utterance.modality == "speech":
        painted = ("query", times["query_painted"]) if "query_painted" in times else None
        yield _Moment(
            times.get("query_sent", _begins(utterance)),
            wizard.QuerySent(text=text, recognised=None if heard else utterance.hypothesis),
            utterance.turn,
            cast(Any, painted),
        )
    if utterance.nl_input:
        yield _Moment(
            times.get("query_sent", late), wizard.DraftShown(drafts=[], question=utterance.nl_input), utterance.turn
        )
    yield from _of_reply(utterance, times, late)
    for note in utterance.notes:
        yield _Moment(late, wizard.Note(text=note), utterance.turn)


def _words_heard(utterance: Utterance) -> wizard.WordsHeard | None:
    """What the recogniser of the wizard's desk heard, if that is what the hypothesis is."""
    version, _, model = (utterance.recogniser or "").rpartition(", ")
    text = lsn_of_query(" ".join(word.text for word in utterance.heard_words), utterance.language)
    if utterance.hypothesis is None or not version or text != utterance.hypothesis:
        return None
    return wizard.WordsHeard(
        words=utterance.heard_words, model=model, version=version, decoding_s=utterance.decoding_s or 0.0,
        shown=utterance.hypothesis_use != "unseen",
    )  # fmt: skip


def _of_reply(utterance: Utterance, times: Mapping[str, int], late: int) -> Iterator[_Moment]:
    reply = _reply(utterance)
    if utterance.taken_over:
        yield _Moment(late, wizard.TakenOver(system=""), utterance.turn)
    if reply is None:
        return
    system = utterance.answered_by if utterance.answered_by != "wizard" else None
    reply = msgspec.structs.replace(reply, system=system, late_ms=utterance.late_ms)
    sent = times.get(f"{utterance.outcome}_sent", late)
    first = times.get("key_up", late) + (late if utterance.wizard_latency_ms is None else utterance.wizard_latency_ms)
    if first < sent or ("wizard-error" in utterance.tags and not utterance.annotators):
        # A first reply was corrected; of that reply the tree holds nothing but its moment.
        yield _Moment(min(first, sent), _unknown_answer(utterance, False), utterance.turn)
    painted = (utterance.outcome, times["painted"]) if "painted" in times else None
    yield _Moment(sent, reply, utterance.turn, cast(Any, painted))


def _reply(utterance: Utterance) -> wizard.AnswerSent | wizard.MessageSent | None:
    if utterance.outcome == "message":
        counts = cast(Any, utterance.counts_as if utterance.counts_as in ("no_answer", "neutral") else "neutral")
        return wizard.MessageSent(
            message_id=utterance.message_id or "unknown", blanks={}, text=utterance.message or "", counts_as=counts
        )
    if utterance.outcome != "answer":
        return None
    return _answer(utterance) if utterance.references else _unknown_answer(utterance, utterance.yes_no)


_NO_TABLE = Table(headings=[], rows=[], numeric=[], total=0)


def _answer(utterance: Utterance) -> wizard.AnswerSent:
    first = utterance.references[0]
    if utterance.sent_sql not in (None, first.sql_min):
        # Annotators gave another statement, which has a layer of its own.
        return _unknown_answer(utterance, utterance.yes_no)
    return wizard.AnswerSent(
        sql=first.sql_min or "",
        table=_NO_TABLE,
        cas_min=first.cas_min,
        cas_max=first.cas_max,
        sql_max=first.sql_max,
        cas_error=None if first.cas_min is not None else NOT_IN_THE_TREE,
        yes_no=utterance.yes_no,
        max_error=None if first.cas_max is not None else NOT_IN_THE_TREE,
    )


def _unknown_answer(utterance: Utterance, yes_no: bool) -> wizard.AnswerSent:
    return wizard.AnswerSent(
        sql=utterance.sent_sql or "",
        table=_NO_TABLE,
        cas_min=None,
        cas_error=NOT_IN_THE_TREE,
        max_error=NOT_IN_THE_TREE,
        yes_no=yes_no,
    )


# -- the subject's ---------------------------------------------------------------------------------------

_Line = tuple[int, int | None, msgspec.Struct]


def _of_subject(session: Session, recorded: Mapping[str, Recorded], wizards: Sequence[_Moment]) -> Iterator[_Line]:
    version = session.app_version or "unknown"
    begin = min([0, *(ms for one in session.utterances for _, ms in one.times)])
    yield begin, None, subject.SubjectEpoch(number=1, app_version=version, pid=0, session_id=session.session_id)
    for (form, _), answers in groupby(_answers(session), key=lambda one: one[:2]):
        yield begin, None, subject.FormFilled(form=form, values={name: value for *_, name, value in answers})
    for seq, moment in enumerate(wizards, 1):
        if moment.painted is not None:
            what, at = moment.painted
            yield at, moment.turn, subject.Painted(what=what, id=seq)
    for utterance in _in_time(session.utterances):
        yield from _of_press(utterance, recorded.get(utterance.utterance_id))
    end = _end(session)
    for run in session.scenarios:
        # A spoken answer is in its recording; only what was typed has a report of its own.
        if run.answer is not None and (run.how != "spoken" or run.ended_ms is None):
            at = run.answered_ms if run.answered_ms is not None else end
            yield at, None, subject.SolutionReported(scenario_id=run.scenario_id, value=run.answer, how=_how(run))


def _answers(session: Session) -> Iterator[tuple[str, int, str, str]]:
    """Form, how often it was begun anew, question, answer: one form holds a question once."""
    seen: set[tuple[str, str]] = set()
    again = 0
    for name, value in session.questionnaire:
        form, dot, question = name.partition(".")
        form, question = (form, question) if dot else ("imported", name)
        if (form, question) in seen:
            again, seen = again + 1, set()
        seen.add((form, question))
        yield form, again, question, value


def _of_press(utterance: Utterance, recorded: Recorded | None) -> Iterator[_Line]:
    times = dict(utterance.times)
    down, up = times.get("key_down"), times.get("key_up")
    if down is not None and utterance.history_cleared:
        yield down, None, subject.HistoryCleared()
    if utterance.modality == "text":
        began, entered = (_begins(utterance) if at is None else at for at in (down, up))
        text = unhidden(utterance).query or ""
        yield entered, utterance.turn, subject.TurnTyped(text=text, began_ns=began * _NS, entered_ns=entered * _NS)
        down = up = None
    if down is not None:
        yield down, utterance.turn, subject.KeyDown(source="key", pressed_ns=down * _NS)
    if up is not None:
        held = up - down if down is not None else 0
        yield up, utterance.turn, subject.KeyUp(released_ns=up * _NS, held_ms=held)
    if recorded is not None:
        yield times.get("take_saved", max(_all_times(utterance))), utterance.turn, _take(utterance, recorded, down)
    if "one_moment_painted" in times:
        yield times["one_moment_painted"], utterance.turn, subject.Painted(what="one_moment", id=0)
    if utterance.outcome == "cancelled":
        yield max(_all_times(utterance)), utterance.turn, subject.TakeCancelled(reason=_why_cancelled(utterance))


def _why_cancelled(utterance: Utterance) -> Literal["cancelled", "too_short", "no_sound"]:
    if "too-short" in utterance.site_tags and utterance.notes:
        return "too_short"
    return "no_sound" if "no-sound" in utterance.site_tags and utterance.notes else "cancelled"


def _take(utterance: Utterance, recorded: Recorded, down: int | None) -> subject.TakeSaved | subject.TakeRecovered:
    kept: dict[str, Any] = {
        "utterance_id": utterance.utterance_id,
        **by_name(recorded, "frames", "sample_rate", "sha256", "peak_dbfs"),
        "clipped": max(1, recorded.clipped) if utterance.clipped else 0,
    }
    if utterance.recovered:
        return subject.TakeRecovered(**kept)
    before = down - utterance.start_ms if down is not None and utterance.start_ms is not None else 0
    key_down_frame = (before * recorded.sample_rate + 500) // 1000
    return subject.TakeSaved(**kept, key_down_frame=key_down_frame, lost=utterance.cut_short)
