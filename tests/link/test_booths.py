"""Several booths and one wizard's station: who has the place, who waits, who calls. Without sockets."""

import msgspec

from curtain.link.core import Seat, WizardPeer
from curtain.link.events import BoothReport, Happened, Joined, Received, TurnedAway
from curtain.link.framing import CAP, Frames
from curtain.link.messages import Ack, Hello, HelloRefused, ToSubject
from tests.link.talking import encoded, line, of_type, shown, welcome


def arrives(seat: Seat, mark: str, hello: Hello | None = None) -> tuple[WizardPeer, list[Happened]]:
    peer = WizardPeer(seat, lambda after: (), 0, mark=mark)
    return peer, peer.receive(encoded(hello or Hello()), 0)


def reported(happened: list[Happened]) -> list[tuple[str, str]]:
    return [(event.mark, event.what) for event in of_type(happened, BoothReport)]


def test_the_first_booth_has_the_place_and_another_waits_without_a_problem():
    seat = Seat()
    assert reported(arrives(seat, "one")[1]) == [("one", "sits")]
    _, happened = arrives(seat, "two")
    assert reported(happened) == [("two", "waits")]
    assert not of_type(happened, TurnedAway) and not of_type(happened, Joined)


def test_a_second_station_of_this_machine_is_still_a_problem():
    seat = Seat()
    arrives(seat, "")
    _, happened = arrives(seat, "")
    assert [event.code for event in of_type(happened, TurnedAway)] == ["in_use"] and not reported(happened)


def test_the_booth_that_was_called_gets_the_place_however_fast_the_other_dials():
    seat = Seat()
    first, _ = arrives(seat, "one")
    seat.expected = "two"
    first.hang_up()
    assert reported(arrives(seat, "one")[1]) == [("one", "waits")]
    assert reported(arrives(seat, "two")[1]) == [("two", "sits")]
    assert seat.expected is None


def test_a_running_session_goes_on_with_its_booth_whoever_was_called():
    seat = Seat()
    first, _ = arrives(seat, "one")
    first.answer(welcome())
    seat.expected = "two"
    first.hang_up()
    _, happened = arrives(seat, "two")
    assert [event.code for event in of_type(happened, TurnedAway)] == ["seat"]
    assert reported(arrives(seat, "one")[1]) == [("one", "sits")]


def test_another_booth_waits_without_a_problem_while_a_session_goes_on():
    seat = Seat()
    first, _ = arrives(seat, "one")
    first.answer(welcome())
    _, happened = arrives(seat, "two")
    assert reported(happened) == [("two", "waits")]
    assert not of_type(happened, TurnedAway) and not of_type(happened, Joined)
    first.hang_up()
    _, happened = arrives(seat, "two")
    assert reported(happened) == [("two", "waits")] and not of_type(happened, TurnedAway)
    # With the session's own booth away, one that nobody has seen may be its new computer: the wizard decides.
    _, happened = arrives(seat, "three")
    assert [event.code for event in of_type(happened, TurnedAway)] == ["seat"]


def test_whom_the_wizard_lets_in_is_a_new_station_and_no_booth_that_waits_for_the_next_session():
    seat = Seat()
    first, _ = arrives(seat, "one")
    first.answer(welcome())
    arrives(seat, "two")
    first.hang_up()
    seat.bound, seat.for_newcomer = None, True
    assert reported(arrives(seat, "two")[1]) == [("two", "waits")]
    newcomer, happened = arrives(seat, "three")
    assert reported(happened) == [("three", "sits")]
    newcomer.answer(welcome())
    assert seat.bound == "three"


def test_another_certificate_hears_its_refusal_and_nothing_else_whatever_it_knows_of_the_session():
    seat, greeted = Seat(), welcome(identity="a" * 32)
    first, _ = arrives(seat, "one")
    first.answer(greeted)
    first.hang_up()
    asked: list[int] = []
    peer = WizardPeer(seat, lambda after: asked.append(after) or [shown(1)], 0, mark="two")
    knowing = Hello(session_id="e00-01", identity="a" * 32, have=0, bound=True)
    happened = peer.receive(encoded(knowing) + encoded(line(1)) + encoded(Ack(seq=1)), 0)
    happened += peer.answer(greeted)
    assert not peer.send(shown(1))
    frames = Frames(lambda: CAP).feed(peer.take_outgoing(1 << 20))
    answers = [msgspec.msgpack.decode(payload, type=ToSubject) for payload in frames]
    assert [(type(answer), answer.code) for answer in answers] == [(HelloRefused, "seat")]
    assert not of_type(happened, Joined) and not of_type(happened, Received) and not asked
    # The place is still the first one's.
    assert reported(arrives(seat, "one", knowing)[1]) == [("one", "sits")]


def test_a_call_is_heard_from_a_booth_with_the_place_and_from_one_without():
    seat = Seat()
    assert ("one", "calls") in reported(arrives(seat, "one", Hello(calls=True))[1])
    assert ("two", "calls") in reported(arrives(seat, "two", Hello(calls=True))[1])
