"""Facts whose author is the subject's station (design.md section 4).

Each fact is one journal line; `tag` is the line's `type`, the fields are its `data`. A turn's facts carry
the turn number in the line itself (see `journal.lines.JournalEntry`). Times are monotonic nanoseconds of this station.
"""

from collections.abc import Callable
from typing import Literal, get_args

import msgspec

from curtain.session.events.fact_reader import fact_kinds, fact_reader
from curtain.session.journal.lines import JournalEntry

# Nobody asks for two minutes without a breath: something lies on the key, and the wizard is kept waiting for the end.
LONGEST_HOLD_S = 120.0
SILENCE_DBFS = -200.0
# A muted microphone gives zeros, or at most two steps of sixteen bits (-84.3 dBFS); an open one is never so quiet.
SOUNDLESS_DBFS = -82.0


def is_soundless(peak_dbfs: float) -> bool:
    """Whether a recording of this peak holds no sound at all."""
    return peak_dbfs < SOUNDLESS_DBFS


class SubjectFact(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of all facts of the subject's station."""


class SubjectEpoch(SubjectFact, frozen=True, kw_only=True, tag="epoch"):
    """This station started; `number` counts its starts within the session from 1.

    `identity` distinguishes the session from others of the same id; a journal of an earlier Curtain has none.
    """

    number: int
    app_version: str
    pid: int
    session_id: str
    identity: str = ""


class KeyDown(SubjectFact, frozen=True, kw_only=True, omit_defaults=True, tag="key_down"):
    """The talk key went down: turn `turn` begins. `pressed_ns` is the key's own time, within `error_ns` where another
    clock than the station's stamped it."""

    source: Literal["key", "button"]
    pressed_ns: int
    error_ns: int | None = None


EndedBy = Literal["key", "focus_lost", "page_left", "too_long", "station_closed"]
"""What ended a hold. All but `key` cut the speaker short: the finger was still down."""


class KeyUp(SubjectFact, frozen=True, kw_only=True, tag="key_up"):
    """The hold of the talk key ended. `held_ms` is the time from the press to that moment."""

    released_ns: int
    held_ms: int
    ended_by: EndedBy = "key"


class TurnTyped(SubjectFact, frozen=True, kw_only=True, tag="turn_typed"):
    """The subject typed turn `turn` and pressed Enter: `text` is its query, and there is no take.

    `began_ns` is when the first sign of it came into the empty field, `entered_ns` the Enter. What was typed before the
    Enter and deleted again is nowhere.
    """

    text: str
    began_ns: int
    entered_ns: int


Channel = Literal["wide", "second"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)


class Take(SubjectFact, frozen=True, kw_only=True):
    """A take that is on disk. `clipped` counts full-scale samples."""

    utterance_id: str
    frames: int
    sample_rate: int
    sha256: str
    peak_dbfs: float
    clipped: int = 0

    @property
    def recording(self) -> str:
        """Its file below `audio`, without the ending."""
        return self.utterance_id

    def __post_init__(self) -> None:
        # The level of digital silence is minus infinity, for which JSON has no number.
        msgspec.structs.force_setattr(self, "peak_dbfs", max(self.peak_dbfs, SILENCE_DBFS))


class MicrophoneTake(Take, frozen=True, kw_only=True):
    """What a microphone gave is on disk, fsynced, under its final name.

    `key_down_frame` and `key_up_frame` say where in the file the key moved; `gaps` lists
    (frame, missing frames) where the device lost samples; `lost`: the microphone went away or recording was stopped
    before the take was complete; `disk_full`: the disk took only the beginning.
    """

    gaps: list[tuple[int, int]] = []
    key_down_frame: int = 0
    key_up_frame: int = 0
    microphone: str = ""
    lost: bool = False
    disk_full: bool = False


class TakeSaved(MicrophoneTake, frozen=True, kw_only=True, tag="take_saved"):
    """The take of a turn is on disk."""


class ChannelSaved(MicrophoneTake, frozen=True, kw_only=True, tag="channel_saved"):
    """Another recording of the same turn is on disk, beside its take, where the study asks for one: `wide` is what the
    take was made from, at the rate and with the channels of the microphone, `second` that of a second microphone."""

    channel: Channel

    @property
    def recording(self) -> str:
        """Its file below `audio`, without the ending."""
        return f"{self.channel}/{self.utterance_id}"


class TakeCancelled(SubjectFact, frozen=True, kw_only=True, tag="take_cancelled"):
    """The take does not count: the subject withdrew it, the press was too short to be speech, no sound came, or the
    disk took none of it."""

    reason: Literal["cancelled", "too_short", "no_sound", "disk_full"]


class TakeRecovered(Take, frozen=True, kw_only=True, tag="take_recovered"):
    """A take cut off by a crash, repaired at the next start."""


def misses_speech(take: TakeRecovered, held_ms: float) -> bool:
    """Whether a repaired take is shorter than the hold it was made in."""
    # A whole take begins 300 ms before the hold; the disk may be 250 ms behind at a crash.
    return take.frames * 1000 < (held_ms + 50) * take.sample_rate


class Painted(SubjectFact, frozen=True, kw_only=True, omit_defaults=True, tag="painted"):
    """The screen shows it now. `id` is the link sequence number of what is shown (0 for one_moment). `at_ns` is when,
    by the screen's own clock; None where the line was written at that moment."""

    what: Literal["one_moment", "scenario", "query", "answer", "message"]
    id: int
    at_ns: int | None = None


class HistoryCleared(SubjectFact, frozen=True, kw_only=True, tag="history_cleared"):
    """The subject started over: earlier exchanges are no longer shown."""


class HelpCalled(SubjectFact, frozen=True, kw_only=True, tag="help_called"):
    """The subject asked for the person who seated them."""


class SolutionReported(SubjectFact, frozen=True, kw_only=True, tag="solution_reported"):
    """The subject stated the answer to the scenario."""

    scenario_id: str
    value: str
    how: Literal["typed", "spoken"]


class DeviceLost(SubjectFact, frozen=True, kw_only=True, tag="device_lost"):
    """The microphone `name` went away while it was open."""

    name: str


class DeviceFound(SubjectFact, frozen=True, kw_only=True, omit_defaults=True, tag="device_found"):
    """The microphone `name` was opened; `sample_rate` is what was obtained, in Hz, and `processing` what it reports of
    its processing of the sound, such as noise suppression."""

    name: str
    sample_rate: int
    processing: dict[str, str] = {}


STATION_PAGES = ("microphone_test", "briefing")
"""Forms that the station fills in on its own pages; every other form is a question to the subject."""
DISCLOSURE = "disclosure"
"""The form that informs the subject at the end who answered, and asks whether the recordings may be kept."""
WITHDRAW = ("data", "withdraw")
"""The item of that form, and the answer of a subject who wants everything deleted."""


class FormFilled(SubjectFact, frozen=True, kw_only=True, tag="form_filled"):
    """A page of the session was filled in: one of STATION_PAGES, or a questionnaire.

    Each answer is a line, not `complete`, so that a kill leaves what was given until then. The `complete` line gives ""
    to each question that was left out.
    """

    form: str
    values: dict[str, str] = {}
    complete: bool = True

    @property
    def left_out(self) -> int:
        """How many questions have no answer; the `complete` line says so."""
        return sum(not value for value in self.values.values()) if self.complete else 0


KINDS = fact_kinds(SubjectFact)
"""The classes of facts by the types of their lines."""

read: Callable[[JournalEntry], SubjectFact | None] = fact_reader(KINDS, "subject")
# Under a second name, for readers that know both journals.
subject_fact = read
