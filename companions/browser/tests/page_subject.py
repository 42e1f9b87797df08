"""A subject in a real browser, under the names by which a rehearsal presses the keys of the subject's window."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import soundfile

from curtain.audio.wav import read_wav
from curtain.rehearsal.stage import Stage, StepSound, wait_s
from curtain.rehearsal.stations import RunningStation, own_places
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.subject_events import TakeRecovered, TakeSaved, subject_fact
from tests.support.studies import short_study

from .browsers import Browser, Chromium

RATE, SPOKEN_S, SURE = 44_100, 0.6, 24
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

    def __init__(self, browser: Browser) -> None:
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
def browser_session(
    folder: Path, start: Callable[[Path, Path], Browser] = Chromium, **settings: str
) -> Iterator[tuple[Stage, Browser, str]]:
    """The wizard's real window with the gateway that it starts, and a browser at its link. `start` is given its folder,
    and the noise that Chromium's microphone plays for ever."""
    study = short_study(folder / "study", **settings)
    soundfile.write(folder / "noise.wav", NOISE, RATE)
    with wizard_of(folder, study) as wizard:
        wizard.wait("station_link", text={"contains": "#"})
        link, sound = wizard.text_of("station_link"), StepSound(folder / "noise.wav", SPOKEN_S)
        with start(folder / "browser", sound.wav) as browser:
            browser.go(link)
            # The microphone plays by itself: so long the key is held.
            voice = lambda sound: wait_s(sound.seconds)  # noqa: E731
            yield Stage(wizard, PageSubject(browser), voice, sounds=dict.fromkeys(range(9), sound)), browser, link


def takes_of(folder: Path) -> Iterator[np.ndarray]:
    """The sound of each take, less the silence that stands in it for what did not come in its time."""
    bundle = Bundle(folder)
    for fact in map(subject_fact, bundle.read_subject_journal().entries):
        if isinstance(fact, TakeSaved | TakeRecovered):
            wav = read_wav(folder / "audio" / f"{fact.utterance_id}.wav")
            assert wav.sample_rate == fact.sample_rate
            silent = [np.arange(at, at + missing) for at, missing in getattr(fact, "gaps", [])]
            yield np.delete(wav.samples[:, 0], np.concatenate([[], *silent]).astype(int))


class Lost(NamedTuple):
    """Frames that a take leaves out of the noise, and frames of silence in it, in its order."""

    skipped: list[int]
    silent: list[int]


def lost_in(take: np.ndarray) -> Lost:
    """A device that has just been opened may begin with silence. Nothing else than noise and silence may be there."""
    noise, take = np.tile(NOISE, 2), np.trim_zeros(take.astype(np.int16), "f")
    lost, at, place = Lost([], []), 0, None
    while len(take) - at >= SURE:
        found = noise.tobytes().find(take[at : at + SURE].tobytes())
        if found < 0:
            silent = int(np.argmax(take[at:] != 0))
            # A piece of few frames before the first silence is not known again.
            assert silent or at < SURE, f"frame {at} is not what was played"
            lost.silent.extend([silent] if silent else [])
            at += silent or 1
            continue
        if place is not None and found // 2 != place:
            lost.skipped.append((found // 2 - place) % len(NOISE))
        wrong = take[at:] != noise[found // 2 :][: len(take) - at]
        same = int(np.argmax(wrong)) if wrong.any() else len(wrong)
        at, place = at + same, (found // 2 + same) % len(NOISE)
    return lost


def assert_lost_by_chromium(take: np.ndarray) -> int:
    """On a starved machine it loses whole blocks of its device, and what we lose comes in other sizes; how many frames
    are there."""
    lost = [*lost_in(take).skipped, *lost_in(take).silent]
    assert [frames % (RATE // 100) for frames in lost] == [0] * len(lost)
    return len(take) - sum(lost)
