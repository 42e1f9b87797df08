"""Where the stations meet if the system has no folder for it: among the temporary files, where anybody may be first."""

import os
import sys
import tempfile
from pathlib import Path

import platformdirs
import pytest

from curtain.base.errors import CurtainError
from curtain.link.socket_paths import run_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="named pipes have no folder")


@pytest.fixture
def fallback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that is taken without XDG_RUNTIME_DIR; it is not there yet."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    place = tmp_path / f"runtime-{os.getuid()}"
    monkeypatch.setattr(platformdirs, "user_runtime_dir", lambda *_, **__: str(place / "curtain"))
    return place


def test_without_a_folder_of_the_system_one_is_made_for_this_person_alone(fallback: Path) -> None:
    assert run_folder() == fallback / "curtain"
    assert (fallback / "curtain").stat().st_mode & 0o777 == 0o700


def test_a_folder_that_another_user_made_is_reported_in_one_sentence(
    fallback: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody = os.getuid() + 1
    theirs = fallback.with_name(f"runtime-{somebody}")
    theirs.mkdir(mode=0o777)
    monkeypatch.setattr(platformdirs, "user_runtime_dir", lambda *_, **__: str(theirs / "curtain"))
    monkeypatch.setattr(os, "getuid", lambda: somebody)
    with pytest.raises(CurtainError, match=rf"{theirs}, since it belongs to somebody else.*XDG_RUNTIME_DIR"):
        run_folder()
    assert list(theirs.iterdir()) == []


def test_a_link_in_its_place_is_not_followed(fallback: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    fallback.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CurtainError, match="XDG_RUNTIME_DIR"):
        run_folder()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_refusal_of_the_library_is_reported_in_the_same_words(
    fallback: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise PermissionError("owned by another user")

    monkeypatch.setattr(platformdirs, "user_runtime_dir", refuse)
    with pytest.raises(CurtainError, match=rf"{fallback}.*XDG_RUNTIME_DIR"):
        run_folder()
