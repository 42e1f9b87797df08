"""Where the airports are: distances, zones, and how long an aircraft takes from one to another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

EARTH_RADIUS_MILES = 3958.8


@dataclass(frozen=True)
class Airport:
    """`zone` is hours from Greenwich; `connect` the minutes that changing planes takes at least; `size` 1 to 10."""

    code: str
    latitude: float
    longitude: float
    zone: int
    connect: int
    size: int


class Map:
    """The airports by code, with all distances worked out once."""

    def __init__(self, airports: Iterable[Airport]) -> None:
        self.airports: Mapping[str, Airport] = {airport.code: airport for airport in airports}
        self._miles = {
            (a.code, b.code): _great_circle(a, b) for a in self.airports.values() for b in self.airports.values()
        }

    def miles(self, start: str, end: str) -> int:
        """Statute miles along the great circle."""
        return self._miles[start, end]

    def minutes(self, start: str, end: str, jet: bool) -> int:
        """From gate to gate: taxiing and climbing, then cruising; the wind blows from the west."""
        a, b = self.airports[start], self.airports[end]
        miles = self.miles(start, end)
        if not jet:
            return 18 + miles * 60 // 270
        miles_east = (b.longitude - a.longitude) * 69 * math.cos(math.radians((a.latitude + b.latitude) / 2))
        tailwind = round(40 * miles_east / max(miles, 1))
        return 27 + miles * 60 // (475 + tailwind)

    def shift(self, start: str, end: str) -> int:
        """Minutes by which clocks at the end are ahead of those at the start."""
        return 60 * (self.airports[end].zone - self.airports[start].zone)


def _great_circle(a: Airport, b: Airport) -> int:
    lat_a, lat_b = math.radians(a.latitude), math.radians(b.latitude)
    half_lat = (lat_b - lat_a) / 2
    half_lon = math.radians(b.longitude - a.longitude) / 2
    chord = math.sin(half_lat) ** 2 + math.cos(lat_a) * math.cos(lat_b) * math.sin(half_lon) ** 2
    return round(2 * EARTH_RADIUS_MILES * math.asin(math.sqrt(chord)))
