"""What a whole desk may write once several people sit at a session, and which lines stand before it."""

import pytest

from curtain.base.table import Table
from curtain.session.chairs.table import ChairLine, TurnPart
from curtain.session.events import wizard_events as facts
from curtain.session.events.wizard_events import WizardFact, named
from curtain.session.roles import Chair, Part
from curtain_rooms.chairs.host import ChairHost
from curtain_rooms.chairs.messages import ChairHello, HandPartOver, TakePart
from curtain_rooms.chairs.rules import NotGranted, Written, check_from_chair, recalled

QUERY = facts.QuerySent(text="who is there")
TABLE = Table(headings=["n"], rows=[["1"]], numeric=[True], total=1)
ANSWER = facts.AnswerSent(sql="SELECT 1", table=TABLE, cas_min="((1))")
MESSAGE = facts.MessageSent(message_id="unable", blanks={}, text="Sorry.", counts_as="no_answer")
TRIED = facts.StatementRun(sql="SELECT 1", rows=1, ms=1)
PEOPLE: dict[str, Chair] = {"will": "wizard", "tess": "transcriber", "ann": "answerer", "olga": "observer"}


@pytest.fixture
def host() -> ChairHost:
    made = ChairHost()
    for number, (who, chair) in enumerate(PEOPLE.items(), 1):
        made.receive(number, ChairHello(wizard_id=who, chair=chair), "wizard")
    return made


@pytest.mark.parametrize(
    ("who", "fact", "part"),
    [
        ("tess", QUERY, "transcription"), ("ann", ANSWER, "answer"), ("ann", MESSAGE, "answer"),
        ("will", QUERY, "transcription"), ("will", ANSWER, "answer"),
    ],
)  # fmt: skip
def test_who_may_do_a_part_takes_it_and_does_it_in_one_piece(
    host: ChairHost, who: str, fact: WizardFact, part: Part
) -> None:
    assert host.around(who, [(fact, 3)]) == [
        (facts.PartTaken(wizard_id=who, part=part), 3),
        (named(fact, who), 3),
        (facts.PartDone(wizard_id=who, part=part), 3),
    ]
    assert host.table.state(TurnPart(3, part)).done_by == who
    # The same person may send it again, such as a query that was changed.
    assert host.around(who, [(fact, 3)]) == [(named(fact, who), 3)]


def test_query_and_answer_of_one_press_are_one_piece(host: ChairHost) -> None:
    lines = host.around("will", [(QUERY, 1), (ANSWER, 1)])
    pieces = [facts.PartTaken, facts.QuerySent, facts.PartDone, facts.PartTaken, facts.AnswerSent, facts.PartDone]
    assert [type(fact) for fact, _ in lines] == pieces


@pytest.mark.parametrize(
    ("who", "fact", "sentence"),
    [
        ("olga", QUERY, "olga sits here as observer. The transcription is for another chair."),
        ("olga", facts.Paused(), "olga sits here as observer. That is for the wizard."),
        ("tess", ANSWER, "tess sits here as transcriber. The answer is for another chair."),
        ("tess", TRIED, "tess sits here as transcriber. The answer is for another chair."),
        ("ann", QUERY, "ann sits here as answerer. The transcription is for another chair."),
        ("ann", facts.Corrected(of_seq=3), "No answer of turn 1 has been sent yet, so there is nothing to correct."),
        ("tess", facts.Corrected(of_seq=3), "tess sits here as transcriber. The answer is for another chair."),
        ("eve", QUERY, "“eve” does not sit in this session."),
    ],
)
def test_what_is_for_another_chair_changes_nothing(host: ChairHost, who: str, fact: WizardFact, sentence: str) -> None:
    before = host.table
    with pytest.raises(NotGranted) as refused:
        host.around(who, [(QUERY if fact is ANSWER and who == "will" else fact, 1)])
    assert str(refused.value) == sentence
    assert host.table == before


@pytest.mark.parametrize("who", ["ann", "will"])
def test_who_sent_an_answer_may_correct_it_and_nobody_else(host: ChairHost, who: str) -> None:
    host.around(who, [(ANSWER, 1)])
    correction: list[Written] = [(TRIED, 1), (facts.Corrected(of_seq=3), 1), (MESSAGE, 1)]
    assert host.around(who, correction) == [(named(fact, who), turn) for fact, turn in correction]
    other = "will" if who == "ann" else "ann"
    with pytest.raises(NotGranted, match=f"{who} has sent the answer of turn 1 already"):
        host.around(other, [(facts.Corrected(of_seq=3), 1)])


def test_what_the_host_s_desk_did_alone_is_done_for_those_who_join_later() -> None:
    host = ChairHost(desk="will")
    host.remember(recalled([(QUERY, 1), (ANSWER, 1)], "will"))
    host.receive(1, ChairHello(wizard_id="ann", chair="answerer"), "wizard")
    with pytest.raises(NotGranted, match="will has sent the answer of turn 1 already"):
        host.around("ann", [(ANSWER, 1)])
    assert host.around("will", [(facts.Corrected(of_seq=3), 1)]) == [(named(facts.Corrected(of_seq=3), "will"), 1)]


def test_a_part_that_somebody_works_on_is_theirs_until_it_is_handed_over(host: ChairHost) -> None:
    host.decide("ann", TakePart(number=1, turn=2, part="answer"))
    with pytest.raises(NotGranted, match="ann works on the answer of turn 2"):
        host.around("will", [(ANSWER, 2)])
    host.decide("ann", HandPartOver(number=2, turn=2, part="answer", to="will"))
    assert [type(fact) for fact, _ in host.around("will", [(ANSWER, 2)])] == [facts.AnswerSent, facts.PartDone]


def test_what_everybody_notes_needs_no_part(host: ChairHost) -> None:
    for who in ("will", "tess", "ann"):
        written: list[Written] = [(facts.Note(text="noise"), 1), (facts.TakeHeard(), 1)]
        assert host.around(who, written) == [(named(fact, who), turn) for fact, turn in written]


def test_those_who_are_connected_sit_down_in_the_next_session_too(host: ChairHost) -> None:
    left_over = [ChairLine(facts.ChairJoined(wizard_id="kim", chair="answerer"))]
    fresh = ChairHost(left_over, desk="rita")
    lines = fresh.begin(host).lines
    assert lines[:2] == [
        ChairLine(facts.ChairLeft(wizard_id="kim")),
        ChairLine(facts.ChairJoined(wizard_id="rita", chair="wizard")),
    ]
    assert fresh.table.chairs == {"rita": "wizard", **PEOPLE}


@pytest.mark.parametrize("kept", range(4))
def test_a_write_that_is_cut_off_after_any_line_leaves_a_part_done_exactly_if_it_was_sent(
    host: ChairHost, kept: int
) -> None:
    whole = host.around("tess", [(QUERY, 1)])[:kept]
    again = ChairHost(recalled([(facts.ChairJoined(wizard_id="tess", chair="transcriber"), None), *whole], "will"))
    again.begin()
    state = again.table.state(TurnPart(1, "transcription"))
    assert (state.done_by == "tess") == ((named(QUERY, "tess"), 1) in whole)
    assert state.holder is None


def test_what_the_disk_did_not_take_is_not_done(host: ChairHost) -> None:
    joined = [(facts.ChairJoined(wizard_id=who, chair=chair), None) for who, chair in PEOPLE.items()]
    host.around("tess", [(QUERY, 1)])
    host.recall(recalled(joined, "will"))
    assert host.table.state(TurnPart(1, "transcription")).done_by is None
    assert host.around("tess", [(QUERY, 1)])[1] == (named(QUERY, "tess"), 1)


def test_nobody_writes_under_another_name(host: ChairHost) -> None:
    forged = named(facts.Note(text="it was will"), "will")
    assert host.around("ann", [(forged, 1)]) == [(named(forged, "ann"), 1)]


@pytest.mark.parametrize(
    "fact",
    [
        facts.WizardEpoch(number=9, app_version="1", pid=1, session_id="e00-01"),
        facts.SessionOpened(session_id="e00-01", speaker_id="e00", wizard_ids=["eve"], scenario_ids=[]),
        facts.ConsentConfirmed(consent_id="c-1", confirmed_by="eve"),
        facts.LinkRestored(subject_epoch=1, offset_ns=10**12, rtt_ns=1),
        facts.SessionClosed(reason="finished"),
        facts.GapAccepted(missing=["all"]),
        facts.ChairLeft(wizard_id="ann"),
        facts.PartDone(wizard_id="ann", part="answer"),
    ],
)
def test_clocks_files_and_the_end_are_for_the_session_s_own_station(fact: WizardFact) -> None:
    with pytest.raises(NotGranted, match="nly the session’s own station"):
        check_from_chair(fact)


@pytest.mark.parametrize("fact", [QUERY, ANSWER, MESSAGE, TRIED, facts.Paused()])
def test_a_whole_desk_at_a_chair_may_do_the_work_of_turns(host: ChairHost, fact: WizardFact) -> None:
    check_from_chair(fact)
    assert host.around("will", [(fact, 1)])
