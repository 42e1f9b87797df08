"""A page in a real browser under the names by which a rehearsal presses the keys of the subject's window."""

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np

from .browsers import Chromium, Firefox

SEEN = "({...document.body.dataset, goOn: !document.getElementById('mic-go-on').disabled})"


class BrowserSubject:
    """Waits for what the page says of itself (`data-` of its body), and presses keys."""

    name = "page"

    def __init__(self, browser: Chromium | Firefox) -> None:
        self.browser = browser

    def wait(self, name: str, patience_s: float | None = None, **wanted: Any) -> dict[str, Any]:
        tests = [_test(name, key, value) for key, value in wanted.items()]
        return {"seen": self.browser.until(f"((seen) => {' && '.join(tests)} && seen)({SEEN})")}

    def has(self, name: str, **wanted: Any) -> bool:
        tests = [_test(name, key, value) for key, value in wanted.items()]
        return bool(self.browser.run(f"((seen) => {' && '.join(tests)})({SEEN})"))

    def ask(self, do: str, **more: Any) -> None:
        self.browser.key("down" if do == "press" else "up")

    def keys(self, keys: str) -> None:
        """Return, once; the next page is waited for, as the window has it when the key is done."""
        page = json.dumps(self.browser.run("document.body.dataset.page"))
        self.browser.key("down", "Enter")
        self.browser.key("up", "Enter")
        self.browser.until(f"document.body.dataset.page !== {page}")


def _test(name: str, key: str, wanted: Any) -> str:
    seen = {"enabled": "seen.goOn", "microphone": "seen.microphone", "form": "(seen.form ?? '')"}.get(key, "")
    seen = seen or {
        "shown_turn": "Number(seen.shownTurn)", "shown_scenario": "(seen.shownScenario ?? '')",
        "state": "seen.heard" if name == "mic_talk" else "(seen.page === 'main' ? seen.state : seen.page)",
    }[key]  # fmt: skip
    if not isinstance(wanted, dict):
        return f"{seen} === {json.dumps(wanted)}"
    if "one_of" in wanted:
        return f"{json.dumps(wanted['one_of'])}.includes({seen})"
    return f"{seen} !== {json.dumps(wanted['not'])}"


def speak(seconds: float) -> None:
    """The microphone plays by itself: so long the key is held."""
    threading.Event().wait(seconds)


def noise(seconds: float, rate: int) -> np.ndarray:
    """White noise up to full scale: known again sample for sample wherever it is."""
    return np.random.default_rng(4).integers(-32768, 32767, round(seconds * rate), endpoint=True).astype(np.int16)


def write_wav(path: Path, samples: np.ndarray, rate: int) -> Path:
    """A WAV file of one channel."""
    from curtain.audio.wav import WavFormat, header

    path.write_bytes(header(WavFormat(rate, 1), len(samples)) + samples.astype("<i2").tobytes())
    return path
