"""Answers the other station's wish for audio out of the finished files."""

from __future__ import annotations

import logging
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curtain.desk.background import Background
from curtain.link.messages import AudioChunk, WantAudio
from subject_app.session.spool import SpoolFolder

if TYPE_CHECKING:
    from curtain.link.qt import SubjectLink

log = logging.getLogger(__name__)

CHUNK = 64 * 1024


@dataclass(frozen=True)
class _Piece:
    total: int
    data: bytes


class Uploads:
    """One piece is read at a time, in the background, so that memory and window stay free."""

    def __init__(self, folder: SpoolFolder, background: Background, link: SubjectLink) -> None:
        self._folder = folder
        self._background = background
        self._link = link
        self._wanted: deque[WantAudio] = deque()
        self._busy = False

    def want(self, wanted: WantAudio) -> None:
        """Queue a wish; it is answered when those before it are."""
        self._wanted.append(wanted)
        self._next()

    def forget(self) -> None:
        """The link is gone: who still wants something asks again."""
        self._wanted.clear()

    def _next(self) -> None:
        if self._busy or not self._wanted:
            return
        self._busy = True
        wanted = self._wanted.popleft()
        self._background.run(lambda: self._read(wanted), lambda future: self._on_read(wanted, future))

    def _read(self, wanted: WantAudio) -> _Piece:
        path = self._folder.audio_of(wanted.utterance_id)
        with path.open("rb") as file:
            total = file.seek(0, 2)
            file.seek(wanted.offset)
            # Never more than a frame of the link takes.
            return _Piece(total, file.read(min(CHUNK, wanted.length)))

    def _on_read(self, wanted: WantAudio, future: Future[_Piece]) -> None:
        self._busy = False
        try:
            piece = future.result()
        except FileNotFoundError:
            # A total of nothing says that there is no such recording, so that nobody waits for it.
            log.warning("%s is not in the spool", wanted.utterance_id)
            self._give(wanted, _Piece(0, b""))
        except OSError as error:
            log.warning("%s cannot be read: %s", wanted.utterance_id, type(error).__name__)
        else:
            self._give(wanted, piece)
        self._next()

    def _give(self, wanted: WantAudio, piece: _Piece) -> None:
        chunk = AudioChunk(utterance_id=wanted.utterance_id, offset=wanted.offset, total=piece.total, data=piece.data)
        length = wanted.length - len(piece.data)
        offset = wanted.offset + len(piece.data)
        # A piece that the window refuses is asked for again by the other station.
        if self._link.send(chunk) and piece.data and length > 0 and offset < piece.total:
            rest = WantAudio(utterance_id=wanted.utterance_id, offset=offset, length=length)
            # At the head: one recording is finished before the next one.
            self._wanted.appendleft(rest)
