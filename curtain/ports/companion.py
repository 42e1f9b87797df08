"""A companion: a package that adds commands, formats, checks and windows to Curtain without the core knowing it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

Place = Annotated[str, "module:name"]
"""“package.module:name”. Whatever stands there is imported when it is needed, so that a companion costs nothing
before."""


@dataclass(frozen=True)
class Family:
    """Commands behind one word. `first` is the command that runs where the next word names none."""

    help: str
    commands: Mapping[str, tuple[Place, str]]
    first: str = ""


Headings = Mapping[str, Mapping[str, tuple[Place, str] | Family]]
"""By heading and name a command: the place of its function, and its help."""


@dataclass(frozen=True)
class FormatOffer:
    """An export format: `name` on the command line, `title` in lists, `module` with its `write(corpus, folder,
    progress)`. A format that needs answers cannot be `blind`, and one that needs words cannot hold `speech` alone.
    `use` is what people make such an export for: own, share, publish or quote."""

    name: str
    title: str
    module: str
    blind: bool = True
    speech: bool = True
    use: Literal["own", "share", "publish", "quote"] = "own"


@dataclass(frozen=True, kw_only=True)
class Companion:
    """All that one companion offers. Leave out what it does not have.

    `commands`: functions whose annotated parameters are the options; the number that one returns is the exit code.
    `week`: by part of a lab's week and command, what the home window calls it.
    `checks`: by name a function of the study (None without one) that returns a sentence, or raises CurtainError with
    what to do: a line of `curtain check`.
    `formats`: what `curtain export` can write.
    `windows`: by name the module of a window of its own, which a script may start and drive.
    `ear`: an object that hears takes, as `curtain.ports.ear.Ear` says.
    `systems`: by name what makes a system for the wizard's chair, from pack, database and its options in study.toml.
    `recognisers`: by name a function from a WAV file to its words, for systems alone.
    `drafters`: by name what makes a drafter, from pack, database and its options.
    `erases`: a function of the study's folder and a speaker's code that erases what the companion keeps of the speaker.
    It may be called again after a break, and raises CurtainError or OSError. Whoever keeps words or voices needs it.
    `levels`: a function of the study's folder that gives each wizard's share of right replies in practice, 0 to 1.
    `agreements`: a function of a study that gives each `Permission` to start, load or send what it asks for.
    `operator`: a class of systems in the wizard's place, as `curtain.ports.operator.Operator` says.
    `instrument`: a function of what records beside a session, as `curtain.ports.instrument.SessionInstrument` says.
    `drafting`: a class of the drafts at the wizard's desk, as `curtain.ports.drafting.Drafting` says.
    `seats`: several people at one session and stations on other computers, as `curtain.ports.seat.Seats` says.
    `station`: another kind of subject's station, as `curtain.ports.station.OtherStation` says.
    `timeline`: a class of a session in time, as `curtain.ports.timeline.TimelineWindow` says.
    """

    name: str
    about: str
    commands: Headings = field(default_factory=dict)
    week: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    checks: Mapping[str, Place] = field(default_factory=dict)
    formats: tuple[FormatOffer, ...] = ()
    windows: Mapping[str, str] = field(default_factory=dict)
    ear: Place = ""
    systems: Mapping[str, Place] = field(default_factory=dict)
    recognisers: Mapping[str, Place] = field(default_factory=dict)
    drafters: Mapping[str, Place] = field(default_factory=dict)
    erases: Place = ""
    levels: Place = ""
    agreements: Place = ""
    operator: Place = ""
    instrument: Place = ""
    drafting: Place = ""
    seats: Place = ""
    station: Place = ""
    timeline: Place = ""
