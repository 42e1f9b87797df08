"""The Comparator's own wheel: installed alone, it compares, and a user's file is checked against its types."""

from __future__ import annotations

import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def lone_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment that holds the Comparator's wheel and nothing else."""
    folder = tmp_path_factory.mktemp("lone")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(ROOT / "tools" / "curtain-cas")], check=True, capture_output=True)
    venv.create(folder / "venv", with_pip=False)
    python = next(folder.glob("venv/[bS]*/python*"))
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-index", "-q"]
    subprocess.run([*install, *map(str, folder.glob("*.whl"))], check=True, capture_output=True)
    return python


def test_alone_it_runs_the_example_of_its_page(lone_python: Path) -> None:
    page = (ROOT / "docs" / "comparator.md").read_text("utf-8")
    example = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    code = f"generated_frame, gold_frame = [('A', 1)], [('A', 1), ('ATL', 152)]\n{example}\nimport sys\n" + (
        "assert not {'PySide6', 'numpy', 'duckdb'} & set(sys.modules)"
    )
    done = subprocess.run([lone_python, "-I", "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ('incorrect row missing: ("ATL" 152)\n', "")


def test_a_users_file_sees_its_types(lone_python: Path, tmp_path: Path) -> None:
    user = tmp_path / "user.py"
    user.write_text("from curtain.cas import compare\n\nreveal_type(compare('1', '1').outcome)\n", "utf-8")
    check = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(lone_python), "--cache-dir"]
    done = subprocess.run([*check, str(tmp_path / "cache"), str(user)], cwd=tmp_path, capture_output=True, text=True)
    assert 'Revealed type is "str"' in done.stdout.replace("builtins.", "")
    assert done.returncode == 0, done.stdout
