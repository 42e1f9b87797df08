"""Messages of a pairing as frames on a TLS connection."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from curtain.link.framing import Frames, ProtocolFault, frame
from curtain_rooms.network.pairing import PairingFailed, PairMessage

_CAP = 16 * 1024

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(PairMessage)


def pair_frame(message: PairMessage) -> bytes:
    """One message for the wire."""
    return frame(_ENCODER.encode(message))


class PairFrames:
    """Cuts a stream into messages."""

    def __init__(self) -> None:
        self._frames = Frames(lambda: _CAP)

    def feed(self, data: bytes) -> Iterator[PairMessage]:
        """The messages that are whole now. Raises PairingFailed for anything else."""
        try:
            for payload in self._frames.feed(data):
                yield _DECODER.decode(payload)
        except (ProtocolFault, msgspec.DecodeError) as error:
            raise PairingFailed("bad_message") from error
