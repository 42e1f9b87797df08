"""One session over a cable that is pulled out and put back, a hundred times at any byte and once for long."""

from pathlib import Path

import pytest

from companions.rooms.tests.network.fault_proxy import Faults
from curtain.rehearsal.player import begin_session, end_session
from curtain.rehearsal.stage import wait_s
from tests.stories.test_sleep_and_spare import answer, ask_and_answer, assert_whole, on_stage, speak_alone
from tests.stories.test_two_rooms import pair, two_rooms

# The short form is companions/rooms/tests/network/test_rooms.py.
pytestmark = [pytest.mark.stations, pytest.mark.soak]

CUTS = 100
LONG_S = 30.0
# A connection needs some 5 KB before it carries a line, and a question of this story 35 KB.
FARTHEST_BYTE = 40_000
MOST_TURNS = 60


def test_a_hundred_cuts_at_random_bytes_and_one_of_30_s_lose_no_turn(tmp_path: Path) -> None:
    with two_rooms(tmp_path) as (wizard, subject, proxy):
        pair(wizard, subject)
        stage = on_stage(tmp_path, wizard, subject, turns=MOST_TURNS)
        begin_session(stage, "c00")
        proxy.problems = Faults(cut_within=FARTHEST_BYTE)
        proxy.cut()
        turn = 0
        while proxy.cuts < CUTS:
            turn += 1
            ask_and_answer(stage, turn)
        cuts = proxy.cuts
        proxy.problems = Faults(down=True)
        proxy.cut()
        wizard.wait("window", link="down")
        wait_s(LONG_S)
        # The subject asks on all the same.
        turn += 1
        speak_alone(stage, turn)
        proxy.problems = Faults()
        answer(stage, turn)
        turn += 1
        ask_and_answer(stage, turn)
        assert_whole(end_session(stage), turn)
        print(f"{cuts} cuts and one of {LONG_S:.0f} s in {turn} turns: 0 lost, 0 twice")
        assert turn < MOST_TURNS
