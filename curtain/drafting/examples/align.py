"""Which words of an answered question stand for which literals of its SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..algebra import query as algebra
from ..language.recognise import Reading

Role = frozenset[str]


@dataclass
class Aligned:
    """An answered question: its query with a form at each literal that is a value of the question (`owner` says which
    value), what each value does (its role: the conditions it stands in), the conditions without a value (`plain`), and
    constants that stand beside a value on one node, as the year of a date (`attached`)."""

    query: algebra.Statement
    owner: dict[int, int]
    roles: dict[int, Role] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()
    attached: dict[int, tuple[algebra.Arg, ...]] = field(default_factory=dict)


def align(query: algebra.Statement, reading: Reading) -> Aligned:
    """Finds for each literal the value of the question that it comes from, if any."""
    # For each text in upper case: which value, with which of its meanings, in which form.
    spelled: dict[str, list[tuple[int, int, str]]] = {}
    for number, one in enumerate(reading.found):
        for rank, meaning in enumerate(one.meanings):
            for form, text in meaning.forms.items():
                spelled.setdefault(text.upper(), []).append((number, rank, form))
    owner: dict[int, int] = {}
    forms: dict[int, str] = {}
    used: set[tuple[int, str]] = set()
    for column, literal in algebra.literals_of(query):
        fits = (
            (_trust(column, form, literal.is_text) - 0.1 * rank, (number, column) not in used, -number, form)
            for number, rank, form in spelled.get(literal.text.upper(), ())
        )
        score, _, number, form = max(fits, default=(0.0, False, 0, ""))
        if score > 0:
            owner[literal.index], forms[literal.index] = -number, form
            used.add((-number, column))

    def named(literal: algebra.Constant) -> algebra.Constant:
        return replace(literal, form=forms.get(literal.index, ""))

    aligned = Aligned(algebra.map_query(query, algebra.Constant, named), owner)
    _find_roles(aligned, reading)
    return aligned


def _trust(column: str, form: str, is_text: bool) -> float:
    """How likely a literal compared with this column is this spelling of a value; 0 if it cannot be."""
    name = column.split(".")[-1]
    if form.startswith("%"):
        return 3.0 if form.endswith(f".{name}") else 0.0
    if not form.startswith("#"):
        return 3.0 if form.split(".")[-1] == name else 2.0 if is_text else 1.5
    if not column:
        return 0.5 if form == "#number" else 0.0
    what = form[1:].rstrip("0123456789").rstrip("+-")
    shift = 0.0 if what == form[1:] else 0.4 if form[-2:] in ("30", "15") else 0.8
    if what in ("time", "later", "begin", "end"):
        return 2.5 - shift - (0.3 if what == "later" else 0.0) if "time" in name else 0.0
    if what in ("day", "month", "year"):
        return 2.5 - shift if what in name else 0.0
    if what in ("date", "month_name", "new year", "last of year", "clock"):
        return 2.5
    return 0.0 if is_text else 0.3 if any(part in name for part in ("time", "month", "year")) else 1.0


def owners(condition: algebra.Arg, owner: Mapping[int, int]) -> list[int]:
    """The values in a condition itself, those in nested queries left out."""
    own = (owner[one.index] for _, one in algebra.held(condition, nested=False) if one.index in owner)
    return list(dict.fromkeys(own))


def _find_roles(aligned: Aligned, reading: Reading) -> None:
    roles: dict[int, set[str]] = {number: set() for number in range(len(reading.found))}
    nodes: dict[int, set[str]] = {}
    owned = [(one, owners(one, aligned.owner)) for one in aligned.query.where]
    for one, own in owned:
        key = algebra.key_of(one)
        for place, number in enumerate(own):
            roles[number].add(key if len(own) == 1 else f"{key} @{place}")
            nodes.setdefault(number, set()).update(algebra.nodes_in(one))
    plain: set[str] = set()
    for one in (one for one, own in owned if not own):
        host = next((number for number, theirs in nodes.items() if _hangs_on(one, theirs)), None)
        if host is None:
            plain.add(algebra.key_of(one))
        else:
            aligned.attached[host] = (*aligned.attached.get(host, ()), one)
    _inner_roles(aligned, roles)
    for number, found in enumerate(reading.found):
        # A value that is said twice has one role.
        twins = (n for n, other in enumerate(reading.found) if other.meanings == found.meanings and roles[n])
        aligned.roles[number] = frozenset(roles[number] or roles[next(twins, number)])
    aligned.plain = frozenset(plain)


def _hangs_on(one: algebra.Arg, nodes: set[str]) -> bool:
    """A constant beside a value on the same node, as the year of a date."""
    own = algebra.nodes_in(one)
    constant = any(True for _ in algebra.held(one, nested=False)) and not algebra.has_query(one)
    return constant and len(own) == 1 and own <= nodes and all(">" in node for node in own)


def inner_queries(arg: algebra.Arg) -> Iterator[algebra.Statement]:
    """The queries nested directly in an expression."""
    return (part.query for part in algebra.inside(arg) if isinstance(part, algebra.Nested))


def _inner_roles(aligned: Aligned, roles: Mapping[int, set[str]]) -> None:
    """A value that stands in nested queries or in HAVING alone has its role there."""
    lonely = {number for number, names in roles.items() if not names}
    inner = [one for outer in aligned.query.where for query in inner_queries(outer) for one in query.where]
    for place, conditions in (("in", inner), ("having", aligned.query.having)):
        for one in conditions:
            for number in owners(one, aligned.owner):
                if number in lonely:
                    roles[number].add(f"{place}:{algebra.key_of(one)}")
