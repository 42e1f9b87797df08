from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from curtain.session.chairs.table import ChairLine, ChairTable
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.turns.turn_progress import Sent, TurnProgress
from wizard_app.desk.session.progress import SessionProgress, with_subject_fact, with_wizard_fact
from wizard_app.desk.turn.turn_clock import TurnClock
from wizard_app.desk.turn.turn_rows import RowMark, TaskRow, TurnRow, TurnRows, by_task

TAKE = subject.TakeSaved(utterance_id="e00-01-001", frames=1, sample_rate=16000, sha256="", peak_dbfs=-3.0)
MESSAGE = wizard.MessageSent(message_id="unable", blanks={}, text="Sorry", counts_as="no_answer")

PROGRESS = SessionProgress(
    offset_ns=0,
    turns={
        1: TurnProgress(
            1, released_ns=2_000_000_000, take=TAKE, sent=(Sent(4, 0, MESSAGE),), painted_ns=11_000_000_000
        ),
        2: TurnProgress(2, cancelled="too_short"),
        3: TurnProgress(3, released_ns=5_000_000_000, take=TAKE, query="who is the oldest"),
        4: TurnProgress(4, released_ns=7_000_000_000, take=TAKE),
        5: TurnProgress(5, pressed_ns=8_000_000_000),
    },
)


def test_a_tap_has_no_row_and_is_not_counted_unless_the_wizard_noted_something() -> None:
    assert [row.number for row in TurnRows().rows(PROGRESS, None, False, {})] == [1, 3, 4, 5]
    assert [turn.number for turn in PROGRESS.in_order if not turn.is_no_turn] == [1, 3, 4, 5]
    noted = SessionProgress(turns={2: TurnProgress(2, cancelled="too_short", notes=("coughs",))})
    assert [row.number for row in TurnRows().rows(noted, None, False, {})] == [2]


def test_every_turn_says_where_it_stands_and_how_long_it_took() -> None:
    rows = TurnRows().rows(PROGRESS, 3, False, {3: 12.4, 4: 3.0})
    assert [(row.mark, row.word, row.seconds) for row in rows] == [
        (RowMark.MESSAGED, "message", "9 s"), (RowMark.NOW, "now", "12 s"), (RowMark.WAITING, "waiting", "3 s"),
        (RowMark.SPEAKING, "speaking", ""),
    ]  # fmt: skip
    assert rows[1].text == "who is the oldest"


def test_a_reply_that_does_not_reach_the_screen_is_marked_until_it_does() -> None:
    now = [1_000_000_000]
    clock, progress = TurnClock(60.0, lambda: now[0]), replace(PROGRESS, turns={1: PROGRESS.turns[1]})
    assert clock.unseen(progress) == [], "it is on its way"
    now[0] = 3_000_000_000
    assert clock.unseen(progress) == [1]
    [row] = TurnRows().rows(progress, None, False, {}, clock.unseen(progress))
    assert (row.mark, row.word) == (RowMark.UNSEEN, "not shown")
    shown = with_subject_fact(progress, subject.Painted(what="message", id=4), 1, 0)
    assert clock.unseen(shown) == []
    corrected = with_wizard_fact(shown, MESSAGE, 1, 0, 9)
    assert clock.unseen(corrected) == [1], "the correction has a line of its own"


def test_the_turn_being_corrected_is_marked_in_place_of_the_open_one() -> None:
    rows = TurnRows().rows(PROGRESS, 1, True, {})
    assert [row.mark for row in rows if row.mark in (RowMark.NOW, RowMark.CORRECTING)] == [RowMark.CORRECTING]


def test_waiting_counts_from_the_release_on_this_clock() -> None:
    clock = TurnClock(60.0, lambda: 20_000_000_000)
    waiting = clock.waiting_s(PROGRESS)
    assert waiting == {3: 15.0, 4: 13.0}
    assert clock.deadline(PROGRESS, waiting).elapsed_s == 15.0
    assert TurnClock(60.0, lambda: 1_000_000_000).waiting_s(PROGRESS) == {3: 0.0, 4: 0.0}, "not in the future"


def test_without_tied_clocks_waiting_counts_from_when_it_was_reported() -> None:
    now = [50_000_000_000]
    clock = TurnClock(60.0, lambda: now[0])
    untied = SessionProgress(turns=PROGRESS.turns)
    assert clock.waiting_s(untied) == {3: 0.0, 4: 0.0}
    now[0] += 2_000_000_000
    assert clock.waiting_s(untied) == {3: 2.0, 4: 2.0}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"turns": {**PROGRESS.turns, 4: structs.replace(PROGRESS.turns[4], query="and men")}}, "and men"),
        ({"started_over_after": (4,)}, ""),
    ],
)
def test_only_the_row_of_a_turn_that_changed_is_made_anew(change: dict[str, Any], text: str) -> None:
    rows = TurnRows()
    before = rows.rows(PROGRESS, None, False, {})
    after = rows.rows(replace(PROGRESS, **change), None, False, {})
    assert [old is new for old, new in zip(before, after, strict=True)] == [True, True, False, True]
    assert isinstance(after[2], TurnRow) and after[2].text == text


def test_the_turns_stand_under_the_tasks_in_which_they_were_asked() -> None:
    tasks = {1: "practice", 3: "fair", 4: "fair", 5: "anniversary"}
    progress = replace(
        PROGRESS,
        turns={n: structs.replace(PROGRESS.turns[n], scenario_id=task) for n, task in tasks.items()},
        opened=wizard.SessionOpened(
            session_id="e00-01", speaker_id="e00", wizard_ids=["mb"], domain="personnel",
            scenario_ids=["fair", "anniversary"], practice_id="practice",
        ),
        scenario=wizard.ScenarioStarted(scenario_id="anniversary", number=2, of=2),
        scenarios_ended=(
            wizard.ScenarioEnded(scenario_id="practice", reason="answered"),
            wizard.ScenarioEnded(scenario_id="fair", reason="given_up"),
        ),
    )  # fmt: skip
    titles = {"fair": "The fair", "anniversary": "Fifty years"}
    rows = by_task(TurnRows().rows(progress, None, False, {}), progress, titles)
    assert [row if isinstance(row, TaskRow) else row.number for row in rows] == [
        TaskRow("Practice", "practice", "done"), 1, TaskRow("Scenario 1 of 2", "The fair", "no answer"), 3, 4,
        TaskRow("Scenario 2 of 2", "Fifty years", "now"), 5,
    ]  # fmt: skip


def test_a_started_over_mark_stays_with_the_turn_after_which_it_came() -> None:
    progress = PROGRESS
    for fact, turn in (
        (subject.HistoryCleared(), None),
        (subject.KeyDown(source="key", pressed_ns=9_000_000_000), 6),
        (structs.replace(TAKE, utterance_id="e00-01-006"), 6),
    ):
        progress = with_subject_fact(progress, fact, turn, 10_000_000_000)
    rows = TurnRows().rows(progress, None, False, {})
    assert [row.number for row in rows if row.started_over] == [5]
    assert "then started over" in next(row.in_words for row in rows if row.number == 5)


def test_a_turn_that_somebody_else_works_on_says_who() -> None:
    table = ChairTable()
    joined = [ChairLine(wizard.ChairJoined(wizard_id=who, chair="wizard")) for who in ("will", "kim")]
    for line in (*joined, ChairLine(wizard.PartTaken(wizard_id="kim", part="answer"), 3)):
        table = table.after(line)
    rows = TurnRows().rows(replace(PROGRESS, chairs=table), 4, False, {3: 12.0})
    assert [(row.number, row.word) for row in rows if row.number in (3, 4)] == [(3, "with kim"), (4, "now")]
