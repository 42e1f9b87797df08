"""“From Boston to Denver and from Denver to Boston”: the same is said twice, with other values, and each row of the
answer is one or the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..learned.memory import filled
from ..learned.scoring import Proposal
from ..query.recognise import Reading
from ..schema.reader import SchemaDraft
from ..sql.alternatives import either_side
from ..sql.statements import Clause, literals_of
from .rewritten import clauses_of, with_statement

__all__ = ["Twice", "drawn_with_both", "routes_in", "said_twice", "with_both"]

_JOINING = frozenset(["and", "or"])
_ARTICLES = frozenset(["a", "an", "the"])
_LEAST = 2


@dataclass(frozen=True)
class Twice:
    """The numbers of the values of what is said first, and of those in their places where it is said again."""

    first: tuple[int, ...]
    again: tuple[int, ...]

    def torn(self, used: Collection[int]) -> bool:
        """Whether of all these values only some are used."""
        return not {*self.first, *self.again} <= {*used}

    def parts(self, reading: Reading) -> Iterator[tuple[Reading, frozenset[int]]]:
        """The query with what is said first alone, and with what is said again, each with the places of the words that
        are of the other."""
        found = reading.found
        ends = found[self.first[-1]].last, found[self.again[-1]].last
        begins = found[self.first[0]].first, found[self.again[0]].first
        yield reading.without(self.again), frozenset(range(*ends))
        yield reading.without(self.first), frozenset(range(*begins))


def said_twice(reading: Reading) -> Twice | None:
    """What a query says twice: two or more values behind an “and” or “or” have the kinds of as many before it and stand
    behind the same words, and not all of them are the same."""
    many = len(reading.found)
    for size in range(many // 2, _LEAST - 1, -1):
        for middle in range(size, many - size + 1):
            found = Twice(tuple(range(middle - size, middle)), tuple(range(middle, middle + size)))
            if _mirrors(reading, found):
                return found
    return None


def _mirrors(reading: Reading, twice: Twice) -> bool:
    found, numbers = reading.found, (*twice.first, *twice.again)
    if any(found[number].weak or number in reading.removed for number in numbers):
        return False
    between = _words(reading, found[twice.first[-1]].last, found[twice.again[0]].first)
    if not between or between[0] not in _JOINING:
        return False
    pairs = [(found[one], found[other]) for one, other in zip(twice.first, twice.again, strict=True)]
    behind = [_word_before(reading, one.first) == _word_before(reading, other.first) for one, other in pairs]
    short = len(between) == 1
    alike = all(one.kind == other.kind for one, other in pairs) and all(behind[short:])
    names = [(one, other) for one, other in pairs if not one.is_measure]
    # “Red Line 82 and Red Line 139”.
    numbered = [(one, other) for one, other in pairs if one.kind == "number"] if names else []
    return alike and any(one.meanings[0] != other.meanings[0] for one, other in [*names, *numbered])


def _word_before(reading: Reading, at: int) -> str:
    """The word before a place that is no article."""
    before = (word.text for word in reversed(reading.words[:at]) if word.text not in _ARTICLES)
    return next(before, "")


def _words(reading: Reading, first: int, last: int) -> list[str]:
    return [word.text for word in reading.words[max(0, first) : last]]


def routes_in(reading: Reading) -> int:
    """How many ways from some name to another a query tells, with an “and” or “or” between them."""
    places = [one for n, one in enumerate(reading.found) if not one.is_measure and n not in reading.removed]
    froms = [one for one in places if _word_before(reading, one.first) == "from"]
    joined = sum(
        not _JOINING.isdisjoint(_words(reading, one.last, two.first))
        and any(_word_before(reading, it.first) == "to" and one.last <= it.first < two.first for it in places)
        for one, two in pairwise(froms)
    )
    return joined + bool(froms)


def with_both(proposal: Proposal, twice: Twice, reading: Reading) -> Proposal | None:
    """A candidate for what is said first, so that it gives what is said again besides; None if that cannot be said."""
    places = dict(zip(twice.first, twice.again, strict=True))
    values = {slot: reading.found[places.get(used, used)] for slot, used in enumerate(proposal.used)}
    if not set(twice.first) <= set(proposal.used) or len(values) != len(proposal.form.slots):
        return None
    other = filled(proposal.form, values)
    if other is None:
        return None
    own = clauses_of(proposal, twice.first)
    there: Sequence[Clause] = [other.clauses[proposal.statement.clauses.index(clause)] for clause in own]
    changed = either_side(proposal.statement, own, there)
    if changed is None:
        return None
    return replace(with_statement(proposal, changed), used=(*proposal.used, *twice.again))


def drawn_with_both(first: Sequence[SchemaDraft], again: Sequence[SchemaDraft], twice: Twice) -> list[SchemaDraft]:
    """Drafts from the schema alone that give what is said first and what is said again, out of those for either."""
    found = []
    for one, other in zip(first, again, strict=False):
        here, there = ({_says(clause): clause for clause in each.statement.clauses} for each in (one, other))
        own = [clause for said, clause in here.items() if said not in there]
        others = [clause for said, clause in there.items() if said not in here]
        changed = either_side(one.statement, own, others) if one.statement.head == other.statement.head else None
        if changed is not None and others:
            sure = min(one.confidence, other.confidence)
            found.append(replace(one, statement=changed, used=(*one.used, *twice.again), confidence=sure))
    return found


def _says(clause: Clause) -> tuple[str, ...]:
    return clause.key, *(hole.text for hole in literals_of(clause.parts))
