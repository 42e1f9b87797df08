"""The ferries, as a pack and with a drafter that knows their examples; the bikes as a new pack. Personnel likewise, and
without any example. Each is learned once, so no test may teach these drafters anything."""

import pytest

from curtain.domain.build.new_pack import new_pack
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Example
from tests.drafting import ferry_pack as ferries
from tests.drafting.bikes_pack import write_sqlite


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return load_pack(ferries.write_pack(tmp_path_factory.mktemp("packs") / "ferries"))


@pytest.fixture(scope="session")
def drafter(pack: Pack) -> LocalDrafter:
    return LocalDrafter(pack, database(pack), ferries.examples())


@pytest.fixture(scope="session")
def personnel() -> LocalDrafter:
    pack = load_pack("personnel")
    examples = [Example(one.question, one.sql, id=f"pack:{n}") for n, one in enumerate(pack.examples())]
    return LocalDrafter(pack, database(pack), examples)


@pytest.fixture(scope="session")
def untaught() -> LocalDrafter:
    pack = load_pack("personnel")
    return LocalDrafter(pack, database(pack), [])


@pytest.fixture(scope="module")
def bikes(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("bikes")
    new_pack(write_sqlite(folder / "bikes.sqlite"), folder / "pack", lambda what, share: None)
    return load_pack(folder / "pack")
