"""A file in the current folder is data: whatever its name, no process of Curtain's imports it."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from curtain.rehearsal.stations import RunningStation
from curtain.session.study.study import new_study

ROOT = Path(__file__).resolve().parents[1]
BAIT = ("html", "json", "queue", "secrets", "struct", "dataclasses", "multiprocessing", "curtain", "wizard_app")


@pytest.fixture
def baited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with files called like modules that every process imports."""
    folder = tmp_path / "baited"
    folder.mkdir()
    for name in BAIT:
        taken = f"open({str(tmp_path / 'taken')!r}, 'a').write({name!r})"
        (folder / f"{name}.py").write_text(f"{taken}\nraise SystemExit(1)\n", "utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    return tmp_path / "taken"


@pytest.mark.stations
def test_a_station_that_is_driven_imports_nothing_from_there(baited: Path, tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", "personnel").folder
    with RunningStation("wizard", ["--study", str(study), "--listen", "baited"], tmp_path / "log.txt") as station:
        station.look()

    assert not baited.exists()


@pytest.mark.parametrize(
    "window",
    [
        ["wizard", "--study", "nowhere"], ["annotate", "nowhere"], ["subject", "--spool", "html.py/spool"],
    ],
)  # fmt: skip
def test_a_window_imports_nothing_from_there(window: list[str], baited: Path) -> None:
    # As the command that pip installs starts it: without the current folder in its own path.
    begin = "from curtain.commands.cli import main; main()"
    elsewhere = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-P", "-c", begin, *window]
    done = subprocess.run(command, env=elsewhere, capture_output=True, text=True, timeout=60)

    assert done.returncode == 2, done.stderr
    assert not baited.exists()


def test_every_python_that_is_started_is_started_in_one_place() -> None:
    files = [path for top in ("curtain", "wizard_app", "subject_app") for path in (ROOT / top).rglob("*.py")]
    starting = [path.name for path in files if _names_the_interpreter(path)]

    assert starting == ["python_process.py"]


def _names_the_interpreter(path: Path) -> bool:
    source = path.read_text("utf-8")
    # Most files do not name it, and need not be parsed.
    nodes = ast.walk(ast.parse(source)) if "executable" in source else ()
    return any(isinstance(node, ast.Attribute) and node.attr == "executable" for node in nodes)
