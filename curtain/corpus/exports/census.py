"""What a corpus holds, counted a session at a time."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curtain.corpus.model.utterance import ORIGINS, Session, Utterance

NOTHING = "nothing"
"""Stands for no origin: there is no text, no reference or no class."""


@dataclass
class Census:
    """Counts of sessions and utterances. `seconds` is the length of all recordings by split."""

    sessions: int = 0
    without_consent: int = 0
    speakers: Counter[str] = field(default_factory=Counter)
    wizards: Counter[str] = field(default_factory=Counter)
    sites: Counter[str] = field(default_factory=Counter)
    domains: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    classes: Counter[str] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    annotators: Counter[str] = field(default_factory=Counter)
    recorded: int = 0
    redacted: int = 0
    referenced: int = 0
    origins: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in ORIGINS})
    """By column, how many utterances have which value."""
    annotated_twice: dict[Path, set[int]] = field(default_factory=dict)
    """The turns that two have annotated, by the folder of their session."""

    @property
    def utterances(self) -> int:
        """How many utterances, over all splits."""
        return self.splits.total()

    @property
    def known_origins(self) -> dict[str, Counter[str]]:
        """Without the columns in which no row has a value, as in a blind test set."""
        return {name: counts for name, counts in self.origins.items() if set(counts) - {NOTHING}}

    @property
    def hours(self) -> float:
        """The length of all recordings, in hours."""
        return sum(self.seconds.values()) / 3600

    def add(self, session: Session) -> None:
        """Count a session with all its utterances."""
        self.sessions += 1
        self.without_consent += not session.has_consent
        self.wizards.update(session.wizard_ids)
        self.sites[session.site or "not stated"] += 1
        self.domains[session.domain] += 1
        self.languages[session.language] += 1
        for utterance in session.utterances:
            self.add_utterance(utterance)
            if len(utterance.annotators) > 1:
                self.annotated_twice.setdefault(session.path, set()).add(utterance.turn)

    def add_utterance(self, utterance: Utterance) -> None:
        """Count one utterance; an utterance without a recording adds no seconds."""
        self.speakers[utterance.speaker_id] += 1
        self.splits[utterance.split] += 1
        self.seconds[utterance.split] = self.seconds.get(utterance.split, 0.0) + (utterance.duration_s or 0.0)
        self.classes[utterance.eval_class or "not classified"] += 1
        self.categories[utterance.category or "not categorised"] += 1
        self.outcomes[utterance.outcome] += 1
        self.tags.update(utterance.tags + utterance.site_tags)
        self.reasons.update(utterance.reasons)
        self.annotators.update(utterance.annotators)
        self.recorded += utterance.audio is not None
        self.redacted += bool(utterance.redactions)
        self.referenced += bool(utterance.references)
        for name in ORIGINS:
            value = utterance.origins[name]
            self.origins[name][value or NOTHING] += 1

    def as_json(self) -> dict[str, Any]:
        """The counts that every export carries."""
        per_split = {
            split: {"utterances": count, "hours": round(self.seconds[split] / 3600, 4)}
            for split, count in sorted(self.splits.items())
        }
        whole = {"sessions": self.sessions, "speakers": len(self.speakers), "utterances": self.utterances}
        origins = {name: dict(sorted(counts.items())) for name, counts in self.known_origins.items()}
        return {**whole, "hours": round(self.hours, 4), "splits": per_split, "origins": origins}
