"""The ferries, as a pack and with a drafter that knows their examples."""

from __future__ import annotations

import pytest

from curtain.domain.pack import Pack, database, load_pack
from curtain.drafting.local import LocalDrafter
from tests.drafting import ferry_pack as ferries


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return load_pack(ferries.write_pack(tmp_path_factory.mktemp("packs") / "ferries"))


@pytest.fixture(scope="module")
def drafter(pack: Pack) -> LocalDrafter:
    return LocalDrafter(pack, database(pack), ferries.examples())
