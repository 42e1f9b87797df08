"""The legs that airlines fly: hubs, banks, fleets, days, meals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .dice import Dice
    from .geography import Map

FIRST_DEPARTURE, LAST_DEPARTURE = 5 * 60 + 45, 23 * 60 + 55
SHORTEST_HUB_LEG = 90  # miles; nearer airports are reached by road
COMMUTER_MILES = 290
_WEEKDAYS, _WEEKEND, _ALL = 0b0011111, 0b1100000, 0b1111111
_PATTERNS = [
    (_ALL, 66), (_WEEKDAYS, 9), (_ALL ^ 0b0100000, 8), (_ALL ^ 0b1000000, 7), (_WEEKEND, 1),
    (0b0100000, 2), (0b1000000, 2), (0b0010101, 1), (0b0011010, 1), (0b1010001, 1), (0b1111000, 1), (0b0001111, 1),
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leg:
    """One take-off and landing. Times are minutes after midnight of the day of departure, each local; `days` are those
    of the departure; `operator` is the airline that flies it for the one that sells it."""

    airline: str
    start: str
    end: str
    departs: int
    arrives: int
    aircraft: str
    meal: str
    days: int
    operator: str = ""
    number: int = 0


@dataclass(frozen=True)
class Airline:
    """What network.toml says of an airline. `fleet` is (aircraft, shortest, longest leg in miles, weight)."""

    code: str
    hubs: Mapping[str, int]
    stations: Sequence[str]
    routes: Sequence[tuple[str, str, int]]
    fleet: Sequence[tuple[str, int, int, int]]
    commuter: Mapping[str, tuple[str, str]]


def read_airline(code: str, entry: Mapping[str, Any]) -> Airline:
    routes = [route.split() for route in entry["routes"]]
    fleet = [line.split() for line in entry["fleet"]]
    commuter = {hub: line.split() for hub, line in entry["commuter"].items()}
    return Airline(
        code=code,
        hubs=entry["hubs"],
        stations=entry["stations"].split(),
        routes=[(start, end, int(often)) for start, end, often in routes],
        fleet=[(aircraft, int(low), int(high), int(weight)) for aircraft, low, high, weight in fleet],
        commuter={hub: (words[0], words[1] if len(words) > 1 else "") for hub, words in commuter.items()},
    )


class Drawing:
    """Draws the legs of airlines on a map; `banks` are minutes after midnight by hub."""

    def __init__(self, world: Map, banks: Mapping[str, Sequence[int]], jets: set[str], dice: Dice) -> None:
        self._map = world
        self._banks = banks
        self._jets = jets
        self._dice = dice

    def legs(self, airline: Airline) -> Iterator[Leg]:
        """Every hub with every station, hubs among themselves once, then the other routes."""
        seen: set[str] = set()
        for hub, strength in airline.hubs.items():
            seen.add(hub)
            for station in sorted({*airline.stations, *airline.hubs} - seen):
                if self._map.miles(hub, station) >= SHORTEST_HUB_LEG:
                    yield from self._spokes(airline, hub, station, strength)
        for start, end, often in airline.routes:
            yield from self._shuttles(airline, start, end, often)

    def overnight(self, airline: Airline, stations: Sequence[str]) -> Iterator[Leg]:
        """Late departures from the west for hubs at least three hours of flying to the east."""
        for station in stations:
            for hub in airline.hubs:
                far = self._map.miles(station, hub) > 1400 and self._map.shift(station, hub) > 0
                if far and self._dice.chance(60):
                    departs = self._dice.number(21 * 60 + 45, LAST_DEPARTURE)
                    yield self._leg(airline, station, hub, departs, self._aircraft(airline, station, hub))

    def _spokes(self, airline: Airline, hub: str, station: str, strength: int) -> Iterator[Leg]:
        banks = self._banks[hub]
        often = max(1, round(strength * self._map.airports[station].size * len(banks) / 100))
        for bank in sorted(self._dice.sample(banks, min(often, len(banks)))):
            aircraft = self._aircraft(airline, hub, station)
            yield from self._inbound(airline, station, hub, bank - self._dice.number(10, 45), aircraft)
            yield from self._outbound(airline, hub, station, bank + self._dice.number(8, 45), aircraft)

    def _inbound(self, airline: Airline, start: str, hub: str, arrives: int, aircraft: str) -> Iterator[Leg]:
        departs = arrives - self._map.minutes(start, hub, aircraft in self._jets) - self._map.shift(start, hub)
        if departs >= FIRST_DEPARTURE:
            yield self._leg(airline, start, hub, departs, aircraft)

    def _outbound(self, airline: Airline, hub: str, end: str, departs: int, aircraft: str) -> Iterator[Leg]:
        if departs <= LAST_DEPARTURE:
            yield self._leg(airline, hub, end, departs, aircraft)

    def _shuttles(self, airline: Airline, start: str, end: str, often: int) -> Iterator[Leg]:
        """Spread over the day from half past six to half past nine in the evening."""
        for there, back in ((start, end), (end, start)):
            for place in range(often):
                slot = 390 + 900 * place // often + self._dice.number(0, 900 // often)
                yield self._leg(airline, there, back, slot, self._aircraft(airline, there, back))

    def _aircraft(self, airline: Airline, start: str, end: str) -> str:
        miles = self._map.miles(start, end)
        small = min(self._map.airports[code].size for code in (start, end))
        for hub in (start, end):
            if hub in airline.commuter and miles <= COMMUTER_MILES and self._dice.chance(150 - 25 * small):
                return airline.commuter[hub][0]
        fitting = [(aircraft, weight) for aircraft, low, high, weight in airline.fleet if low <= miles <= high]
        return self._dice.weighed(fitting or [(airline.fleet[0][0], 1)])

    def _leg(self, airline: Airline, start: str, end: str, departs: int, aircraft: str) -> Leg:
        departs = departs if self._dice.chance(35) else 5 * round(departs / 5)
        minutes = self._map.minutes(start, end, aircraft in self._jets)
        operators = [line[1] for hub, line in airline.commuter.items() if hub in (start, end) and line[0] == aircraft]
        return Leg(
            airline=airline.code,
            start=start,
            end=end,
            departs=departs,
            arrives=departs + minutes + self._map.shift(start, end),
            aircraft=aircraft,
            meal=self._meal(departs, minutes) if aircraft in self._jets else "",
            days=self._dice.weighed(_PATTERNS),
            operator=operators[0] if operators else "",
        )

    def _meal(self, departs: int, minutes: int) -> str:
        """Meals at meal times on legs that are long enough, a second service on long ones."""
        if minutes < 72:
            return ""
        second = "S" if minutes > 215 else ""
        if departs < 9 * 60 + 20:
            return f"B{second}"
        if 10 * 60 + 45 <= departs < 13 * 60 + 10:
            return f"L{second}"
        if 16 * 60 + 40 <= departs < 19 * 60 + 40:
            return self._dice.weighed([(f"D{second}", 8), ("H", 1)])
        if 14 * 60 <= departs < 16 * 60 + 40 and minutes > 190:
            return "SD"
        return self._dice.weighed([("S", 6), ("R", 1), ("", 2)])
