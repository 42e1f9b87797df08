"""The row that data-set hubs show: what was said, what counts as right, and how it is classed."""

from __future__ import annotations

from typing import Any

import msgspec

from curtain.corpus.exports.utterance_table import COLUMNS, COUNT, EVERYWHERE, FLAG, REAL, TEXT, Shape
from curtain.corpus.model.utterance import Reference, Session, Utterance

FLAT: dict[str, Shape] = {
    "utterance_id": TEXT,
    "session_id": TEXT,
    "speaker_id": TEXT,
    "site": TEXT,
    "domain": TEXT,
    "scenario_id": TEXT,
    "turn": COUNT,
    "duration": REAL,
    "transcription": TEXT,
    "sro": TEXT,
    "query": TEXT,
    "sql_min": TEXT,
    "sql_max": TEXT,
    "cas_min": TEXT,
    "cas_max": TEXT,
    "references": COLUMNS["references"],
    "yes_no": FLAG,
    "category": TEXT,
    "eval_class": TEXT,
    "tags": [TEXT],
    "context": COLUMNS["context"],
    "outcome": TEXT,
    "message_id": TEXT,
    "message": TEXT,
    **dict.fromkeys(EVERYWHERE, TEXT),
}
"""The columns in their order. `sql_min` to `cas_max` are of the preferred reading; `references` has all readings.
Answers are text: nested tuples of mixed types have no one type in a table."""


def preferred(utterance: Utterance) -> Reference | None:
    """The reading with the greatest weight, the first of equals; None if no answer counts as right."""
    return max(utterance.references, key=lambda one: one.weight, default=None)


def flat_row(session: Session, utterance: Utterance, seconds: float) -> dict[str, Any]:
    """One row, in the order of FLAT. `seconds` is the length of the recording."""
    answer = preferred(utterance) or Reference(None, None)
    special = {
        "site": session.site,
        "domain": session.domain,
        "duration": seconds,
        "transcription": utterance.lsn,
        "sql_min": answer.sql_min,
        "sql_max": answer.sql_max,
        "cas_min": answer.cas_min,
        "cas_max": answer.cas_max,
        "references": msgspec.to_builtins(utterance.references),
        "context": msgspec.to_builtins(utterance.context),
    }
    return {name: special[name] if name in special else getattr(utterance, name) for name in FLAT}
