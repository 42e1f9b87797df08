"""A scratch folder goes with its process, or with the next one of its kind."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from curtain.base.scratch import ScratchFolder
from tests.support.child_program import Child

HOLD = """
import sys
from curtain.base.scratch import ScratchFolder
folder = ScratchFolder("try")
print(folder.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@contextmanager
def another_process(temporary: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    command = [sys.executable, "-c", HOLD]
    env = os.environ | {"TMPDIR": str(temporary), "TEMP": str(temporary)}
    with Child(command, text=True, env=env) as process:
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def test_a_folder_is_gone_after_its_use(temporary: Path) -> None:
    with ScratchFolder("try") as folder:
        (folder / "sound.wav").write_bytes(b"x")
    assert list(temporary.iterdir()) == []


def test_the_folder_of_a_killed_process_goes_with_the_next_one(temporary: Path) -> None:
    with another_process(temporary) as (process, left):
        (left / "sound.wav").write_bytes(b"x")
        process.kill()
        process.wait()
        assert left.exists()
        with ScratchFolder("try"):
            assert not left.exists()


def test_the_folder_of_a_running_process_stays(temporary: Path) -> None:
    with another_process(temporary) as (_, held):
        ScratchFolder("try").close()
        assert held.exists()


def test_a_folder_of_another_kind_or_without_a_lock_stays(temporary: Path) -> None:
    (temporary / "curtain-try-of-somebody").mkdir()
    (temporary / "curtain-other-1").mkdir()
    (temporary / "curtain-other-1" / ".in-use").write_bytes(b"")
    ScratchFolder("try").close()
    assert len(list(temporary.iterdir())) == 2


def test_two_folders_of_one_process_are_two() -> None:
    with ScratchFolder("try") as one, ScratchFolder("try") as other:
        assert one != other
        assert one.exists() and other.exists()
