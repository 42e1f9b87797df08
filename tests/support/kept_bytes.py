"""What a fold keeps in memory of each turn."""

import tracemalloc
from collections.abc import Callable

WARM_UP, MEASURED = 100, 300


def bytes_a_turn(play: Callable[[int], None]) -> float:
    """The mean of 300 turns, after the first 100; `play` gets the number of the turn and keeps what comes of it."""
    for number in range(1, WARM_UP + 1):
        play(number)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(WARM_UP + 1, WARM_UP + MEASURED + 1):
            play(number)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) / MEASURED
