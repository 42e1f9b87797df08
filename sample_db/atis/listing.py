"""Rows of flight, flight_leg and flight_stop: every stretch of a trip and every connection is a flight of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .geography import Map
    from .timetable import Leg

Row = tuple[Any, ...]

FIRST_ID = 100_001  # papers/003 appendix B: a number from 100000 up is a flight code, a smaller one a flight number


@dataclass(frozen=True)
class Flight:
    """One row of `flight`; a connection has its changes of plane after the legs whose places are in `changes`."""

    legs: tuple[Leg, ...]
    changes: tuple[int, ...] = ()

    @property
    def airline(self) -> str:
        return self.legs[0].airline

    @property
    def market(self) -> tuple[str, str]:
        return self.legs[0].start, self.legs[-1].end

    @property
    def days(self) -> int:
        days = self.legs[0].days
        for leg in self.legs:
            days &= leg.days
        return days

    @property
    def aircraft(self) -> str:
        """Each change of aircraft shows: `M80/72S`, but a single one once."""
        kinds = [leg.aircraft for leg in self.legs]
        return "/".join([kinds[0], *(b for a, b in pairwise(kinds) if a != b)])

    @property
    def meal(self) -> str:
        """The meals of every leg between slashes, or nothing if there is none at all."""
        meals = [leg.meal for leg in self.legs]
        return "/".join(meals) if any(meals) else ""


def connection(journey: Sequence[tuple[Leg, ...]]) -> Flight:
    ends = list(accumulate(len(stretch) for stretch in journey))
    return Flight(tuple(leg for stretch in journey for leg in stretch), tuple(ends[:-1]))


def in_order(flights: Iterable[Flight]) -> list[Flight]:
    """By airports, then straight ones first, then by departure: the order in which ids are given."""
    return sorted(flights, key=_order)


def _order(flight: Flight) -> tuple[Any, ...]:
    numbers = [(leg.airline, leg.number, leg.departs) for leg in flight.legs]
    return (*flight.market, len(flight.changes), flight.legs[0].departs, len(flight.legs), numbers)


class Listing:
    """Writes flights as rows; `clock` and `code` are how the database writes a time and a set of days."""

    def __init__(
        self, flights: Sequence[Flight], world: Map, clock: Callable[[int], int], code: Callable[[int], str]
    ) -> None:
        self.flights = flights
        self._map = world
        self._clock = clock
        self._code = code
        self._ids = {_key(flight): FIRST_ID + place for place, flight in enumerate(flights)}

    def flight_rows(self) -> Iterator[Row]:
        for flight in self.flights:
            first, last = flight.legs[0], flight.legs[-1]
            yield (
                self.id_of(flight),
                self._code(flight.days),
                first.start,
                last.end,
                self._clock(first.departs),
                self._clock(last.arrives),
                _airline_flight(flight),
                first.airline,
                first.number,
                flight.aircraft,
                flight.meal or None,
                len(flight.legs) - 1,
                len(flight.changes),
                "YES" if any(leg.operator for leg in flight.legs) else "NO",
                last.arrives - first.departs - self._map.shift(first.start, last.end),
            )

    def leg_rows(self) -> Iterator[Row]:
        for flight in self.flights:
            for place, leg in enumerate(flight.legs, start=1):
                yield self.id_of(flight), place, self._ids[_key(Flight((leg,)))]

    def stop_rows(self) -> Iterator[Row]:
        """A stop is on the same day as the departure: no trip goes on after midnight."""
        for flight in self.flights:
            for place, (before, after) in enumerate(pairwise(flight.legs), start=1):
                yield (
                    self.id_of(flight),
                    place,
                    self._code(flight.days),
                    before.end,
                    self._clock(before.arrives),
                    before.airline,
                    before.number,
                    self._clock(after.departs),
                    after.airline,
                    after.number,
                    after.departs - before.arrives,
                )

    def id_of(self, flight: Flight) -> int:
        return self._ids[_key(flight)]


def _key(flight: Flight) -> tuple[Any, ...]:
    return tuple((leg.airline, leg.number, leg.start, leg.end) for leg in flight.legs)


def _airline_flight(flight: Flight) -> str:
    """`DL 391`, and `DL 391/UA 20` where the passenger changes planes."""
    starts = [0, *flight.changes]
    return "/".join(f"{flight.legs[place].airline} {flight.legs[place].number}" for place in starts)
