"""The likeliest combinations of what is asked for, conditions, and what each value does."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product

from ..query.recognise import Found
from ..sql.kernels import kernel, kernels
from .memory import Memory, Role, root_of
from .reader import Guess

__all__ = ["DOUBT", "NOTHING", "likely_heads", "likely_meanings", "log_chance"]

NOTHING: Role = frozenset()
Meant = tuple[str, frozenset[str], tuple[Role, ...]]

DOUBT = 0.4
"""What is at least the chance of a clause that a word nearly always meant."""

_FLOOR = 1e-4
_UNLIKELY = 0.001
_HEADS = 5
_DOUBTFUL = 6
_ROLES = 8
_BEAM = 24
_SETS = 20
_TARGETS = 120


def likely_meanings(
    chances: Mapping[str, float], given: Mapping[str, Guess], memory: Memory, found: Sequence[Found]
) -> list[Meant]:
    """Heads, clauses and roles that go together, best first. What clauses and values do depends on the table that is
    asked about: `given` tells it for the root of each likely head."""
    heads = likely_heads(chances)
    roots = {root_of(head) for head in heads}
    plains = {root: _clause_sets(given[root].plain) for root in roots}
    roles = {root: _role_sets(given[root], memory, found) for root in roots}
    every = heapq.nlargest(_TARGETS, _together(heads, chances, plains, roles), key=lambda one: one[0])
    return [meant for _, meant in every]


def likely_heads(chances: Mapping[str, float]) -> list[str]:
    """What may be asked for, likeliest first."""
    likely = ((chance, head) for head, chance in chances.items() if chance > _UNLIKELY)
    return [head for _, head in heapq.nlargest(_HEADS, likely)]


def _together(
    heads: Sequence[str],
    chances: Mapping[str, float],
    plains: Mapping[str, list[tuple[float, frozenset[str]]]],
    roles: Mapping[str, list[tuple[float, tuple[Role, ...]]]],
) -> Iterator[tuple[float, Meant]]:
    for head in heads:
        root, own = root_of(head), log_chance(chances[head])
        for (a, plain), (b, role) in product(plains[root], roles[root]):
            yield own + a + b, (head, plain, role)


def _clause_sets(chances: Mapping[str, float]) -> list[tuple[float, frozenset[str]]]:
    sure = {name for name, chance in chances.items() if chance >= 0.5}
    doubtful = _doubtful(chances, sure)
    base = sum(log_chance(max(chance, 1 - chance)) for chance in chances.values() if chance > _UNLIKELY)
    sets = []
    for flips in product((False, True), repeat=len(doubtful)):
        flipped = [one for flip, one in zip(flips, doubtful, strict=True) if flip]
        score = sum(log_chance(chance) - log_chance(1 - chance) for chance, _ in flipped)
        names = chain.from_iterable(names for _, names in flipped)
        sets.append((base + score, frozenset(sure).symmetric_difference(names)))
    return heapq.nlargest(_SETS, sets, key=lambda one: one[0])


def _doubtful(chances: Mapping[str, float], sure: set[str]) -> list[tuple[float, frozenset[str]]]:
    """The clauses that are least sure to be there or not; one of those that say the same. Those with the very same
    chance always came together, as the five days of “on weekdays”: they are there all or not at all."""
    together: dict[tuple[float, str], list[str]] = {}
    for name, chance in chances.items():
        if _UNLIKELY < chance < 1 - _UNLIKELY:
            together.setdefault((chance, name if chance == DOUBT else ""), []).append(name)
    said = {kernel(name) for name in sure}
    found: list[tuple[float, frozenset[str]]] = []
    doubts = ((min(chance, 1 - chance), names) for (chance, _), names in together.items())
    for doubt, names in sorted(doubts, reverse=True):
        new = frozenset(name for name in names if name in sure or kernel(name) not in said)
        if new:
            said |= {kernel(name) for name in new}
            found.append((doubt, new))
    return found[:_DOUBTFUL]


def _role_sets(guess: Guess, memory: Memory, found: Sequence[Found]) -> list[tuple[float, tuple[Role, ...]]]:
    sets: list[tuple[float, tuple[Role, ...]]] = [(0.0, ())]
    for number, chances in enumerate(guess.roles):
        options = _told_apart(chances) or [(0.0, NOTHING)]
        longer = [
            (score + gain, (*roles, role))
            for score, roles in sets
            for gain, role in options
            if _new(roles, role, found, number)
        ]
        sets = heapq.nlargest(_BEAM, longer, key=lambda one: one[0])
    return heapq.nlargest(_SETS, ((s, r) for s, r in sets if _whole(r, memory)), key=lambda one: one[0])


def _told_apart(chances: Mapping[Role, float]) -> list[tuple[float, Role]]:
    """The likeliest roles; of those that say the same by other ways between the tables, the likeliest."""
    found: dict[frozenset[str], tuple[float, Role]] = {}
    likely = sorted(((c, role) for role, c in chances.items() if c > _UNLIKELY), key=lambda one: -one[0])
    for chance, role in likely:
        found.setdefault(kernels(role), (log_chance(chance), role))
        if len(found) == _ROLES:
            break
    return list(found.values())


def _new(roles: Sequence[Role], role: Role, found: Sequence[Found], number: int) -> bool:
    """A role is played by one value; by two only if they are the same."""
    if not role:
        return True
    return all(
        other != role or found[n].meanings[0].label == found[number].meanings[0].label for n, other in enumerate(roles)
    )


def _whole(roles: Sequence[Role], memory: Memory) -> bool:
    """Whether clauses with several values have them all."""
    names = {name for role in roles for name in role if " @" in name}
    bases = {name.rsplit(" @", 1)[0] for name in names}
    return all(f"{base} @{n}" in names for base in bases for n in range(memory.places[base]))


def log_chance(chance: float) -> float:
    """The logarithm of a probability; nothing is taken for quite impossible."""
    return math.log(max(chance, _FLOOR))
