"""Edits of what a statement shows: other columns, an order, a yes or no, how many instead of which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..learned.styles import YES_NO, by_star, yes_no_head
from ..query.small_words import asks_how_many
from ..sql.edits import bounded, columns_of, counted, listed, put, same_thing, sorted_by
from ..sql.statements import Column, Statement, table_of
from .edit import Edit, content, free_words
from .grouped_again import asks_for_groups
from .heads import Head, HeadWords, columns_near, heads
from .turn import FollowUpTurn

__all__ = ["counted_as_asked", "sorts", "with_head"]

_NO_HEAD = 0.3
_ASKS = re.compile(
    r"^(and |but |so |okay |ok |now |then )*(what|whats|which|when|where|who|whose|in (what|which)|on (what|which)|"
    r"at (what|which)|from (what|which)|how (much|long|far|old|late|big|fast|many))\b"
    r"(?! (of (those|these|them)|ones?|about)\b)"
)
_THEIRS = re.compile(r"\b(their|its|his|her|theirs)\b|^(and |now |then )*(show|list|give|tell|display|print)\b")
_ALSO = re.compile(r"\b(with (their|its|the|his|her)|also|too|as well|add|include)\b")
_AND_THEIRS = re.compile(r"^and (list |show |give me )?(their|its|his|her)\b")
_WHAT = re.compile(r"^(and |so |now )*(what|whats|when|at what|in what|how much)\b(?! (is|are) the \w+est$)")
_SORT = re.compile(
    r"\b(list|show|give|put) (them|those|these|it|me those|me these) by\b|"
    r"\b(sort|sorted|order|ordered|rank|ranked|arrange|arranged|ordering)\b"
)
_DOWN = re.compile(r"\b(descending|highest first|largest first|most first|latest first|reverse|down|from the top)\b")


def with_head(turn: FollowUpTurn, edit: Edit, known: HeadWords) -> Iterator[Edit]:
    """The edit as it is, and with whatever else the words may ask to be shown, or in which order."""
    text = " ".join(turn.words)
    sort = sorts(turn.words)
    asked = bool(_ASKS.match(text) or _THEIRS.search(text)) and not sort
    yield edit.with_(edit.statement, _NO_HEAD if asked else 1.0, (), True)
    here = replace(turn, before=edit.statement)
    free = sorted({*free_words(turn, edit), *(edit.shared if _WHAT.match(text) else ())})
    if sort:
        yield from _sorted(here, edit)
        return
    also = bool(_ALSO.search(text)) or (bool(_AND_THEIRS.search(text)) and _lists_keys(here))
    for head in heads(here, free, known):
        yield edit.with_(_headed(here, head, also), head.chance * (1.0 if asked else 0.3), head.words, head.learned)
    yield from _yes_no(here, edit)


def sorts(words: Sequence[str]) -> bool:
    """Whether the words ask for an order: “sort them by age”, “by department” of what is no number."""
    return _SORT.search(" ".join(words)) is not None or asks_for_groups(words)


def _headed(turn: FollowUpTurn, head: Head, also: bool) -> Statement:
    if also and not head.tail and head.parts and not any(isinstance(p, str) and "(" in p for p in head.parts):
        old = [part for part in turn.before.head if isinstance(part, Column)]
        new = [part for part in head.parts if isinstance(part, Column)]
        first = turn.before.head[0]
        if old and not (isinstance(first, str) and "(" in first):
            distinct = "DISTINCT " in (turn.before.head[0], head.parts[0])
            return replace(turn.before, head=listed(list(dict.fromkeys([*old, *new])), distinct))
    changed = replace(turn.before, head=head.parts, tail=head.tail)
    return _unbound(turn, changed) if {"other", "else", "all"} & set(turn.words) else changed


def _unbound(turn: FollowUpTurn, statement: Statement) -> Statement:
    """The statement without conditions that say which thing it is that is asked for: “which other airlines”."""
    shown = [column for column in columns_of(statement.head) if column.name]
    bound = {
        clause.key
        for clause in statement.clauses
        for one in [bounded(clause)]
        if one and any(same_thing(one.column, column, turn.ground) for column in shown)
    }
    return replace(statement, clauses=tuple(clause for clause in statement.clauses if clause.key not in bound))


def _lists_keys(turn: FollowUpTurn) -> bool:
    """Whether the statement before shows its rows, and not only something of them."""
    key = {Column(turn.before.root, name) for name in turn.ground.key_of(turn.before.root)}
    return bool(key) and key <= {part for part in turn.before.head if isinstance(part, Column)}


def _sorted(turn: FollowUpTurn, edit: Edit) -> Iterator[Edit]:
    down = bool(_DOWN.search(" ".join(turn.words)))
    for column in columns_near(turn, (word for _, word in content(turn))):
        scores = {at: turn.ground.named(word, table_of(column.node), column.name) for at, word in content(turn)}
        score = max(scores.values(), default=0.0)
        near = 1.0 if column.node == turn.before.root else 0.7
        if score >= 0.4:
            words = [at for at, own in scores.items() if own >= 0.4]
            every = range(len(turn.words)) if words else ()
            yield edit.with_(sorted_by(turn.before, column, down), score * near, every, True)


def _yes_no(turn: FollowUpTurn, edit: Edit) -> Iterator[Edit]:
    """“Are any of them managers”, asked for as answered questions that begin so are."""
    if turn.words[0] not in YES_NO:
        return
    head = yes_no_head(turn.memory)
    if head:
        yield edit.with_(put(replace(edit.statement, head=head, tail=()), [], turn.ground, True), 3.0, (), True)


def counted_as_asked(turn: FollowUpTurn, edit: Edit) -> Edit:
    """How many instead of which, if the words ask so and the head is not a number already."""
    text = " ".join(turn.words)
    first = edit.statement.head[0] if edit.statement.head else ""
    numbers = isinstance(first, str) and first.startswith(("COUNT(", "SUM(", "AVG("))
    if not asks_how_many(text) or numbers:
        return _relisted(turn, edit) if numbers else edit
    shown = [part for part in edit.statement.head if isinstance(part, Column)]
    changed = edit.statement.head != turn.before.head
    if changed and len(shown) and all(_is_number(turn, column) for column in shown[-1:]):
        return edit
    return edit.with_(counted(edit.statement, by_star(turn.memory, turn.before.root), turn.ground), 1.0, (), True)


def _is_number(turn: FollowUpTurn, column: Column) -> bool:
    table = table_of(column.node)
    key = turn.ground.key_of(table)
    return turn.ground.kind(table, column.name) == "number" and column.name not in key


def _relisted(turn: FollowUpTurn, edit: Edit) -> Edit:
    """“Which of those are women” of what was counted before lists them."""
    first = str(edit.statement.head[0])
    wh = re.match(r"^(and |now )*(which|who|list|show|what are they|whose)\b", " ".join(turn.words))
    if not wh or edit.statement.head != turn.before.head or not first.startswith("COUNT("):
        return edit
    key = [Column(edit.statement.root, name) for name in turn.ground.key_of(edit.statement.root)]
    return replace(edit, statement=replace(edit.statement, head=listed(key, True))) if key else edit
