"""What a value of a follow-up may do to the statement before: conditions, each with how likely it is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from .ages import AGED, FLIPPED, years_before
from .align import places_of
from .column_words import ADJECTIVES
from .comparisons import bound_after, bound_before, negated_at, range_words
from .denials import reaches
from .edits import Bounded, bounded, columns_of, compared, denied, moved, named, within
from .ground import Ground, node_steps
from .memory import Memory, Role, literal
from .periods import with_ends
from .recognise import Found, Reading
from .series import leaders
from .small_words import DENYING, SILENT, phrase_at
from .statements import Clause, Column, Hole, Statement, literals_of, map_clause, table_of

__all__ = ["Filling", "Turn", "fillings", "rooted", "value_groups"]

_MOST = 4
_UNSEEN = 0.02
_ON_THE_WAY = 0.7
_BEFORE = 4
_BEHIND = 2
_OTHER_UNIT = 0.02
_OF_AGE = 0.3
_FARTHER = 0.3
_SIDE = {">": 1, ">=": 1, "<": -1, "<=": -1}
_CONTRARY = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}


@dataclass(frozen=True)
class Turn:
    """A follow-up and what it goes on from. `included`: whether the ends of periods belong to them; `with_key`:
    whether answers show the key of a row beside what is asked of it; `added`: the conditions that came last."""

    reading: Reading
    words: tuple[str, ...]
    before: Statement
    ground: Ground
    memory: Memory
    narrowing: bool
    included: bool | None = None
    with_key: bool = False
    added: tuple[Clause, ...] = ()

    def free(self, at: int) -> bool:
        """Whether no value stands at this word."""
        found = enumerate(self.reading.found)
        return not any(one.first <= at < one.last and not one.weak and not self.mere(n) for n, one in found)

    def mere(self, number: int) -> bool:
        """Whether what might be a value is a mere word: a “one” that no column is named before, a “first” that nothing
        is named behind."""
        one = self.reading.found[number]
        if one.said.lower() == "one":
            said = self.words[one.first - 1] if one.first else ""
            return not self.ground.named_at_all([said], self.before.root)
        return one.said.lower() in ("first", "last") and self.words[one.last : one.last + 1] != ("class",)


@dataclass(frozen=True)
class Filling:
    """Conditions that values make, how likely, the words that speak for it, and whether an example shows it."""

    clauses: tuple[Clause, ...]
    chance: float
    words: frozenset[int]
    learned: bool


def value_groups(turn: Turn) -> list[tuple[int, ...]]:
    """The values, two ends of a range together."""
    numbers = [n for n in range(len(turn.reading.found)) if n not in turn.reading.removed and not turn.mere(n)]
    groups: list[tuple[int, ...]] = []
    for number in numbers:
        one = turn.reading.found[number]
        last = turn.reading.found[groups[-1][0]] if groups and len(groups[-1]) == 1 else None
        if last and last.kind == one.kind and range_words(turn.words, last.first, (last.last, one.first)):
            groups[-1] = (*groups[-1], number)
        else:
            groups.append((number,))
    return groups


def fillings(turn: Turn, group: Sequence[int], roles: Mapping[Role, float]) -> list[Filling]:
    """What the values of a group may do, likeliest first; what does nothing has no conditions."""
    ones = [turn.reading.found[number] for number in group]
    said = _said(turn, ones)
    found: dict[str, Filling] = {}
    for clauses, chance, learned in _every(turn, ones, roles, said):
        name = "&".join(sorted(map(named, clauses)))
        if clauses and chance > found.get(name, _NONE).chance:
            found[name] = Filling(tuple(clauses), chance, said.words | _naming_words(turn, ones, clauses), learned)
    every = [*found.values(), _idle(turn, ones, roles)]
    total = sum(one.chance for one in every) or 1.0
    best = sorted(every, key=lambda one: -one.chance)[:_MOST]
    return [replace(one, chance=one.chance / total) for one in best]


_NONE = Filling((), 0.0, frozenset(), False)


def _idle(turn: Turn, ones: Sequence[Found], roles: Mapping[Role, float]) -> Filling:
    """That the values do nothing. Small numbers often are mere words, and what examples show to be none."""
    nothing = roles.get(frozenset(), 0.0)
    one = ones[0]
    return Filling((), 0.5 * nothing if one.weak else 0.005 + 0.005 * nothing, frozenset(), True)


@dataclass(frozen=True)
class _Said:
    """How a value is compared, by the words beside it, and, if it is an age, with which adjective (“older than”)."""

    op: str
    words: frozenset[int]
    denied: bool
    aged: str = ""


def _said(turn: Turn, ones: Sequence[Found]) -> _Said:
    first, last = ones[0].first, ones[-1].last
    words = frozenset(at for one in ones for at in range(one.first, one.last))
    if len(ones) == 2:
        denying = _denied(turn, first)
        return _Said("between", words | denying, bool(denying))
    bound = bound_before(turn.words, first)
    if bound is None and first and turn.ground.named_at_all([turn.words[first - 1]], turn.before.root):
        bound = bound_before(turn.words, first - 1)
    if bound is None or bound.weak or not all(map(turn.free, range(bound.first, bound.last))):
        behind = bound_after(turn.words, last)
        bound = behind or bound
    denied = _denied(turn, _led(turn, first) if bound is None else bound.first)
    if bound is None:
        return _Said("", words | denied, bool(denied))
    own = words | frozenset(range(bound.first, bound.last)) | denied
    op = "" if bound.op in ("=", "<>") or (bound.weak and bound.op != "<=") else bound.op
    op = FLIPPED.get(op, op) if bound.adjective and ADJECTIVES[bound.adjective].stems[0][1] < 0 else op
    aged = bound.adjective if bound.adjective in AGED else ""
    weak_by = bound.weak and op == "<=" and ones[0].kind not in ("time", "date", "number")
    if op in _CONTRARY and denied and not weak_by:
        return _Said(_CONTRARY[op], own, False, aged)
    return _Said("" if weak_by else op, own, bool(denied) or bound.op == "<>", aged)


def _led(turn: Turn, first: int) -> int:
    """Where the first of the values stands that are named in one breath with the one here."""
    found = turn.reading.found
    led = leaders(turn.reading)
    return next((found[led[n]].first for n, one in enumerate(found) if one.first == first and n in led), first)


def _denied(turn: Turn, first: int) -> frozenset[int]:
    """The words that deny the value, not more than three before it."""
    said = phrase_at(turn.words[max(0, first - 4) : first], DENYING)
    if said:
        start = max(0, first - 4)
        return frozenset(range(start + said[0], start + said[1]))
    if first > 1 and turn.words[first - 1] == "but":
        return frozenset([first - 1])
    for at in range(first - 1, -1, -1):
        if not turn.free(at):
            break
        many = negated_at(turn.words, at)
        if many and reaches(turn.words, at, first):
            return frozenset(range(at, at + many))
        all_but = turn.words[at] == "but" and turn.words[at - 1 : at] in (("all",), ("everything",), ("everyone",))
        if all_but and first - at < 4:
            return frozenset([at])
    return frozenset()


_Option = tuple[list[Clause], float, bool]


def _every(turn: Turn, ones: Sequence[Found], roles: Mapping[Role, float], said: _Said) -> Iterator[_Option]:
    if len(ones) == 1:
        for clauses, chance in _learned(turn, ones[0], roles):
            yield _weighed(turn, ones, clauses, chance, said, True)
        for clauses, chance in _in_place(turn, ones[0]):
            yield _weighed(turn, ones, clauses, chance, said, True)
    for clause, chance in _compared(turn, ones, roles, said):
        yield _weighed(turn, ones, [clause], chance, said, False)
    if born := _born(turn, ones, said):
        yield [born], _OF_AGE * _of_place(turn, [one for one in [bounded(born)] if one]), False


def _born(turn: Turn, ones: Sequence[Found], said: _Said) -> Clause | None:
    """“Older than 50”: born more than so many years before the day of the database."""
    column = _of_age(turn, said)
    years = ones[0].form("#number")
    if column is None or years is None or turn.ground.kind(table_of(column.node), column.name) != "date":
        return None
    day = years_before(turn.ground.as_of, float(years))
    return compared(column, FLIPPED[said.op], literal(day.isoformat(), "'"), "date") if day else None


def _of_age(turn: Turn, said: _Said) -> Column | None:
    """The column of an age or a birth, of what is asked about or of what is said of it already; else its only date."""
    if not said.aged or said.op not in FLIPPED:
        return None
    nodes = {table_of(node): node for node in [*sorted(_nodes_said(turn)), turn.before.root]}
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


def _weighed(
    turn: Turn, ones: Sequence[Found], clauses: list[Clause], chance: float, said: _Said, learned: bool
) -> _Option:
    says = [one for one in map(bounded, clauses) if one]
    denies = any(one.op in ("<>", "NOT LIKE", "NOT IN") for one in says)
    plain = says
    if said.denied and not denies and says and not any(one.op in _SIDE for one in says):
        contrary = denied(clauses, turn.before.head, turn.ground.primary)
        clauses, denies = [contrary] if contrary else clauses, contrary is not None
        says = [one for one in map(bounded, clauses) if one]
    chance *= 1.0 if said.denied == denies else 0.1
    chance *= _of_op(says, said, chance) * _of_year(ones, says, said)
    chance *= _of_naming(turn, ones, clauses) * _of_unit(turn, ones, clauses) * _of_years(turn, clauses, said)
    place = _of_place(turn, says or plain)
    return clauses, chance * (1.0 if _names_another(turn, ones, says or plain) else place), learned


def _of_op(says: Sequence[Bounded], said: _Said, chance: float) -> float:
    """How well a condition compares as the words do."""
    ops = {one.op for one in says}
    if not said.op:
        return 1.0 if not ops & {*_SIDE, "between"} or chance > 0.5 else 0.4
    if said.op in ops:
        return 4.0
    if said.op in _SIDE and any(_SIDE.get(op) == _SIDE[said.op] for op in ops):
        return 1.5
    return 0.05


def _of_year(ones: Sequence[Found], says: Sequence[Bounded], said: _Said) -> float:
    """A year is a range of dates unless words say that it is an end of one."""
    year = len(ones) == 1 and ones[0].form("#new year") is not None
    sided = any(one.op in _SIDE and not one.values[0].isdigit() for one in says)
    return 0.05 if year and sided and not said.op else 1.0


def _of_naming(turn: Turn, ones: Sequence[Found], clauses: Iterable[Clause]) -> float:
    """How well the words beside the value name the column of a condition."""
    columns = [column for clause in clauses for column in columns_of(clause.parts) if column.name]
    near = _near(turn, ones)
    scores = [_named(turn, word, column) for column in columns for word in near.values()]
    scores += [_ON_THE_WAY for column in columns if _leads(turn, ones[0].first, column)]
    return 0.5 + 4.0 * max(scores, default=0.0) ** 2


def _of_years(turn: Turn, clauses: Iterable[Clause], said: _Said) -> float:
    """An age is compared with a column of ages or births, and with nothing else."""
    columns = [column for clause in clauses for column in columns_of(clause.parts) if column.name]
    return float(not said.aged or _of_age(turn, said) in columns)


def _names_another(turn: Turn, ones: Sequence[Found], says: Sequence[Bounded]) -> bool:
    """Whether the words beside a value name another column of what is asked about that such values stand in, and not
    the one of a condition: “born after 1950” of people hired in 1970."""
    columns = {one.column for one in says}
    near = _near(turn, ones).values()
    if any(_named(turn, word, column) for word in near for column in columns):
        return False
    root, kinds = turn.before.root, {turn.ground.kind(table_of(one.node), one.name) for one in columns}
    others = [Column(root, name) for name in turn.ground.tables.get(root, {}) if turn.ground.kind(root, name) in kinds]
    return any(_named(turn, word, column) >= 0.6 for word in near for column in others)


def _of_unit(turn: Turn, ones: Sequence[Found], clauses: Iterable[Clause]) -> float:
    """“Under 3 hours” is said of what is asked about, if that has a column of hours, unless words name another."""
    unit = turn.words[ones[-1].last] if ones[-1].last < len(turn.words) else ""
    own = [name for name in turn.ground.tables.get(turn.before.root, {}) if turn.ground.by_unit(unit, name)]
    columns = [column for clause in clauses for column in columns_of(clause.parts) if column.name]
    if not own or any(column.node == turn.before.root and column.name in own for column in columns):
        return 1.0
    beside = [word for word in _near(turn, ones).values() if word != unit]
    return 1.0 if any(_named(turn, word, column) >= 0.4 for column in columns for word in beside) else _OTHER_UNIT


def _leads(turn: Turn, at: int, column: Column) -> bool:
    """Whether the word before a value is in the name of a column on the way: “to Iona” by `to_island`."""
    word = turn.words[at - 1] if at else ""
    own = {token for mine, _, _ in node_steps(column.node) for token in mine.split("_")}
    return word in ("to", "from") and word in {*own, *column.name.split("_")}


def _named(turn: Turn, word: str, column: Column) -> float:
    table = table_of(column.node)
    if column.name not in turn.ground.tables.get(table, {}):
        return 0.0
    unit = 0.8 if turn.ground.by_unit(word, column.name) else 0.0
    return max(turn.ground.named(word, table, column.name), unit)


def _near(turn: Turn, ones: Sequence[Found]) -> dict[int, str]:
    """The words beside a value, up to the next value."""
    first, last = ones[0].first, ones[-1].last
    before = range(first - 1, max(-1, first - _BEFORE - 1), -1)
    places = [*_until_value(turn, before), *_until_value(turn, range(last, min(len(turn.words), last + _BEHIND)))]
    return {at: turn.words[at] for at in places if turn.words[at] not in SILENT or turn.words[at] in _UNITS_TOO}


_UNITS_TOO = frozenset(["dollars", "dollar", "people"])


def _until_value(turn: Turn, places: Iterable[int]) -> Iterator[int]:
    for at in places:
        if not turn.free(at):
            return
        yield at


def _naming_words(turn: Turn, ones: Sequence[Found], clauses: Iterable[Clause]) -> frozenset[int]:
    columns = [column for clause in clauses for column in columns_of(clause.parts) if column.name]
    near = _near(turn, ones)
    return frozenset(at for at, word in near.items() if any(_named(turn, word, column) >= 0.4 for column in columns))


def _of_place(turn: Turn, says: Sequence[Bounded]) -> float:
    """Whether the statement before says something of the same column, or of the same thing."""
    theirs = [one for one in map(bounded, turn.before.clauses) if one]
    factor = 1.0
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


def _learned(turn: Turn, one: Found, roles: Mapping[Role, float]) -> Iterator[tuple[list[Clause], float]]:
    """The conditions that answered questions make of such a value, at home in the statement before."""
    for role in {*roles, *turn.memory.besides}:
        chance = roles.get(role, 0.0) + _UNSEEN / 4
        if role and not any(name.startswith("in:") for name in role):
            clauses = _filled(turn, role, one)
            at_home = [rooted(clause, turn) for clause in clauses or ()]
            if at_home and all(at_home):
                often = _how_often(turn, role)
                yield [clause for clause in at_home if clause], chance * often * _home(clauses or [], turn)


def _how_often(turn: Turn, role: Role) -> float:
    """Of roles that differ little, the usual one: from 0.4 for one that was seen once."""
    times = max((turn.memory.clause_times[name.rsplit(" @", 1)[0]] for name in role), default=0)
    return min(1.0, 0.4 + 0.1 * times)


def _home(clauses: Iterable[Clause], turn: Turn) -> float:
    roots = {column.node.split(">")[0] for clause in clauses for column in columns_of(clause.parts)}
    return 1.0 if roots <= {turn.before.root} else 0.4


def _filled(turn: Turn, role: Role, one: Found) -> list[Clause] | None:
    """The conditions of a role with this value; None if it cannot fill them alone."""
    clauses = []
    for name in sorted(role):
        clause = turn.memory.clauses.get(name)
        holes = [hole for hole in literals_of(clause.parts) if hole.name] if clause else []
        if clause is None or any(one.form(hole.name[1:-1]) is None for hole in holes):
            return None
        clauses.append(map_clause(_ended(clause, turn.included), lambda hole: _put(hole, one)))
    return [*clauses, *turn.memory.beside(role)] if clauses else None


def _ended(clause: Clause, included: bool | None) -> Clause:
    return clause if included is None else with_ends(Statement("", (), (clause,)), included).clauses[0]


def _put(hole: Hole, one: Found) -> Hole:
    value = one.form(hole.name[1:-1]) if hole.name else None
    return Hole(hole.index, hole.text if value is None else literal(value, hole.text))


def rooted(clause: Clause, turn: Turn) -> Clause | None:
    """A condition as it stands in the statement before; None if its tables are not to be reached from there."""
    columns = columns_of(clause.parts)
    roots = {column.node.split(">")[0] for column in columns}
    if roots <= {turn.before.root}:
        return clause
    if len(roots) != 1:
        return None
    table = roots.pop()
    nodes = turn.ground.nodes_for(turn.before, table, turn.memory.way(turn.before.root, table))
    return Clause(moved(clause.parts, table, nodes[0])) if nodes else None


def _in_place(turn: Turn, one: Found) -> Iterator[tuple[list[Clause], float]]:
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


def _swapped(hole: Hole, at: Mapping[int, str], forms: Mapping[str, str], texts: set[str]) -> Hole:
    name = at.get(hole.index, "")
    return replace(hole, text=literal(forms[name], hole.text)) if hole.text in texts and name in forms else hole


def _compared(
    turn: Turn, ones: Sequence[Found], roles: Mapping[Role, float], said: _Said
) -> Iterator[tuple[Clause, float]]:
    """Comparisons with columns that such values are compared with, and with those that the words name."""
    known = _columns_of_roles(turn, roles)
    own = list(_own_columns(turn, ones[0]))
    near = _nearness(turn, own)
    for column in dict.fromkeys([*known, *own, *_near_columns(turn)]):
        kind = turn.ground.kind(table_of(column.node), column.name)
        texts = _texts(ones, column, kind, said.op)
        if all(texts):
            named = _of_naming(turn, ones, [Clause((column,))]) > 1.0
            if said.op and not named and _names_rows(turn, column):
                continue
            unseen = _UNSEEN * near.get(column, 1.0) if kind == "text" else _UNSEEN * 2 if named else 0.002
            chance = 0.5 * known.get(column, 0.0) + unseen
            yield _comparison(column, said.op, [str(text) for text in texts], kind), chance


def _names_rows(turn: Turn, column: Column) -> bool:
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


def _columns_of_roles(turn: Turn, roles: Mapping[Role, float]) -> dict[Column, float]:
    known: dict[Column, float] = {}
    for role, chance in roles.items():
        for name in role:
            clause = turn.memory.clauses.get(name.rsplit(" @", 1)[0])
            here = rooted(clause, turn) if clause and not any(hasattr(p, "statement") for p in clause.parts) else None
            for column in columns_of(here.parts) if here else ():
                if column.name:
                    known[column] = known.get(column, 0.0) + chance
    return known


def _near_columns(turn: Turn) -> Iterator[Column]:
    """The columns of the root and of the tables that the statement has already."""
    for node in sorted({turn.before.root, *_nodes_said(turn)}):
        yield from (Column(node, name) for name in turn.ground.tables.get(table_of(node), {}))


def _nodes_said(turn: Turn) -> set[str]:
    return {column.node for clause in turn.before.clauses for column in columns_of(clause.parts)}


def _own_columns(turn: Turn, one: Found) -> Iterator[Column]:
    """The columns in which the database has this value, as near to the root as they are."""
    for meaning in one.meanings:
        for form in meaning.forms:
            table, _, name = form.partition(".")
            if name and table in turn.ground.tables:
                nodes = turn.ground.nodes_for(turn.before, table, turn.memory.way(turn.before.root, table))
                yield from (Column(node, name) for node in nodes[:2])


def _nearness(turn: Turn, columns: Sequence[Column]) -> dict[Column, float]:
    """Less for each table that a column is farther from what is asked about and said than the nearest of them."""
    here = {turn.before.root, *_nodes_said(turn)}
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
