"""What a “not” does where one row of an answer has several of what is denied: “not on Sunday” of flights that go on
several days, “without a PhD” of people with several degrees. That none of them is so, is another statement than that
one of them is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .statements import Clause, Column, Hole, Part, Statement, Sub, table_of

__all__ = [
    "Keys",
    "apart",
    "denies_loosely",
    "excludes",
    "is_once",
    "many_step",
    "missing",
    "none_of",
    "rows_with",
    "shows",
]

Keys = Mapping[str, Sequence[str]]


def is_once(node: str, keys: Keys) -> bool:
    """Whether each row of the root has one row of this node at most: all joins on the way are to a whole key."""
    return many_step(node, keys) is None


def many_step(node: str, keys: Keys) -> str | None:
    """The first node on the way to this one of which a row of the root may have several."""
    steps = node.split(">")
    return next((">".join(steps[: at + 1]) for at in range(1, len(steps)) if not _to_key(steps[at], keys)), None)


def _to_key(step: str, keys: Keys) -> bool:
    table, _, name = step.partition("=")[2].partition(".")
    return list(keys.get(table, ())) == [name.split("#")[0]]


def none_of(clauses: Sequence[Clause], keys: Keys) -> Clause | None:
    """The condition that a row has nothing of which all these clauses hold; None if each row has one such thing at
    most, or if that cannot be said."""
    starts = {many_step(part.node, keys) for clause in clauses for part in clause.parts if isinstance(part, Column)}
    start = starts.pop() if len(starts) == 1 else None
    found = rows_with(clauses, start) if start else None
    if found is None:
        return None
    mine, inner = found
    there = inner.head[0]
    return _not_in(mine, replace(inner, clauses=(*inner.clauses, Clause((there, " IS NOT NULL")))), keys)


def rows_with(clauses: Sequence[Clause], start: str) -> tuple[Column, Statement] | None:
    """The column that leads to a node, and a SELECT of what it refers to where all these clauses hold, which speak of
    that node; None if that cannot be said."""
    parent, _, step = start.rpartition(">")
    mine, _, theirs = step.split("#")[0].partition("=")
    table, _, name = theirs.partition(".")
    if not mine or any(_looks_out(clause) for clause in clauses):
        return None
    inside = tuple(Clause(tuple(_moved(part, start, table) for part in clause.parts)) for clause in clauses)
    return Column(parent, mine), Statement(table, (Column(table, name),), inside)


def _not_in(mine: Column, inner: Statement, keys: Keys) -> Clause:
    """What refers to nothing refers to nothing of the kind, too: a flight without any meal has no breakfast."""
    if list(keys.get(table_of(mine.node), ())) == [mine.name]:
        return Clause((mine, " NOT IN ", Sub(inner)))
    return Clause(("(", mine, " IS NULL OR ", mine, " NOT IN ", Sub(inner), ")"))


def missing(clause: Clause) -> str | None:
    """The node of which a condition says that a row has none, or none of a kind."""
    found = _of_none(clause)
    return f"{found[0].node}>{found[0].name}={found[2].root}.{found[1].name}" if found else None


def excludes(clause: Clause, other: Clause) -> bool:
    """Whether a condition says that a row has nothing of what another one says that it has."""
    found, start = _of_none(clause), missing(clause)
    if found is None or start is None:
        return False
    inner = found[2]
    parts = tuple(_moved(part, start, inner.root) for part in other.parts)
    return other.parts != parts and Clause(parts).key in {one.key for one in inner.clauses}


def _of_none(clause: Clause) -> tuple[Column, Column, Statement] | None:
    """The column that is in none of the rows, what it is compared with, and these rows."""
    match clause.parts:
        case (Column() as mine, " NOT IN ", Sub(Statement(head=(Column() as theirs,)) as inner)):
            return mine, theirs, inner
        case (
            "(",
            Column() as mine,
            " IS NULL OR ",
            _,
            " NOT IN ",
            Sub(Statement(head=(Column() as theirs,)) as inner),
            ")",
        ):
            return mine, theirs, inner
        case ("NOT ", Column() as mine, " IN ", Sub(Statement(head=(Column() as theirs,)) as inner)):
            return mine, theirs, inner
    return None


def denies_loosely(statement: Statement, keys: Keys) -> bool:
    """Whether a statement says of one of several things of a row that it is not so, and does not show these things."""
    for clause in statement.clauses:
        match clause.parts:
            case (Column() as column, (" <> " | " NOT IN " | " NOT IN (" | " IS DISTINCT FROM "), Hole(), *_):
                start = many_step(column.node, keys)
                if start is not None and not shows(statement, start):
                    return True
    return False


def _looks_out(clause: Clause) -> bool:
    """Whether a clause has a nested SELECT, which may speak of the tables around it."""
    return any(isinstance(part, Sub) or (isinstance(part, Column) and part.up) for part in clause.parts)


def _moved(part: Part, start: str, table: str) -> Part:
    return Column(table + part.node.removeprefix(start), part.name) if isinstance(part, Column) else part


def shows(statement: Statement, node: str) -> bool:
    """Whether head or tail of a statement speak of a node, or of one that hangs on it."""
    parts = (part for part in (*statement.head, *statement.tail) if isinstance(part, Column))
    return any(part.node == node or part.node.startswith(f"{node}>") for part in parts)


def apart(statement: Statement, denied: Sequence[Clause], keys: Keys) -> Statement | None:
    """What the statement asks for without that for which these of its clauses hold, where it asks for something else
    than rows of its root: “airlines that do not fly to Boston” of flights; None if it does not, or shows more."""
    column = _one_thing(statement, keys)
    if column is None or any(_looks_out(clause) for clause in denied):
        return None
    there = _reference(column, statement)
    inner = Statement(statement.root, (there,), (*statement.clauses, Clause((there, " IS NOT NULL"))))
    kept = tuple(clause for clause in statement.clauses if clause not in denied)
    table = _home(column, keys)
    if table and all(clause.bare for clause in kept):
        own = Column(table, column.name)
        head = tuple(own if part == column else part for part in statement.head if part != "DISTINCT ")
        return Statement(table, head, (Clause((own, " NOT IN ", Sub(inner))),))
    return replace(statement, clauses=(*kept, Clause((column, " NOT IN ", Sub(inner)))))


def _home(column: Column, keys: Keys) -> str:
    """The table whose key a column is, or the only one with a key of that name; "" if there is none."""
    table = table_of(column.node)
    named = [name for name, key in keys.items() if list(key) == [column.name]]
    return table if table in named else named[0] if len(named) == 1 else ""


def _reference(column: Column, statement: Statement) -> Column:
    """The column that refers to this one, where nothing else is said of its row."""
    parent, _, step = column.node.rpartition(">")
    mine, _, theirs = step.partition("=")
    said = {part.node for one in statement.clauses for part in one.parts if isinstance(part, Column)}
    here = any(node == column.node or node.startswith(f"{column.node}>") for node in said)
    return Column(parent, mine) if mine and theirs.endswith(f".{column.name}") and not here else column


def _one_thing(statement: Statement, keys: Keys) -> Column | None:
    """The one column that a statement asks for, if that tells which thing is meant, and no row of the root."""
    asked = {part for part in statement.head if isinstance(part, Column)}
    texts = "".join(part for part in statement.head if isinstance(part, str)).replace("COUNT(DISTINCT )", "")
    column = asked.pop() if len(asked) == 1 and not statement.tail and texts in ("", "DISTINCT ") else None
    if column is None or (column.node == statement.root and [column.name] == list(keys.get(statement.root, ()))):
        return None
    refers = any([column.name] == list(key) for key in keys.values())
    return column if refers or [column.name] == list(keys.get(table_of(column.node), ())) else None
