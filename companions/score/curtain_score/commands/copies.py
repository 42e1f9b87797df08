"""`curtain domain copies`: altered copies of a database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.terminal import Say, print_line
from curtain.commands.options import AsJson, ResultFolder, Seed
from curtain.domain.pack.pack import database, named_pack
from curtain_score.sql.alteration import make_copies, shapes_of
from curtain_score.sql.sql_child import is_sqlite


def copies(
    domain: Annotated[str, typer.Argument(help="A bundled database, a pack's folder or a SQLite file.")],
    out: ResultFolder,
    count: Annotated[int, typer.Option("--count", help="How many copies to make.")] = 5,
    seed: Seed = 1,
    as_json: AsJson = False,
    say: Say = print_line,
) -> int:
    """Makes altered copies of a database and prints their paths; the exit code, 0. Raises CurtainError."""
    if (file := Path(domain)).is_file() and is_sqlite(file):
        made = make_copies(file, None, out, count, seed)
    else:
        pack = named_pack(domain)
        made = make_copies(database(pack), shapes_of(pack), out, count, seed)
    paths = list(map(str, made))
    say(json.dumps(paths, ensure_ascii=False) if as_json else "\n".join(paths))
    return 0
