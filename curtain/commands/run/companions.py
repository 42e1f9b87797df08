"""`curtain companions` lists what is installed; `curtain companion new` writes a package to begin with."""

from __future__ import annotations

import keyword
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError
from curtain.base.input_file import parse_toml, read_input
from curtain.base.scratch import whole_folder
from curtain.base.terminal import print_error, print_json, print_line, print_table
from curtain.commands.options import AsJson
from curtain.commands.purposes import OutFolder
from curtain.ports.discovery import PORTS, installed, problems

_FILES = Path(__file__).with_name("companion.toml")


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
    for problem in (met := (*problems(*PORTS), *PROBLEMS)):
        print_error(problem)
    return 1 if met else 0


def new(
    name: Annotated[str, typer.Argument(help="A word in small letters, such as praat.")],
    out: Annotated[OutFolder | None, typer.Option("--out", help="The folder to make; curtain-NAME by default.")] = None,
) -> int:
    """Write a package with a format, a check and a test; the exit code, 0. Raises CurtainError."""
    if not (name.isascii() and name.isidentifier() and name.islower()) or keyword.iskeyword(name):
        raise CurtainError(f"“{name}” cannot name a package; take a word in small letters, such as praat.")
    folder = out or Path(f"curtain-{name}")
    with whole_folder(folder) as made:
        for place, text in parse_toml(read_input(_FILES).decode()).items():
            file = made / place.format(name=name)
            file.parent.mkdir(exist_ok=True)
            replace_file(file, text.format(name=name).encode())
    print_line(f"{folder}: install it beside Curtain with “pip install -e {folder}”, then run “pytest {folder}”.")
    return 0
