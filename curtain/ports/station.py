"""The port of another kind of subject's station, which the wizard's station starts for a subject elsewhere."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec


class StationReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of JSON on the standard output of such a station. `link` leads the subject to it, "" once somebody came;
    `picture` shows the link as a PNG, `note` says what the subject meets on the way; `here`: the screen is."""

    link: str = ""
    picture: bytes = b""
    note: str = ""
    here: bool = False


class OtherStation(Protocol):
    """What the place `station` of a companion names. It joins the link of the wizard's station as any other does.

    `options` is a dataclass of annotated options, which `curtain wizard` and `curtain check` then take. The first of
    them is a flag of the name `name`: with it the station starts at once, else with a button, which says `title`. What
    the command line says comes back in `wanted`, by field, paths as texts; it is empty where nothing was said.
    """

    name: str
    title: str
    options: type[Any]

    def command(self, wanted: Mapping[str, Any], study: Path, listen: str) -> Sequence[str]:
        """The command that runs it until its input ends; any input asks for another link. `listen` is the name on this
        computer at which the wizard's station waits. Raises CurtainError."""

    def check(self, wanted: Mapping[str, Any]) -> str:
        """A line of `curtain check` where the flag is given: what is well. Raises CurtainError with what to do."""
