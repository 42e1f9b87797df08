"""What was learned is read back whole; a file that is damaged is written anew."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companions.drafts.tests.tool import ferry_pack as ferries
from curtain.domain.pack.pack import Pack, database
from curtain.drafting.values import Example, Request
from curtain_drafts.tool.drafter.cache import Shelf
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_drafts.tool.examples.reader import Reader
from curtain_drafts.tool.ranking.candidate import START
from curtain_drafts.tool.ranking.training import Kept

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
