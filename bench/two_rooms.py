"""What a network costs a session in two rooms: every figure beside the same bytes over bare TLS and the same network.

    python bench/two_rooms.py [--turns 12]

The stations play turns over a network in user space that delays every byte by 0, 5, 20 or 80 ms each way. The last
rows are an utterance of 10 s over 10 Mbit/s with 20 ms: how long after its tail it plays in the wizard's room, and,
where it is heard while it is spoken, when its last word was heard.
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

from curtain.rehearsal.player import begin_session, end_session, speak
from curtain.rehearsal.stage import Stage, StepSound, replay_into, wait_s
from curtain.rehearsal.stations import RunningStation
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import new_study
from curtain.session.turns.turns import read_turns
from tests.link.network.fault_proxy import FaultProxy, Faults
from tests.stories.kills import write_noise
from tests.stories.pairing import free_port, own_home, pair
from tests.stories.tls_tap import station_files

TAIL_MS = 300
ANSWER = "SELECT employee_id, last_name FROM employee WHERE department = 45"
NETWORKS = [Faults(delay_s=delay / 1000) for delay in (0, 5, 20, 80)]
NARROW = Faults(delay_s=0.02, bytes_per_s=10e6 / 8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=12)
    turns = parser.parse_args().turns
    print(f"{turns} turns a network; median (p95) in ms; one way is the delay of the network")
    for faults in NETWORKS:
        name = f"{faults.delay_s * 1000:.0f} ms one way"
        with tempfile.TemporaryDirectory(prefix="curtain-rooms-") as scratch:
            played, echoed = _session(Path(scratch), faults, turns, 0.6)
        painted, moment = _spans(played, "answer_sent", "painted"), _spans(played, "key_up", "heard", TAIL_MS)
        print(f"{name:24s} answer sent -> painted {_figures(painted)}   tail -> playing {_figures(moment)}   "
              f"one answer over bare TLS {_figures(echoed)}")  # fmt: skip
    for live, how in ((True, "heard to its last word while it is spoken"), (False, "played once it is over")):
        with tempfile.TemporaryDirectory(prefix="curtain-rooms-") as scratch:
            played, _ = _session(Path(scratch), NARROW, 5, 10.0, live)
        spans = _spans(played, "key_up", "heard", TAIL_MS)
        print(f"10 s over 10 Mbit/s and 20 ms, {how}: from its tail {_figures(spans)}   wanted <= 300 + 40 ms")


def _session(
    folder: Path, faults: Faults, turns: int, seconds: float, live: bool = False
) -> tuple[list[Any], list[float]]:
    """The turns of one session, and how long an answer's bytes take one way over bare TLS on the same network."""
    study = new_study(folder / "study", "personnel", scenarios=["complaint"], practice="none").folder
    settings = (study / "study.toml").read_text("utf-8")
    settings = settings.replace("listen_live = true", f"listen_live = {str(live).lower()}")
    # Without drafts: the last table of a new study is that of its drafters.
    (study / "study.toml").write_text(f"{settings}\ncurtain = false\n", "utf-8")
    port = free_port()
    with ExitStack() as stack:
        options = ["--study", str(study), "--listen", f"127.0.0.1:{port}"]
        env = {"QT_QPA_PLATFORM": "offscreen"}
        wizard = RunningStation("wizard", options, folder / "wizard.txt", env | own_home(folder, "wizard"))
        stack.enter_context(wizard)
        wizard.wait("room_addresses", text={"contains": "127.0.0.1:"})
        proxy = FaultProxy(port, faults)
        stack.callback(proxy.close)
        silence = write_noise(folder / "silence.wav", 1.0, None)
        options = ["--connect", f"127.0.0.1:{proxy.port}", "--mic-file", str(silence), "--spool", str(folder / "spool")]
        subject = RunningStation("subject", options, folder / "subject.txt", env | own_home(folder, "booth"))
        stack.enter_context(subject)
        pair(wizard, subject)
        sounds = {number: _sound(folder, number, 0.6 if number == 0 else seconds) for number in range(turns + 1)}
        stage = Stage(wizard, subject, replay_into(subject), sounds=sounds)
        begin_session(stage, "r00")
        for number in range(1, turns + 1):
            _turn(stage, number)
        bundle = Bundle(end_session(stage))
        return [turn.as_json() for turn in read_turns(bundle)], _bare_tls(folder, faults, turns)


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


def _bare_tls(folder: Path, faults: Faults, count: int) -> list[float]:
    """An answer's bytes from one blocking TLS socket to another through the same network, one way, in ms."""
    certificate, key = station_files(folder / "wizard-home", "wizard")
    serving, asking = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    serving.load_cert_chain(certificate, key)
    asking.check_hostname, asking.verify_mode = False, ssl.CERT_NONE
    arrived: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        proxy = FaultProxy(server.getsockname()[1], faults)
        done = threading.Semaphore(0)

        def receive() -> None:
            with serving.wrap_socket(server.accept()[0], server_side=True) as there:
                while there.recv(65536):
                    arrived.append(time.monotonic_ns())
                    done.release()

        threading.Thread(target=receive, daemon=True).start()
        sent: list[int] = []
        with asking.wrap_socket(socket.create_connection(("127.0.0.1", proxy.port))) as here:
            here.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for _ in range(count):
                sent.append(time.monotonic_ns())
                here.sendall(bytes(500))
                done.acquire()
        proxy.close()
    return [(there - here) / 1e6 for here, there in zip(sent, arrived, strict=True)]


def _spans(turns: list[Any], start: str, end: str, less: int = 0) -> list[float]:
    times = [turn["times"] for turn in turns]
    return [one[end] - one[start] - less for one in times if one[start] is not None and one[end] is not None]


def _figures(values: list[float]) -> str:
    ordered = sorted(values)
    return f"{statistics.median(ordered):6.1f} ({ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]:6.1f})"


if __name__ == "__main__":
    main()
