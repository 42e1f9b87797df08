"""`python -m curtain_practice.window --study DIR --wizard ID --course FILE`: practice as a process of its own."""

from __future__ import annotations

import argparse
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.privacy import keep_files_private
from curtain.base.scratch import ScratchFolder
from curtain.base.terminal import print_error
from curtain.qt.languages.translation import WindowLanguage
from curtain.qt.windows.window_program import window_parser, window_program
from curtain.session.study.study import load_study
from curtain_practice.course import read_course
from curtain_practice.window.app import TrainingApp
from wizard_app.keys.guard import KeyGuard


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = _parser().parse_args(arguments)
    try:
        study = load_study(given.study)
        study.ensure_writable()
        course = read_course(given.course)
    except CurtainError as error:
        print_error(error)
        return 2
    language = WindowLanguage(given.language, study.spoken_language, study.folder)
    with window_program("training", study.folder / "logs", given, language) as program:
        # The recordings are copied into it, so nothing of it may stay.
        with ScratchFolder("training") as scratch:
            training = TrainingApp(study, program.look, given.wizard, course, scratch, given.output)
            program.bind(training.window, training.window.show_unexpected)
            keys = KeyGuard(program.app)
            code = program.run(training.window, training.begin, training.close, given.drive)
        keys.deleteLater()
    return code


def _parser() -> argparse.ArgumentParser:
    parser = window_parser("curtain_practice.window", "Practice for wizards.")
    parser.add_argument("--study", type=Path, required=True, help="the study folder")
    parser.add_argument("--wizard", required=True, help="the wizard id")
    parser.add_argument("--course", type=Path, required=True, help="the file of the course")
    parser.add_argument("--output", help="the loudspeaker or headphones, by name")
    return parser
