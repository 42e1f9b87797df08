"""Train, dev and test by speaker, fixed in a file of the study so that no utterance ever moves."""

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.terminal import print_error
from curtain.base.text_file import read_text
from curtain.corpus.model.utterance import Session, Split
from curtain.session.bundle.heads import sealed

SPLITS_FILE = "splits.json"


class Splits(msgspec.Struct, frozen=True, kw_only=True):
    """Which speaker belongs where, and how that was drawn, as the file has it."""

    schema_version: int = 1
    seed: int = 0
    shares: dict[str, float] = {}
    by_speaker: dict[str, Split] = msgspec.field(default_factory=dict, name="speakers")


def read_splits(study: Path, *, needed: bool = True) -> Splits:
    """The splits of a study; none where they were never drawn. Raises CurtainError; where they are not `needed`, as to
    withdraw or erase, a sentence only says that they are damaged."""
    path = study / SPLITS_FILE
    try:
        return msgspec.json.decode(read_text(path), type=Splits)
    except FileNotFoundError:
        return Splits()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        damaged = f"{path} is damaged ({error}). Take it from a copy; a new one would move speakers."
        if needed:
            raise CurtainError(damaged) from error
    print_error(damaged)
    return Splits()


@dataclass(frozen=True)
class Counted:
    """How many utterances of how many speakers a split holds, and how many it aims at."""

    split: Split
    speakers: int
    utterances: int
    aim: float


def draw(sizes: Mapping[str, int], before: Splits, shares: Mapping[str, float], seed: int) -> Splits:
    """Splits in which every speaker of `sizes` (utterances by speaker) has a place and nobody of `before` has moved.

    New speakers come in an order that the seed gives; each goes to the split that lacks most of its aim. `shares` are
    those of dev and test; the rest is train. The same values give the same splits. Raises CurtainError.
    """
    _check_shares(shares)
    # By speaker and never moved: a voice heard in training makes a test too easy.
    places = dict(before.by_speaker)
    aims = _aims(sum(sizes.values()), shares)
    held = {split: sum(sizes.get(who, 0) for who, at in places.items() if at == split) for split in aims}
    for speaker in sorted(sizes.keys() - places.keys(), key=lambda who: _lot(seed, who)):
        # By how much of its aim a split lacks, so that none stays empty in a small study.
        split = max(aims, key=lambda one: (1 - held[one] / aims[one] if aims[one] else -math.inf, aims[one]))
        places[speaker] = split
        held[split] += sizes[speaker]
    return Splits(by_speaker=dict(sorted(places.items())), seed=seed, shares=dict(shares))


def counted(sizes: Mapping[str, int], splits: Splits) -> list[Counted]:
    """What each split holds of these utterances; speakers without a place count as “none”."""
    aims = _aims(sum(sizes.values()), splits.shares)
    rows = []
    names: tuple[Split, ...] = (*aims, "none")
    for split in names:
        who = [one for one in sizes if splits.by_speaker.get(one, "none") == split]
        rows.append(Counted(split, len(who), sum(sizes[one] for one in who), aims.get(split, 0.0)))
    return rows


def _aims(total: int, shares: Mapping[str, float]) -> dict[Split, float]:
    dev, test = shares.get("dev", 0.0), shares.get("test", 0.0)
    return {"train": total * (1 - dev - test), "dev": total * dev, "test": total * test}


def _lot(seed: int, speaker: str) -> str:
    # A hash gives the same order on every machine and under every version of Python.
    return hashlib.sha256(f"{seed} {speaker}".encode()).hexdigest()


def _check_shares(shares: Mapping[str, float]) -> None:
    for name, share in shares.items():
        if not 0 <= share < 1:
            raise CurtainError(f"The share of {name} is {share}; it must be at least 0 and less than 1.")
    if sum(shares.values()) >= 1:
        raise CurtainError("The shares of dev and test leave nothing to train on; make them smaller.")


def write_splits(study: Path, splits: Splits) -> None:
    """Put the splits into the study's file. Raises CurtainError."""
    data = msgspec.json.format(msgspec.json.encode(splits), indent=2) + b"\n"
    with sealed(study, SPLITS_FILE, data) as path, os_errors_as(f"{path} cannot be written", CurtainError):
        replace_file(path, data)


def sizes_of(sessions: Iterable[Session]) -> dict[str, int]:
    """Utterances by speaker; pilot sessions, practice and cancelled turns do not count."""
    sizes: dict[str, int] = {}
    for session in sessions:
        counting = [one for one in session.utterances if not one.practice and one.outcome != "cancelled"]
        if counting and not session.pilot:
            sizes[session.speaker_id] = sizes.get(session.speaker_id, 0) + len(counting)
    return sizes
