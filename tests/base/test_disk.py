"""Locks on files, and names that no file on Windows can have."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from curtain.base.clock import Clock
from curtain.base.disk import Disk, is_reserved, lock, lock_file, unlock_file
from curtain.base.scratch import ScratchFolder
from curtain.session.journal.journal import Journal, JournalInUse, Replica

CLOCK = Clock()


def _locked_once(path: Path) -> Callable[[], None]:
    descriptor = Disk().open_append(path)
    assert lock(descriptor)
    return lambda: Disk().close(descriptor)


def _file_that_is_a_lock(path: Path) -> Callable[[], None]:
    descriptor = lock_file(path)
    assert descriptor is not None
    return lambda: unlock_file(path, descriptor)


HOLDERS: dict[str, Callable[[Path], Callable[[], None]]] = {
    "file": _locked_once,
    "file that is a lock": _file_that_is_a_lock,
    "journal": lambda path: Journal(path, CLOCK).close,
    "copy of a journal": lambda path: Replica(path).close,
    "scratch folder": lambda path: ScratchFolder("held").close,
}


def _child_with_copies() -> subprocess.Popen[bytes]:
    """A process that holds a copy of every descriptor of ours, as each child does from fork to exec."""
    script = "import sys; print('here', flush=True); sys.stdin.read()"
    # The listing's own descriptor is closed by then.
    ours = [int(name) for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")]
    return subprocess.Popen(
        [sys.executable, "-c", script], pass_fds=ours, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="lists its descriptors in /proc")
@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_a_child_that_is_being_started_keeps_no_lock_that_was_given_back(
    hold: Callable[[Path], Callable[[], None]], tmp_path: Path
) -> None:
    give_back = hold(tmp_path / "held")
    with _child_with_copies() as child:
        assert child.stdout is not None and child.stdout.readline() == b"here\n"
        give_back()
        hold(tmp_path / "held")()
        child.kill()


def test_a_lock_that_is_held_stays_held_when_the_file_is_closed_elsewhere(tmp_path: Path) -> None:
    with Journal(tmp_path / "held", CLOCK):
        other = Disk().open_append(tmp_path / "held")
        assert not lock(other)
        Disk().close(other)
        with pytest.raises(JournalInUse):
            Journal(tmp_path / "held", CLOCK)


@pytest.mark.parametrize("name", ["con", "CON", "aux.wav", "Com1", "lpt9.tar.gz"])
def test_names_of_devices_are_reserved_in_any_case_and_with_any_ending(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize("name", ["conny", "com", "a.con", "com12", ""])
def test_other_names_are_not(name: str) -> None:
    assert not is_reserved(name)
