"""`python -m curtain_judge.window --packet FILE`, or `--rule DIR --by NAME`: the judge's window as a process."""

from __future__ import annotations

import getpass
from dataclasses import dataclass
from pathlib import Path

from curtain.base.clock import Clock
from curtain.base.privacy import keep_files_private
from curtain.qt.languages.translation import WindowLanguage
from curtain.qt.windows.window_options import WindowOptions, read_options
from curtain.qt.windows.window_program import window_program
from curtain_judge.evaluation import open_evaluation
from curtain_judge.packet import Packet
from curtain_judge.window.app import JudgeApp, OpenMaterial
from curtain_judge.window.material import JudgingMaterial, RulingMaterial


@dataclass(frozen=True, kw_only=True)
class _Given(WindowOptions):
    """The packet to judge, or the folder of an evaluation whose judges differ, and who rules there."""

    packet: Path | None = None
    rule: Path = Path()
    by: str = ""
    output: str | None = None


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = read_options(_Given, arguments)
    place = given.packet or given.rule
    language = WindowLanguage(given.language)
    with window_program("judge", place.resolve().parent / "logs", given, language) as program:
        judge = JudgeApp(place.stem, _material(given), program.look, given.output)
        program.bind(judge.window, judge.window.show_problem)
        return program.run(judge.window, judge.begin, judge.close, given.drive)


def _material(given: _Given) -> OpenMaterial:
    if packet := given.packet:
        return lambda: JudgingMaterial(Packet(packet), Clock())
    return lambda: RulingMaterial(open_evaluation(given.rule), given.by or getpass.getuser(), Clock())
