from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from wizard_app.session.progress import SessionProgress, TurnState, with_subject_fact, with_wizard_fact

TAKE = subject.TakeSaved(utterance_id="e00-01-001", frames=16000, sample_rate=16000, sha256="0" * 64, peak_dbfs=-3.0)
DOWN = subject.KeyDown(source="key", pressed_ns=1_000_000_000)
UP = subject.KeyUp(released_ns=3_000_000_000, held_ms=2000)
TABLE = wizard.SentTable(headings=["N"], rows=[["5"]], numeric=[True], total=1)
ANSWER = wizard.AnswerSent(sql="SELECT 5", table=TABLE, cas_min="5")
MESSAGE = wizard.MessageSent(message_id="unable", blanks={}, text="Sorry", counts_as="no_answer")


def after(*facts: tuple[object, int | None]) -> SessionProgress:
    progress = SessionProgress()
    for seq, (fact, turn) in enumerate(facts, 1):
        if isinstance(fact, subject.SubjectFact):
            progress = with_subject_fact(progress, fact, turn, seq * 1_000_000_000)
        elif isinstance(fact, wizard.WizardFact):
            progress = with_wizard_fact(progress, fact, turn, seq * 1_000_000_000, seq)
    return progress


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        ([DOWN], TurnState.SPEAKING),
        ([DOWN, UP], TurnState.SAVING),
        ([DOWN, UP, TAKE], TurnState.OPEN),
        ([DOWN, UP, subject.TakeCancelled(reason="too_short")], TurnState.CANCELLED),
        ([DOWN, UP, TAKE, ANSWER], TurnState.ANSWERED),
        ([DOWN, UP, TAKE, MESSAGE], TurnState.MESSAGED),
        ([DOWN, UP, TAKE, ANSWER, wizard.Corrected(of_seq=4), MESSAGE], TurnState.MESSAGED),
    ],
)
def test_a_turn_moves_forward_with_its_facts(facts: list[object], state: TurnState) -> None:
    assert after(*[(fact, 1) for fact in facts]).turns[1].state is state


def test_a_take_cut_by_a_restart_waits_for_its_mending_and_holds_up_nobody() -> None:
    restart = subject.SubjectEpoch(number=2, app_version="0", pid=1, session_id="e00-01")
    progress = after((DOWN, 1), (restart, None), (DOWN, 2), (UP, 2), (TAKE, 2))
    assert progress.turns[1].state is TurnState.INTERRUPTED
    assert [turn.number for turn in progress.open_turns] == [2]
    mended = subject.TakeRecovered(
        utterance_id="e00-01-001", frames=1, sample_rate=16000, sha256="0" * 64, peak_dbfs=-3.0
    )
    progress = with_subject_fact(progress, mended, 1, 0)
    assert [turn.number for turn in progress.open_turns] == [1, 2]
    assert progress.turns[1].recovered


def test_the_oldest_open_turn_comes_first_and_a_correction_keeps_both_replies() -> None:
    corrected = wizard.Corrected(of_seq=5)
    progress = after((DOWN, 1), (TAKE, 1), (DOWN, 2), (TAKE, 2), (ANSWER, 1), (corrected, 1), (MESSAGE, 1))
    assert [turn.number for turn in progress.open_turns] == [2]
    assert [sent.seq for sent in progress.turns[1].sent] == [5, 7]
    assert progress.last_sent is progress.turns[1]


def test_the_wait_ends_when_the_subject_first_saw_the_reply() -> None:
    painted = subject.Painted(what="answer", id=4)
    progress = after((DOWN, 1), (UP, 1), (TAKE, 1), (ANSWER, 1), (painted, 1), (painted, 1))
    assert progress.turns[1].waited_s == 2.0


def test_a_release_is_known_on_the_wizards_clock_once_the_clocks_are_tied() -> None:
    progress = after((DOWN, 1), (UP, 1))
    assert progress.released_on_wizard_clock(1) is None
    tied = with_wizard_fact(progress, wizard.LinkRestored(subject_epoch=1, offset_ns=500, rtt_ns=10), None, 0, 9)
    assert tied.released_on_wizard_clock(1) == 3_000_000_500


def test_the_latest_answer_that_the_subject_stated_counts() -> None:
    stated = [subject.SolutionReported(scenario_id="fair", value=value, how="typed") for value in ("MIT", "CMU")]
    progress = after(*[(one, None) for one in stated])
    assert progress.solution_of("fair") == stated[1]
    assert progress.solution_of("other") is None


def test_what_is_known_without_a_search_is_what_a_search_finds() -> None:
    """A long session in disorder: the turns after each line are those that the whole would give."""
    chance = random.Random(7)
    progress = SessionProgress()
    facts = [DOWN, UP, TAKE, ANSWER, MESSAGE, wizard.TakeHeard(), subject.TakeCancelled(reason="no_sound")]
    for seq in range(1, 400):
        fact, turn = chance.choice(facts), chance.randint(1, 40)
        if isinstance(fact, subject.SubjectFact):
            progress = with_subject_fact(progress, fact, turn, seq)
        else:
            progress = with_wizard_fact(progress, fact, turn, seq, seq)
        whole = SessionProgress(turns=dict(progress.turns))
        assert progress.unfinished_turns == whole.unfinished_turns
        assert progress.last_sent == whole.last_sent


WHOLE = subject.TakeRecovered(
    utterance_id="e00-01-001", frames=36800, sample_rate=16000, sha256="0" * 64, peak_dbfs=-3.0
)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ([DOWN, UP], None),
        ([DOWN, UP, TAKE], None),
        ([DOWN, replace(UP, ended_by="focus_lost")], None),
        ([DOWN, replace(UP, ended_by="focus_lost"), TAKE], "focus_lost"),
        ([DOWN, UP, replace(TAKE, lost=True)], "microphone_lost"),
        ([DOWN, replace(UP, ended_by="focus_lost"), replace(TAKE, disk_full=True)], "disk_full"),
        ([DOWN, UP, subject.TakeCancelled(reason="disk_full")], "disk_full"),
        ([DOWN, WHOLE], "crash"),
        ([DOWN, UP, WHOLE], None),
        ([DOWN, UP, replace(WHOLE, frames=16000)], "crash"),
    ],
)
def test_a_turn_tells_why_its_recording_was_cut_short(facts: list[object], reason: str | None) -> None:
    assert after(*((fact, 1) for fact in facts)).turns[1].cut_reason == reason
