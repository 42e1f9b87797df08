"""The tables that a subject saw, as they may leave: without the words that anybody wants hidden in the session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import read_with_record
from curtain.corpus.redaction.hidden_words import HiddenWords
from curtain.corpus.redaction.session_secrets import session_secrets
from curtain.corpus.redaction.utterances import redacted_text
from curtain.session.events import wizard_events


@dataclass(frozen=True, slots=True)
class ScreenTable:
    """An answer on the subject's screen; `total` rows there were, which may be more than are shown."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int


def shown_tables(bundle: Path, domains: Domains) -> Mapping[int, ScreenTable]:
    """The table that was sent last, by turn. Raises as `curtain.corpus.model.reader.read_session`."""
    session, record = read_with_record(bundle, domains)
    hidden, _ = session_secrets(session.utterances)
    return {
        entry.turn: _table(fact.table, hidden)
        for entry, fact, _ in record.wizard
        if isinstance(fact, wizard_events.AnswerSent) and entry.turn is not None
    }


def _table(sent: wizard_events.SentTable, hidden: HiddenWords) -> ScreenTable:
    def cleaned(texts: list[str]) -> tuple[str, ...]:
        return tuple(redacted_text(text, hidden) or "" for text in texts)

    return ScreenTable(cleaned(sent.headings), tuple(map(cleaned, sent.rows)), sent.total)
