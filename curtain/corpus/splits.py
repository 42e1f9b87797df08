"""Train, dev and test by speaker, fixed in a file of the study so that no utterance ever moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from curtain.corpus.utterance import Split
from curtain.errors import CurtainError

__all__ = ["SPLITS_FILE", "BadSplits", "Splits", "read_splits"]

SPLITS_FILE = "splits.json"


class BadSplits(CurtainError):
    """The file of splits cannot be used."""


class _File(msgspec.Struct, frozen=True, kw_only=True):
    schema_version: int = 1
    seed: int = 0
    shares: dict[str, float] = {}
    speakers: dict[str, Split] = {}


@dataclass(frozen=True)
class Splits:
    """Which speaker belongs where, and how that was drawn."""

    by_speaker: Mapping[str, Split] = field(default_factory=dict)
    seed: int = 0
    shares: Mapping[str, float] = field(default_factory=dict)


def read_splits(study: Path) -> Splits:
    """The splits of a study; none where they were never drawn. Raises BadSplits."""
    path = study / SPLITS_FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Splits()
    except OSError as fault:
        raise BadSplits(f"{path} cannot be read: {fault.strerror}.") from fault
    try:
        file = msgspec.json.decode(data, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise BadSplits(f"{path} is damaged ({fault}). Take it from a copy; a new one would move speakers.") from fault
    return Splits(file.speakers, file.seed, file.shares)
