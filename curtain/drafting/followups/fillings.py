"""What a value of a follow-up may do to the statement before: conditions, each with how likely it is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..learned.memory import Role, literal
from ..query.clock_words import shifted
from ..query.comparisons import CONTRARY
from ..query.recognise import Found
from ..sql.align import places_of
from ..sql.edits import bounded, columns_of, compared, named, within
from ..sql.periods import past_midnight, with_ends
from ..sql.statements import Clause, Column, Hole, Statement, literals_of, map_clause, table_of
from ..sql.unjoined import narrows_nothing
from .heard import Heard, heard_of
from .spans import spans
from .turn import FollowUpTurn, near_columns, nodes_said, rooted
from .weighing import Option, aged, has_unit, is_number, names_no_other, naming, naming_words, weighed
from .widened import asks_for_more

__all__ = ["Filling", "fillings"]

_MOST = 4
_UNSEEN = 0.02
_FARTHER = 0.3
_AGAIN = 0.9
_EXACTLY = frozenset(["exactly", "precisely", "equal"])
# Where a value takes the place of another, or is an age, it hardly does anything else.
_OTHERWISE = 0.1


@dataclass(frozen=True)
class Filling:
    """Conditions that values make, how likely, the words that speak for it, and whether an example shows it."""

    clauses: tuple[Clause, ...]
    chance: float
    words: frozenset[int]
    learned: bool


_NONE = Filling((), 0.0, frozenset(), False)


def fillings(turn: FollowUpTurn, group: Sequence[int], roles: Mapping[Role, float]) -> list[Filling]:
    """What the values of a group may do, likeliest first; what does nothing has no conditions."""
    ones = [turn.reading.found[number] for number in group]
    said = heard_of(turn, ones)
    found: dict[str, Filling] = {}
    for clauses, chance, learned in _every(turn, ones, roles, said):
        name = "&".join(sorted(map(named, clauses)))
        if clauses and chance > found.get(name, _NONE).chance:
            found[name] = Filling(tuple(clauses), chance, said.words | naming_words(turn, ones, clauses), learned)
    every = [*found.values(), _idle(turn, ones, roles)]
    total = sum(one.chance for one in every) or 1.0
    best = sorted(every, key=lambda one: -one.chance)[:_MOST]
    return [replace(one, chance=one.chance / total) for one in best]


def _idle(turn: FollowUpTurn, ones: Sequence[Found], roles: Mapping[Role, float]) -> Filling:
    """That the values do nothing. Small numbers often are mere words, and what examples show to be none."""
    nothing = roles.get(frozenset(), 0.0)
    one = ones[0]
    return Filling((), 0.5 * nothing if one.weak else 0.005 + 0.005 * nothing, frozenset(), True)


def _every(turn: FollowUpTurn, ones: Sequence[Found], roles: Mapping[Role, float], said: Heard) -> Iterator[Option]:
    better = [*_again(turn, ones, said), *_in_another_year(turn, ones, said)]
    better += [*_instead(turn, ones, said), *aged(turn, ones, said)]
    yield from better
    share = _OTHERWISE if better else 1.0
    for clauses, chance, learned in _usually(turn, ones, roles, said):
        idle = narrows_nothing(clauses, nodes_said(turn))
        if not (idle or (turn.narrowing and any(_of_others(turn, clause) for clause in clauses))):
            yield clauses, chance * share, learned


def _again(turn: FollowUpTurn, ones: Sequence[Found], said: Heard) -> Iterator[Option]:
    """“What about 45” after department 44: a mere number or time takes the place of one."""
    if len(ones) > 1 or ones[0].kind not in ("number", "time") or said.op or has_unit(turn, ones):
        return
    exactly = not _EXACTLY.isdisjoint(turn.words)
    more = asks_for_more(turn.words)
    for clause in turn.before.clauses:
        held, own = [*literals_of(clause.parts)], columns_of(clause.parts)
        if len(own) != 1 or not held or not all(is_number(hole.text) for hole in held):
            continue
        text = _in_its_place(turn, ones[0], own[0], held[0].text)
        one = bounded(clause)
        if text is None or not names_no_other(turn, ones, own[0]):
            continue
        just = said.denied or turn.words[ones[0].first - 1 : ones[0].first] == ("at",)
        if one is not None and (exactly or one.op in ("in", "between") or (just and one.op in CONTRARY)):
            made = compared(own[0], "=", text)
        elif len(held) == 1:
            made = map_clause(clause, lambda hole, text=text: replace(hole, text=text))  # type: ignore[misc]
        else:
            continue
        # More than 50,000 or more than 60,000 is no wider.
        if not (more and one is not None and one.op in CONTRARY and not exactly):
            yield weighed(turn, ones, [made], _AGAIN, said, True)


def _in_another_year(turn: FollowUpTurn, ones: Sequence[Found], said: Heard) -> Iterator[Option]:
    """“What about 1980” of those hired after 1985: the same day of another year."""
    year = ones[0].form("#number") if ones[0].form("#new year") else None
    mere = len(ones) == 1 and not said.op and not said.denied
    if year is None or not mere or turn.words[ones[0].first - 1 : ones[0].first] not in (("about",), ("with",), ()):
        return
    told = [(clause, one) for clause in turn.before.clauses if (one := bounded(clause)) and _is_date(turn, one.column)]
    for clause, one in told if len(told) == 1 else ():
        # Of “from the first of January 1986” it is not known whether it was said as “after 1985”.
        if one.op in ("<", ">") and names_no_other(turn, ones, one.column):
            text = f"'{year}{one.values[0][4:]}'"
            made = map_clause(clause, lambda hole, text=text: replace(hole, text=text))  # type: ignore[misc]
            yield weighed(turn, ones, [made], _AGAIN, replace(said, op=one.op), True)


def _is_date(turn: FollowUpTurn, column: Column) -> bool:
    return turn.ground.kind(table_of(column.node), column.name) == "date"


def _instead(turn: FollowUpTurn, ones: Sequence[Found], said: Heard) -> Iterator[Option]:
    """“After noon” of flights that arrive before noon is said of their arrival, the one time that is told; likewise of
    dates."""
    if len(ones) > 1 or ones[0].kind not in ("time", "date") or not said.op:
        return
    every = (one.column for one in map(bounded, turn.before.clauses) if one)
    kinds = {column: turn.ground.kind(table_of(column.node), column.name) for column in every}
    told = [column for column, kind in kinds.items() if kind == ones[0].kind]
    text = _text(ones[0], told[0], ones[0].kind, said.op) if len(told) == 1 else None
    if text is not None and names_no_other(turn, ones, told[0]):
        yield weighed(turn, ones, [_comparison(told[0], said.op, [text], ones[0].kind)], _AGAIN, said, True)


def _in_its_place(turn: FollowUpTurn, one: Found, column: Column, old: str) -> str | None:
    """The literal for a column in the place of another; an hour in the half of the day in which that was."""
    number, time = one.form("#number"), one.form("#time")
    if turn.ground.kind(table_of(column.node), column.name) != "time":
        return number
    hhmm = time or (f"{int(number)}00" if number and number.isdigit() and 0 < int(number) <= 24 else None)
    if hhmm is None:
        return None
    # A time has been put in its half already; a mere number has none.
    is_open = time is None and int(hhmm) < 1200 <= int(float(old))
    return str(shifted(int(hhmm), 12 * 60)) if is_open else hhmm


def _usually(turn: FollowUpTurn, ones: Sequence[Found], roles: Mapping[Role, float], said: Heard) -> Iterator[Option]:
    if len(ones) == 1:
        for clauses, chance in _learned(turn, ones[0], roles):
            yield weighed(turn, ones, clauses, chance, said, True)
        for clauses, chance in _in_place(turn, ones[0]):
            yield weighed(turn, ones, clauses, chance, said, True)
    for clause, chance in _compared(turn, ones, roles, said):
        yield weighed(turn, ones, [clause], chance, said, False)


def _learned(turn: FollowUpTurn, one: Found, roles: Mapping[Role, float]) -> Iterator[tuple[list[Clause], float]]:
    """The conditions that answered questions make of such a value, at home in the statement before."""
    for role in {*roles, *turn.memory.besides}:
        chance = roles.get(role, 0.0) + _UNSEEN / 4
        if role and not any(name.startswith("in:") for name in role):
            clauses = _filled(turn, role, one)
            at_home = [rooted(clause, turn) for clause in clauses or ()]
            if at_home and all(at_home):
                often = _how_often(turn, role)
                yield [clause for clause in at_home if clause], chance * often * _home(clauses or [], turn)


def _how_often(turn: FollowUpTurn, role: Role) -> float:
    """Of roles that differ little, the usual one: from 0.4 for one that was seen once."""
    times = max((turn.memory.clause_times[name.rsplit(" @", 1)[0]] for name in role), default=0)
    return min(1.0, 0.4 + 0.1 * times)


def _home(clauses: Iterable[Clause], turn: FollowUpTurn) -> float:
    roots = {column.node.split(">")[0] for clause in clauses for column in columns_of(clause.parts)}
    return 1.0 if roots <= {turn.before.root} else 0.4


def _filled(turn: FollowUpTurn, role: Role, one: Found) -> list[Clause] | None:
    """The conditions of a role with this value; None if it cannot fill them alone."""
    clauses = []
    for name in sorted(role):
        clause = turn.memory.clauses.get(name)
        holes = [hole for hole in literals_of(clause.parts) if hole.name] if clause else []
        if clause is None or any(one.form(hole.name[1:-1]) is None for hole in holes):
            return None
        spanning = _spanning(_ended(clause, turn.included), one)
        clauses.append(map_clause(spanning, lambda hole: _put(hole, one)))
    return [*clauses, *turn.memory.beside(role)] if clauses else None


def _ended(clause: Clause, included: bool | None) -> Clause:
    return clause if included is None else with_ends(Statement("", (), (clause,)), included).clauses[0]


def _spanning(clause: Clause, one: Found) -> Clause:
    """The condition over midnight if it is for a period and the value is one like that."""

    def text_of(hole: Hole) -> str | None:
        return one.form(hole.name[1:-1]) if hole.name else None

    return past_midnight(Statement("", (), (clause,)), text_of).clauses[0]


def _put(hole: Hole, one: Found) -> Hole:
    value = one.form(hole.name[1:-1]) if hole.name else None
    return Hole(hole.index, hole.text if value is None else literal(value, hole.text))


def _in_place(turn: FollowUpTurn, one: Found) -> Iterator[tuple[list[Clause], float]]:
    """The conditions before, with this value instead of one beside a column that it has, too."""
    forms = {
        form.split(".")[-1]: text
        for meaning in one.meanings[:1]
        for form, text in meaning.forms.items()
        if "#" not in form and not form.startswith(("%", "~"))
    }
    every = [column.split(".")[-1] for clause in turn.before.clauses for column, _ in places_of(clause.parts)]
    for clause in turn.before.clauses:
        beside = [(column.split(".")[-1], hole) for column, hole in places_of(clause.parts)]
        texts = {hole.text for name, hole in beside if name in forms}
        alone = sum(every.count(name) for name in forms) == 1
        if len(texts) == 1 and (bounded(clause) is None or alone):
            at = {hole.index: name for name, hole in beside}
            yield [map_clause(clause, partial(_swapped, at=at, forms=forms, texts=texts))], 0.3


def _of_others(turn: FollowUpTurn, clause: Clause) -> bool:
    """Whether a condition is one of other rows of the same table: of the bosses of those of whom “them” is said."""
    root = turn.before.root
    return any(column.node != root and table_of(column.node) == root for column in columns_of(clause.parts))


def _swapped(hole: Hole, at: Mapping[int, str], forms: Mapping[str, str], texts: set[str]) -> Hole:
    name = at.get(hole.index, "")
    return replace(hole, text=literal(forms[name], hole.text)) if hole.text in texts and name in forms else hole


def _compared(
    turn: FollowUpTurn, ones: Sequence[Found], roles: Mapping[Role, float], said: Heard
) -> Iterator[tuple[Clause, float]]:
    """Comparisons with columns that such values are compared with, and with those that the words name."""
    known = _columns_of_roles(turn, roles)
    yield from spans(turn, ones, said.op, known, _UNSEEN)
    own = list(_own_columns(turn, ones[0]))
    near = _nearness(turn, own)
    for column in dict.fromkeys([*known, *own, *near_columns(turn)]):
        kind = turn.ground.kind(table_of(column.node), column.name)
        texts = _texts(ones, column, kind, said.op)
        if all(texts):
            named = naming(turn, ones, [Clause((column,))]) > 1.0
            if (said.op or ones[0].form("#new year")) and not named and _names_rows(turn, column):
                continue
            unseen = _UNSEEN * near.get(column, 1.0) if kind == "text" else _UNSEEN * 2 if named else 0.002
            # “At 8” is rather a time than anything else with that number.
            otherwise = _OTHERWISE if ones[0].kind == "time" and kind == "number" and not named else 1.0
            chance = 0.5 * known.get(column, 0.0) + unseen * otherwise
            yield _comparison(column, said.op, [str(text) for text in texts], kind), chance


def _names_rows(turn: FollowUpTurn, column: Column) -> bool:
    """Whether its numbers only name rows, so that “under 500” says nothing of them."""
    table = table_of(column.node)
    return column.name in turn.ground.key_of(table) or turn.ground.is_foreign(table, column.name)


def _texts(ones: Sequence[Found], column: Column, kind: str, op: str) -> list[str | None]:
    """The literals that a column is compared with; two for a range, as a year is one of dates."""
    year = kind == "date" and not op and ones[0].form("#new year") is not None
    if year or (kind == "date" and len(ones) == 2):
        return [_text(ones[0], column, kind, ">="), _text(ones[-1], column, kind, "<=")]
    return [_text(one, column, kind, op) for one in ones]


def _comparison(column: Column, op: str, texts: Sequence[str], kind: str) -> Clause:
    if len(texts) == 2:
        return within(column, Hole(0, texts[0]), Hole(1, texts[1]))
    return compared(column, op or "=", texts[0], kind)


def _columns_of_roles(turn: FollowUpTurn, roles: Mapping[Role, float]) -> dict[Column, float]:
    known: dict[Column, float] = {}
    for role, chance in roles.items():
        for name in role:
            clause = turn.memory.clauses.get(name.rsplit(" @", 1)[0])
            here = rooted(clause, turn) if clause and not any(hasattr(p, "statement") for p in clause.parts) else None
            for column in columns_of(here.parts) if here else ():
                if column.name:
                    known[column] = known.get(column, 0.0) + chance
    return known


def _own_columns(turn: FollowUpTurn, one: Found) -> Iterator[Column]:
    """The columns in which the database has this value, as near to the root as they are."""
    for meaning in one.meanings:
        for form in meaning.forms:
            table, _, name = form.partition(".")
            if name and table in turn.ground.tables:
                nodes = turn.ground.nodes_for(turn.before, table, turn.memory.way(turn.before.root, table))
                yield from (Column(node, name) for node in nodes[:2])


def _nearness(turn: FollowUpTurn, columns: Sequence[Column]) -> dict[Column, float]:
    """Less for each table that a column is farther from what is asked about and said than the nearest of them."""
    here = {turn.before.root, *nodes_said(turn)}
    steps = {column: 0 if column.node in here else column.node.count(">") for column in columns}
    least = min(steps.values(), default=0)
    return {column: _FARTHER ** (far - least) for column, far in steps.items()}


def _text(one: Found, column: Column, kind: str, op: str) -> str | None:
    """A value as the literal that a column is compared with; None if it is of another kind."""
    if kind == "text":
        form = one.form(f"{table_of(column.node)}.{column.name}")
        return literal(form, "'") if form is not None and not op else None
    if kind == "date":
        name = "#date" if one.form("#date") else "#last of year" if op in (">", "<=") else "#new year"
        form = one.form(name)
        return literal(form, "'") if form is not None and (op or name == "#date") else None
    if kind == "time":
        return one.form("#time")
    own = one.form(f"{table_of(column.node)}.{column.name}")
    return own or one.form("#number")
