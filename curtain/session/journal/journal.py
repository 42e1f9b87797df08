"""An append-only event file that survives a kill, a power cut and a full disk.

Each journal has one author. A line counts once its Future is resolved: then it is on the disk, in order, and
will be read again. A Future that fails says that the fact is *not* in the journal.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self

import msgspec

from curtain.base.clock import Clock
from curtain.base.disk import Disk, lock, replace_file, write_all
from curtain.base.errors import CurtainError
from curtain.session.journal.damage import repaired_lines
from curtain.session.journal.lines import (
    BadLine,
    JournalEntry,
    JournalReading,
    parse_line,
    read_journal,
    stand_in,
    write_line,
)
from curtain.session.journal.torn_tail import cut_torn_tail

log = logging.getLogger(__name__)


class JournalUnwritable(CurtainError):
    """The disk did not take a line. What was acknowledged before is safe; this fact is not in the journal."""


class JournalConflict(CurtainError):
    """A line from the other station does not continue the copy we hold."""


class Patience:
    """What becomes of lines that the disk does not take: here, a second try and no third."""

    def try_again(self, error: OSError, tries: int) -> bool:
        """Whether to write the lines once more, after `tries` that failed.

        Asked on the journal's thread, which may wait here; later lines wait behind it, so that the order stays.
        """
        # A second try and no third: a passing error is over by then, a full disk is not.
        return tries < 2


@dataclass(frozen=True)
class _Batch:
    """Lines to write with one write, or to refuse: `make` is asked on the writer's thread, in order."""

    make: Callable[[int], list[bytes]]
    done: Callable[[list[bytes]], None]
    failed: Callable[[BaseException], None]


@dataclass(frozen=True)
class _Made:
    batch: _Batch
    lines: list[bytes]


class _JournalFile:
    """The one writer of a journal file: a thread that drains its queue, writes, and syncs once per group.

    `opened_with` is what the file held when it was opened: replay its entries to resume.
    """

    def __init__(self, path: Path, disk: Disk, patience: Patience) -> None:
        self.path = path
        self._disk = disk
        self._patience = patience
        # The lock comes with it: one writer a journal.
        self._descriptor = _open(path, disk)
        try:
            self.opened_with = _take_over(path, self._descriptor, disk)
        except BaseException:
            disk.close(self._descriptor)
            raise
        self._starts = array("Q", _starts_by_number(self.opened_with))
        # Up to this line the file must be searched: lines are missing, or stand behind the beginning of another.
        self._searched = self.opened_with.last_seq if self.opened_with.is_damaged else 0
        self._good = self.opened_with.good_bytes
        # Summed once at the start; each new line adds one.
        self._sums = _added_up(array("Q"), (line for _, line in self._read_lines(0, self.last_seq)))
        self._suspect = False
        self._closed = False
        self._queue: SimpleQueue[_Batch | None] = SimpleQueue()
        # A submit after close must be refused, not lost behind the last batch.
        self._gate = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=f"journal {path.name}", daemon=True)
        self._thread.start()

    @property
    def last_seq(self) -> int:
        """The last line that is safe on disk; lines before it may be damaged, see `lost`."""
        return len(self._starts)

    @property
    def lost(self) -> tuple[int, ...]:
        """The numbers up to `last_seq` whose lines are damaged in the file."""
        return self.opened_with.lost

    def release_lines(self) -> None:
        """The lines of `opened_with` are replayed: its entries go, and what it reports of damage stays."""
        self.opened_with = self.opened_with.without_lines()

    def _submit(self, batch: _Batch) -> None:
        with self._gate:
            if not self._closed:
                self._queue.put(batch)
                return
        batch.failed(JournalUnwritable(f"{self.path} is closed; nothing more can be written to it."))

    def close(self) -> None:
        """Write what is queued, then let the file go. Futures still open are resolved before this returns."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        # Joined: whoever closes may remove the folder next.
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def line_of(self, seq: int) -> bytes:
        """The bytes of one line, newline included. Raises IndexError if no such line is safe yet."""
        if not 1 <= seq <= self.last_seq:
            raise IndexError(f"{self.path.name} has no line {seq}")
        return next(line for _, line in self.lines_after(seq - 1))

    def lines_after(self, seq: int) -> Iterator[tuple[int, bytes]]:
        """(seq, line) of every line safe on disk at the time of this call, after `seq`; a line of type `damaged` stands
        for a lost one."""
        # `last` now, so that a line written meanwhile does not come half.
        first, last = max(seq, 0), self.last_seq
        return self._read_lines(first, last) if first < last else iter(())

    def _read_lines(self, first: int, last: int) -> Iterator[tuple[int, bytes]]:
        if first < self._searched:
            until = min(last, self._searched)
            yield from ((seq, line) for seq, line in _searched_lines(self.path, until) if seq > first)
            first = until
        if first == last:
            return
        with self.path.open("rb") as file:
            file.seek(self._starts[first])
            for seq in range(first + 1, last + 1):
                yield seq, file.readline()

    def sum_until(self, seq: int) -> str:
        """The sum of all lines up to this one, 16 hex digits; "" if there is no such line. Two journals with the same
        sum hold the same lines."""
        return f"{self._sums[seq - 1]:016x}" if 1 <= seq <= len(self._sums) else ""

    def _rewrite(self, lines: dict[int, bytes]) -> None:
        """On the writer's thread: put these lines in the place of lost ones. The file as it was is kept beside.

        Raises JournalUnwritable; then the file is as it was.
        """
        whole = b"".join(lines.get(seq, line) for seq, line in self.lines_after(0))
        try:
            size = self.path.stat().st_size
            # The whole file is set aside, not a tail: its lines are about to change places.
            cut_torn_tail(self.path, JournalReading(torn_bytes=size), self._disk)
            replace_file(self.path, whole, self._disk)
            descriptor = _open(self.path, self._disk)
        # Open before the old one goes: a failure here leaves the writer as it was.
        except OSError as error:
            raise _unwritable(self.path, error) from error
        self._disk.close(self._descriptor)
        self._descriptor = descriptor
        reading = read_journal(self.path)
        self._starts = array("Q", _starts_by_number(reading))
        self._searched, self._good = 0, reading.good_bytes
        self.opened_with = reading.without_lines()
        self._sums = _added_up(array("Q"), whole.splitlines(keepends=True))

    # -- the writer's thread -----------------------------------------------------------------------------

    def _run(self) -> None:
        closing = False
        while not closing:
            group, closing = self._next_group()
            self._commit(group)
        self._disk.close(self._descriptor)

    def _next_group(self) -> tuple[list[_Batch], bool]:
        """Wait for a batch, then take all that are waiting; True once the queue is closed."""
        group: list[_Batch] = []
        batch = self._queue.get()
        while batch is not None:
            group.append(batch)
            try:
                batch = self._queue.get_nowait()
            except Empty:
                return group, False
        return group, True

    def _commit(self, group: list[_Batch]) -> None:
        made = self._make(group)
        # One write and one sync for the whole group, however many asked.
        problem = self._write_patiently([one for one in made if one.lines])
        for batch, lines in ((one.batch, one.lines) for one in made):
            # Also a batch without lines fails: what it repeats may stand in this very group.
            if problem is None:
                batch.done(lines)
            else:
                batch.failed(problem)

    def _make(self, group: list[_Batch]) -> list[_Made]:
        made: list[_Made] = []
        held = self.last_seq
        for batch in group:
            try:
                lines = batch.make(held)
            except Exception as error:
                batch.failed(error)
                continue
            # Numbers are given here, on the one thread, so they never collide.
            held += len(lines)
            made.append(_Made(batch, lines))
        return made

    def _write_patiently(self, made: Sequence[_Made]) -> JournalUnwritable | None:
        # A passing problem (a full disk that was just cleared, one bad sync) costs nobody a fact. The lines are
        # written anew: after a failed sync the system may have dropped them and would report success next time.
        first = problem = self._write(made)
        tries = 1
        while problem is not None and self._patience.try_again(problem, tries):
            problem = self._write(made)
            tries += 1
        if problem is not None:
            return _unwritable(self.path, problem)
        if first is not None:
            log.warning("%s: written at try %d after: %s", self.path.name, tries, first)
        return None

    def _write(self, made: Sequence[_Made]) -> OSError | None:
        try:
            self._repair()
            for prepared in made:
                # Before the write: a write that fails half-way leaves a torn line.
                self._suspect = True
                write_all(self._disk, self._descriptor, b"".join(prepared.lines))
            if made:
                self._disk.sync(self._descriptor)
        except OSError as error:
            self._repair_quietly()
            return error
        self._suspect = False
        self._remember(line for one in made for line in one.lines)
        return None

    def _repair(self) -> None:
        if self._suspect:
            self._disk.truncate(self._descriptor, self._good)
            self._suspect = False

    def _repair_quietly(self) -> None:
        try:
            self._repair()
        except OSError as error:
            # Stays suspect: the next write repairs it first, and readers cut at the torn line until then.
            log.warning("%s: a torn line could not be cut off yet: %s", self.path.name, error)

    def _remember(self, lines: Iterator[bytes]) -> None:
        for line in lines:
            start, self._good = self._good, self._good + len(line)
            _added_up(self._sums, [line])  # first: whoever reads the length finds its sum
            self._starts.append(start)


class Journal(_JournalFile):
    """This station's own journal. Its methods return at once; Futures are resolved on the journal's thread."""

    def __init__(self, path: Path, clock: Clock, disk: Disk | None = None, patience: Patience | None = None) -> None:
        """Open or create, take the lock, set a torn tail aside.

        Raises CurtainError, JournalUnwritable, JournalUnreadable.
        """
        self._clock = clock
        super().__init__(path, disk or Disk(), patience or Patience())

    def append(self, fact: msgspec.Struct, turn: int | None = None) -> Future[JournalEntry]:
        """Stamp `fact` now and write it soon. The Future gives its entry once that is safe, or JournalUnwritable."""
        (future,) = self.append_all([(fact, turn)])
        return future

    def append_all(self, facts: Sequence[tuple[msgspec.Struct, int | None]]) -> list[Future[JournalEntry]]:
        """Several facts with one write: all of them are safe, or none."""
        stamped = [self._stamp(fact, turn) for fact, turn in facts]
        futures: list[Future[JournalEntry]] = [Future() for _ in facts]
        entries: list[JournalEntry] = []

        # The number is given when the line is written, its time when it was stamped.
        def make(held: int) -> list[bytes]:
            entries[:] = [msgspec.structs.replace(entry, seq=held + n) for n, entry in enumerate(stamped, 1)]
            return [write_line(entry) for entry in entries]

        def done(_lines: list[bytes]) -> None:
            for future, entry in zip(futures, entries, strict=True):
                _resolve(future, entry)

        def failed(error: BaseException) -> None:
            for future in futures:
                _refuse(future, error)

        self._submit(_Batch(make, done, failed))
        return futures

    def _stamp(self, fact: msgspec.Struct, turn: int | None) -> JournalEntry:
        data: dict[str, Any] = msgspec.to_builtins(fact)
        kind = data.pop("type")
        return JournalEntry(0, turn, self._clock.monotonic_ns(), self._clock.wall_utc(), kind, data)


class Replica(_JournalFile):
    """A verified copy of the other station's journal, line by line, byte for byte."""

    def __init__(self, path: Path, disk: Disk | None = None) -> None:
        """Open or create. Raises CurtainError, JournalUnwritable, JournalUnreadable."""
        self._found: dict[int, bytes] = {}
        super().__init__(path, disk or Disk(), Patience())

    @property
    def whole_until(self) -> int:
        """Up to this number every line is here: what the other station is asked for comes after it."""
        return self.lost[0] - 1 if self.lost else self.last_seq

    def extend_soon(self, seq: int, line: bytes) -> Future[int]:
        """Check and write one line (newline included). The Future gives the last number held once that is safe.

        A line held already changes nothing. One that is damaged here is taken in again.
        Raises (in the Future) BadLine; JournalConflict if it leaves a
        gap or differs from the line held under its number; JournalUnwritable.
        """
        return self.extend_all_soon([(seq, line)])

    def extend_all_soon(self, numbered: Sequence[tuple[int, bytes]]) -> Future[int]:
        """As `extend_soon` for several lines in order, with one write."""
        future: Future[int] = Future()
        reached: list[int] = []

        def make(held: int) -> list[bytes]:
            fresh: list[bytes] = []
            for seq, line in numbered:
                # Counted on: the lines of this call come behind each other.
                if self._is_next(seq, line, held + len(fresh)):
                    fresh.append(line)
            # Only when all lost lines are here, since the file is written anew as a whole.
            if self._found and self._found.keys() >= set(self.lost):
                self._rewrite(self._found)
                self._found = {}
            reached[:] = [held + len(fresh)]
            return fresh

        batch = _Batch(make, lambda _: _resolve(future, reached[0]), lambda problem: _refuse(future, problem))
        self._submit(batch)
        return future

    def extend(self, seq: int, line: bytes) -> int:
        """As `extend_soon`, waiting for the disk: never on a thread that draws or records."""
        return self.extend_soon(seq, line).result()

    def extend_all(self, numbered: Sequence[tuple[int, bytes]]) -> int:
        """As `extend_all_soon`, waiting for the disk."""
        return self.extend_all_soon(numbered).result()

    def _is_next(self, seq: int, line: bytes, held: int) -> bool:
        if parse_line(line).seq != seq:
            raise BadLine(f"A line sent as number {seq} of {self.path.name} bears another number.")
        if seq > held + 1:
            raise JournalConflict(f"{self.path.name} holds {held} lines and cannot be continued with line {seq}.")
        if seq == held + 1:
            return True
        if seq in self.lost:
            self._found[seq] = line
            return False
        # Only lines on disk are compared; those of this very group come from the same sender.
        if seq <= self.last_seq and self.line_of(seq) != line:
            raise JournalConflict(
                f"Line {seq} of {self.path.name} differs from the one sent now: "
                "the other station works on a different record of this session."
            )
        return False


def sum_of_lines(lines: Iterable[bytes]) -> str:
    """What `sum_until` gives for a journal of these lines; "" for none."""
    sums = _added_up(array("Q"), lines)
    return f"{sums[-1]:016x}" if sums else ""


def _added_up(sums: array[int], lines: Iterable[bytes]) -> array[int]:
    """One sum more for each line. Each holds the one before it: every beginning of a journal has its own."""
    for line in lines:
        before = (sums[-1] if sums else 0).to_bytes(8, "big")
        # BLAKE2b with 8 bytes: it finds differences, it is no proof against forgery.
        sums.append(int.from_bytes(hashlib.blake2b(before + line, digest_size=8).digest(), "big"))
    return sums


def _resolve(future: Future[Any], value: object) -> None:
    # A future that was cancelled must not raise on the journal's thread.
    if future.set_running_or_notify_cancel():
        future.set_result(value)


def _refuse(future: Future[Any], error: BaseException) -> None:
    if future.set_running_or_notify_cancel():
        future.set_exception(error)


def _unwritable(path: Path, error: OSError) -> JournalUnwritable:
    problem = JournalUnwritable(
        f"{path} cannot be written: {error.strerror or error}. What was saved before is safe; "
        "make room or reconnect the disk, then go on."
    )
    problem.__cause__ = error
    return problem


def _open(path: Path, disk: Disk) -> int:
    try:
        descriptor = disk.open_append(path)
    except OSError as error:
        raise _unwritable(path, error) from error
    if lock(descriptor):
        return descriptor
    disk.close(descriptor)
    raise CurtainError(f"{path} is in use by another Curtain window. Close that one first.")


def _starts_by_number(reading: JournalReading) -> list[int]:
    """Where each number's line begins; a lost one borrows the place behind its neighbours."""
    starts = dict(zip((entry.seq for entry in reading.entries), reading.starts, strict=True))
    return [starts.get(seq, reading.good_bytes) for seq in range(1, reading.last_seq + 1)]


def _searched_lines(path: Path, until: int) -> Iterator[tuple[int, bytes]]:
    """The lines of a damaged journal up to a number, without a gap."""
    with path.open("rb") as file:
        last: JournalEntry | None = None
        for repaired in repaired_lines(file, None, path.name):
            if repaired.number > until:
                return
            last = repaired.entry
            yield repaired.number, repaired.line
    neighbour = last or JournalEntry(0, None, 0, "", "", {})
    for seq in range(last.seq + 1 if last else 1, until + 1):
        yield seq, stand_in(seq, neighbour, path.name)


def _take_over(path: Path, descriptor: int, disk: Disk) -> JournalReading:
    reading = read_journal(path)
    try:
        if reading.torn_bytes:
            cut_torn_tail(path, reading, disk)
            disk.truncate(descriptor, reading.good_bytes)
        # A killed process may have left whole lines that never reached the disk: they count from here on.
        disk.sync(descriptor)
        disk.sync_folder(path.parent)
    except OSError as error:
        raise _unwritable(path, error) from error
    return reading
