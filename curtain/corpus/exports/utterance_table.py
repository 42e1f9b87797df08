"""The utterance table: one row for each utterance, with all that is known of it and its session's database.

Plain types, lists and structs only, so that JSON lines and Parquet say the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from curtain.base.sql_names import quoted
from curtain.corpus.model.utterance import Session, Utterance
from curtain.session.turns.scenario_runs import ScenarioRun

Shape: TypeAlias = "str | list[Shape] | dict[str, Shape]"
"""A DuckDB type by name, a list of one shape, or a struct of named shapes."""

TEXT, COUNT, REAL, FLAG = "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"

COLUMNS: dict[str, Shape] = {
    "utterance_id": TEXT,
    "session_id": TEXT,
    "speaker_id": TEXT,
    "site": TEXT,
    "domain": TEXT,
    "dialect": TEXT,
    "rule_book": TEXT,
    "wizard_ids": [TEXT],
    "turn": COUNT,
    "scenario_id": TEXT,
    "scenario_start_ms": COUNT,
    "scenario_end_ms": COUNT,
    "scenario_answer": TEXT,
    "scenario_answer_ms": COUNT,
    "given_up": FLAG,
    "audio": TEXT,
    "frames": COUNT,
    "sample_rate_hz": COUNT,
    "duration_s": REAL,
    "start_ms": COUNT,
    "end_ms": COUNT,
    "query": TEXT,
    "sro": TEXT,
    "lsn": TEXT,
    "text_from": TEXT,
    "category": TEXT,
    "eval_class": TEXT,
    "class_from": TEXT,
    "tags": [TEXT],
    "site_tags": [TEXT],
    "reasons": [TEXT],
    "context": [{"utterance_id": TEXT, "to": TEXT}],
    "references": [{"sql_min": TEXT, "cas_min": TEXT, "sql_max": TEXT, "cas_max": TEXT, "weight": REAL, "reads": TEXT}],
    "sql_from": TEXT,
    "yes_no": FLAG,
    "outcome": TEXT,
    "message_id": TEXT,
    "message": TEXT,
    "counts_as": TEXT,
    "nl_input": TEXT,
    "wizard_latency_ms": COUNT,
    "history_cleared": FLAG,
    "practice": FLAG,
    "pilot": FLAG,
    "clipped": FLAG,
    "recovered": FLAG,
    "cut_short": FLAG,
    "notes": [TEXT],
    "annotators": [TEXT],
    "redacted": TEXT,
    "redactions": [
        {
            "kind": TEXT,
            "start_ms": COUNT,
            "end_ms": COUNT,
            "start_char": COUNT,
            "end_char": COUNT,
            "replacement": TEXT,
            "in_text": TEXT,
        }
    ],
    "split": TEXT,
    "times": [{"name": TEXT, "ms": COUNT}],
    "condition_id": TEXT,
    "hypothesis": TEXT,
    "answered_by": TEXT,
    "taken_over": FLAG,
    "late_ms": COUNT,
    "scenario_solution": TEXT,
    "scenario_solution_from": TEXT,
    "sent_sql": TEXT,
    "language": TEXT,
    "answered_since": FLAG,
}
"""The columns in their order. `audio` is the file's name inside the bundle; times are ms since the session began."""

ORIGINS = ("text_from", "sql_from", "class_from", "redacted")
"""What every row of every format has to filter on: who says what is in it, and how much of it is hidden."""

EVERYWHERE = (*ORIGINS, "condition_id", "hypothesis", "answered_by")
"""What every row of every format has besides: under which condition, what a recogniser heard, and who answered."""

_OF_SESSION = ("site", "domain", "dialect", "rule_book", "wizard_ids")


def row_of(session: Session, utterance: Utterance) -> dict[str, Any]:
    """One row, in the order of COLUMNS."""
    scenario = session.scenario_of(utterance) or ScenarioRun("")
    special = {
        "scenario_start_ms": scenario.started_ms,
        "scenario_end_ms": scenario.ended_ms,
        "scenario_answer": scenario.answer,
        "scenario_answer_ms": scenario.answered_ms,
        "given_up": scenario.given_up,
        "scenario_solution": scenario.solution,
        "scenario_solution_from": scenario.solution_from,
        **{name: getattr(session, name) for name in _OF_SESSION},
        **{name: msgspec.to_builtins(getattr(utterance, name)) for name in ("context", "references", "redactions")},
        "audio": f"audio/{utterance.audio.name}" if utterance.audio else None,
        "times": [{"name": name, "ms": ms} for name, ms in utterance.times],
    }
    return {name: special[name] if name in special else getattr(utterance, name) for name in COLUMNS}


def origins_of(utterance: Utterance) -> dict[str, str | None]:
    """The values of EVERYWHERE, by name."""
    return {name: getattr(utterance, name) for name in EVERYWHERE}


def as_line(row: Mapping[str, Any]) -> bytes:
    """A row as one line of JSON in UTF-8."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def sql_type(shape: Shape) -> str:
    """The type of a column as DuckDB writes it."""
    if isinstance(shape, str):
        return shape
    if isinstance(shape, list):
        return f"{sql_type(shape[0])}[]"
    return "STRUCT(" + ", ".join(f"{quoted(name)} {sql_type(part)}" for name, part in shape.items()) + ")"
