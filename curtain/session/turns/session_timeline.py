"""A session as it ran, for the eye: where each turn, its sound, its key, its reply and its people stand in time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curtain.session.chairs.steps import PersonStep
from curtain.session.turns.turns import SessionRecord, Turn

Span = tuple[int, int]
"""From one ms to another."""


@dataclass(frozen=True)
class TimelineTurn:
    """One turn; times are ms since the session began, those in `hidden` ms of the recording.

    `wav` and `sound` are None for a turn without a recording, as a typed one; `key` where no key was held. `reply` is
    “answer”, “message” or empty. `words` are what was typed for it, left out where something of it is hidden.
    """

    number: int
    span: Span
    wav: Path | None = None
    sound: Span | None = None
    key: Span | None = None
    query_ms: int | None = None
    reply_ms: int | None = None
    painted_ms: int | None = None
    reply: str = ""
    words: str = ""
    hidden: tuple[Span, ...] = ()
    steps: tuple[PersonStep, ...] = ()

    @property
    def waited_ms(self) -> int | None:
        """From the end of the question to the reply on the screen, or to its sending; None without either."""
        asked = self.key[1] if self.key else self.query_ms
        seen = self.painted_ms if self.painted_ms is not None else self.reply_ms
        return None if asked is None or seen is None else seen - asked


@dataclass(frozen=True)
class SessionTimeline:
    """The turns in their order, the tasks with the name of each, the pauses, and the length in ms."""

    session_id: str
    turns: tuple[TimelineTurn, ...]
    tasks: tuple[tuple[Span, str], ...]
    pauses: tuple[Span, ...]
    length_ms: int

    @property
    def people(self) -> tuple[str, ...]:
        """Who worked on a part of a turn, where several shared the session."""
        return tuple(dict.fromkeys(step.by for turn in self.turns for step in turn.steps))


def timeline_of(
    session_id: str, record: SessionRecord, folder: Path, hidden: Mapping[int, Sequence[Span]]
) -> SessionTimeline:
    """`hidden` are the redacted spans of each recording, by the number of its turn."""
    turns = tuple(_turn(one, folder, tuple(hidden.get(one.turn, ()))) for one in record.turns)
    ends = [turn.span[1] for turn in turns] + [end for _, end in record.pauses]
    ends += [run.ended_ms for run in record.scenarios if run.ended_ms is not None]
    length = max(ends, default=0) + 1000
    tasks = tuple(((run.started_ms, length if run.ended_ms is None else run.ended_ms), run.scenario_id)
                  for run in record.scenarios if run.started_ms is not None)  # fmt: skip
    return SessionTimeline(session_id, turns, tasks, record.pauses, length)


def _turn(turn: Turn, folder: Path, hidden: tuple[Span, ...]) -> TimelineTurn:
    times, take = turn.times, turn.take
    down, up = times["key_down"], times["key_up"]
    known = [ms for ms in times.values() if ms is not None] + [step.began for step in turn.steps]
    begin, end = min(known, default=0), max(known, default=0)
    sound = wav = None
    if take is not None and turn.audio is not None and (folder / turn.audio).is_file():
        wav = folder / turn.audio
        # What was recorded before the key went down stands before it here, too.
        start = begin - getattr(take, "key_down_frame", 0) * 1000 // take.sample_rate
        sound = start, start + take.frames * 1000 // take.sample_rate
        begin, end = min(begin, sound[0]), max(end, sound[1])
    # A typed question was begun and entered, and held no key.
    reply, typed = turn.reply, turn.modality == "text"
    return TimelineTurn(
        turn.turn, (begin, end), wav, sound, None if typed or down is None or up is None else (down, up),
        times["query_sent"], reply.sent if reply else None, reply.painted if reply else None,
        reply.outcome if reply else "", "" if hidden else turn.query or "", hidden, turn.steps,
    )  # fmt: skip
