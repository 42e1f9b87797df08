"""Scenarios from their start to the subject's stated answer: what end-to-end measures are made of (papers/004)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from curtain.base.record_file import by_name
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.events.facts import FactLine, subject_lines, wizard_lines
from curtain.session.journal.lines import JournalEntry
from curtain.session.turns.session_times import SessionTimes

SolutionVerdict = Literal["correct", "incorrect", "none"]


@dataclass(frozen=True, slots=True)
class ScenarioRun:
    """One scenario on the subject's screen. Times are ms since the session began; what did not happen is None.

    `reason` is why it ended (`answered`, `given_up`, `next`, `session_ended`); `answer` is what the subject stated,
    `how` they stated it (`typed`, `spoken`), and `answered_ms` when. `condition_id` is under which condition it ran.
    `solution` is the verdict on the answer, None where nobody knows; `solution_from` says whether accepted wordings
    or a person decided. The journals know neither: `curtain.corpus.model.solutions` fills them in. `clears` is how
    often the subject started over while it was on the screen.
    """

    scenario_id: str
    started_ms: int | None = None
    ended_ms: int | None = None
    reason: str | None = None
    answer: str | None = None
    how: str | None = None
    answered_ms: int | None = None
    condition_id: str | None = None
    solution: SolutionVerdict | None = None
    solution_from: Literal["wording", "ruled"] | None = None
    # Other formats carry it with the turns alone, so it does not count when runs are compared.
    practice: bool = field(default=False, compare=False)
    clears: int = field(default=0, compare=False)

    @property
    def given_up(self) -> bool:
        """Whether the subject gave the scenario up."""
        return self.reason == "given_up"

    def as_json(self) -> dict[str, Any]:
        """The object `scenario` that `curtain turns` prints."""
        return by_name(self, *_PRINTED)


_PRINTED = (
    "started_ms", "ended_ms", "reason", "answer", "how", "answered_ms", "given_up", "condition_id", "solution",
    "solution_from",
)  # fmt: skip


def scenario_runs(
    subject_entries: Sequence[JournalEntry], wizard_entries: Sequence[JournalEntry]
) -> tuple[ScenarioRun, ...]:
    """Every scenario of a session in the order of their starts, then answers to scenarios without a start."""
    times = SessionTimes(subject_entries, wizard_entries)
    return runs_in(subject_lines(subject_entries), wizard_lines(wizard_entries), times)


def runs_in(
    of_subject: Sequence[FactLine], of_wizard: Sequence[FactLine], times: SessionTimes
) -> tuple[ScenarioRun, ...]:
    """`scenario_runs` for lines that were read already."""
    reported = [
        (times.of_subject(line.entry), line.fact)
        for line in of_subject
        if isinstance(line.fact, subject.SolutionReported)
    ]
    released = [
        times.of_subject(line.entry, line.fact.released_ns)
        for line in of_subject
        if isinstance(line.fact, subject.KeyUp)
    ]
    runs = _started_and_ended(of_wizard, times)
    for line in of_subject:
        if isinstance(line.fact, subject.HistoryCleared):
            _count_clear(runs, times.of_subject(line.entry))
    begun = {run.scenario_id for run in runs}
    # An answer to a scenario without a start: its line was lost, the answer is kept.
    last_reports = {fact.scenario_id: (at, fact) for at, fact in reported if fact.scenario_id not in begun}
    others = (ScenarioRun(one, None, None, None, fact.value, fact.how, at) for one, (at, fact) in last_reports.items())
    return (*(_with_answer(run, runs, reported, released) for run in runs), *others)


def _count_clear(runs: list[ScenarioRun], at: int) -> None:
    begun = [number for number, run in enumerate(runs) if run.started_ms is not None and run.started_ms <= at]
    if begun:
        runs[begun[-1]] = replace(runs[begun[-1]], clears=runs[begun[-1]].clears + 1)


def run_at(runs: Iterable[ScenarioRun], scenario_id: str | None, at_ms: int | None) -> ScenarioRun | None:
    """The run of a scenario in which a moment lies; where the scenario was begun once, that run."""
    runs_of_scenario = [run for run in runs if run.scenario_id == scenario_id]
    begun = [
        run for run in runs_of_scenario if at_ms is not None and run.started_ms is not None and run.started_ms <= at_ms
    ]
    return begun[-1] if begun else runs_of_scenario[0] if runs_of_scenario else None


def _started_and_ended(lines: Iterable[FactLine], times: SessionTimes) -> list[ScenarioRun]:
    runs: list[ScenarioRun] = []
    for entry, fact, _ in lines:
        if isinstance(fact, wizard.ScenarioStarted):
            run = ScenarioRun(
                fact.scenario_id, times.of_wizard(entry), condition_id=fact.condition_id, practice=fact.practice
            )
            runs.append(run)
        elif isinstance(fact, wizard.ScenarioEnded):
            at = next((at for at in reversed(range(len(runs))) if runs[at].scenario_id == fact.scenario_id), None)
            if at is None:
                runs.append(ScenarioRun(fact.scenario_id))
            ended = replace(
                runs[-1 if at is None else at],
                ended_ms=times.of_wizard(entry),
                reason=fact.reason,
                answer=fact.answer,
                how=(fact.how or "typed") if fact.answer is not None else None,
            )
            runs[-1 if at is None else at] = ended
    return runs


def _with_answer(
    run: ScenarioRun,
    runs: Sequence[ScenarioRun],
    reported: Sequence[tuple[int, subject.SolutionReported]],
    released: Sequence[int],
) -> ScenarioRun:
    """The moment of the statement: when a typed answer was reported, when the key came up behind a spoken one.

    The wizard confirms an answer at the scenario's end, seconds after the subject found it.
    """
    own_reports = [(at, fact) for at, fact in reported if run_at(runs, fact.scenario_id, at) is run]
    if run.answer is None and run.ended_ms is None and own_reports:
        at, fact = own_reports[-1]
        return replace(run, answer=fact.value, how=fact.how, answered_ms=at)
    if run.answer is None:
        return run
    if run.how == "typed" and own_reports:
        return replace(run, answered_ms=own_reports[-1][0])
    # The last release within the run: the utterance that stated the answer.
    spoken = [at for at in released if _within(run, at)] if run.how == "spoken" else []
    return replace(run, answered_ms=spoken[-1] if spoken else run.ended_ms)


def _within(run: ScenarioRun, at: int) -> bool:
    started = run.started_ms is None or at >= run.started_ms
    return started and (run.ended_ms is None or at <= run.ended_ms)
