"""The options of other kinds of subject's stations, for the commands that take them."""

from dataclasses import make_dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from curtain.ports.discovery import offers

if TYPE_CHECKING:
    OtherStations = Any
else:
    OtherStations = make_dataclass(
        "OtherStations", [], bases=tuple(one.options for one in offers("station")), frozen=True
    )


def given(stations: Any) -> dict[str, Any]:
    """What the command line says of them, by field, as JSON has it."""
    plain: dict[str, Any] = msgspec.to_builtins(stations, enc_hook=str) or {}
    return plain
