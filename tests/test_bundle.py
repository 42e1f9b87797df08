"""The bundle runs without Python, without our folder and without a display."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUNDLE = ROOT / "dist" / "curtain"
MOST_MIB = 300


@pytest.fixture(scope="module")
def program() -> Path:
    """`make soak` builds it; what is there may be older than the sources, so it is never taken over."""
    subprocess.run([ROOT / "tools/bundle/build.sh"], check=True, timeout=1800)
    return BUNDLE / "curtain"


def run(program: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.defpath, "HOME": str(folder), "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8"}
    command = [str(program), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


@pytest.mark.soak
def test_the_bundle_is_small_and_brings_the_licences(program: Path) -> None:
    size = sum(path.stat().st_size for path in BUNDLE.rglob("*") if path.is_file() and not path.is_symlink())
    assert size <= MOST_MIB * 2**20
    names = {path.name.split("-")[0].lower() for path in (BUNDLE / "licences").iterdir()}
    assert {"pyside6", "soxr", "duckdb", "cryptography"} <= names


@pytest.mark.soak
def test_the_demo_plays_from_the_bundle_and_its_session_is_whole(program: Path, tmp_path: Path) -> None:
    played = run(program, tmp_path, "demo")
    assert played.returncode == 0, played.stdout + played.stderr
    checked = run(program, tmp_path, "verify", "curtain-demo")
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.soak
@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["answer", "--domain", "personnel", "--sql", "SELECT count(*) FROM employee"], "cas_max: ((423))"),
        (["draft", "--domain", "personnel", "how many managers are there"], "SELECT"),
        (["check"], "a window opens"),
        (["export", "--list"], "parquet"),
        (["home", "--help"], "home"),
    ],
)
def test_what_starts_processes_of_its_own_runs_from_the_bundle(
    program: Path, tmp_path: Path, arguments: list[str], part: str
) -> None:
    done = run(program, tmp_path, *arguments)
    assert part in done.stdout, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
