"""The row that data-set hubs show: what was said, what counts as right, and how it is classed."""

from typing import Any

from curtain.base.record_file import by_name
from curtain.corpus.exports.utterance_table import COLUMNS, TEXT, row_of
from curtain.corpus.model.utterance import EVERYWHERE, Reference, Session, Utterance

_OF_ANSWER = ("sql_min", "sql_max", "cas_min", "cas_max")
_NAMES = (
    "utterance_id", "session_id", "speaker_id", "site", "domain", "scenario_id", "turn", "duration", "transcription",
    "sro", "query", *_OF_ANSWER, "references", "yes_no", "category", "eval_class", "tags", "context", "outcome",
    "message_id", "message", *EVERYWHERE,
)  # fmt: skip
_SHAPES = {**COLUMNS, "duration": COLUMNS["duration_s"], "transcription": COLUMNS["lsn"]}

FLAT = {name: _SHAPES.get(name, TEXT) for name in _NAMES}
"""The columns in their order. `sql_min` to `cas_max` are of the preferred reading; `references` has all readings.
Answers are text: nested tuples of mixed types have no one type in a table."""


def preferred(utterance: Utterance) -> Reference | None:
    """The reading with the greatest weight, the first of equals; None if no answer counts as right."""
    return max(utterance.references, key=lambda one: one.weight, default=None)


def flat_row(session: Session, utterance: Utterance, seconds: float) -> dict[str, Any]:
    """One row, in the order of FLAT. `seconds` is the length of the recording."""
    answer = preferred(utterance) or Reference(None, None)
    row = row_of(session, utterance) | {"duration": seconds, "transcription": utterance.lsn}
    row |= by_name(answer, *_OF_ANSWER)
    return {name: row[name] for name in FLAT}
