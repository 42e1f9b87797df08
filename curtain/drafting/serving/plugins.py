"""Where drafters come from: our own, the chat drafter, or entry points of the group `curtain.drafters`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, cast

from curtain.domain.pack.pack import Pack

from ..settings import CHAT, OURS
from ..values import Drafter, Example
from .wire import DrafterFault

GROUP = "curtain.drafters"

Factory = Callable[[Pack, Path, Mapping[str, Any]], Drafter]
Report = Callable[[str, float], None]


def missing(names: Iterable[str]) -> list[str]:
    """Those of the drafters that are not installed. Nothing of theirs is imported."""
    known = {OURS, CHAT, *metadata.entry_points(group=GROUP).names}
    return [name for name in names if name not in known]


def make_drafter(
    name: str,
    pack: Pack,
    db_path: Path,
    options: Mapping[str, Any],
    examples: Sequence[Example],
    cache: Path | None = None,
    report: Report = lambda what, share: None,
) -> Drafter:
    """The drafter of this name with all it knows; called in its own process, since its code is imported here.
    `report` hears what it does and which share of it is done.

    Raises DrafterFault, and whatever a drafter raises.
    """
    if name == OURS:
        from ..drafter.local import own_drafter

        return own_drafter(pack, db_path, examples, cache, report, str(options.get("meaning", "")))
    drafter = _factory(name)(pack, db_path, options)
    for number, example in enumerate(examples):
        report("Learning the examples", number / len(examples))
        drafter.learn(example)
    return drafter


def _factory(name: str) -> Factory:
    if name == CHAT:
        from .chat import chat_drafter

        return chat_drafter
    points = metadata.entry_points(group=GROUP)
    if name not in points.names:
        known = ", ".join(sorted(points.names)) or "none"
        raise DrafterFault(f"is not installed; installed besides ours: {known}")
    return cast(Factory, points[name].load())
