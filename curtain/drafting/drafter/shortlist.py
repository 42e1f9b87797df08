"""Which candidates a list shows: the likeliest one, and behind it what is wanted where that one is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..learned.scoring import Proposal
from ..schema.directions import Directions
from ..sql.kernels import skeleton
from .learning import Ranked

__all__ = ["Judged", "Shown", "shortlist"]

_MOST = 80
_LIKELY = 0.1


@dataclass(frozen=True)
class Judged:
    """What is left of a candidate's chance by what it misses of the query, and whether it says otherwise than that."""

    share: float = 1.0
    otherwise: bool = False


@dataclass(frozen=True)
class Shown:
    """A candidate and its chance, whether it says otherwise than the query, and whether a name in it goes the other way
    than its preposition says."""

    proposal: Proposal
    chance: float
    otherwise: bool
    turned: bool


def shortlist(
    candidates: Sequence[Ranked], judge: Callable[[Proposal], Judged], directions: Directions, n: int
) -> list[Shown]:
    """At most `n` of the candidates, which come most likely first. The first that says what the query says stays first;
    behind it comes what is best where it is wrong. What says otherwise takes no place from anything else, still less
    what goes another way; only if by all that was answered it is likely, it has the last place instead of something
    that is not: people also say what they do not mean. Of several that differ only in the way between the tables there
    is one."""

    def shown(one: Ranked) -> Shown:
        judged, turned = judge(one.proposal), directions.turned_about(one.proposal.doing)
        return Shown(one.proposal, one.chance * judged.share, judged.otherwise, turned)

    found: list[Shown] = []
    otherwise: list[Shown] = []
    elsewhere: list[Shown] = []
    best: Shown | None = None
    for one in _likeliest_ahead(candidates[:_MOST], shown):
        best = best or (None if one.turned else one)
        (elsewhere if _goes_elsewhere(one, best, directions) else otherwise if one.otherwise else found).append(one)
        if len(found) == n:
            break
    if len(found) == n > 1 and found[-1].chance < _LIKELY:
        spare = (shown(one) for one in candidates[:_MOST] if one.chance >= _LIKELY)
        places = {id(one.proposal) for one in found}
        left = (one for one in spare if id(one.proposal) not in places)
        left = (one for one in left if one.otherwise or _goes_elsewhere(one, best, directions))
        found[-1] = next(left, found[-1])
    return [*found, *otherwise, *elsewhere][:n]


def _goes_elsewhere(one: Shown, best: Shown | None, directions: Directions) -> bool:
    return one.turned or (best is not None and directions.strayed(one.proposal.doing, best.proposal.doing))


def _likeliest_ahead(candidates: Sequence[Ranked], show: Callable[[Ranked], Shown]) -> Iterator[Shown]:
    """The first candidate that says what the query says, then the others as they are wanted where it is wrong; each
    looked at once at most."""
    looked_at: dict[int, Shown] = {}

    def shown(place: int) -> Shown:
        if place not in looked_at:
            looked_at[place] = show(candidates[place])
        return looked_at[place]

    first = next((place for place in range(len(candidates)) if _says_so(shown(place))), -1)
    order = sorted(range(len(candidates)), key=lambda place: (place != first, -candidates[place].afterwards))
    told: set[str] = set()
    for place in order:
        says = skeleton(candidates[place].proposal.statement)
        if says not in told:
            told.add(says)
            yield shown(place)


def _says_so(one: Shown) -> bool:
    return not (one.otherwise or one.turned)
