"""The torn tail of a journal is never thrown away: it is set aside before anything is cut."""

import os
from collections.abc import Iterator
from pathlib import Path

from curtain.base.disk import Disk, write_all
from curtain.session.journal.lines import JournalReading

_BLOCK = 1024 * 1024


def cut_torn_tail(path: Path, reading: JournalReading, disk: Disk) -> Path:
    """Copy what follows the good lines to `<name>.torn-<n>` and give that name; the journal itself is not touched.

    Run again after a kill it finds its own copy and makes no second one.
    """
    number = 1
    while (aside := path.with_name(f"{path.name}.torn-{number}")).exists():
        # A repair or a start that was killed has set the same bytes aside already.
        if _is_tail(aside, path, reading):
            return aside
        number += 1
    part = aside.with_name(f"{aside.name}.part")
    part.unlink(missing_ok=True)
    descriptor = disk.open_append(part)
    try:
        for block in _tail_blocks(path, reading.good_bytes):
            write_all(disk, descriptor, block)
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    # Under its final name only when it is whole.
    disk.replace(part, aside)
    disk.sync_folder(path.parent)
    return aside


def _tail_blocks(path: Path, start: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        while block := file.read(_BLOCK):
            yield block


def _is_tail(aside: Path, path: Path, reading: JournalReading) -> bool:
    # The size first: comparing bytes is slow for a long tail.
    if os.path.getsize(aside) != reading.torn_bytes:
        return False
    return all(a == b for a, b in zip(_tail_blocks(aside, 0), _tail_blocks(path, reading.good_bytes), strict=True))
