"""The time, handed in: one monotonic clock and one wall clock."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


def steady_ns() -> int:
    """Nanoseconds of the one clock that measures and orders: all processes of a machine share it until it restarts.

    On Linux and macOS it is `time.monotonic_ns`, which earlier journals hold. On Windows that one steps by 15.6 ms
    before Python 3.13.
    """
    return time.perf_counter_ns()


def steady_s() -> float:
    """The same clock in seconds."""
    return time.perf_counter()


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Clock:
    """`monotonic_ns` orders and measures; `wall` only says when it was."""

    monotonic_ns: Callable[[], int] = steady_ns
    wall: Callable[[], datetime] = _utc_now

    def wall_utc(self) -> str:
        """Now as `2026-03-01T09:30:00.125Z`."""
        return iso_utc(self.wall())


def iso_utc(moment: datetime) -> str:
    """ISO 8601 in UTC, with milliseconds and Z. `moment` knows its zone."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def ns_of_iso(text: str) -> int:
    """Nanoseconds since 1970 of a text that `iso_utc` wrote. Raises ValueError for any other."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} does not name its time zone")
    elapsed = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (elapsed.days * 86_400 + elapsed.seconds) * 1_000_000_000 + elapsed.microseconds * 1_000
