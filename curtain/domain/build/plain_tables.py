"""What every kind of source has in common: plain names, columns that people can be shown, and what to tell of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import duckdb

from curtain.base.errors import CurtainError
from curtain.base.sql_names import keywords, quoted
from curtain.domain.cells import base_type, refusal

from ..pack.keys import ForeignKey

Tell = Callable[[str, float], None]


class SourceFault(CurtainError):
    """A database that cannot be read; names the file and what to do."""


@dataclass
class Brought:
    """What came over: the keys that the source declares, and what was left out or changed, in plain sentences."""

    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    references: list[ForeignKey] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def plain_name(name: str, taken: Iterable[str] = ()) -> str:
    """A name that needs no quotes and is not taken yet: lower case letters, digits and underscores.

    Latin letters lose their accents; letters of other scripts stay.
    """
    base = re.sub(r"\W+", "_", _without_accents(name.strip().lower())).strip("_") or "column"
    # SQL names do not begin with a digit.
    base = f"c_{base}" if base[0].isdigit() else base
    base = f"{base}_" if base in keywords("reserved", "type_function") else base
    used = set(taken)
    numbered = (f"{base}_{number}" for number in range(2, len(used) + 3))
    return next(found for found in (base, *numbered) if found not in used)


def plain_names(names: Sequence[str]) -> list[str]:
    """A plain name for each, all different."""
    plain: list[str] = []
    for name in names:
        plain.append(plain_name(name, plain))
    return plain


def copy_table(into: duckdb.DuckDBPyConnection, name: str, query: str, brought: Brought) -> None:
    """One table with plain names and with types that people can be shown."""
    described = into.execute(f"DESCRIBE {query}").fetchall()
    shown: list[str] = []
    taken: list[str] = []
    for column, kind, *_ in described:
        as_shown, note = _numbers(into, str(column), query) if kind == "VARCHAR" else ("", "")
        if not as_shown:
            as_shown, note = _shown(str(column), str(kind))
        if note:
            brought.notes.append(f"{name}.{column} {note}.")
        if as_shown:
            taken.append(plain_name(str(column), taken))
            shown.append(f"{as_shown} AS {quoted(taken[-1])}")
    if not shown:
        brought.notes.append(f"The table {name} has no column that can be shown and was left out.")
        return
    into.execute(f"CREATE TABLE {quoted(name)} AS SELECT {', '.join(shown)} FROM ({query}) AS rows")
    if not into.execute(f"SELECT 1 FROM {quoted(name)} LIMIT 1").fetchall():
        into.execute(f"DROP TABLE {quoted(name)}")
        brought.notes.append(f"The table {name} has no rows and was left out.")


def views_left_out(views: Sequence[str]) -> Iterator[str]:
    """One sentence about each view."""
    yield from (f"The view {view} was left out: a pack holds tables." for view in views)


def first_sentence(error: Exception) -> str:
    """What somebody else's error says first, without the statement that it shows."""
    text = " ".join(str(error).split("\nLINE 1:")[0].split()) or type(error).__name__
    return re.split(r"(?<=\w)\. |\n", text)[0].rstrip(".") + "."


def _numbers(into: duckdb.DuckDBPyConnection, column: str, query: str) -> tuple[str, str]:
    """How a column of texts is read if all of them are numbers such as “12,50” or “1,200.50”; nothing if it holds
    other texts."""
    name = f"rows.{quoted(column)}"
    forms = {
        r"-?\d{1,3}(,\d{3})+(\.\d+)?|-?\d+\.\d+": ("','", "''"),
        r"-?\d+(,\d{1,2})?|-?\d{1,3}(\.\d{3})+(,\d{1,2})?": ("'.'", "''"),
    }
    for form, (gone, nothing) in forms.items():
        counted = into.execute(
            f"SELECT count({name}), count(*) FILTER (WHERE regexp_full_match(trim({name}), '{form}')), "
            f"count(*) FILTER (WHERE contains({name}, ',')) FROM ({query}) AS rows"
        ).fetchone()
        if counted and counted[0] == counted[1] and counted[2]:
            plain = f"replace(trim({name}), {gone}, {nothing})"
            return f"CAST(replace({plain}, ',', '.') AS DOUBLE)", "holds numbers with commas; they are kept as numbers"
    return "", ""


def _shown(column: str, kind: str) -> tuple[str, str]:
    """How a column is read, and what that changes, as the end of a sentence; nothing if it cannot be shown."""
    name = f"rows.{quoted(column)}"
    base = base_type(kind)
    if base == "BLOB":
        return "", "holds bytes and was left out"
    if base.endswith("WITH TIME ZONE"):
        return f"CAST({name} AS TIMESTAMP)", "had a time zone; it is kept as UTC"
    if base in ("ENUM", "UUID") or '"NULL"' in base or base == "NULL":
        return f"CAST({name} AS VARCHAR)", ""
    if base == "FLOAT":
        return f"CAST({name} AS DOUBLE)", ""
    if refusal(kind):
        return f"CAST({name} AS VARCHAR)", "holds lists, rows or lengths of time; it is kept as text"
    return name, ""


def _without_accents(text: str) -> str:
    # No accent in Unicode, so it does not come apart.
    return "".join(map(_bare, text.replace("ß", "ss")))


def _bare(letter: str) -> str:
    """`ö` as `o`; an accent of another script belongs to its letter."""
    parts = unicodedata.normalize("NFKD", letter)
    return parts[0] if parts[0].isascii() else letter
