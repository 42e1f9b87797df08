"""`curtain schema`: what Curtain writes is as its schemas say, by a validator of JSON Schema, and they say no less."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from curtain.commands.cli import app
from curtain.commands.corpus.schema import schema_of
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain_judge.items import items_of, read_selection

IN_SESSION = {
    "session": "session.json",
    "annotation": "annotations/*.jsonl",
    "subject-journal": "subject.events.jsonl",
    "wizard-journal": "wizard.events.jsonl",
}


def values(name: str, study: Path) -> Iterator[dict[str, Any]]:
    """Everything of the toy that the schema of this name describes."""
    if name == "study":
        yield tomllib.loads((study / "study.toml").read_text("utf-8"))
    elif name == "packet":
        for source in items_of(open_corpus([study], Filters(live=True)), read_selection(""), seed=1):
            yield source.item.content()
    elif name == "turn":
        for session in (study / "sessions").iterdir():
            yield from map(json.loads, CliRunner().invoke(app, ["turns", str(session)]).stdout.splitlines())
    else:
        for file in (study / "sessions").glob(f"*/{IN_SESSION[name]}"):
            text = file.read_text("utf-8")
            yield from map(json.loads, [text] if file.suffix == ".json" else text.splitlines())


@pytest.mark.parametrize("name", [*IN_SESSION, "study", "packet", "turn"])
def test_what_is_written_is_as_its_schema_says(name: str, toy: Path) -> None:
    schema = schema_of(name)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    written = list(values(name, toy))
    assert written
    faults = {(one.json_path, one.message) for value in written for one in validator.iter_errors(value)}
    assert not faults
    # A key without a description would be nobody's to read.
    parts = schema.get("$defs", {})
    known = schema if "properties" in schema else parts[schema["$ref"].rpartition("/")[2]]
    assert not {key for value in written for key in value} - set(known["properties"])


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("study", {"deadline_s": "soon"}),
        ("study", {"unheard_of": 1}),
        ("session", {"pilot": "no"}),
        ("turn", {"tags": "noise"}),
        ("annotation", {"layer": 1}),
        ("packet", {"table": []}),
        ("subject-journal", {"type": "key_down", "data": {"source": "foot", "pressed_ns": 1}}),
        ("wizard-journal", {"type": "query_sent", "data": {}}),
    ],
)
def test_what_could_not_be_read_is_no_value_of_a_schema(name: str, change: dict[str, Any], toy: Path) -> None:
    value = next(values(name, toy))
    validator = Draft202012Validator(schema_of(name))
    assert validator.is_valid(value)
    assert not validator.is_valid(value | change)


def test_the_command_prints_a_schema_and_refuses_an_unknown_name() -> None:
    assert json.loads(CliRunner().invoke(app, ["schema", "turn"]).stdout) == json.loads(json.dumps(schema_of("turn")))
    assert "wizard-journal" in str(CliRunner().invoke(app, ["schema", "turns"]).exception)
