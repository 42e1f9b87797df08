"""What two stations have acknowledged, read from their disks, and whether it is still there."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from curtain.rehearsal.stations import PATIENCE_S, RunningStation
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.subject_events import KeyDown, KeyUp, TakeCancelled, TakeRecovered, TakeSaved, subject_fact
from curtain.session.events.wizard_events import AnswerSent, MessageSent, QuerySent, ScenarioStarted, wizard_fact
from curtain.session.journal.lines import JournalEntry, parse_line, read_journal
from curtain.session.turns.turns import Turn, read_turns

PRE_ROLL_S = 0.3
TAIL_S = 0.3


@dataclass(frozen=True)
class Lines:
    """The good lines of both journals and of the wizard's copy at one moment, byte for byte."""

    wizard: bytes
    subject: bytes
    copy: bytes


@dataclass(frozen=True)
class Screen:
    """The newest exchange on the subject's screen: `reply` is the message, or the cells of the table in order."""

    query: str = ""
    reply: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cut:
    """A take that was open when the subject's station was killed; times in monotonic ns."""

    turn: int
    pressed_ns: int
    released_ns: int | None
    killed_ns: int

    @property
    def heard_s(self) -> float:
        """How much of it had been spoken into the microphone, pre-roll included."""
        end = self.killed_ns
        if self.released_ns is not None:
            end = min(end, self.released_ns + int(TAIL_S * 1e9))
        return (end - self.pressed_ns) / 1e9 + PRE_ROLL_S


@dataclass
class Disks:
    """Where the stations of one session keep their files."""

    study: Path
    spool: Path
    session_id: str
    seen: list[Lines] = field(default_factory=list)

    @property
    def bundle(self) -> Bundle:
        return Bundle(self.study / "sessions" / self.session_id)

    @property
    def spooled(self) -> Path:
        """The folder of this session; the ids of other studies come again in one spool, identities do not."""
        identity = self.bundle.read_session_json()["identity"]
        return self.spool / f"{self.session_id}-{identity}"

    def note(self) -> None:
        """Remember what is safe on both disks at this moment."""
        copy = _good(self.bundle.subject_journal)  # first: it may only lag behind what it copies
        self.seen.append(Lines(_good(self.bundle.wizard_journal), _good(self._subject_journal), copy))

    def level(self) -> bool:
        """Whether no take is open, and the wizard's station holds every line of the subject's journal."""
        at_rest = next(self.open_takes(0), None) is None
        return at_rest and _good(self._subject_journal) == _good(self.bundle.subject_journal)

    def over(self) -> bool:
        """Whether the wizard's journal says that the session was ended."""
        return any(entry.type == "session_closed" for entry in read_journal(self.bundle.wizard_journal).entries)

    @property
    def _subject_journal(self) -> Path:
        return self.spooled / "subject.events.jsonl"

    def turns(self) -> list[Turn]:
        return read_turns(self.bundle)

    def open_turn(self) -> int:
        """The turn that the wizard has to work on, or 0."""
        waiting = [turn.turn for turn in self.turns() if turn.outcome == "open" and turn.utterance_id in self.takes()]
        return min(waiting, default=0)

    def last_sent_and_tried(self, number: int) -> dict[str, str]:
        """The query that was sent and the statement that was run last in this turn; empty if there is none."""
        turn = next(turn for turn in self.turns() if turn.turn == number)
        return {"query": turn.query or "", "sql": turn.attempts[-1].sql if turn.attempts else ""}

    def takes(self) -> dict[str, TakeSaved | TakeRecovered]:
        """What the wizard's station holds of saved takes, by utterance."""
        facts = (subject_fact(entry) for entry in read_journal(self.bundle.subject_journal).entries)
        return {fact.utterance_id: fact for fact in facts if isinstance(fact, TakeSaved | TakeRecovered)}

    def screen_due(self) -> Screen:
        """What the wizard's journal says that the subject must see."""
        newest = 0
        queries: dict[int, str] = {}
        replies: dict[int, tuple[str, ...]] = {}
        for entry in read_journal(self.bundle.wizard_journal).entries:
            fact, turn = wizard_fact(entry), entry.turn or 0
            if isinstance(fact, QuerySent):
                queries[turn] = fact.text
            elif isinstance(fact, MessageSent):
                replies[turn] = (fact.text,)
            elif isinstance(fact, AnswerSent):
                replies[turn] = tuple(cell for row in fact.table.rows for cell in row)
            else:
                continue
            newest = turn
        return Screen(queries.get(newest, ""), replies.get(newest, ()))

    def open_takes(self, killed_ns: int) -> Iterator[Cut]:
        """The takes that the last line of the subject's journal leaves open: spoken, or in their tail."""
        open_ones: dict[int, Cut] = {}
        for entry in read_journal(self._subject_journal).entries:
            fact, turn = subject_fact(entry), entry.turn or 0
            if isinstance(fact, KeyDown):
                open_ones[turn] = Cut(turn, fact.pressed_ns, None, killed_ns)
            elif isinstance(fact, KeyUp) and turn in open_ones:
                open_ones[turn] = Cut(turn, open_ones[turn].pressed_ns, fact.released_ns, killed_ns)
            elif isinstance(fact, TakeSaved | TakeRecovered | TakeCancelled):
                open_ones.pop(turn, None)
        return iter(open_ones.values())


def _good(journal: Path) -> bytes:
    return journal.read_bytes()[: read_journal(journal).good_bytes] if journal.exists() else b""


def entries_of(lines: bytes) -> list[JournalEntry]:
    return [parse_line(line) for line in lines.splitlines(keepends=True)]


def await_on_disk(holds: Callable[[], bool], station: RunningStation) -> None:
    """Until it is there. The station is looked at meanwhile, so that one that stopped is noticed."""
    ends = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < ends, "it never came to the disk"
        station.look()


def shown_lines(bundle: Bundle) -> set[int]:
    """The lines of the wizard's journal that put something on the subject's screen."""
    shown = (QuerySent, AnswerSent, MessageSent, ScenarioStarted)
    entries = read_journal(bundle.wizard_journal).entries
    return {entry.seq for entry in entries if isinstance(wizard_fact(entry), shown)}
