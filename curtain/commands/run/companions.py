"""`curtain companions` lists what is installed; `curtain companion new` writes a package to begin with."""

import keyword
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError
from curtain.base.scratch import whole_folder
from curtain.base.terminal import print_error, print_json, print_line, print_table
from curtain.commands.options import AsJson
from curtain.commands.purposes import OutFolder
from curtain.ports.discovery import all_problems, installed

_FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "curtain-{name}"
version = "0.1.0"
description = "A companion of Curtain."
requires-python = ">=3.11"
dependencies = ["curtain-woz"]

[project.entry-points."curtain.companions"]
{name} = "curtain_{name}.companion:COMPANION"

[tool.hatch.build.targets.wheel]
packages = ["curtain_{name}"]
""",
    "curtain_{name}/__init__.py": '''"""A companion of Curtain."""\n''',
    "curtain_{name}/companion.py": '''\
"""What this companion offers. It is read at each start, so it imports nothing heavy."""

from curtain.ports.companion import Companion, FormatOffer

COMPANION = Companion(
    name="{name}",
    about="Questions as plain text, one a line.",
    formats=(FormatOffer("{name}", "Questions, one a line", "curtain_{name}.questions"),),
    checks={{"{name}": "curtain_{name}.check:check"}},
)
''',
    "curtain_{name}/questions.py": '''\
"""The export format: `questions.txt` with one question a line."""

from pathlib import Path

from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write the words of each utterance; what has none is counted."""
    lines = []
    for session in corpus.sessions():
        for utterance in session.utterances:
            if utterance.lsn:
                lines.append(f"{{utterance.utterance_id}}\\t{{utterance.lsn}}\\n")
                progress.wrote()
            else:
                progress.dropped_one("without words")
    (folder / "questions.txt").write_text("".join(lines), "utf-8")
''',
    "curtain_{name}/check.py": '''\
"""A line of `curtain check`."""

from curtain.session.study.study import Study


def check(study: Study | None) -> str:
    """What is well, in a sentence. Raise CurtainError with what to do where it is not."""
    return f"nothing is needed for {{study.folder.name if study else 'any study'}}."
''',
    "tests/test_{name}.py": '''\
"""The companion is found, and its format writes every question."""

from pathlib import Path
from types import SimpleNamespace as Fake
from unittest.mock import Mock

from curtain.ports.discovery import installed
from curtain_{name}.questions import write


def test_curtain_finds_the_companion() -> None:
    assert "{name}" in [companion.name for companion, _ in installed().companions]


def test_the_format_writes_a_question_a_line(tmp_path: Path) -> None:
    spoken, silent = Fake(utterance_id="a00-01-001", lsn="how many"), Fake(utterance_id="a00-01-002", lsn="")
    write(Fake(sessions=lambda: [Fake(utterances=[spoken, silent])]), tmp_path, Mock())
    assert (tmp_path / "questions.txt").read_text("utf-8") == "a00-01-001\\thow many\\n"
''',
}


def companions(as_json: AsJson = False) -> int:
    """The exit code: 1 if a companion does not load, or something of it is left out."""
    # Here alone: the table reads the companions itself.
    from curtain.commands.table import PROBLEMS

    present = installed()
    rows = [(one.name, one.about, f"{of.package} {of.version}", of.folder) for one, of in present.companions]
    headings = ("name", "what it is", "package", "installed in")
    if as_json:
        print_json([dict(zip(headings, row, strict=True)) for row in rows])
    elif rows:
        print_table(headings[:3], [row[:3] for row in rows], [False] * 3)
    else:
        print_line("No companion is installed.")
    for problem in (met := (*all_problems(), *PROBLEMS)):
        print_error(problem)
    return 1 if met else 0


def new(
    name: Annotated[str, typer.Argument(help="A word in small letters, such as praat.")],
    out: Annotated[OutFolder | None, typer.Option("--out", help="The folder to make; curtain-NAME by default.")] = None,
) -> int:
    """Write a package with a format, a check and a test; the exit code, 0. Raises CurtainError."""
    if not (name.isascii() and name.isidentifier() and name.islower()) or keyword.iskeyword(name):
        raise CurtainError(f"“{name}” cannot name a package; take a word in small letters, such as praat.")
    if name in [one.name for one, _ in installed().companions]:
        raise CurtainError(f"There is a companion “{name}”; take another word.")
    folder = out or Path(f"curtain-{name}")
    with whole_folder(folder) as made:
        for place, text in _FILES.items():
            file = made / place.format(name=name)
            file.parent.mkdir(exist_ok=True)
            replace_file(file, text.format(name=name).encode())
    print_line(f"{folder}: install it beside Curtain with “pip install -e {folder}”, then run “pytest {folder}”.")
    return 0
