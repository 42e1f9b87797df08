"""Rooms that know each other, listeners that are closed in the end, and a thread for what blocks."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from companions.rooms.tests.network.rooms import Room, paired_rooms
from curtain_rooms.network.listener import NetworkListener


@pytest.fixture
def rooms(tmp_path: Path) -> tuple[Room, Room]:
    return paired_rooms(tmp_path)


@pytest.fixture
def listen() -> Iterator[Callable[..., NetworkListener]]:
    """Opens listeners of rooms."""
    made: list[NetworkListener] = []

    def opened(room: Room, **options: Any) -> NetworkListener:
        made.append(room.listener(**options))
        return made[-1]

    yield opened
    for listener in made:
        listener.close()


@pytest.fixture
def beside() -> Iterator[ThreadPoolExecutor]:
    """Runs what blocks while this thread serves the event loop."""
    with ThreadPoolExecutor(1) as pool:
        yield pool
