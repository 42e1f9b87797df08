"""What a lab does after its sessions, by commands and keys alone: packets, judges, merge, rulings, report."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from curtain.rehearsal.stations import RunningStation

JUDGES = ("ada", "ben", "cy")
REPORT_FILES = ("report.html", "report.json", "runs.csv", "queries.csv")


def run_command(*arguments: str | Path) -> str:
    """A `curtain` command as a process; gives its standard output."""
    command = [sys.executable, "-m", "curtain", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ})
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


def judged_and_reported(
    study: Path, folder: Path, judges: Sequence[str] = JUDGES, *options: str
) -> tuple[Path, list[str]]:
    """One whole round under `folder`; the folder of the report, and what the commands printed.

    Each judge labels by keys; the second judge differs on some pairs, and a fourth person rules on them.
    `options` go to the two commands that read the study, such as --without-consent.
    """
    judging, report = folder / "judging", folder / "report"
    said = [run_command("judge", "new", study, "--judges", ",".join(judges), "--out", judging, *options)]
    for judge in judges:
        with RunningStation("judge", ["--packet", str(judging / f"{judge}.packet")], folder / f"{judge}.log") as window:
            _judge_all(window, _opinion(differs=judge == judges[1]))
    said.append(run_command("judge", "merge", *(judging / f"{judge}.packet" for judge in judges)))
    with RunningStation("judge", ["--rule", str(judging), "--by", "dee"], folder / "dee.log") as window:
        _rule_on_all(window)
    said.append(run_command("judge", "agreement", judging))
    said.append(run_command("report", study, "--judged", judging, "--out", report, "--recruited", "9", *options))
    return report, said


def _opinion(differs: bool) -> Callable[[str], tuple[str, str]]:
    """The keys for clarity and correctness of an item: always the same for the same pair."""

    def keys(item: str) -> tuple[str, str]:
        number = int(hashlib.sha256(item.encode()).hexdigest(), 16)
        return "123"[number % 3], "E" if differs and number % 4 == 0 else "QW"[number % 2]

    return keys


def _judge_all(window: RunningStation, keys_for: Callable[[str], tuple[str, str]]) -> None:
    window.wait("window", state="judging")
    total = _seen(window)["total"]
    for place in range(1, total + 1):
        window.wait("window", place=place)
        shown = _seen(window)
        clarity, correctness = keys_for(shown["item"])
        window.keys(clarity)
        if not shown["filled"]:
            window.keys(correctness)
    window.wait("window", state="finished", done=total)


def _rule_on_all(window: RunningStation) -> None:
    window.wait("window", state="ruling")
    total = _seen(window)["total"]
    for ruled in range(1, total + 1):
        window.keys("W")
        window.type("half of it is there")
        window.keys("Return")
        window.wait("window", done=ruled)
    window.wait("window", state="finished", done=total)


def _seen(window: RunningStation) -> dict[str, Any]:
    seen: dict[str, Any] = window.look()["widgets"]["window"]
    return seen
