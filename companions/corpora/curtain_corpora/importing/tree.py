"""What a tree on a disc holds: which scenario-sessions, in which folders, and what belongs to none."""

import os
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from curtain.base.errors import CurtainError, os_errors_as
from curtain_corpora.atis.names import TYPES, Name, read_name
from curtain_corpora.atis.sidecar import KIND

_FOLDERS_HELD = 4
# Of three copies of a test set the last one counts: before and after adjudication.
_STAGES = {"initial": 1, "prelim": 2, "final": 3}


@dataclass(frozen=True, order=True)
class Key:
    """A scenario-session: its speaker, its digit and its speaking mode."""

    speaker: str
    session: str
    mode: str


@dataclass(frozen=True)
class SceneFile:
    """One file of a scenario-session."""

    name: Name
    kind: str
    path: Path


@dataclass(frozen=True)
class ImportScene:
    """One scenario of one session: `<XXX><UU><S>` of its files' names, and the folders that hold files of it."""

    key: Key
    folders: tuple[Path, ...]


@dataclass
class Walked:
    """`others` are files of no scenario-session; `odd` are links and special files, which are left where they are."""

    root: Path
    scenes: list[ImportScene] = field(default_factory=list)
    others: list[Path] = field(default_factory=list)
    odd: list[Path] = field(default_factory=list)


def walk(root: Path) -> Walked:
    """Look through a tree of any layout: only the names of files count. Raises CurtainError."""
    if not root.is_dir():
        raise CurtainError(f"There is no folder {root}; name the folder of an ATIS tree.")
    walked = Walked(root)
    folders: dict[Key, dict[Path, None]] = {}
    for path in _plain_files(root, walked.odd):
        piece = piece_of(path)
        if piece is None:
            walked.others.append(path)
        else:
            folders.setdefault(key_of(piece.name), {}).setdefault(path.parent)
    walked.scenes = [ImportScene(key, tuple(sorted(folders[key]))) for key in sorted(folders)]
    if not walked.scenes:
        raise CurtainError(
            f"{root} is no ATIS tree: no file in it has a name such as e000e1ss.wav. "
            "Name the folder that holds the speakers."
        )
    return walked


def _plain_files(root: Path, odd: list[Path]) -> Iterator[Path]:
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        with os_errors_as(f"The folder {folder} cannot be read"), os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
        for entry in entries:
            # A link might lead out of the tree, or round in a circle.
            if entry.is_dir(follow_symlinks=False):
                waiting.append(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path)
            else:
                odd.append(Path(entry.path))


def piece_of(path: Path) -> SceneFile | None:
    """The file with its name taken apart; `None` where the name is not one of ATIS3, or its type is not read."""
    name_and_kind = read_name(path.name)
    if name_and_kind is None or name_and_kind[1] not in (*TYPES, KIND):
        return None
    return SceneFile(name_and_kind[0], name_and_kind[1], path)


def key_of(name: Name) -> Key:
    """What the files of one scenario-session have in common: speaker, session and mode."""
    return Key(name.speaker, name.session, name.mode)


class SceneFiles:
    """Gives the files of a scene, the ones that count most last. Holds a few folders in memory."""

    def __init__(self) -> None:
        self._held: OrderedDict[Path, Mapping[Key, list[SceneFile]]] = OrderedDict()

    def files_of(self, scene: ImportScene) -> list[SceneFile]:
        """All files of a scenario, from all its folders; a later stage of the release comes last and wins."""
        pieces = [piece for folder in scene.folders for piece in self._folder(folder).get(scene.key, ())]
        return sorted(pieces, key=lambda piece: (stage(piece.path), str(piece.path)))

    def _folder(self, folder: Path) -> Mapping[Key, list[SceneFile]]:
        if folder not in self._held:
            self._held[folder] = _listed(folder)
            if len(self._held) > _FOLDERS_HELD:
                self._held.popitem(last=False)
        return self._held[folder]


def _listed(folder: Path) -> dict[Key, list[SceneFile]]:
    by_key: dict[Key, list[SceneFile]] = {}
    with os.scandir(folder) as scan:
        paths = [Path(entry.path) for entry in scan if entry.is_file(follow_symlinks=False)]
    for piece in filter(None, map(piece_of, paths)):
        by_key.setdefault(key_of(piece.name), []).append(piece)
    return by_key


def stage(path: Path) -> int:
    """The stage of the release that a file is of; 0 for none."""
    return max((_STAGES.get(part.lower(), 0) for part in path.parts), default=0)
