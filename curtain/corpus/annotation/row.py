"""A row of an annotation layer: append-only, superseding an earlier one by its id; who and when is kept."""

from typing import Any, Literal

import msgspec

Layer = Literal["transcription", "category", "sql", "cas", "redaction", "note"]
LAYERS: tuple[Layer, ...] = ("transcription", "category", "sql", "cas", "redaction", "note")
Status = Literal["draft", "final", "adjudicated"]


class LayerRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `annotations/<layer>.jsonl`; the line ends in the `crc` member that journals have.

    Values by layer: transcription {sro, lsn}; category {category, eval_class, tags, site_tags, reasons, context};
    sql and cas {references: [{sql_min, sql_max, cas_min, cas_max, weight, reads}], yes_no}; redaction {spans}; note
    {text}.
    `seconds` is how long the turn was worked on until it was saved, the same on all rows of one saving; unknown where
    it is None, and then not in the line.
    The current value for one annotator is their last row that nobody superseded; an `adjudicated` row rules over all.
    """

    id: str
    utterance_id: str
    layer: Layer
    value: dict[str, Any]
    by: str
    at_utc: str
    tool: str
    supersedes: str | None = None
    status: Status = "final"
    seconds: float | None = None

    def members(self) -> dict[str, Any]:
        """What stands in the line, but for its number and checksum."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return {name: value for name, value in plain.items() if name != "seconds" or value is not None}
