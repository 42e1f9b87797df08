"""A session over the network, with the real stations: paired by the code on the wizard's screen, cut and resumed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from curtain.rehearsal.stations import RunningStation
from curtain.session.study.study import new_study
from tests.link.network.fault_proxy import FaultProxy, Faults
from tests.stories.pairing import own_home, pair
from tests.support.studies import without_drafts

pytestmark = pytest.mark.stations


@contextmanager
def two_rooms(
    folder: Path, booth: Mapping[str, str] | None = None, starter: Sequence[str] = ()
) -> Iterator[tuple[RunningStation, RunningStation, FaultProxy]]:
    """Each station has a home of its own, as on two machines; the network between them can be made to fail.

    `booth` is what the environment of the subject's station has besides, `starter` what starts it.
    """
    study = without_drafts(
        new_study(folder / "study", "personnel", scenarios=["complaint"], practice="none", take_back_s=0).folder
    )
    silence = folder / "silence.wav"
    silence.write_bytes(silent_wav())
    with ExitStack() as stack:
        env = {"QT_QPA_PLATFORM": "offscreen"}
        options = ["--study", str(study), "--listen", "127.0.0.1:0"]
        home = own_home(folder, "wizard")
        wizard = stack.enter_context(RunningStation("wizard", options, folder / "wizard.txt", env | home))
        wizard.wait("window", state="start")
        wizard.wait("room_addresses", text={"contains": "127.0.0.1:"})
        proxy = FaultProxy(int(wizard.text_of("room_addresses").rpartition(":")[2]))
        stack.callback(proxy.close)
        home = own_home(folder, "booth")
        options = ["--connect", f"127.0.0.1:{proxy.port}", "--mic-file", str(silence), "--spool", str(folder / "spool")]
        env |= {**home, **(booth or {})}
        subject = RunningStation("subject", options, folder / "subject.txt", env, starter=starter)
        stack.enter_context(subject)
        yield wizard, subject, proxy


def silent_wav() -> bytes:
    from curtain.audio.wav import WavFormat, header

    # One block: what is cued behind it is heard at once.
    return header(WavFormat(16000, 1), 320) + bytes(640)


def test_a_wrong_code_is_reported_the_right_one_links_and_after_a_cut_no_code_is_needed(tmp_path: Path) -> None:
    with two_rooms(tmp_path) as (wizard, subject, proxy):
        subject.wait("window", state="room")
        subject.wait("room_code", focus=True)
        subject.type("000 000")
        subject.keys("Return")
        subject.wait("room_problem", text={"contains": "not the code"})
        wizard.wait("room_notice", text={"contains": "wrong code"})
        pair(wizard, subject)
        wizard.wait("window", link="up")
        wizard.wait("booths", states={"contains": "connected"})
        proxy.faults = Faults(down=True)
        proxy.cut()
        wizard.wait("window", link="down")
        proxy.faults = Faults()
        wizard.wait("window", link="up")
        subject.wait("window", state="waiting")
