"""How well a condition fits what a follow-up says of its values and what the turn before says of its columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..learned.memory import literal
from ..query.ages import AGES, FLIPPED, years_before
from ..query.clock_words import is_year
from ..query.column_words import ADJECTIVES, UNITS, lemma
from ..query.recognise import Found
from ..query.small_words import SILENT
from ..sql.edits import Bounded, bounded, columns_of, compared, denied, outline
from ..sql.ground import node_steps
from ..sql.statements import Clause, Column, table_of
from .heard import Heard
from .turn import FollowUpTurn, nodes_said

__all__ = ["Option", "aged", "has_unit", "is_number", "names_no_other", "naming", "naming_words", "weighed"]

Option = tuple[list[Clause], float, bool]

_ON_THE_WAY = 0.7
_BEFORE = 4
_BEHIND = 2
_OTHER_UNIT = 0.02
_OF_AGE = 0.3
_CLEARLY = 0.6
_CHANGE = (("make", "it"), ("make", "that"), ("change", "it"), ("change", "that"))
# What is said of the time of something is hardly said of the time of something else.
_ELSEWHERE = 0.1
_SIDE = {">": 1, ">=": 1, "<": -1, "<=": -1}
_TEMPORAL = frozenset(["after", "before", "since", "until", "till", "by"])
_OF_BIRTHS = frozenset(["birth", "born", "dob", "age"])
_UNITS_TOO = frozenset(["dollars", "dollar", "people"])


def weighed(
    turn: FollowUpTurn, ones: Sequence[Found], clauses: list[Clause], chance: float, said: Heard, learned: bool
) -> Option:
    """The conditions, denied if the value is, and their chance by all that speaks for them."""
    says = [one for one in map(bounded, clauses) if one]
    denies = any(one.op in ("<>", "NOT LIKE", "NOT IN") for one in says) or any(map(_says_not, clauses))
    plain = says
    if said.denied and not denies and says and not any(one.op in _SIDE for one in says):
        contrary = denied(clauses, turn.before.head, turn.ground.primary)
        clauses, denies = [contrary] if contrary else clauses, contrary is not None
        says = [one for one in map(bounded, clauses) if one]
    chance *= 1.0 if said.denied == denies else 0.1
    chance *= _of_op(says, said, chance) * _of_year(ones, says, said) * _of_day(turn, ones, says, said)
    told = naming(turn, ones, clauses)
    chance *= told * _of_unit(turn, ones, clauses) * _of_years(turn, clauses, said)
    place = _of_place(turn, says or plain)
    if place == 1.0 and told <= 1.0 and _kept_elsewhere(turn, says or plain):
        place = _ELSEWHERE
    return clauses, chance * (1.0 if _names_another(turn, ones, says or plain) else place), learned


def _says_not(clause: Clause) -> bool:
    """Whether a condition says what something is not, or is unknown: “outside Texas”."""
    return bounded(clause) is None and "§ <> ?" in outline(clause)


def _of_day(turn: FollowUpTurn, ones: Sequence[Found], says: Sequence[Bounded], said: Heard) -> float:
    """A mere day is that day, and no end of a time before or after it, unless such an end was said before."""
    if said.op or len(ones) > 1 or ones[0].form("#date") is None:
        return 1.0
    theirs = {(one.column, one.op) for one in map(bounded, turn.before.clauses) if one}
    return _ELSEWHERE if any(one.op in _SIDE and (one.column, one.op) not in theirs for one in says) else 1.0


def _kept_elsewhere(turn: FollowUpTurn, says: Sequence[Bounded]) -> bool:
    """Whether the statement before says of another column when something was: “after noon” of flights that arrive
    before noon is said of their arrival."""
    before = [one for one in map(bounded, turn.before.clauses) if one]
    return any(_when(turn, mine) == _when(turn, other) != "" for mine in says for other in before)


def _when(turn: FollowUpTurn, one: Bounded) -> str:
    """Whether a condition tells a time of day or a date, the number of a year included."""
    kind = turn.ground.kind(table_of(one.column.node), one.column.name)
    return "date" if kind == "number" and all(map(is_year, one.values)) else kind if kind in ("time", "date") else ""


def _of_op(says: Sequence[Bounded], said: Heard, chance: float) -> float:
    """How well a condition compares as the words do."""
    ops = {one.op for one in says}
    if not said.op:
        return 1.0 if not ops & {*_SIDE, "between"} or chance > 0.5 else 0.4
    if said.op in ops:
        return 4.0
    if said.op in _SIDE and any(_SIDE.get(op) == _SIDE[said.op] for op in ops):
        return 1.5
    return 0.05


def _of_year(ones: Sequence[Found], says: Sequence[Bounded], said: Heard) -> float:
    """A year is a range of dates unless words say that it is an end of one."""
    year = len(ones) == 1 and ones[0].form("#new year") is not None
    sided = any(one.op in _SIDE and not one.values[0].isdigit() for one in says)
    return 0.05 if year and sided and not said.op else 1.0


def naming(turn: FollowUpTurn, ones: Sequence[Found], clauses: Iterable[Clause]) -> float:
    """How well the words beside the value name the column of a condition."""
    columns = [column for clause in clauses for column in columns_of(clause.parts) if column.name]
    near = _near(turn, ones)
    scores = [_named(turn, word, column) for column in columns for word in near.values()]
    scores += [_ON_THE_WAY for column in columns if _leads(turn, ones[0].first, column)]
    return 0.5 + 4.0 * max(scores, default=0.0) ** 2


def _of_years(turn: FollowUpTurn, clauses: Iterable[Clause], said: Heard) -> float:
    """An age is compared with a column of ages or births, and with nothing else."""
    columns = [column for clause in clauses for column in columns_of(clause.parts) if column.name]
    return float(not said.aged or _of_age(turn, said) in columns)


def _names_another(turn: FollowUpTurn, ones: Sequence[Found], says: Sequence[Bounded]) -> bool:
    """Whether the words beside a value name another column of what is asked about that such values stand in, and not
    the one of a condition: “born after 1950” of people hired in 1970."""
    columns = {one.column for one in says}
    near = _near(turn, ones).values()
    if any(_named(turn, word, column) for word in near for column in columns):
        return False
    root, kinds = turn.before.root, {turn.ground.kind(table_of(one.node), one.name) for one in columns}
    others = [Column(root, name) for name in turn.ground.tables.get(root, {}) if turn.ground.kind(root, name) in kinds]
    return any(_named(turn, word, column) >= 0.6 for word in near for column in others)


def _of_unit(turn: FollowUpTurn, ones: Sequence[Found], clauses: Iterable[Clause]) -> float:
    """“Under 3 hours” is said of what is asked about, if that has a column of hours, unless words name another."""
    unit = _behind(turn, ones)
    own = [name for name in turn.ground.tables.get(turn.before.root, {}) if turn.ground.by_unit(unit, name)]
    columns = [column for clause in clauses for column in columns_of(clause.parts) if column.name]
    if not own or any(column.node == turn.before.root and column.name in own for column in columns):
        return 1.0
    beside = [word for word in _near(turn, ones).values() if word != unit]
    return 1.0 if any(_named(turn, word, column) >= 0.4 for column in columns for word in beside) else _OTHER_UNIT


def _leads(turn: FollowUpTurn, at: int, column: Column) -> bool:
    """Whether the word before a value is in the name of a column on the way: “to Iona” by `to_island`."""
    word = turn.words[at - 1] if at else ""
    own = {token for mine, _, _ in node_steps(column.node) for token in mine.split("_")}
    return word in ("to", "from") and word in {*own, *column.name.split("_")}


def _named(turn: FollowUpTurn, word: str, column: Column) -> float:
    table = table_of(column.node)
    if column.name not in turn.ground.tables.get(table, {}):
        return 0.0
    unit = 0.8 if turn.ground.by_unit(word, column.name) else 0.0
    return max(turn.ground.named(word, table, column.name), unit)


def _near(turn: FollowUpTurn, ones: Sequence[Found]) -> dict[int, str]:
    """The words beside a value, up to the next value."""
    first, last = ones[0].first, ones[-1].last
    before = range(first - 1, max(-1, first - _BEFORE - 1), -1)
    places = [*_until_value(turn, before), *_until_value(turn, range(last, min(len(turn.words), last + _BEHIND)))]
    return {at: turn.words[at] for at in places if turn.words[at] not in SILENT or turn.words[at] in _UNITS_TOO}


def _until_value(turn: FollowUpTurn, places: Iterable[int]) -> Iterator[int]:
    for at in places:
        if not turn.free(at):
            return
        yield at


def naming_words(turn: FollowUpTurn, ones: Sequence[Found], clauses: Iterable[Clause]) -> frozenset[int]:
    """The words beside the value that name the columns of conditions."""
    columns = [column for clause in clauses for column in columns_of(clause.parts) if column.name]
    near = _near(turn, ones)
    return frozenset(at for at, word in near.items() if any(_named(turn, word, column) >= 0.4 for column in columns))


def _of_place(turn: FollowUpTurn, says: Sequence[Bounded]) -> float:
    """Whether the statement before says something of the same column, or of the same thing."""
    theirs = [one for one in map(bounded, turn.before.clauses) if one]
    of_either = {column for clause in turn.before.clauses for column in _either_way(clause)}
    factor = 4.0 if any(mine.column in of_either for mine in says) else 1.0
    for mine in says:
        for other in theirs:
            if mine.column == other.column:
                changed = other.op in _SIDE and mine.op == "="
                alike = mine.op in _SIDE and _SIDE[mine.op] == _SIDE.get(other.op)
                factor = max(factor, 8.0 if alike else 1.5 if changed else 4.0)
            elif turn.ground.identifies(mine.column) and turn.ground.identifies(other.column):
                same = turn.ground.entity(mine.column.node) == turn.ground.entity(other.column.node)
                factor = max(factor, 3.0 if same else 1.0)
    return factor


def _either_way(clause: Clause) -> list[Column]:
    """The one column of which a condition says two things, one of which holds; none of any other condition."""
    own = columns_of(clause.parts)
    return own if len(own) == 1 and " OR " in outline(clause) else []


def aged(turn: FollowUpTurn, ones: Sequence[Found], said: Heard) -> Iterator[Option]:
    """“Older than 50”, “under 30”, “between 30 and 40” of people: born so many years before the day of the database."""
    said = said if said.aged else _as_an_age(turn, ones, said)
    column = _of_age(turn, said)
    if column is None or turn.ground.kind(table_of(column.node), column.name) != "date":
        return
    clauses = [
        compared(column, op, literal(day.isoformat(), "'"), "date")
        for op, years in _births(ones, said)
        if (day := years_before(turn.ground.as_of, years))
    ]
    if len(clauses) == len(ones):
        yield clauses, _OF_AGE * _of_place(turn, [one for one in map(bounded, clauses) if one]), False


def _births(ones: Sequence[Found], said: Heard) -> list[tuple[str, float]]:
    """How the day of a birth is compared with that of so many years ago; who is 40 was born less than 41 years ago."""
    years = [float(one.form("#number") or 0) for one in ones]
    return [("<=", years[0]), (">", years[1] + 1)] if len(years) == 2 else [(FLIPPED[said.op], years[0])]


def _as_an_age(turn: FollowUpTurn, ones: Sequence[Found], said: Heard) -> Heard:
    """The same as an age, if numbers of years that a person may have are compared, nothing says of what, and what is
    asked about was born."""
    texts = [one.form("#number") or "" for one in ones]
    may_be = all(one.kind == "number" for one in ones) and all(it.isdigit() and int(it) in AGES for it in texts)
    before = [one for one in map(bounded, turn.before.clauses) if one]
    sided = any(one.op in _SIDE and is_number(one.values[0]) for one in before)
    compares = said.op in FLIPPED or (said.op == "between" and not said.denied)
    told = turn.ground.measured([turn.before.root], "old")
    if not (may_be and compares) or sided or told is None or _OF_BIRTHS.isdisjoint(told[1].split("_")):
        return said
    if not _TEMPORAL.isdisjoint(turn.words[at] for at in said.words):
        return said
    beside = [word for word in _near(turn, ones).values() if lemma(word) not in ("year", "old")]
    no_age = has_unit(turn, ones) and lemma(_behind(turn, ones)) != "year"
    named = turn.ground.named_at_all(beside, turn.before.root)
    return said if named or no_age else replace(said, aged="old")


def has_unit(turn: FollowUpTurn, ones: Sequence[Found]) -> bool:
    """Whether the word behind a value is a unit."""
    return _behind(turn, ones) in UNITS


def _behind(turn: FollowUpTurn, ones: Sequence[Found]) -> str:
    """The word behind a value; "" at the end."""
    return turn.words[ones[-1].last] if ones[-1].last < len(turn.words) else ""


def is_number(text: str) -> bool:
    """Whether a literal is a number."""
    return text.replace(".", "", 1).isdigit()


def names_no_other(turn: FollowUpTurn, ones: Sequence[Found], column: Column) -> bool:
    """Whether no word beside a value names another column of what is asked about than this one."""
    words = list(_near(turn, ones).values()) if turn.words[:2] not in _CHANGE else []
    return any(_named(turn, word, column) >= _CLEARLY for word in words) or not turn.ground.named_at_all(
        words, turn.before.root
    )


def _of_age(turn: FollowUpTurn, said: Heard) -> Column | None:
    """The column of an age or a birth, of what is asked about or of what is said of it already; else its only date."""
    if not said.aged or (said.op not in FLIPPED and said.op != "between"):
        return None
    nodes = {table_of(node): node for node in [*sorted(nodes_said(turn)), turn.before.root]}
    tables = [turn.before.root, *nodes]
    found = turn.ground.measured(tables, said.aged)
    own = turn.ground.tables.get(turn.before.root, {})
    dates = [name for name in own if turn.ground.kind(turn.before.root, name) == "date"]
    if found is None:
        return Column(turn.before.root, dates[0]) if len(dates) == 1 else None
    table, name, sign = found
    # The number of a year says the contrary of an age.
    is_year = turn.ground.kind(table, name) != "date" and sign != ADJECTIVES[said.aged].stems[0][1]
    return None if is_year else Column(nodes[table], name)
