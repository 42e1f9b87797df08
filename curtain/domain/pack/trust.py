"""Agreements to packs, programs, models and addresses that a study or a bundle names.

A pack may bring a build.py, which runs as the user. A study, a bundle or an imported tree is data that somebody else
may have written: it can name a pack, a program, a model or an address, and cannot make it run or have it asked.
"""

import contextlib
import errno
import hashlib
import json
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from curtain.base.input_file import digest_of
from curtain.base.privacy import AgreementNotKept, Agreements, NeededAgreement, NotAgreed

from .reader import Pack, PackError, bundled_packs, load_pack, pack_folder

PACKS, SENDING, COMMANDS, PLUGINS, MODELS = "packs", "sending", "commands", "plug-ins", "models"
"""What an agreement is about: the content of a pack; an address and the name of its key; a program with its variables
and its files; what a plug-in is given; the files of a model, which native code reads."""

_LEAVES = (
    "The study sends words to another machine. The query goes there as it is typed, with the schema, a few values of "
    "the database and answered questions. It goes to"
)
# They run nothing: correcting a heading needs no new agreement.
_AS_WORDS = (".toml", ".jsonl", ".md")
# No import finds these: a module has no such name, and ours do not read them.
_COMPILED = re.compile(r"__pycache__/.+\.cpython-\d+(\.opt-\d)?\.pyc", re.DOTALL)


def identity_of(words: object, files: Iterable[Path] = ()) -> str:
    """What an agreement is for: these words, and names and contents of these files. Raises NotAgreed for a file that
    cannot be read."""
    try:
        parts = [[str(path), digest_of(path)] for path in files]
    except OSError as error:
        raise NotAgreed(f"{error.filename} cannot be read, so nobody can agree to it: {error.strerror}.") from error
    return hashlib.sha256(json.dumps([words, parts], default=str).encode("utf-8", "surrogateescape")).hexdigest()


def sending_agreement(address: str, key_from: str) -> NeededAgreement:
    """To send queries to an address, with the key in a variable or without one."""
    with_key = f"with the key in the variable {key_from}" if key_from else "without a key"
    return NeededAgreement(SENDING, f"{address} {key_from}".rstrip(), f"{_LEAVES} {address}, {with_key}.")


def model_agreement(folder: Path) -> NeededAgreement:
    """To load the model in a folder. Raises NotAgreed."""
    # A model names further files by itself, such as the external data of ONNX: every file counts.
    if (folder / "study.toml").exists():
        raise NotAgreed(f"{folder} is a study, and changes each day. Give its model a folder of its own.")
    identity = identity_of("model", files_below(folder))
    return NeededAgreement(MODELS, identity, f"The study loads a model of its own: {folder}")


def plugin_agreement(name: str, options: Mapping[str, Any], environment: Iterable[str]) -> Iterator[NeededAgreement]:
    """To give an installed plug-in settings, such as an address, and variables; none where it is given nothing."""
    given = [*(f"{key} = {value!r}" for key, value in options.items()), *environment]
    if given:
        sentence = f"The study gives the plug-in {name} settings or variables: {', '.join(given)}"
        yield NeededAgreement(PLUGINS, identity_of([name, given]), sentence)


def named_pack(name_or_folder: str | Path) -> Pack:
    """The pack that the person named on the command line: naming it is agreeing to it. Raises PackError."""
    pack = load_pack(name_or_folder)
    # A home that cannot be written is no reason to refuse what the person asks for now.
    with contextlib.suppress(AgreementNotKept):
        agree_to_pack(pack.folder)
    return pack


def agreed_pack(name_or_folder: str | Path) -> Pack:
    """The pack that a file names: a bundled one, or one that was agreed to on this machine. Raises PackError."""
    folder = pack_folder(name_or_folder)
    # Before anything of it is read: also its texts are somebody else's.
    if not is_agreed(folder):
        raise PackError(
            folder,
            "nobody agreed to this pack on this machine, or its database has changed since. A pack may run code: look "
            f"through it, then run “curtain domain trust {shlex.quote(str(folder))}”",
        )
    return load_pack(name_or_folder)


def is_agreed(folder: Path) -> bool:
    """Whether the pack in this folder is a bundled one or was agreed to as it is now. Raises PackError."""
    return _is_bundled(folder) or Agreements().has(PACKS, pack_sha256(folder))


def agree_to_pack(folder: Path) -> None:
    """Remembers that the pack may run as it is now; a bundled one always may. Raises PackError, AgreementNotKept."""
    if not _is_bundled(folder):
        Agreements().add(PACKS, pack_sha256(folder), str(folder))


def pack_sha256(folder: Path) -> str:
    """SHA-256 over what runs or is opened: every file but the texts, which can be edited without a new agreement."""
    digest = hashlib.sha256()
    with _os_errors_as_pack_errors(folder):
        for path in _what_runs(folder):
            name = path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")
            # The length keeps a name from being read as part of its neighbour.
            digest.update(len(name).to_bytes(4, "big") + name + bytes.fromhex(digest_of(path)))
    return digest.hexdigest()


def _what_runs(folder: Path) -> list[Path]:
    texts = (folder, folder / "scenarios", folder / "solutions", folder / "languages")
    return sorted(path for path in files_below(folder) if not (path.parent in texts and path.suffix in _AS_WORDS))


def files_below(folder: Path, passed_over: Callable[[Path], bool] = lambda folder: False) -> Iterator[Path]:
    """All files below a folder but what Python compiled, without the folders that are `passed_over`. Raises OSError for
    a folder that is a link: what is behind it may change, and no agreement would end."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not passed_over(Path(place, name)))
        for name in folders:
            if (linked := Path(place, name)).is_symlink():
                raise OSError(errno.ELOOP, "it is a link to a folder; put the folder itself there", str(linked))
        paths = (Path(place, name) for name in sorted(names))
        yield from (
            path for path in paths if path.is_file() and not _COMPILED.fullmatch(f"{path.parent.name}/{path.name}")
        )


@contextlib.contextmanager
def _os_errors_as_pack_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PackError(folder, f"cannot be read: {error.strerror or error}") from error


def _is_bundled(folder: Path) -> bool:
    return folder.name in bundled_packs() and folder == pack_folder(folder.name)
