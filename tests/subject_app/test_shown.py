import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.table import Table
from curtain.link.messages import (
    AnswerShown,
    MessageShown,
    PauseShown,
    QueryShown,
    ScenarioOver,
    ScenarioShown,
    SessionOver,
)
from subject_app.session.screen_state import ScreenState
from tests.support.kept_bytes import bytes_a_turn

TABLE = Table(headings=["A"], rows=[["1"]], numeric=[True], total=1)


def scenario(seq, scenario_id="s1"):
    return ScenarioShown(seq=seq, scenario_id=scenario_id, number=1, of=2, practice=False, text="Find it.")


def query(seq, turn):
    return QueryShown(seq=seq, turn=turn, text=f"question {turn}")


def answer(seq, turn, corrects=False):
    return AnswerShown(seq=seq, turn=turn, table=TABLE, corrects=corrects)


def message(seq, turn, corrects=False):
    return MessageShown(seq=seq, turn=turn, text="Say it again.", corrects=corrects)


def fold(*messages, start=None):
    shown = start or ScreenState()
    for each in messages:
        shown = shown.after(each)
    return shown


# What comes, and what is shown of it: (turn, query, table, message, whether it replaced an answer), the newest first.
FOLDED = {
    "a question and its answer are one exchange":
        ([scenario(1), query(2, 1), answer(3, 1)], [(1, "question 1", TABLE, None, False)]),
    "what changed last is the newest, and the other one folded away":
        ([query(1, 1), query(2, 2), answer(3, 1)],
         [(1, "question 1", TABLE, None, False), (2, "question 2", None, None, False)]),
    "a correction takes the place of the answer and says so":
        ([query(1, 1), answer(2, 1), message(3, 1, corrects=True)], [(1, "question 1", None, "Say it again.", True)]),
    "a new task begins with nothing asked": ([scenario(1), query(2, 1), answer(3, 1), scenario(4, "s2")], []),
    "the end of a task leaves the answers to be read":
        ([scenario(1), answer(2, 1), ScenarioOver(seq=3, scenario_id="s1")], [(1, "", TABLE, None, False)]),
    "a pause changes nothing": ([query(1, 1), PauseShown(seq=2, paused=True)], [(1, "question 1", None, None, False)]),
}  # fmt: skip


@pytest.mark.parametrize("messages, shown", FOLDED.values(), ids=FOLDED)
def test_what_is_shown_follows_from_what_came(messages, shown):
    after = fold(*messages)
    exchanges = [after.current, *after.earlier] if after.current else []
    assert [(each.turn, each.query, each.table, each.message, each.replaced) for each in exchanges] == shown
    assert after.scenario_over == isinstance(messages[-1], ScenarioOver)


def test_the_closing_words_are_kept():
    assert fold(SessionOver(seq=1, text="Goodbye.")).closing == "Goodbye."


def test_starting_over_leaves_only_what_comes_after():
    shown = fold(query(1, 1), answer(2, 1), query(3, 2)).started_over(2)
    assert [each.turn for each in shown.exchanges] == [2]
    shown = fold(query(1, 1)).started_over(1)
    assert shown.current is None
    assert fold(answer(2, 1), start=shown).current.table == TABLE


MESSAGES = st.lists(
    st.tuples(st.sampled_from([query, answer, message]), st.integers(1, 6)), max_size=20
)  # fmt: skip


@given(MESSAGES, st.integers(0, 20))
def test_starting_over_before_or_after_a_restart_shows_the_same(kinds, at):
    messages = [make(seq, turn) for seq, (make, turn) in enumerate(kinds, 1)]
    at = min(at, len(messages))
    live = fold(*messages[at:], start=fold(*messages[:at]).started_over(at))
    again = fold(*messages, start=ScreenState(cleared=at))
    assert live.newest == again.newest
    assert [(e.turn, e.answer_seq) for e in live.exchanges if e.answer_seq > at] == [
        (e.turn, e.answer_seq) for e in again.exchanges if e.answer_seq > at
    ]


@given(MESSAGES)
def test_every_turn_is_shown_once_and_the_earlier_ones_latest_first(kinds):
    shown = fold(*[make(seq, turn) for seq, (make, turn) in enumerate(kinds, 1)])
    assert {each.turn for each in shown.exchanges} == {turn for _, turn in kinds}
    earlier = [each.turn for each in shown.earlier]
    assert earlier == sorted(earlier, reverse=True)
    assert shown.newest not in earlier


def large_answer(seq, turn):
    rows = [[f"{turn}", f"name {turn} {row}", f"first name {row}", "sales representative"] for row in range(200)]
    table = Table(headings=["A", "B", "C", "D"], rows=rows, numeric=[True, False, False, False], total=900)
    return AnswerShown(seq=seq, turn=turn, table=table, corrects=False)


def test_an_exchange_that_was_folded_away_unfolds_with_the_same_table():
    shown = fold(query(1, 1), large_answer(2, 1), query(3, 2), answer(4, 2))
    (earlier,) = shown.earlier
    assert earlier.table is None
    assert earlier.unfolded().table == shown.exchange(1).table == large_answer(2, 1).table
    assert (earlier.query, earlier.answered) == ("question 1", True)


def test_a_query_that_comes_again_leaves_the_table_of_its_turn():
    shown = fold(query(1, 1), large_answer(2, 1), query(3, 2), query(4, 1))
    assert shown.current.table == large_answer(2, 1).table


def test_a_large_answer_that_is_folded_away_keeps_at_most_three_kilobytes():
    shown = ScreenState()

    def ask(turn):
        nonlocal shown
        shown = fold(query(2 * turn - 1, turn), large_answer(2 * turn, turn), start=shown)

    assert bytes_a_turn(ask) < 3072
    assert len(shown.exchanges) == 400
