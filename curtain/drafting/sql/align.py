"""Which words of an answered question stand for which literals of its SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..query.recognise import Found, Reading
from .statements import Clause, Column, Hole, Part, Statement, Sub, map_holes

__all__ = ["Aligned", "align", "unquoted"]


@dataclass
class Aligned:
    """An answered question: its statement with named holes where values of the question stand (`owner` tells which
    found value each is), the roles of its values, and the clauses that no value stands in (`plain`)."""

    statement: Statement
    owner: dict[int, int]
    roles: dict[int, frozenset[str]] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()
    attached: dict[int, tuple[Clause, ...]] = field(default_factory=dict)


def unquoted(literal: str) -> str:
    """A literal as a value."""
    return literal[1:-1].replace("''", "'") if literal.startswith("'") else literal


def align(statement: Statement, reading: Reading) -> Aligned:
    """Finds for each literal the value of the question that it comes from, if any."""
    owner: dict[int, int] = {}
    names: dict[int, str] = {}
    used: set[tuple[int, str]] = set()
    spellings = _spellings(reading.found)
    for column, hole in _places(statement):
        best = _best(column, hole, spellings, used)
        if best is not None:
            owner[hole.index], names[hole.index] = best
            used.add((best[0], column))
    named = map_holes(statement, lambda hole: Hole(hole.index, hole.text, names.get(hole.index, "")))
    aligned = Aligned(named, owner)
    _find_roles(aligned, reading)
    return aligned


def _places(statement: Statement) -> Iterator[tuple[str, Hole]]:
    """Every hole with the column that it is compared with."""
    for parts in (statement.head, *(clause.parts for clause in statement.clauses), statement.tail):
        yield from places_of(parts)


def places_of(parts: Sequence[Part]) -> Iterator[tuple[str, Hole]]:
    """Every hole of these parts with the last column before it."""
    column = ""
    for part in parts:
        if isinstance(part, Column):
            column = f"{part.node.rsplit('=', 1)[-1].split('.')[0].split('#')[0]}.{part.name}"
        elif isinstance(part, Hole):
            yield column, part
        elif isinstance(part, Sub):
            yield from _places(part.statement)


_Spellings = dict[str, list[tuple[int, int, str]]]


def _spellings(found: Sequence[Found]) -> _Spellings:
    """For each text in upper case: which value, with which of its meanings, in which form."""
    spelled: _Spellings = {}
    for number, one in enumerate(found):
        for rank, meaning in enumerate(one.meanings):
            for form, text in meaning.forms.items():
                spelled.setdefault(text.upper(), []).append((number, rank, form))
    return spelled


def _best(column: str, hole: Hole, spellings: _Spellings, used: set[tuple[int, str]]) -> tuple[int, str] | None:
    quoted = hole.text.startswith("'")
    fits = [
        (_trust(column, form, quoted) - 0.1 * rank, (number, column) not in used, -number, form)
        for number, rank, form in spellings.get(unquoted(hole.text).upper(), ())
    ]
    if not fits:
        return None
    score, _, number, form = max(fits)
    return (-number, f"<{form}>") if score > 0 else None


def _trust(column: str, form: str, quoted: bool) -> float:
    """How likely a literal compared with this column is this spelling of a value; 0 if it cannot be."""
    name = column.split(".")[-1]
    if form.startswith("~"):
        return 1.2 if form.endswith(f".{name}") else 0.0
    if form.startswith("%"):
        return 3.0 if form.endswith(f".{name}") else 0.0
    if not form.startswith("#"):
        return 3.0 if form.split(".")[-1] == name else 2.0 if quoted else 1.5
    if not column:
        return 0.0
    what = form[1:].rstrip("0123456789").rstrip("+-")
    shift = 0.0 if what == form[1:] else 0.4 if form[-2:] in ("30", "15") else 0.8
    if what in ("time", "later", "begin", "end"):
        late = 0.3 if what == "later" else 0.0
        return 2.5 - shift - late if "time" in name else 0.0
    if what in ("day", "month", "year"):
        return 2.5 - shift if what in name else 0.0
    if what in ("date", "month_name", "new year", "last of year"):
        return 2.5
    return 0.0 if quoted else 0.3 if "time" in name or "month" in name or "year" in name else 1.0


def _find_roles(aligned: Aligned, reading: Reading) -> None:
    roles: dict[int, set[str]] = {number: set() for number in range(len(reading.found))}
    plain: set[str] = set()
    loose: list[Clause] = []
    said: dict[int, set[str]] = {}
    for clause in aligned.statement.clauses:
        own = list(
            dict.fromkeys(
                aligned.owner[hole.index] for _, hole in places_of(direct(clause)) if hole.index in aligned.owner
            )
        )
        for place, number in enumerate(own):
            roles[number].add(clause.key if len(own) == 1 else f"{clause.key} @{place}")
            said.setdefault(number, set()).update(nodes_in(clause))
        if not own:
            loose.append(clause)
    for clause in loose:
        host = next((number for number, nodes in said.items() if _hangs_on(clause, nodes)), None)
        if host is None:
            plain.add(clause.key)
        else:
            aligned.attached[host] = (*aligned.attached.get(host, ()), clause)
    _inner_roles(aligned, roles)
    aligned.roles = {number: frozenset(names) for number, names in roles.items()}
    aligned.plain = frozenset(plain)
    _share(aligned, reading)


def direct(clause: Clause) -> list[Part]:
    """The parts of a clause without nested SELECTs."""
    return [part for part in clause.parts if not isinstance(part, Sub)]


def nodes_in(clause: Clause) -> set[str]:
    """The nodes that a clause speaks of itself."""
    return {part.node for part in clause.parts if isinstance(part, Column) and not part.up}


def _hangs_on(clause: Clause, nodes: set[str]) -> bool:
    """A constant beside a value on the same node, as the year of a date."""
    own = nodes_in(clause)
    only_literals = any(isinstance(part, Hole) for part in clause.parts) and not any(
        isinstance(p, Sub) for p in clause.parts
    )
    return only_literals and len(own) == 1 and own <= nodes and all(">" in node for node in own)


def _inner_roles(aligned: Aligned, roles: Mapping[int, set[str]]) -> None:
    """A value that stands in nested SELECTs alone has its role there."""
    lonely = {number for number, names in roles.items() if not names}
    for clause in aligned.statement.clauses:
        for part in clause.parts:
            if isinstance(part, Sub):
                for inner in part.statement.clauses:
                    for _, hole in places_of(inner.parts):
                        number = aligned.owner.get(hole.index)
                        if number in lonely:
                            roles[number].add(f"in:{inner.key}")


def _share(aligned: Aligned, reading: Reading) -> None:
    """A value that is said twice has one role."""
    for number, one in enumerate(reading.found):
        if not aligned.roles[number]:
            twin = next(
                (
                    n
                    for n, other in enumerate(reading.found)
                    if n != number and aligned.roles[n] and other.meanings == one.meanings
                ),
                None,
            )
            if twin is not None:
                aligned.roles[number] = aligned.roles[twin]
