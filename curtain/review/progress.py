"""How far one is, in the session and in all."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from curtain.review.shelf import Shelf, Volume

__all__ = ["Progress", "progress_at"]


@dataclass(frozen=True)
class Progress:
    """Where one is, from 1, of how many, and how many are done."""

    in_session: int
    of_session: int
    done_in_session: int
    in_all: int
    of_all: int
    done_in_all: int


def progress_at(shelf: Shelf, utterance_id: str, sent: Collection[str]) -> Progress:
    """`sent` are turns that are done but not yet on the disk."""
    volume = shelf.volume(utterance_id)
    sizes = [len(one.turns) for one in shelf.volumes]
    in_session = volume.turns.index(utterance_id) + 1 if utterance_id in volume.turns else 0
    return Progress(
        in_session,
        len(volume.turns),
        _done_in(volume, sent),
        sum(sizes[: shelf.volumes.index(volume)]) + in_session,
        sum(sizes),
        sum(_done_in(one, sent) for one in shelf.volumes),
    )


def _done_in(volume: Volume, sent: Collection[str]) -> int:
    return len(volume.done | {one for one in sent if one in volume.turns})
