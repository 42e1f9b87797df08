"""Two rooms after a station has started again: on another port, at another address, killed in the middle."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from curtain.rehearsal.stations import RunningStation
from tests.stories.test_two_rooms import pair, two_rooms

pytestmark = pytest.mark.stations


def started_again(name: str, folder: Path, options: list[str], home: str) -> RunningStation:
    """The same person's station in the same home, as after a crash."""
    env = {
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_DATA_HOME": str(folder / f"{home}-home"),
        "XDG_RUNTIME_DIR": str(folder / f"{home}-run"),
    }
    return RunningStation(name, options, folder / f"{name}-again.txt", env)


@pytest.mark.soak
def test_both_stations_killed_find_each_other_on_another_port_without_a_code(tmp_path: Path) -> None:
    with two_rooms(tmp_path) as (wizard, subject, _), ExitStack() as stack:
        pair(wizard, subject)
        wizard.wait("window", link="up")
        old_address = wizard.text_of("room_addresses")
        subject.kill()
        wizard.kill()
        options = ["--study", str(tmp_path / "study"), "--listen", "127.0.0.1:0"]
        again = stack.enter_context(started_again("wizard", tmp_path, options, "wizard"))
        again.wait("room_addresses", text={"contains": "127.0.0.1:"})
        address = again.text_of("room_addresses")
        assert address != old_address
        options = ["--connect", address, "--mic-file", str(tmp_path / "silence.wav")]
        there = stack.enter_context(
            started_again("subject", tmp_path, [*options, "--spool", str(tmp_path / "spool")], "booth")
        )
        again.wait("window", link="up")
        there.wait("window", state="waiting")


def test_another_machine_in_the_wizards_place_is_refused_until_its_code_was_typed(tmp_path: Path) -> None:
    """The study's copy is on another computer, which has a certificate of its own."""
    with two_rooms(tmp_path) as (wizard, subject, _), ExitStack() as stack:
        pair(wizard, subject)
        wizard.wait("window", link="up")
        wizard.kill()
        subject.kill()
        (tmp_path / "spare-run").mkdir(mode=0o700)
        options = ["--study", str(tmp_path / "study"), "--listen", "127.0.0.1:0"]
        spare = stack.enter_context(started_again("wizard", tmp_path, options, "spare"))
        spare.wait("room_addresses", text={"contains": "127.0.0.1:"})
        options = ["--connect", spare.text_of("room_addresses"), "--mic-file", str(tmp_path / "silence.wav")]
        there = stack.enter_context(
            started_again("subject", tmp_path, [*options, "--spool", str(tmp_path / "spool")], "booth")
        )
        there.wait("room_problem", text={"contains": "paired"})
        assert not spare.has("window", link="up")
        pair(spare, there)
        spare.wait("window", link="up")
