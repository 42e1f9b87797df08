"""The companion that docs/instruments.md shows marks each line of both journals, with the time of the event."""

import re
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest

from curtain.ports import discovery
from curtain.ports.discovery import EntryPoint, Installed, loaded
from curtain.session.study.study import Study
from tests.wizard_app.room import PLAN, Room

PAGE = Path(__file__).resolve().parents[2] / "docs" / "instruments.md"
FILE = re.compile(r"^`(\w+\.py)`:\n\n```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_AHEAD_S = 1000.0


class Outlet:
    """In place of pylsl's."""

    samples: ClassVar[list[tuple[str, float]]] = []

    def __init__(self, info: tuple[object, ...]) -> None:
        self.samples.clear()

    def push_sample(self, sample: list[str], at_s: float) -> None:
        self.samples.append((sample[0], at_s))


@pytest.fixture
def study(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """With the companion installed, and LSL's clock ahead of ours."""
    package = tmp_path / "curtain_lsl"
    package.mkdir()
    for name, code in FILE.findall(PAGE.read_text("utf-8")):
        (package / name).write_text(code, "utf-8")
    pylsl = SimpleNamespace(StreamInfo=lambda *about: about, StreamOutlet=Outlet, local_clock=lambda: _AHEAD_S)
    monkeypatch.setitem(sys.modules, "pylsl", pylsl)
    monkeypatch.syspath_prepend(tmp_path)
    # Two readings of a running clock would differ by what the machine does between them.
    monkeypatch.setattr(import_module("curtain_lsl.markers"), "steady_s", lambda: 0.0)
    point = EntryPoint("lsl", "curtain_lsl.companion:COMPANION", "curtain-lsl", "0.1.0", str(tmp_path))
    with_it = Installed((*discovery.installed().companions, (loaded(point.place), point)))
    monkeypatch.setattr(discovery, "installed", lambda: with_it)
    return study


def test_a_session_is_in_step_with_a_recorder_of_markers(study: Study, room: Room) -> None:
    room.begin(PLAN)
    turn = room.speak()
    room.send_query("how many employees are there")
    room.send_message(turn)
    bundle = room.close_session()

    wizard, subject = bundle.read_wizard_journal().entries, bundle.read_subject_journal().entries
    moments = {"key_down": "pressed_ns", "key_up": "released_ns"}
    for author, entries in (("wizard", wizard), ("subject", subject)):
        sent = [(marker, at_s) for marker, at_s in Outlet.samples if f"/{author}/" in marker]
        names = [f"e00-01/{author}/{entry.type}/{entry.turn or 0}/{entry.seq}" for entry in entries]
        assert [marker for marker, _ in sent] == names
        stamps = [at_s for _, at_s in sent]
        assert stamps == sorted(stamps)
        happened = [entry.data.get(moments.get(entry.type, ""), entry.t_ns) / 1e9 for entry in entries]
        assert stamps == pytest.approx([at_s + _AHEAD_S for at_s in happened])
    assert bundle.verify() == []
