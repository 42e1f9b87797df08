"""Several booths and one wizard's station: who has the place, who waits, who calls. Without sockets."""

from __future__ import annotations

from curtain.link.core import Seat, WizardPeer
from curtain.link.events import BoothTold, Happened, Joined, TurnedAway
from curtain.link.messages import Hello
from tests.link.talking import encoded, of_type, welcome


def arrives(seat: Seat, mark: str, hello: Hello | None = None) -> tuple[WizardPeer, list[Happened]]:
    peer = WizardPeer(seat, lambda after: (), 0, mark=mark)
    return peer, peer.receive(encoded(hello or Hello()), 0)


def told(happened: list[Happened]) -> list[tuple[str, str]]:
    return [(event.mark, event.what) for event in of_type(happened, BoothTold)]


def test_the_first_booth_has_the_place_and_another_waits_without_a_trouble():
    seat = Seat()
    assert told(arrives(seat, "one")[1]) == [("one", "sits")]
    _, happened = arrives(seat, "two")
    assert told(happened) == [("two", "waits")]
    assert not of_type(happened, TurnedAway) and not of_type(happened, Joined)


def test_a_second_station_of_this_machine_is_still_a_trouble():
    seat = Seat()
    arrives(seat, "")
    _, happened = arrives(seat, "")
    assert [event.code for event in of_type(happened, TurnedAway)] == ["in_use"] and not told(happened)


def test_the_booth_that_was_called_gets_the_place_however_fast_the_other_dials():
    seat = Seat()
    first, _ = arrives(seat, "one")
    seat.expected = "two"
    first.hang_up()
    assert told(arrives(seat, "one")[1]) == [("one", "waits")]
    assert told(arrives(seat, "two")[1]) == [("two", "sits")]
    assert seat.expected is None


def test_a_running_session_goes_on_with_its_booth_whoever_was_called():
    seat = Seat()
    first, _ = arrives(seat, "one")
    first.answer(welcome())
    seat.expected = "two"
    first.hang_up()
    _, happened = arrives(seat, "two")
    assert [event.code for event in of_type(happened, TurnedAway)] == ["seat"]
    assert told(arrives(seat, "one")[1]) == [("one", "sits")]


def test_a_call_is_heard_from_a_booth_with_the_place_and_from_one_without():
    seat = Seat()
    assert ("one", "calls") in told(arrives(seat, "one", Hello(calls=True))[1])
    assert ("two", "calls") in told(arrives(seat, "two", Hello(calls=True))[1])
