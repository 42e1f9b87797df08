"""A statement on the way from the one before, and the words of the query that it leaves over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..query.small_words import LIGHT, SILENT
from ..sql.statements import Column, Statement, table_of
from .turn import FollowUpTurn

__all__ = ["Edit", "content", "free_words", "unused"]


@dataclass(frozen=True)
class Edit:
    """A statement on the way, its likelihood so far, and the words and values that it uses; `plain` unless it cannot be
    told what the words are said of."""

    statement: Statement
    chance: float
    words: frozenset[int]
    values: tuple[int, ...] = ()
    guessed: int = 0
    learned: int = 0
    shared: frozenset[int] = frozenset()
    plain: bool = True

    def with_(self, statement: Statement, chance: float, words: Iterable[int], learned: bool) -> Edit:
        """One more step."""
        made = int(statement.key != self.statement.key)
        return replace(
            self,
            statement=statement,
            chance=self.chance * chance,
            words=self.words | frozenset(words),
            guessed=self.guessed + made * (not learned),
            learned=self.learned + made * learned,
        )


def free_words(turn: FollowUpTurn, edit: Edit) -> list[int]:
    """The words that nothing uses yet."""
    return [at for at in range(len(turn.words)) if at not in edit.words and turn.free(at)]


def unused(turn: FollowUpTurn, edit: Edit) -> int:
    """How many words that say something nothing explains."""
    free = [at for at in free_words(turn, edit) if turn.words[at] not in SILENT and turn.words[at] not in LIGHT]
    tables = {table_of(part.node) for part in edit.statement.head if isinstance(part, Column)} | {turn.before.root}
    return sum(not tables & set(turn.ground.tables_named(turn.words[at])) for at in free)


def content(turn: FollowUpTurn) -> Iterator[tuple[int, str]]:
    """The words that say something and that no value has, with their places."""
    return ((at, word) for at, word in enumerate(turn.words) if word not in SILENT and turn.free(at))
