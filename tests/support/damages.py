"""What a disk does to a file of a session."""

import os
from collections.abc import Callable
from pathlib import Path


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 8
    path.write_bytes(data)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size * 2 // 3)


def without_its_tail(path: Path, lines: int = 6) -> None:
    """As a disk restored from yesterday: whole lines are gone; of a recording, a block."""
    data = path.read_bytes()
    path.write_bytes(b"".join(data.splitlines(keepends=True)[:-lines]) if path.suffix == ".jsonl" else data[:-4096])


DAMAGES: dict[str, Callable[[Path], None]] = {
    "flip": flipped, "cut": cut, "lost tail": without_its_tail, "gone": Path.unlink,
}  # fmt: skip
