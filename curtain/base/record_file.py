"""A small file of records, one JSON object a line, that people's decisions are added to."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from curtain.base.disk import Disk, replace_file, write_all
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.text_file import read_lines_of_text

_Record = TypeVar("_Record", bound=msgspec.Struct)


class BadRecords(CurtainError):
    """The file cannot be read or written; the sentence says which line."""


def read_records(path: Path, kind: type[_Record], advice: str = "Correct this line, or take it out.") -> list[_Record]:
    """All records, oldest first; none without the file. Raises BadRecords, which ends in the `advice`."""
    lines: list[str] = []
    with os_errors_as(f"{path} cannot be read", BadRecords), suppress(FileNotFoundError):
        lines = read_lines_of_text(path)
    records = []
    for number, line in enumerate(lines, 1):
        try:
            if line.strip():
                # The hook makes paths of texts.
                records.append(msgspec.json.decode(line, type=kind, dec_hook=lambda to, value: to(value)))
        except (ValueError, RecursionError) as error:
            raise BadRecords(f"{path}, line {number}: {str(error).rstrip('.')}. {advice}") from error
    return records


def add_record(path: Path, *records: msgspec.Struct) -> None:
    """Add records with one write; they survive a power cut when this returns. Raises BadRecords."""
    disk = Disk()
    with os_errors_as(f"{path} cannot be written", BadRecords):
        descriptor = disk.open_append(path)
        size = os.fstat(descriptor).st_size
        try:
            # Behind a line that a crash cut off, the new one begins a line of its own.
            before = os.pread(descriptor, 1, max(0, size - 1))
            start = b"" if before in (b"", b"\n") else b"\n"
            write_all(disk, descriptor, start + lines_of(records))
            disk.sync(descriptor)
        except OSError:
            # Half a line of a full disk would have every later reading refuse the file.
            disk.truncate(descriptor, size)
            if not size:
                with suppress(OSError):
                    path.unlink()
            raise
        finally:
            disk.close(descriptor)


def write_records(path: Path, records: Iterable[object]) -> None:
    """Put these records in place of the file's. Raises BadRecords."""
    with os_errors_as(f"{path} cannot be written", BadRecords):
        replace_file(path, lines_of(records))


def lines_of(records: Iterable[object]) -> bytes:
    """Records as the lines of a file."""
    return b"".join(msgspec.json.encode(record) + b"\n" for record in records)


def by_name(one: object, *names: str) -> dict[str, Any]:
    """These attributes of an object, in the order of the names: what is written under the names that the code has."""
    return {name: getattr(one, name) for name in names}
