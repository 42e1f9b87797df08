import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from select import select

import pytest

from curtain.domain.pack.pack import Pack, PackError, content_sha256, database, load_pack
from tests.support.child_program import Child

MakePack = Callable[..., Path]
PATIENCE_S = 60  # how long a failure takes


def test_a_database_is_built_once_and_then_found(pack: Pack, db: Path, cache: Path) -> None:
    made = db.stat().st_mtime_ns

    assert database(pack, cache) == db
    assert db.stat().st_mtime_ns == made
    assert list(cache.glob(f"{db.stem.rpartition('-')[0]}-*")) == [db]


def test_building_tells_its_progress(pack: Pack, tmp_path: Path) -> None:
    reported: list[tuple[str, float]] = []
    database(pack, tmp_path, progress=lambda what, share: reported.append((what, share)))

    assert reported[0] == ("hiring", 1 / 40)
    assert reported[-1] == ("hiring", 1.0)


def test_a_damaged_file_is_built_again(pack: Pack, tmp_path: Path) -> None:
    path = database(pack, tmp_path)
    whole = content_sha256(path)
    for damage in (path.read_bytes()[:5000], b"x" + path.read_bytes()[1:]):
        path.write_bytes(damage)

        assert content_sha256(database(pack, tmp_path)) == whole


def test_a_full_disk_is_named_as_what_it_is(pack: Pack, small_disk: Path) -> None:
    (small_disk / "there").write_bytes(bytes(195_000))
    with pytest.raises(PackError, match=rf"{small_disk} cannot be written: the disk is full\. Make room"):
        database(pack, small_disk)


def test_what_a_database_is_made_of_decides_what_it_is(pack: Pack, db: Path, cache: Path, make_pack: MakePack) -> None:
    other = database(pack, cache, seed=2)
    changed = database(load_pack(make_pack(build=("DEPT", "ROOM"))), cache)

    assert len({db, other, changed}) == 3
    assert len({content_sha256(path) for path in (db, other, changed)}) == 3
    other.unlink()
    changed.unlink()


def test_the_same_rows_are_the_same_database_however_they_were_written(
    db: Path, tmp_path: Path, make_pack: MakePack
) -> None:
    backwards = ("range(1, 41)", "range(40, 0, -1)")

    assert content_sha256(database(load_pack(make_pack(build=backwards)), tmp_path)) == content_sha256(db)


def test_several_stations_may_build_at_once(pack: Pack, tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as stations:
        paths = list(stations.map(lambda _: database(pack, tmp_path), range(3)))

    assert len({content_sha256(path) for path in paths}) == 1
    assert not [path for path in tmp_path.iterdir() if "part" in path.name]


@pytest.mark.parametrize(
    ("build", "problem"),
    [
        ("def build(path, seed=1, progress=None): raise RuntimeError('no rows today')", "no rows today"),
        ("def build(path, seed=1, progress=None): pass", "wrote no file"),
        ("import nothing_like_this", "nothing_like_this"),
        ("x = 1", "no function build"),
        ("import os; os._exit(3)", "ended with 3"),
        (
            "import duckdb\ndef build(path, seed=1, progress=None):\n"
            " duckdb.connect(str(path)).execute('CREATE TABLE dept (dept INTEGER, name VARCHAR)')",
            "lacks person.id",
        ),
    ],
)
def test_a_build_that_fails_says_why_and_leaves_nothing(
    make_pack: MakePack, tmp_path: Path, build: str, problem: str
) -> None:
    with pytest.raises(PackError, match=problem) as caught:
        database(load_pack(make_pack(build=build)), tmp_path)

    assert "build.py" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


HOLDS_A_PIPE = """
def build(path, seed=1, progress=None):
    import time
    held = open({pipe!r}, "w")
    held.write("builds")
    held.flush()
    time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes of Unix")
def test_a_builder_ends_with_its_killed_command(make_pack: MakePack, tmp_path: Path) -> None:
    pipe, cache = tmp_path / "pipe", tmp_path / "cache"
    os.mkfifo(pipe)
    folder = make_pack(build=HOLDS_A_PIPE.format(pipe=str(pipe)))
    command = "import sys; from pathlib import Path; from curtain.domain.pack.pack import database, load_pack; "
    command += "database(load_pack(Path(sys.argv[1])), Path(sys.argv[2]))"
    with Child([sys.executable, "-c", command, str(folder), str(cache)]) as killed:
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            assert select([reader], [], [], PATIENCE_S)[0] and os.read(reader, 100) == b"builds"
            killed.kill()
            # The end of the pipe proves the end of whoever held it.
            assert select([reader], [], [], PATIENCE_S)[0] and os.read(reader, 100) == b""
        finally:
            os.close(reader)


def test_a_pack_may_bring_its_database(make_pack: MakePack, db: Path) -> None:
    folder = make_pack(build=None)
    with pytest.raises(PackError, match=r"neither a build\.py nor a database\.duckdb"):
        database(load_pack(folder))
    (folder / "database.duckdb").write_bytes(db.read_bytes())

    assert database(load_pack(folder)) == folder / "database.duckdb"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="whoever runs this may write anywhere")
def test_a_cache_that_cannot_be_written_is_reported(pack: Pack, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(PackError, match="cannot be kept here"):
        database(pack, tmp_path)


def test_a_cache_that_is_a_file_is_reported(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    with pytest.raises(PackError, match=r"kept here: the file .*cache is in the way\. Move it elsewhere"):
        database(pack, tmp_path / "cache")


def test_what_is_no_database_has_no_content(tmp_path: Path) -> None:
    (tmp_path / "x.duckdb").write_text("no database")
    with pytest.raises(PackError, match=r"x\.duckdb"):
        content_sha256(tmp_path / "x.duckdb")
