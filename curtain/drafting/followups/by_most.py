"""Edits that ask for the least or the greatest: “the cheapest one”, “the three oldest”."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..learned.reader import Guess
from ..learned.styles import by_limit
from ..query.comparisons import superlative_at
from ..query.small_words import asks_how_many
from ..sql.edits import greatest, listed, put, sorted_by
from ..sql.statements import Column, Statement
from .edit import Edit
from .superlatives import Best, bests
from .turn import FollowUpTurn

__all__ = ["number_of", "with_most"]


def with_most(
    turn: FollowUpTurn, edits: Iterable[Edit], guess: Guess, usual: Guess, number: int | None
) -> Iterator[Edit]:
    """Each edit as it is, and with each least or greatest value that the words may ask for; the value of this number
    says how many rows."""
    found = bests(turn, guess.plain, usual.plain)
    many = int(turn.reading.found[number].form("#number") or 0) if number is not None else 0
    for edit in edits:
        yield edit.with_(edit.statement, 0.15 if found else 1.0, (), True)
        for best in found:
            if not edit.words & best.words:
                made = edit.with_(_most(turn, edit.statement, best, many), best.chance, best.words, best.learned)
                yield made if best.value else replace(made, shared=_naming_words(turn, best))


def _naming_words(turn: FollowUpTurn, best: Best) -> frozenset[int]:
    """The words that name what is to be greatest, and that may say besides what is asked for."""
    ends = ("first", "last", "most", "least")
    return frozenset(at for at in best.words if turn.words[at] not in ends and superlative_at(turn.words, at) is None)


def number_of(turn: FollowUpTurn) -> int | None:
    """Which value is the number of “the three cheapest” or “the top five”, if one is."""
    for number, one in enumerate(turn.reading.found):
        text = one.form("#number") or ""
        if one.kind == "number" and text.isdigit() and 1 < int(text) <= 1000:
            behind = one.last < len(turn.words) and superlative_at(turn.words, one.last)
            before = one.first > 0 and superlative_at(turn.words, one.first - 1)
            if behind or before:
                return number
    return None


def _most(turn: FollowUpTurn, statement: Statement, best: Best, many: int) -> Statement:
    if best.value:
        name = "MAX(" if best.sign > 0 else "MIN("
        return replace(statement, head=(name, best.column, ")"), tail=())
    if many:
        return sorted_by(statement, best.column, best.sign > 0, many)
    if by_limit(turn.memory):
        return sorted_by(statement, best.column, best.sign > 0, 1)
    listing = _listing(turn, statement)
    return put(listing, [greatest(listing, best.column, best.sign)], turn.ground, True)


def _listing(turn: FollowUpTurn, statement: Statement) -> Statement:
    """The statement with its rows, if it counted them."""
    first = statement.head[0] if statement.head else ""
    if not (isinstance(first, str) and first.startswith("COUNT(")) or asks_how_many(" ".join(turn.words)):
        return statement
    key = [Column(statement.root, name) for name in turn.ground.key_of(statement.root)]
    return replace(statement, head=listed(key, False)) if key else statement
