"""Trips of one or several legs under one flight number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .dice import Dice
    from .geography import Map
    from .timetable import Leg

Trip = tuple["Leg", ...]
Reserved = Callable[[Trip], bool]

MOST_LEGS = 4
STOP_MINUTES = range(25, 81)


class Joining:
    """Joins legs of one airline that meet at an airport. `reach` is how far each jet flies, in miles."""

    def __init__(self, world: Map, reach: Mapping[str, int], reserved: Reserved, dice: Dice) -> None:
        self._map = world
        self._reach = reach
        self._reserved = reserved
        self._dice = dice

    def trips(self, legs: Iterable[Leg]) -> list[Trip]:
        """Every leg in exactly one trip, most of them alone in theirs."""
        ordered = sorted(legs, key=lambda leg: (leg.departs, leg.start, leg.end, leg.arrives, leg.aircraft))
        leaving: dict[str, list[int]] = {}
        for place, leg in enumerate(ordered):
            leaving.setdefault(leg.start, []).append(place)
        taken: set[int] = set()
        return [self._trip(leg, ordered, leaving, taken) for place, leg in enumerate(ordered) if place not in taken]

    def _trip(self, leg: Leg, ordered: Sequence[Leg], leaving: Mapping[str, list[int]], taken: set[int]) -> Trip:
        trip: Trip = (leg,)
        while len(trip) < MOST_LEGS and self._dice.chance(36):
            open_places = [place for place in leaving.get(trip[-1].end, []) if place not in taken]
            place = next((place for place in open_places if self._goes_on(trip, ordered[place])), None)
            joined = None if place is None else self._joined(trip, ordered[place])
            if place is None or joined is None:
                break
            taken.add(place)
            trip = joined
        return trip

    def _goes_on(self, trip: Trip, leg: Leg) -> bool:
        """A jet leg after a jet leg, soon after it on the same day, that leads on."""
        jets = leg.aircraft in self._reach and trip[-1].aircraft in self._reach and not leg.operator + trip[-1].operator
        soon = leg.departs - trip[-1].arrives in STOP_MINUTES
        return jets and soon and leads_on(self._map, [*(part.start for part in trip), leg.start, leg.end], 1.35)

    def _joined(self, trip: Trip, leg: Leg) -> Trip | None:
        """The same aircraft flies on if it can; one in eight changes all the same."""
        far = self._map.miles(leg.start, leg.end) > self._reach[trip[-1].aircraft] * 17 // 20
        aircraft = leg.aircraft if far or self._dice.chance(12) else trip[-1].aircraft
        joined = (*trip, replace(leg, aircraft=aircraft, days=trip[0].days))
        return None if any(map(self._reserved, stretches(joined))) else joined


def leads_on(world: Map, airports: Sequence[str], most: float) -> bool:
    """No airport twice, and the way not much longer than the straight one."""
    flown = sum(world.miles(a, b) for a, b in pairwise(airports))
    straight = world.miles(airports[0], airports[-1])
    return len(set(airports)) == len(airports) and flown <= most * straight + 120


def stretches(trip: Trip) -> Iterator[Trip]:
    """Every part of a trip that can be flown by itself, the single legs included."""
    for first, last in combinations(range(len(trip) + 1), 2):
        yield trip[first:last]


def numbered(trips: Iterable[Trip], ranges: Mapping[str, Sequence[range]], used: set[int], dice: Dice) -> list[Trip]:
    """Gives each trip of one airline a number of its own; `ranges` are those of the airlines that fly for it."""
    listed = list(trips)
    its_numbers = range(1, min(2399, max(300, 2 * len(listed))) + 1)
    left = {"": [number for number in its_numbers if number not in used]}
    left |= {operator: [n for numbers in spans for n in numbers if n not in used] for operator, spans in ranges.items()}
    drawn = {operator: dice.sample(numbers, len(numbers)) for operator, numbers in left.items()}
    return [_with_number(trip, drawn[trip[0].operator].pop()) for trip in listed]


def _with_number(trip: Trip, number: int) -> Trip:
    return tuple(replace(leg, number=number) for leg in trip)
