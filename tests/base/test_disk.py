"""Locks, renames and syncs on systems that do them in different ways; names that no file on Windows can have."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from curtain.base import disk
from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.record_file import BadRecords, add_record, read_records
from curtain.base.scratch import ScratchFolder
from curtain.session.journal.journal import Journal, Replica
from tests.support.child_program import Child

CLOCK = Clock()


def _locked_once(path: Path) -> Callable[[], None]:
    descriptor = disk.Disk().open_append(path)
    assert disk.lock(descriptor)
    return lambda: disk.Disk().close(descriptor)


def _file_that_is_a_lock(path: Path) -> Callable[[], None]:
    descriptor = disk.lock_file(path)
    assert descriptor is not None
    return lambda: disk.unlock_file(path, descriptor)


HOLDERS: dict[str, Callable[[Path], Callable[[], None]]] = {
    "file": _locked_once,
    "file that is a lock": _file_that_is_a_lock,
    "journal": lambda path: Journal(path, CLOCK).close,
    "copy of a journal": lambda path: Replica(path).close,
    "scratch folder": lambda path: ScratchFolder("held").close,
}


def _child_with_copies() -> Child:
    """A process that holds a copy of every descriptor of ours, as each child does from fork to exec."""
    script = "import sys; print('here', flush=True); sys.stdin.read()"
    # The listing's own descriptor is closed by then.
    ours = [int(name) for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")]
    return Child([sys.executable, "-c", script], pass_fds=ours)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="lists its descriptors in /proc")
@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_a_child_that_is_being_started_keeps_no_lock_that_was_given_back(
    hold: Callable[[Path], Callable[[], None]], tmp_path: Path
) -> None:
    give_back = hold(tmp_path / "held")
    with _child_with_copies() as child:
        assert child.stdout.readline() == b"here\n"
        give_back()
        hold(tmp_path / "held")()
        child.kill()


def test_a_lock_that_is_held_stays_held_when_the_file_is_closed_elsewhere(tmp_path: Path) -> None:
    with Journal(tmp_path / "held", CLOCK):
        other = disk.Disk().open_append(tmp_path / "held")
        assert not disk.lock(other)
        disk.Disk().close(other)
        with pytest.raises(CurtainError):
            Journal(tmp_path / "held", CLOCK)


@pytest.mark.parametrize(
    ("reserved", "names"),
    [(True, ["con", "CON", "aux.wav", "Com1", "lpt9.tar.gz"]), (False, ["conny", "com", "a.con", "com12", ""])],
)
def test_names_of_devices_are_reserved_in_any_case_and_with_any_ending(reserved: bool, names: list[str]) -> None:
    assert {disk.is_reserved(name) for name in names} == {reserved}


WRITER = """
import sys
from curtain.base.disk import Path, written_beside
with written_beside(Path(sys.argv[1])) as part:
    part.write_bytes(b"theirs")
    print("half", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("order", [(b"ours", b"theirs"), (b"theirs", b"ours")])
def test_two_writers_of_one_file_at_once_leave_each_others_whole(tmp_path: Path, order: tuple[bytes, bytes]) -> None:
    target = tmp_path / "file"
    with ExitStack() as ours, Child([sys.executable, "-c", WRITER, str(target)]) as theirs:
        assert theirs.stdout.readline() == b"half\n"
        part = ours.enter_context(disk.written_beside(target))
        for whole in order:
            if whole == b"ours":
                part.write_bytes(whole)
                ours.close()
            else:
                theirs.communicate()
            assert target.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("system", "held_s", "renamed"),
    [("win32", 0.05, True), ("win32", 0.9, True), ("win32", 5.0, False), ("linux", 0.05, False),
     ("darwin", 0.05, False)],
)  # fmt: skip
def test_a_rename_waits_for_a_program_that_holds_the_file_on_windows_alone(
    system: str, held_s: float, renamed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    now, replace = [0.0], os.replace

    def held(source: Path, target: Path) -> None:
        if now[0] < held_s:
            raise PermissionError(errno.EACCES, "held")
        replace(source, target)

    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    monkeypatch.setattr(os, "replace", held)
    (tmp_path / "new").write_bytes(b"new")
    (tmp_path / "old").write_bytes(b"old")
    if renamed:
        assert disk.rename(tmp_path / "new", tmp_path / "old") == tmp_path / "old"
    else:
        with pytest.raises(PermissionError):
            disk.rename(tmp_path / "new", tmp_path / "old")
        assert now[0] < 1.5
    assert (tmp_path / "old").read_bytes() == (b"new" if renamed else b"old")


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EIO, errno.ENOSPC])
def test_a_file_system_that_cannot_sync_is_no_problem_and_a_failing_disk_is(
    code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, refuse, raising=False)
    with (tmp_path / "file").open("wb") as file:
        if code in (errno.EIO, errno.ENOSPC):
            for sync in (lambda: disk.durable(file.fileno()), lambda: disk.sync_folder(tmp_path)):
                with pytest.raises(OSError, match=os.strerror(code)):
                    sync()
        else:
            disk.durable(file.fileno())
            assert not disk.sync_folder(tmp_path)


def test_a_new_scratch_folder_whose_lock_another_process_holds_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Windows reports it: a byte that is locked is no permission, and not EWOULDBLOCK."""
    refusals, take = [PermissionError(errno.EACCES, "locked")], disk.take_lock
    tried: list[int] = []

    def once(descriptor: int) -> None:
        tried.append(descriptor)
        if refusals:
            raise refusals.pop()
        take(descriptor)

    monkeypatch.setattr(disk, "take_lock", once)
    with ScratchFolder("held-elsewhere") as folder:
        assert len(tried) == 2 and folder.is_dir()


def test_files_that_belong_together_are_all_new_or_all_old(tmp_path: Path) -> None:
    def torn() -> Iterator[bytes]:
        yield b"new"
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left") as refused:
        disk.replace_files(tmp_path / "made", {"a": [b"new"], "b": torn()})
    assert refused.value.filename == str(tmp_path / "made" / "b") and not list(tmp_path.iterdir())
    disk.replace_files(tmp_path, {"a": [b"old"], "b": [b"old"]})
    with pytest.raises(OSError, match="No space left"):
        disk.replace_files(tmp_path, {"a": [b"new"], "b": torn()})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old", "b": b"old"}


def test_half_a_record_of_a_full_disk_is_taken_back(small_disk: Path) -> None:
    list_of_records = small_disk / "list.jsonl"
    add_record(list_of_records, Note("first"))
    (small_disk / "fill").write_bytes(bytes(os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize - 4096))
    with pytest.raises(BadRecords, match="the disk is full"):
        add_record(list_of_records, Note("x" * 20_000))
    (small_disk / "fill").unlink()
    add_record(list_of_records, Note("second"))
    assert read_records(list_of_records, Note) == [Note("first"), Note("second")]


@pytest.mark.parametrize(("problem", "sentence"), [
    (OSError(errno.ENOSPC, "x", "a.csv"), "a.csv cannot be written: the disk is full. Make room, or choose another"),
    (OSError(errno.EDQUOT, "x"), "A file cannot be written: the disk is full. Make room, or choose another disk."),
    (RuntimeError("database or disk is full"), "A file cannot be written: the disk is full."),
    (PermissionError(errno.EACCES, "Not permitted", "a.csv"), "a.csv cannot be opened or written: Not permitted."),
    (IsADirectoryError(21, "Is a directory", "/usr"), "/usr cannot be opened or written: the folder /usr is"),
    (NotADirectoryError(20, "Not a directory", f"{__file__}/a/b"), f"{__file__}/a/b cannot be opened or written: the "
     f"file {__file__} is in the way. Move it elsewhere, and try again."),
    (ValueError("x"), None), (FileNotFoundError(errno.ENOENT, "x", "a.csv"), None),
])  # fmt: skip
def test_what_a_disk_refuses_is_no_problem_of_the_program(problem: Exception, sentence: str | None) -> None:
    assert str(disk.disk_problem(problem)).startswith(str(sentence))


class Note(msgspec.Struct, frozen=True):
    text: str
