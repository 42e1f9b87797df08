"""Which companions are installed: entry points of the group `curtain.companions`, never files of a study.

`importlib.metadata` takes a third of the time of `curtain --help` to import, so the lines are read here.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from curtain.base.errors import CurtainError
from curtain.ports.companion import Companion, Place

T = TypeVar("T")
GROUP = "curtain.companions"
OURS = "curtain_woz"
PORTS = tuple(port.name for port in fields(Companion) if port.type == Place)
"""The ports that are one place each."""
LATE: dict[str, str] = {}
"""Of companions whose description loads, and not what it names: the sentence, by name."""


@dataclass(frozen=True)
class EntryPoint:
    """A line of a package's entry points: the companion's `name`, the `place` of its description, the `package` with
    its `version`, and the `folder` in which the package is installed."""

    name: str
    place: Place
    package: str
    version: str
    folder: str


@dataclass(frozen=True)
class Installed:
    """The companions that load, ours first, each with where it comes from; `problems` says in sentences what is left
    out."""

    companions: tuple[tuple[Companion, EntryPoint], ...]
    problems: tuple[str, ...] = ()


@cache
def installed() -> Installed:
    """The companions of this environment; read once a process."""
    return companions_of(entry_points(sys.path))


def entry_points(path: Sequence[str], group: str = GROUP) -> list[EntryPoint]:
    """Those of all packages in the folders of `path`, ours first, then by package."""
    # Python imports from the first folder that has a package.
    by_package: dict[str, list[EntryPoint]] = {}
    for folder in dict.fromkeys(path):
        for package, version, lines in _packages_in(folder):
            points = [EntryPoint(name, place, package, version, folder) for name, place in _points_in(lines, group)]
            by_package.setdefault(package, points)
    order = sorted(by_package, key=lambda package: (package != OURS, package))
    return [point for package in order for point in by_package[package]]


def _packages_in(folder: str) -> Iterator[tuple[str, str, str]]:
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return
    for name in names:
        if name.endswith(".dist-info"):
            try:
                text = Path(folder, name, "entry_points.txt").read_text("utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            package, _, version = name.removesuffix(".dist-info").partition("-")
            yield package, version, text


def _points_in(text: str, group: str) -> Iterator[tuple[str, Place]]:
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == group and "=" in line:
            name, _, place = line.partition("=")
            yield name.strip(), place.strip()


def companions_of(points: Sequence[EntryPoint]) -> Installed:
    """The companions that these entry points describe. A second one of a name is left out, and so is one whose module
    does not load."""
    kept: dict[str, tuple[Companion, EntryPoint]] = {}
    problems = []
    for point in points:
        named = f"The companion “{point.name}” of {point.package}"
        if point.name in kept:
            problems.append(f"{named} is left out: {kept[point.name][1].package} has one of that name.")
            continue
        try:
            companion = loaded(point.place)
            if not isinstance(companion, Companion):
                raise TypeError(f"{point.place} is no Companion")
            kept[point.name] = companion, point
        # Whatever a package of somebody else raises, everything but its own companion works.
        except (Exception, SystemExit) as error:
            problems.append(_sentence(point, error))
    return Installed(tuple(kept.values()), tuple(problems))


def _sentence(point: EntryPoint, error: BaseException) -> str:
    return f"The companion “{point.name}” of {point.package} does not load: {_reason(error)}."


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__


def loaded(place: Place) -> Any:
    """What stands at a place. Raises ImportError, AttributeError."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def guarded(place: Place, call: Callable[[Any], T]) -> T:
    """What `call` makes of what stands at a place. Raises CurtainError, also for any other error of a companion, and
    OSError of `call` alone: as a companion loads, a library is not there; later, a disk is full."""
    offer = None
    try:
        offer = loaded(place)
        return call(offer)
    except (Exception, SystemExit) as error:
        if place.startswith("curtain.") or isinstance(error, CurtainError | OSError if offer else CurtainError):
            raise
        package = place.split(".")[0]
        names = [one.name for one, of in installed().companions if of.place.split(".")[0] == package] or [package]
        raise CurtainError(f"“{place}” of the companion “{names[0]}” does not work: {_reason(error)}.") from error


def offers(port: str) -> list[Any]:
    """What each companion offers at a port that is one place, such as `levels`, loaded; `problems` names the rest."""
    return list(each_made(port, lambda offer: offer))


def first(port: str, otherwise: T) -> T:
    """What the first companion offers at a port that is one place; `otherwise` where none does."""
    return next(iter(offers(port)), otherwise)


def tried(point: EntryPoint, place: Place) -> list[Any]:
    """What stands at a place of this companion; nothing where it does not load, and then `LATE` says so."""
    try:
        return [loaded(place)]
    except (Exception, SystemExit) as error:
        LATE[point.name] = _sentence(point, error)
        return []


def each_made(port: str, make: Callable[[Any], T]) -> Iterator[T]:
    """What `make` makes of each offer at a port, but for those that break as they are made."""
    for companion, point in installed().companions:
        for offer in tried(point, place) if (place := getattr(companion, port)) else ():
            try:
                yield make(offer)
            except CurtainError:
                raise
            except (Exception, SystemExit) as error:
                LATE[point.name] = _sentence(point, error)


def made(port: str, make: Callable[[Any], T], otherwise: Callable[[], T]) -> T:
    """What `make` makes of the first offer at a port; where there is none, or it breaks as it is made, `otherwise`."""
    return next(each_made(port, make), None) or otherwise()


def lacking(missing: str) -> str:
    """Why something cannot be done: what does not load, or else the sentence on what is not installed."""
    return " ".join(problems()) or missing


def refuse(missing: str) -> NoReturn:
    """Raises CurtainError with why something cannot be done."""
    raise CurtainError(lacking(missing))


def problems(*ports: str) -> tuple[str, ...]:
    """What does not load, in sentences, as far as it was asked for; these ports are asked for now."""
    for port in ports:
        offers(port)
    return (*installed().problems, *LATE.values())


def all_problems() -> tuple[str, ...]:
    """Whatever companions offer that does not load, or that is left out since there is one of that name."""
    names = {"parquet"}  # of the core
    for companion, point in installed().companions:
        for given in (companion.checks, companion.systems, companion.recognisers, companion.drafters):
            for place in given.values():
                tried(point, place)
        for offer in companion.formats:
            tried(point, f"{offer.module}:write")
            if offer.name in names:
                LATE[point.name] = f"The format “{offer.name}” of {point.package} is left out: that name is taken."
            names.add(offer.name)
    return problems(*PORTS)


def named_offers(port: str) -> dict[str, Place]:
    """The places that companions offer by name at a port such as `systems`; of two of a name the first."""
    places: dict[str, Place] = {}
    for companion, _ in installed().companions:
        places = {**getattr(companion, port), **places}
    return places


def require_all() -> None:
    """Raises CurtainError if a companion is installed and does not load: what it keeps of people would stay."""
    if met := problems("erases"):
        raise CurtainError(
            f"{' '.join(met)} It may keep something of this speaker: repair or uninstall the package first."
        )
