"""What version 0.1 wrote is read as it was then: a study with a closed session and annotations, and a domain pack.

`utterances.jsonl` is what version 0.1 itself exported from that study.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from curtain.domain.pack.reader import load_pack
from tests.support.everywhere import Call

OF_THEN = Path(__file__).parent.parent / "data" / "version_0_1"

# Pseudonyms differ: the key that makes them stays in the folder of the study that made it.
PSEUDONYMS = {"wizard_ids", "annotators"}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return Path(shutil.copytree(OF_THEN / "study", tmp_path / "study"))


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_an_earlier_session_is_unchanged(study: Path, call: Call) -> None:
    code, *printed = call("verify", study / "sessions" / "a00-01")
    assert code == 0, printed


def test_an_earlier_study_exports_the_same_values(study: Path, tmp_path: Path, call: Call) -> None:
    options = ("--format", "parquet", "--without-consent", "--include-live")
    code, *printed = call("export", study, *options, "--out", tmp_path / "now")
    assert code == 0, printed
    now, then = rows(tmp_path / "now" / "utterances.jsonl"), rows(OF_THEN / "utterances.jsonl")
    assert len(now) == len(then) == 2
    for new, old in zip(now, then, strict=True):
        assert {key: new[key] for key in old if key not in PSEUDONYMS} == {
            key: value for key, value in old.items() if key not in PSEUDONYMS
        }


def test_an_earlier_pack_loads(tmp_path: Path) -> None:
    pack = load_pack(Path(shutil.copytree(OF_THEN / "pack", tmp_path / "pack")))
    assert sorted(pack.tables) == ["bike", "sale"]
    assert [example.sql for example in pack.examples()]
