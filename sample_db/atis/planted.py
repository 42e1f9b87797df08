"""What scenarios stand on: trips, connections and fares that are always there, and room kept free around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .timetable import Leg

    Trip = tuple[Leg, ...]

Line = Mapping[str, str]


class Reservations:
    """Lines of reserved.csv: no flight is drawn that fits all that a line says (an empty cell says nothing)."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._by_market: dict[tuple[str, str], list[Line]] = {}
        for line in lines:
            for start in line["from"].split():
                for end in line["to"].split():
                    self._by_market.setdefault((start, end), []).append(line)

    def holds(self, legs: Sequence[Leg]) -> bool:
        """Whether a flight of these legs is kept from being drawn."""
        lines = self._by_market.get((legs[0].start, legs[-1].end), ())
        return any(_fits(line, legs) for line in lines)


def _fits(line: Line, legs: Sequence[Leg]) -> bool:
    return all(
        (
            not line["via"] or line["via"] in {leg.end for leg in legs[:-1]},
            not line["airline"] or line["airline"] in {leg.airline for leg in legs},
            not line["aircraft"] or not set(line["aircraft"].split()).isdisjoint(leg.aircraft for leg in legs),
            not line["most_stops"] or len(legs) - 1 <= int(line["most_stops"]),
            not line["after"] or legs[0].departs >= _minutes(line["after"]),
            not line["before"] or legs[0].departs < _minutes(line["before"]),
        )
    )


def trips(lines: Iterable[Line], leg: Callable[..., Leg], days_of: Callable[[str], int]) -> list[Trip]:
    """The trips of planted_trip.csv: airports and local times in order, aircraft and meals by leg."""
    return [tuple(_legs(line, leg, days_of)) for line in lines]


def _legs(line: Line, leg: Callable[..., Leg], days_of: Callable[[str], int]) -> Iterator[Leg]:
    airports = list(pairwise(line["airports"].split()))
    times = [_minutes(time) for time in line["times"].split()]
    aircraft = line["aircraft"].split("/")
    meals = line["meals"].split("/")
    for place, (start, end) in enumerate(airports):
        yield leg(
            airline=line["airline"],
            start=start,
            end=end,
            departs=times[2 * place],
            arrives=times[2 * place + 1],
            aircraft=aircraft[min(place, len(aircraft) - 1)],
            meal=meals[place] if place < len(meals) else "",
            days=days_of(line["days"]),
            number=int(line["number"]),
        )


def connections(lines: Iterable[Line], flown: Sequence[Trip]) -> Iterator[tuple[Trip, ...]]:
    """The connections of planted_connection.csv: stretches of trips by airline, number, from and to."""
    stretches = {(leg.airline, leg.number, leg.start, leg.end): (leg,) for trip in flown for leg in trip}
    for line in lines:
        yield tuple(stretches[airline, int(number), start, end] for airline, number, start, end in _parts(line))


def _parts(line: Line) -> Iterator[tuple[str, str, str, str]]:
    for part in line["flights"].split("/"):
        airline, number, start, end = part.split()
        yield airline, number, start, end


def _minutes(clock: str) -> int:
    """`0915` as minutes after midnight; `2530` is half past one on the next day."""
    return int(clock[:-2]) * 60 + int(clock[-2:])
