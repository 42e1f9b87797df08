"""Who is killed when: a plan of random blows, and a hand that deals them."""

import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import psutil  # type: ignore[import-untyped]

from curtain.base.clock import steady_ns
from curtain.rehearsal.stations import RunningStation

Name = Literal["wizard", "subject"]

SHORT_STEPS = ("sending the query", "running the statement", "sending the answer", "the answer is on its way")


@dataclass(frozen=True)
class Blow:
    """One kill: who, and at which share of a turn's life, or of the first 30 ms of its step `step`.

    `again`: who is killed once more, `again_s` seconds after the restart began. `slowly`: the wizard thinks
    between the words, so that the turn is long.
    """

    victims: tuple[Name, ...]
    at: float
    step: str = ""
    again: tuple[Name, ...] = ()
    again_s: float = 0.0
    slowly: bool = False


def plan(count: int, chance: random.Random) -> list[Blow]:
    """Subject, wizard, subject, wizard, both ...: the moments of each are spread evenly over a turn's life."""
    pattern: list[tuple[Name, ...]] = [
        ("subject",), ("wizard",), ("subject",), ("wizard",), ("subject", "wizard")
    ]  # fmt: skip
    victims = [pattern[number % len(pattern)] for number in range(count)]
    moments = {who: _spread(victims.count(who), chance) for who in set(pattern)}
    return [_blow(number, who, moments[who].pop(), chance) for number, who in enumerate(victims)]


def _spread(count: int, chance: random.Random) -> list[float]:
    shares = [(number + chance.random()) / count for number in range(count)]
    chance.shuffle(shares)
    return shares


def _blow(number: int, who: tuple[Name, ...], at: float, chance: random.Random) -> Blow:
    again: tuple[Name, ...] = ()
    if number % 4 == 2:
        again = chance.choice([("subject",), ("wizard",), ("subject", "wizard")])
    step = chance.choice(SHORT_STEPS) if number % 3 == 1 else ""
    return Blow(who, at, step, again, chance.random(), slowly=number % 8 == 3)


@dataclass(frozen=True)
class Strike:
    """A blow that fell: when each station died, in monotonic ns, and what it had started."""

    killed_ns: dict[Name, int]
    children: tuple[psutil.Process, ...]


class Killer:
    """Kills -9 after a while, from a thread of its own; `struck` is true from just before it does."""

    def __init__(self) -> None:
        self.struck = False
        self._timer: threading.Timer | None = None
        self._strike = Strike({}, ())

    def aim(self, stations: Sequence[RunningStation], after_s: float) -> None:
        self.struck = False
        self._timer = threading.Timer(after_s, self._fall, [list(stations)])
        self._timer.daemon = True
        self._timer.start()

    def call_off(self) -> bool:
        """Whether the blow was still to come."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        return not self.struck

    def strike(self) -> Strike:
        """What happened, once it has."""
        self._timer.join()
        self.struck = False
        return self._strike

    def _fall(self, stations: list[RunningStation]) -> None:
        self.struck = True
        killed: dict[Name, int] = {}
        children = tuple(child for station in stations for child in _children(station))
        for station in stations:
            killed[station.name] = steady_ns()
            station.process.kill()
        self._strike = Strike(killed, children)


def _children(station: RunningStation) -> list[psutil.Process]:
    try:
        return list(psutil.Process(station.process.pid).children(recursive=True))
    except psutil.NoSuchProcess:
        return []
