"""The ferries, as a pack and with a drafter that knows their examples; the bikes as a new pack. Personnel likewise, and
without any example. Each is learned once, so no test may teach these drafters anything."""

from collections.abc import Iterator

import pytest

from companions.drafts.tests.tool import ferry_pack as ferries
from companions.drafts.tests.tool.bikes_pack import write_sqlite
from curtain.base.privacy import own_cache
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain_drafts.drafting.values import Example
from curtain_drafts.tool import service
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_drafts.tool.serving.pending_request import Trust
from curtain_packs.new_pack import new_pack


@pytest.fixture(scope="module", autouse=True)
def trust_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """How far a drafter's answers are trusted is no matter of another module's tests."""
    folder = tmp_path_factory.mktemp("trust")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "Trust", lambda path, names: Trust(folder / path.name, names))
        yield


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
    return LocalDrafter(pack, database(pack), examples, own_cache())  # what one worker has learned, the others read


@pytest.fixture(scope="session")
def untaught() -> LocalDrafter:
    pack = load_pack("personnel")
    return LocalDrafter(pack, database(pack), [])


@pytest.fixture(scope="module")
def bikes(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("bikes")
    new_pack(write_sqlite(folder / "bikes.sqlite"), folder / "pack", lambda what, share: None)
    return load_pack(folder / "pack")
