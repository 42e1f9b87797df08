"""The two peers in conversation, and the rude ones."""

import msgspec
import pytest

from curtain.base.table import Table
from curtain.link.core import WizardPeer
from curtain.link.events import Acked, ClockTied, Closed, Joined, MessageTooLong, TurnedAway
from curtain.link.framing import CAP, CAP_BEFORE_HELLO, frame
from curtain.link.messages import (
    PROTOCOL,
    Ack,
    AnswerShown,
    AudioChunk,
    Goodbye,
    Hello,
    HelloRefused,
    LiveSound,
    MessageShown,
    Ping,
    Pong,
    SessionName,
    StationStatus,
    Waiting,
    WantAudio,
    Welcome,
)
from tests.link.talking import MS, Room, S, encoded, line, messages, of_type, seqs, shown, welcome

HERE, ELSEWHERE = "a" * 32, "b" * 32
STATUS = StationStatus(microphone="Desk", microphone_ok=True, recording=False, level_dbfs=-20.0)


@pytest.fixture
def room():
    return Room()


@pytest.fixture
def talk(room):
    """With its connection open and the session begun."""
    room.open()
    return room


def chunk(at=0, size=64 * 1024):
    return AudioChunk(utterance_id="e00-01-001", offset=at, total=1 << 20, data=b"x" * size)


def live(frame: int, size: int = 640) -> LiveSound:
    return LiveSound(turn=1, frame=frame, rate=16000, data=b"\0" * size)


def why_closed(happened):
    return [(event.why, event.detail) for event in of_type(happened, Closed)]


# -- joining -------------------------------------------------------------------------------------------


def test_a_hello_is_reported_and_a_session_may_begin_later_on_the_same_connection(room):
    room.wizard_store.kept = [shown(4)]
    room.open(Hello(epoch=3), Waiting())
    assert of_type(room.at_wizard, Joined) == [Joined(Hello(epoch=3))]
    assert of_type(room.at_subject, Joined) and messages(room.at_subject) == [Waiting()]
    room.wizard.answer(welcome())
    room.settle()
    assert messages(room.at_subject) == [Waiting(), welcome(), shown(4)]


def test_a_sign_that_nobody_sees_does_not_reach_the_subjects_screen(room):
    table = Table(headings=["na\u200bme"], rows=[["\u202eevil", "a\nb"]], numeric=[False], total=1)
    room.wizard_store.kept = [AnswerShown(seq=1, turn=1, table=table), MessageShown(seq=2, turn=1, text="\ufeffHi\x07")]
    room.open(answer=welcome(title="A\u200e B", texts={"wait": "One \u2066moment"}))
    answer, message = messages(room.at_subject)[-2:]
    assert (answer.table.headings, answer.table.rows, message.text) == (["name"], [["evil", "a\nb"]], "Hi")
    assert messages(room.at_subject)[0] == welcome(title="A B", texts={"wait": "One moment"})


def test_the_same_welcome_twice_sends_nothing_twice_and_another_session_needs_another_connection(room):
    room.wizard_store.kept = [shown(4)]
    room.open()
    room.wizard.answer(welcome(title="Second"))
    room.settle()
    assert seqs(room.at_subject) == [4]
    assert [type(message) for message in messages(room.at_subject)].count(Welcome) == 2
    assert why_closed(room.wizard.answer(welcome("e00-02"))) == [("another_session", "")]
    assert room.seat.holder is None


@pytest.mark.parametrize(
    ("hello", "answer"),
    [
        (Hello(session_id="e00-01"), welcome("e00-02")),
        # One of the same name in another study is another session.
        (Hello(session_id="e00-01", identity=HERE), welcome(identity=ELSEWHERE)),
    ],
)
def test_a_subject_from_another_session_is_refused(room, hello, answer):
    room.connect(hello)
    room.settle()
    turned_away = of_type(room.wizard.answer(answer), TurnedAway)
    assert "e00-01" in turned_away[0].sentence
    room.settle()
    assert of_type(room.at_subject, TurnedAway)[0].code == "session"
    assert room.wizard.finished and room.seat.holder is None


def test_what_was_delivered_of_one_session_is_not_skipped_in_its_namesake(room):
    room.wizard_store.kept = [shown(4)]
    room.open(answer=welcome(identity=HERE))
    room.subject.ack(4)
    room.settle()
    room.cut()
    room.wizard_store.kept = [shown(3, "another question")]
    room.open(answer=welcome(identity=ELSEWHERE))
    assert seqs(room.at_subject) == [4, 3]


def test_the_owner_may_refuse_a_hello_before_anybody_is_told_of_it(room):
    room.seat.judge = lambda hello: HelloRefused(code="seat") if hello.secret != HERE else None
    stranger = room.wizard_peer()
    happened = stranger.receive(encoded(Hello(session_id="e00-01", secret=ELSEWHERE)), room.now)
    assert [event.code for event in of_type(happened, TurnedAway)] == ["seat"] and not of_type(happened, Joined)
    assert stranger.take_outgoing(1000) == encoded(HelloRefused(code="seat")) and room.seat.holder is None
    room.open(Hello(secret=HERE))
    assert of_type(room.at_wizard, Joined)


def test_lines_that_could_not_be_used_come_again(talk):
    talk.wizard.receive(encoded(line(1)) + encoded(line(2)), 0)
    talk.cut()
    talk.seat.delivered.go_back(1)
    talk.subject_store.kept = [line(1), line(2), line(3)]
    talk.at_wizard.clear()
    talk.open(answer=welcome(journal_have=1))
    assert seqs(talk.at_wizard) == [2, 3]


def test_a_second_subject_is_refused_while_the_first_is_alive(talk):
    second = talk.wizard_peer()
    happened = second.receive(encoded(Hello()), talk.now)
    assert of_type(happened, TurnedAway)[0].code == "in_use" and not of_type(happened, Joined)
    assert second.take_outgoing(1000) == encoded(HelloRefused(code="in_use")) and second.finished
    talk.wizard.send(shown(4))
    talk.settle()
    assert seqs(talk.at_subject) == [4]
    # The seat is free again once the first is gone.
    talk.cut()
    talk.open()
    assert len(of_type(talk.at_wizard, Joined)) == 2


@pytest.mark.parametrize(
    ("mark", "changed", "takes"),
    [
        ("booth", {}, True),
        ("another booth", {}, False),
        ("booth", {"secret": "d" * 32}, False),
        ("booth", {"secret": ""}, False),
        ("booth", {"identity": ELSEWHERE}, False),
        ("booth", {"session_id": "e00-02"}, False),
        ("booth", {"session_id": "", "identity": "", "secret": ""}, False),
    ],
)
def test_the_station_of_the_session_takes_its_place_again_from_a_connection_that_is_dead(room, mark, changed, takes):
    first = WizardPeer(room.seat, room.wizard_store.after, 0, mark="booth")
    first.receive(encoded(Hello()), 0)
    first.answer(welcome(identity=HERE, secret="c" * 32))
    again = Hello(session_id="e00-01", identity=HERE, secret="c" * 32)
    second = WizardPeer(room.seat, room.wizard_store.after, 0, mark=mark)
    happened = second.receive(encoded(msgspec.structs.replace(again, **changed)), 0)
    assert bool(of_type(happened, Joined)) is takes is first.over
    assert room.seat.holder is (second if takes else first)


def test_nobody_takes_the_place_of_a_station_that_was_not_welcomed(room):
    room.connect()
    room.settle()
    second = room.wizard_peer()
    assert of_type(second.receive(encoded(Hello()), 0), TurnedAway)[0].code == "in_use"


@pytest.mark.parametrize("major", [0, 1, 2, 3])
@pytest.mark.parametrize("minor", [0, 1, 7])
def test_versions_meet_if_their_major_numbers_are_equal(room, major, minor):
    peer = room.wizard_peer()
    future = {"t": "hello", "magic": "curtain", "major": major, "minor": minor, "role": "subject", "new": [1, {"a": 2}]}
    happened = peer.receive(frame(msgspec.msgpack.encode(future)), 0)
    if major == PROTOCOL[0]:
        assert of_type(happened, Joined)
    else:
        assert peer.take_outgoing(1000) == encoded(HelloRefused(code="version")) and peer.finished
        assert f"{major}.{minor}" in of_type(happened, TurnedAway)[0].sentence
        assert "{}.{}".format(*PROTOCOL) in of_type(happened, TurnedAway)[0].sentence


def test_another_major_version_is_refused_even_if_its_hello_looks_different(room):
    future = {"t": "hello", "magic": "curtain", "major": 3, "minor": 0, "role": ["subject"], "session_id": 17}
    happened = room.wizard_peer().receive(frame(msgspec.msgpack.encode(future)), 0)
    assert of_type(happened, TurnedAway)[0].code == "version"


# -- the rude peer -------------------------------------------------------------------------------------

RUDE = {
    "no msgpack": frame(b"\xc1\xc1\xc1"),
    "an empty frame": frame(b""),
    "another magic": encoded(Hello(magic="HTTP")),
    "another role": frame(
        msgspec.msgpack.encode({"t": "hello", "magic": "curtain", "major": 2, "minor": 0, "role": "w"})
    ),
    "no hello first": encoded(Ping(sent_ns=1)),
    "a web browser": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "over the cap before the hello": (CAP_BEFORE_HELLO + 1).to_bytes(4, "big"),
    "broken text": frame(b"\x81\xa1t\xa2\xff\xfe"),
    "a fifth of a hello, then noise": encoded(Hello())[:12] + b"\xff" * 200,
    "nesting": frame(b"\x82\xa1t\xa5hello\xa1x" + b"\x91" * 4000),
    "a hello twice": encoded(Hello()) * 2,
    "a kept message before the welcome": encoded(Hello()) + encoded(line(1)),
    "a message of the other direction": encoded(Hello()) + encoded(shown(1)),
    "over the cap after the hello": encoded(Hello()) + (CAP + 1).to_bytes(4, "big"),
    "deep nesting": encoded(Hello()) + frame(b"\x82\xa1t\xa7goodbye\xa1x" + b"\x91" * 200_000),
}


@pytest.mark.parametrize("sliced", [False, True])
@pytest.mark.parametrize("said", RUDE.values(), ids=RUDE.keys())
def test_a_rude_peer_is_cut_off_and_the_next_one_served(room, said, sliced):
    rude = room.wizard_peer()
    size = (1 if len(said) < 5000 else 997) if sliced else len(said)
    happened = [event for at in range(0, len(said), size) for event in rude.receive(said[at : at + size], 0)]
    assert [why for why, _ in why_closed(happened)] == ["fault"]
    assert rude.finished and rude.receive(encoded(Hello()), 0) == []
    room.open()
    assert of_type(room.at_wizard, Joined)


def test_a_hole_in_the_subjects_journal_is_no_journal(talk):
    assert why_closed(talk.wizard.receive(encoded(line(2)), 0)) == [("fault", "line 2 after line 0")]


def test_a_wizards_station_that_talks_nonsense_is_left(room):
    for said in (frame(b"\xc1"), encoded(line(1)), encoded(shown(1)), b"\xff\xff\xff\xff"):
        room.connect()
        assert [why for why, _ in why_closed(room.subject.receive(said, 0))] == ["fault"]
        room.cut()


def test_half_a_hello_and_then_silence_ends_after_two_seconds(room):
    peer = room.wizard_peer()
    peer.receive(encoded(Hello())[:20], 0)
    assert peer.tick(2 * S - 1) == []
    assert why_closed(peer.tick(2 * S)) == [("silence", "no hello")]


def test_a_conversation_in_one_byte_slices_is_a_conversation(room):
    room.wizard_store.kept = [shown(4), shown(9)]
    room.connect()
    room.at_wizard += room.carry(room.subject, room.wizard, slice_of=1)
    room.wizard.answer(welcome())
    room.at_subject += room.carry(room.wizard, room.subject, slice_of=1)
    assert seqs(room.at_subject) == [4, 9]


def test_a_welcome_may_be_longer_than_a_hello(room):
    room.open(answer=welcome(briefing="b" * 100_000))
    assert messages(room.at_subject)[0].briefing == "b" * 100_000


# -- kept messages -------------------------------------------------------------------------------------


def test_kept_messages_wait_for_the_welcome(room):
    room.connect()
    room.settle()
    room.subject_store.kept = [line(1)]
    assert not room.subject.send(line(1)) and not room.wizard.send(shown(1))
    room.wizard.answer(welcome())
    room.settle()
    assert seqs(room.at_wizard) == [1]


def test_a_line_handed_over_early_waits_for_those_before_it_also_where_the_journal_does_not_show_them_yet(talk):
    talk.subject.send(line(2))
    talk.settle()
    talk.subject_store.kept = [line(1), line(2)]
    talk.pass_time(0.25)
    assert seqs(talk.at_wizard) == [1, 2]
    talk.subject_store.kept += [line(3), line(4)]
    talk.subject.send(line(4))
    talk.settle()
    assert seqs(talk.at_wizard) == [1, 2, 3, 4]


def test_after_a_reconnect_each_side_gets_what_it_has_not(room):
    room.wizard_store.kept = [shown(3), shown(8)]
    room.subject_store.kept = [line(1), line(2)]
    room.open()
    room.cut()
    room.wizard_store.kept.append(shown(9))
    room.subject_store.kept.append(line(3))
    room.open(Hello(session_id="e00-01"), welcome(journal_have=2))
    assert seqs(room.at_subject) == [3, 8, 9] and seqs(room.at_wizard) == [1, 2, 3]
    assert room.subject_store.asked == [0, 2] and room.wizard_store.asked == [0, 8]


AGAIN = Hello(session_id="e00-01")


@pytest.mark.parametrize(
    ("acked", "restarted", "hello", "answer", "at_subject", "at_wizard", "acks"),
    [
        # A restarted subject gets the whole session again.
        (0, True, AGAIN, welcome(journal_have=2), [3, 8, 3, 8], [1, 2], [[], [2]]),
        # Lines that arrived but were not yet safe are not reported twice.
        (0, False, AGAIN, welcome(journal_have=1), [3, 8], [1, 2], [[], [1]]),
        # A new session counts from one again.
        (0, False, Hello(), welcome("e00-02"), [3, 8, 3, 8], [1, 2, 1, 2], [[], []]),
        # An ack that was cut off is said again.
        (8, False, AGAIN, welcome(journal_have=2), [3, 8], [1, 2], [[8], [2]]),
        # What was delivered but not applied is not acknowledged by a reconnect.
        (3, False, AGAIN, welcome(), [3, 8], [1, 2], [[3], []]),
        # A hello without a session gets the whole session.
        (0, True, Hello(have=7), welcome(journal_have=2), [3, 8, 3, 8], [1, 2], [[], [2]]),
    ],
)
def test_what_each_side_gets_and_hears_after_a_cut(
    room, acked, restarted, hello, answer, at_subject, at_wizard, acks
):  # fmt: skip
    room.wizard_store.kept = [shown(3), shown(8)]
    room.subject_store.kept = [line(1), line(2)]
    room.open()
    if acked:
        room.subject.ack(acked)
    room.cut()
    if restarted:
        room.delivered.session, room.delivered.seq = SessionName(), 0
    room.open(hello, answer)
    assert (seqs(room.at_subject), seqs(room.at_wizard)) == (at_subject, at_wizard)
    assert [[one.seq for one in of_type(side, Acked)] for side in (room.at_wizard, room.at_subject)] == acks


def test_acks_are_cumulative_and_told_once(talk):
    for seq in (1, 2, 3):
        talk.subject.send(line(seq))
    talk.settle()
    for seq in (1, 3, 2):
        talk.wizard.ack(seq)
        talk.settle()
    assert of_type(talk.at_subject, Acked) == [Acked(1), Acked(3)]


def test_what_never_came_cannot_be_acknowledged(talk):
    talk.wizard.ack(7)
    talk.settle()
    assert not of_type(talk.at_subject, Acked)


def test_a_long_journal_is_read_only_as_fast_as_it_is_taken(room):
    big = [MessageShown(seq=seq, turn=1, text="x" * 1000) for seq in range(1, 3001)]
    read = []
    peer = WizardPeer(room.seat, lambda after: (read.append(m.seq) or m for m in big if m.seq > after), 0)
    peer.receive(encoded(Hello()), 0)
    peer.answer(welcome())
    peer.take_outgoing(1000)
    assert 0 < len(read) < 200


def test_a_reader_that_does_not_read_costs_no_memory(talk):
    for seq in range(1, 5001):
        talk.wizard_store.kept.append(shown(seq, "x" * 1000))
        talk.wizard.send(talk.wizard_store.kept[-1])
    queued = len(talk.wizard.take_outgoing(1 << 30))
    assert queued < 200_000
    talk.cut()
    talk.open(Hello(session_id="e00-01"))
    assert seqs(talk.at_subject) == list(range(1, 5001))


def test_messages_of_the_moment_are_dropped_for_a_reader_that_does_not_read(talk):
    wanted = WantAudio(utterance_id="e00-01-001", offset=0, length=1)
    sent = [talk.wizard.send(wanted) for _ in range(50_000)]
    assert sent[0] and not sent[-1]
    for _ in range(50_000):
        talk.subject.send(STATUS)
        talk.wizard.receive(encoded(Ping(sent_ns=1)), 0)
    assert len(talk.subject.take_outgoing(1 << 30)) < 1000


def test_what_waits_in_the_journal_is_not_overtaken_once_there_is_room(talk):
    big = [shown(seq, "x" * 90_000) for seq in (1, 2, 3)]
    talk.wizard_store.kept = [*big, shown(4)]
    for message in big:
        talk.wizard.send(message)
    begun = talk.wizard.take_outgoing(100_000)
    talk.wizard.send(shown(4))
    talk.at_subject += talk.subject.receive(begun, 0)
    talk.settle()
    assert seqs(talk.at_subject) == [1, 2, 3, 4]


def test_a_journal_that_tells_more_than_was_asked_does_no_harm(room):
    room.connect(Hello(session_id="e00-01", have=2))
    room.wizard = WizardPeer(room.seat, lambda after: [shown(1), shown(2), shown(3)], 0)
    room.settle()
    room.wizard.answer(welcome())
    outgoing = room.wizard.take_outgoing(1 << 20)
    assert seqs(room.subject.receive(outgoing, 0)) == [3]
    assert outgoing.count(b"query_shown") == 1


# -- audio ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "tries", "least", "most"), [(chunk, 40, 16, 18), (live, 200, 80, 102)])
def test_at_most_a_window_of_sound_waits_and_it_holds_up_no_line(talk, make, tries, least, most):
    sent = [talk.subject.send(make(320 * at)) for at in range(tries)]
    assert sent == [True] * sum(sent) + [False] * (tries - sum(sent)) and least <= sum(sent) <= most
    assert talk.subject.send(line(1))
    talk.settle()
    assert seqs(talk.at_wizard) == [1]


def test_control_overtakes_audio_at_the_end_of_a_frame(talk):
    talk.subject.send(chunk(1))
    talk.subject.send(chunk(2))
    begun = talk.subject.take_outgoing(100)
    talk.subject.send(line(1))
    talk.at_wizard += talk.wizard.receive(begun, 0)
    talk.settle()
    kinds = [type(message).__name__ for message in messages(talk.at_wizard)]
    assert kinds == ["AudioChunk", "JournalLine", "AudioChunk"]


def test_live_sound_goes_before_files_and_after_lines(talk):
    talk.subject.send(chunk(1))
    talk.subject.send(live(0))
    talk.subject.send(line(1))
    talk.subject.send(live(320))
    talk.settle()
    kinds = [type(message).__name__ for message in messages(talk.at_wizard)]
    assert kinds == ["JournalLine", "LiveSound", "LiveSound", "AudioChunk"]


def test_live_sound_is_not_sent_again_after_a_reconnect(talk):
    talk.subject.send(live(0))
    talk.cut()
    talk.open(Hello(session_id="e00-01"))
    talk.subject.send(live(320))
    talk.settle()
    assert [message.frame for message in messages(talk.at_wizard) if isinstance(message, LiveSound)] == [320]


def test_a_message_over_the_cap_is_reported_to_its_sender(talk):
    table = Table(headings=["a"], rows=[["x" * 1000]] * 300, numeric=[False], total=300)
    with pytest.raises(MessageTooLong, match="AnswerShown"):
        talk.wizard.send(AnswerShown(seq=1, turn=1, table=table))
    talk.wizard.send(shown(2))
    talk.settle()
    assert seqs(talk.at_subject) == [2]


# -- signs of life -------------------------------------------------------------------------------------


def test_a_quiet_conversation_goes_on_also_before_a_slow_answer_and_a_goodbye_is_a_message(room):
    room.connect()
    room.pass_time(20)
    room.wizard.answer(Waiting())
    room.settle()
    assert messages(room.at_subject) == [Waiting()]
    room.pass_time(60)
    room.subject.send(Goodbye())
    room.settle()
    assert messages(room.at_wizard) == [Goodbye()]
    assert not of_type(room.at_wizard + room.at_subject, Closed)


def test_silence_is_noticed_on_both_sides_within_seven_seconds(talk):
    talk.pass_time(3)
    talk.pass_time(5, talking=False)
    assert not of_type(talk.at_wizard + talk.at_subject, Closed)
    talk.pass_time(2, talking=False)
    assert why_closed(talk.at_wizard) == why_closed(talk.at_subject) == [("silence", "")]


def test_a_subject_without_an_answer_gives_up_after_six_seconds(room):
    room.connect()
    room.pass_time(6, talking=False)
    assert why_closed(room.at_subject) == [("silence", "")]


def test_bytes_without_a_whole_frame_are_silence(talk):
    trickle = frame(b"\x00" * 1000)
    closed = []
    for step in range(30):
        talk.now += S // 4
        talk.wizard.receive(trickle[step : step + 1], talk.now)
        closed += why_closed(talk.wizard.tick(talk.now))
    assert closed == [("silence", "")]


def test_a_station_that_slept_itself_listens_before_it_judges(talk):
    talk.pass_time(2)
    talk.now += 30 * S
    assert talk.wizard.tick(talk.now) == [] and talk.subject.tick(talk.now) == []
    talk.settle()
    talk.pass_time(10)
    assert not of_type(talk.at_wizard + talk.at_subject, Closed)


# -- clocks --------------------------------------------------------------------------------------------


def exchange(peer, now, there, back, skew):
    """One ping of the wizard's, answered by a subject whose clock is `skew` behind. Times in ms."""
    assert peer.tick(now) == []
    peer.take_outgoing(1 << 20)
    pong = Pong(sent_ns=now, answered_ns=now + there * MS - skew)
    return peer.receive(encoded(pong), now + (there + back) * MS)


@pytest.mark.parametrize("skew", [0, 3600 * S, -3600 * S])
def test_the_clocks_are_tied_within_half_a_round_trip(talk, skew):
    talk.wizard.take_outgoing(1 << 20)
    (tie,) = of_type(exchange(talk.wizard, 2 * S, there=9, back=1, skew=skew), ClockTied)
    assert tie.rtt_ns == 10 * MS
    assert abs(tie.offset_ns - skew) <= tie.rtt_ns // 2


def test_a_better_exchange_is_reported_and_a_worse_one_is_not(talk):
    reported = []
    for number, way in enumerate([10, 30, 5, 8], start=1):
        reported += of_type(exchange(talk.wizard, number * 2 * S, there=way, back=way, skew=0), ClockTied)
    assert [tie.rtt_ns // MS for tie in reported] == [20, 10]


def test_a_drifting_clock_is_tied_anew(talk):
    reported = []
    for number in range(1, 901):
        now, skew = number * 2 * S, int(number * 2 * S * 200e-6)
        reported += of_type(exchange(talk.wizard, now, there=2, back=2 + number % 3, skew=skew), ClockTied)
        assert abs(reported[-1].offset_ns - skew) <= reported[-1].rtt_ns // 2 + 5 * MS


def test_the_subject_tells_the_same_offset_as_the_wizard(talk):
    talk.subject.tick(talk.now + 2 * S)
    talk.subject.take_outgoing(1000)
    pong = Pong(sent_ns=2 * S, answered_ns=2 * S + 5 * MS + 70 * S)
    (tie,) = of_type(talk.subject.receive(encoded(pong), 2 * S + 10 * MS), ClockTied)
    assert tie == ClockTied(offset_ns=70 * S, rtt_ns=10 * MS)


def test_a_pong_that_nobody_asked_for_moves_no_clock(talk):
    assert talk.wizard.receive(encoded(Pong(sent_ns=5, answered_ns=99)), 10) == []


def test_an_ack_of_the_future_is_reported_as_it_is_and_harms_nothing(talk):
    talk.wizard.receive(encoded(Ack(seq=1 << 62)), 0)
    talk.wizard.send(shown(1))
    talk.settle()
    assert seqs(talk.at_subject) == [1]
