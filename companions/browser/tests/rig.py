"""A whole session without a browser: the real wizard's window, the gateway as a process, and a page of ours."""

import json
import os
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from curtain.audio.wav import read_wav
from curtain.base.python_process import module_command, module_environment
from curtain.domain.pack.pack import database, named_pack
from curtain.rehearsal import player
from curtain.rehearsal.stage import Stage, StepSound
from curtain.rehearsal.stations import RunningStation
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import new_study
from curtain.session.turns.turns import Turn, read_turns

from .fake_page import RATE, FakePage

STATEMENT = "SELECT last_name FROM employee WHERE department = 11"
HEADLESS = {"QT_QPA_PLATFORM": "offscreen"}


class Gateway:
    """The gateway as a process of its own; `report` is the last that it said."""

    def __init__(self, name: str, spool: Path, *more: str) -> None:
        self._command = module_command("curtain_browser.gateway", "--connect", name, "--spool", str(spool), *more)
        self.log = spool.parent / "gateway.txt"
        self.start()

    def start(self) -> None:
        self.report: dict[str, Any] = {}
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        with self.log.open("ab") as errors:
            self.process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=module_environment()
            )
        threading.Thread(target=self._read, daemon=True).start()
        self.until(lambda report: True)

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def until(self, holds: Any) -> dict[str, Any]:
        while not (self.report and holds(self.report)):
            line = self._lines.get(timeout=60)
            assert line, self.log.read_text()
            self.report = {"link": "", **json.loads(line)}
        return self.report

    @property
    def link(self) -> str:
        return str(self.until(lambda report: report["link"])["link"])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        assert self.process.wait(60) == 0, self.log.read_text()
        self.process.stdout.close()


class PageSubject:
    """The page under the names by which a rehearsal presses the keys of the subject's window."""

    name = "page"

    def __init__(self, page: FakePage) -> None:
        self.at = page

    def seen(self, name: str) -> dict[str, Any]:
        page, view = self.at, self.at.view
        main = view.get("page") == "main"
        shown, current = page.shown, page.shown.get("current") or {}
        return {
            "state": view.get("state") if main else view.get("page"),
            "microphone": page.screen.get("readiness"),
            "enabled": page.screen.get("heard") in ("playing", "good", "no_playback"),
            "shown_turn": current.get("turn") if current.get("answer_seq") else 0,
            "shown_scenario": (shown.get("scenario") or {}).get("scenario_id", "") * (not shown.get("scenario_over")),
            "form": (view.get("form") or {}).get("name", ""),
            **({"state": page.screen.get("heard")} if name == "mic_talk" else {}),
        }

    def wait(self, name: str, patience_s: float | None = None, **wanted: Any) -> dict[str, Any]:
        self.at.until(lambda: self.has(name, **wanted))
        return {"seen": self.seen(name)}

    def has(self, name: str, **wanted: Any) -> bool:
        seen = self.seen(name)
        return all(_fits(seen[key], value) for key, value in wanted.items())

    def ask(self, do: str, **more: Any) -> None:
        self.at.down() if do == "press" else self.at.up()

    def keys(self, keys: str) -> None:
        act = {"mic_test": "finish_mic_test", "briefing": "finish_briefing"}.get(self.at.view["page"])
        self.at.act(act) if act else None
        before = self.at.view["page"]
        self.at.until(lambda: self.at.view["page"] != before)


def _fits(value: Any, wanted: Any) -> bool:
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    return (
        value in wanted["one_of"]
        if "one_of" in wanted
        else value is not None
        if wanted["not"] is None
        else value != wanted["not"]
    )


@dataclass
class Rig:
    """One session. `said` is what was spoken in each turn, in order."""

    folder: Path
    wizard: RunningStation
    gateway: Gateway
    page: FakePage
    stage: Stage
    said: list[np.ndarray] = field(default_factory=list)

    def begin(self) -> None:
        """To the first task."""
        self.page.until(lambda: self.page.welcome.get("box"))
        player.begin_session(self.stage, "b01")

    def ask(self, seconds: float = 0.8) -> None:
        """Say something that no other turn has."""
        self.page.until(lambda: self.page.view.get("talking_allowed"))
        self.page.say(self.noise(seconds))

    def noise(self, seconds: float) -> np.ndarray:
        """White noise, known again sample for sample."""
        chance = np.random.default_rng(len(self.said))
        self.said.append(chance.integers(-9000, 9000, round(seconds * self.page.rate)).astype(np.int16))
        return self.said[-1]

    def answer(self, turn: int) -> None:
        """The wizard hears it, types and answers, and the page shows it."""
        wizard = self.wizard
        wizard.wait("window", turn=turn, state="transcribe")
        player.send_query(wizard, f"question {turn}")
        player.run_statements(wizard, [STATEMENT])
        wizard.keys("Ctrl+Shift+Return")
        self.stage.subject.wait("window", shown_turn=turn)
        wizard.wait("window", answered_turn=turn, state="idle")

    def end(self) -> Bundle:
        """The finished bundle."""
        return Bundle(player.end_session(self.stage))


def speech_in(bundle: Bundle, turn: Turn, said: np.ndarray) -> np.ndarray:
    """The samples of the turn's recording at the place where this was said, as many as were said."""
    samples = read_wav(bundle.path / str(turn.audio)).samples[:, 0]
    first = next(iter(np.flatnonzero(samples == said[0])), 0)
    for place in np.flatnonzero(samples == said[0]):
        if np.array_equal(samples[place : place + 50], said[:50]):
            first = place
            break
    return samples[first : first + len(said)]


def turns_of(bundle: Bundle) -> list[Turn]:
    return read_turns(bundle)


@contextmanager
def session(folder: Path, *gateway_options: str, rate: int = RATE) -> Iterator[Rig]:
    """Wizard, gateway and page, connected; all are closed at the end."""
    pack = named_pack("personnel")
    database(pack)
    study = new_study(folder / "study", pack.lasting_name, practice="none", take_back_s=0)
    name = f"browser-{os.getpid()}"
    wizard = RunningStation("wizard", ["--study", str(study.folder), "--listen", name], folder / "wizard.txt", HEADLESS)
    with wizard:
        gateway = Gateway(name, folder / "spool", *gateway_options)
        page = FakePage(gateway.link, rate)
        subject = PageSubject(page)

        def voice(sound: StepSound) -> None:
            page.speak(np.resize(np.repeat(np.array([3072, -3072], np.int16), 40), page.rate // 2))

        stage = Stage(wizard, subject, voice, sounds={0: StepSound(folder, 0.5)})  # type: ignore[arg-type]
        rig = Rig(folder, wizard, gateway, page, stage)
        page.until(lambda: page.welcome)
        page.open_microphone()
        yield rig
        page.kill()
        gateway.close()
