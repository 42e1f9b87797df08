"""A session over the network, with the real stations: paired by the code on the wizard's screen, cut and resumed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from companions.rooms.tests.network.fault_proxy import BadLine, Faults
from curtain.rehearsal.stations import RunningStation, own_places
from tests.support.driven_station import silent_wav
from tests.support.studies import short_study

pytestmark = pytest.mark.stations


@contextmanager
def two_rooms(
    folder: Path, booth: Mapping[str, str] | None = None, starter: Sequence[str] = ()
) -> Iterator[tuple[RunningStation, RunningStation, BadLine]]:
    """Each station has a home of its own, as on two machines; the network between them can be made to fail.

    `booth` is what the environment of the subject's station has besides, `starter` what starts it.
    """
    study = short_study(folder / "study")
    # One block: what is cued behind it is heard at once.
    silence = silent_wav(folder / "silence.wav", 0.02)
    with ExitStack() as stack:
        env = {"QT_QPA_PLATFORM": "offscreen"}
        options = ["--study", str(study), "--listen", "127.0.0.1:0"]
        home = own_places(folder, "wizard")
        wizard = stack.enter_context(RunningStation("wizard", options, folder / "wizard.txt", env | home))
        wizard.wait("window", state="start")
        wizard.wait("room_addresses", text={"contains": "127.0.0.1:"})
        proxy = BadLine(int(wizard.text_of("room_addresses").rpartition(":")[2]))
        stack.callback(proxy.close)
        home = own_places(folder, "booth")
        options = ["--connect", f"127.0.0.1:{proxy.port}", "--mic-file", str(silence), "--spool", str(folder / "spool")]
        env |= {**home, **(booth or {})}
        subject = RunningStation("subject", options, folder / "subject.txt", env, starter=starter)
        stack.enter_context(subject)
        yield wizard, subject, proxy


def pair(wizard: RunningStation, subject: RunningStation) -> None:
    """Type the code of the wizard's screen on the subject's first page."""
    subject.wait("window", state="room")
    wizard.wait("room_code", text={"contains": "Code "})
    code = wizard.text_of("room_code").removeprefix("Code ")
    subject.wait("room_code", focus=True)
    subject.type(code)
    subject.keys("Return")
    subject.wait("window", state="waiting")


def booth_again(folder: Path, address: str, number: str = "") -> RunningStation:
    """A subject's station, which looks for the wizard's at this address."""
    spool = ["--spool", str(folder / f"spool{number}"), "--mic-file", str(folder / "silence.wav")]
    return started_again("subject", folder, ["--connect", address, *spool], f"booth{number}")


def started_again(name: str, folder: Path, options: list[str], home: str) -> RunningStation:
    """The same person's station in the same home, as after a crash."""
    env = {"QT_QPA_PLATFORM": "offscreen", **own_places(folder, home)}
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
        there = stack.enter_context(booth_again(tmp_path, address))
        again.wait("window", link="up")
        there.wait("window", state="waiting")


def test_a_wrong_code_is_reported_the_right_one_links_and_only_another_machine_asks_again(tmp_path: Path) -> None:
    """After a cut no code is needed. At last the study's copy is on a computer that has a certificate of its own."""
    with two_rooms(tmp_path) as (wizard, subject, proxy), ExitStack() as stack:
        subject.wait("window", state="room")
        subject.wait("room_code", focus=True)
        subject.type("000 000")
        subject.keys("Return")
        subject.wait("room_problem", text={"contains": "not the code"})
        wizard.wait("room_notice", text={"contains": "wrong code"})
        pair(wizard, subject)
        wizard.wait("window", link="up")
        wizard.wait("booths", states={"contains": "connected"})
        proxy.problems = Faults(down=True)
        proxy.cut()
        wizard.wait("window", link="down")
        proxy.problems = Faults()
        wizard.wait("window", link="up")
        subject.wait("window", state="waiting")
        wizard.kill()
        subject.kill()
        (tmp_path / "spare-run").mkdir(mode=0o700)
        options = ["--study", str(tmp_path / "study"), "--listen", "127.0.0.1:0"]
        spare = stack.enter_context(started_again("wizard", tmp_path, options, "spare"))
        spare.wait("room_addresses", text={"contains": "127.0.0.1:"})
        there = stack.enter_context(booth_again(tmp_path, spare.text_of("room_addresses")))
        there.wait("room_problem", text={"contains": "paired"})
        assert not spare.has("window", link="up")
        pair(spare, there)
        spare.wait("window", link="up")
