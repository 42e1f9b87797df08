"""The order of the tests: the stories first, for each of their files keeps a core busy for a minute or two. And no
property is timed: a machine that stands still for a moment says nothing of it."""

from __future__ import annotations

import hypothesis
import pytest

FIRST = "stories"

hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever comes last should be short: while the last file runs on one core, the other waits."""
    items.sort(key=lambda item: FIRST not in item.path.parts)
