"""The home window in this process: its studies, its memory and its stations are a test's own."""

import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from curtain.audio import devices
from curtain.audio.devices import Device
from curtain.qt import style
from curtain.qt.driver import Driver
from curtain.session.study.study import new_study
from curtain_home.control.memory import HomeMemory
from curtain_home.program import HomeApp

PATIENCE_MS = 60_000


@dataclass
class StandIn:
    """A station that runs until the test ends it."""

    code: int | None = None

    def poll(self) -> int | None:
        return self.code


@dataclass
class Opened:
    """What the window wanted to open: the arguments of `curtain` and the stand-in for it."""

    calls: list[list[str]] = field(default_factory=list)
    processes: list[StandIn] = field(default_factory=list)
    prints: str = ""

    def start(self, arguments: Sequence[str], log: Path) -> StandIn:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(self.prints, "utf-8")
        self.calls.append(list(arguments))
        self.processes.append(StandIn())
        return self.processes[-1]


class Hands:
    """Presses keys as the driver does, and waits for what the window shows."""

    def __init__(self, qtbot: QtBot, home: HomeApp) -> None:
        self._qtbot = qtbot
        self.home = home
        self._answers = io.BytesIO()
        self._driver = Driver(home.window, answers=self._answers)
        # A window that an earlier test has left would get the keys.
        qtbot.waitUntil(lambda: home.window.activateWindow() or home.window.isActiveWindow())

    def ask(self, **request: Any) -> dict[str, Any]:
        before = self._answers.getvalue().count(b"\n")
        self._driver.take_line(json.dumps(request).encode())
        self._qtbot.waitUntil(lambda: self._answers.getvalue().count(b"\n") > before)
        answer: dict[str, Any] = json.loads(self._answers.getvalue().splitlines()[before])
        return answer

    def keys(self, *keys: str) -> None:
        for one in keys:
            assert self.ask(do="keys", keys=one)["ok"]

    def type(self, text: str) -> None:
        assert self.ask(do="type", text=text)["ok"]

    def until(self, name: str = "window", **wanted: Any) -> None:
        more: dict[str, Any] = {"is": wanted}
        answer = self.ask(do="wait", name=name, timeout_ms=PATIENCE_MS - 5000, **more)
        assert answer["ok"], (name, wanted, answer)

    def text(self, name: str) -> str:
        return str(self.ask(do="look")["widgets"][name]["text"])


@pytest.fixture(autouse=True)
def microphone(monkeypatch: pytest.MonkeyPatch) -> list[Device]:
    """What is connected: one microphone, unless a test takes it away."""
    connected = [Device(0, "Plain Mic", 1, 48_000, is_default=True)]
    monkeypatch.setattr(devices, "list_microphones", lambda: connected)
    monkeypatch.setattr(devices, "rescan", lambda: None)
    return connected


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return new_study(tmp_path / "empty", "personnel").folder


@pytest.fixture
def opened() -> Opened:
    return Opened()


@pytest.fixture
def memory(tmp_path: Path) -> HomeMemory:
    return HomeMemory(tmp_path / "state" / "home.json")


@pytest.fixture
def make_home(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, memory: HomeMemory, opened: Opened
) -> Iterator[Callable[..., Hands]]:
    made: list[HomeApp] = []

    def make(*studies: Path, start: Callable[..., Any] = opened.start) -> Hands:
        for study in reversed(studies):
            memory.put_first(study)
        home = HomeApp(style.apply(qapp, "light"), memory, tmp_path / "logs", start=start)
        made.append(home)
        home.begin()
        hands = Hands(qtbot, home)
        if studies:
            hands.until(state="study", study=studies[0].name)
        return hands

    yield make
    for home in made:
        # A dialog that a test leaves open would take the keys of the next test's window.
        for dialog in home.window.findChildren(QDialog):
            dialog.done(0)
        home.window.hide()
        home.close()
