"""Fares: they grow with distance and fall with the restrictions that a traveller accepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .dice import Dice
    from .geography import Map
    from .listing import Flight

Sold = tuple[str, str, str]  # from, to, airline
THRIFTY = frozenset(("FF", "HP", "ML", "NX", "TZ", "WN"))
LONG_MILES = 1200
NIGHT_FROM, NIGHT_TO = 21 * 60, 5 * 60


@dataclass(frozen=True)
class Rule:
    """One line of fare_rule.csv: `share` is percent of full coach, `needs` what a flight must be to have the fare."""

    basis: str
    share: int
    restrictions: Sequence[str]
    round_trip_required: bool
    chance: int
    needs: frozenset[str]


@dataclass(frozen=True)
class Fare:
    """One fare of one airline between two airports, in dollars; `needs` as in its rule."""

    sold: Sold
    basis: str
    restriction: str
    one_direction: int
    round_trip: int | None
    round_trip_required: bool
    needs: frozenset[str]


def read_rule(row: Mapping[str, str]) -> Rule:
    return Rule(
        basis=row["fare_basis_code"],
        share=int(row["share"]),
        restrictions=row["restriction_codes"].split(),
        round_trip_required=row["round_trip_required"] == "YES",
        chance=int(row["chance"]),
        needs=frozenset(row["needs"].split()),
    )


def read_fixed(row: Mapping[str, str], rules: Iterable[Rule]) -> Fare:
    """A line of planted_fare.csv; its airline is filled in later."""
    needs = next(rule.needs for rule in rules if rule.basis == row["fare_basis_code"])
    cost = int(row["one_direction_cost"])
    return Fare(
        sold=(row["from_airport"], row["to_airport"], ""),
        basis=row["fare_basis_code"],
        restriction=row["restriction_code"],
        one_direction=cost,
        round_trip=2 * cost if row["round_trip"] == "YES" else None,
        round_trip_required=row["round_trip_required"] == "YES",
        needs=needs,
    )


class Pricing:
    """Draws the fares of each airline in each market; markets with fixed fares have those, whoever flies there."""

    def __init__(self, world: Map, rules: Sequence[Rule], fixed: Sequence[Fare], dice: Dice) -> None:
        self._map = world
        self._rules = rules
        self._fixed: dict[tuple[str, str], list[Fare]] = {}
        for fare in fixed:
            self._fixed.setdefault(fare.sold[:2], []).append(fare)
        self._dice = dice
        self._coach: dict[tuple[str, str], int] = {}

    def fares(self, sold: Sold, features: frozenset[str]) -> Iterator[Fare]:
        """The fares that at least one flight can have; `features` are those of all flights together."""
        fixed = self._fixed.get(sold[:2])
        if fixed:
            yield from (replace(fare, sold=sold) for fare in fixed if fare.needs <= features)
            return
        coach = self._coach_fare(sold)
        for rule in self._rules:
            if rule.needs <= features and self._dice.chance(rule.chance):
                yield self._fare(sold, coach, rule)

    def _coach_fare(self, sold: Sold) -> int:
        """The full coach fare: one price a market, a little different from airline to airline."""
        market = min(sold[:2], sold[1::-1])
        if market not in self._coach:
            miles = self._map.miles(*market)
            base = 74 + min(miles, 700) * 30 // 100 + max(0, miles - 700) * 17 // 100
            self._coach[market] = base * self._dice.number(88, 114) // 100
        thrifty = 84 if sold[2] in THRIFTY else 100
        return self._coach[market] * thrifty // 100 + self._dice.pick((-6, -3, 0, 0, 0, 0, 0, 0, 4, 9))

    def _fare(self, sold: Sold, coach: int, rule: Rule) -> Fare:
        cost = coach * rule.share // 100
        one_way_only = not rule.round_trip_required and self._dice.chance(18)
        return Fare(
            sold=sold,
            basis=rule.basis,
            restriction=self._dice.pick(rule.restrictions) if rule.restrictions else "",
            one_direction=cost,
            round_trip=None if one_way_only else 2 * cost,
            round_trip_required=rule.round_trip_required,
            needs=rule.needs,
        )


def features(flight: Flight, jets: Mapping[str, int], wide: frozenset[str], world: Map) -> frozenset[str]:
    """What a flight is, in the words of fare_rule.csv."""
    departs = flight.legs[0].departs
    has = {
        "first": all(leg.aircraft in jets for leg in flight.legs) and flight.airline not in THRIFTY,
        "long": world.miles(*flight.market) >= LONG_MILES and any(leg.aircraft in wide for leg in flight.legs),
        "night": departs >= NIGHT_FROM or departs < NIGHT_TO,
        "weekend": bool(flight.days & 0b1100000),
        "thrift": flight.airline in THRIFTY,
    }
    return frozenset(name for name, true in has.items() if true)
