"""What was learned is read back whole; a file that is damaged, of another form or a trap is written anew."""

import pickle
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from curtain.domain.pack.pack import Pack, database
from curtain.drafting.drafter.cache import Shelf
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.examples.models import Model
from curtain.drafting.examples.reader import Reader
from curtain.drafting.ranking.candidate import START
from curtain.drafting.ranking.training import Kept
from curtain.drafting.values import Example, Request
from tests.drafting import ferry_pack as ferries

EXAMPLES = [Example("which ferries are there", "SELECT 1", id="1")]
KEPT = Kept(frozenset(one.digest for one in EXAMPLES), list(START), False, Reader())


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
    assert kept is None or kept == KEPT


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


def unfit(**fields: object) -> Kept:
    """What was kept, with other fields than it may have."""
    return msgspec.structs.replace(KEPT, **fields)


def model(numbers: dict[str, int], rows: int = 0) -> Model:
    """One with so many rows of weights, whether or not that fits its features."""
    made, weights = Model(0.1), np.zeros((rows, 0), np.float32)
    made.features, made.weights, made.moved = numbers, weights, weights
    return made


def flipped(data: bytes) -> bytes:
    return data[:100] + bytes([data[100] ^ 1]) + data[101:]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: data[:-1], id="cut off"),
        pytest.param(lambda data: data[:100], id="its beginning"),
        pytest.param(flipped, id="a bit"),
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


@pytest.mark.parametrize(
    "kept",
    [
        pytest.param(unfit(ranker=[0.0] * 3), id="other features"),
        pytest.param(unfit(ranker=[None] * len(START)), id="no numbers"),
        pytest.param(unfit(ranker=["1"] * len(START)), id="texts for numbers"),
        pytest.param(unfit(reader=Reader({"head": (model({"town": 0}), model({}))})), id="a reader of other words"),
        pytest.param(unfit(reader=Reader({"head": (model({"town": 7}, 1), model({}))})), id="words out of place"),
        pytest.param(unfit(reader={"pairs": {"role town": [model({})]}}), id="half a reader"),
        pytest.param(unfit(reader={"pairs": {"head": 2 * [{"rate": 0.1, "weights": [[1, 1], b""]}]}}), id="no weights"),
    ],
)
def test_what_does_not_fit_together_is_learned_anew(kept: Kept, pack: Pack, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, pack, database(pack))
    shelf.keep(kept)
    assert shelf.find(EXAMPLES) is None


def test_a_file_of_python_s_own_form_runs_nothing(pack: Pack, tmp_path: Path) -> None:
    shelf, trace = Shelf(tmp_path / "cache", pack, database(pack)), tmp_path / "trace"
    shelf.keep(KEPT)
    (path,) = (tmp_path / "cache").iterdir()
    path.write_bytes(pickle.dumps(Trap(trace)))
    assert shelf.find(EXAMPLES) is None and not trace.exists()
