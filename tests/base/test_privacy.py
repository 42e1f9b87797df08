"""What Curtain writes is for one person, and what a killed process left is removed once it is old."""

import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from curtain.base.privacy import sweep
from curtain.domain.pack.pack import bundled_packs, load_pack
from curtain.domain.pack.store import database
from curtain.session.study.study import load_study, new_study

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a profile's folders are private there by themselves")
PROGRAMS = ("curtain", "wizard_app", "subject_app", "curtain.review")
ROOT = Path(__file__).resolve().parents[2]
_A_DAY_AND_MORE_S = 25 * 60 * 60

BEGIN = """
import os, runpy, sys
os.umask(0o022)
sys.argv = [sys.argv[1], "--help"]
try:
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
except SystemExit:
    pass
print(oct(os.umask(0)), file=sys.stderr)
"""


def aged(path: Path) -> Path:
    then = path.stat().st_mtime - _A_DAY_AND_MORE_S
    os.utime(path, (then, then))
    return path


def open_to_others(folder: Path) -> list[Path]:
    """What others may read or enter, the folder itself included."""
    return [path for path in (folder, *folder.rglob("*")) if stat.S_IMODE(path.lstat().st_mode) & 0o077]


@POSIX
@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_keeps_its_files_private(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", BEGIN, program], capture_output=True, text=True, timeout=60)
    assert done.stderr.splitlines()[-1] == "0o77", done.stderr


@POSIX
def test_a_study_made_on_the_command_line_is_private(tmp_path: Path) -> None:
    study = tmp_path / "study"
    command = [sys.executable, "-m", "curtain", "study", "new", str(study)]
    subprocess.run(command, check=True, capture_output=True, timeout=60, umask=0o022)
    assert (study / "study.toml").is_file()
    assert open_to_others(study) == []


@POSIX
def test_what_python_compiles_may_be_read_by_whoever_may_read_the_source(tmp_path: Path) -> None:
    for package in ("curtain", "canned_messages", "sample_db/personnel"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "sample_db" / "__init__.py").touch()
    command = [sys.executable, "-P", "-m", "curtain", "study", "new", str(tmp_path / "study")]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(tmp_path)
    for folder in (tmp_path, *tmp_path.rglob("*")):
        folder.chmod(0o755 if folder.is_dir() else 0o644)
    subprocess.run(command, check=True, capture_output=True, timeout=60, umask=0o077, env=environment)
    caches = list(tmp_path.rglob("__pycache__"))
    assert tmp_path / "sample_db" / "__pycache__" in caches
    private = {path for cache in caches for path in (cache, *cache.iterdir()) if path not in open_to_others(cache)}
    assert private == set()


def test_a_folder_that_only_somebody_else_may_enter_holds_no_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    look, packs = os.stat, bundled_packs()

    def forbidden(path: os.PathLike[str] | str | int, **options: bool) -> os.stat_result:
        if "atis" in str(path):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return look(path, **options)

    monkeypatch.setattr(os, "stat", forbidden)
    assert bundled_packs() == [name for name in packs if name != "atis"]


def test_what_a_killed_process_left_long_ago_is_removed(tmp_path: Path) -> None:
    (tmp_path / "flights.part-abc").mkdir()
    (tmp_path / "flights.part-abc" / "database.duckdb").write_bytes(b"x")
    aged(tmp_path / "flights.part-abc")
    (tmp_path / "x.part").write_bytes(b"x")
    aged(tmp_path / "x.part")
    sweep(tmp_path, ["*.part-*", "*.part"])
    assert list(tmp_path.iterdir()) == []


def test_what_is_new_or_bears_another_name_stays(tmp_path: Path) -> None:
    (tmp_path / "new.part").write_bytes(b"x")
    (tmp_path / "notes.txt").write_bytes(b"x")
    aged(tmp_path / "notes.txt")
    sweep(tmp_path, ["*.part"])
    assert len(list(tmp_path.iterdir())) == 2


def test_a_link_is_removed_and_not_what_it_leads_to(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "recording.wav").write_bytes(b"x")
    link = tmp_path / "link.part"
    link.symlink_to(kept)
    then = link.lstat().st_mtime - _A_DAY_AND_MORE_S
    os.utime(link, (then, then), follow_symlinks=False)
    sweep(tmp_path, ["*.part"])
    assert not link.is_symlink()
    assert (kept / "recording.wav").exists()


def test_a_study_that_is_begun_again_loses_the_leftovers_of_a_killed_station(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", "personnel")
    (study.folder / "sessions" / ".e00-01.part").mkdir()
    aged(study.folder / "sessions" / ".e00-01.part")
    (study.folder / "sessions" / ".writable-4711").write_bytes(b"x")
    aged(study.folder / "sessions" / ".writable-4711")
    load_study(study.folder).ensure_writable()
    assert {path.name for path in study.folder.rglob(".*")} == set()


def test_a_database_that_is_built_sweeps_builds_that_were_killed(tmp_path: Path) -> None:
    pack = load_pack("personnel")
    (tmp_path / "personnel-0123.part-abc").mkdir()
    aged(tmp_path / "personnel-0123.part-abc")
    database(pack, cache=tmp_path)
    assert [path.suffix for path in tmp_path.iterdir()] == [".duckdb"]
