"""What was learned is read back whole; a file of an earlier form is written anew."""

from __future__ import annotations

from pathlib import Path

from curtain.domain.pack.pack import Pack, database
from curtain.drafting.drafter.cache import Kept, Shelf, digest
from curtain.drafting.ranking.training import Learned
from curtain.drafting.values import Example

EXAMPLES = [Example("which ferries are there", "SELECT 1", id="1")]


def kept(pack: Pack) -> Kept:
    return Kept((digest(EXAMPLES[0]),), Learned.of(pack.tables), "", {})


def test_what_was_kept_is_found_again(pack: Pack, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, pack, database(pack))
    shelf.keep(EXAMPLES, kept(pack))
    found = shelf.find(EXAMPLES)
    assert found is not None and found.digests == kept(pack).digests


def test_a_file_that_lacks_a_field_of_today_is_not_taken(pack: Pack, tmp_path: Path) -> None:
    old = kept(pack)
    del old.learned.calibration
    shelf = Shelf(tmp_path, pack, database(pack))
    shelf.keep(EXAMPLES, old)
    assert shelf.find(EXAMPLES) is None
