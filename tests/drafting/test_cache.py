"""What was learned is read back whole; a file that is damaged, of another form or a trap is written anew."""

import pickle
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from curtain.domain.pack.pack import Pack, database
from curtain.drafting.drafter.cache import Kept, Shelf, digest
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.ranking.training import Learned
from curtain.drafting.values import Example, Request
from tests.drafting import ferry_pack as ferries

EXAMPLES = [Example("which ferries are there", "SELECT 1", id="1")]


def kept(pack: Pack) -> Kept:
    return Kept((digest(EXAMPLES[0]),), Learned.of(pack.tables), "", {}, {})


def test_what_was_kept_is_found_again(pack: Pack, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, pack, database(pack))
    shelf.keep(kept(pack), [])
    found = shelf.find(EXAMPLES)
    assert found is not None and found.digests == kept(pack).digests


def test_what_was_learned_drafts_as_before(pack: Pack, drafter: LocalDrafter, tmp_path: Path) -> None:
    examples = ferries.examples()
    LocalDrafter(pack, database(pack), examples, tmp_path)
    again = LocalDrafter(pack, database(pack), examples, tmp_path, lambda what, share: pytest.fail("It learned anew."))
    for example in examples[:20]:
        before, now = (one.drafts(Request(f"please {example.question}"))[0] for one in (drafter, again))
        assert (now.sql, now.chips, now.example) == (before.sql, before.chips, before.example)


class Trap:
    """Reading it as Python's own form writes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[[Path], None], tuple[Path]]:
        return Path.touch, (self.path,)


def signed(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4) + data


def changed(name: str, value: object) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        members = msgspec.msgpack.decode(data[4:])
        members[name] = value
        return signed(msgspec.msgpack.encode(members))

    return change


def flipped(data: bytes) -> bytes:
    return data[:-5] + bytes([data[-5] ^ 1]) + data[-4:]


ARRAY = ["<f8", [3], bytes(24)]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: data[:-1], id="cut off"),
        pytest.param(flipped, id="a bit"),
        pytest.param(lambda data: signed(b""), id="nothing that is signed"),
        pytest.param(lambda data: signed(b"\x91" * 200_000), id="nested"),
        pytest.param(changed("reader", None), id="no reader"),
        pytest.param(changed("ranker", ARRAY), id="other features"),
        pytest.param(changed("ranker", ["<f8", [1 << 40], b""]), id="no bytes for its shape"),
        pytest.param(changed("ranker", ["O", [1], bytes(8)]), id="an array of objects"),
        pytest.param(changed("calibration", ARRAY), id="other evidence"),
        pytest.param(changed("usual", {"a.b": "often"}), id="a text for a number"),
        pytest.param(changed("known", [[{"question": ""}, {}]]), id="half a question"),
    ],
)
def test_another_file_is_made_anew_without_a_word(damage: Callable[[bytes], bytes], pack: Pack, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, pack, database(pack))
    shelf.keep(kept(pack), [])
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert shelf.find(EXAMPLES) is None
    shelf.keep(kept(pack), [])
    assert shelf.find(EXAMPLES) is not None


def test_a_file_of_python_s_own_form_runs_nothing(pack: Pack, tmp_path: Path) -> None:
    shelf, trace = Shelf(tmp_path / "cache", pack, database(pack)), tmp_path / "trace"
    shelf.keep(kept(pack), [])
    (path,) = (tmp_path / "cache").iterdir()
    for other in (path, path.with_suffix(".pickle")):
        other.write_bytes(pickle.dumps(Trap(trace)))
    assert shelf.find(EXAMPLES) is None and not trace.exists()
