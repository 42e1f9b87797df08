"""What a dead line, a killed page and a killed gateway cost in a session of the page in Chromium.

    python bench/browser_kills.py

Needs Chromium. Each round has three questions: the gateway stands still for eight seconds while the key is let go, the
page's process is killed while the key is held, and gateway and wizard's window are killed while it is held. At the end
the browser is lost for good, and another one comes by another link. Every question has to be answered. On a starved
machine Chromium loses blocks of its fake device: such takes are not equal.
"""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil
from size import sized

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from companions.browser.tests.browsers import Chromium
from companions.browser.tests.page_subject import RATE, PageSubject, browser_session, lost_in, takes_of, wizard_of
from curtain.base.clock import steady_s
from curtain.rehearsal.player import begin_session, end_session, press_talk_key
from curtain.rehearsal.stage import Stage, wait_s
from tests.stories.test_sleep_and_spare import answer, assert_whole

ROUNDS, DEAD_S = sized(10, 1), 8.0
SAID = "document.getElementById('notice').textContent.startsWith('The connection is')"


def main() -> None:
    """Play them, and print what was kept."""
    if shutil.which("chromium") is None:
        print("Chromium is missing; nothing is measured.")
        return
    with tempfile.TemporaryDirectory() as folder:
        takes, ends, last = play(Path(folder), ROUNDS)
    seconds, equal = [len(take) / RATE for take in takes], sum(lost_in(take) == ([], []) for take in takes)
    print(f"{ROUNDS} rounds: {len(takes)} questions asked and answered, {equal} equal to what was played")
    print("median seconds of sound | dead line, killed page, killed gateway:", end=" ")
    print(", ".join(f"{statistics.median(seconds[place::3]):.2f}" for place in range(3)))
    print(f"a killed page's hold ended after {statistics.median(ends):.1f} s (largest {max(ends):.1f})")
    print(f"of the lost browser's last question {len(last) / RATE:.2f} s are there")


class Kept(NamedTuple):
    """Of a session of so many rounds: its takes, in each round that of the dead line, of the page and of the gateway;
    how many seconds after the end of each page its hold ended; and the last take of a browser that was lost."""

    takes: list[np.ndarray]
    held_s: list[float]
    last: np.ndarray


def play(folder: Path, rounds: int) -> Kept:
    """One session."""
    held_s: list[float] = []
    with browser_session(folder) as (stage, browser, link):
        begin_session(stage, "k00")
        for turn in range(1, 3 * rounds, 3):
            fall_silent(stage, browser)
            answer(stage, turn)
            held_s.append(kill_page(stage, browser, turn + 1))
            browser.open_page()
            browser.go(link.partition("#")[0])
            answer(stage, turn + 1)
            kill_gateway(stage)
            stage.wizard.kill()
            stage.wizard = wizard_of(folder, folder / "study", "--resume")
            answer(stage, turn + 2)
        with lose_browser(folder, stage, browser):
            answer(stage, 3 * rounds + 1)
            bundle = end_session(stage)
        stage.wizard.quit()
    assert_whole(bundle, 3 * rounds + 1)
    *takes, last = takes_of(bundle)
    return Kept(takes, held_s, last)


def fall_silent(stage: Stage, browser: Chromium) -> None:
    """Nothing moves on the line and nobody closes it; the page sees it, and the key is let go meanwhile."""
    press_talk_key(stage)
    gateway = gateway_of(stage)
    gateway.suspend()
    started = steady_s()
    browser.until(SAID)
    assert stage.subject.has("window", state="listening")
    wait_s(DEAD_S / 2)
    stage.subject.ask("release")
    stage.subject.wait("window", state="one_moment")
    wait_s(started + DEAD_S - steady_s())
    gateway.resume()
    browser.until(f"!{SAID}")


def kill_page(stage: Stage, browser: Chromium, turn: int) -> float:
    """While the key is held; seconds until the wizard has the question."""
    press_talk_key(stage)
    stage.voice(stage.sounds[1])
    browser.kill_page()
    killed = steady_s()
    stage.wizard.wait("window", turn=turn, state="transcribe")
    return steady_s() - killed


def kill_gateway(stage: Stage) -> None:
    """While the key is held; it is let go before there is another one."""
    press_talk_key(stage)
    stage.voice(stage.sounds[1])
    gateway_of(stage).kill()
    stage.subject.ask("release")


def lose_browser(folder: Path, stage: Stage, browser: Chromium) -> Chromium:
    """While the key is held, and with it the cookie; the wizard asks for another link, and another browser comes."""
    press_talk_key(stage)
    stage.voice(stage.sounds[1])
    os.killpg(browser.process.pid, signal.SIGKILL)
    wizard = stage.wizard
    wizard.wait("another_link", visible=True)
    while not wizard.has("another_link", focus=True):
        wizard.keys("Tab")
    wizard.keys("Space")
    wizard.wait("station_link", visible=True)
    another = Chromium(folder / "another", folder / "noise.wav")
    another.go(wizard.text_of("station_link"))
    stage.subject = PageSubject(another)
    return another


def gateway_of(stage: Stage) -> psutil.Process:
    """It is started by the wizard's window, one of whose children may have just ended."""
    children = psutil.Process(stage.wizard.process.pid).children(recursive=True)
    return next(each for each in children if "curtain_browser.gateway" in each.as_dict(["cmdline"], [])["cmdline"])


if __name__ == "__main__":
    main()
