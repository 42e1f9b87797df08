"""The examples in docs/exports.md run as they stand."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from curtain.corpus.exports.registry import FORMATS

DOC = Path(__file__).resolve().parents[3] / "docs" / "exports.md"
SECTION = re.compile(r"^## (\w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```(python|sh)(?: (\w+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEEDS = {"audio": ("torchcodec", "torch"), "lhotse": ("lhotse", "torch")}
SCTK = Path("/usr/lib/sctk/bin")

EXAMPLES = [
    pytest.param(name, *found, id=f"{name}-{found[0]}-{number}", marks=[pytest.mark.soak] if found[1] else [])
    for name, text in SECTION.findall(DOC.read_text("utf-8"))
    for number, found in enumerate(EXAMPLE.findall(text))
]


@pytest.mark.parametrize(("format_name", "language", "mark", "code"), EXAMPLES)
def test_an_example_runs(
    exported: Callable[[str], Path], tmp_path: Path, format_name: str, language: str, mark: str, code: str
) -> None:
    missing = [name for name in NEEDS.get(mark, ()) if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed (tools/loaders.txt)")
    if language == "sh" and not SCTK.is_dir():
        pytest.skip("sctk is not installed (package sctk)")
    program = [sys.executable, "-c"] if language == "python" else ["sh", "-e", "-c"]
    environment = {**os.environ, "HF_HOME": str(tmp_path), "PATH": f"{SCTK}{os.pathsep}{os.environ['PATH']}"}
    command = [*program, code.replace("FOLDER", str(exported(format_name)))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_every_format_is_in_the_page() -> None:
    text = DOC.read_text("utf-8")
    assert [one.name for one in FORMATS if f"## {one.name}\n" not in text and f"`{one.name}`" not in text] == []
