"""Machine and screen stay awake from the beginning of a session to its end, or to that of the process."""

import os
import sys
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_environment
from curtain.qt.windows.awake import Awake, try_to_stay_awake
from tests.support.child_program import Child

HOLDERS = {"linux": "systemd-inhibit", "darwin": "caffeinate"}
# Says what it was asked, and holds the pipe open as long as the program that it was given runs.
FAKE = '#!/bin/sh\nexec 3>"{pipe}"\necho "$@" >&3\nfor last; do :; done\n"$last"\n'

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the fakes are scripts")


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a desktop, whose PATH begins with this folder."""
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def _script(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def _holder(folder: Path, platform: str) -> Path:
    pipe = folder / "held"
    os.mkfifo(pipe)
    _script(folder / HOLDERS[platform], FAKE.format(pipe=pipe))
    return pipe


@pytest.mark.parametrize(("platform", "asked"), [("linux", "--what=idle:sleep"), ("darwin", "-d -i")])
def test_it_is_held_from_the_beginning_to_the_end_of_a_session(platform: str, asked: str, bare: Path) -> None:
    pipe, awake = _holder(bare, platform), Awake(platform)
    awake.begin()
    awake.begin()
    with pipe.open() as held:
        assert held.readline().startswith(asked)
        awake.end()
        # The end of the pipe: nobody holds it any more, and nobody was asked twice.
        assert held.read() == ""
    awake.end()


@pytest.mark.parametrize("platform", HOLDERS)
def test_it_ends_with_a_station_that_is_killed(platform: str, bare: Path) -> None:
    pipe = _holder(bare, platform)
    script = f"from curtain.qt.windows.awake import Awake; a = Awake({platform!r}); a.begin(); input()"
    command = [sys.executable, "-c", script]
    with Child(command, env=module_environment()) as station, pipe.open() as held:
        assert held.readline()
        station.kill()
        assert held.read() == ""


@pytest.mark.parametrize("platform", HOLDERS)
def test_the_check_names_what_holds_it(platform: str, bare: Path) -> None:
    _script(bare / HOLDERS[platform], '#!/bin/sh\nfor last; do :; done\n"$last"\n')
    assert try_to_stay_awake(platform) == f"kept during a session by {HOLDERS[platform]}."


@pytest.mark.parametrize("platform", [*HOLDERS, "freebsd14"])
@pytest.mark.parametrize("problem", ["missing", "refused", "no program"])
def test_the_check_says_that_it_cannot_be_done_and_a_session_runs_all_the_same(
    platform: str, problem: str, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(bare))
    for holder in HOLDERS.values():
        if problem == "refused":
            _script(bare / holder, "#!/bin/sh\nexit 1\n")
        elif problem == "no program":
            _script(bare / holder, "#!/nowhere/sh\n")
    with pytest.raises(CurtainError, match="switch its lock, and the sleep of the computer, off"):
        try_to_stay_awake(platform)
    awake = Awake(platform)
    awake.begin()
    awake.end()
