"""A subject in a real browser, under the names by which a rehearsal presses the keys of the subject's window."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from curtain.rehearsal.stage import Stage, StepSound, wait_s
from curtain.rehearsal.stations import RunningStation, own_places
from tests.support.studies import short_study

from .browsers import Chromium

RATE, SPOKEN_S = 44_100, 0.6
# The microphone plays whole blocks of 10 ms: so many of them that it begins anew without a gap.
NOISE = np.random.default_rng(4).integers(-32768, 32767, 20 * RATE, np.int16, endpoint=True)
SEEN = """((name, wanted) => {
  const { page, state, heard, ...more } = document.body.dataset;
  const enabled = !document.getElementById("mic-go-on").disabled;
  const seen = { ...more, enabled, state: name === "mic_talk" ? heard : page === "main" ? state : page };
  return Object.entries(wanted).every(([key, value]) => {
    const is = String(seen[key.replace(/_(.)/g, (_, one) => one.toUpperCase())] ?? "");
    return value?.one_of?.includes(is) ?? (Object.hasOwn(value, "not") ? is !== `${value.not}` : is === `${value}`);
  }) && seen;
})"""


class PageSubject:
    """Waits for what the page says of itself (`data-` of its body), and presses keys."""

    def __init__(self, browser: Chromium) -> None:
        self.browser = browser

    def wait(self, name: str, **wanted: Any) -> dict[str, Any]:
        return {"seen": self.browser.until(f"{SEEN}({json.dumps(name)}, {json.dumps(wanted)})")}

    def has(self, name: str, **wanted: Any) -> bool:
        return bool(self.browser.run(f"{SEEN}({json.dumps(name)}, {json.dumps(wanted)})"))

    def ask(self, do: str, **_: Any) -> None:
        self.browser.key({"press": "Down", "release": "Up"}[do])

    def keys(self, keys: str) -> None:
        """The next page is waited for, as the window has it when the key is done."""
        page = self.browser.run("document.body.dataset.page")
        self.browser.key("Down", keys)
        self.browser.key("Up", keys)
        self.browser.until(f"document.body.dataset.page !== {json.dumps(page)}")


def wizard_of(folder: Path, study: Path, *more: str) -> RunningStation:
    """The wizard's station, which starts a gateway."""
    options = ["--study", str(study), "--listen", f"browser-{os.getpid()}", "--stations", '{"browser": true}', *more]
    env = {"QT_QPA_PLATFORM": "offscreen", **own_places(folder, "wizard")}
    return RunningStation("wizard", options, folder / "wizard.txt", env)


@contextmanager
def browser_session(folder: Path, noise: bool = True, **settings: str) -> Iterator[tuple[Stage, Chromium, str]]:
    """The wizard's real window with the gateway that it starts, and Chromium at its link. Its microphone plays the
    noise for ever, or is that of this computer."""
    study = short_study(folder / "study", **settings)
    soundfile.write(folder / "noise.wav", NOISE, RATE)
    with wizard_of(folder, study) as wizard:
        wizard.wait("station_link", text={"contains": "#"})
        link, sound = wizard.text_of("station_link"), StepSound(folder / "noise.wav", SPOKEN_S)
        with Chromium(folder / "chromium", sound.wav if noise else None) as browser:
            browser.go(link)
            # The microphone plays by itself: so long the key is held.
            voice = lambda sound: wait_s(sound.seconds)  # noqa: E731
            yield Stage(wizard, PageSubject(browser), voice, sounds=dict.fromkeys(range(9), sound)), browser, link


def is_noise(take: np.ndarray) -> bool:
    """Whether it is a piece of the noise, sample for sample."""
    return np.tile(NOISE, 2).tobytes().find(take.astype(np.int16).tobytes()) % 2 == 0
