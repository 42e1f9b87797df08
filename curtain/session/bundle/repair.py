"""A repaired copy of a damaged session. The original is only read."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from curtain.base.disk import Disk, durable, rename, replace_file, sync_folder
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import real_path
from curtain.base.terminal import shown_name
from curtain.session.bundle.checks import BY_REPAIR, NOTE, SESSION, counted_lines, marked_lines, problems_of
from curtain.session.bundle.session_json import known_of
from curtain.session.journal.damage import repaired_lines
from curtain.session.journal.journals import SUBJECT, WIZARD
from curtain.session.journal.lines import JournalReading, read_journal
from curtain.session.journal.sealed_lines import SealedReading, read_sealed, seal
from curtain.session.journal.torn_tail import cut_torn_tail
from curtain.session.untrusted_files import (
    ANNOTATIONS,
    MANIFEST,
    is_listed,
    look_through,
    manifest_bytes,
    open_plain,
    sha256_of,
)

NOTHING_WRONG = "Nothing was wrong."
_NOTHING_DONE = "Nothing here could be repaired: the copy is the same as the original."
_BLOCK = 1024 * 1024


def repair_copy(original: Path, copy: Path) -> list[str]:
    """Copy `original` to `copy`, repaired; sentences on what was done and what remains. Raises CurtainError."""
    copy = copy.absolute()
    # Inside itself the copy would be copied again.
    if real_path(original) in (real_path(copy), *real_path(copy).parents):
        raise CurtainError(f"The repaired copy cannot be inside {original}; name another folder.")
    part = copy.with_name(f".{copy.name}.part")
    with os_errors_as(f"The copy {copy} cannot be made"):
        try:
            # Of a repair that was killed.
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            done = [*_copy_files(original, part), *_repair_journals(part), *_repair_annotations(part)]
            done += _repair_session_json(original, part)
            report = _report(original, part, done)
            _appear(part, copy)
        except OSError:
            shutil.rmtree(part, ignore_errors=True)
            raise
    return report


def _copy_files(original: Path, part: Path) -> Iterator[str]:
    # Copied first, repaired in the copy: the original is only read.
    content = look_through(original)
    for name in content.odd:
        yield f"{shown_name(name)}: left out, because it is a link, a special file or cannot be opened."
    for name, source in content.plain.items():
        if name != MANIFEST:
            yield from _copy_file(name, source, part / name)


def _copy_file(name: str, source: Path, target: Path) -> Iterator[str]:
    try:
        file = os.fdopen(open_plain(source), "rb")
    except OSError:
        yield f"{shown_name(name)}: left out, because it cannot be opened."
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with file, target.open("xb") as out:
        shutil.copyfileobj(file, out, _BLOCK)
        out.flush()
        # Durable before the note and the manifest say that it is here.
        durable(out.fileno())


def _repair_journals(part: Path) -> Iterator[str]:
    for name in (SUBJECT, WIZARD):
        reading = read_journal(part / name)
        # The session went on after these lines were lost: there is nothing to repair, but much to know.
        if (marked := marked_lines(reading)) and not (part / NOTE).is_file():
            verb = "was" if len(marked) == 1 else "were"
            yield f"{name}: {counted_lines(marked)} {verb} lost before the session was closed and cannot be recovered."
        if reading.torn_bytes or reading.is_damaged:
            yield f"{name}: {_repair_journal(part / name, reading)}"


def _repair_journal(path: Path, reading: JournalReading) -> str:
    """Set aside everything from the first damage on, and put the intact lines of it back."""
    behind = path.stat().st_size - reading.sound_bytes
    # What is set aside begins at the first damage, so nothing intact before it moves.
    aside = cut_torn_tail(path, JournalReading(good_bytes=reading.sound_bytes, torn_bytes=behind), Disk())
    good, kept, lost = reading.sound_lines, 0, 0
    with path.open("r+b") as file, aside.open("rb") as torn:
        file.truncate(reading.sound_bytes)
        file.seek(reading.sound_bytes)
        for repaired in repaired_lines(torn, reading.entries[good - 1] if good else None, aside.name):
            file.write(repaired.line)
            kept, lost = kept + (not repaired.lost), lost + repaired.lost
        file.flush()
        durable(file.fileno())
    if not kept:
        return f"{behind} bytes after line {good} were moved to {aside.name}."
    return (
        f"After line {good}: {_lines(lost)} marked as damaged and {_lines(kept)} kept; "
        f"the bytes as they were found are in {aside.name}."
    )


def _repair_session_json(original: Path, part: Path) -> Iterator[str]:
    """Write what the wizard's journal knows where session.json is missing, damaged or says something else."""
    if not any(problem.file == SESSION and problem.remedy == BY_REPAIR for problem in problems_of(original)):
        return
    from_journal = known_of(read_journal(part / WIZARD).entries)
    path, about = part / SESSION, dict[str, object]()
    if path.is_file():
        aside = cut_torn_tail(path, JournalReading(torn_bytes=path.stat().st_size), Disk())
        about = _object_in(path)
        yield f"{SESSION}: the file as it was found is in {aside.name}."
    replace_file(path, json.dumps({"schema_version": 1, **about, **from_journal}, indent=2).encode() + b"\n")
    yield f"{SESSION}: written again from {WIZARD}: {', '.join(from_journal)}."


def _object_in(path: Path) -> dict[str, object]:
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _repair_annotations(part: Path) -> Iterator[str]:
    """All intact rows stay, numbered anew where some are lost; the bytes as they were found are kept beside them."""
    for name, path in look_through(part).plain.items():
        if name.startswith(ANNOTATIONS) and name.endswith(".jsonl"):
            reading = read_sealed(path)
            if not reading.is_whole:
                yield f"{name}: {_repair_layer(path, reading)}{_what_to_hide(path)}"
            # A row whose writing failed at once leaves an empty file.
            elif not reading.lines:
                path.unlink()
                yield f"{name}: left out, because it is empty.{_what_to_hide(path)}"


def _repair_layer(path: Path, reading: SealedReading) -> str:
    if not reading.has_gaps:
        aside = cut_torn_tail(path, reading.tail, Disk())
        os.truncate(path, reading.good_bytes)
        if not reading.lines:
            path.unlink()
        return f"{reading.torn_bytes} bytes after row {reading.last} were moved to {aside.name}."
    aside = cut_torn_tail(path, JournalReading(good_bytes=0, torn_bytes=path.stat().st_size), Disk())
    rows = [{key: row[key] for key in row if key not in ("seq", "crc")} for row in reading.lines]
    replace_file(path, b"".join(seal(number, row) for number, row in enumerate(rows, 1)))
    return f"{len(rows)} intact rows were kept; the bytes as they were found are in {aside.name}."


def _what_to_hide(path: Path) -> str:
    # A lost row of the redaction layer may uncover what was hidden.
    return " Look whether something must be redacted again." if path.stem == "redaction" else ""


def _lines(count: int) -> str:
    return "1 line was" if count == 1 else f"{count} lines were"


def _report(original: Path, part: Path, done: list[str]) -> list[str]:
    """Write the note and then the manifest, as the very last file; give what a person should read."""
    # Looked at in the original: the copy is repaired and would show less.
    remaining = [str(problem) for problem in problems_of(original) if problem.remedy != BY_REPAIR]
    report = [*remaining, *(done or [_NOTHING_DONE] * bool(remaining))]
    note = part / NOTE
    earlier = note.read_text(encoding="utf-8", errors="replace").splitlines() if note.exists() else []
    # Each sentence once, also after a second repair.
    lines = dict.fromkeys([*earlier, *report])
    note.write_text("".join(f"{line}\n" for line in lines) or f"{NOTHING_WRONG}\n", encoding="utf-8", newline="\n")
    _write_manifest(part)
    return report or [NOTHING_WRONG]


def _write_manifest(part: Path) -> None:
    sums = {name: sha256_of(path) for name, path in look_through(part).plain.items() if is_listed(name)}
    # “x”: nothing may have written a manifest before.
    with (part / MANIFEST).open("xb") as file:
        file.write(manifest_bytes(sums))
        file.flush()
        durable(file.fileno())
    sync_folder(part)


def _appear(part: Path, copy: Path) -> None:
    if not copy.exists():
        rename(part, copy)
        sync_folder(copy.parent)
        return
    # The manifest holds every sum, so two copies with the same one are the same.
    same = (copy / MANIFEST).is_file() and (copy / MANIFEST).read_bytes() == (part / MANIFEST).read_bytes()
    shutil.rmtree(part)
    if not same:
        raise CurtainError(f"{copy} exists already and is a different copy; name another folder.")
