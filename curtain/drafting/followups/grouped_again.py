"""Follow-ups that want a number once for each group: after “how many women are there”, “for each department”."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..query.column_words import words_in
from ..query.small_words import SILENT
from ..sql.ground import Ground, node_steps
from ..sql.statements import Column, Statement
from .turn import FollowUpTurn

__all__ = ["asks_for_groups", "grouped_again"]

_EACH = frozenset(["each", "every", "per", "by"])
_BEFORE = words_in("break broken down split grouped group divided it them that the numbers count in for of")
_WORKED_OUT = re.compile(r"(ROUND\()?(COUNT|SUM|AVG|MIN|MAX|MEDIAN)\(")
_LEAST = 0.6


def grouped_again(turn: FollowUpTurn) -> Statement | None:
    """The number that the statement before works out, once for each of what is named behind “each” or “by”; None if it
    works out none, or if the words say anything else."""
    named = _named(turn.words)
    if turn.before.tail or not _works_out(turn.before) or turn.reading.found:
        return None
    column = _group(turn.ground, turn.before.root, named) if named else None
    if column is None:
        return None
    return replace(turn.before, head=(column, ", ", *turn.before.head), tail=("GROUP BY ", column))


def asks_for_groups(words: Sequence[str]) -> bool:
    """Whether words want something once for each group, and say nothing else: “and by department”."""
    return bool(_named(words))


def _named(words: Sequence[str]) -> list[str]:
    """The words that name the groups; none if anything else is said."""
    at = next((at for at, word in enumerate(words) if word in _EACH), len(words))
    silent = set(words[:at]) <= SILENT | _BEFORE
    return [word for word in words[at + 1 :] if word not in SILENT] if silent else []


def _works_out(statement: Statement) -> bool:
    """Whether it asks for one number, and not whether there are so many."""
    said = "".join(part for part in statement.head if isinstance(part, str))
    return bool(_WORKED_OUT.match(said)) and ">" not in said and not _several(said)


def _several(said: str) -> bool:
    """Whether a comma stands outside of all brackets."""
    depth = 0
    for sign in said:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            return True
    return False


def _group(ground: Ground, root: str, words: Sequence[str]) -> Column | None:
    """The column that tells the group of a row: its reference to a table that is named so, or a column of its own."""
    for table in ground.tables_named(words[-1]):
        node = next((node for node in ground.ways(root, table) if not ground.many(node)), "")
        if len(words) == 1 and table != root and node and ground.key_of(table):
            steps = node_steps(node)
            return Column(root, steps[0][0]) if len(steps) == 1 else Column(node, ground.key_of(table)[0])
    fits = [(min(ground.named(word, root, name) for word in words), name) for name in ground.tables.get(root, ())]
    score, name = max(fits, default=(0.0, ""))
    return Column(root, name) if score >= _LEAST else None
