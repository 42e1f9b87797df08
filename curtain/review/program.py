"""`python -m curtain.review --study DIR --by NAME`: the annotator's window as a process of its own."""

from __future__ import annotations

import argparse
import getpass
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.privacy import keep_files_private
from curtain.base.terminal import print_error
from curtain.corpus.annotation.sample import sample_of
from curtain.qt.languages.translation import WindowLanguage
from curtain.qt.windows.window_program import window_parser, window_program
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
    language = WindowLanguage(given.language, study.spoken_language, study.folder)
    with window_program("annotate", study.folder / "logs", given, language) as program:
        review = build(study, program.look, ReviewOptions(person, given.output, tuple(given.session)))
        program.bind(review.window)
        program.problem_log.problem.connect(review.window.show_unexpected)
        return program.run(review.window, review.begin, review.close, given.drive)


def _name(given: str) -> str:
    name = " ".join((given or getpass.getuser()).split())
    if not name:
        raise CurtainError("Say who annotates: --by NAME.")
    return name


def _parser() -> argparse.ArgumentParser:
    parser = window_parser("curtain.review", "The annotator's window.")
    parser.add_argument("--study", type=Path, required=True, help="the study folder")
    parser.add_argument("--by", default="", help="who annotates; you if left out")
    parser.add_argument("--second", action="store_true", help="go through what others have finished, without seeing it")
    parser.add_argument("--adjudicate", action="store_true", help="rule where annotators differ")
    parser.add_argument("--session", action="append", default=[], help="this session alone; may stand several times")
    parser.add_argument("--sample", help="only so many per cent of the turns, the same for everybody")
    parser.add_argument("--seed", type=int, help="another seed draws another sample")
    parser.add_argument("--output", help="the loudspeaker or headphones, by name")
    return parser
