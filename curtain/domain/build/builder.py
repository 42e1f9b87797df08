"""The process that builds a pack's database, or reads what makes it itself; started by `store`.

It writes one JSON object a line: progress, then the result or one sentence about the problem.
"""

import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import IO, Any

import duckdb

from curtain.base.disk import full_disk_reported
from curtain.base.errors import CurtainError
from curtain.base.progress_bar import Report
from curtain.base.python_process import own_pipes
from curtain.base.sql_names import folded, quoted
from curtain.base.text_file import read_text

from ..pack.schema import read_schema

Say = Callable[[dict[str, Any]], object]

_ROWS_AT_ONCE = 10_000


def build(folder: Path, path: Path, seed: int | None, report: Report) -> None:
    """Runs the pack's `build(path, seed, progress)` and checks that every table of schema.sql came of it."""
    arguments: dict[str, Any] = {"progress": report} | ({} if seed is None else {"seed": seed})
    _build_function(folder / "build.py")(path, **arguments)
    if not path.is_file():
        raise CurtainError("build(path) wrote no file")
    _check_tables(folder / "schema.sql", path)


def content_hash(path: Path) -> str:
    """SHA-256 over names, types and rows in key order; how the file stores them does not matter."""
    digest = hashlib.sha256()
    with duckdb.connect(str(path), read_only=True) as connection:
        for (table,) in connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall():
            _hash_table(digest.update, connection, table)
    return digest.hexdigest()


def _build_function(script: Path) -> Callable[..., None]:
    # What lies in a __pycache__ would run in the place of the file to which somebody agreed.
    sys.pycache_prefix = os.devnull
    # A build.py may import modules that stand beside it.
    sys.path.insert(0, str(script.parent))
    spec = spec_from_file_location("curtain_pack_build", script)
    if spec is None or spec.loader is None:
        raise CurtainError("it cannot be loaded")
    module = module_from_spec(spec)
    # Before it runs: dataclasses look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if not callable(getattr(module, "build", None)):
        raise CurtainError("there is no function build(path, seed, progress) in it")
    return module.build  # type: ignore[no-any-return]


def _check_tables(schema: Path, path: Path) -> None:
    with duckdb.connect(str(path), read_only=True) as connection:
        names = connection.execute("SELECT table_name, column_name FROM duckdb_columns()").fetchall()
    there = {(folded(table), folded(column)) for table, column in names}
    for table, columns in read_schema(read_text(schema)).items():
        missing = [column for column in columns if (table, column) not in there]
        if missing:
            raise CurtainError(f"the built database lacks {table}.{missing[0]} of schema.sql")


def _hash_table(update: Callable[[bytes], object], connection: duckdb.DuckDBPyConnection, table: str) -> None:
    query = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index"
    columns = connection.execute(query, [table]).fetchall()
    update(_line([table, *map(str, columns)]))
    # All columns after the key: a table without a key needs one order as well.
    order = ", ".join(map(quoted, [*_key(connection, table), *(name for name, _ in columns)]))
    rows = connection.execute(f"SELECT * FROM {quoted(table)} ORDER BY {order}")
    while batch := rows.fetchmany(_ROWS_AT_ONCE):
        update(b"".join(map(_line, batch)))


def _key(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    query = "SELECT constraint_column_names FROM duckdb_constraints() WHERE table_name = ? AND constraint_type = ?"
    row = connection.execute(query, [table, "PRIMARY KEY"]).fetchone()
    return list(row[0]) if row else []


def _line(values: Iterable[object]) -> bytes:
    # ASCII's own separators of fields and rows: ("ab", "c") and ("a", "bc") must not hash alike.
    return ("\x1f".join("\x00" if value is None else str(value) for value in values) + "\x1e").encode()


def _carry_out(order: list[str], say: Say) -> dict[str, Any]:
    match order:
        case ["build", folder, path, *seed]:
            report = partial(_report, say)
            # What we are asked for stands in folders of its own until it is whole.
            with full_disk_reported(next(one for one in Path(path).parents if ".part-" not in one.name)):
                build(Path(folder), Path(path), int(seed[0]) if seed else None, report)
            return {"built": path}
        case ["content", path]:
            return {"content_sha256": content_hash(Path(path))}
    raise CurtainError(f"unknown order {order}")


def _report(say: Say, what: str, share: float) -> None:
    say({"what": str(what), "share": float(share)})


def main() -> int:
    """Carries out the order of the command line; whatever goes wrong in a pack's code becomes one sentence."""
    say = _own_output()
    orders, _ = own_pipes()
    threading.Thread(target=_end_with_parent, args=(orders,), daemon=True).start()
    try:
        say(_carry_out(sys.argv[1:], say))
    # A pack's code may raise anything, and the parent can show one sentence only.
    except Exception as error:
        reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        say({"fault": f"the database cannot be built: {reason}"})
        return 1
    return 0


def _end_with_parent(orders: IO[bytes]) -> None:
    """A command that was killed must not leave a build behind that goes on for minutes."""
    orders.read()
    os._exit(1)


def _own_output() -> Say:
    """Our lines on standard output, and nothing else: what a pack's build prints goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    return lambda values: os.write(answers, json.dumps(values).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main())
