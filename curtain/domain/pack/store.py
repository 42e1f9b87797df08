"""The DuckDB file of a pack: built into the user's cache on first use, by a child process, whole or not at all.

A built file carries the key of what it was made from and the hash of its own bytes in its name, so one rename
makes it appear, and a damaged file is known by its name and built again. Two builders at once do no harm.
"""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from curtain.base.disk import rename
from curtain.base.errors import in_the_way
from curtain.base.input_file import digest_of
from curtain.base.privacy import sweep
from curtain.base.python_process import start_module
from curtain.domain.pack.reader import Pack, PackError

_CACHE_VARIABLE = {"win32": "LOCALAPPDATA", "darwin": "HOME"}.get(sys.platform, "XDG_CACHE_HOME")

Progress = Callable[[str, float], None]


def database(pack: Pack, cache: Path | None = None, seed: int | None = None, progress: Progress | None = None) -> Path:
    """The pack's DuckDB file, built now if it is not there or is damaged; raises PackError.

    `progress(what, share)` is called from this thread with a share between 0 and 1.
    """
    if not (pack.folder / "build.py").is_file():
        return _ready_made(pack)
    folder = cache or _user_cache()
    stem = f"{pack.name}-{_key(pack, seed)}"
    return _whole(folder, stem) or _build(pack, folder, stem, seed, progress)


def content_sha256(path: Path) -> str:
    """What makes a database the same database: SHA-256 over its tables and their rows in key order. Hex.

    A child process reads it each time; raises PackError if the file cannot be read.
    """
    return str(_in_child(path, ["content", str(path)], None)["content_sha256"])


def _user_cache() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("curtain"))


def _ready_made(pack: Pack) -> Path:
    path = pack.folder / "database.duckdb"
    if not path.is_file():
        raise PackError(pack.folder, "there is neither a build.py nor a database.duckdb")
    return path


def _key(pack: Pack, seed: int | None) -> str:
    from importlib.metadata import version

    # The version too: a newer DuckDB may write a file that is not the same, or that an older one cannot open.
    digest = hashlib.sha256(f"{version('duckdb')} {seed}".encode())
    for path in _what_it_is_built_from(pack.folder):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _what_it_is_built_from(folder: Path) -> list[Path]:
    data = [path for path in (folder / "data").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return [*sorted(folder.glob("*.py")), folder / "schema.sql", *sorted(data)]


def _whole(folder: Path, stem: str) -> Path | None:
    """A file whose bytes have the hash that its name says."""
    for path in sorted(folder.glob(f"{stem}-*.duckdb")):
        # Hashed at each start: a file that was cut short opens without complaint and fails in a session.
        if path.stem.removeprefix(f"{stem}-") == digest_of(path)[:16]:
            return path
    return None


def _build(pack: Pack, folder: Path, stem: str, seed: int | None, progress: Progress | None) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder, ["*.part-*"])
        with TemporaryDirectory(dir=folder, prefix=f"{stem}.part-") as part:
            made = Path(part) / "database.duckdb"
            order = ["build", str(pack.folder), str(made), *([] if seed is None else [str(seed)])]
            _in_child(pack.folder / "build.py", order, progress)
            return _moved(made, folder / f"{stem}-{digest_of(made)[:16]}.duckdb")
    except OSError as error:
        # Of a folder that somebody chose they know how to choose another.
        reason = in_the_way(error).removesuffix(".") or error.strerror or error
        choose = f". Set {_CACHE_VARIABLE} to a folder that you can write to" if folder == _user_cache() else ""
        raise PackError(folder, f"the database cannot be kept here: {reason}{choose}") from error


def _moved(made: Path, final: Path) -> Path:
    try:
        rename(made, final)
    except PermissionError:
        # Windows: another station has the same file open, with the same bytes.
        if not final.exists():
            raise
    return final


def _in_child(about: Path, order: list[str], progress: Progress | None) -> dict[str, Any]:
    """Runs the builder; its lines are progress, and the last one is what came of it."""
    # Its input stays open as long as we live: the builder ends with us, however we end.
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with start_module("curtain.domain.build.builder", *order, **pipes) as child:
        assert child.stdout is not None
        last: dict[str, Any] = {}
        for line in child.stdout:
            last = json.loads(line)
            if progress and "share" in last:
                progress(last["what"], last["share"])
    if child.returncode or "fault" in last:
        raise PackError(about, last.get("fault") or f"the builder ended with {child.returncode}")
    return last
