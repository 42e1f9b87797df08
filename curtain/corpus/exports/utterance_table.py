"""The utterance table: one row for each utterance, with all that is known of it and its session's database.

Plain types, lists and structs only, so that JSON lines and Parquet say the same.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

import msgspec

from curtain.base.record_file import by_name
from curtain.base.sql_names import quoted
from curtain.corpus.model.utterance import Session, Utterance
from curtain.session.turns.scenario_runs import ScenarioRun

Shape: TypeAlias = "str | list[Shape] | dict[str, Shape]"
"""A DuckDB type by name, a list of one shape, or a struct of named shapes."""

TEXT, COUNT, REAL, FLAG = "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"

_PLAIN = {int: COUNT, float: REAL, bool: FLAG}

_OF_SESSION = ("site", "domain", "dialect", "rule_book", "wizard_ids")
_OF_SCENARIO = {
    "scenario_start_ms": "started_ms",
    "scenario_end_ms": "ended_ms",
    "scenario_answer": "answer",
    "scenario_answer_ms": "answered_ms",
    "given_up": "given_up",
    "scenario_solution": "solution",
    "scenario_solution_from": "solution_from",
}
_BEHIND: dict[str, tuple[str, ...]] = {
    "speaker_id": _OF_SESSION,
    "scenario_id": ("scenario_start_ms", "scenario_end_ms", "scenario_answer", "scenario_answer_ms", "given_up"),
    "sample_rate_hz": ("duration_s",),
    "lsn": ("text_from",),
    "eval_class": ("class_from",),
    "references": ("sql_from",),
    "annotators": ("redacted",),
    "late_ms": ("scenario_solution", "scenario_solution_from"),
}
"""The columns that are no fields of an utterance, or stand at another place: each behind its neighbour."""

_NESTED = ("context", "references", "redactions", "heard_words")


def _columns() -> Iterator[str]:
    moved = {name for names in _BEHIND.values() for name in names}
    for field in fields(Utterance):
        if field.name not in moved:
            yield field.name
            yield from _BEHIND.get(field.name, ())


def _types(kind: type) -> dict[str, Any]:
    """Of fields and properties."""
    properties = {name: one.fget for name, one in vars(kind).items() if isinstance(one, property)}
    return get_type_hints(kind) | {name: get_type_hints(read)["return"] for name, read in properties.items()}


def _shape(kind: Any) -> Shape:
    """Of a column whose values have this type; one that may be None has the shape of the others."""
    parts = [one for one in get_args(kind) if one is not NoneType]
    if get_origin(kind) is UnionType:
        return _shape(parts[0])
    if get_origin(kind) is tuple:
        return [_shape(parts[0])]
    if is_dataclass(kind) or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return {name: _shape(one) for name, one in get_type_hints(kind).items()}
    return _PLAIN.get(kind, TEXT)


def _shapes() -> dict[str, Shape]:
    types, run = _types(Session) | _types(Utterance), _types(ScenarioRun)
    types |= {name: run[attribute] for name, attribute in _OF_SCENARIO.items()}
    return {name: _shape(types[name]) for name in _columns()} | {"times": [{"name": TEXT, "ms": COUNT}]}


COLUMNS = _shapes()
"""The columns in their order. `audio` is the file's name inside the bundle; times are ms since the session began."""


def row_of(session: Session, utterance: Utterance) -> dict[str, Any]:
    """One row, in the order of COLUMNS."""
    scenario = session.scenario_of(utterance) or ScenarioRun("")
    special = {
        **{name: getattr(scenario, attribute) for name, attribute in _OF_SCENARIO.items()},
        **by_name(session, *_OF_SESSION),
        **{name: msgspec.to_builtins(getattr(utterance, name)) for name in _NESTED},
        # Under its id here, which a pool may have given anew.
        "audio": f"audio/{utterance.utterance_id}.wav" if utterance.audio else None,
        "times": [{"name": name, "ms": ms} for name, ms in utterance.times],
    }
    return {name: special[name] if name in special else getattr(utterance, name) for name in COLUMNS}


def session_of(rows: Sequence[Mapping[str, Any]]) -> Session:
    """A session from its rows, without its recordings and what no row has: pauses, questionnaires, and scenarios in
    which nothing was asked. Raises msgspec.ValidationError, KeyError."""
    first = rows[0]
    spoken = [msgspec.convert({name: row[name] for name in _GIVEN_BACK}, Utterance, strict=False) for row in rows]
    times = [tuple((one["name"], one["ms"]) for one in row["times"] or ()) for row in rows]
    runs: dict[tuple[Any, Any], list[Mapping[str, Any]]] = {}
    for row in rows:
        if row["scenario_id"] is not None:
            runs.setdefault((row["scenario_id"], row["scenario_start_ms"]), []).append(row)
    about: dict[str, Any] = {
        name: first[name] or "" for name in ("session_id", "speaker_id", "site", "domain", "dialect", "rule_book")
    }
    return Session(
        **about, content_sha256="", recorded=None, wizard_ids=tuple(first["wizard_ids"] or ()), consent_id=None,
        app_version="", closed=True, pilot=bool(first["pilot"]), manifest_sha256="", path=Path(),
        utterances=tuple(replace(one, times=then) for one, then in zip(spoken, times, strict=True)),
        scenarios=tuple(_scenario_of(held) for held in runs.values()), language=first["language"] or "",
    )  # fmt: skip


_GIVEN_BACK = tuple(name for name in _columns() if name in {one.name for one in fields(Utterance)} - {"audio", "times"})


def _scenario_of(rows: Sequence[Mapping[str, Any]]) -> ScenarioRun:
    first = rows[0]
    given = {attribute: first[name] for name, attribute in _OF_SCENARIO.items() if attribute != "given_up"}
    return ScenarioRun(
        first["scenario_id"],
        **given,
        reason="given_up" if first["given_up"] else None,
        condition_id=first["condition_id"],
        practice=all(row["practice"] for row in rows),
        clears=sum(row["history_cleared"] for row in rows),
    )


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
