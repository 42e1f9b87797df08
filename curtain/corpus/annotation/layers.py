"""The annotation layers of a session: append-only rows in `annotations/<layer>.jsonl` of its folder.

Two windows, also on two machines that share the study's folder, may write at once: each row is added under a lock that
is held for that row alone. Nothing is ever changed: undo is one row more.
"""

from __future__ import annotations

import os
import shlex
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from curtain.base.clock import Clock, steady_s
from curtain.base.disk import Disk, lock, write_all
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import real_path
from curtain.base.python_process import app_version
from curtain.corpus.annotation.row import LAYERS, Layer, LayerRow, Status
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.heads import fallen_behind, sealed
from curtain.session.journal.sealed_lines import read_sealed, seal
from curtain.session.journal.torn_tail import cut_torn_tail
from curtain.session.study.ids import split_utterance_id
from curtain.session.untrusted_files import ANNOTATIONS

# A row takes milliseconds: whoever holds the lock longer waits for a disk or a network.
_PATIENCE_S = 5.0
_POLL_S = 0.01


def new_row(
    utterance_id: str,
    layer: Layer,
    value: Mapping[str, Any],
    by: str,
    clock: Clock,
    *,
    supersedes: str | None = None,
    status: Status = "final",
    seconds: float | None = None,
    new_id: Callable[[], uuid.UUID] = uuid.uuid4,
) -> LayerRow:
    """A row said now by `by`."""
    return LayerRow(
        id=str(new_id()),
        utterance_id=utterance_id,
        layer=layer,
        value=dict(value),
        by=by,
        at_utc=clock.wall_utc(),
        tool=f"curtain {app_version()}",
        supersedes=supersedes,
        status=status,
        seconds=seconds,
    )


@dataclass(frozen=True)
class StandingRows:
    """What holds in one layer, from all its rows in the order in which they were written."""

    by_utterance: Mapping[str, tuple[LayerRow, ...]]
    """The rows nobody superseded."""

    @classmethod
    def of(cls, rows: Iterable[LayerRow]) -> StandingRows:
        """What stands of `rows`, in the order of the file: a row that a later one may replace is gone."""
        rows = list(rows)
        by_id = {row.id: row for row in rows}
        # Checked here once more: another program may have written the file.
        gone = {row.supersedes for row in rows if _may_supersede(row, by_id.get(row.supersedes or ""))}
        standing: dict[str, list[LayerRow]] = {}
        for row in rows:
            if row.id not in gone:
                standing.setdefault(row.utterance_id, []).append(row)
        return cls({utterance: tuple(left) for utterance, left in standing.items()})

    def current(self, utterance_id: str) -> LayerRow | None:
        """What counts: the adjudicator's ruling, else the last final row of whoever said something. Drafts do not."""
        rows = self.by_utterance.get(utterance_id, ())
        ruled = [row for row in rows if row.status == "adjudicated" and row.value]
        final = [row for row in rows if row.status == "final" and row.value]
        return next(reversed(ruled or final), None)

    def ruling(self, utterance_id: str) -> LayerRow | None:
        """The last adjudicated row that says something; `None` when nobody ruled, or the ruling was taken back."""
        rows = [row for row in self.by_utterance.get(utterance_id, ()) if row.status == "adjudicated" and row.value]
        return rows[-1] if rows else None

    def finals(self, utterance_id: str) -> tuple[LayerRow, ...]:
        """The last final row of each annotator."""
        # Later rows replace earlier ones of the same name, so the order of the file decides.
        last = {row.by: row for row in self.by_utterance.get(utterance_id, ()) if row.status == "final"}
        return tuple(row for row in last.values() if row.value)


def _may_supersede(row: LayerRow, other: LayerRow | None) -> bool:
    """A row supersedes an earlier one of the same utterance: one's own, or as adjudicator another ruling."""
    if other is None or (other.utterance_id, other.layer) != (row.utterance_id, row.layer):
        return False
    if row.status == "adjudicated":
        return other.status == "adjudicated"
    return other.by == row.by and other.status != "adjudicated"


class Layers:
    """The annotation layers of one session; `rows` sees what other windows have added."""

    def __init__(self, bundle: Bundle, disk: Disk | None = None, patience_s: float = _PATIENCE_S) -> None:
        self._bundle = bundle
        self._disk = disk or Disk()
        self._patience_s = patience_s
        self._files: dict[Layer, _LayerFile] = {}

    def rows(self, layer: Layer) -> tuple[LayerRow, ...]:
        """All rows of a layer, the superseded ones too. Raises JournalUnreadable."""
        file = self._file(layer)
        file.catch_up()
        return tuple(file.rows)

    def standing(self, layer: Layer) -> StandingRows:
        """The rows of one layer that no later row replaced, with what other windows have added since."""
        return StandingRows.of(self.rows(layer))

    def problems(self) -> tuple[str, ...]:
        """What is damaged in the layers that were read so far, or was set aside when a row was added: sentences."""
        behind = {name: f"{what} {remedy}" for name, what, remedy in fallen_behind(self._bundle.path)}
        return tuple(problem for file in self._files.values() if (problem := file.problem(behind)))

    def add(self, row: LayerRow) -> None:
        """Write a row; it is safe on the disk when this returns. Waits for the disk: never on a thread that draws.

        Raises CurtainError.
        """
        self.add_all([row])

    def add_all(self, rows: Sequence[LayerRow]) -> None:
        """Several rows, each layer's with one write; those of one layer are all safe, or none."""
        for number, row in enumerate(rows):
            self._check(row, rows[:number])
        for layer in LAYERS:
            of_layer = [row for row in rows if row.layer == layer]
            if of_layer:
                self._add(layer, of_layer)

    def _add(self, layer: Layer, rows: Sequence[LayerRow]) -> None:
        safe = " What was saved before is safe; make room or reconnect the disk, then save again."
        with os_errors_as(f"{self._bundle.annotations} cannot be written", CurtainError, safe):
            self._bundle.annotations.mkdir(exist_ok=True)
            self._file(layer).add(rows, self._patience_s)

    def _check(self, row: LayerRow, beside: Sequence[LayerRow]) -> None:
        session_id, _ = split_utterance_id(row.utterance_id)
        if session_id != self._session_id:
            raise CurtainError(f"{row.utterance_id} is no utterance of the session in {self._bundle.path}.")
        if row.layer not in LAYERS or not row.by.strip():
            raise CurtainError(f"The row on {row.utterance_id} lacks a layer that there is, or who says so.")
        if row.supersedes is not None:
            self._check_superseded(row, beside)

    @cached_property
    def _session_id(self) -> str:
        """As session.json has it, since a copy may lie in a folder of another name."""
        try:
            return str(self._bundle.read_session_json().get("session_id"))
        except CurtainError:
            return real_path(self._bundle.path).name

    def _check_superseded(self, row: LayerRow, beside: Sequence[LayerRow]) -> None:
        earlier = next((one for one in (*self.rows(row.layer), *beside) if one.id == row.supersedes), None)
        if not _may_supersede(row, earlier):
            raise CurtainError(f"The row on {row.utterance_id} may only take the place of one's own earlier row.")

    def _file(self, layer: Layer) -> _LayerFile:
        path = self._bundle.annotations / f"{layer}.jsonl"
        return self._files.setdefault(layer, _LayerFile(path, self._disk))


class _LayerFile:
    """One layer's file and what was read of it so far."""

    def __init__(self, path: Path, disk: Disk) -> None:
        self._path = path
        self._session, self._name = path.parent.parent, f"{ANNOTATIONS}{path.name}"
        self._disk = disk
        self.rows: list[LayerRow] = []
        self._good, self._last, self._has_gaps = 0, 0, False
        self._torn, self._set_aside = 0, ""

    def catch_up(self) -> None:
        if _size(self._path) < self._good:
            # Another file lies here now, for example a restored copy.
            self.rows, self._good, self._last, self._has_gaps = [], 0, 0, False
        reading = read_sealed(self._path, self._good, self._last)
        self.rows += [_row(self._path, members) for members in reading.lines]
        self._good, self._last = max(reading.good_bytes, self._good), reading.last
        self._has_gaps = self._has_gaps or reading.has_gaps
        self._torn = reading.torn_bytes

    def problem(self, behind: Mapping[str, str]) -> str:
        """`behind` says by file what is missing of it."""
        if self._has_gaps:
            return (
                f"{self._path} has lost rows, or some are altered; the others are kept. "
                f"“curtain verify {shlex.quote(str(self._path.parent.parent))}” shows more, "
                "“curtain repair” makes a repaired copy."
            )
        if self._torn:
            return f"{self._path} ends in {self._torn} torn bytes; they are set aside when the next row is saved."
        return self._set_aside or (f"{self._path}: {behind[self._name]}" if self._name in behind else "")

    def add(self, rows: Sequence[LayerRow], patience_s: float) -> None:
        with self._locked(patience_s) as descriptor:
            self.catch_up()
            # Bytes that are set aside say from now on that something may be missing.
            with sealed(self._session, self._name, anew=self._repair(descriptor)):
                # Under the lock, and after reading: numbers go on from what any other window wrote last.
                lines = [seal(self._last + n, row.members()) for n, row in enumerate(rows, 1)]
                self._write(descriptor, b"".join(lines))
        self.catch_up()

    def _write(self, descriptor: int, data: bytes) -> None:
        try:
            write_all(self._disk, descriptor, data)
            self._disk.sync(descriptor)
        except OSError:
            self._disk.truncate(descriptor, self._good)
            raise
        # The file is new: its name must survive a power cut as its rows do.
        if not self._good:
            self._disk.sync_folder(self._path.parent)

    def _repair(self, descriptor: int) -> bool:
        """Only what follows the last intact row is set aside; a gap before it stays for “curtain verify” to find.

        Whether anything was set aside.
        """
        reading = read_sealed(self._path, self._good, self._last)
        if reading.torn_bytes:
            aside = cut_torn_tail(self._path, reading.tail, self._disk)
            self._disk.truncate(descriptor, self._good)
            self._set_aside = (
                f"{self._path} ended in {reading.torn_bytes} torn bytes; they were moved to {aside.name}. "
                "Look whether something of what was saved is missing."
            )
        return bool(reading.torn_bytes)

    @contextmanager
    def _locked(self, patience_s: float) -> Iterator[int]:
        descriptor = self._disk.open_append(self._path)
        try:
            self._take(descriptor, steady_s() + patience_s)
            yield descriptor
        finally:
            self._disk.close(descriptor)

    def _take(self, descriptor: int, until: float) -> None:
        waiting = threading.Event()
        while not lock(descriptor):
            if steady_s() > until:
                raise CurtainError(f"{self._path} is being written by another window. Save again in a moment.")
            waiting.wait(_POLL_S)


def _size(path: Path) -> int:
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0


def _row(path: Path, members: dict[str, Any]) -> LayerRow:
    try:
        return msgspec.convert(members, LayerRow)
    except msgspec.ValidationError as error:
        raise CurtainError(f"{path}, line {members['seq']}: {error}.") from error
