"""Conditions that words of a follow-up usually stand for in answered questions: “nonstop”, “managers”."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from ..learned.memory import Memory, phrases
from ..learned.reader import Guess
from ..query.comparisons import negated_at
from ..query.features import masked
from ..query.naming import stem
from ..query.small_words import LIGHT, SILENT
from ..sql.edits import columns_of
from ..sql.edits import denied as contrary_of
from ..sql.statements import Clause, Column, Hole, Sub, literals_of
from .superlatives import is_most
from .turn import FollowUpTurn, rooted

__all__ = ["usual_conditions"]

_FEW = 0.5
_LEAST_SHARE = 0.4
_CLEAR = 0.6
_LOOKED_AT = 4
# So many questions tell more of a word than its being the name of a column.
_OFTEN = 5


def usual_conditions(
    turn: FollowUpTurn, free: Sequence[int], guess: Guess, usual: Guess
) -> list[tuple[Clause, float, frozenset[int]]]:
    """Conditions that words usually stand for, each with its likelihood and these words."""
    memory = turn.memory
    total = max(1, len(memory.entries))
    found: dict[str, tuple[float, frozenset[int]]] = {}
    said = phrases(masked(turn.reading))
    for name, spelled in [(one, one) for one in said] + [(one, other) for one in said for other in _other_numbers(one)]:
        places = _places(turn, name, free)
        name = spelled
        times = memory.heard[name]
        for key, together in memory.meant.get(name, {}).items() if places and times else ():
            share = together / (times + _FEW)
            guessed = guess.plain.get(key, 0.0)
            clear = share > _CLEAR or guessed > 2 * usual.plain.get(key, 0.0)
            clear = clear and (times >= _OFTEN or not _names_other(turn, spelled, memory.clauses[key]))
            lifted = clear and share > 3 * memory.clause_times[key] / total
            chance = min(0.97, 0.6 * share + 0.4 * guessed)
            if lifted and chance > _LEAST_SHARE and chance > found.get(key, (0.0,))[0]:
                found[key] = chance, places
    likeliest = heapq.nlargest(_LOOKED_AT, found.items(), key=lambda one: one[1][0])
    best = [(key, one) for key, one in likeliest if _still_shown(memory, key)][:2]
    ready = [(_at_home(turn, key, places), chance, places) for key, (chance, places) in best]
    ready += _without(turn, free)
    return [(clause, chance, places) for clause, chance, places in ready if clause is not None]


def _names_other(turn: FollowUpTurn, word: str, clause: Clause) -> bool:
    """Whether a word names a column of what is asked about, and the condition compares another."""
    named = turn.ground.named_at_all([word], turn.before.root)
    return bool(named) and not {column.name for column in columns_of(clause.parts)} & {*named}


def _still_shown(memory: Memory, key: str) -> bool:
    """Whether an answered question that was not withdrawn has a condition."""
    return any(shape.times and key in shape.said_and_done for shape in memory.shapes.values())


def _other_numbers(word: str) -> list[str]:
    """A word in the plural or without it."""
    plain = stem(word)
    return [] if " " in word else [f"{word}s"] if plain == word else [plain]


def _without(turn: FollowUpTurn, free: Sequence[int]) -> Iterator[tuple[Clause, float, frozenset[int]]]:
    """“Without stops”: a column of numbers that is called so is 0, any other is empty."""
    for at in free[1:]:
        if turn.words[at - 1] in ("without", "no", "zero") and turn.words[at] not in SILENT:
            for name in turn.ground.named_at_all([turn.words[at]], turn.before.root):
                column = Column(turn.before.root, name)
                if turn.ground.named(turn.words[at], turn.before.root, name) > 0.8:
                    number = turn.ground.kind(turn.before.root, name) == "number"
                    clause = Clause((column, " = ", Hole(0, "0"))) if number else Clause((column, " IS NULL"))
                    yield clause, 0.7, frozenset([at - 1, at])


def _says_itself(clause: Clause) -> bool:
    """Whether a nested SELECT of a condition has no values that only its own question said."""
    return not any(isinstance(part, Sub) and list(literals_of((part,))) for part in clause.parts)


def _places(turn: FollowUpTurn, name: str, free: Sequence[int]) -> frozenset[int]:
    own = tuple(name.split())
    for at in range(len(turn.words) - len(own) + 1):
        if turn.words[at : at + len(own)] != own:
            continue
        span = range(at, at + len(own))
        says = [one for one in span if turn.words[one] not in SILENT and turn.words[one] not in LIGHT]
        new = [one for one in says if turn.before.root not in turn.ground.tables_named(turn.words[one])]
        if new and all(one in free for one in says):
            return frozenset(span)
    return frozenset()


def _at_home(turn: FollowUpTurn, key: str, places: frozenset[int]) -> Clause | None:
    clause = turn.memory.clauses[key]
    if is_most(clause) or turn.memory.is_unsaid(clause) or not _says_itself(clause):
        return None
    here = rooted(clause, turn)
    first = min(places)
    denied = any(negated_at(turn.words, at) for at in range(max(0, first - 3), first))
    if here is None or not denied or key.startswith("NOT "):
        return here
    contrary = turn.memory.clauses.get(f"NOT {key}")
    return rooted(contrary, turn) if contrary else contrary_of([here], turn.before.head, turn.ground.primary)
