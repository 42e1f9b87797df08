from dataclasses import replace

from msgspec import structs

from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.turns.turn_progress import AnswerOutline, Sent, TurnProgress
from curtain_drafts.desk.learning import Learnt, earlier_asked
from curtain_drafts.drafting.values import Asked, Example
from wizard_app.desk.session.progress import SessionProgress, with_subject_fact, with_wizard_fact

MESSAGE = wizard.MessageSent(message_id="unable", blanks={}, text="Sorry", counts_as="no_answer")


def answered(number: int, query: str, sql: str, scenario: str = "fair") -> TurnProgress:
    take = subject.TakeSaved(utterance_id=f"e00-01-00{number}", frames=1, sample_rate=16000, sha256="", peak_dbfs=-3.0)
    sent = Sent(number, 0, AnswerOutline(sql, yes_no=False, total=1))
    return TurnProgress(number, scenario_id=scenario, pressed_ns=number, take=take, query=query, sent=(sent,))


ONE, TWO = answered(1, "how many women", "SELECT 1"), answered(2, "and men", "SELECT 2")
FIRST = Example("how many women", "SELECT 1", (), "e00-01-001", "study", "fair")
SECOND = Example("and men", "SELECT 2", (Asked("how many women", "SELECT 1"),), "e00-01-002", "study", "fair")
THIRD = TurnProgress(3, scenario_id="fair", pressed_ns=3)


def of(*turns: TurnProgress) -> SessionProgress:
    return SessionProgress(turns={turn.number: turn for turn in turns})


def test_each_answer_is_learnt_once_with_the_turns_it_leans_on() -> None:
    learnt, lesson = Learnt().after(of(ONE))
    assert lesson.learn == (FIRST,)
    learnt, lesson = learnt.after(of(ONE, TWO))
    assert lesson.learn == (SECOND,)
    assert learnt.after(of(ONE, TWO))[1] == type(lesson)()


def test_an_answer_corrected_to_a_message_is_forgotten() -> None:
    learnt, _ = Learnt().after(of(ONE))
    lesson = learnt.after(of(structs.replace(ONE, sent=(*ONE.sent, Sent(9, 0, MESSAGE)))))[1]
    assert (lesson.learn, lesson.forget) == ((), ("e00-01-001",))


def test_practice_teaches_nothing() -> None:
    opened = wizard.SessionOpened(
        session_id="e00-01", speaker_id="e00", wizard_ids=["mb"], scenario_ids=["fair"], practice_id="fair"
    )
    assert Learnt().after(replace(of(ONE), opened=opened))[1].learn == ()


def test_a_turn_leans_on_the_answered_turns_of_its_scenario() -> None:
    other = answered(1, "elsewhere", "SELECT 9", scenario="anniversary")
    assert earlier_asked(of(other, TWO, THIRD), 3) == (Asked("and men", "SELECT 2"),)


def test_nothing_said_before_the_subject_started_over_counts() -> None:
    over = with_subject_fact(of(ONE), subject.HistoryCleared(), None, 0)
    later = replace(over, turns={**over.turns, 2: TWO, 3: THIRD})
    assert earlier_asked(later, 3) == (Asked("and men", "SELECT 2"),)
    assert earlier_asked(later, 2) == ()


def test_a_scenario_begun_again_begins_afresh() -> None:
    started = wizard.ScenarioStarted(scenario_id="fair", number=1, of=2)
    again = with_wizard_fact(of(ONE), started, None, 0, 5)
    assert earlier_asked(replace(again, turns={**again.turns, 2: TWO}), 2) == ()


def test_a_turn_that_changes_nothing_to_learn_is_not_looked_at_again() -> None:
    """Each line of a session comes here: only an answer costs more than a glance."""
    learnt, _ = Learnt().after(of(ONE, TWO))
    painted = structs.replace(TWO, painted_ns=7)
    after, lesson = learnt.after(of(ONE, painted))
    assert after.examples is learnt.examples
    assert lesson == type(lesson)()


def test_a_correction_takes_the_place_of_the_answer_also_in_what_later_turns_lean_on() -> None:
    learnt, _ = Learnt().after(of(ONE, TWO))
    corrected = structs.replace(ONE, sent=(*ONE.sent, Sent(9, 0, AnswerOutline("SELECT 3", yes_no=False, total=1))))
    lesson = learnt.after(of(corrected, TWO))[1]
    leaning = replace(SECOND, previous=(Asked("how many women", "SELECT 3"),))
    assert lesson.learn == (replace(FIRST, sql="SELECT 3"), leaning)
