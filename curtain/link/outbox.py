"""What waits to be written, and in which order: handshake, signs of life, control, live sound, files. Bounded."""

from __future__ import annotations

from collections import deque
from enum import IntEnum

# What has been queued cannot be reordered by the journal any more: keep it short.
ROOM = 128 * 1024  # kept messages beyond this wait in their journal
TRANSIENT_LIMIT = 512 * 1024  # a peer that does not read loses what is of the moment
# Some two seconds at 16 kHz: what is older is no longer live.
LIVE_LIMIT = 64 * 1024
AUDIO_LIMIT = 1024 * 1024 + 64 * 1024  # a window of 1 MiB and the frames around it


class FramePriority(IntEnum):
    """Whole frames of a lower lane go first."""

    HANDSHAKE = 0
    CONTROL = 1
    LIVE = 2
    AUDIO = 3


class FrameQueue:
    """Encoded frames of one connection."""

    def __init__(self) -> None:
        self._lanes: dict[FramePriority, deque[bytes]] = {lane: deque() for lane in FramePriority}
        self._sizes = {lane: 0 for lane in FramePriority}
        self._latest: dict[str, bytes] = {}
        self._begun = memoryview(b"")

    def put(self, frame: bytes, lane: FramePriority = FramePriority.CONTROL) -> None:
        """Queue an encoded frame at the end of its lane. It is not refused here: ask `has_room` and its like first."""
        self._lanes[lane].append(frame)
        self._sizes[lane] += len(frame)

    def put_latest(self, kind: str, frame: bytes) -> None:
        """Only the newest of a kind is worth sending: acks, pings, the state of the station."""
        self._latest[kind] = frame

    def has_room(self) -> bool:
        """Whether a kept message may join the queue."""
        return self._sizes[FramePriority.CONTROL] < ROOM

    def takes_transient(self) -> bool:
        """Whether a message of the moment may join the queue. False: it is dropped."""
        return self._sizes[FramePriority.CONTROL] < TRANSIENT_LIMIT

    def takes_audio(self, frame: bytes) -> bool:
        """Whether this audio frame fits into the window. False: the asker asks again later."""
        return self._sizes[FramePriority.AUDIO] + len(frame) <= AUDIO_LIMIT

    def takes_live(self, frame: bytes) -> bool:
        """Whether live sound may join the queue. False: it is dropped."""
        return self._sizes[FramePriority.LIVE] + len(frame) <= LIVE_LIMIT

    def empty(self) -> bool:
        """Whether every byte was taken, also of the frame that was cut."""
        return not (self._begun or self._latest or any(self._lanes.values()))

    def take(self, most: int) -> bytes:
        """Up to `most` bytes to be written now. A frame that is cut here goes on with the next call."""
        taken = bytearray()
        while len(taken) < most and (self._begun or self._next_frame()):
            # Cut anywhere: the rest of a begun frame always goes before any other.
            piece = self._begun[: most - len(taken)]
            taken += piece
            self._begun = self._begun[len(piece) :]
        return bytes(taken)

    def _next_frame(self) -> bool:
        frame = (
            # Signs of life before control: a long queue must not make the other side think that we died.
            self._pop(FramePriority.HANDSHAKE)
            or self._pop_latest()
            or self._pop(FramePriority.CONTROL)
            or self._pop(FramePriority.LIVE)
            or self._pop(FramePriority.AUDIO)
        )
        self._begun = memoryview(frame)
        return bool(frame)

    def _pop(self, lane: FramePriority) -> bytes:
        if not self._lanes[lane]:
            return b""
        frame = self._lanes[lane].popleft()
        self._sizes[lane] -= len(frame)
        return frame

    def _pop_latest(self) -> bytes:
        if not self._latest:
            return b""
        # The kind that was put first and not yet sent; a newer frame of a kind keeps its place.
        return self._latest.pop(next(iter(self._latest)))
