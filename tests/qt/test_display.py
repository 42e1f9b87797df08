"""Before a window is opened: what is missing on this machine is one sentence, and nothing is loaded that may abort."""

import ctypes
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from curtain.base.python_process import module_environment
from curtain.qt.windows.display import NoWindow, ensure_windows, open_for_a_moment
from curtain.session.study.study import new_study

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
WINDOWS = (
    ["curtain", "home"], ["curtain", "subject"], ["curtain", "wizard", "--study", "{study}"],
    ["curtain", "annotate", "{study}"], ["curtain", "demo", "--out", "{study}"],
    # Started by hand.
    ["curtain_home"], ["curtain.review"], ["curtain_judge.window"], ["subject_app"], ["wizard_app"],
    ["curtain_practice.window"],
)  # fmt: skip
# What an X server says first: yes, protocol 11.0, and eight words about itself, here of no screen.
WELCOME = bytes([1, 0, 11, 0, 0, 0, 8, 0, *bytes(32)])


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({}, "There is no display"),
        ({"DISPLAY": ":4711"}, "No display answers at “:4711”"),
        ({"DISPLAY": "no display"}, "No display answers at “no display”"),
        ({"WAYLAND_DISPLAY": "wayland-4711"}, "No display answers at “wayland-4711”"),
    ],
)
def test_a_display_that_is_none_is_named(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], sentence: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for look in (ensure_windows, open_for_a_moment):
        with pytest.raises(NoWindow, match=sentence):
            look()


@pytest.mark.parametrize("turned_away", [0, 1, 4])
def test_a_display_that_starts_anew_is_asked_again_and_then_held(
    monkeypatch: pytest.MonkeyPatch, turned_away: int
) -> None:
    with ThreadPoolExecutor(1) as pool, socket.create_server(("127.0.0.1", 0)) as server:
        # The display of a number is at the port 6000 higher.
        monkeypatch.setenv("DISPLAY", f"127.0.0.1:{server.getsockname()[1] - 6000}")
        server.settimeout(30)

        def serve() -> socket.socket:
            for _ in range(turned_away):
                server.accept()[0].close()
            client, _ = server.accept()
            client.recv(4096)
            client.sendall(WELCOME)
            return client

        served = pool.submit(serve)
        ensure_windows()
        with served.result() as client:
            client.setblocking(False)
            # Neither a byte nor the end. A server whose last client leaves would start anew, and turn Qt away.
            with pytest.raises(BlockingIOError):
                client.recv(1)


@pytest.mark.parametrize(
    ("missing", "packages"),
    [
        (["libEGL.so.1"], "libegl1"),
        (["libGL.so.1", "libxkbcommon.so.0"], "libgl1 libxkbcommon0"),
        (["libglib-2.0.so.0", "libgthread-2.0.so.0"], "libglib2.0-0"),
        (["libfontconfig.so.1"], "libfontconfig1"),
        (["libxcb-cursor.so.0", "libX11.so.6"], "libxcb-cursor0 libx11-6"),
        (["libxkbcommon-x11.so.0", "libdbus-1.so.3"], "libxkbcommon-x11-0 libdbus-1-3"),
        (["libgssapi_krb5.so.2"], "libgssapi-krb5-2"),
    ],
)
@pytest.mark.parametrize("lists_all", [True, False])
def test_a_missing_library_is_named_with_the_line_to_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, missing: list[str], packages: str, lists_all: bool
) -> None:
    def refuse(path: str) -> None:
        raise OSError(f"{missing[0]}: cannot open shared object file: No such file or directory")

    monkeypatch.setattr(ctypes, "CDLL", refuse)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("PATH", str(tmp_path))
    if lists_all:
        listed = "".join(f"\\t{name} => not found\\n" for name in missing)
        (tmp_path / "ldd").write_text(f"#!/bin/sh\nprintf '{listed}'\n")
        (tmp_path / "ldd").chmod(0o755)
    else:
        missing, packages = missing[:1], packages.split()[0]
    with pytest.raises(NoWindow) as raised:
        ensure_windows()
    assert f"lacks: {', '.join(missing)}. " in str(raised.value)
    assert str(raised.value).endswith(f"Run: sudo apt-get install -y {packages}")


def test_where_windows_open_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    open_for_a_moment()


@pytest.mark.parametrize("command", WINDOWS, ids=" ".join)
def test_each_window_ends_with_the_sentence(tmp_path: Path, command: list[str]) -> None:
    study = tmp_path / "study"
    # A program of the desktop that the system cannot start says nothing in place of the sentence.
    notifier = tmp_path / "notify-send"
    notifier.write_bytes(b"\x7fELF")
    notifier.chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    environment = module_environment(os.environ | {"DISPLAY": ":4711", "QT_QPA_PLATFORM": "", "PATH": path})
    run = [sys.executable, "-m"]
    if "{study}" in command and "demo" not in command:
        new_study(study, "personnel")
    done = subprocess.run(
        [*run, *(part.format(study=study) for part in command)],
        env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "No display answers at “:4711”" in done.stderr
