"""What is killed many times within a session in Chromium; `bench/browser_kills.py` plays it and measures more of it."""

import shutil
import sys
from pathlib import Path

import pytest

from .page_subject import RATE, SPOKEN_S, assert_lost_by_chromium

pytestmark = [
    pytest.mark.stations,
    pytest.mark.soak,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium: tools/prepare.sh browser chromium"),
]


def test_every_question_is_kept_over_dead_lines_killed_pages_and_killed_gateways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(Path(__file__).parents[3] / "bench")])
    import browser_kills

    kept = browser_kills.play(tmp_path, rounds=8)
    for number, take in enumerate(kept.takes):
        # A dead line costs nothing; who was killed had not kept the last half second at most.
        least = SPOKEN_S / 2 if number % 3 else browser_kills.DEAD_S
        assert assert_lost_by_chromium(take) > least * RATE
    assert assert_lost_by_chromium(kept.last) > SPOKEN_S / 2 * RATE
    assert max(kept.held_s) < 30
