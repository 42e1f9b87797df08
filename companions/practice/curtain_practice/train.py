"""`curtain train`: the exercises of a study or of the bundled course, and the table of a study's sittings."""

import shlex
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError
from curtain.base.record_file import by_name
from curtain.base.terminal import print_json, print_line, print_table
from curtain.commands import windows
from curtain.commands.options import AsJson, By, Output, SessionNames, StudyFolder, TextSize, Theme, WindowLanguage
from curtain.commands.purposes import ListOnly
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.session.study.study import Study, load_study
from curtain_practice.course import COURSE_FILE, Course, course_of, read_course
from curtain_practice.sittings import FOLDER, PracticeSitting, read_turns, sittings_of

_COLUMNS = ("wizard", "began (UTC)", "turns", "right", "95 % interval", "in all", "original", "late", "kappa")


def train(
    study: StudyFolder,
    by: By = "",
    session: SessionNames = None,
    turns: Annotated[int | None, typer.Option("--turns", min=1, help="The first so many turns alone.")] = None,
    table: Annotated[ListOnly, typer.Option("--table", help="List the sittings of all wizards.")] = False,
    output: Output = None,
    theme: Theme = None,
    text_size: TextSize = None,
    language: WindowLanguage = "",
    as_json: AsJson = False,
) -> int:
    """The exit code of the window, or of the list. Raises CurtainError."""
    if table or as_json:
        return list_sittings(study, as_json=as_json)
    course = course_file(study, by, session or (), turns)
    print_line(f"Practice ends when its window is closed. Afterwards: curtain train {shlex.quote(str(study))} --table")
    values = {"--study": study, "--wizard": by, "--course": course, "--output": output, "--language": language}
    options = windows.options_for(values, theme, text_size)
    return windows.open_window("curtain_practice.window", options)


def course_file(folder: Path, wizard: str, sessions: Sequence[str], turns: int | None) -> Path:
    """The file of the course to practise: of these sessions, else the bundled one of the domain, else of the whole
    study. Raises CurtainError."""
    study = load_study(folder)
    if not wizard.isalnum():
        raise CurtainError("Name the wizard by letters and figures after “--by”.")
    bundled = _bundled(study)
    if not sessions and bundled is not None:
        course, here = read_course(bundled), bundled.parent
    else:
        course, here = _of_study(study, sessions), study.folder
    if not course.exercises:
        raise CurtainError(
            f"There is no turn with an answer or a message in {here}. Record and answer a session first."
        )
    exercises = course.exercises[:turns]
    if study.input == "text":
        # As questions come in this study: there may be no loudspeaker either.
        exercises = tuple(msgspec.structs.replace(one, audio="") for one in exercises)
    chosen = msgspec.structs.replace(course, exercises=exercises)
    path = study.folder / FOLDER / f"{wizard}.{COURSE_FILE}"
    path.parent.mkdir(exist_ok=True)
    replace_file(path, msgspec.json.encode(chosen))
    return path


def list_sittings(folder: Path, *, as_json: bool = False) -> int:
    """The sittings of all wizards of a study; the exit code. Raises CurtainError."""
    study = load_study(folder)
    files = sorted((study.folder / FOLDER).glob("*.jsonl"))
    sittings_by_wizard = {path.stem: sittings_of(read_turns(study.folder, path.stem)) for path in files}
    rows = [(wizard, sitting) for wizard, sittings in sittings_by_wizard.items() for sitting in sittings]
    if as_json:
        return print_json([_object(wizard, sitting) for wizard, sitting in rows])
    if not rows:
        print_line(f"Nobody has practised in {study.folder} yet: curtain train {shlex.quote(str(folder))} --by ID")
        return 0
    print_table(_COLUMNS, [_cells(wizard, sitting) for wizard, sitting in rows], [False, False, *[True] * 7])
    return 0


def _bundled(study: Study) -> Path | None:
    if "/" in study.domain or not study.domain.isidentifier():
        return None
    path = Path(str(files("sample_db"))) / study.domain / "course" / COURSE_FILE
    return path if path.is_file() else None


def _of_study(study: Study, sessions: Sequence[str]) -> Course:
    known = {one.session_id for one in study.sessions()}
    for name in sessions:
        if name not in known:
            raise CurtainError(f"There is no session {name} in {study.folder}.")
    filters = Filters(use="own", sessions=frozenset(sessions), live=True, pilot=bool(sessions), practice=True)
    return course_of(open_corpus([study.folder], filters), study.folder.name, study.domain)


def _object(wizard: str, sitting: PracticeSitting) -> dict[str, Any]:
    values = by_name(sitting, *PracticeSitting.__dataclass_fields__)
    interval = {"low": sitting.interval.low / 100, "high": sitting.interval.high / 100}
    return {"wizard": wizard, **values, "accuracy": sitting.accuracy, "interval": interval}


def _cells(wizard: str, sitting: PracticeSitting) -> tuple[str, ...]:
    return (
        wizard,
        sitting.began[:16].replace("T", " "),
        str(sitting.turns),
        f"{100 * sitting.accuracy:.0f} %",
        f"{sitting.interval.low:.0f} to {sitting.interval.high:.0f} %",
        _seconds(sitting.median_ms),
        _seconds(sitting.original_median_ms),
        str(sitting.missed),
        "–" if sitting.kappa is None else f"{sitting.kappa:.2f}",
    )


def _seconds(ms: float | None) -> str:
    return "–" if ms is None else f"{ms / 1000:.1f} s"
