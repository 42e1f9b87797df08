"""What a discourse corpus is made of: pairs, triplets and chains (papers/000, S-7 and section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from curtain.corpus.model.utterance import Session, Utterance


@dataclass(frozen=True)
class Triplet:
    """(query 1, query 2, answer 2): what `second` needs is in the text of `first`; the answer is its reference."""

    first: Utterance
    second: Utterance


@dataclass(frozen=True)
class Chain:
    """A query that depends on context, with everything that it depends on before it, in order; itself the last.

    `missing` are utterances it depends on that are not in the corpus; `evaluable` if nothing is missing, everything
    has a class other than X, and the last has a reference.
    """

    utterances: tuple[Utterance, ...]
    missing: tuple[str, ...] = ()

    @property
    def last(self) -> Utterance:
        """The utterance that the chain leads to."""
        return self.utterances[-1]

    @property
    def evaluable(self) -> bool:
        """Whether all of it has a class other than X, none is missing and the last one has references (004)."""
        classed = all(one.eval_class not in (None, "X") for one in self.utterances)
        return classed and not self.missing and bool(self.last.references)


def pairs(session: Session) -> Iterator[Utterance]:
    """The queries of category 0 with a reference: each is a pair of a query and its answer."""
    return (one for one in session.utterances if one.category == "0" and one.references)


def triplets(session: Session) -> Iterator[Triplet]:
    """The queries of category 1 with a reference, each with the query before it."""
    by_id = {one.utterance_id: one for one in session.utterances}
    for utterance in session.utterances:
        # Category 1 needs the text of one query (papers/000, S-7); with two pointers it is a chain.
        if utterance.category == "1" and utterance.references and len(utterance.context) == 1:
            first = by_id.get(utterance.context[0].utterance_id)
            if first is not None:
                yield Triplet(first, utterance)


def chains(session: Session) -> Iterator[Chain]:
    """For each query that depends on context, all that leads to it."""
    by_id = {one.utterance_id: one for one in session.utterances}
    for utterance in session.utterances:
        if utterance.context:
            needed, missing = _needed(utterance, by_id)
            yield Chain((*sorted(needed, key=lambda each: each.turn), utterance), tuple(sorted(missing)))


def _needed(utterance: Utterance, by_id: dict[str, Utterance]) -> tuple[list[Utterance], set[str]]:
    needed: dict[str, Utterance] = {}
    missing: set[str] = set()
    waiting = [link.utterance_id for link in utterance.context]
    while waiting:
        name = waiting.pop()
        # Pointers that go in a circle are a fault of annotation and must not hang an export.
        if name in needed or name == utterance.utterance_id:
            continue
        if name in by_id:
            needed[name] = by_id[name]
            waiting += [link.utterance_id for link in by_id[name].context]
        else:
            missing.add(name)
    return list(needed.values()), missing
