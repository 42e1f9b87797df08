"""A mended copy of a damaged session. The original is only read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from curtain.errors import CurtainError
from curtain.session.checks import BY_REPAIR, SUBJECT, WIZARD, faults_of
from curtain.session.disk import Disk, durable, sync_folder
from curtain.session.files import MANIFEST, look_through, manifest_bytes, open_plain, printable, sha256_of
from curtain.session.lines import read_journal
from curtain.session.torn import cut_torn_tail

NOTE = "repair-note.txt"
_SOUND = "Nothing was wrong."
_BLOCK = 1024 * 1024


class CannotRepair(CurtainError):
    """The copy cannot be made; the sentence says why. The original is as it was."""


def mend_copy(original: Path, copy: Path) -> list[str]:
    """Copy `original` to `copy`, mended; sentences on what was done and what remains. Raises CannotRepair."""
    copy = copy.absolute()
    if original.resolve() in (copy.resolve(), *copy.resolve().parents):
        raise CannotRepair(f"The mended copy cannot be inside {original}; name another folder.")
    part = copy.with_name(f".{copy.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        done = [*_copy_files(original, part), *_cut_journals(part)]
        report = _report(original, part, done)
        _appear(part, copy)
    except OSError as fault:
        shutil.rmtree(part, ignore_errors=True)
        raise CannotRepair(f"The copy {copy} cannot be made: {fault.strerror or fault}.") from fault
    return report


def _copy_files(original: Path, part: Path) -> Iterator[str]:
    found = look_through(original)
    for name in found.odd:
        yield f"{printable(name)}: left out, because it is a link, a special file or cannot be opened."
    for name, source in found.plain.items():
        if name != MANIFEST:
            yield from _copy_file(name, source, part / name)


def _copy_file(name: str, source: Path, target: Path) -> Iterator[str]:
    try:
        file = os.fdopen(open_plain(source), "rb")
    except OSError:
        yield f"{printable(name)}: left out, because it cannot be opened."
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with file, target.open("xb") as out:
        shutil.copyfileobj(file, out, _BLOCK)
        out.flush()
        durable(out.fileno())


def _cut_journals(part: Path) -> Iterator[str]:
    for name in (SUBJECT, WIZARD):
        path = part / name
        reading = read_journal(path)
        if reading.torn_bytes:
            aside = cut_torn_tail(path, reading, Disk())
            with path.open("r+b") as file:
                file.truncate(reading.good_bytes)
                durable(file.fileno())
            yield f"{name}: {reading.torn_bytes} bytes after line {len(reading.entries)} were moved to {aside.name}."


def _report(original: Path, part: Path, done: list[str]) -> list[str]:
    """Write the note and then the manifest, as the very last file; give what a person should read."""
    remaining = [str(fault) for fault in faults_of(original) if fault.remedy != BY_REPAIR]
    report = [*remaining, *done]
    note = part / NOTE
    earlier = note.read_text(encoding="utf-8", errors="replace").splitlines() if note.exists() else []
    lines = dict.fromkeys([*earlier, *report])
    note.write_text("".join(f"{line}\n" for line in lines) or f"{_SOUND}\n", encoding="utf-8", newline="\n")
    _write_manifest(part)
    return report or [_SOUND]


def _write_manifest(part: Path) -> None:
    sums = {name: sha256_of(path) for name, path in look_through(part).plain.items()}
    with (part / MANIFEST).open("xb") as file:
        file.write(manifest_bytes(sums))
        file.flush()
        durable(file.fileno())
    sync_folder(part)


def _appear(part: Path, copy: Path) -> None:
    if not copy.exists():
        part.rename(copy)
        sync_folder(copy.parent)
        return
    same = (copy / MANIFEST).is_file() and (copy / MANIFEST).read_bytes() == (part / MANIFEST).read_bytes()
    shutil.rmtree(part)
    if not same:
        raise CannotRepair(f"{copy} exists already and is a different copy; name another folder.")
