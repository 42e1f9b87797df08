"""A corpus: a study or single sessions of one, filtered and split, streamed one session at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from curtain.corpus.model.consents import NotedConsent, read_consents, with_consent
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.filters import Counts, Filters
from curtain.corpus.model.reader import BrokenTurns, read_session
from curtain.corpus.model.references import unanswerable
from curtain.corpus.model.sources import Source, sources_of
from curtain.corpus.model.splits import read_splits
from curtain.corpus.model.utterance import Session, Split, Utterance
from curtain.corpus.redaction.pseudonyms import Pseudonyms
from curtain.corpus.redaction.tombstones import read_tombstone_rows
from curtain.session.bundle.checks import ensure_study_whole, ensure_whole
from curtain.session.journal.journals import Journals

# The others say whether there was an answer.
_TIMES_OF_SPEAKING = ("key_down", "key_up", "take_saved")


@dataclass
class BundleCorpus:
    """Implements the Corpus protocol. After a complete pass `counts` says what was kept and why the rest was not."""

    sources: tuple[Source, ...]
    filters: Filters
    title: str
    licence: str
    blind: bool
    splits: Mapping[str, Split]
    version: str = "0.0.0"
    authors: tuple[str, ...] = ()
    erased: tuple[tuple[str, str], ...] = ()
    speech_only: bool = False
    counts: Counts = field(default_factory=Counts)
    domains: Domains = field(default_factory=Domains)
    pseudonyms: Pseudonyms = field(default_factory=Pseudonyms)
    packs: dict[str, str] = field(default_factory=dict)
    """From the name of a domain to what the sessions call it, which may be the folder of a pack."""
    consents: Mapping[str, NotedConsent] = field(default_factory=dict)
    """What the study has noted about consents since its sessions, by session id."""
    journals: bool = False
    """Whether sessions keep their journals, for checks."""
    broken_turns: Callable[[Path | None], BrokenTurns] | None = None
    """The rules of a study's annotators, for whoever counts what breaks them."""
    key: Callable[[Session], object] | None = None
    """Receives each session with nothing withheld: the references of a blind test."""

    @property
    def study(self) -> Path | None:
        """The study of all its sessions; None for sessions' folders outside of any."""
        return self.sources[0].study

    def sessions(self) -> Iterator[Session]:
        """Sessions in the order of their ids, one at a time in memory. Raises CurtainError for one that is damaged."""
        counts = self.counts = Counts()
        # Whoever takes everything, whatever consents say, notes a consent or looks at what they leave out.
        study = self.study
        if study and self.filters.use is not None:
            ensure_study_whole(study)
        rules = self.broken_turns(study) if self.broken_turns else None
        for source in sorted(self.sources, key=lambda source: source.session_id):
            session = self._read(source, rules)
            allowed = with_consent(session, self.consents.get(source.session_id), source.discloses)
            kept = self.filters.apply(allowed, counts)
            if kept is not None and self.blind:
                kept = counts.leave_out(kept, unanswerable(kept))
            if kept is not None:
                named = self.pseudonyms.session(kept, study)
                self.packs[named.domain] = kept.domain
                if self.key is not None:
                    self.key(named)
                yield withheld(named, self.speech_only) if self.blind else named

    def with_answers(self) -> BundleCorpus:
        """The same corpus with nothing withheld."""
        return replace(self, blind=False, speech_only=False, counts=Counts())

    def database(self, domain: str) -> Path:
        """The DuckDB file of a domain, built on first use. Raises PackError."""
        return self.domains.database(self.packs.get(domain, domain))

    def units(self, domain: str) -> str:
        """The units of a domain's columns, as a sentence; empty where none is known."""
        return self.domains.units(self.packs.get(domain, domain))

    def _read(self, source: Source, rules: BrokenTurns | None) -> Session:
        """One session. Raises CurtainError unless it is whole, and what `read_session` raises."""
        journals = Journals(source.path)
        ensure_whole(source.path, journals)
        session = read_session(
            source.path,
            site=source.site,
            language=source.language,
            splits=self.splits,
            domains=self.domains,
            journals=journals,
            broken_turns=rules,
        )
        return replace(session, journals=journals) if self.journals else session


def open_corpus(
    bundles_or_studies: Sequence[Path],
    filters: Filters = Filters(),  # noqa: B008 - a frozen value
    *,
    title: str = "",
    licence: str = "",
    blind: bool = False,
    speech_only: bool = False,
    version: str = "",
    authors: Sequence[str] = (),
    journals: bool = False,
    broken_turns: Callable[[Path | None], BrokenTurns] | None = None,
) -> BundleCorpus:
    """A corpus of a study (all its sessions), or of sessions' folders of one study. Nothing is read of them yet.

    Raises CurtainError, StudyMissing, CurtainError.
    """
    filters.check()
    sources = sources_of(bundles_or_studies)
    study = sources[0].study
    return BundleCorpus(
        sources=sources,
        filters=filters,
        title=title or ", ".join(dict.fromkeys((study or source.path.parent).name for source in sources)),
        licence=licence,
        blind=blind or speech_only,
        speech_only=speech_only,
        splits=read_splits(study, needed=filters.use is not None).by_speaker if study else {},
        version=version or "0.0.0",
        authors=tuple(authors) or tuple(sorted({source.site for source in sources if source.site})),
        erased=tuple(sorted(read_tombstone_rows(study))) if study else (),
        consents=read_consents(study) if study else {},
        journals=journals,
        broken_turns=broken_turns,
    )


def withheld(session: Session, speech_only: bool = False) -> Session:
    """The session without anything that reveals an answer, for a blind test: what was said stays, what it meant goes.

    With `speech_only` the words go too, so that whoever is tested begins with the recording.
    """
    utterances = tuple(map(_blind, session.utterances))
    if speech_only:
        utterances = tuple(one.cleared(*_WORDS) for one in utterances)
    # What the subject stated at the end of a scenario is its answer.
    return replace(session, utterances=utterances, scenarios=(), questionnaire=(), wizard_questionnaire=())


_WORDS = ("query", "sro", "lsn", "text_from", "hypothesis", "hypothesis_use", "heard_words")
# All other fields may say what was meant, so a new one is withheld until somebody names it here.
_OF_SPEECH = frozenset((
    "utterance_id", "session_id", "speaker_id", "turn", "scenario_id", "audio", "modality", "frames",
    "sample_rate_hz", "start_ms", "end_ms", "query", "sro", "lsn", "text_from", "hypothesis", "hypothesis_use",
    "recogniser", "heard_words", "decoding_s", "language", "redactions", "split",
    "condition_id", "history_cleared", "practice", "pilot", "clipped", "recovered", "cut_short",
    "answered_by", "answered_since", "taken_over", "late_ms",
))  # fmt: skip


def _blind(utterance: Utterance) -> Utterance:
    times = tuple((name, ms) for name, ms in utterance.times if name in _TIMES_OF_SPEAKING)
    withheld_fields = (one.name for one in fields(utterance) if one.name not in _OF_SPEECH)
    return replace(utterance.cleared(*withheld_fields), outcome="withheld", times=times)
