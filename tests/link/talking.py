"""Two peers, a clock that stands still until told, and a cable that can be cut anywhere."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from curtain.link.core import Seat, SubjectPeer, WizardPeer
from curtain.link.delivery import Delivered
from curtain.link.events import Happened, Received
from curtain.link.framing import frame
from curtain.link.messages import Hello, JournalLine, KeptMessage, Message, QueryShown, Waiting, Welcome
from curtain.link.peer import Peer

MS = 1_000_000
S = 1000 * MS

T = TypeVar("T")


def encoded(message: msgspec.Struct) -> bytes:
    return frame(msgspec.msgpack.encode(message))


def welcome(session_id: str = "e00-01", journal_have: int = 0, **more: object) -> Welcome:
    words = {"talk_key": "space", "microphone": "", "title": "", "briefing": "", "database_description": ""}
    return msgspec.convert({"session_id": session_id, "journal_have": journal_have, **words, **more}, Welcome)


def line(seq: int) -> JournalLine:
    return JournalLine(seq=seq, line=b'{"seq":%d}' % seq)


def shown(seq: int, text: str = "who earns most") -> QueryShown:
    return QueryShown(seq=seq, turn=1, text=text)


def of_type(happened: Sequence[object], kind: type[T]) -> list[T]:
    return [event for event in happened if isinstance(event, kind)]


def messages(happened: Sequence[Happened]) -> list[Message]:
    return [event.message for event in of_type(happened, Received)]


def seqs(happened: Sequence[Happened]) -> list[int]:
    return [message.seq for message in messages(happened) if isinstance(message, KeptMessage)]


@dataclass
class Store:
    """A journal, as the link sees it."""

    kept: list[KeptMessage] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)

    def after(self, seq: int) -> list[Message]:
        self.asked.append(seq)
        return [message for message in self.kept if message.seq > seq]


class Room:
    """Both stations and what lies between them."""

    def __init__(self) -> None:
        self.now = 0
        self.seat = Seat()
        self.delivered = Delivered()
        self.wizard_store = Store()
        self.subject_store = Store()
        self.at_wizard: list[Happened] = []
        self.at_subject: list[Happened] = []

    def wizard_peer(self) -> WizardPeer:
        return WizardPeer(self.seat, self.wizard_store.after, self.now)

    def connect(self, hello: Hello | None = None) -> None:
        """A new connection on which nothing has been said."""
        self.wizard = self.wizard_peer()
        self.subject = SubjectPeer(hello or Hello(), self.delivered, self.subject_store.after, self.now)

    def open(self, hello: Hello | None = None, answer: Welcome | Waiting | None = None) -> None:
        """A connection with the session begun, all that waited exchanged."""
        self.connect(hello)
        self.settle()
        self.at_wizard += self.wizard.answer(answer or welcome())
        self.settle()

    def cut(self) -> None:
        """What was under way is lost."""
        self.wizard.hang_up()
        self.subject.hang_up()

    def carry(self, source: Peer, target: Peer, slice_of: int = 64 * 1024) -> list[Happened]:
        happened: list[Happened] = []
        while data := source.take_outgoing(slice_of):
            happened += target.receive(data, self.now)
        return happened

    def settle(self) -> None:
        """Until neither has anything to say."""
        before = -1
        while before != len(self.at_wizard) + len(self.at_subject):
            before = len(self.at_wizard) + len(self.at_subject)
            self.at_wizard += self.carry(self.subject, self.wizard)
            self.at_subject += self.carry(self.wizard, self.subject)
        self.at_wizard += self.carry(self.subject, self.wizard)

    def pass_time(self, seconds: float, step: float = 0.25, talking: bool = True) -> None:
        for _ in range(round(seconds / step)):
            self.now += int(step * S)
            self.at_wizard += self.wizard.tick(self.now)
            self.at_subject += self.subject.tick(self.now)
            if talking:
                self.settle()
