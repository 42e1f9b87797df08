import random

import pytest
from msgspec.structs import replace

from curtain.base.table import Table
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.turns.turn_progress import TurnState
from tests.support.kept_bytes import bytes_a_turn
from wizard_app.desk.session.progress import SessionProgress, with_subject_fact, with_wizard_fact

TAKE = subject.TakeSaved(utterance_id="e00-01-001", frames=16000, sample_rate=16000, sha256="0" * 64, peak_dbfs=-3.0)
DOWN = subject.KeyDown(source="key", pressed_ns=1_000_000_000)
UP = subject.KeyUp(released_ns=3_000_000_000, held_ms=2000)
TABLE = Table(headings=["N"], rows=[["5"]], numeric=[True], total=1)
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
    repaired = subject.TakeRecovered(
        utterance_id="e00-01-001", frames=1, sample_rate=16000, sha256="0" * 64, peak_dbfs=-3.0
    )
    progress = with_subject_fact(progress, repaired, 1, 0)
    assert [turn.number for turn in progress.open_turns] == [1, 2]
    assert progress.turns[1].recovered


def test_a_turn_belongs_to_the_scenario_that_was_on_the_screen_live_and_after_a_restart() -> None:
    first, second = (wizard.ScenarioStarted(scenario_id=name, number=n, of=2) for n, name in enumerate("ab", 1))
    first_shown, second_shown = (subject.Painted(what="scenario", id=seq) for seq in (1, 3))
    # The second scenario was sent, and the subject still sees the first.
    live = after((first, None), (first_shown, None), (second, None), (DOWN, 1), (second_shown, None), (DOWN, 2))
    resumed = with_wizard_fact(SessionProgress(), first, None, 0, 1)
    resumed = with_wizard_fact(resumed, second, None, 0, 3)
    for fact, turn in ((first_shown, None), (DOWN, 1), (second_shown, None), (DOWN, 2)):
        resumed = with_subject_fact(resumed, fact, turn, 0)
    for progress in (live, resumed):
        assert [turn.scenario_id for turn in progress.in_order] == ["a", "b"]


def test_a_turn_of_which_only_a_damaged_line_is_left_holds_up_nobody() -> None:
    progress = with_subject_fact(SessionProgress(), None, 1, 0)
    assert progress.turns[1].state is TurnState.INTERRUPTED
    assert progress.unfinished_turns == []


def test_the_oldest_open_turn_comes_first_and_a_correction_keeps_both_replies() -> None:
    corrected = wizard.Corrected(of_seq=5)
    progress = after((DOWN, 1), (TAKE, 1), (DOWN, 2), (TAKE, 2), (ANSWER, 1), (corrected, 1), (MESSAGE, 1))
    assert [turn.number for turn in progress.open_turns] == [2]
    assert [sent.seq for sent in progress.turns[1].sent] == [5, 7]
    assert progress.last_sent is progress.turns[1]


def test_a_call_for_help_stands_until_it_is_seen_to_whatever_else_happens_and_after_a_restart() -> None:
    called, seen_to = (subject.HelpCalled(), None), (wizard.CallAnswered(calls=1), None)
    began = (wizard.ScenarioStarted(scenario_id="fair", number=1, of=1), None)
    assert after(called, (TAKE, 1), began, (wizard.Paused(), None)).calls_for_help
    assert not after(called, seen_to).calls_for_help
    assert after(called, seen_to, called).calls_for_help
    # A station that starts again reads the wizard's journal first.
    assert not after(seen_to, called).calls_for_help


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
        assert progress.in_order == [progress.turns[number] for number in sorted(progress.turns)]
        assert progress.unfinished_turns == whole.unfinished_turns
        assert progress.last_sent == whole.last_sent


def test_a_line_leaves_all_turns_shared_but_the_few_beside_its_own() -> None:
    """What is shared is neither copied nor looked at: a line costs the same in turn 900 as in turn 9."""
    before = SessionProgress()
    for number in range(1, 901):
        before = with_subject_fact(before, DOWN, number, 1)
    after = with_wizard_fact(before, wizard.Note(text="coughs"), 500, 1, 1)
    earlier, later = before.all_turns.blocks, after.all_turns.blocks
    assert len(later) > 20
    assert sum(later[at] is not block for at, block in earlier.items()) == 1
    assert list(after.all_turns.changed_since(before.all_turns)) == [500]
    assert list(reversed(after.all_turns)) == list(range(900, 0, -1))


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


def test_the_progress_names_what_a_closed_session_lacks_and_where_it_was_closed() -> None:
    closed = wizard.SessionClosed(reason="finished")
    gap = wizard.GapAccepted(missing=["the recording of turn 3"])
    progress = after((DOWN, 1), (closed, None), (gap, None))
    assert (progress.closed, progress.closed_seq, progress.missing) == (closed, 2, ("the recording of turn 3",))


def test_the_progress_knows_the_line_of_the_first_correction_of_each_turn() -> None:
    corrected = wizard.Corrected(of_seq=2)
    progress = after((TAKE, 1), (ANSWER, 1), (corrected, 1), (ANSWER, 1), (corrected, 1), (MESSAGE, 1))
    assert progress.corrected == {1: 3}


def test_a_turn_with_a_large_answer_keeps_at_most_two_kilobytes() -> None:
    """Table, CAS and first rows stay in the journal: a session has up to 999 turns."""
    progress = SessionProgress()

    def play(number: int) -> None:
        nonlocal progress
        progress = _answered_turn(progress, number)

    assert bytes_a_turn(play) < 2048
    assert len(progress.turns) == 400


def _answered_turn(progress: SessionProgress, number: int) -> SessionProgress:
    sql = f"SELECT employee_id, last_name, first_name, job_title FROM employee WHERE employee_id > {number} LIMIT 200"
    rows = [[f"{number}", f"name {number} {row}", f"first name {row}", "sales representative"] for row in range(200)]
    table = Table(headings=["A", "B", "C", "D"], rows=rows, numeric=[True, False, False, False], total=200)
    cas = str(rows)
    ran = wizard.StatementRun(sql=sql, rows=200, ms=3, headings=table.headings, first_rows=rows[:20])
    for fact in (DOWN, UP, TAKE):
        progress = with_subject_fact(progress, fact, number, 1)
    replies = (wizard.QuerySent(text=f"question {number}"), ran, wizard.AnswerSent(sql=sql, table=table, cas_min=cas))
    for fact in replies:
        progress = with_wizard_fact(progress, fact, number, 1, number)
    return progress
