"""A scratch folder goes with its process, or with the next one of its kind; a folder appears whole or not at all."""

import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.base.scratch import ScratchFolder, whole_folder
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


def test_a_folder_is_not_there_until_it_is_whole(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with whole_folder(out) as folder:
        (folder / "a").write_text("a")
        assert not out.exists()
    assert (out / "a").read_text() == "a"
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_an_empty_folder_is_taken_and_a_full_one_or_a_file_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with whole_folder(tmp_path / "empty") as folder:
        (folder / "a").write_text("a")
    with pytest.raises(CurtainError, match="is not empty; name a new folder"), whole_folder(tmp_path / "empty"):
        pass
    with pytest.raises(CurtainError, match="is a file"), whole_folder(tmp_path / "empty" / "a"):
        pass
    assert (tmp_path / "empty" / "a").read_text() == "a"


def test_what_somebody_put_there_meanwhile_stays(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(CurtainError, match="is not empty"), whole_folder(out) as folder:
        (folder / "a").write_text("ours")
        out.mkdir()
        (out / "b").write_text("theirs")
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
    assert (out / "b").read_text() == "theirs"


def test_a_second_export_to_the_same_folder_waits_its_turn(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with whole_folder(out) as folder:
        (folder / "a").write_text("first")
        with pytest.raises(CurtainError, match="Another run is writing"), whole_folder(out):
            pass
        with whole_folder(tmp_path / "other") as other:
            (other / "a").write_text("second")
    assert (out / "a").read_text() == "first"
    assert (tmp_path / "other" / "a").read_text() == "second"


def test_a_name_as_long_as_the_system_allows_works(tmp_path: Path) -> None:
    out = tmp_path / ("n" * 255)
    with whole_folder(out) as folder:
        (folder / "a").write_text("a")
    assert (out / "a").exists()


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "is full: nothing was written. Make room"),
        (errno.EDQUOT, "is full: nothing was written"),
        (errno.EACCES, "cannot be written: Permission denied"),
    ],
)
def test_a_failing_disk_is_reported_in_plain_words(tmp_path: Path, number: int, sentence: str) -> None:
    with pytest.raises(CurtainError, match=sentence), whole_folder(tmp_path / "out") as folder:
        (folder / "a").write_text("a")
        raise OSError(number, os.strerror(number), str(folder / "a"))
    assert list(tmp_path.iterdir()) == []
