"""Times of day in columns of the type TIME: here 900 as everywhere, in SQL '09:00'."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from .statements import Clause, Column, Part, Statement, Sub, table_of

__all__ = ["as_numbers", "clocks_of", "on_the_clock"]

_TIME = re.compile(r"'(\d{1,2}):(\d\d)(?::00)?'")
_BETWEEN = re.compile(r"( AS TIME\))? ?(=|<>|<=?|>=?|(NOT )?BETWEEN|(NOT )?IN \(|,|AND|) ?(CAST\()?")
_OPENS, _CLOSES = "CAST(", " AS TIME)"
_END_OF_DAY = 2400


def clocks_of(tables: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    """The columns, as `table.column`, that are declared as TIME; those of whole dates are none."""
    every = ((f"{table}.{column}", kind.upper()) for table, own in tables.items() for column, kind in own.items())
    return frozenset(name for name, kind in every if kind.startswith("TIME") and not kind.startswith("TIMESTAMP"))


def as_numbers(statement: Statement, clocks: Collection[str]) -> Statement:
    """The statement with what such columns are compared with as hours and minutes in one number."""
    return _changed(statement, clocks, _number)


def on_the_clock(statement: Statement, clocks: Collection[str]) -> Statement:
    """The statement with numbers that such columns are compared with as SQL wants them."""
    return _changed(statement, clocks, _clock)


def _number(text: str) -> str | None:
    time = _TIME.fullmatch(text)
    return str(int(time[1]) * 100 + int(time[2])) if time else None


def _clock(text: str) -> str | None:
    if not text.isdigit() or int(text) > _END_OF_DAY or int(text) % 100 > 59:
        return None
    return f"'{int(text) // 100:02d}:{int(text) % 100:02d}'"


def _changed(statement: Statement, clocks: Collection[str], change: Callable[[str], str | None]) -> Statement:
    clauses = (Clause(_parts(one.parts, clocks, change)) for one in statement.clauses)
    return replace(statement, clauses=tuple(clauses))


def _parts(parts: Sequence[Part], clocks: Collection[str], change: Callable[[str], str | None]) -> tuple[Part, ...]:
    out: list[Part] = []
    column = ""
    in_cast = False
    for part in parts:
        if isinstance(part, str):
            column = column if _BETWEEN.fullmatch(part) else ""
            part, in_cast = part.removeprefix(_CLOSES) if in_cast else part, False
        elif isinstance(part, Column):
            column = f"{table_of(part.node)}.{part.name}"
        elif isinstance(part, Sub):
            part = Sub(_changed(part.statement, clocks, change))
        elif column in clocks and (text := change(part.text)) is not None:
            part = replace(part, text=text)
            in_cast = _taken_off(out)
        out.append(part)
    return tuple(part for part in out if part != "")


def _taken_off(out: list[Part]) -> bool:
    """Takes the begin of a cast off the end of these parts, if there is one."""
    last = out[-1] if out else None
    if not isinstance(last, str) or not last.endswith(_OPENS):
        return False
    out[-1] = last.removesuffix(_OPENS)
    return True
