"""“The cheapest one”, “who was hired last”: which column of the statement before is meant, and which end of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..query.column_words import ADJECTIVES, lemma
from ..query.comparisons import Superlative, superlative_at
from ..query.small_words import LIGHT, SILENT
from ..sql.edits import columns_of
from ..sql.statements import Clause, Column, Sub, table_of
from .heads import columns_near
from .turn import FollowUpTurn, rooted

__all__ = ["Best", "bests", "is_most"]

_MOST = 3
_FEW = 0.5
_CLEAR = 0.5
_UNNAMED = 0.25
_ELSEWHERE = 0.3
_SHOWN = 0.15
_WORKED_OUT = ("AVG(", "SUM(", "MAX(", "MIN(", "MEDIAN(")
_AROUND = 3
_ENDS = {"first": (-1, "early"), "soonest": (-1, "early"), "last": (1, "late")}
_LASTING = frozenset(["fast", "quick", "slow", "long", "short"])
_NAMES = frozenset(["name", "names", "class", "classes"])
_AGAIN = 2.0


@dataclass(frozen=True)
class Best:
    """A column, whether its greatest (1) or its least (-1) value is asked for, how likely, the words that ask, whether
    an answered question shows it, and whether the value itself is asked for."""

    column: Column
    sign: int
    chance: float
    words: frozenset[int]
    learned: bool
    value: bool = False


def is_most(clause: Clause) -> int:
    """1 if a condition asks for a greatest value, -1 for a least, else 0."""
    inner = next((part.statement for part in clause.parts if isinstance(part, Sub)), None)
    first = str(inner.head[0]) if inner is not None and inner.head else ""
    return 1 if first.startswith("MAX(") else -1 if first.startswith("MIN(") else 0


def bests(turn: FollowUpTurn, plain: Mapping[str, float], usually: Mapping[str, float]) -> list[Best]:
    """What the first superlative of a follow-up may mean, likeliest first; nothing if it has none. `plain` and
    `usually` say how likely each condition is with and without these words."""
    asked = next(_asked(turn), None)
    if asked is None:
        return []
    found: dict[tuple[Column, int], Best] = {}
    for one in [*_learned(turn, asked, plain, usually), *_by_words(turn, asked), *_as_before(turn, asked)]:
        old = found.get((one.column, one.sign))
        if old:
            one = Best(one.column, one.sign, one.chance + old.chance, one.words | old.words, True)
        found[one.column, one.sign] = one
    found = _those_named(turn, asked, found)
    best = sorted(found.values(), key=lambda one: -one.chance)[:_MOST]
    total = sum(one.chance for one in best) + 0.05
    scaled = [Best(o.column, o.sign, o.chance / total, o.words, o.learned) for o in best]
    return [*scaled, *_values(turn, asked, scaled)]


def _those_named(
    turn: FollowUpTurn, asked: Superlative, found: dict[tuple[Column, int], Best]
) -> dict[tuple[Column, int], Best]:
    """Where a word names one of the columns, the others are hardly meant."""
    names = {key: _named(turn, asked, one.column)[0] for key, one in found.items()}
    if max(names.values(), default=0.0) < _CLEAR:
        return found
    return {k: o if names[k] >= _CLEAR else replace(o, chance=_UNNAMED * o.chance) for k, o in found.items()}


def _asked(turn: FollowUpTurn) -> Iterator[Superlative]:
    for at, word in enumerate(turn.words):
        if not turn.free(at) or (turn.words[at + 1 : at + 2] and turn.words[at + 1] in _NAMES):
            continue
        if word in _ENDS:
            yield Superlative(at, at + 1, _ENDS[word][0], _ENDS[word][1])
        elif found := superlative_at(turn.words, at):
            yield found


def _learned(
    turn: FollowUpTurn, asked: Superlative, plain: Mapping[str, float], usually: Mapping[str, float]
) -> Iterator[Best]:
    own = frozenset(range(asked.first, asked.last))
    # Of “as cheap as possible” one word tells what of.
    telling = [asked.first + 1] if turn.words[asked.first] == "as" else own
    for key, clause in turn.memory.clauses.items():
        sign = is_most(clause)
        here = rooted(clause, turn) if sign else None
        if here is None or not isinstance(here.parts[0], Column) or len(columns_of(here.parts)) != 1:
            continue
        shown = max(_share(turn, at, key) for at in telling)
        guessed = plain.get(key, 0.0)
        guessed = guessed if guessed > 4 * usually.get(key, 0.0) else 0.0
        if shown + guessed > 0.1:
            fits = 1.0 if sign == _sign(asked, here.parts[0].name) or asked.adjective else 0.3
            fits *= 1.0 if here is clause else _ELSEWHERE
            named, words = _named(turn, asked, here.parts[0])
            yield Best(here.parts[0], sign, fits * (0.5 * guessed + 0.5 * shown + 0.3 * named), own | words, True)


def _share(turn: FollowUpTurn, at: int, key: str) -> float:
    """How often the answered questions with this word have this condition."""
    word = turn.words[at]
    times, meant = turn.memory.heard[word], turn.memory.meant.get(word)
    return meant[key] / (times + _FEW) if times and meant else 0.0


def _by_words(turn: FollowUpTurn, asked: Superlative) -> Iterator[Best]:
    own = frozenset(range(asked.first, asked.last))
    shown = {clause.parts[0] for clause in turn.memory.clauses.values() if is_most(clause)}
    for column in columns_near(turn):
        table = table_of(column.node)
        kind = turn.ground.kind(table, column.name)
        if kind == "text" or turn.ground.is_foreign(table, column.name) or _is_key(turn, table, column.name):
            continue
        named, words = _named(turn, asked, column)
        measured = _measured(asked, column.name)
        near = 1.0 if column.node == turn.before.root else 0.6 if column.node.count(">") < 2 else 0.4
        chance = (0.8 * named + 0.6 * measured) * near
        chance += _SHOWN if chance and column in shown else 0.0
        chance *= 0.5 if asked.adjective in ("early", "late") and kind == "number" else 1.0
        lasts = asked.adjective in _LASTING or (not asked.adjective and "time" in turn.words)
        chance *= 0.0 if lasts and kind in ("time", "date") else 1.0
        if chance > 0.15:
            yield Best(column, _sign(asked, column.name), chance, own | words, False)


def _as_before(turn: FollowUpTurn, asked: Superlative) -> Iterator[Best]:
    """“And last” of who was hired first is said of the hiring."""
    own = frozenset(range(asked.first, asked.last))
    if turn.words[asked.first] in _ENDS:
        for column in (clause.parts[0] for clause in turn.before.clauses if is_most(clause)):
            if isinstance(column, Column):
                yield Best(column, _sign(asked, column.name), _AGAIN, own, True)


def _is_key(turn: FollowUpTurn, table: str, name: str) -> bool:
    return turn.ground.primary.get(table) == (name,)


def _measured(asked: Superlative, name: str) -> float:
    """How well the adjective goes with a column of this name."""
    tokens = {lemma(token) for token in name.split("_")}
    stems = ADJECTIVES[asked.adjective].stems if asked.adjective in ADJECTIVES else ()
    ranks = [rank for rank, (stem, _) in enumerate(stems) if lemma(stem) in tokens]
    return max(0.2, 1.0 - 0.15 * ranks[0]) if ranks else 0.0


def _sign(asked: Superlative, name: str) -> int:
    """Greatest or least: as the adjective says for columns of this name."""
    tokens = {lemma(token) for token in name.split("_")}
    if asked.adjective in ADJECTIVES:
        signs = [sign for stem, sign in ADJECTIVES[asked.adjective].stems if lemma(stem) in tokens]
        if signs:
            return signs[0]
    return asked.sign


def _named(turn: FollowUpTurn, asked: Superlative, column: Column) -> tuple[float, frozenset[int]]:
    """How well the words beside the superlative name a column, and which do."""
    table = table_of(column.node)
    if column.name not in turn.ground.tables.get(table, {}):
        return 0.0, frozenset()
    places = [*range(max(0, asked.first - _AROUND), asked.first), *range(asked.last, asked.last + _AROUND)]
    scores = {
        at: turn.ground.named(turn.words[at], table, column.name)
        for at in places
        if at < len(turn.words) and turn.free(at) and (turn.words[at] not in SILENT or turn.words[at] in LIGHT)
    }
    return max(scores.values(), default=0.0), frozenset(at for at, score in scores.items() if score >= 0.4)


def _values(turn: FollowUpTurn, asked: Superlative, found: list[Best]) -> Iterator[Best]:
    """“What is the highest salary” asks for the salary, and not for who has it."""
    own = frozenset(range(asked.first, asked.last))
    of_same = [column for column in columns_of(turn.before.head) if column.name]
    if str(turn.before.head[0]).startswith(_WORKED_OUT) and of_same and not any(one.words - own for one in found):
        yield Best(of_same[0], _sign(asked, of_same[0].name), 0.9, own, True, True)
    if turn.words[0] not in ("what", "whats", "how") or len(turn.words) <= asked.last:
        return
    shown = any("MAX(" in head or "MIN(" in head for head in turn.memory.by_head if head.startswith(turn.before.root))
    for one in found:
        if asked.last in one.words and not {"one", "ones"} & set(turn.words):
            yield Best(one.column, one.sign, one.chance * (1.5 if shown else 0.3), one.words, one.learned, True)
