"""“How many”: a count in the place of a list, where the words plainly ask for a number of things."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from ..query.column_words import PEOPLE, lemma
from ..query.recognise import Reading
from .ground import Ground
from .statements import Clause, Column, Part, Statement, nodes_of, table_of

__all__ = ["counting", "counts_unasked"]

_FIRST = 5
_NOUN = 3
_NAMED = 0.4
_BEFORE_NUMBER = frozenset(["the", "a", "total", "me", "is", "what", "find", "count", "show", "give", "tell"])
_EACH = frozenset(["each", "every", "per", "by"])
_ASKS_FOR_NUMBER = frozenset(["many", "much", "number", "numbers", "count", "total", "amount"])
_ONLY_COUNTS = re.compile(r"(DISTINCT )?COUNT\((DISTINCT )?[^()]*\)")
_PEOPLE = frozenset(map(lemma, (*PEOPLE, "people", "men", "women", "children")))


def counting(statement: Statement, reading: Reading, ground: Ground) -> Statement | None:
    """The statement with the number of what it lists; None if the words ask for no number, if it gives one already,
    or if what it lists cannot be counted."""
    words = [word.text for word in reading.words]
    at = _counted_at(words)
    worked_out = any(isinstance(part, str) and "(" in part for part in statement.head)
    if at is None or worked_out or statement.tail or not statement.root or _EACH & set(words):
        return None
    if _tells_number(statement, _noun(words[at : at + _NOUN]), ground):
        return None
    head = _of_keys(statement, ground) or _of_things(statement, reading, at, ground)
    return _with_nodes(replace(statement, head=head), nodes_of(statement)) if head else None


def counts_unasked(statement: Statement, words: Collection[str]) -> bool:
    """Whether a statement gives a number of rows and nothing else although nobody asks how many."""
    head = "".join(part if isinstance(part, str) else "§" for part in statement.head)
    return _ONLY_COUNTS.fullmatch(head) is not None and not statement.tail and _ASKS_FOR_NUMBER.isdisjoint(words)


def _noun(words: Sequence[str]) -> Sequence[str]:
    """The words up to the one that names several things: “first class seats”."""
    last = next((at for at, word in enumerate(words) if word.endswith("s") or lemma(word) in _PEOPLE), 0)
    return words[: last + 1]


def _with_nodes(statement: Statement, nodes: Sequence[str]) -> Statement:
    """The statement with all these nodes joined, also those of which nothing is said any more."""
    lost = set(nodes) - set(nodes_of(statement))
    leaves = [one for one in nodes if one in lost and not any(other.startswith(f"{one}>") for other in nodes)]
    return replace(statement, clauses=(*statement.clauses, *(Clause((Column(one, ""),)) for one in leaves)))


def _counted_at(words: Sequence[str]) -> int | None:
    """Where the things are named that are to be counted."""
    for at in range(min(_FIRST, len(words) - 1)):
        if words[at] == "how" and words[at + 1] == "many":
            return at + 2
        if words[at] == "number" and words[at + 1] == "of" and _of_several(words, at):
            return at + 2
    return 1 if words[:1] == ["count"] and len(words) > 1 else None


def _of_several(words: Sequence[str], at: int) -> bool:
    """Whether “number of” asks how many, and not for a number that somebody has: “the phone number of”."""
    whose = at > 0 and words[at - 1] not in _BEFORE_NUMBER
    behind = words[at + 2 : at + 3]
    return not whose and any(word.endswith("s") or lemma(word) in _PEOPLE for word in behind)


def _tells_number(statement: Statement, words: Sequence[str], ground: Ground) -> bool:
    """Whether the last column is a number that the words name: “how many stops”, “how many people fit in it”."""
    last = statement.head[-1] if statement.head else None
    if not isinstance(last, Column) or last.name not in ground.tables.get(table_of(last.node), {}):
        return True
    table = table_of(last.node)
    key = last.name in ground.primary.get(table, ()) or ground.is_foreign(table, last.name)
    number = ground.kind(table, last.name) == "number" and not key
    named = (ground.named(word, table, last.name) >= _NAMED or ground.by_unit(word, last.name) for word in words)
    return number and any(named)


def _of_keys(statement: Statement, ground: Ground) -> tuple[Part, ...] | None:
    """The number of what a statement lists by one key of it, each once."""
    columns = {part for part in statement.head if isinstance(part, Column)}
    column = columns.pop() if len(columns) == 1 else None
    if column is None:
        return None
    table = table_of(column.node)
    if ground.primary.get(table) == (column.name,):
        return _number_of(statement, column.node, ground)
    return ("COUNT(DISTINCT ", column, ")") if ground.is_foreign(table, column.name) else None


def _of_things(statement: Statement, reading: Reading, at: int, ground: Ground) -> tuple[Part, ...] | None:
    """The number of the things that the words name: rows of a table, people, those of a certain kind (“clerks”)."""
    words = [word.text for word in reading.words]
    for place in range(at, min(at + _NOUN, len(words))):
        tables = ground.tables_named(words[place])
        node = next((node for node in nodes_of(statement) if table_of(node) in tables), None)
        if node is not None:
            return _number_of(statement, node, ground)
        if tables:
            return None
        of_kind = any(one.first == place and not one.weak for one in reading.found)
        if of_kind or lemma(words[place]) in _PEOPLE:
            return _number_of(statement, statement.root, ground)
    return None


def _number_of(statement: Statement, node: str, ground: Ground) -> tuple[Part, ...] | None:
    """The number of rows of a node, each once, however often the other nodes join it."""
    own = node if _is_part(node, ground) else statement.root
    if own == node and not any(_repeats(one, own, ground) for one in nodes_of(statement)):
        return ("COUNT(*)",)
    key = ground.primary.get(table_of(node), ())
    return ("COUNT(DISTINCT ", Column(node, key[0]), ")") if len(key) == 1 else None


def _is_part(node: str, ground: Ground) -> bool:
    """Whether a node is the root, or has rows that each belong to one row of the root."""
    root, _, step = node.partition(">")
    return not step or (step.count(">") == 0 and ground.primary.get(root) == (step.split("=")[0],))


def _repeats(one: str, node: str, ground: Ground) -> bool:
    """Whether a row of a node may stand beside several rows of another."""
    if one == node or not one.startswith(f"{node}>"):
        return one != node and ground.many(one)
    return ground.many(table_of(node) + one.removeprefix(node))
