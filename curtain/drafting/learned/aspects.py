"""What labels have in common: a condition is a column, a comparison and a way to the table, and each is learned for all
conditions that share it. So “after” is understood of arrivals although only departures were asked about so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

__all__ = ["of_head", "of_role"]

Aspect = tuple[str, ...]

_PLACE = re.compile(r" @\d+$")
_COLUMN = re.compile(r"\^*[A-Za-z_][\w>=.#]*\.\w+$")


def of_role(role: frozenset[str]) -> list[Aspect]:
    """The aspects of what a value does: the role itself, and columns, comparisons and tables of its clauses."""
    names = sorted(role)
    return _unique([("role", *names), *(one for name in names for one in _of_text(_PLACE.sub("", name)))])


def of_head(head: str) -> list[Aspect]:
    """The aspects of what a statement asks for: root, columns, and what is done with them."""
    root, _, rest = head.partition("|")
    return _unique([("head", head), ("root", root), *_of_text(rest.replace("|", " "))])


def _of_text(text: str) -> Iterator[Aspect]:
    words = re.findall(r"[^\s(),]+|[(),]", text.removeprefix("in:"))
    columns = [word for word in words if _COLUMN.match(word)]
    yield ("form", *("_" if _COLUMN.match(word) else word for word in words))
    for column in columns:
        yield "column", column
        yield "name", _short(column)


def _short(column: str) -> str:
    """Table and column, whatever the way to it."""
    node, _, name = column.rpartition(".")
    step = node.rsplit(">", 1)[-1].split("#")[0]
    return f"{step.split('=', 1)[-1].split('.')[0]}.{name}"


def _unique(aspects: Iterable[Aspect]) -> list[Aspect]:
    return list(dict.fromkeys(aspects))
