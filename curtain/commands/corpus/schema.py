"""`curtain schema`: JSON Schema of the files that Curtain writes, made from the types with which it reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
import typer

from curtain.base.errors import CurtainError
from curtain.base.terminal import print_json
from curtain.ports.discovery import loaded, named_offers

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


_SEAL = {
    "seq": {"type": "integer", "description": "The number of the line, from 1."},
    "crc": {"type": "string", "description": "CRC-32 of the line before this member, in eight hexadecimal digits."},
}


class SessionFile(msgspec.Struct, kw_only=True):
    """session.json: what is fixed about a session. Most keys came with later versions, so that few are always there.

    Days and times are ISO 8601. `ran` is which scenario really ran under which condition, `audio` the microphones in
    the order of their use with their rates in Hz. `principles` is the year of the rule-book, and `dialect` that of the
    answers in it, where it is not the domain's; `imported` says from where a session was read.
    """

    schema_version: int
    session_id: str
    speaker_id: str
    identity: str | None = None
    lab_speaker_id: str = ""
    heads: bool = False
    wizard_ids: list[str] = []
    domain: str | None = None
    language: str | None = None
    domain_content_sha256: str | None = None
    app_version: str = ""
    consent_id: str | None = None
    consent_scopes: list[str] | None = None
    consent_signed_on: str | None = None
    pilot: bool = False
    scenario_ids: list[str] = []
    practice_id: str | None = None
    speaker: dict[str, Any] | None = None
    plan: dict[str, Any] | None = None
    conditions: list[dict[str, Any]] = []
    design_seed: int = 0
    analysis: dict[str, Any] = {}
    inputs: dict[str, str] = {}
    principles: int | str | None = None
    dialect: str | None = None
    audio: list[dict[str, Any]] = []
    ran: list[dict[str, Any]] = []
    site: str = ""
    imported: dict[str, Any] = {}


def schema(
    name: Annotated[str, typer.Argument(help="The file that the schema describes; docs/bundle.md says more.")] = "",
) -> None:
    """Raises CurtainError for a name that no file has."""
    print_json(schema_of(name))


def schema_of(name: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a file, of a line of it where it is one of lines. Keys that it does not name
    are those of a later version, but in study.toml and in annotations. Raises CurtainError."""
    places = named_offers("schemas")
    if name not in {**_SCHEMAS, **places}:
        raise CurtainError(f"There is no schema of “{name}”; name one of: {', '.join(sorted({**_SCHEMAS, **places}))}.")
    make = _SCHEMAS.get(name) or loaded(places[name])
    return {"$schema": _DRAFT, "title": f"Curtain: {name}", **make()}


def _of(kind: type, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    (top,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    parts[kind.__name__]["properties"] |= more or {}
    return {**top, "$defs": parts}


def _study() -> dict[str, Any]:
    from curtain.session.study.study import StudyFile

    return _of(StudyFile)


def _annotation() -> dict[str, Any]:
    from curtain.corpus.annotation.row import LayerRow

    return _of(LayerRow, _SEAL)


def _turn() -> dict[str, Any]:
    from curtain.session.turns.scenario_runs import ScenarioRun
    from curtain.session.turns.turns import Reply, Turn, printed

    kinds = (Turn, Reply, ScenarioRun)
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    turn, reply, run = (parts.pop(kind.__name__) for kind in kinds)
    # Its own facts and those of its latest reply stand in one object; of a reply without an answer they are null.
    known = {**reply["properties"], "reply_wizard_id": reply["properties"].pop("wizard_id"), **turn["properties"]}
    # Nobody is null in what is printed, where a journal's line has no key.
    parts["StatementRun"]["properties"]["wizard_id"] = reply["properties"]["message_id"]
    parts = {"Reply": reply, "ScenarioRun": {**run, "required": []}, **_without_tags(parts)}
    return {"type": "object", "properties": printed(known), "required": ["turn", "session_id"], "$defs": parts}


def _journal(author: Literal["subject", "wizard"]) -> dict[str, Any]:
    from curtain.session.events import subject_events, wizard_events
    from curtain.session.journal.lines import JournalEntry

    kinds = {"subject": subject_events.KINDS, "wizard": wizard_events.KINDS}[author]
    _, parts = msgspec.json.schema_components((JournalEntry, *kinds.values()), ref_template="#/$defs/{name}")
    line = parts.pop("JournalEntry")
    of_type = [
        {
            "if": {"properties": {"type": {"const": tag}}},
            "then": {"properties": {"data": {"$ref": f"#/$defs/{kind.__name__}"}}},
        }
        for tag, kind in kinds.items()
    ]
    return {**line, "properties": line["properties"] | _SEAL, "allOf": of_type, "$defs": _without_tags(parts)}


def _without_tags(parts: dict[str, Any]) -> dict[str, Any]:
    """Parts of which none names its type: in a line that stands beside the fact."""
    for part in parts.values():
        if part.get("properties", {}).pop("type", None):
            part["required"].remove("type")
    return parts


_SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "annotation": _annotation,
    "session": lambda: _of(SessionFile),
    "study": _study,
    "subject-journal": lambda: _journal("subject"),
    "turn": _turn,
    "wizard-journal": lambda: _journal("wizard"),
}
