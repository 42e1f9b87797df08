"""A folder appears whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.base.scratch import whole_folder


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
