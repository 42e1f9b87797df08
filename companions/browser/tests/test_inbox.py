"""Order, clocks and holds of the page as values: what comes late, twice or out of order, and when it happened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.audio.timeline import LagClock
from curtain_browser.inbox import LifeClock, OutOfOrder, PageOrder
from curtain_browser.wire import ClockReading
from subject_app.talk.hold import RawKeys, Stamp

MS = 1_000_000


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 9)), max_size=30), st.data())
def test_whatever_is_sent_again_each_number_is_taken_once_and_in_order(breaks, data):
    """The line breaks again and again; the page begins behind what was acknowledged."""
    order, taken, last = PageOrder(), [], 0
    for lost, more in breaks:
        last += more
        for n in range(order.acked + 1, last + 1 - min(lost, last - order.acked)):
            if order.takes(n):
                taken.append(n)
        for n in data.draw(st.permutations(taken[max(0, len(taken) - 8) :])):
            if data.draw(st.booleans()):
                order.safe(n)
        assert order.acked <= order.applied
    assert taken == list(range(1, len(taken) + 1))


def test_what_is_acknowledged_is_safe_with_all_before_it_and_no_number_is_left_out():
    order = PageOrder()
    assert [order.takes(n) for n in (5, 6, 7, 6)] == [True, True, True, False]
    order.safe(7)
    order.safe(6)
    assert order.acked == 4
    order.safe(5)
    assert order.acked == 7
    with pytest.raises(OutOfOrder):
        order.takes(9)


def tied(*exchanges: tuple[int, int, float]) -> LifeClock:
    """Exchanges as (sent, answered here, the page's ms), all in ms."""
    clock = LifeClock()
    for sent, came, ms in exchanges:
        read_clock(clock, sent, came, ms)
    return clock


def read_clock(clock: LifeClock, sent: int, came: int, ms: float) -> None:
    clock.asked(sent * 1000)
    clock.answered(ClockReading(life="a" * 32, ask=sent * 1000, ms=ms), came * MS)


def test_the_exchange_with_the_shortest_way_ties_the_clocks():
    clock = tied((1000, 1100, 5050.0), (2000, 2004, 6002.0))
    for _ in range(200):
        stamp = clock.stamp(6002.0, 3000 * MS)
    assert (stamp.ns, stamp.error_ns) == (2002 * MS, 2 * MS)


def test_a_better_tie_moves_no_two_events_apart_by_more_than_half_a_millisecond():
    clock = tied((1000, 1100, 5000.0))
    before = clock.stamp(6000.0, 9000 * MS).ns
    read_clock(clock, 2000, 2004, 6002.0)
    assert abs(clock.stamp(6020.0, 9000 * MS).ns - before - 20 * MS) <= 0.5 * MS


def test_answers_that_nobody_asked_for_and_dates_of_the_future_change_nothing():
    clock = tied((1000, 1002, 5001.0))
    clock.answered(ClockReading(life="a" * 32, ask=77, ms=0.0), 1003 * MS)
    assert clock.stamp(5001.0, 1002 * MS).ns == 1001 * MS
    assert clock.stamp(1e14, 2000 * MS).ns == 3000 * MS


@given(st.lists(st.floats(0, 0.4), min_size=20, max_size=60), st.sampled_from([16000, 44100, 48000]))
def test_blocks_are_dated_by_the_least_late_of_them_however_late_the_others_came(lates, rate):
    clock, frames = LagClock(rate, 0.020), rate // 50
    lates[0] = 0.0
    for block, late in enumerate(lates):
        at = clock.captured_at(block * frames, frames, 100 + (block + 1) * frames / rate + late)
        assert at == pytest.approx(100 - 0.020 + block * frames / rate)


def key(ms: int) -> Stamp:
    return Stamp(ms * MS, ms / 1000)


HOLDS = [
    ("two presses that came at once", [("down", 0), ("up", 300), ("down", 900), ("up", 1500), ("time", 1600)],
     [(0, 300, "key"), (900, 1500, "key")]),
    ("another window in front", [("down", 0), ("focus_lost", 400), ("up", 900), ("time", 1000)],
     [(0, 400, "focus_lost")]),
    ("let go a moment before", [("down", 0), ("up", 400), ("focus_lost", 420)], [(0, 400, "key")]),
    ("too long", [("down", 0), ("time", 130_000), ("up", 131_000), ("time", 132_000)], [(0, 120_000, "too_long")]),
    ("a tab that is gone", [("down", 0), ("page_left", 200), ("time", 9000)], [(0, 200, "page_left")]),
]  # fmt: skip


@pytest.mark.parametrize(("events", "holds"), [case[1:] for case in HOLDS], ids=[case[0] for case in HOLDS])
def test_holds(events, holds):
    keys, keyed = RawKeys(), []
    for what, ms in events:
        match what:
            case "down":
                keyed += keys.down(key(ms), "key", allowed=True)
            case "time":
                keyed += keys.until(key(ms))
            case _:
                keyed += keys.up(key(ms), "key" if what == "up" else what)
    begun = [each.at.ns // MS for each in keyed if each.why is None]
    ended = [(each.at.ns // MS, each.why) for each in keyed if each.why is not None]
    assert [(at, *end) for at, end in zip(begun, ended, strict=True)] == holds
