"""Markers beside a session: what is sent, and when."""

import platform

import pytest
from msgspec import structs

from curtain.session.study.study import Study
from curtain_experiments.instruments.markers import offset_of
from tests.wizard_app.room import PATIENCE_MS, PLAN, Room


@pytest.fixture
def study(study: Study) -> Study:
    return structs.replace(study, lsl=True)


def test_a_session_is_in_step_with_a_recorder_of_markers(room: Room, study: Study) -> None:
    pylsl = pytest.importorskip("pylsl", reason="pylsl is not installed (the extra “lsl”)")
    source = f"Curtain-{study.folder.name}-{platform.node()}"
    streams = pylsl.resolve_byprop("source_id", source, timeout=PATIENCE_MS / 1000)
    inlet = pylsl.StreamInlet(streams[0])
    inlet.open_stream(timeout=PATIENCE_MS / 1000)
    room.begin(PLAN)
    turn = room.speak()
    room.send_query("how many employees are there")
    room.send_message(turn)
    bundle = room.close_session()

    wizard, subject = bundle.read_wizard_journal().entries, bundle.read_subject_journal().entries
    markers: dict[tuple[str, int], tuple[list[str], float]] = {}
    while len(markers) < len(wizard) + len(subject):
        sample, at_s = inlet.pull_sample(timeout=PATIENCE_MS / 1000)
        assert sample is not None
        session_id, author, kind, number, seq = sample[0].split("/")
        markers[author, int(seq)] = ([session_id, kind, number], at_s)
    ahead, bound = offset_of(pylsl.local_clock)
    assert bound < 0.001
    moments = {"key_down": "pressed_ns", "key_up": "released_ns"}
    for author, entries in (("wizard", wizard), ("subject", subject)):
        sent = [markers[author, entry.seq] for entry in entries]
        assert [about for about, _ in sent] == [["e00-01", one.type, str(one.turn or 0)] for one in entries]
        stamps = [at_s for _, at_s in sent]
        assert stamps == sorted(stamps)
        # One machine, one clock: nothing but the reading of LSL's can be off.
        for entry, stamp in zip(entries, stamps, strict=True):
            assert abs(stamp - ahead - entry.data.get(moments.get(entry.type, ""), entry.t_ns) / 1e9) < 0.001

    assert bundle.verify() == []
