"""The port of another kind of subject's station, which the wizard's station starts for a subject elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class OtherStation(Protocol):
    """What the place `station` of a companion names. It joins the link of the wizard's station as any other does.

    `options` is a dataclass of annotated options, which `curtain wizard` and `curtain check` then take. The first of
    them is a flag of the name `name`. What the command line says of them comes back in `wanted`, by field, paths as
    texts; a window that was started without any gives an empty mapping.
    """

    name: str
    options: type[Any]

    def panel(self, wanted: Mapping[str, Any], study: Path, listen: str, look: Any) -> Any:
        """A widget for the wizard's start page, with a button that starts such a station. `listen` is the name on this
        computer at which the wizard's station waits, `look` its `curtain.qt.style.Look`. With the flag it starts at
        once. `close` of the widget ends what was started."""

    def check(self, wanted: Mapping[str, Any]) -> str:
        """A line of `curtain check` where the flag is given: what is well. Raises CurtainError with what to do."""
