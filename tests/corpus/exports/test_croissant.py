"""mlcroissant validates the descriptions and loads by them: one can pass the first and fail the second."""

import hashlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import soundfile

Exported = Callable[[str], Path]
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:The inplace keyword")


def described(folder: Path) -> Any:
    import mlcroissant  # takes seconds, which only who runs these tests should wait

    return mlcroissant.Dataset(jsonld=folder / "croissant.json")


def test_the_description_is_valid(exported: Exported) -> None:
    found = described(exported("huggingface"))
    assert not found.metadata.ctx.issues.errors
    assert not found.metadata.ctx.issues.warnings
    written = json.loads((exported("huggingface") / "croissant.json").read_text("utf-8"))
    assert written["version"] == "0.0.0" and "Toy (Version 0.0.0)" in written["citeAs"]


def test_its_records_are_the_utterances(exported: Exported) -> None:
    found = described(exported("huggingface"))
    records = list(found.records("utterances"))
    assert len(records) == 65
    first = next(one for one in records if one["utterances/utterance_id"] == b"0a1-01-002")
    assert first["utterances/transcription"] == b"HER HOME PHONE"
    assert first["utterances/turn"] == 2
    assert first["utterances/eval_class"] == b"D1"
    assert first["utterances/cas_min"].startswith(b"((")


def test_its_records_hold_the_recordings(exported: Exported) -> None:
    found = described(exported("huggingface"))
    for record in islice(found.records("utterances"), 3):
        samples, rate = soundfile.read(io.BytesIO(record["utterances/audio"]))
        assert len(samples) / rate == record["utterances/duration"]


def test_it_lists_every_file_with_its_checksum(exported: Exported) -> None:
    folder = exported("huggingface")
    written = json.loads((folder / "croissant.json").read_text("utf-8"))
    listed = {one["contentUrl"]: one["sha256"] for one in written["distribution"] if one["@type"] == "cr:FileObject"}
    assert len(listed) == 3
    assert listed == {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in listed}
    assert written["conformsTo"] == "http://mlcommons.org/croissant/1.0"


@pytest.mark.soak
def test_its_command_line_validates_and_loads(exported: Exported) -> None:
    base = [str(Path(sys.executable).with_name("mlcroissant"))]
    path = str(exported("huggingface") / "croissant.json")
    validated = subprocess.run([*base, "validate", "--jsonld", path], capture_output=True, text=True, check=False)
    assert validated.returncode == 0 and "Done." in validated.stderr
    options = ["--record_set", "utterances", "--num_records", "3"]
    loaded = subprocess.run([*base, "load", "--jsonld", path, *options], capture_output=True, text=True, check=False)
    assert loaded.returncode == 0 and loaded.stdout.count("utterances/utterance_id") == 3
