"""`curtain domain build`: the database of a pack."""

from __future__ import annotations

import shutil
from glob import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from curtain.base.disk import rename
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.privacy import sweep
from curtain.base.progress_bar import progress_bar
from curtain.base.terminal import print_line
from curtain.commands.options import Overwrite, Pack, ensure_free_file
from curtain.commands.purposes import OutFile
from curtain.domain.pack.pack import database, named_pack


def build(
    domain: Pack,
    out: Annotated[OutFile, typer.Option("--out", help="The file to write.")],
    seed: Annotated[int | None, typer.Option("--seed", help="The seed of every random draw.")] = None,
    overwrite: Overwrite = False,
) -> int:
    """The DuckDB file of a pack, made anew. Raises CurtainError."""
    ensure_free_file(out, overwrite)
    pack = named_pack(domain)
    if seed is not None and not (pack.folder / "build.py").is_file():
        raise CurtainError(f"{pack.folder} has no build.py, so there is nothing to seed.")
    home = out.absolute().parent
    with os_errors_as(f"{out} cannot be written"):
        home.mkdir(parents=True, exist_ok=True)
        # Parts of a build that was killed; `escape`, since the name may hold a * or [.
        sweep(home, [f".{escape(out.name)}.part-*"])
        with progress_bar() as report, TemporaryDirectory(dir=home, prefix=f".{out.name}.part-") as part:
            made = shutil.copy(database(pack, Path(part), seed, report), Path(part) / "copy.duckdb")
            # Built beside and renamed: `out` is never half a database.
            rename(made, out)
    print_line(out)
    return 0
