"""Kept messages: sent once and in order on each connection, delivered exactly once. The journals are the store."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from curtain.link.messages import NO_SESSION, JournalLine, KeptMessage, Message, SessionName

log = logging.getLogger(__name__)

Resend = Callable[[int], Iterable[Message]]
"""Everything the owner has journaled for the other side after this sequence number, in rising order."""


@dataclass
class Delivered:
    """How far the other side's kept messages were delivered here, and how far of that the owner called safe.

    Outlives a connection, not the process.
    """

    session: SessionName = NO_SESSION
    seq: int = 0
    safe: int = 0

    def begin(self, session: SessionName, have: int) -> None:
        """`have` is what our own store holds of this session; another session starts afresh."""
        # Numbers begin again with a session.
        if session != self.session:
            self.session, self.seq, self.safe = session, 0, 0
        self.seq, self.safe = max(self.seq, have), max(self.safe, have)

    def is_new(self, message: KeptMessage) -> bool:
        """True once for each sequence number; what was there before is a duplicate."""
        if message.seq <= self.seq:
            return False
        self.seq = message.seq
        return True

    def mark_safe(self, seq: int) -> None:
        """The owner keeps everything up to `seq`; what never came is not safe."""
        if seq <= self.seq:
            self.safe = max(self.safe, seq)

    def go_back(self, have: int) -> None:
        """What came after `have` could not be used and is to come again."""
        self.seq, self.safe = min(self.seq, have), min(self.safe, have)

    # Two journal lines out of order would break the checksums of the copy, so the connection is closed for a hole.
    def leaves_hole(self, message: KeptMessage) -> bool:
        """A journal's lines are numbered without holes; the other kept messages are not."""
        return isinstance(message, JournalLine) and message.seq > self.seq + 1


class KeptOut:
    """Decides which kept message goes next on one connection.

    A message goes straight out if it is the next one and the queue has room. Otherwise it is left where it is
    safe already, in the owner's journal, and fetched with `resend` when its turn comes: so memory stays
    bounded, and a message handed over too early or twice does no harm.
    """

    def __init__(self, resend: Resend) -> None:
        self._resend = resend
        self._backlog: Iterator[Message] | None = None
        self._sent: int | None = None
        self._wanted = 0
        self._looked_from = -1

    @property
    def started(self) -> bool:
        """Whether a welcome has said how far the other side is. Before that nothing kept may go out."""
        return self._sent is not None

    def start(self, after: int) -> None:
        """The other side holds everything up to `after`."""
        self._sent = self._wanted = after
        self._open_backlog(after)

    def offer(self, message: KeptMessage, has_room: bool) -> bool:
        """Whether the message may be written now. If not, it comes later out of the journal."""
        # Before the welcome, or sent already.
        if self._sent is None or message.seq <= self._sent:
            return False
        # Only if nothing waits: a message must not overtake one that is still in the journal.
        if self._backlog is None and self._wanted <= self._sent and has_room and self._follows(message):
            self._sent = message.seq
            return True
        self._wanted = max(self._wanted, message.seq)
        # The journal may hold it only a moment from now.
        self._looked_from = -1
        return False

    def next(self) -> KeptMessage | None:
        """The next message out of the journal, or None if there is nothing to fetch."""
        if self._sent is None:
            return None
        # Not twice from the same place without news: the journal showed nothing there.
        if self._backlog is None and self._wanted > self._sent and self._looked_from != self._sent:
            self._open_backlog(self._sent)
        return self._fetch(self._sent)

    def look_again(self) -> None:
        """Something was announced that the journal did not show yet: try once more."""
        self._looked_from = -1

    def _open_backlog(self, after: int) -> None:
        self._backlog = self._read(after)
        self._looked_from = after

    def _read(self, after: int) -> Iterator[Message]:
        # A generator: opening the journal waits until there is room for its lines.
        yield from self._resend(after)  # not before the first one is wanted

    def _fetch(self, sent: int) -> KeptMessage | None:
        for message in self._backlog or ():
            # Its other lines never cross, and those up to `sent` are there already.
            if isinstance(message, KeptMessage) and message.seq > sent:
                self._sent = message.seq
                return message
        self._backlog = None
        return None

    def _follows(self, message: KeptMessage) -> bool:
        return not isinstance(message, JournalLine) or message.seq == (self._sent or 0) + 1
