"""What was learned is read back whole; a file that is damaged, of another form or a trap is written anew."""

import io
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from curtain.domain.pack.pack import Pack, database
from curtain.drafting.drafter.cache import Shelf
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.examples.reader import Reader
from curtain.drafting.ranking.candidate import CALIBRATION, START
from curtain.drafting.ranking.training import Kept
from curtain.drafting.values import Example, Request
from tests.drafting import ferry_pack as ferries

EXAMPLES = [Example("which ferries are there", "SELECT 1", id="1")]
KEPT = Kept(frozenset(EXAMPLES), np.array(START), np.array(CALIBRATION), Reader())


@pytest.mark.parametrize(
    "asked, found",
    [(1, True), (2, True), (3, False), (0, False)],
    ids=["the same", "one more", "most are new", "one is gone"],
)
def test_the_weights_of_a_store_hold_for_few_more_examples(asked: int, found: bool, pack: Pack, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, pack, database(pack))
    shelf.keep(KEPT)
    more = [Example(f"question {n}", "SELECT 1", id=f"more {n}") for n in range(asked - 1)]
    kept = shelf.find([*EXAMPLES, *more] if asked else [])
    assert (kept is not None) == found
    assert kept is None or kept.examples == KEPT.examples
    assert kept is None or all(map(np.array_equal, (kept.ranker, kept.calibration), (START, CALIBRATION)))


def test_what_was_learned_drafts_as_before(pack: Pack, drafter: LocalDrafter, tmp_path: Path) -> None:
    examples = ferries.examples()
    LocalDrafter(pack, database(pack), examples, tmp_path)
    (path,) = tmp_path.iterdir()
    written = path.stat().st_ino
    again = LocalDrafter(pack, database(pack), examples, tmp_path)
    assert path.stat().st_ino == written, "It learned anew."
    for example in examples[:20]:
        before, now = (one.drafts(Request(f"please {example.question}"))[0] for one in (drafter, again))
        assert (now.sql, now.chips, now.example) == (before.sql, before.chips, before.example)


class Trap:
    """Reading it as Python's own form writes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[[Path], None], tuple[Path]]:
        return Path.touch, (self.path,)


def changed(name: str, value: object) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        members = dict(np.load(io.BytesIO(data)))
        members[name] = value
        out = io.BytesIO()
        np.savez(out, **members)
        return out.getvalue()

    return change


def flipped(data: bytes) -> bytes:
    return data[:200] + bytes([data[200] ^ 1]) + data[201:]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: data[:-1], id="cut off"),
        pytest.param(lambda data: data[:100], id="its beginning"),
        pytest.param(flipped, id="a bit"),
        pytest.param(changed("ranker", np.zeros(3)), id="other features"),
        pytest.param(changed("calibration", np.zeros((2, 2))), id="other evidence"),
        pytest.param(changed("ranker", np.array([object()])), id="an array of objects"),
        pytest.param(changed("ranker", np.array(["1"] * len(START))), id="texts for numbers"),
        pytest.param(changed("reader/head/0/weights", np.zeros((2, 2), "f2")), id="a reader of other words"),
        pytest.param(changed("reader/role town/0/labels", np.array(b"a")), id="half a reader"),
    ],
)
def test_another_file_is_made_anew_without_a_word(damage: Callable[[bytes], bytes], pack: Pack, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, pack, database(pack))
    shelf.keep(KEPT)
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert shelf.find(EXAMPLES) is None
    shelf.keep(KEPT)
    assert shelf.find(EXAMPLES) is not None


def test_a_file_of_python_s_own_form_runs_nothing(pack: Pack, tmp_path: Path) -> None:
    shelf, trace = Shelf(tmp_path / "cache", pack, database(pack)), tmp_path / "trace"
    shelf.keep(KEPT)
    (path,) = (tmp_path / "cache").iterdir()
    path.write_bytes(pickle.dumps(Trap(trace)))
    assert shelf.find(EXAMPLES) is None and not trace.exists()
