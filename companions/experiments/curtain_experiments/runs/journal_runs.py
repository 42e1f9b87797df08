"""Runs from the journals of a corpus: one for each scenario that a subject worked on (papers/004)."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from curtain.base.errors import CurtainError
from curtain.corpus.annotation.sro import lsn_of_query
from curtain.corpus.model.utterance import Session, Utterance
from curtain.session.turns.scenario_runs import ScenarioRun
from curtain_experiments.runs.run import Query, RunRecord
from curtain_judge.labels import CLARITY, CORRECTNESS

# What the judges of papers/004 said, and the count of a run that it adds to.
_BUCKETS = {
    "correct": "correct",
    "partially correct": "partial",
    "incorrect": "incorrect",
    "system error message": "unanswered",
}

Labels = Mapping[tuple[str, str], str]
"""The settled label by (utterance id, question)."""
encoded = msgspec.json.Encoder(order="sorted").encode
"""An analysis as `JournalRuns.declared` knows it."""


@dataclass
class JournalRuns:
    """Runs and their queries."""

    runs: list[RunRecord] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)
    declared: dict[bytes, tuple[str, str]] = field(default_factory=dict)
    """Each analysis that a study had declared, as JSON, with the day and the id of the first session that has it."""
    _spoken: dict[tuple[str, str], list[tuple[str, array[int]]]] = field(default_factory=dict)

    def add(self, sessions: Iterable[Session], labels: Labels, study: str) -> None:
        """Take the runs of sessions, from journals or an utterance table, in the order of sessions and of work.

        Practice is left out.
        Raises CurtainError for a session that cannot be read, and for one that an earlier source holds.
        """
        for session in sessions:
            self._note(session, study)
            first, analysis = (session.recorded or "", session.session_id), encoded(session.analysis)
            self.declared[analysis] = min(first, self.declared.get(analysis, first))
            _add_session(self, session, labels, study)

    def _note(self, session: Session, study: str) -> None:
        """A study, its copy and its table hold the same turns; a table may lack some. One equal turn may be chance."""
        turns = [one for one in session.utterances if one.start_ms is not None]
        spoken = array("q", [hash((one.turn, one.scenario_id, one.start_ms, one.end_ms)) for one in turns])
        known = self._spoken.setdefault((session.site, session.session_id), [])
        for other, theirs in known:
            both = len({*spoken} & {*theirs})
            if (
                other != study
                and both == min(len(spoken), len(theirs))
                and (both > 1 or len(spoken) == len(theirs) == 1)
            ):
                raise CurtainError(f"{other} and {study} hold the same session {session.session_id}; name one of them.")
        known.append((study, spoken))


def remarks_on(runs: Iterable[RunRecord]) -> Iterator[str]:
    """The runs of sessions that lack an end or a solution; nothing of them is lost."""
    for run in runs:
        where = f"{run.session}, scenario {run.scenario}"
        if run.completion_s is None:
            yield f"{where}: it has no end, so it has no completion time."
        if run.solution is None and run.stated:
            yield f"{where}: no solution is written down for it, so its answer is neither correct nor incorrect."


def _add_session(result: JournalRuns, session: Session, labels: Labels, study: str) -> None:
    position = 0
    turns = _turns_by_run(session)
    preference = _preference(session, turns)
    for run, spoken in zip(session.scenarios, turns, strict=True):
        utterances = [one for one in spoken if not one.practice]
        if not utterances and (_is_practice(run, spoken) or _came_to_nothing(run)):
            continue
        position += 1
        result.runs.append(_run(session, run, utterances, position, labels, study, preference))
        result.queries.extend(_queries(session, run, utterances, labels, study))


def _turns_by_run(session: Session) -> list[list[Utterance]]:
    """The turns of each scenario, practice too, beside `session.scenarios`."""
    turns: dict[int, list[Utterance]] = {}
    for utterance in session.utterances:
        # By identity: a scenario that was begun twice may stand there twice with equal times.
        turns.setdefault(id(session.scenario_of(utterance)), []).append(utterance)
    return [turns.get(id(run), []) for run in session.scenarios]


def _is_practice(run: ScenarioRun, spoken: Sequence[Utterance]) -> bool:
    """It was begun as practice, or every turn of it was; another scenario without any turn is a run without a query."""
    return run.practice or (bool(spoken) and all(one.practice for one in spoken))


def _came_to_nothing(run: ScenarioRun) -> bool:
    """It was on the screen when the session ended or broke off, and nothing was done about it."""
    return run.ended_ms is None and run.answer is None


def _run(
    session: Session,
    run: ScenarioRun,
    utterances: Sequence[Utterance],
    position: int,
    labels: Labels,
    study: str,
    preference: str,
) -> RunRecord:
    asked = [one for one in utterances if one.outcome != "cancelled"]
    judged = Counter(_bucket(one, labels) for one in asked)
    judged.pop("", None)
    pauses = session.pauses
    paused = _overlap(pauses, run.started_ms, run.ended_ms)
    messages = Counter(one.message_id for one in asked if one.message_id)
    return RunRecord(
        subject=session.speaker_id,
        scenario=run.scenario_id,
        condition=run.condition_id or "",
        study=study,
        site=session.site,
        session=session.session_id,
        position=float(position),
        completion_s=_seconds(run.started_ms, run.ended_ms, paused),
        pauses_s=paused / 1000,
        first_solution_s=_seconds(run.started_ms, run.answered_ms, _overlap(pauses, run.started_ms, run.answered_ms)),
        # Whoever rules that a solution is right has heard one.
        stated=run.answer is not None or run.solution in ("correct", "incorrect"),
        solution=run.solution,
        queries=float(len(asked)),
        typed=float(sum(one.modality == "text" for one in asked)),
        answered=float(sum(one.outcome == "answer" for one in asked)),
        no_answer=float(sum(one.outcome == "message" and one.counts_as == "no_answer" for one in asked)),
        cancelled=float(len(utterances) - len(asked)),
        history_clears=float(run.clears),
        repeats=float(sum(repeated for _, repeated in _after_clears(asked))),
        taken_over=float(sum(one.taken_over for one in asked)),
        wizard_latency_s=_latency(one for one in asked if one.answered_by in (None, "wizard")),
        system_latency_s=_latency(one for one in asked if one.answered_by not in (None, "wizard")),
        judged=float(judged.total()) if judged else None,
        **{name: float(judged[name]) if judged else None for name in (*_BUCKETS.values(), "class_x")},  # type: ignore[arg-type]
        turns="/".join(session.path.parts[-2:]),
        messages={name: float(count) for name, count in messages.items()},
        scores=_scores(session, run.scenario_id),
        preference=preference,
        plan=session.planned,
    )


def _scores(session: Session, scenario_id: str) -> dict[str, float]:
    """The scores of the session and those of this scenario, by the names of their instruments."""
    named = [(*name.partition("@"), score) for name, score in session.scores.items()]
    return {name: score for name, _, of, score in named if of in ("", scenario_id)}


def _preference(session: Session, turns: Sequence[Sequence[Utterance]]) -> str:
    """What the debriefing says; practice has a condition too, but is no part of the comparison."""
    runs = zip(session.scenarios, turns, strict=True)
    met = [run.condition_id or "" for run, spoken in runs if not _is_practice(run, spoken)]
    return preferred_condition(session.questionnaire, met)


def preferred_condition(questionnaire: Iterable[tuple[str, str]], conditions: Sequence[str]) -> str:
    """The id of the condition that the subject preferred, "none" for neither, "" if it was not said (papers/004).

    `conditions` are the ids in the order in which the subject met them; the subject knows only first and second.
    """
    choice = dict(questionnaire).get("debriefing.preferred", "")
    if choice == "none":
        return choice
    # With one condition, or more than two, “the second” names none of them for certain.
    met = tuple(dict.fromkeys(filter(None, conditions)))
    return dict(zip(("first", "second"), met, strict=True)).get(choice, "") if len(met) == 2 else ""


def _bucket(utterance: Utterance, labels: Labels) -> str:
    """The count that a query adds to; "" where nobody has judged it. Class X is in no percentage (papers/001, 2.3)."""
    # A turn that a person took over is not the system's.
    if utterance.taken_over:
        return ""
    if utterance.eval_class == "X" and utterance.class_from in ("annotated", "ruled"):
        return "class_x"
    return _BUCKETS.get(labels.get((utterance.utterance_id, CORRECTNESS), ""), "")


def _latency(utterances: Iterable[Utterance]) -> float | None:
    """The mean from the release of the key, or from Enter, to the reply, in seconds."""
    waits = [wait for one in utterances if (wait := one.wizard_latency_ms) is not None]
    return math.fsum(waits) / len(waits) / 1000 if waits else None


def _after_clears(utterances: Sequence[Utterance]) -> Iterator[tuple[Utterance, bool]]:
    """Each query, and whether it repeats one from before the subject started over (papers/004, "Analyses")."""
    before: set[str] = set()
    since: set[str] = set()
    for utterance in utterances:
        if utterance.history_cleared:
            before, since = before | since, set()
        words = lsn_of_query(utterance.query or "")
        yield utterance, bool(words) and words in before
        since.add(words)


def _queries(
    session: Session, run: ScenarioRun, utterances: Sequence[Utterance], labels: Labels, study: str
) -> Iterator[Query]:
    for utterance, repeated in _after_clears(utterances):
        yield Query(
            study=study,
            session=session.session_id,
            subject=session.speaker_id,
            scenario=run.scenario_id,
            condition=run.condition_id or "",
            utterance=utterance.utterance_id,
            turn=utterance.turn,
            query=utterance.query,
            hypothesis=utterance.hypothesis,
            hypothesis_use=utterance.hypothesis_use,
            modality=utterance.modality,
            outcome=utterance.outcome,
            message=utterance.message,
            latency_s=utterance.wizard_latency_ms / 1000 if utterance.wizard_latency_ms is not None else None,
            clarity=labels.get((utterance.utterance_id, CLARITY)),
            correctness=labels.get((utterance.utterance_id, CORRECTNESS)),
            after_clear=utterance.history_cleared,
            repeated=repeated,
            cancelled=utterance.outcome == "cancelled",
        )


def _overlap(spans: Iterable[tuple[int, int]], start: int | None, end: int | None) -> int:
    if start is None or end is None:
        return 0
    return sum(max(0, min(end, last) - max(start, first)) for first, last in spans)


def _seconds(start: int | None, end: int | None, without: int) -> float | None:
    return (end - start - without) / 1000 if start is not None and end is not None else None
