"""`python -m curtain_judge.window --packet FILE`, or `--rule DIR --by NAME`: the judge's window as a process."""

from __future__ import annotations

import argparse
import getpass
from pathlib import Path

from curtain.base.clock import Clock
from curtain.base.privacy import keep_files_private
from curtain.qt.languages.translation import WindowLanguage
from curtain.qt.windows.window_program import window_parser, window_program
from curtain_judge.evaluation import open_evaluation
from curtain_judge.packet import Packet
from curtain_judge.window.app import JudgeApp, OpenMaterial
from curtain_judge.window.material import JudgingMaterial, RulingMaterial


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = _parser().parse_args(arguments)
    place = given.packet or given.rule
    language = WindowLanguage(given.language)
    with window_program("judge", place.resolve().parent / "logs", given, language) as program:
        judge = JudgeApp(place.stem, _material(given), program.look, given.output)
        program.bind(judge.window, judge.window.show_problem)
        return program.run(judge.window, judge.begin, judge.close, given.drive)


def _material(given: argparse.Namespace) -> OpenMaterial:
    if given.packet is not None:
        return lambda: JudgingMaterial(Packet(given.packet), Clock())
    return lambda: RulingMaterial(open_evaluation(given.rule), given.by or getpass.getuser(), Clock())


def _parser() -> argparse.ArgumentParser:
    parser = window_parser("curtain_judge.window", "The judge's window.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--packet", type=Path, help="the packet to judge")
    what.add_argument("--rule", type=Path, help="the folder of an evaluation whose judges differ")
    parser.add_argument("--by", default="", help="who rules; you if left out")
    parser.add_argument("--output", help="the loudspeaker or headphones, by name")
    return parser
