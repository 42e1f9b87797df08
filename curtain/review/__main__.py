"""`python -m curtain.review --study DIR --by NAME`: the annotator's window as a process of its own."""

from __future__ import annotations

import argparse
import getpass
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from curtain.base.errors import CurtainError
from curtain.base.privacy import keep_files_private
from curtain.base.terminal import print_error
from curtain.corpus.annotation.sample import sample_of
from curtain.desk import problems, style
from curtain.desk.binding_types import make_binding_types
from curtain.desk.garbage_collection import GarbageCollection
from curtain.desk.looks.appearance import AppearanceControl, add_appearance_options, appearance_of
from curtain.desk.looks.focus_ring import FocusRing
from curtain.review.app import ReviewOptions, build
from curtain.review.control.shelf import Person
from curtain.session.study.study import load_study


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = _parser().parse_args(arguments)
    try:
        study = load_study(given.study)
        study.ensure_writable()
        sample = None if given.sample is None else sample_of(given.sample, given.seed)
        person = Person(_name(given.by), given.second, given.adjudicate, sample)
    except CurtainError as error:
        print_error(error)
        return 2
    # Without our own arguments: Qt would take some of them for its own.
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Curtain")
    collection = GarbageCollection(app)
    make_binding_types()
    # What is unsaved must reach the disk first; the window says when it may be closed.
    app.setQuitOnLastWindowClosed(False)
    appearance = appearance_of(given)
    look = style.apply(app, appearance.theme, appearance.percent)
    ring = FocusRing(app, look)
    problem_log = problems.install("annotate", study.folder / "logs")
    review = build(study, look, ReviewOptions(person, given.output, tuple(given.session)))
    problem_log.problem.connect(review.window.show_unexpected)
    review.window.closed.connect(app.quit)
    AppearanceControl(app, look, appearance, review.window).bind(review.window)
    review.begin()
    if given.drive:
        from curtain.desk.driver import drive

        drive(review.window)
    code = app.exec()
    ring.deleteLater()
    review.close()
    problem_log.close()
    collection.close()
    return code


def _name(given: str) -> str:
    name = " ".join((given or getpass.getuser()).split())
    if not name:
        raise CurtainError("Say who annotates: --by NAME.")
    return name


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m curtain.review", description="The annotator's window.")
    parser.add_argument("--study", type=Path, required=True, help="the study folder")
    parser.add_argument("--by", default="", help="who annotates; you if left out")
    parser.add_argument("--second", action="store_true", help="go through what others have finished, without seeing it")
    parser.add_argument("--adjudicate", action="store_true", help="rule where annotators differ")
    parser.add_argument("--session", action="append", default=[], help="this session alone; may stand several times")
    parser.add_argument("--sample", help="only so many per cent of the turns, the same for everybody")
    parser.add_argument("--seed", type=int, help="another seed draws another sample")
    parser.add_argument("--output", help="the loudspeaker or headphones, by name")
    add_appearance_options(parser)
    parser.add_argument("--drive", action="store_true", help="take JSON lines on standard input")
    return parser


if __name__ == "__main__":
    sys.exit(main())
