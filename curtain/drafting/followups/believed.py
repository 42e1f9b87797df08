"""Which edits are shown, and how sure each is."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable

from ..learned.evidence import Evidence
from ..query.column_words import PEOPLE, lemma
from ..query.comparisons import superlative_at
from ..sql.edits import bounded
from ..sql.same_year import assumed_days, without_year, years_told
from ..sql.statements import Statement
from .counted_again import said_beside_count
from .edit import Edit, unused
from .followups import Continued, leans, stands_alone
from .turn import FollowUpTurn

__all__ = ["believed"]

_UNUSED = 0.3
_MOST = 6
_PEOPLE = frozenset(map(lemma, (*PEOPLE, "everybody", "everyone", "people")))


def believed(turn: FollowUpTurn, edits: Iterable[Edit]) -> list[Continued]:
    """The edits that change something, each statement once, with how sure they are."""
    weighed: dict[str, tuple[float, Edit]] = {}
    for edit in edits:
        chance = edit.chance * _UNUSED ** unused(turn, edit)
        key = edit.statement.key
        if key != turn.before.key and chance > weighed.get(key, (0.0,))[0]:
            weighed[key] = chance, edit
    best = heapq.nlargest(_MOST, weighed.values(), key=lambda one: one[0])
    total = sum(chance for chance, _ in best) or 1.0
    loose = [
        not edit.plain
        or _cuts_loose(turn, edit)
        or _guesses_year(turn, edit)
        or said_beside_count(turn.before, edit.statement)
        for _, edit in best
    ]
    return [
        Continued(
            edit.statement,
            edit.values,
            _evidence(turn, edit, chance / total, place == 0),
            # Where the likeliest is never sure, no other is surer.
            loose[0] or loose[place],
        )
        for place, (chance, edit) in enumerate(best)
    ]


def _cuts_loose(turn: FollowUpTurn, edit: Edit) -> bool:
    """Whether an edit of groups, or of the first few of something, asks about other rows than these, or may do so: a
    number or “the most” may be said of the groups."""
    text = "".join(part for part in turn.before.tail if isinstance(part, str))
    if not re.search(r"\b(GROUP BY|LIMIT)\b", text):
        return False
    same = (edit.statement.head, edit.statement.tail) == (turn.before.head, turn.before.tail)
    measures = any(turn.reading.found[number].is_measure for number in edit.values)
    most = any(superlative_at(turn.words, at) for at in range(len(turn.words)))
    return turn.narrowing or not same or measures or most


def _guesses_year(turn: FollowUpTurn, edit: Edit) -> bool:
    """Whether an edit compares something with a day of which nothing tells the year."""
    days, told = assumed_days(turn.reading), years_told(turn.before)
    new = (clause for clause in edit.statement.clauses if clause not in turn.before.clauses)
    return bool(days) and any(without_year(clause, days, told) for clause in new)


def _evidence(turn: FollowUpTurn, edit: Edit, share: float, first: bool) -> Evidence:
    idle = sum(not one.weak for n, one in enumerate(turn.reading.found) if n not in turn.reading.removed)
    return Evidence(
        share=share,
        words=float(unused(turn, edit)),
        values=float(idle - sum(not turn.reading.found[n].weak for n in edit.values)),
        first=float(first),
        guessed=float(edit.guessed > 0),
        leans=float(leans(turn.reading)),
        whole=float(stands_alone(turn.reading)),
        several=float(edit.learned + edit.guessed > 1),
        rows=float(_names_rows(turn) or _names_one(turn, edit)),
    )


def _names_one(turn: FollowUpTurn, edit: Edit) -> bool:
    """Whether the statement is now about one row by its name or key, and was not before."""

    def single(statement: Statement) -> bool:
        says = [one for one in map(bounded, statement.clauses) if one and one.op == "="]
        return any(one.column.node == statement.root and turn.ground.identifies(one.column) for one in says)

    return single(edit.statement) and not single(turn.before)


def _names_rows(turn: FollowUpTurn) -> bool:
    """Whether the words name the things that they ask about themselves: “the flights that leave at noon”."""
    return any(
        turn.free(at) and (turn.ground.tables_named(word) or lemma(word) in _PEOPLE)
        for at, word in enumerate(turn.words)
    )
