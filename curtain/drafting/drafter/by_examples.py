"""Drafts from what answered questions teach."""

from __future__ import annotations

from ..followups.followups import leans
from ..learned.propose import IN_A_HURRY, propose
from ..learned.scoring import Proposal
from ..query.recognise import Reading
from ..query.series import without_followers
from ..schema.directions import directions_in
from ..sql.counting import counting
from ..values import Draft, Request
from .chips import Chips, told
from .combined import Keyed
from .domain import Domain
from .judging import ENOUGH, OTHERWISE, judging
from .learning import Learned, ranked
from .rewritten import holds_all, joined, with_statement
from .sayings import Sayings
from .shortlist import Shown, shortlist
from .two_ways import with_both

__all__ = ["ByExamples"]

_LEAST_LIKE = 0.12


class ByExamples:
    """Candidates that answered questions suggest, put in order and judged by what the query says."""

    def __init__(self, domain: Domain, learned: Learned) -> None:
        self._domain = domain
        self._learned = learned

    def drafts(self, reading: Reading, said: Sayings, request: Request) -> list[Keyed]:
        """What is shown of them, the likeliest first."""
        proposals = self._candidates(reading, said, self._domain.includes_ends(request))
        if request.previous and leans(reading):
            # What an example took from the turn before it is not what this one takes.
            proposals = [one for one in proposals if not one.feature("unsaid")]
        judge = judging(reading, said, self._learned.memory, self._domain.holdings, self._domain.schema)
        candidates = [
            one
            for one in ranked(self._learned, proposals)
            if one.proposal.used or one.proposal.feature("alike") > _LEAST_LIKE
        ]
        chips = Chips(reading, self._domain.swaps)
        shown = shortlist(candidates, judge, directions_in(reading), request.n)
        return [Keyed(one.proposal.statement, self._told(one, chips)) for one in shown]

    def _candidates(self, reading: Reading, said: Sayings, included: bool) -> list[Proposal]:
        """What answered questions suggest, also for what is said in one breath or denied."""
        memory, reader, suits = self._learned.memory, self._learned.reader, self._domain.holdings.suits

        def heard(part: Reading) -> list[Proposal]:
            return propose(part, memory, reader, included, suits, IN_A_HURRY)

        found = [one for one in heard(reading) if holds_all(one)]
        if said.series:
            shorter = heard(without_followers(reading, said.series))
            found += filter(None, (joined(one, said.series, reading) for one in shorter))
        if said.twice:
            once = heard(reading.without(said.twice.again))
            found += filter(None, (with_both(one, said.twice, reading) for one in once))
        saying = [self._in_its_unit(said.put_into(one, self._domain.keys), said) for one in found]
        return saying if len(memory.entries) >= ENOUGH else [self._counting(one, reading) for one in saying]

    def _in_its_unit(self, proposal: Proposal, said: Sayings) -> Proposal:
        """The candidate with hours and minutes in what a column holds."""
        if not said.lasting:
            return proposal
        changed = self._domain.holdings.in_its_unit(proposal.statement, said.lasting)
        return with_statement(proposal, changed) if changed != proposal.statement else proposal

    def _counting(self, proposal: Proposal, reading: Reading) -> Proposal:
        """The candidate with a count in the place of a list, if the query asks how many."""
        changed = counting(proposal.statement, reading, self._domain.ground)
        return with_statement(proposal, changed) if changed else proposal

    def _told(self, one: Shown, chips: Chips) -> Draft:
        chance = one.chance * (OTHERWISE if one.turned else 1.0)
        return told(one.proposal.sql, chance, one.proposal, chips, self._learned.memory)
