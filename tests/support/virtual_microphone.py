"""A private PulseAudio with a virtual loudspeaker whose sound a virtual microphone hears, sample for sample.

`with virtual_microphone() as environment:` gives the environment in which a *new process* finds it as its
default input and output; PortAudio reads the environment only once, so this process cannot use it.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from curtain.rehearsal.stations import PATIENCE_S

SPEAKER = "curtain_spk"
MICROPHONE = "curtain_mic"
RATE = 16000
SERVER_PID = "CURTAIN_TEST_SOUND_SERVER"  # who kills it unplugs the microphone
PROGRAMS = ("pulseaudio", "pactl", "parec")

_ALSA = 'pcm.!default { type pulse hint { show on description "Default" } }\nctl.!default { type pulse }\n'


def missing_programs() -> list[str]:
    """What would have to be installed (Debian: pulseaudio pulseaudio-utils libasound2-plugins)."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


@contextlib.contextmanager
def virtual_microphone(rate: int = RATE) -> Iterator[dict[str, str]]:
    """Start the sound server, give its environment, stop it again."""
    # /tmp, not pytest's folder: a socket's path has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="curtain-pulse-", dir="/tmp") as folder, contextlib.ExitStack() as stack:
        environment = _environment(Path(folder))
        server = stack.enter_context(_running(_server(Path(folder), rate), environment))
        _wait_until_up(environment)
        _ask(environment, "set-default-source", MICROPHONE)
        _ask(environment, "set-default-sink", SPEAKER)
        # A null sink that nobody reads sleeps for seconds and the first sound is lost: keep one reader.
        keeper = stack.enter_context(_running(_listen(), environment))
        _wait_for_sound(keeper)
        stack.enter_context(_draining(keeper))
        yield environment | {SERVER_PID: str(server.pid)}


def _environment(folder: Path) -> dict[str, str]:
    asound = folder / "asound.conf"
    asound.write_text(_ALSA, encoding="utf-8")
    return os.environ | {
        "PULSE_RUNTIME_PATH": str(folder),
        "PULSE_STATE_PATH": str(folder),
        "PULSE_CONFIG": f"{folder}/daemon.conf",
        "PULSE_SERVER": f"unix:{folder}/native",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/dev/null",
        "ALSA_CONFIG_PATH": f"/usr/share/alsa/alsa.conf:{asound}",
    }


def _server(folder: Path, rate: int) -> list[str]:
    # Browsers open the rate of the server, whatever that of the microphone is.
    (folder / "daemon.conf").write_text(f"default-sample-rate = {rate}\n", "utf-8")
    modules = [
        f"module-native-protocol-unix auth-anonymous=1 socket={folder}/native",
        f"module-null-sink sink_name={SPEAKER} rate={rate} channels=1 format=s16le",
        f"module-remap-source master={SPEAKER}.monitor source_name={MICROPHONE}",
    ]
    options = ["--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes"]
    loads = [part for module in modules for part in ("-L", module)]
    return ["pulseaudio", "-n", *options, f"--log-target=file:{folder}/log", *loads]


def _listen() -> list[str]:
    return ["parec", "--raw", "--latency-msec=10", "-d", f"{SPEAKER}.monitor"]


@contextlib.contextmanager
def _running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        if process.stdout and not process.stdout.closed:
            process.stdout.close()


def _wait_until_up(environment: dict[str, str]) -> None:
    """pactl asks once; its own connection attempt is the wait between two questions."""
    # Each question costs twenty milliseconds or more besides.
    for _ in range(int(PATIENCE_S / 0.05)):
        if _ask(environment, "info") == 0:
            return
        threading.Event().wait(0.05)
    raise TimeoutError("The private PulseAudio did not start.")


def _ask(environment: dict[str, str], *words: str) -> int:
    return subprocess.run(
        ["pactl", *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE_S
    ).returncode


def _wait_for_sound(keeper: subprocess.Popen[bytes]) -> None:
    keeper.stdout.read(RATE // 10 * 2)


@contextlib.contextmanager
def _draining(keeper: subprocess.Popen[bytes]) -> Iterator[None]:
    assert keeper.stdout is not None
    reader = threading.Thread(target=_drain, args=(keeper.stdout,), daemon=True)
    reader.start()
    try:
        yield
    finally:
        keeper.terminate()
        reader.join(PATIENCE_S)


def _drain(stream: IO[bytes]) -> None:
    while stream.read(4096):
        pass
