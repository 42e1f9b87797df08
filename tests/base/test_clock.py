"""The one clock for durations, on systems whose other clock steps."""

import time

import pytest

from curtain.base.clock import Clock, steady_ns, steady_s


def test_a_short_time_is_measured_where_the_monotonic_clock_steps_by_15_6_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([1_000_000, 4_000_000])
    monkeypatch.setattr(time, "monotonic_ns", lambda: 0)
    monkeypatch.setattr(time, "perf_counter_ns", lambda: next(now))
    clock = Clock()
    assert -clock.monotonic_ns() + clock.monotonic_ns() == 3_000_000


def test_both_readings_are_of_one_clock_which_earlier_journals_hold() -> None:
    before = time.perf_counter_ns()
    assert before <= steady_ns() <= steady_s() * 1e9 + 1 and steady_s() <= time.perf_counter()
    implementations = {time.get_clock_info(name).implementation for name in ("monotonic", "perf_counter")}
    assert len(implementations) == 1 or time.get_clock_info("monotonic").resolution > 0.01
