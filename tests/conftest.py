"""The order of the tests: the stories first, for each of their files keeps a core busy for a minute or two."""

from __future__ import annotations

import pytest

FIRST = "stories"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever comes last should be short: while the last file runs on one core, the other waits."""
    items.sort(key=lambda item: FIRST not in item.path.parts)
