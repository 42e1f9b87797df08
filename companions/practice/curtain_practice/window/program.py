"""`python -m curtain_practice.window --study DIR --wizard ID --course FILE`: practice as a process of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.privacy import keep_files_private
from curtain.base.scratch import ScratchFolder
from curtain.base.terminal import print_error
from curtain.qt.languages.translation import WindowLanguage
from curtain.qt.windows.window_options import WindowOptions, read_options
from curtain.qt.windows.window_program import window_program
from curtain.session.study.study import load_study
from curtain_practice.course import read_course
from curtain_practice.window.app import TrainingApp
from wizard_app.keys.guard import KeyGuard


@dataclass(frozen=True, kw_only=True)
class _Given(WindowOptions):
    study: Path
    wizard: str
    course: Path
    output: str | None = None


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = read_options(_Given, arguments)
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
