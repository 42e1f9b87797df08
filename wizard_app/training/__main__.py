"""`python -m wizard_app.training --study DIR --wizard ID --course FILE`: practice as a process of its own."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from curtain.base.errors import CurtainError
from curtain.base.privacy import keep_files_private
from curtain.base.scratch import ScratchFolder
from curtain.base.terminal import print_error
from curtain.desk import problems, style
from curtain.desk.binding_types import make_binding_types
from curtain.desk.garbage_collection import GarbageCollection
from curtain.desk.looks.appearance import AppearanceControl, add_appearance_options, appearance_of
from curtain.desk.looks.focus_ring import FocusRing
from curtain.session.study.study import load_study
from curtain.training.course import read_course
from wizard_app.key_guard import KeyGuard
from wizard_app.training.app import PracticeOptions, TrainingApp
from wizard_app.translation import install_translation


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
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Curtain")
    collection = GarbageCollection(app)
    make_binding_types()
    app.setQuitOnLastWindowClosed(False)
    appearance = appearance_of(given)
    look = style.apply(app, appearance.theme, appearance.percent)
    ring = FocusRing(app, look)
    install_translation(app, study.folder, given.language, app)
    problem_log = problems.install("training", study.folder / "logs")
    # The recordings are copied into it, so nothing of it may stay.
    with ScratchFolder("training") as scratch:
        training = TrainingApp(study, look, PracticeOptions(given.wizard, course, scratch, given.output))
        problem_log.problem.connect(training.window.show_unexpected)
        keys = KeyGuard(app)
        training.window.closed.connect(app.quit)
        AppearanceControl(app, look, appearance, training.window).bind(training.window)
        training.begin()
        if given.drive:
            from curtain.desk.driver import drive

            drive(training.window)
        code = app.exec()
        training.close()
    ring.deleteLater()
    keys.deleteLater()
    problem_log.close()
    collection.close()
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m wizard_app.training", description="Practice for wizards.")
    parser.add_argument("--study", type=Path, required=True, help="the study folder")
    parser.add_argument("--wizard", required=True, help="the wizard id")
    parser.add_argument("--course", type=Path, required=True, help="the file of the course")
    parser.add_argument("--output", help="the loudspeaker or headphones, by name")
    add_appearance_options(parser)
    parser.add_argument("--language", default="", help="the window's language, such as de; the system's if not named")
    parser.add_argument("--drive", action="store_true", help="take JSON lines on standard input")
    return parser


if __name__ == "__main__":
    sys.exit(main())
