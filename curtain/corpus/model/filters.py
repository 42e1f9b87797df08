"""Which utterances go into a corpus, and why the others do not."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from curtain.base.errors import CurtainError
from curtain.corpus.model.gate import reason_against
from curtain.corpus.model.utterance import Session, Utterance
from curtain.session.consent import USES, DataUse

REVEALING = frozenset({"classes"})
"""Filters that reveal what the utterances count as, which nobody may know of a blind test."""

REVEALING_REASONS = frozenset({"no class yet", "another class"})
"""Their reasons."""

NOT_TRANSCRIBED = "not transcribed by a person"
NOT_CLASSED = "not classed by a person"
"""Reasons against what the live session alone says."""

PILOT = "pilot session"

ANOTHER_SPLIT = "another split"
HIDDEN = "its words are hidden"
"""The reason of judges' packets and blind tests against a question of which nothing can be read."""

_CLASSES = ("A", "D1", "D", "X")
SPLITS = ("train", "dev", "test", "none")


@dataclass
class Counts:
    """Utterances and sessions before and after, and the reason for every utterance dropped."""

    utterances: int = 0
    kept: int = 0
    sessions: int = 0
    sessions_kept: int = 0
    speakers: set[str] = field(default_factory=set)
    speakers_kept: set[str] = field(default_factory=set)
    dropped: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, str] = field(default_factory=dict)
    """Why the last session that was left out of a speaker was."""
    silent: int = 0
    """Utterances kept without their recording, since the consent does not cover keeping it."""

    def leave_out(self, session: Session, reasons: Mapping[str, str]) -> Session | None:
        """A kept session without those of its utterances for which `reasons` has one, by id; None if nothing stays."""
        kept = tuple(one for one in session.utterances if one.utterance_id not in reasons)
        self.dropped.update(reasons.values())
        self.kept -= len(reasons)
        self.sessions_kept -= not kept
        return replace(session, utterances=kept) if kept else None


def left_out_lines(dropped: Mapping[str, int]) -> list[str]:
    """How many utterances were left out, a line for each reason."""
    return [f"left out: {count} ({reason})" for reason, count in sorted(dropped.items())]


@dataclass(frozen=True)
class Filters:
    """Empty means all. Dates are ISO 8601 days, both included. `consents` are ids; `with_consent` asks that there is
    one at all. `use` is what the data are for: the consent must cover it, unless it is None (work on the consents
    themselves). Pilot sessions, practice turns, and `live` what nobody has transcribed and classed since are left out
    unless they are asked for."""

    classes: frozenset[str] = frozenset()
    speakers: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    splits: frozenset[str] = frozenset()
    since: str | None = None
    until: str | None = None
    consents: frozenset[str] = frozenset()
    with_consent: bool = False
    use: DataUse | None = "own"
    pilot: bool = False
    practice: bool = False
    cancelled: bool = True
    live: bool = False

    def check(self) -> None:
        """Raises CurtainError for a name that there is not and for dates that are none."""
        for what, given, allowed in (("class", self.classes, _CLASSES), ("split", self.splits, SPLITS)):
            for name in sorted(given - set(allowed)):
                raise CurtainError(f"There is no {what} “{name}”, only {', '.join(allowed)}.")
        if self.use is not None and self.use not in USES:
            raise CurtainError(f"There is no use “{self.use}”, only {', '.join(USES)}.")
        for day in (self.since, self.until):
            _check_day(day)

    def reason_against(self, session: Session) -> str | None:
        """Why a whole session is left out; None if it stays."""
        not_chosen = next((reason for reason, holds in self._of_sessions() if holds(session)), None)
        if not_chosen or self.use is None:
            return not_chosen
        return reason_against(session.consent, self.use, with_form=self.with_consent)

    def reason_against_utterance(self, utterance: Utterance) -> str | None:
        """Why one utterance of a session that stays is left out; None if it stays."""
        return next((reason for reason, holds in self._of_utterances() if holds(utterance)), None)

    def apply(self, session: Session, counts: Counts) -> Session | None:
        """The session with what stays of it; None if nothing does. `counts` counts every utterance."""
        counts.sessions += 1
        counts.utterances += len(session.utterances)
        counts.speakers.add(session.speaker_id)
        reason = self.reason_against(session)
        if reason is not None:
            counts.dropped[reason] += len(session.utterances)
            counts.left_out[session.speaker_id] = reason
            return None
        kept = _audible(session, tuple(one for one in session.utterances if self._stays(one, counts)), counts)
        # What its consent allows is asked of a session without a turn, too.
        if not kept and self.use is not None:
            counts.left_out[session.speaker_id] = "no query"
            return None
        counts.kept += len(kept)
        counts.sessions_kept += 1
        counts.speakers_kept.add(session.speaker_id)
        return replace(session, utterances=kept)

    def _stays(self, utterance: Utterance, counts: Counts) -> bool:
        reason = self.reason_against_utterance(utterance)
        if reason is not None:
            counts.dropped[reason] += 1
        return reason is None

    def _of_sessions(self) -> Iterator[tuple[str, Callable[[Session], bool]]]:
        if self.speakers:
            yield "another speaker", lambda one: one.speaker_id not in self.speakers
        if self.sessions:
            yield "another session", lambda one: one.session_id not in self.sessions
        if not self.pilot:
            yield PILOT, lambda one: one.pilot
        if self.consents:
            yield "another consent", lambda one: one.consent_id not in self.consents
        if self.since or self.until:
            # Left out rather than let in: it may have been recorded outside these days.
            yield "day not known", lambda one: one.recorded is None
        if self.since:
            yield f"before {self.since}", lambda one: (one.recorded or "") < (self.since or "")
        if self.until:
            yield f"after {self.until}", lambda one: (one.recorded or "") > (self.until or "")

    def _of_utterances(self) -> Iterator[tuple[str, Callable[[Utterance], bool]]]:
        if not self.practice:
            yield "practice", lambda one: one.practice
        if not self.cancelled:
            yield "cancelled", lambda one: one.outcome == "cancelled"
        if self.splits:
            yield ANOTHER_SPLIT, lambda one: one.split not in self.splits
        if not self.live:
            yield (
                NOT_TRANSCRIBED,
                lambda one: one.text_from == "live" or (one.text_from is None and one.audio is not None),
            )
            yield NOT_CLASSED, lambda one: one.class_from in (None, "live")
        if self.classes:
            yield "no class yet", lambda one: one.eval_class is None
            yield "another class", lambda one: one.eval_class not in self.classes


def _audible(session: Session, kept: tuple[Utterance, ...], counts: Counts) -> tuple[Utterance, ...]:
    """The same utterances, without recordings where the consent does not cover keeping them."""
    if session.may_keep_audio:
        return kept
    counts.silent += sum(one.audio is not None for one in kept)
    return tuple(replace(one, audio=None, frames=None, sample_rate_hz=None) for one in kept)


def _check_day(day: str | None) -> None:
    try:
        # fromisoformat also reads 20260301 and 2026-W09-7, which do not compare as texts.
        if day is not None and date.fromisoformat(day).isoformat() != day:
            raise ValueError(day)
    except ValueError as error:
        raise CurtainError(f"“{day}” is no day; write it as 2026-03-01.") from error
