"""What the subject did in a turn, from the subject's journal alone: the one fold of these facts.

The subject's station restarts from it, and `turn_progress` adds what the wizard did. Nothing here knows of answers.
"""

from typing import Any, Self

import msgspec
from msgspec.structs import replace

from curtain.session.events import subject_events as subject

_NO_SPEECH = ("too_short", "no_sound")


class SpokenTurn(msgspec.Struct, frozen=True):
    """A hold of the talk key and what became of its recording, or a text that was typed in place of it.

    Times are nanoseconds of the subject's clock; `painted_ns` is when the first reply was on the screen, `painted` are
    the numbers of the query and the replies that were. A key that moved twice counts from its first press to its last
    release. `interrupted`: the station was started again before the recording was kept. Of a `typed` text, `pressed_ns`
    is when it was begun and `released_ns` the Enter: whatever measures a wait begins there.
    """

    number: int
    pressed_ns: int | None = None
    released_ns: int | None = None
    held_ms: int | None = None
    ended_by: subject.EndedBy = "key"
    take: subject.TakeSaved | subject.TakeRecovered | None = None
    channels: tuple[subject.ChannelSaved, ...] = ()
    cancelled: str | None = None
    interrupted: bool = False
    painted_ns: int | None = None
    painted: tuple[int, ...] = ()
    typed: str | None = None

    def after_subject(self, fact: object, t_ns: int) -> Self:
        """The turn after one more of its lines in the subject's journal, which was written at `t_ns`."""
        changed = self._changed_by(fact, t_ns)
        return replace(self, **changed) if changed else self

    def _changed_by(self, fact: object, t_ns: int) -> dict[str, Any]:
        match fact:
            case subject.KeyDown() if self.pressed_ns is None:
                return {"pressed_ns": fact.pressed_ns}
            case subject.KeyUp():
                return {"released_ns": fact.released_ns, "held_ms": fact.held_ms, "ended_by": fact.ended_by}
            case subject.TurnTyped():
                return {"pressed_ns": fact.began_ns, "released_ns": fact.entered_ns, "typed": fact.text}
            case subject.TakeSaved() | subject.TakeRecovered():
                return {"take": fact}
            case subject.ChannelSaved():
                return {"channels": (*self.channels, fact)}
            case subject.TakeCancelled():
                return {"cancelled": fact.reason}
            case subject.Painted(what="query" | "answer" | "message"):
                first = (fact.at_ns or t_ns) if self.painted_ns is None and fact.what != "query" else self.painted_ns
                return {"painted_ns": first, "painted": (*self.painted, fact.id)}
        return {}

    @property
    def recordings(self) -> tuple[subject.Take, ...]:
        """Everything that was recorded of it, each a file."""
        return (*([self.take] if self.take is not None else []), *self.channels)

    @property
    def without_speech(self) -> bool:
        """The press was too short to be speech, or no sound came."""
        return self.cancelled in _NO_SPEECH

    @property
    def left_nothing(self) -> bool:
        """The key went down, and nothing was kept of it so far."""
        return self.pressed_ns is not None and not self.is_whole and self.cancelled is None

    @property
    def is_whole(self) -> bool:
        """Whether the question is there, as a recording or as a typed text."""
        return self.take is not None or self.typed is not None

    @property
    def recovered(self) -> bool:
        """Whether the recording was repaired after a crash."""
        return isinstance(self.take, subject.TakeRecovered)

    @property
    def soundless(self) -> bool:
        """Whether the recording is digital silence."""
        return self.take is not None and subject.is_soundless(self.take.peak_dbfs)

    @property
    def cut_reason(self) -> str | None:
        """Why the recording ends before the speaker did; None where it does not, or where there is none."""
        take = self.take
        if take is None:
            return "disk_full" if self.cancelled == "disk_full" else None
        if isinstance(take, subject.TakeSaved) and take.disk_full:
            return "disk_full"
        if self.ended_by != "key":
            return self.ended_by
        if isinstance(take, subject.TakeSaved):
            return "microphone_lost" if take.lost else None
        return "crash" if self.held_ms is None or subject.misses_speech(take, self.held_ms) else None
