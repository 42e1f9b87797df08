"""Speech over a narrow network in two rooms: an utterance of 10 s over 10 Mbit/s with 20 ms each way.

    python bench/two_rooms.py [--turns 5]

How long after its tail it plays in the wizard's room, and, where it is heard while it is spoken, when its last word
was heard. The network is one in user space. `bench/latency.py` has the columns for 0, 5, 20 and 80 ms.
"""

from __future__ import annotations

import argparse
import socket
import ssl
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from size import high, sized

from companions.rooms.tests.network.fault_proxy import BadLine, Faults
from curtain.rehearsal.player import begin_session, end_session, free_address, speak
from curtain.rehearsal.stage import Stage, StepSound, replay_into, wait_s
from curtain.rehearsal.stations import RunningStation, own_places
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import new_study
from curtain.session.turns.turns import read_turns
from tests.stories.kills import write_noise
from tests.stories.test_two_rooms import pair
from tests.stories.tls_tap import station_files

TAIL_MS = 300
ANSWER = "SELECT employee_id, last_name FROM employee WHERE department = 45"
ANSWER_BYTES = 500
NARROW = Faults(delay_s=0.02, bytes_per_s=10e6 / 8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=sized(5, 1))
    turns = parser.parse_args().turns
    print(f"{turns} turns each; median (p95) in ms")
    for live, how in ((True, "heard to its last word while it is spoken"), (False, "played once it is over")):
        with tempfile.TemporaryDirectory(prefix="curtain-rooms-") as scratch:
            played = play_session(Path(scratch), NARROW, turns, 10.0, live)
        spans = spans_of(played, "key_up", "heard", TAIL_MS)
        print(f"10 s over 10 Mbit/s and 20 ms, {how}: from its tail {figures(spans)}   wanted <= 300 + 40 ms")


def delayed(ms: int) -> Faults:
    """A network that delays every byte by so many ms each way."""
    return Faults(delay_s=ms / 1000)


def play_session(folder: Path, problems: Faults, turns: int, seconds: float, live: bool = False) -> list[Any]:
    """The turns of one session over this network, each with `seconds` of speech."""
    study = new_study(folder / "study", "personnel", scenarios=["complaint"], practice="none", take_back_s=0).folder
    settings = (study / "study.toml").read_text("utf-8")
    settings = settings.replace("listen_live = true", f"listen_live = {str(live).lower()}")
    # Without drafts: the last table of a new study is that of its drafters.
    (study / "study.toml").write_text(f"{settings}\ncurtain = false\n", "utf-8")
    port = int(free_address().rpartition(":")[2])
    with ExitStack() as stack:
        options = ["--study", str(study), "--listen", f"127.0.0.1:{port}"]
        env = {"QT_QPA_PLATFORM": "offscreen"}
        wizard = RunningStation("wizard", options, folder / "wizard.txt", env | own_places(folder, "wizard"))
        stack.enter_context(wizard)
        wizard.wait("room_addresses", text={"contains": "127.0.0.1:"})
        proxy = BadLine(port, problems)
        stack.callback(proxy.close)
        silence = write_noise(folder / "silence.wav", 1.0, None)
        options = ["--connect", f"127.0.0.1:{proxy.port}", "--mic-file", str(silence), "--spool", str(folder / "spool")]
        subject = RunningStation("subject", options, folder / "subject.txt", env | own_places(folder, "booth"))
        stack.enter_context(subject)
        pair(wizard, subject)
        sounds = {number: _sound(folder, number, 0.6 if number == 0 else seconds) for number in range(turns + 1)}
        stage = Stage(wizard, subject, replay_into(subject), sounds=sounds)
        begin_session(stage, "r00")
        for number in range(1, turns + 1):
            _turn(stage, number)
        bundle = Bundle(end_session(stage))
        return [turn.as_json() for turn in read_turns(bundle)]


def _sound(folder: Path, number: int, seconds: float) -> StepSound:
    return StepSound(write_noise(folder / f"{number}.wav", seconds, number), seconds)


def _turn(stage: Stage, number: int) -> None:
    speak(stage, stage.sounds[number])
    wizard, subject = stage.wizard, stage.subject
    wizard.wait("window", turn=number, state="transcribe")
    wizard.wait("query", focus=True)
    # A wizard who hears it: the recording plays as soon as it is there, for longer than it takes to come.
    wait_s(1.5)
    wizard.type(f"question number {number}")
    wizard.keys("Ctrl+Return")
    wizard.wait("window", state="answer")
    wizard.wait("sql", focus=True)
    wizard.type(ANSWER)
    wizard.keys("F5")
    wizard.wait("window", sql_settled=True)
    wizard.keys("Ctrl+Shift+Return")
    subject.wait("window", shown_turn=number)


def tls_echo(folder: Path, problems: Faults, count: int, size: int = ANSWER_BYTES) -> list[float]:
    """So many bytes from one blocking TLS socket to another and back through the same network, in ms."""
    certificate, key = station_files(folder / "wizard-home", "wizard")
    serving, asking = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    serving.load_cert_chain(certificate, key)
    asking.check_hostname, asking.verify_mode = False, ssl.CERT_NONE
    with socket.create_server(("127.0.0.1", 0)) as server:
        proxy = BadLine(server.getsockname()[1], problems)

        def send_back() -> None:
            with serving.wrap_socket(server.accept()[0], server_side=True) as there:
                there.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                while data := there.recv(65536):
                    there.sendall(data)

        threading.Thread(target=send_back, daemon=True).start()
        taken: list[float] = []
        with asking.wrap_socket(socket.create_connection(("127.0.0.1", proxy.port))) as here:
            here.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for _ in range(count):
                began = time.monotonic_ns()
                here.sendall(bytes(size))
                left = size
                while left:
                    left -= len(here.recv(65536))
                taken.append((time.monotonic_ns() - began) / 1e6)
        proxy.close()
    return taken


def spans_of(turns: list[Any], start: str, end: str, less: int = 0) -> list[float]:
    """From one moment of each turn to another, in ms."""
    times = [turn["times"] for turn in turns]
    return [one[end] - one[start] - less for one in times if one[start] is not None and one[end] is not None]


def figures(values: list[float]) -> str:
    """Median and 95 % quantile."""
    return f"{statistics.median(values):6.1f} ({high(values):6.1f})"


if __name__ == "__main__":
    main()
