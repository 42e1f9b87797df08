"""How the words beside a value of a follow-up compare it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..query.ages import AGED, FLIPPED
from ..query.column_words import ADJECTIVES
from ..query.comparisons import CONTRARY, bound_after, bound_before, negated_at
from ..query.denials import reaches
from ..query.recognise import Found
from ..query.series import leaders
from ..query.small_words import DENYING, phrase_at
from .turn import FollowUpTurn

__all__ = ["Heard", "heard_of"]


@dataclass(frozen=True)
class Heard:
    """How a value is compared, by the words beside it, and, if it is an age, with which adjective (“older than”)."""

    op: str
    words: frozenset[int]
    denied: bool
    aged: str = ""


def heard_of(turn: FollowUpTurn, ones: Sequence[Found]) -> Heard:
    """What the words say of one value, or of the two ends of a range."""
    first, last = ones[0].first, ones[-1].last
    words = frozenset(at for one in ones for at in range(one.first, one.last))
    if len(ones) == 2:
        denying = _denied(turn, first)
        return Heard("between", words | denying, bool(denying))
    bound = bound_before(turn.words, first)
    if bound is None and first and turn.ground.named_at_all([turn.words[first - 1]], turn.before.root):
        bound = bound_before(turn.words, first - 1)
    if bound is None or bound.weak or not all(map(turn.free, range(bound.first, bound.last))):
        behind = bound_after(turn.words, last)
        bound = behind or bound
    denied = _denied(turn, _led(turn, first) if bound is None else bound.first)
    if bound is None:
        return Heard("", words | denied, bool(denied))
    own = words | frozenset(range(bound.first, bound.last)) | denied
    op = "" if bound.op in ("=", "<>") or (bound.weak and bound.op != "<=") else bound.op
    op = FLIPPED.get(op, op) if bound.adjective and ADJECTIVES[bound.adjective].stems[0][1] < 0 else op
    aged = bound.adjective if bound.adjective in AGED else ""
    weak_by = bound.weak and op == "<=" and ones[0].kind not in ("time", "date", "number")
    if op in CONTRARY and denied and not weak_by:
        return Heard(CONTRARY[op], own, False, aged)
    return Heard("" if weak_by else op, own, bool(denied) or bound.op == "<>", aged)


def _led(turn: FollowUpTurn, first: int) -> int:
    """Where the first of the values stands that are named in one breath with the one here."""
    found = turn.reading.found
    led = leaders(turn.reading)
    return next((found[led[n]].first for n, one in enumerate(found) if one.first == first and n in led), first)


def _denied(turn: FollowUpTurn, first: int) -> frozenset[int]:
    """The words that deny the value, not more than three before it."""
    said = phrase_at(turn.words[max(0, first - 4) : first], DENYING)
    if said:
        start = max(0, first - 4)
        return frozenset(range(start + said[0], start + said[1]))
    if first > 1 and turn.words[first - 1] == "but":
        return frozenset([first - 1])
    for at in range(first - 1, -1, -1):
        if not turn.free(at):
            break
        many = negated_at(turn.words, at)
        if many and reaches(turn.words, at, first):
            return frozenset(range(at, at + many))
        all_but = turn.words[at] == "but" and turn.words[at - 1 : at] in (("all",), ("everything",), ("everyone",))
        if all_but and first - at < 4:
            return frozenset([at])
    return frozenset()
