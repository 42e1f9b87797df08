"""The examples in docs/formats.md run as they stand."""

import importlib.util
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from curtain.corpus.exports.utterance_table import COLUMNS, sql_type
from curtain.session.journal.lines import JournalEntry
from curtain.session.turns.turns import fold
from tests.corpus.formats import FORMATS

DOC = Path(__file__).resolve().parents[3] / "docs" / "formats.md"
SECTION = re.compile(r"^## (\w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```(python|sh)(?: (\w+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEEDS = {"audio": ("torchcodec", "torch")}
SCTK = Path("/usr/lib/sctk/bin")

EXAMPLES = [
    pytest.param(name, *found, id=f"{name}-{found[0]}-{number}", marks=[pytest.mark.soak] if found[1] else [])
    for name, text in SECTION.findall(DOC.read_text("utf-8"))
    for number, found in enumerate(EXAMPLE.findall(text))
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("format_name", "language", "mark", "code"), EXAMPLES)
def test_an_example_runs(
    exported: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    format_name: str,
    language: str,
    mark: str,
    code: str,
) -> None:
    missing = [name for name in NEEDS.get(mark, ()) if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed (tools/loaders.txt)")
    monkeypatch.chdir(tmp_path)
    text = code.replace("FOLDER", str(exported(format_name)))
    if language == "python":
        exec(compile(text, f"docs/formats.md, {format_name}", "exec"), {})
    else:
        run_in_shell(text)


def run_in_shell(text: str) -> None:
    if not SCTK.is_dir():
        pytest.skip("sctk is not installed (package sctk)")
    environment = {**os.environ, "PATH": f"{SCTK}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-e", "-c", text], env=environment, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_every_format_and_every_column_with_its_type_is_in_the_page() -> None:
    text = DOC.read_text("utf-8")
    assert [one.name for one in FORMATS if f"## {one.name}\n" not in text and f"`{one.name}`" not in text] == []
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", DOC.read_text("utf-8"), re.MULTILINE)
    assert rows == [(name, sql_type(shape)) for name, shape in COLUMNS.items()]


def test_what_curtain_turns_prints_is_in_the_page() -> None:
    page = DOC.with_name("bundle.md").read_text("utf-8")
    first_column = re.findall(r"^\| (`.+?) \|", page.partition("## Turns\n")[2], re.MULTILINE)
    named = set(re.findall(r"\w+", " ".join(first_column)))
    [turn] = fold([], [JournalEntry(1, 1, 0, "", "note", {"text": "a turn by itself"})])
    assert set(turn.as_json()) - named == set()
