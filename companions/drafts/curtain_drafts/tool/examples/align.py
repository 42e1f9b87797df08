"""Which words of an answered question stand for which literals of its SQL."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..algebra import query as algebra
from ..language.recognise import Found, Reading

Role = frozenset[str]
"""What a value does: the names of the conditions it stands in (see `conditions_of`); where these hold several values,
each with its number there, as `key @0`."""


@dataclass(frozen=True)
class Slot:
    """A value that a statement needs: its role, and the form in which it is written in each literal, by index."""

    role: Role
    forms: Mapping[int, str]

    def fits(self, value: Found) -> bool:
        """Whether a value can be written in all these forms."""
        return all(value.form(form) is not None for form in self.forms.values())


@dataclass(frozen=True)
class Aligned:
    """An answered question: its query with a form at each literal that is a value of the question (`slots`), what each
    value does, and the keys of the conditions without a value (`plain`)."""

    query: algebra.Statement
    slots: tuple[Slot, ...]
    roles: Mapping[int, Role]
    plain: frozenset[str]


def align(query: algebra.Statement, reading: Reading) -> Aligned:
    """Finds for each literal the value of the question that it comes from, if any."""
    owner, forms = _owners(query, reading.found)
    query = algebra.map_query(query, algebra.Constant, lambda one: replace(one, form=forms.get(one.index, "")))
    roles = _roles(query, owner, reading.found)
    return Aligned(
        query,
        tuple(
            Slot(roles[number], {index: forms[index] for index, own in owner.items() if own == number})
            for number in dict.fromkeys(owner.values())
        ),
        roles,
        frozenset(algebra.key_of(one) for one in query.where if not holes_of(one)),
    )


def _owners(query: algebra.Statement, found: Sequence[Found]) -> tuple[dict[int, int], dict[int, str]]:
    """The number of the value that each literal comes from, and in which of its forms, by the indices of literals."""
    # For each text in upper case: which value, with which of its meanings, in which form.
    spelled: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for number, value in enumerate(found):
        for rank, meaning in enumerate(value.meanings):
            for form, text in meaning.forms.items():
                spelled[text.upper()].append((number, rank, form))
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
    return owner, forms


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


def _roles(query: algebra.Statement, owner: Mapping[int, int], found: Sequence[Found]) -> dict[int, Role]:
    """What each value does; one that is in nested queries or in HAVING alone does it there."""
    names: dict[tuple[bool, int], set[str]] = defaultdict(set)
    for place, one in conditions_of(query, depth=1):
        own = [owner[hole.index] for hole in holes_of(one)]
        for at, number in enumerate(own):
            mark = f" @{at}" if len(set(own)) > 1 and not place else ""
            names[not place, number].add(f"{place}{algebra.key_of(one)}{mark}")
    roles = [frozenset(names[True, number] or names[False, number]) for number in range(len(found))]
    # A value that is said twice has one role.
    known = [(one.meanings, role) for one, role in zip(found, roles, strict=True) if role]
    twins = [next((role for meant, role in known if meant == one.meanings), Role()) for one in found]
    return {number: role or twins[number] for number, role in enumerate(roles)}


def conditions_of(query: algebra.Statement, place: str = "", depth: int = 9) -> Iterator[tuple[str, algebra.Arg]]:
    """The conditions of a query, then those of HAVING and of queries nested in it so deep. The name of each is its key
    behind the place where it stands: `having:`, `in:` a nested query, or nothing."""
    yield from ((place, one) for one in query.where)
    yield from (("having:", one) for one in query.having)
    for part in algebra.inside(query.where):
        if isinstance(part, algebra.Nested) and depth:
            yield from conditions_of(part.query, "in:", depth - 1)


def key_in(name: str) -> str:
    """The key of the condition of WHERE that a role names; empty where it names another."""
    return "" if name.startswith(("having:", "in:")) else name.rsplit(" @", 1)[0]


def holes_of(condition: algebra.Arg) -> list[algebra.Constant]:
    """The literals of a condition that are values of a question, those in nested queries left out."""
    return [hole for _, hole in algebra.held(condition, nested=False) if hole.form]
