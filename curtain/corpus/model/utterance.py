"""The utterance view: one row for each utterance, read from a bundle and its annotation layers.

It is derived and never edited; every export is written from it. Times are integer milliseconds since the session began,
on the wizard's clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import reduce
from pathlib import Path
from typing import Any, Literal, Protocol

from curtain.base.hearing import HeardWord, Modality
from curtain.base.record_file import by_name
from curtain.session.consent import ConsentScope, ConsentState, names_form
from curtain.session.events.speaker import SpeakerDescription
from curtain.session.events.subject_events import DISCLOSURE, WITHDRAW
from curtain.session.journal.journals import Journals
from curtain.session.questionnaires.scores import scores_of
from curtain.session.study.languages import ENGLISH
from curtain.session.turns.scenario_runs import ScenarioRun, run_at
from curtain.session.turns.turns import HypothesisUse

Category = Literal["0", "1", "2", "3", "X"]
EvalClass = Literal["A", "D1", "D", "X"]
Split = Literal["train", "dev", "test", "none"]

Origin = Literal["live", "annotated", "ruled", "typed"]
"""Who says so: what the session itself knew, an annotator, the ruling of an adjudicator; of words that the subject
typed, the subject, so that nobody has to write them down."""

Hidden = Literal["none", "part", "whole"]
"""How much of an utterance is hidden; `whole`: nothing is left of its recording."""

ORIGINS = ("text_from", "sql_from", "class_from", "redacted")
"""What every row of every format has to filter on: who says what is in it, and how much of it is hidden."""

EVERYWHERE = (*ORIGINS, "modality", "condition_id", "hypothesis", "answered_by")
"""What every row of every format has besides: whether it was spoken or typed, under which condition, what a recogniser
heard, and who answered."""

AT_END = f"{DISCLOSURE}.{WITHDRAW[0]}"
"""Among the answers of a session: what the subject said at the end about keeping the data."""

REDACTED = "[redacted]"
"""Stands in a text for what is hidden there."""


@dataclass(frozen=True, slots=True)
class ContextLink:
    """An earlier utterance of the same session that this one depends on: on its text or on its answer."""

    utterance_id: str
    to: Literal["text", "answer"]


@dataclass(frozen=True, slots=True)
class Reference:
    """One reading of the query: minimum and maximum as SQL and as CAS. `weight` prefers readings (papers/003 7.2.2);
    `reads` says whether the reading takes the context into account, where that makes two readings."""

    sql_min: str | None
    cas_min: str | None
    sql_max: str | None = None
    cas_max: str | None = None
    weight: float = 1.0
    reads: Literal["any", "with_context", "without_context"] = "any"


@dataclass(frozen=True, slots=True)
class Redaction:
    """What must not leave: a span of the recording in ms, a span of characters of the query, or both. `replacement`
    stands in the text; in the audio there is silence of equal length. The span of text counts in the query, or in the
    detailed transcription where `in_text` says so; ms count from the start of the recording."""

    kind: str
    start_ms: int | None = None
    end_ms: int | None = None
    start_char: int | None = None
    end_char: int | None = None
    replacement: str = REDACTED
    in_text: Literal["query", "sro"] = "query"

    def silence(self, frames: int, rate: int) -> tuple[int, int]:
        """From which frame to which a recording of `frames` at `rate` Hz is silent, rounded outwards. A span of text
        without one of the recording silences all of it."""
        if self.start_ms is None and self.end_ms is None:
            return 0, frames
        # Rounded up: a frame too much is silent rather than one too few.
        stop = frames if self.end_ms is None else -(-self.end_ms * rate // 1000)
        return max(0, (self.start_ms or 0) * rate // 1000), max(0, min(stop, frames))


@dataclass(frozen=True, slots=True)
class Utterance:
    """One row. Texts, SQL and answers are as they may leave, with redactions applied; `audio` is the original file, to
    be read through `redaction.utterances.samples`; what was typed (`modality`) has none. `references` is empty where no
    answer counts as right.
    `text_from` says where the words of `lsn` come from, `sql_from` the references, `class_from` the class and all that
    belongs to it; None where there is nothing of the kind. `hypothesis` is what a recogniser made of the utterance,
    `hypothesis_use` to `decoding_s` are as in `curtain.session.turns.turns.Turn`;
    `answered_by` is `wizard` or the name of a system; a turn that was `taken_over` does not count in a comparison.
    `sent_sql` is the statement behind the answer that the subject got, whatever annotators made of it since.
    `language` is that of its session. `answered_since`: the wizard corrected the answer after somebody had judged the
    turn, so that class and references are those of the live session until it is judged again.
    """

    utterance_id: str
    session_id: str
    speaker_id: str
    turn: int
    scenario_id: str | None = None
    audio: Path | None = None
    modality: Modality = "speech"
    frames: int | None = None
    sample_rate_hz: int | None = None
    start_ms: int | None = None
    end_ms: int | None = None
    query: str | None = None
    sro: str | None = None
    lsn: str | None = None
    category: Category | None = None
    eval_class: EvalClass | None = None
    tags: tuple[str, ...] = ()
    site_tags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    context: tuple[ContextLink, ...] = ()
    references: tuple[Reference, ...] = ()
    yes_no: bool = False
    outcome: str = "open"
    message_id: str | None = None
    message: str | None = None
    counts_as: str | None = None
    nl_input: str | None = None
    wizard_latency_ms: int | None = None
    history_cleared: bool = False
    practice: bool = False
    pilot: bool = False
    clipped: bool = False
    recovered: bool = False
    cut_short: bool = False
    notes: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    redactions: tuple[Redaction, ...] = ()
    split: Split = "none"
    times: tuple[tuple[str, int], ...] = ()
    text_from: Origin | None = None
    sql_from: Origin | None = None
    class_from: Origin | None = None
    condition_id: str | None = None
    hypothesis: str | None = None
    hypothesis_use: HypothesisUse | None = None
    recogniser: str | None = None
    heard_words: tuple[HeardWord, ...] = ()
    decoding_s: float | None = None
    answered_by: str | None = None
    taken_over: bool = False
    late_ms: int | None = None
    sent_sql: str | None = None
    language: str = ENGLISH
    answered_since: bool = False

    @property
    def redacted(self) -> Hidden:
        """How much is hidden of what was said."""
        if not self.redactions:
            return "none"
        return "whole" if self._is_silenced() else "part"

    @property
    def words_left(self) -> str | None:
        """The query, or else the transcription's words, where not all of it is hidden; None where nothing is left."""
        marks = {REDACTED, *(one.replacement for one in self.redactions)}
        return next((text for text in (self.query, self.lsn) if text and not _is_hidden(text, marks)), None)

    @property
    def is_hidden(self) -> bool:
        """Whether no word is left of what was said; of an utterance without words, whether no sound is left."""
        has_words = self.query is not None or self.lsn is not None
        return bool(self.redactions) and not self.words_left and (has_words or self.redacted == "whole")

    def cleared(self, *names: str) -> Utterance:
        """The same without what these fields say."""
        blank: dict[str, Any] = {one.name: one.default for one in fields(self) if one.name in names}
        return replace(self, **blank)

    @property
    def origins(self) -> dict[str, str | None]:
        """The values of EVERYWHERE, by name."""
        return by_name(self, *EVERYWHERE)

    @property
    def context_not_known(self) -> bool:
        """Nobody has said yet whether it means something without what was asked before."""
        return self.class_from in (None, "live") and not self.context

    @property
    def stands_alone(self) -> bool:
        """Somebody has said that it means something without what was asked before."""
        if self.context or self.class_from in (None, "live"):
            return False
        return self.eval_class == "A" or (self.eval_class is None and self.category == "0")

    def _is_silenced(self) -> bool:
        """Redactions cover the whole recording."""
        if not self.frames or not self.sample_rate_hz:
            return False
        silent_to = 0
        for start, end in sorted(one.silence(self.frames, self.sample_rate_hz) for one in self.redactions):
            if start > silent_to:
                break
            silent_to = max(silent_to, end)
        return silent_to >= self.frames

    @property
    def duration_s(self) -> float | None:
        """Seconds of the recording, from its frames and never from clocks; None without a recording."""
        return self.frames / self.sample_rate_hz if self.frames is not None and self.sample_rate_hz else None


def _is_hidden(text: str, marks: Iterable[str]) -> bool:
    return not any(sign.isalnum() for sign in reduce(lambda left, mark: left.replace(mark, ""), marks, text))


@dataclass(frozen=True, slots=True)
class Session:
    """One session with its utterances in the order of turns. `recorded` is the day as ISO 8601; `scenarios`
    are in the order of their starts; `manifest_sha256` names what was collected, "" while the session is open,
    and `annotations_sha256` what was said about it since. `speaker` is None where nothing was stated, `consent_scopes`
    where nobody recorded what the consent allows. `consent_signed_on` is a day as ISO 8601. `pauses` are (begin, end)
    in ms. `language` is that in which the subject spoke (BCP 47), `und` where the study does not say it. `planned` are
    the (scenario, condition) that it was to have, in order, and `analysis` is what the study had declared."""

    session_id: str
    speaker_id: str
    site: str
    domain: str
    content_sha256: str
    dialect: str
    rule_book: str
    recorded: str | None
    wizard_ids: tuple[str, ...]
    consent_id: str | None
    app_version: str
    closed: bool
    pilot: bool
    manifest_sha256: str
    path: Path
    utterances: tuple[Utterance, ...]
    scenarios: tuple[ScenarioRun, ...] = ()
    questionnaire: tuple[tuple[str, str], ...] = ()
    wizard_questionnaire: tuple[tuple[str, str], ...] = ()
    annotations_sha256: str = ""
    speaker: SpeakerDescription | None = None
    consent_scopes: tuple[ConsentScope, ...] | None = None
    consent_signed_on: str | None = None
    undisclosed: bool | None = None
    """Whether nobody has disclosed to the subject who answered, though it was planned; None where nothing says so."""
    pauses: tuple[tuple[int, int], ...] = ()
    language: str = ENGLISH
    planned: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    analysis: Mapping[str, Any] = field(default_factory=dict, compare=False)
    breaking: frozenset[int] = field(default=frozenset(), compare=False)
    """The turns that break a rule of annotation, where the corpus was asked for them."""
    journals: Journals | None = field(default=None, repr=False, compare=False)
    """The session's journals, where the corpus was asked to keep them."""

    @property
    def consent(self) -> ConsentState:
        """Where the consent stands, for the gate."""
        return ConsentState(self.consent_id or "", self.consent_scopes, self.withdrawn, self.undisclosed)

    @property
    def has_consent(self) -> bool:
        """Whether somebody named the form that the speaker signed; "none" and "trial" are no forms."""
        return names_form(self.consent_id or "")

    @property
    def may_keep_audio(self) -> bool:
        """Whether recordings of this session may leave its folder: as before where nobody recorded what is allowed, and
        in one's own trials, which have no form."""
        return self.consent_scopes is None or not self.has_consent or "keep_audio" in self.consent_scopes

    @property
    def scores(self) -> dict[str, float]:
        """The scores of subject and wizard by name, after their published keys; a missing item gives no score.

        That of a form on one scenario ends in “@” and the scenario's id.
        """
        return scores_of((*self.questionnaire, *self.wizard_questionnaire))

    @property
    def withdrawn(self) -> bool:
        """Whether the subject asked at the end that everything is deleted."""
        return self.at_end == WITHDRAW[1]

    @property
    def at_end(self) -> str | None:
        """What the subject said at the end about keeping the data: "keep", "withdraw", "" on a page that was left
        without an answer; None where nobody asked."""
        return dict(self.questionnaire).get(AT_END)

    def scenario_of(self, utterance: Utterance) -> ScenarioRun | None:
        """The scenario as it ran when the key of an utterance went down."""
        return run_at(self.scenarios, utterance.scenario_id, dict(utterance.times).get("key_down"))

    def stretches(self) -> Iterator[list[Utterance]]:
        """The dialogues: what was asked about one scenario, up to where the subject cleared the history."""
        stretch: list[Utterance] = []
        for utterance in self.utterances:
            if stretch and (utterance.history_cleared or utterance.scenario_id != stretch[-1].scenario_id):
                yield stretch
                stretch = []
            stretch.append(utterance)
        if stretch:
            yield stretch


class Corpus(Protocol):
    """What a writer is given: filters and splits are already applied. Sessions come in the order of their ids, one at a
    time in memory. A writer goes through them once: nothing of a session's folder is read twice."""

    title: str
    licence: str
    blind: bool
    """Without answers: `references`, SQL and categories are withheld from every utterance."""
    speech_only: bool
    """Without words too: of what was said only the recordings are there."""
    version: str
    authors: tuple[str, ...]
    """Who is to be cited: the sites where nobody is named."""
    erased: tuple[tuple[str, str], ...]
    """The ids of utterances that are no more, each with the day on which it was erased."""

    def sessions(self) -> Iterator[Session]:
        """The sessions one after the other, read only when asked for: a corpus need not fit in memory."""

    def database(self, domain: str) -> Path:
        """The DuckDB file of a domain, built on first use."""
        ...

    def units(self, domain: str) -> str:
        """The units of a domain's columns, as a sentence; empty where none is known."""
        ...
