"""Makes the pictures of the judge's and the adjudicator's window over the study that
`curtain demo --study` makes: `.venv/bin/python docs/judging_shots.py`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from shots import display, keep

from curtain.rehearsal.stations import RunningStation

JUDGES = ("ada", "ben", "cy")


def main() -> None:
    with display("1280x760"), tempfile.TemporaryDirectory(prefix="curtain-judging-") as scratch:
        folder = Path(scratch)
        study, judging = folder / "study", folder / "judging"
        curtain("demo", "--study", "--out", study)
        curtain("judge", "new", study, "--judges", ",".join(JUDGES), "--without-consent", "--out", judging)
        for judge in JUDGES:
            judge_all(judging / f"{judge}.packet", "Q" if judge == "cy" else "E", folder)
        curtain("judge", "merge", *(judging / f"{judge}.packet" for judge in JUDGES))
        rule(judging, folder)


def curtain(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "curtain", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def judge_all(packet: Path, last: str, folder: Path) -> None:
    """Every pair clear and correct, the last answered one as given; a picture of the first judge's work half-way."""
    with RunningStation("judge", ["--packet", str(packet)], folder / "judge.log") as window:
        window.wait("window", state="judging")
        window.ask("resize", w=1280, h=690)
        total = window.look()["widgets"]["window"]["total"]
        for place in range(1, total + 1):
            window.wait("window", place=place)
            filled = window.look()["widgets"]["window"]["filled"]
            window.keys("1")
            if place == total // 2 + 1 and packet.stem == JUDGES[0]:
                take(window, folder / "judge.png")
            if not filled:
                window.keys(last if place % 5 == 0 else "Q")
        window.wait("window", state="finished")


def rule(judging: Path, folder: Path) -> None:
    with RunningStation("judge", ["--rule", str(judging), "--by", "dee"], folder / "rule.log") as window:
        window.wait("window", state="ruling")
        window.ask("resize", w=1280, h=690)
        total = window.look()["widgets"]["window"]["total"]
        for ruled in range(1, total + 1):
            window.keys("F6")
            window.keys("W")
            window.type("one of the people is missing")
            if ruled == total:
                take(window, folder / "adjudicate.png")
            window.keys("Return")
            window.wait("window", done=ruled)


def take(window: RunningStation, picture: Path) -> None:
    window.shot(picture)
    keep(picture, picture.stem)


if __name__ == "__main__":
    main()
