"""Frames on a byte stream: four bytes of length, big-endian, then that many bytes. No sockets, no clock."""

from collections.abc import Callable, Iterator

HEADER = 4
# Enough for a hello; before it anybody may be talking.
CAP_BEFORE_HELLO = 4 * 1024
CAP = 256 * 1024


class ProtocolError(Exception):
    """The other side does not keep to the protocol."""


def frame(payload: bytes) -> bytes:
    """The payload with its length in front. The caller sees to the cap."""
    return len(payload).to_bytes(HEADER, "big") + payload


class Frames:
    """Cuts a stream into payloads. Holds at most one unfinished frame.

    The cap is asked again before each frame: it rises in the middle of a stream, when a hello is accepted.
    """

    def __init__(self, cap: Callable[[], int]) -> None:
        self._cap = cap
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The payloads that are whole now, in order.

        Raises:
            ProtocolError: a frame announces more than the cap. Its length is enough: nothing is collected.
        """
        self._buffer += data
        while (payload := self._cut()) is not None:
            yield payload

    def forget(self) -> None:
        """Drop what has been collected: this stream is over."""
        self._buffer.clear()

    def _cut(self) -> bytes | None:
        if len(self._buffer) < HEADER:
            return None
        length = int.from_bytes(self._buffer[:HEADER], "big")
        # Before anything is collected: four bytes must not make us reserve gigabytes.
        if length > self._cap():
            raise ProtocolError(f"a frame of {length} bytes, {self._cap()} are allowed")
        if len(self._buffer) < HEADER + length:
            return None
        payload = bytes(self._buffer[HEADER : HEADER + length])
        del self._buffer[: HEADER + length]
        return payload
