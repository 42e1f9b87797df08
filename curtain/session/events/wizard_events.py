"""Facts whose author is the wizard's station (design.md section 4). The subject's station never imports this.

Each fact is one journal line; `tag` is the line's `type`, the fields are its `data`. A turn's facts carry
the turn number in the line itself (see `journal.lines.JournalEntry`).
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from curtain.base.hearing import HeardWord, Input
from curtain.base.table import Show, Table
from curtain.session.consent import ConsentScope
from curtain.session.events.fact_reader import fact_kinds, fact_reader
from curtain.session.events.speaker import SpeakerDescription
from curtain.session.journal.lines import JournalEntry
from curtain.session.roles import Chair, Part
from curtain.session.study.design import SubjectPlan


class WizardFact(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of all facts of the wizard's station.

    `wizard_id` is whose doing it was. It is unset, and in no line, where one person has the whole desk.
    """

    wizard_id: str | msgspec.UnsetType = msgspec.UNSET


def named(fact: WizardFact, wizard_id: str) -> WizardFact:
    """The same fact as this person's doing."""
    return msgspec.structs.replace(fact, wizard_id=wizard_id)


class WizardEpoch(WizardFact, frozen=True, kw_only=True, tag="epoch"):
    """This station started; `number` counts its starts within the session from 1.

    `identity` distinguishes the session from others of the same id; a journal of an earlier Curtain has none.
    """

    number: int
    app_version: str
    pid: int
    session_id: str
    identity: str = ""


class SessionOpened(WizardFact, frozen=True, kw_only=True, tag="session_opened"):
    """`scenario_ids` in the order in which they will be worked on; the first may be the practice scenario.

    A journal of an earlier Curtain does not name the domain. `seed` is that of the speaker's order; None where the
    study has one order for all. `conditions` are those of study.toml as they stood then,
    and `plan` says which scenario runs under which of them; None where the study has no conditions. From `design_seed`
    random orders and the errors of recognisers are drawn. `analysis` is what study.toml declared about it, empty where
    nobody did. `wizard_level` is the share that the wizard had right in
    practice, and `level_reason` why somebody below the study's level took the session; None where neither applies.
    `language` is that of the study (BCP 47); None in journals of an earlier Curtain.
    `lab_speaker_id` is the id that the laboratory uses for the speaker, "" where `speaker_id` is that. `inputs` are the
    scenarios, planned or not, in which the subject may type. `disclose`: the subject is to read at the end that a
    person answered; None in journals of an earlier Curtain.
    """

    session_id: str
    speaker_id: str
    wizard_ids: list[str]
    scenario_ids: list[str]
    practice_id: str | None = None
    pilot: bool = False
    domain: str | None = None
    seed: int | None = None
    plan: SubjectPlan | None = None
    conditions: list[dict[str, Any]] = []
    design_seed: int = 0
    analysis: dict[str, Any] = {}
    wizard_level: float | None = None
    level_reason: str | None = None
    language: str | None = None
    lab_speaker_id: str = ""
    inputs: dict[str, Input] = {}
    disclose: bool | None = None


class ConsentConfirmed(WizardFact, frozen=True, kw_only=True, tag="consent_confirmed"):
    """The wizard has seen the consent `consent_id` of the subject before the session began.

    `scopes` are what the form allows, None where nobody asked (an earlier Curtain, a trial); `signed_on` is the day of
    the signature as ISO 8601.
    """

    consent_id: str
    confirmed_by: str
    scopes: list[ConsentScope] | None = None
    signed_on: str | None = None


class SpeakerDescribed(WizardFact, frozen=True, kw_only=True, tag="speaker_described"):
    """What the speaker stated about themselves. A session whose speaker stated nothing has no such line."""

    speaker: SpeakerDescription


class ScenarioStarted(WizardFact, frozen=True, kw_only=True, tag="scenario_started"):
    """A scenario went to the subject's screen; it is number `number` of `of`. `condition_id` is under which it runs;
    practice runs under the first condition, and a scenario that was not planned under none. `input`: whether the
    subject speaks or types."""

    scenario_id: str
    number: int
    of: int
    practice: bool = False
    condition_id: str | None = None
    input: Input = "speech"


class ScenarioEnded(WizardFact, frozen=True, kw_only=True, tag="scenario_ended"):
    """`answer` is what the subject stated, `how` it was stated; both absent if nothing was stated."""

    scenario_id: str
    reason: Literal["answered", "given_up", "next", "session_ended"]
    answer: str | None = None
    how: Literal["typed", "spoken"] | None = None


QueryBy = Literal["wizard", "asr", "system", "subject"]
"""Who made the query of a turn: `subject` typed it in place of speaking. Of those no line of this journal says so."""


class TakeHeard(WizardFact, frozen=True, kw_only=True, tag="heard"):
    """Playback of the turn's take began for the first time; `live`: it was heard while it was spoken."""

    live: bool = False


class WordsHeard(WizardFact, frozen=True, kw_only=True, tag="words_heard"):
    """What the recogniser of this desk heard in the turn's recording, written once. `shown`: at this moment the words
    stood before the wizard, who could take them; otherwise the wizard had done without them.

    `decoding_s` is how long the recogniser was at work.
    """

    words: tuple[HeardWord, ...]
    model: str
    version: str
    decoding_s: float
    shown: bool = True


class NotHeard(WizardFact, frozen=True, kw_only=True, tag="not_heard"):
    """Why nothing says what the recogniser of this desk heard in the turn's recording, in one sentence."""

    reason: str


class QuerySent(WizardFact, frozen=True, kw_only=True, tag="query_sent"):
    """The transcription went to the subject's screen. `earlier_texts` are what stood in the field before something of
    it was taken back, in their order: an edit that only adds words at the end is none.

    `recognised` is of before: what stood on the screen where errors were put in on purpose; then `text` did not
    leave. `heard_by` says who heard it: the person at the desk, the recogniser of the study, or the system under test.
    """

    text: str
    earlier_texts: list[str] = []
    recognised: str | None = None
    heard_by: QueryBy = "wizard"


class DraftShown(WizardFact, frozen=True, kw_only=True, tag="draft_shown"):
    """The SQL drafts that were on the wizard's screen when they took one, ran a statement or sent an answer; the same
    list is not written twice in a row. `confidences` (0..1) and `drafters` go with `drafts`, best first.

    `question` is what the NL tool was asked; `reworded` if the wizard put it otherwise for the tool alone. `tokens_in`
    and `tokens_out` are what served models read and wrote since the station was started, `cost` their price.
    """

    drafts: list[str]
    confidences: list[float] = []
    drafters: list[str] = []
    question: str | None = None
    reworded: bool = False
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


class ChipChanged(msgspec.Struct, frozen=True, kw_only=True):
    """A value that the wizard swapped or removed (`to` is None) in a draft; `said` are the words it was found in."""

    kind: str
    said: str
    was: str
    to: str | None = None


class DraftTaken(WizardFact, frozen=True, kw_only=True, tag="draft_taken"):
    """A draft went into the editor. It is one of the latest `draft_shown`: number `place`, from 1. `sql` is the draft
    as it went, with `chips` changed; when a chip is changed afterwards, the draft is taken again."""

    sql: str
    place: int | None = None
    drafter: str | None = None
    confidence: float | None = None
    chips: list[ChipChanged] = []


class StatementRun(WizardFact, frozen=True, kw_only=True, tag="attempt"):
    """One statement the wizard ran. `rows` is None and `error` one plain sentence if it failed.

    `headings` and `first_rows` are what the wizard saw first of the result; `answer_sha256` is of the complete minimum
    answer as text in UTF-8, None if there is none. `again_of` is the turn whose statement was run again as it stood: an
    earlier one that the wizard looked at, or this one where its result was no longer at the desk, as after a crash.
    """

    sql: str
    rows: int | None
    ms: int
    error: str | None = None
    headings: list[str] = []
    first_rows: list[list[str]] = []
    answer_sha256: str | None = None
    again_of: int | msgspec.UnsetType = msgspec.UNSET


class AnswerSent(WizardFact, frozen=True, kw_only=True, tag="answer_sent"):
    """`cas_min` is None only when there is no minimum answer, and `cas_max` when there is no maximum; `cas_error` and
    `max_error` say why. `yes_no`: the wizard has marked the query as a yes/no question.

    `show` is what the study wants the subject to read of an answer, `shown` what `table` holds (001, section 2.4.1).
    Where the minimum was shown instead, `show_fault` says why. `unseen`: it left as soon as this table was there, on a
    wish of before. In a journal of an earlier Curtain, which has none of these, the minimum was shown.

    `system` is the system under test whose answer it is; such an answer may come without SQL, and `sql` is then empty.
    `held_ms` is how long it waited at the wizard's station before it left: for its moment under a constant latency, or
    for the seconds in which it could be taken back. `late_ms` is by how much it missed its moment. None where there was
    none. The line is written when the reply leaves, so the wizard had done with it `held_ms` earlier.
    """

    sql: str
    table: Table
    cas_min: str | None
    cas_max: str | None = None
    sql_max: str | None = None
    cas_error: str | None = None
    yes_no: bool = False
    max_error: str | None = None
    show: Show = "minimum"
    shown: Show = "minimum"
    show_fault: str | None = None
    unseen: bool = False
    system: str | None = None
    held_ms: int | None = None
    late_ms: int | None = None


class MessageSent(WizardFact, frozen=True, kw_only=True, tag="message_sent"):
    """A canned message with its blanks filled; `counts_as` is the message set's own judgement. `system`, `held_ms` and
    `late_ms` as for an answer."""

    message_id: str
    blanks: dict[str, str]
    text: str
    counts_as: Literal["no_answer", "neutral"]
    system: str | None = None
    held_ms: int | None = None
    late_ms: int | None = None


class SystemAnswered(WizardFact, frozen=True, kw_only=True, tag="system_answered"):
    """What a system under test replied, as it said it; `ms` is how long it took by the station's clock."""

    system: str
    ms: int
    sql: str | None = None
    cas: str | None = None
    message: str | None = None
    no_answer: bool = False
    text: str | None = None
    partial: bool = False
    latency_ms: float | None = None


class SystemFailed(WizardFact, frozen=True, kw_only=True, tag="system_failed"):
    """A system under test gave nothing that can be shown; `how` it failed, and the sentence that the operator read.

    The canned message that followed is a line of its own."""

    system: str
    how: Literal["missing", "crash", "silence", "rubbish", "stopped", "ears", "sql", "cas", "message"]
    sentence: str


class TakenOver(WizardFact, frozen=True, kw_only=True, tag="taken_over"):
    """The person at the desk answers this turn in place of the system: it does not count for the comparison."""

    system: str


class SystemStopped(WizardFact, frozen=True, kw_only=True, tag="system_stopped"):
    """The person at the desk answers from here on; `stopped` is False where the system was let go on."""

    system: str
    stopped: bool = True


class ReplyTakenBack(WizardFact, frozen=True, kw_only=True, tag="reply_taken_back"):
    """A reply that waited for its moment was taken back before the subject saw it."""

    kind: Literal["answer", "message"]


class Corrected(WizardFact, frozen=True, kw_only=True, tag="corrected"):
    """The next answer or message of this turn replaces the one of journal line `of_seq`."""

    of_seq: int


class Note(WizardFact, frozen=True, kw_only=True, tag="note"):
    """A remark of the wizard for whoever reads the session later."""

    text: str


class Paused(WizardFact, frozen=True, kw_only=True, tag="paused"):
    """The wizard began a pause."""


class Resumed(WizardFact, frozen=True, kw_only=True, tag="resumed"):
    """The pause is over."""


class CallAnswered(WizardFact, frozen=True, kw_only=True, tag="call_answered"):
    """The subject's calls for help, of which there are `calls` so far, were seen to."""

    calls: int


class LinkLost(WizardFact, frozen=True, kw_only=True, tag="link_lost"):
    """The subject's station can no longer be reached."""


class LinkRestored(WizardFact, frozen=True, kw_only=True, tag="link_restored"):
    """The link is up and the clocks are tied: wizard_ns = subject_ns + offset_ns, give or take half of rtt_ns."""

    subject_epoch: int
    offset_ns: int
    rtt_ns: int


class ClocksTied(LinkRestored, frozen=True, kw_only=True, tag="clocks_tied"):
    """How the clocks stand was measured anew; the link was up all the time."""


class DebriefDone(WizardFact, frozen=True, kw_only=True, tag="debrief_done"):
    """The closing conversation with the subject took place."""


class SessionClosed(WizardFact, frozen=True, kw_only=True, tag="session_closed"):
    """The session is over: all was done, or it was broken off."""

    reason: Literal["finished", "broken_off"]


class GapAccepted(WizardFact, frozen=True, kw_only=True, tag="gap_accepted"):
    """The wizard closed the session though something of it had not arrived; `missing` says what, a phrase each."""

    missing: list[str]


class WizardFormFilled(WizardFact, frozen=True, kw_only=True, tag="form_filled"):
    """The wizard answered a questionnaire of his own, on the closing page.

    Each answer is a line, not `complete`, so that a kill leaves what was given until then. The `complete` line gives ""
    to each question that was left out. `form` is the id of the
    questionnaire, with “@” and the scenario's id if it asks about a scenario.
    """

    form: str
    values: dict[str, str] = {}
    complete: bool = True

    @property
    def left_out(self) -> int:
        """How many questions have no answer; the `complete` line says so."""
        return sum(not value for value in self.values.values()) if self.complete else 0


class FileRestored(WizardFact, frozen=True, kw_only=True, tag="file_restored"):
    """A damaged or missing `file` of the session was made whole: `what` of it, and `source` where it came from."""

    file: str
    what: str
    source: str


class VideoBegan(WizardFact, frozen=True, kw_only=True, tag="video_began"):
    """Of before: a video was recorded beside the session, from `source` of study.toml, to `file` in the session's
    folder. Its first frame was read at `first_frame_ns` of this station's clock: that is second 0 of the file."""

    file: str
    source: str
    first_frame_ns: int


class VideoEnded(WizardFact, frozen=True, kw_only=True, tag="video_ended"):
    """The video is whole on the disk; `problem` is why it ended before the session did. A video without this line was
    cut off by a crash of the station."""

    file: str
    seconds: float
    bytes: int
    sha256: str
    problem: str = msgspec.field(name="fault", default="")


class ChairJoined(WizardFact, frozen=True, kw_only=True, tag="chair_joined"):
    """The person `wizard_id` sat down in the session. In a session without such lines one person has the whole desk."""

    wizard_id: str
    chair: Chair


class ChairLeft(WizardFact, frozen=True, kw_only=True, tag="chair_left"):
    """The person left, or their station can no longer be reached. The lines before it gave their parts back."""

    wizard_id: str


class PartFact(WizardFact, frozen=True, kw_only=True):
    """What the person `wizard_id` did with this part of the turn."""

    wizard_id: str
    part: Part


class PartTaken(PartFact, frozen=True, kw_only=True, tag="part_taken"):
    """The person works on the part. `handed_by` is who handed it over, None if nobody did."""

    handed_by: str | None = None


class PartTyped(PartFact, frozen=True, kw_only=True, tag="part_typed"):
    """What stands in the field of this part so far; it stays when the part changes hands."""

    text: str


class PartReturned(PartFact, frozen=True, kw_only=True, tag="part_returned"):
    """The part is free again. `left`: the person's chair dropped out."""

    left: bool = False


class PartDone(PartFact, frozen=True, kw_only=True, tag="part_done"):
    """The person sent the query, or the reply; the line of what was sent is beside it."""


KINDS = fact_kinds(WizardFact)
"""The classes of facts by the types of their lines."""

read: Callable[[JournalEntry], WizardFact | None] = fact_reader(KINDS, "wizard")
# Under a second name, for readers that know both journals.
wizard_fact = read
