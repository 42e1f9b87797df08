"""Sequences of any length: records in a temporary file, and parts of a sequence by their places."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate
from random import Random
from tempfile import TemporaryFile
from typing import TypeVar, overload
from weakref import finalize

import msgspec

from curtain.base.errors import os_errors_as

Record = TypeVar("Record")
Key = TypeVar("Key", bound=Hashable)

_BLOCK = 64 * 1024
MOST_LISTED = 3_000
"""So many runs or speakers a page lists and a figure draws: a browser shows no more at once."""


class _Records(Sequence[Record]):
    @abstractmethod
    def _record(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Record]: ...
    def __getitem__(self, place: int | slice) -> Record | Sequence[Record]:
        if isinstance(place, slice):
            return Chosen(self, range(len(self))[place])
        return self._record(range(len(self))[place])

    def __iter__(self) -> Iterator[Record]:
        return map(self._record, range(len(self)))


class DiskList(_Records[Record]):
    """Records of one type, in the order in which they came. Each reading makes them anew, so that none is in memory."""

    def __init__(self, kind: type[Record], records: Iterable[Record] = ()) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 (it goes with the list)
        # What still waits to be written goes too: on a full disk that would fail once more.
        finalize(self, self._file.raw.close)
        self._ends = array("Q", [0])
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(kind).decode
        self._block, self._block_start = b"", 0
        self.extend(records)

    def extend(self, records: Iterable[Record]) -> None:
        """Add records at the end. Raises CurtainError if the disk takes no more."""
        encoded = list(map(self._encode, records))
        with os_errors_as("The temporary files cannot be written"):
            self._file.seek(self._ends[-1])
            self._file.write(b"".join(encoded))
            self._file.flush()
        self._ends.extend(accumulate(map(len, encoded), initial=self._ends.pop()))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def _record(self, place: int) -> Record:
        start, end = self._ends[place], self._ends[place + 1]
        if start < self._block_start or end > self._block_start + len(self._block):
            self._file.seek(start)
            self._block, self._block_start = self._file.read(max(_BLOCK, end - start)), start
        return self._decode(memoryview(self._block)[start - self._block_start : end - self._block_start])


class Chosen(_Records[Record]):
    """The records at some places of a sequence."""

    def __init__(self, records: Sequence[Record], places: Iterable[int]) -> None:
        self._all: Sequence[Record] = records._all if isinstance(records, Chosen) else records
        self._places: array[int] = array(
            "Q", map(records._places.__getitem__, places) if isinstance(records, Chosen) else places
        )

    def __len__(self) -> int:
        return len(self._places)

    def _record(self, place: int) -> Record:
        return self._all[self._places[place]]


def drawn(records: Sequence[Record], most: int, seed: int = 0) -> Sequence[Record]:
    """All records, or `most` of them at random, in their order: designs alternate, so every n-th would be a choice."""
    if len(records) <= most:
        return records
    return Chosen(records, sorted(Random(seed).sample(range(len(records)), most)))


def chosen(records: Sequence[Record], wanted: Callable[[Record], object]) -> Sequence[Record]:
    """The records that are wanted."""
    return Chosen(records, (place for place, record in enumerate(records) if wanted(record)))


def grouped(records: Sequence[Record], key: Callable[[Record], Key]) -> dict[Key, Sequence[Record]]:
    """The records with the same key, keys in the order of their first record."""
    places: dict[Key, array[int]] = {}
    for place, record in enumerate(records):
        places.setdefault(key(record), array("Q")).append(place)
    return {name: Chosen(records, held) for name, held in places.items()}
