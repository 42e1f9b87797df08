"""“Or” at the head of a follow-up: what was asked for before, or else what it says. “Or in sales” of the people in
planning asks for both departments; “or hired after 1985” takes in people of other departments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..sql.alternatives import wider
from ..sql.edits import any_of, bounded, columns_of, is_extreme, named, negated
from ..sql.none_of import missing
from ..sql.statements import Clause, Column, Statement

__all__ = ["added_to", "asks_for_more", "widened"]

_WIDER = re.compile(
    r"^or\b(?! (rather|instead|just|only|better|maybe|what|how|which|when|where|is|are|was|were|do|does|did)\b)"
    r"(?!.*\b(instead|rather)$)"
)
_DENYING = ("<>", "NOT LIKE", "NOT IN")


def asks_for_more(words: Sequence[str]) -> bool:
    """Whether the words add to what was asked for before. “Or rather”, “or what about” put something in its place, “or
    how many of them” asks anew."""
    return bool(_WIDER.match(" ".join(words)))


def added_to(earlier: Sequence[Statement], before: Statement) -> list[Clause]:
    """The conditions that the last turn which changed any has added to those of the turns before it, latest last."""
    said = _said(before)
    last = next((one for one in reversed(earlier) if {*map(named, _said(one))} != {*map(named, said)}), None)
    known = {named(clause) for clause in _said(last)} if last and last.root == before.root else set()
    return [clause for clause in said if named(clause) not in known]


def widened(before: Statement, after: Statement, added: Sequence[Clause]) -> Iterator[tuple[Statement, bool]]:
    """Statements that give what one or what the other gives, and whether it is plain which condition the other stands
    beside: one of the same column, the one that was added last, or the only one."""
    told = {named(clause) for clause in before.clauses}
    new = [clause for clause in _said(after) if named(clause) not in told]
    if not new:
        yield after, True
        return
    old = _of_the_same(before, after, new)
    if len(old) == len(new) == 1 and _denies(old[0]) and not _denies(new[0]):
        # “Not in Leeds”, “or in York”: neither.
        yield replace(before, head=after.head, clauses=(*before.clauses, negated(new[0]))), True
        return
    own = _said(before)
    groups = _by_column(own)
    known = old or next((lone[0] for lone in (_by_column(added), groups) if len(lone) == 1), [])
    sides = [known] if known else [*groups[-1:], own]
    plain = bool(old) or (bool(known) and not any(map(_denies, own)))
    plain = plain and not before.tail and not any(map(is_extreme, before.clauses))
    made = [one for side in sides if side and (one := _either(before, after, side, new))]
    yield from ((one, plain) for one in made)
    if not made:
        yield after, False


def _said(statement: Statement) -> list[Clause]:
    return [clause for clause in statement.clauses if not clause.bare]


def _by_column(clauses: Sequence[Clause]) -> list[list[Clause]]:
    """The conditions, those of one column together: both ends of a range."""
    groups: dict[frozenset[Column], list[Clause]] = {}
    for clause in clauses:
        groups.setdefault(frozenset(columns_of(clause.parts)), []).append(clause)
    return list(groups.values())


def _of_the_same(before: Statement, after: Statement, new: Sequence[Clause]) -> list[Clause]:
    """The conditions that the new ones contradict, or that say something of the same columns."""
    kept = {named(clause) for clause in after.clauses}
    columns = {column for clause in new for column in columns_of(clause.parts)}
    return [one for one in _said(before) if named(one) not in kept or columns & {*columns_of(one.parts)}]


def _denies(clause: Clause) -> bool:
    one = bounded(clause)
    return missing(clause) is not None or (one is not None and one.op in _DENYING)


def _either(before: Statement, after: Statement, old: Sequence[Clause], new: Sequence[Clause]) -> Statement | None:
    """The statement with one or the other; None if that cannot be said."""
    nodes = {part.node for clause in (*old, *new) for part in clause.parts if isinstance(part, Column)}
    if len(nodes) == 1:
        kept = tuple(clause for clause in before.clauses if clause not in old)
        return replace(after, clauses=(*kept, any_of([old, new])))
    every = tuple(dict.fromkeys((*before.clauses, *after.clauses)))
    return wider(replace(after, clauses=every), [(0, 1)], [old, new].__getitem__)
