"""A file of lines in the order of their first words, byte by byte, as the field's tools ask for."""

from __future__ import annotations

from pathlib import Path


class SortedLines:
    """Lines are written as they come, which is usually in order; what was not in order is sorted when it is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("xb")
        self._last = b""
        self._sorted = True

    def add(self, key: str, rest: str) -> None:
        """One line: `key`, a space, `rest`. Lines with the same key stay in the order in which they came."""
        # Bytes, as in Kaldi's C locale: a locale's own order is refused.
        first = key.encode()
        self._sorted &= self._last <= first
        self._last = first
        self._file.write(f"{key} {rest}".rstrip().encode() + b"\n")

    def close(self) -> None:
        """No file is left where there was no line."""
        self._file.close()
        if not self._last:
            self._path.unlink()
        elif not self._sorted:
            lines = self._path.read_bytes().splitlines(keepends=True)
            lines.sort(key=lambda line: line.split(maxsplit=1)[0])
            self._path.write_bytes(b"".join(lines))
