"""What a line that is cut, a killed page and a killed gateway cost in sessions of the page in Chromium.

    python bench/browser_kills.py

Needs Chromium. Each round has three questions: the gateway stands still for six seconds while the key is let go, the
page's process is killed while the key is held, and gateway and wizard's window are killed while it is held. Every
question has to be answered. On a starved machine Chromium loses blocks of its fake device: such takes are not equal.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import psutil
from size import sized

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from companions.browser.tests.browsers import Chromium
from companions.browser.tests.page_subject import RATE, browser_session, is_noise, wizard_of
from curtain.audio.wav import read_wav
from curtain.base.clock import steady_s
from curtain.rehearsal.player import begin_session, end_session, press_talk_key
from curtain.rehearsal.stage import Stage, wait_s
from tests.stories.test_sleep_and_spare import answer, assert_whole

ROUNDS, CUT_S = sized(10, 1), 6.0


def main() -> None:
    """Play them, and print what was kept."""
    if shutil.which("chromium") is None:
        print("Chromium is missing; nothing is measured.")
        return
    ends: list[float] = []
    with tempfile.TemporaryDirectory() as name, browser_session(Path(name)) as (stage, browser, link):
        folder, at = Path(name), link.partition("#")[0]
        begin_session(stage, "k00")
        for turn in range(1, 3 * ROUNDS, 3):
            cut(stage)
            answer(stage, turn)
            ends.append(kill_page(stage, browser, turn + 1))
            browser.open_page()
            browser.go(at)
            answer(stage, turn + 1)
            kill_gateway(stage)
            stage.wizard.kill()
            stage.wizard = wizard_of(folder, folder / "study", "--resume")
            answer(stage, turn + 2)
        bundle = end_session(stage)
        wavs = [read_wav(bundle / str(turn.as_json()["audio"])) for turn in assert_whole(bundle, 3 * ROUNDS)]
        stage.wizard.quit()
    seconds, equal = [len(wav.samples) / RATE for wav in wavs], sum(is_noise(wav.samples[:, 0]) for wav in wavs)
    print(f"{ROUNDS} rounds: {len(wavs)} questions asked and answered, {equal} equal to what was played")
    print("median seconds of sound | cut, killed page, killed gateway:", end=" ")
    print(", ".join(f"{statistics.median(seconds[place::3]):.2f}" for place in range(3)))
    print(f"a killed page's hold ended after {statistics.median(ends):.1f} s (largest {max(ends):.1f})")


def cut(stage: Stage) -> None:
    """Nothing moves on the line, and the key is let go meanwhile."""
    press_talk_key(stage)
    gateway = gateway_of(stage)
    gateway.suspend()
    wait_s(CUT_S / 2)
    stage.subject.ask("release")
    wait_s(CUT_S / 2)
    gateway.resume()


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


def gateway_of(stage: Stage) -> psutil.Process:
    """It is started by the wizard's window."""
    children = psutil.Process(stage.wizard.process.pid).children(recursive=True)
    return next(each for each in children if "curtain_browser.gateway" in each.cmdline())


if __name__ == "__main__":
    main()
