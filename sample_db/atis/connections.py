"""Journeys on which the passenger changes planes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .geography import Map
    from .timetable import Leg

Journey = tuple[tuple["Leg", ...], ...]  # the trips, or stretches of trips, one after the other
Market = tuple[str, str]

LONGEST_WAIT = 180
MINUTES_A_DAY = 1440
OTHER_AIRLINE = 55  # minutes that a journey must be shorter to be listed before one that stays with its airline


class Connecting:
    """Finds the connections of a market, best first. `leads_on` and `reserved` decide what is not offered."""

    def __init__(
        self,
        world: Map,
        flown: Iterable[tuple[Leg, ...]],
        leads_on: Callable[[Map, Sequence[str], float], bool],
        reserved: Callable[[tuple[Leg, ...]], bool],
    ) -> None:
        self._map = world
        self._leads_on = leads_on
        self._reserved = reserved
        self._by_market: dict[Market, list[tuple[Leg, ...]]] = {}
        for stretch in flown:
            if len(stretch) <= 2:
                self._by_market.setdefault((stretch[0].start, stretch[-1].end), []).append(stretch)
        for stretches in self._by_market.values():
            stretches.sort(key=_order)
        self._departures = {market: [s[0].departs for s in found] for market, found in self._by_market.items()}

    def once(self, start: str, end: str) -> list[Journey]:
        """Journeys with one change, each first flight once."""
        best: dict[int, tuple[tuple[int, ...], Journey]] = {}
        for hub in sorted(self._map.airports):
            firsts = self._by_market.get((start, hub))
            if firsts and (hub, end) in self._by_market and self._leads_on(self._map, [start, hub, end], 1.4):
                self._through(hub, end, ((first,) for first in firsts), best)
        return _ranked(best)

    def twice(self, start: str, end: str, once: Mapping[Market, Sequence[Journey]]) -> list[Journey]:
        """Journeys with two changes: one with one change, and a flight after it."""
        best: dict[int, tuple[tuple[int, ...], Journey]] = {}
        for hub in sorted(self._map.airports):
            if once.get((start, hub)) and (hub, end) in self._by_market:
                self._through(hub, end, once[start, hub], best)
        return _ranked(best)

    def _through(
        self, hub: str, end: str, firsts: Iterable[Journey], best: dict[int, tuple[tuple[int, ...], Journey]]
    ) -> None:
        for first in firsts:
            for journey in self._onward(first, hub, end):
                quality = self._quality(journey)
                key = id(first[0][0])
                if key not in best or quality < best[key][0]:
                    best[key] = (quality, journey)

    def _onward(self, first: Journey, hub: str, end: str) -> Iterator[Journey]:
        """The next flight of the same airline, and the next of another one."""
        market = (hub, end)
        arrives = first[-1][-1].arrives
        ready = arrives + self._map.airports[hub].connect
        places = range(bisect_left(self._departures[market], ready), len(self._departures[market]))
        wanted = {True, False}
        for place in places:
            second = self._by_market[market][place]
            if second[0].departs > min(arrives + LONGEST_WAIT, MINUTES_A_DAY - 1) or not wanted:
                return
            same = second[0].airline == first[-1][-1].airline
            if same in wanted and self._is_offered((*first, second)):
                wanted.discard(same)
                yield (*first, second)

    def _is_offered(self, journey: Journey) -> bool:
        legs = tuple(leg for stretch in journey for leg in stretch)
        changing = len({(stretch[0].airline, stretch[0].number) for stretch in journey}) == len(journey)
        # With two legs the caller has looked at the way already.
        leading = len(legs) == 2 or self._leads_on(self._map, [legs[0].start, *(leg.end for leg in legs)], 1.5)
        return changing and leading and common_days(legs) != 0 and not self._reserved(legs)

    def _quality(self, journey: Journey) -> tuple[int, ...]:
        """Shorter is better; the rest only decides between equals."""
        legs = [leg for stretch in journey for leg in stretch]
        elapsed = legs[-1].arrives - legs[0].departs
        changes = sum(a[-1].airline != b[0].airline for a, b in pairwise(journey))
        return (elapsed + OTHER_AIRLINE * changes, legs[0].departs, *(leg.number for leg in legs))


def common_days(legs: Iterable[Leg]) -> int:
    days = 0b1111111
    for leg in legs:
        days &= leg.days
    return days


def _ranked(best: Mapping[int, tuple[tuple[int, ...], Journey]]) -> list[Journey]:
    """The best by way of each airport first, then the second best of each: who asks for a way round finds one."""
    seen: dict[str, int] = {}
    ranked = []
    for quality, journey in sorted(best.values(), key=lambda found: found[0]):
        hub = journey[0][-1].end
        seen[hub] = seen.get(hub, 0) + 1
        ranked.append((seen[hub], quality, journey))
    return [journey for _, _, journey in sorted(ranked, key=lambda found: found[:2])]


def _order(stretch: tuple[Leg, ...]) -> tuple[int, str, int, int]:
    return stretch[0].departs, stretch[0].airline, stretch[0].number, len(stretch)


def allotted(found: Mapping[Market, Sequence[Journey]], demand: Mapping[Market, int], count: int) -> list[Journey]:
    """`count` journeys, each market's best, as many as its demand calls for; all of them if there are not enough."""
    scale = 1
    while sum(_share(found, demand, market, scale) for market in found) < count and scale < 100:
        scale += 1
    ranked = [
        (place, order, journey)
        for order, market in enumerate(found)
        for place, journey in enumerate(found[market][: _share(found, demand, market, scale)])
    ]
    return [journey for _, _, journey in sorted(ranked, key=lambda one: one[:2])[:count]]


def _share(found: Mapping[Market, Sequence[Journey]], demand: Mapping[Market, int], market: Market, scale: int) -> int:
    return min(len(found[market]), 2 + demand[market] * scale // 40)
