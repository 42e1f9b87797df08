"""What the wizard's station is started with: light enough to be read before the first paint."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from curtain.base.clock import Clock
from curtain.qt.windows.window_options import WindowOptions
from curtain.session.roles import Chair

if TYPE_CHECKING:
    from curtain.link.messages import Message
    from curtain.link.qt import SessionLink
    from curtain.ports.seat import JoinedLink

MakeLink = Callable[[Callable[[int], "Iterable[Message]"]], "SessionLink"]
"""Given `resend`, the wizard's end of the link."""


@dataclass(frozen=True, kw_only=True)
class WizardOptions(WindowOptions):
    """How the station was started. `chairs` is the address at which other desks may join, "" for none; `join` that of
    another station, whose session this one joins as `chair` with its `code`; `chime`: soft tones are switched on;
    `stations`: what was given of other kinds of subject's stations, a JSON object."""

    study: Path = Path()
    listen: str = "curtain"
    output: str | None = None
    wizard: str = ""
    resume: bool = False
    pilot: bool = False
    chairs: str = ""
    chime: bool = False
    stations: str = "{}"
    join: str = ""
    chair: Chair = "observer"
    code: str = ""


@dataclass(frozen=True)
class StationInputs:
    """What the station takes from outside. `joined` is the host that this station joins as a chair, None for a
    session's own station."""

    make_link: MakeLink
    clock: Clock
    joined: JoinedLink | None = None
