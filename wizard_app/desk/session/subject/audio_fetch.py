"""Brings the subject's audio over, one utterance after the other, and says so only when it is safe here."""

import logging
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from curtain.base.disk import durable, is_full, rename, sync_folder
from curtain.base.errors import CurtainError
from curtain.link.messages import AudioChunk, AudioSafe, Message, WantAudio
from curtain.qt.background import Background
from curtain.session.untrusted_files import sha256_of
from wizard_app.desk.session.subject.early_sound import FileStart
from wizard_app.desk.session.subject.quota import Allowance

log = logging.getLogger(__name__)

# Some thirty seconds of speech at 16 kHz: few questions for a take, and no long wait for a message between two.
WINDOW = 1024 * 1024
RETRY_MS = 1000
MOST_TRIES = 3


class AudioDamaged(CurtainError):
    """The bytes that arrived are not the take that the subject's station announced."""


@dataclass(frozen=True)
class PendingAudio:
    """One utterance on its way, a file of at most `most` bytes: `received` bytes are written, `asked` is where the open
    window ends. `damaged` counts the times it arrived as something else, and `attempt` the times it was begun. `early`
    is how the file begins, if it was heard while it was spoken; nothing of that is fetched."""

    turn: int
    utterance_id: str
    sha256: str
    most: int
    received: int = 0
    asked: int = 0
    damaged: int = 0
    attempt: int = 0
    early: FileStart | None = None


class AudioFetch(QObject):
    """Receiver-driven: asks for a window of 1 MiB at a time, so that audio never crowds out the rest.

    `take_here(turn, wav)`: the file is verified, fsynced and has its final name. `problem(sentence)` and
    `problem_over()` frame a time in which nothing can be written; it tries again by itself.
    `overlong(turn)`: more came than was announced or asked for; that recording is not fetched. `missing_changed()`: the
    subject's station cannot give a recording, or gives one again. Neither ever blocks the others.
    """

    missing_changed = Signal()
    overlong = Signal(int)
    take_here = Signal(int, object)
    problem = Signal(str)
    problem_over = Signal()

    def __init__(
        self,
        folder: Path,
        send: Callable[[Message], object],
        background: Background,
        allowance: Allowance,
        parent: QObject | None = None,
    ) -> None:
        """`background` must do one thing after the other: the pieces of a file are written in order. `allowance` says
        how many bytes may come in what time; what is more waits."""
        super().__init__(parent)
        self._folder = folder
        self._send = send
        self._background = background
        self._allowance = allowance
        self._waiting: deque[PendingAudio] = deque()
        self._now: PendingAudio | None = None
        self._arrived: list[AudioChunk] = []
        self._up = False
        self._safe: dict[str, str] = {}
        self._missing: dict[str, PendingAudio] = {}
        self._refused: dict[str, PendingAudio] = {}
        self._in_problem = False
        self._retry = QTimer(self, singleShot=True, interval=RETRY_MS)
        self._retry.timeout.connect(self._begin_again)
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._next)

    @property
    def safe(self) -> dict[str, str]:
        """Utterance -> SHA-256 of every file that is safe here."""
        return dict(self._safe)

    @property
    def idle(self) -> bool:
        """Nothing is on its way any more; some may be missing."""
        return self._now is None and not self._waiting

    @property
    def missing(self) -> list[PendingAudio]:
        """What the subject's station does not have, or has only damaged, by turn."""
        return sorted([*self._missing.values(), *self._refused.values()], key=lambda one: one.turn)

    def path_of(self, utterance_id: str) -> Path:
        """Where the recording of an utterance lies once it is safe here."""
        return self._folder / f"{utterance_id}.wav"

    def already_safe(self, turn: int, utterance_id: str, sha256: str) -> None:
        """A file of an earlier start, verified by whoever opened the session."""
        self._safe[utterance_id] = sha256
        self.take_here.emit(turn, self.path_of(utterance_id))

    def refuse(self, turn: int, utterance_id: str, sha256: str) -> None:
        """This utterance is never fetched: it counts as missing."""
        self._refused[utterance_id] = PendingAudio(turn, utterance_id, sha256, 0)
        self.missing_changed.emit()

    def want(self, turn: int, utterance_id: str, sha256: str, most: int, early: FileStart | None = None) -> None:
        """Bring this utterance over, after those wanted before. It is a file of at most `most` bytes.

        `early` is how it begins, as far as is known. A file that turns out to be another is fetched whole.
        """
        wanted_ids = {one.utterance_id for one in (*self._waiting, *([self._now] if self._now else []))}
        if (
            utterance_id not in wanted_ids
            and self._safe.get(utterance_id) != sha256
            and utterance_id not in self._missing
        ):
            # Of several, each is fetched: what was heard early must not pile up in memory.
            self._waiting.append(PendingAudio(turn, utterance_id, sha256, most, early=early if self.idle else None))
            self._next()

    def link_up(self) -> None:
        """A station that was started again may have found what was missing."""
        self._up = True
        self._waiting.extend(replace(one, damaged=0) for one in self.missing)
        self._missing.clear()
        self._begin_again()

    def link_lost(self) -> None:
        """The connection is gone: nothing is asked for until `link_up`."""
        self._up = False

    def take_chunk(self, chunk: AudioChunk) -> None:
        """Bytes have come; those that do not continue the file are of an earlier try."""
        wanted = self._now
        # A total of 0 is the other station's way to say that it has no such file.
        if wanted is not None and chunk.utterance_id == wanted.utterance_id and not chunk.total:
            self._give_up(wanted)
            return
        # An earlier window may still be on its way after the link was lost and came again.
        if wanted is None or chunk.utterance_id != wanted.utterance_id or chunk.offset != wanted.received:
            return
        # The peer is not trusted: more bytes than announced or asked for could fill the disk.
        if chunk.total > wanted.most or wanted.received + len(chunk.data) > min(chunk.total, wanted.asked):
            self._refuse_overlong(wanted)
            return
        self._now = wanted = replace(wanted, received=wanted.received + len(chunk.data))
        path = self._part(wanted)
        self._background.run(partial(_write_at, path, chunk.offset, chunk.data), partial(self._on_written, wanted))
        if wanted.received >= chunk.total:
            self._finish(wanted)
        # The next window only when this one is full: messages go between two windows.
        elif wanted.received >= wanted.asked:
            self._ask()

    # -- inner -------------------------------------------------------------------------------------------

    def _next(self) -> None:
        # What the disk did not take is tried when the pause is over, not when something else is wanted.
        if self._now is None and self._waiting and self._up and not self._retry.isActive():
            most = self._waiting[0].most
            if not self._allowance.take(most):
                self._pause.start(round(self._allowance.wait_s(most) * 1000) + 1)
                return
            first = self._waiting.popleft()
            self._now = wanted = replace(first, attempt=first.attempt + 1)
            look = partial(_is_here, self.path_of(wanted.utterance_id), wanted.sha256)
            self._background.run(look, partial(self._on_looked, wanted))

    def _on_looked(self, wanted: PendingAudio, future: Future[bool]) -> None:
        """A recording may be here already while the record of it was lost."""
        # The link was lost meanwhile, and the transfer began anew.
        if self._now is not wanted:
            return
        if future.result():
            self._end(wanted)
        elif wanted.early is not None:
            self._take_early(wanted, wanted.early)
        else:
            self._ask()

    def _take_early(self, wanted: PendingAudio, early: FileStart) -> None:
        """What was heard while it was spoken is the beginning of the file; the rest is asked for."""
        self._now = wanted = replace(wanted, received=len(early.data))
        write = partial(_write_at, self._part(wanted), 0, early.data)
        self._background.run(write, partial(self._on_written, wanted))
        if early.whole:
            self._finish(wanted)
        else:
            self._ask()

    def _fetch_whole(self, wanted: PendingAudio) -> None:
        """What was heard is not how the file begins: of two channels, say, only the mixture is sent early."""
        # After a lost link the transfer has begun anew already.
        if self._now is wanted:
            self._now = None
            self._waiting.appendleft(replace(wanted, received=0, asked=0, early=None))
            self._next()

    def _finish(self, wanted: PendingAudio) -> None:
        finish = partial(_finish, self._part(wanted), self.path_of(wanted.utterance_id), wanted.sha256)
        self._background.run(finish, partial(self._on_finished, wanted))

    def _give_up(self, wanted: PendingAudio) -> None:
        self._now = None
        self._missing[wanted.utterance_id] = replace(wanted, received=0, asked=0)
        self._background.run(partial(_part_away, self._part(wanted)), _ignore)
        self._end_problem()
        self.missing_changed.emit()
        self._next()

    def _refuse_overlong(self, wanted: PendingAudio) -> None:
        self._now = None
        self._background.run(partial(_part_away, self._part(wanted)), _ignore)
        self.refuse(wanted.turn, wanted.utterance_id, wanted.sha256)
        self.overlong.emit(wanted.turn)
        self._next()

    def _begin_again(self) -> None:
        self._set_back()
        self._retry.stop()
        self._next()

    def _set_back(self) -> None:
        """From the first byte: a broken transfer is cheaper to repeat than to reason about."""
        if self._now is not None:
            self._waiting.appendleft(replace(self._now, received=0, asked=0))
            self._now = None

    def _is_current(self, wanted: PendingAudio) -> bool:
        """Whether this try still goes on: what was queued behind a write that failed makes nothing but half a file."""
        now = self._now
        return now is not None and (now.utterance_id, now.attempt) == (wanted.utterance_id, wanted.attempt)

    def _ask(self) -> None:
        wanted = self._now
        if wanted is None:
            return
        self._now = replace(wanted, asked=wanted.received + WINDOW)
        self._send(WantAudio(utterance_id=wanted.utterance_id, offset=wanted.received, length=WINDOW))

    def _part(self, wanted: PendingAudio) -> Path:
        return self._folder / f"{wanted.utterance_id}.wav.part"

    def _on_written(self, wanted: PendingAudio, future: Future[None]) -> None:
        try:
            future.result()
        except OSError as error:
            if self._is_current(wanted):
                self._try_later(self._unsaved(wanted, error))

    def _on_finished(self, wanted: PendingAudio, future: Future[None]) -> None:
        if not self._is_current(wanted):
            return
        try:
            future.result()
        except AudioDamaged as error:
            if wanted.early is not None:
                self._fetch_whole(wanted)
                return
            log.warning("%s: damaged on its way, asked for again", wanted.utterance_id)
            self._now = replace(wanted, damaged=wanted.damaged + 1)
            if self._now.damaged >= MOST_TRIES:
                self._give_up(self._now)
            else:
                self._try_later(str(error))
            return
        except OSError as error:
            self._try_later(self._unsaved(wanted, error))
            return
        self._end(wanted)

    def _unsaved(self, wanted: PendingAudio, error: OSError) -> str:
        if is_full(error):
            return (
                f"The disk of this computer is full: the recording of turn {wanted.turn} waits at the subject’s "
                f"station and comes when there is room in {self._folder}."
            )
        return (
            f"The recording of turn {wanted.turn} cannot be saved here: {error.strerror}. Look at this computer’s disk."
        )

    def _end(self, wanted: PendingAudio) -> None:
        self._now = None
        self._safe[wanted.utterance_id] = wanted.sha256
        # Only now: the subject's station may forget the recording once it hears this.
        self._send(AudioSafe(utterance_id=wanted.utterance_id, sha256=wanted.sha256))
        self._end_problem()
        self.take_here.emit(wanted.turn, self.path_of(wanted.utterance_id))
        self._next()

    def _try_later(self, sentence: str) -> None:
        self._set_back()
        # One sentence for the whole time of problem, not one for each try.
        if not self._in_problem:
            self._in_problem = True
            self.problem.emit(sentence)
        self._retry.start()

    def _end_problem(self) -> None:
        if self._in_problem:
            self._in_problem = False
            self.problem_over.emit()


def _write_at(path: Path, offset: int, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb" if offset == 0 else "r+b") as file:
        file.seek(offset)
        file.write(data)


def _finish(part: Path, path: Path, sha256: str) -> None:
    # Sync before the rename: after a power cut the final name must not stand for missing bytes.
    with part.open("rb") as file:
        durable(file.fileno())
    if sha256_of(part) != sha256:
        raise AudioDamaged(f"{path.name} arrived damaged. It is asked for again.")
    if os.path.lexists(path) and not _is_here(path, sha256):
        _set_aside(path)
    rename(part, path)
    sync_folder(path.parent)


def _part_away(part: Path) -> None:
    """Else the list of files would name half a recording."""
    part.unlink(missing_ok=True)


def _ignore(future: Future[None]) -> None:
    if isinstance(error := future.exception(), OSError):
        log.warning("half a recording cannot be removed: %s", error.strerror)


def _is_here(path: Path, sha256: str) -> bool:
    try:
        return sha256_of(path) == sha256
    except OSError:
        return False


def _set_aside(path: Path) -> None:
    """A damaged recording is kept, under a name that no turn bears."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.damaged-{number}")):
        number += 1
    rename(path, aside)
