"""Whole sessions over the real wizard's window and the gateway as a process; the page is played."""

import numpy as np
import pytest

from .rig import session, turns_of

pytestmark = pytest.mark.stations


def test_what_is_said_in_the_page_is_in_the_bundle_sample_for_sample_also_over_a_cut(tmp_path):
    with session(tmp_path) as rig:
        rig.begin()
        rig.ask()
        rig.answer(1)
        # The line is cut in the middle of a question, and another one is asked before it is back.
        rig.page.down()
        rig.page.speak(first := rig.noise(0.6))
        rig.page.cut()
        rig.page.speak(second := rig.noise(6.0))
        rig.page.up()
        rig.page.say(rig.noise(0.7))
        rig.page.mend()
        rig.answer(2)
        rig.answer(3)
        rig.said[1:3] = [np.concatenate([first, second])]
        bundle = rig.end()
        rig.page.until(lambda: rig.page.bye)
    turns = turns_of(bundle)
    assert [turn.outcome for turn in turns] == ["answer"] * 3
    assert [turn.cut_reason for turn in turns] == [None] * 3
