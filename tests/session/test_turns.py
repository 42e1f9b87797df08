"""What `curtain turns` prints, as a table of sessions."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from curtain.base.clock import iso_utc
from curtain.base.hearing import HeardWord
from curtain.base.table import Table
from curtain.session.events import subject_events as s
from curtain.session.events import wizard_events as w
from curtain.session.journal.lines import JournalEntry
from curtain.session.study.ids import is_turn_number
from curtain.session.turns.turns import Turn, fold

MS = 1_000_000
START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
TABLE = Table(headings=["Salary"], rows=[["52000"]], numeric=[True], total=1)

CONTRACT = [
    "turn", "session_id", "speaker_id", "scenario_id", "utterance_id", "audio", "modality", "query", "attempts",
    "sql_min", "sql_max", "cas_min", "cas_max", "corrections", "outcome", "message_id", "tags", "recovered", "clipped",
    "times",
]  # fmt: skip

# What older journals do not hold of an attempt.
NOTHING_KEPT = {"headings": [], "first_rows": [], "answer_sha256": None, "wizard_id": None}

# (ms since the session began, fact, turn), on a clock that shows `boot` at that moment
Line = tuple[int, msgspec.Struct, int | None]


def journal(lines: Sequence[Line], boot: int = 0, wall_lead_ms: int = 0, seq: int = 0) -> list[JournalEntry]:
    """`boot` is what the monotonic clock showed when the session began, in ms."""
    entries = []
    for number, (ms, fact, turn) in enumerate(lines, seq + 1):
        data: dict[str, Any] = msgspec.to_builtins(fact)
        kind = data.pop("type")
        wall = iso_utc(START + timedelta(milliseconds=ms + wall_lead_ms))
        entries.append(JournalEntry(number, turn, (boot + ms) * MS, wall, kind, data))
    return entries


def opened(pilot: bool = False) -> list[Line]:
    return [
        (-5, w.WizardEpoch(number=1, app_version="0.1.0", pid=1, session_id="e00-01"), None),
        (
            0,
            w.SessionOpened(
                session_id="e00-01", speaker_id="e00", wizard_ids=["w1"], scenario_ids=["s1", "s2"], pilot=pilot
            ),
            None,
        ),
        (10, w.ScenarioStarted(scenario_id="s1", number=1, of=2), None),
    ]


def started(number: int = 1, at: int = -50) -> Line:
    return (at, s.SubjectEpoch(number=number, app_version="0.1.0", pid=2, session_id="e00-01"), None)


def saved(turn: int, clipped: int = 0) -> s.TakeSaved:
    return s.TakeSaved(
        utterance_id=f"e00-01-{turn:03}", frames=16000, sample_rate=16000, sha256="0" * 64, peak_dbfs=-6.0,
        clipped=clipped,
    )  # fmt: skip


def spoken(turn: int, down: int, up: int, boot: int = 0) -> list[Line]:
    """The lines come a little later than the keys they are about."""
    return [
        (down + 3, s.KeyDown(source="key", pressed_ns=(boot + down) * MS), turn),
        (up + 3, s.KeyUp(released_ns=(boot + up) * MS, held_ms=up - down), turn),
        (up + 20, s.Painted(what="one_moment", id=0), turn),
        (up + 400, saved(turn), turn),
    ]


def answer(cas: str | None = "((52000))", sql: str = "SELECT salary FROM employee") -> w.AnswerSent:
    return w.AnswerSent(sql=sql, table=TABLE, cas_min=cas)


def message(text: str = "Sorry, the system is unable to answer your query") -> w.MessageSent:
    return w.MessageSent(message_id="unable", blanks={}, text=text, counts_as="no_answer")


def only(turns: list[Turn]) -> dict[str, Any]:
    (turn,) = turns
    return json.loads(json.dumps(turn.as_json()))  # type: ignore[no-any-return]


def printed_of(subject: Sequence[Line], *wizard: Line) -> dict[str, Any]:
    """What is printed of the one turn of a session, whose lines follow its beginning."""
    return only(fold(journal([started(), *subject] if subject else []), journal([*opened(), *wizard])))


def test_an_answered_turn_comes_back_whole() -> None:
    shown = [(5040, s.Painted(what="query", id=5), 1), (8030, s.Painted(what="answer", id=8), 1)]
    printed = printed_of(
        [*spoken(1, 1000, 3000), *shown],
        (3500, w.TakeHeard(), 1),
        (5000, w.QuerySent(text="what does mary smith earn"), 1),
        (6000, w.StatementRun(sql="SELECT pay", rows=None, ms=4, error="There is no column pay."), 1),
        (7000, w.StatementRun(sql="SELECT salary FROM employee", rows=1, ms=6), 1),
        (8000, answer(), 1),
    )
    assert list(printed)[: len(CONTRACT)] == CONTRACT
    expected = {
        "turn": 1,
        "session_id": "e00-01",
        "speaker_id": "e00",
        "scenario_id": "s1",
        "utterance_id": "e00-01-001",
        "audio": "audio/e00-01-001.wav",
        "modality": "speech",
        "query": "what does mary smith earn",
        "attempts": [
            {"sql": "SELECT pay", "rows": None, "ms": 4, "error": "There is no column pay.", **NOTHING_KEPT},
            {"sql": "SELECT salary FROM employee", "rows": 1, "ms": 6, "error": None, **NOTHING_KEPT},
        ],
        "sql_min": "SELECT salary FROM employee",
        "sql_max": None,
        "cas_min": "((52000))",
        "cas_max": None,
        "corrections": [],
        "outcome": "answer",
        "message_id": None,
        "tags": [],
        "recovered": False,
        "clipped": False,
    }
    assert {key: printed[key] for key in expected} == expected
    assert printed["times"] == {
        "key_down": 1000, "key_up": 3000, "take_saved": 3400, "one_moment_painted": 3020, "heard": 3500,
        "words_shown": None, "query_sent": 5000, "query_painted": 5040, "answer_sent": 8000,
        "message_sent": None, "painted": 8030,
    }  # fmt: skip


# What happened to turn 1 after it was spoken: (wizard's facts, subject's facts, what must be printed).
REPLIES: dict[str, tuple[list[msgspec.Struct], list[msgspec.Struct], dict[str, Any]]] = {
    "nothing yet: open": ([], [], {"outcome": "open", "cas_min": None, "tags": []}),
    "a query only: still open": ([w.QuerySent(text="a")], [], {"outcome": "open", "query": "a"}),
    "a query sent again: the latest counts": ([w.QuerySent(text="a"), w.QuerySent(text="b")], [], {"query": "b"}),
    "a canned message": (
        [message()],
        [],
        {
            "outcome": "message", "message_id": "unable", "cas_min": None, "sql_min": None, "counts_as": "no_answer",
            "tags": [],
        },
    ),
    "withdrawn by the subject": (
        [], [s.TakeCancelled(reason="cancelled")], {"outcome": "cancelled", "audio": "audio/e00-01-001.wav"},
    ),
    "withdrawn, but answered before": ([answer()], [s.TakeCancelled(reason="cancelled")], {"outcome": "answer"}),
    "an empty answer": ([answer("()")], [], {"outcome": "answer", "cas_min": "()"}),
    "an answer too large": ([answer(None)], [], {"outcome": "answer", "cas_min": None}),
    "a wrong answer corrected: the later counts, both stay": (
        [answer("((1))", "SELECT 1"), w.Corrected(of_seq=4), answer("((2))", "SELECT 2")],
        [],
        {"outcome": "answer", "cas_min": "((2))", "sql_min": "SELECT 2", "tags": ["wizard-error"]},
    ),
    "an answer corrected into a message": (
        [answer("((1))"), w.Corrected(of_seq=4), message()],
        [],
        {"outcome": "message", "cas_min": None, "message_id": "unable", "tags": ["wizard-error"]},
    ),
    "a message corrected into an answer": (
        [message(), w.Corrected(of_seq=4), answer("((1))")],
        [],
        {"outcome": "answer", "cas_min": "((1))", "message_id": None, "tags": ["wizard-error"]},
    ),
    "a correction begun and left": ([answer("((1))"), w.Corrected(of_seq=4)], [], {"outcome": "answer", "tags": []}),
    "a note": ([w.Note(text="coughs")], [], {"notes": ["coughs"]}),
    "a clipped take": ([], [saved(1, clipped=7)], {"clipped": True}),
    "a repaired take": (
        [],
        [s.TakeRecovered(utterance_id="e00-01-001", frames=9, sample_rate=16000, sha256="1", peak_dbfs=-3.0)],
        {"recovered": True, "outcome": "open"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REPLIES)
def test_what_was_done_about_a_turn_decides_its_outcome(case: str) -> None:
    done, happened, expected = REPLIES[case]
    subject = [*spoken(1, 1000, 3000), *((9000 + n, fact, 1) for n, fact in enumerate(happened))]
    printed = printed_of(subject, *((5000 + n, fact, 1) for n, fact in enumerate(done)))
    assert {key: printed[key] for key in expected} == expected


def test_an_earlier_answer_stays_among_the_corrections() -> None:
    shown = [(5100, s.Painted(what="answer", id=4), 1), (9600, s.Painted(what="message", id=6), 1)]
    sent = (5000, answer("((1))", "SELECT 1"), 1), (9000, w.Corrected(of_seq=4), 1), (9500, message(), 1)
    printed = printed_of([*spoken(1, 1000, 3000), *shown], *sent)
    (earlier,) = printed["corrections"]
    assert (earlier["sql_min"], earlier["cas_min"], earlier["outcome"]) == ("SELECT 1", "((1))", "answer")
    assert (earlier["sent"], earlier["painted"]) == (5000, 5100)
    assert (printed["times"]["answer_sent"], printed["times"]["message_sent"], printed["times"]["painted"]) == (
        None, 9500, 9600,
    )  # fmt: skip


USES: dict[str, tuple[str, str | None, bool, str]] = {
    "the very words": ("how many women", "How many women?", True, "taken"),
    "one word corrected": ("how many omen", "how many women", True, "edited"),
    "words left out": ("uh how many women", "how many", True, "edited"),
    "nothing of it": ("this bolt i've glued", "is paul tai a clerk", True, "replaced"),
    "no query": ("how many", None, True, "unused"),
    "too late": ("how many", "how many", False, "unseen"),
    "nothing was heard": ("", "how many", False, "unseen"),
}


@pytest.mark.parametrize(("heard", "query", "shown", "use"), USES.values(), ids=USES)
def test_what_the_recogniser_heard_stands_beside_the_query(
    heard: str, query: str | None, shown: bool, use: str
) -> None:
    spoken_words = tuple(HeardWord(word, 0.5, 1.0, 0.4) for word in heard.split())
    fact = w.WordsHeard(words=spoken_words, model="tiny.en", version="test 1", decoding_s=0.2, shown=shown)
    sent: list[Line] = [] if query is None else [(5000, w.QuerySent(text=query), 1)]
    printed = printed_of(spoken(1, 1000, 3000), (4000, fact, 1), *sent)
    assert printed["hypothesis_use"] == use
    assert (printed["hypothesis"], printed["query_by"], printed["recogniser"]) == (heard, "wizard", "test 1, tiny.en")
    assert printed["times"]["words_shown"] == (4000 if shown else None)
    timed = {"start_s": 0.5, "end_s": 1.0, "confidence": 0.4}
    assert printed["heard_words"] == [{"text": word, **timed} for word in heard.split()]


@pytest.mark.parametrize(("heard_too", "reason"), [(False, "It stopped."), (True, None)])
def test_why_a_recogniser_heard_nothing_stands_in_the_turn(heard_too: bool, reason: str | None) -> None:
    words = w.WordsHeard(words=(), model="tiny.en", version="test 1", decoding_s=0.2)
    later: list[Line] = [(5000, words, 1)] if heard_too else []
    printed = printed_of(spoken(1, 1000, 3000), (4000, w.NotHeard(reason="It stopped."), 1), *later)
    assert printed["not_heard"] == reason


def test_what_stood_on_the_subjects_screen_is_the_hypothesis_of_an_experiment() -> None:
    fact = w.WordsHeard(words=(), model="tiny.en", version="test 1", decoding_s=0.2)
    sent = w.QuerySent(text="how many", recognised="now many")
    printed = printed_of(spoken(1, 1000, 3000), (4000, fact, 1), (5000, sent, 1))
    assert printed["hypothesis"] == "now many"


@pytest.mark.parametrize("reason", ["too_short", "no_sound"])
def test_a_press_without_speech_is_no_turn_and_keeps_its_number(reason: Any) -> None:
    lines = [
        started(), (1000, s.KeyDown(source="key", pressed_ns=0), 1), (1100, s.TakeCancelled(reason=reason), 1),
        *spoken(2, 2000, 3000),
    ]  # fmt: skip
    assert [turn.turn for turn in fold(journal(lines), journal(opened()))] == [2]


PRESSED: Line = (1000, s.KeyDown(source="key", pressed_ns=0), 1)
NOTED: Line = (1500, w.Note(text="coughed"), 1)
DOWN, UP, MOMENT, SAVED = spoken(1, 1000, 3000)


def take(**changes: Any) -> list[Line]:
    """A spoken turn whose take was saved in another way."""
    return [DOWN, UP, MOMENT, (3400, msgspec.structs.replace(saved(1), **changes), 1)]


def held_until(ended_by: Any) -> list[Line]:
    return [DOWN, (UP[0], msgspec.structs.replace(UP[1], ended_by=ended_by), 1), MOMENT, SAVED]


def mended(seconds: float, *before: Line) -> list[Line]:
    frames = round(seconds * 16000)
    sound = {"frames": frames, "sample_rate": 16000, "sha256": "0" * 64, "peak_dbfs": -9.0}
    return [*before, (9000, s.TakeRecovered(utterance_id="e00-01-001", **sound), 1)]


# What was recorded, and what is printed of it.
TAKES: list[tuple[list[Line], dict[str, Any]]] = [
    ([PRESSED, (1100, s.TakeCancelled(reason="too_short"), 1)],
     {"outcome": "cancelled", "tags": ["too-short"], "notes": ["coughed"]}),
    ([PRESSED, (1100, s.TakeCancelled(reason="no_sound"), 1)], {"outcome": "cancelled", "tags": ["no-sound"]}),
    (take(lost=True), {"cut_short": True, "cut_reason": "microphone_lost", "tags": ["truncated"]}),
    (take(disk_full=True), {"cut_short": True, "cut_reason": "disk_full", "tags": ["truncated"]}),
    ([DOWN, UP, MOMENT, (3400, s.TakeCancelled(reason="disk_full"), 1)],
     {"outcome": "cancelled", "cut_reason": "disk_full", "tags": ["truncated"]}),
    *((held_until(reason), {"cut_short": True, "cut_reason": reason, "tags": ["truncated"]})
      for reason in ("focus_lost", "page_left", "too_long", "station_closed")),
    # A mended take is cut short if it misses speech.
    (mended(1.0, DOWN), {"recovered": True, "cut_reason": "crash"}),
    (mended(1.0, DOWN, UP), {"recovered": True, "cut_reason": "crash"}),
    (mended(2.5, DOWN, UP), {"recovered": True, "cut_reason": None}),
    # Digital silence is a turn with a tag.
    (take(peak_dbfs=-120.0), {"outcome": "open", "tags": ["no-sound"]}),
    (take(peak_dbfs=-84.3), {"outcome": "open", "tags": ["no-sound"]}),
    (take(peak_dbfs=-80.8), {"outcome": "open", "tags": []}),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "expected"), TAKES)
def test_what_became_of_a_take_is_printed_with_its_reason(lines: list[Line], expected: dict[str, Any]) -> None:
    printed = printed_of(lines, NOTED)
    assert {key: printed[key] for key in expected} == expected


def test_a_take_of_a_journal_that_does_not_know_of_broken_takes_is_whole() -> None:
    entries = journal([started(), *spoken(1, 1000, 3000)])
    assert entries[-1].data.pop("lost") is False
    printed = only(fold(entries, journal(opened())))
    assert (printed["cut_short"], printed["tags"], printed["audio"]) == (False, [], "audio/e00-01-001.wav")


def test_a_pilot_session_is_marked_in_every_turn() -> None:
    assert only(fold(journal([started(), *spoken(1, 1000, 3000)]), journal(opened(pilot=True))))["pilot"] is True


def test_a_turn_is_known_from_either_journal_and_an_empty_session_has_none() -> None:
    printed = printed_of([], (5000, message(), 1))
    assert (printed["outcome"], printed["audio"], printed["times"]["key_down"], printed["scenario_id"]) == (
        "message", None, None, "s1",
    )  # fmt: skip
    printed = only(fold(journal([started(), *spoken(1, 1000, 3000)]), []))
    assert (printed["session_id"], printed["speaker_id"], printed["outcome"]) == ("e00-01", "e00", "open")
    assert fold([], []) == []


def test_a_turn_belongs_to_the_scenario_that_was_on_the_screen() -> None:
    wizard = journal(
        [
            *opened(),
            (4000, w.ScenarioEnded(scenario_id="s1", reason="next"), None),
            (4100, w.ScenarioStarted(scenario_id="s2", number=2, of=2), None),
        ]
    )
    lines = [
        started(),
        (20, s.Painted(what="scenario", id=3), None),
        *spoken(1, 4150, 4160),  # the next scenario is sent already, but not on the screen
        (4900, s.Painted(what="scenario", id=5), None),
        *spoken(2, 5000, 6000),
    ]
    assert [turn.scenario_id for turn in fold(journal(lines), wizard)] == ["s1", "s2"]


def test_the_practice_scenario_marks_its_turns() -> None:
    lines = [*opened()[:2], (10, w.ScenarioStarted(scenario_id="p", number=1, of=2, practice=True), None)]
    assert only(fold(journal([started(), *spoken(1, 1000, 3000)]), journal(lines)))["practice"] is True


# -- clocks --------------------------------------------------------------------------------------------


def restored(at: int, offset_ms: int, epoch: int = 1, rtt_ms: int = 1) -> Line:
    return (at, w.LinkRestored(subject_epoch=epoch, offset_ns=offset_ms * MS, rtt_ns=rtt_ms * MS), None)


@pytest.mark.parametrize("wall_lead", [0, 3_600_000, -3_600_000])
def test_the_measured_offset_rules_whatever_the_wall_clocks_say(wall_lead: int) -> None:
    wizard = journal([*opened(), restored(20, 7_000 - 90_000)], boot=7_000)
    subject = journal([started(), *spoken(1, 1000, 3000, boot=90_000)], boot=90_000, wall_lead_ms=wall_lead)
    assert only(fold(subject, wizard))["times"]["key_up"] == 3000


@pytest.mark.parametrize(("key_down", "rtt_ms", "bound"), [(1000, 1, 1), (1000, 90, 46), (301_000, 1, 31)])
def test_a_turn_carries_how_far_its_times_may_be_off(key_down: int, rtt_ms: int, bound: int) -> None:
    # Half of the round trip, and 0.1 ms for each second since the clocks were compared.
    wizard = journal([*opened(), restored(20, 7_000 - 90_000, rtt_ms=rtt_ms)], boot=7_000)
    subject = journal([started(), *spoken(1, key_down, key_down + 500, boot=90_000)], boot=90_000)
    assert only(fold(subject, wizard))["clock_bound_ms"] == bound


def test_a_later_comparison_of_the_clocks_narrows_the_bound_and_without_one_it_is_unknown() -> None:
    lines = spoken(1, 301_000, 302_000)
    assert printed_of(lines, restored(20, 0), restored(300_000, 0))["clock_bound_ms"] == 1
    assert printed_of(lines)["clock_bound_ms"] is None


def test_without_a_measured_offset_the_wall_clocks_have_to_do() -> None:
    subject = journal([started(), *spoken(1, 1000, 3000, boot=90_000)], boot=90_000)
    assert only(fold(subject, journal(opened(), boot=7_000)))["times"]["key_up"] == 3000


def test_each_start_of_the_subjects_station_has_its_own_offset() -> None:
    wizard = journal([*opened(), restored(20, -90_000), restored(60_000, -500_000, epoch=2)])
    first = journal([started(), *spoken(1, 1000, 3000, boot=90_000)], boot=90_000)
    second = journal([started(2, 59_000), *spoken(2, 61_000, 62_000, boot=500_000)], boot=500_000, seq=len(first))
    assert [turn.times["key_down"] for turn in fold([*first, *second], wizard)] == [1000, 61_000]


def test_a_drifting_clock_is_mapped_by_the_nearest_measurement() -> None:
    drifted = 3_600_000 + 720  # 200 ppm in an hour
    wizard = journal([*opened(), restored(20, 0), restored(3_600_000, -720)])
    lines = [started(), (drifted + 3, s.KeyDown(source="key", pressed_ns=drifted * MS), 1)]
    assert fold(journal(lines), wizard)[0].times["key_down"] == 3_600_000


def test_a_measurement_over_a_slow_link_gives_way_to_a_better_one() -> None:
    times = printed_of(spoken(1, 1000, 3000), restored(900, 51, rtt_ms=125), restored(3_000, 0))["times"]
    assert (times["key_down"], times["key_up"]) == (1000, 3000)


@pytest.mark.parametrize(("boot_after", "stepped_ms"), [(0, 0), (3, 0), (900_000_000, 0), (7_000, 3_600_000)])
def test_the_wizards_times_go_on_after_a_restart_of_its_machine_and_a_step_of_its_clock(
    boot_after: int, stepped_ms: int
) -> None:
    before = journal([*opened(), (119_000, w.Note(text="a"), None)], boot=7_000)
    restart = (120_000, w.WizardEpoch(number=2, app_version="0.1.0", pid=3, session_id="e00-01"), None)
    after = journal([restart], boot=boot_after, seq=4)
    stepped = journal([(125_000, message(), 1)], boot=boot_after, wall_lead_ms=stepped_ms, seq=5)
    assert fold([], [*before, *after, *stepped])[0].times["message_sent"] == 125_000


# -- damage and the future -----------------------------------------------------------------------------


def test_facts_of_the_future_change_nothing() -> None:
    wizard = journal([*opened(), (5000, message(), 1)])
    wizard.append(JournalEntry(5, 1, 0, "", "aura_read", {"colour": "blue"}))
    assert only(fold([], wizard))["tags"] == []


def test_a_damaged_fact_marks_its_turn_and_spares_the_others() -> None:
    wizard = journal([*opened(), (5000, message(), 1), (6000, message(), 2)])
    wizard.append(JournalEntry(6, 2, 0, "", "query_sent", {"text": 7}))
    assert [turn.tags for turn in fold([], wizard)] == [(), ("damaged",)]


def test_an_utterance_that_is_named_like_a_path_is_no_audio() -> None:
    bad = msgspec.structs.replace(saved(1), utterance_id="../../../etc/passwd")
    assert only(fold(journal([started(), (1000, bad, 1)]), journal(opened())))["audio"] is None


def test_times_beyond_all_clocks_are_no_crash() -> None:
    entry = JournalEntry(1, 1, 10**40, "not a time", "key_down", {"source": "key", "pressed_ns": 10**18})
    assert fold([entry], [])[0].turn == 1


def test_a_turn_says_what_its_attempts_showed_and_what_its_query_was_before() -> None:
    shown = w.StatementRun(sql="SELECT 1", rows=1, ms=2, headings=["N"], first_rows=[["1"]], answer_sha256="ab")
    sent = w.QuerySent(text="show flights", earlier_texts=["show flits"])
    turn = printed_of(spoken(1, 0, 900), (2000, sent, 1), (3000, shown, 1))
    assert turn["earlier_texts"] == ["show flits"]
    assert turn["attempts"] == [
        {
            "sql": "SELECT 1", "rows": 1, "ms": 2, "error": None, "headings": ["N"], "first_rows": [["1"]],
            "answer_sha256": "ab", "wizard_id": None,
        }
    ]  # fmt: skip


def test_with_several_people_each_fact_says_whose_doing_it_was_and_one_person_s_name_nobody() -> None:
    facts = [
        w.named(w.QuerySent(text="show flights"), "tess"),
        w.named(w.StatementRun(sql="SELECT 1", rows=1, ms=2), "ann"),
        w.named(message(), "will"),
    ]
    turn = printed_of(spoken(1, 0, 900), *((2000 + 1000 * number, fact, 1) for number, fact in enumerate(facts)))
    assert (turn["query_wizard_id"], turn["reply_wizard_id"]) == ("tess", "will")
    assert [attempt["wizard_id"] for attempt in turn["attempts"]] == ["ann"]
    assert "wizard_id" not in msgspec.to_builtins(w.QuerySent(text="show flights"))
    turn = printed_of(spoken(1, 0, 900), (2000, message(), 1))
    assert (turn["query_wizard_id"], turn["reply_wizard_id"]) == (None, None)


@pytest.mark.parametrize(
    ("number", "is_turn"), [(None, False), (0, False), (-1, False), (1, True), (2**31 - 1, True), (2**31, False)]
)
def test_a_number_that_no_signal_of_the_window_carries_opens_no_turn(number: int | None, is_turn: bool) -> None:
    assert is_turn_number(number) is is_turn
