"""Drafts from the schema alone, changed as the query says and as sure as such drafts are right in this domain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..followups.followups import Continued
from ..query.denials import misses_denial
from ..query.recognise import Reading
from ..query.worked_out import asked_otherwise
from ..schema.directions import directions_in
from ..schema.reader import SchemaDraft, from_schema
from ..sql.alternatives import holding, wider
from ..sql.both import each_of
from ..sql.counting import counting
from ..sql.none_of import denies_loosely
from ..sql.possible import possible
from ..sql.statements import write
from .chips import Chips, drawn
from .combined import Keyed
from .domain import Domain
from .judging import ENOUGH, OTHERWISE, TORN
from .learning import Learned
from .sayings import Sayings, values_denied
from .two_ways import Twice, drawn_with_both

__all__ = ["BySchema", "as_said", "counts"]


class BySchema:
    """What the schema alone suggests."""

    def __init__(self, domain: Domain, learned: Learned) -> None:
        self._domain = domain
        self._learned = learned

    def drafts(self, reading: Reading, said: Sayings, n: int) -> list[Keyed]:
        """At most `n` of them, best first."""
        found = [self._counting(one, reading) for one in self._read(reading, said.twice)[:n]]
        found = [as_said(one, reading, said, self._domain) for one in found if possible(one.statement)]
        named = self._domain.schema.named_by(said.beside)
        off = [self._domain.holdings.far_off(one.statement, named, said.measures) for one in found]
        how_far = zip(counts(found, reading, said, self._domain), off, strict=True)
        shares = [self._learned.trust * count * (OTHERWISE if wrong else 1.0) for count, wrong in how_far]
        chips = Chips(reading, self._domain.swaps)
        return [
            Keyed(one.statement, drawn(one, one.confidence * share, chips))
            for one, share in zip(found, shares, strict=True)
        ]

    def _read(self, reading: Reading, twice: Twice | None) -> list[SchemaDraft]:
        # Where very many questions were answered, the schema has little to add.
        brief, schema = len(self._learned.memory.entries) >= ENOUGH, self._domain.schema
        if twice is not None:
            parts = twice.parts(reading)
            first, again = (from_schema(part, schema, brief, others) for part, others in parts)
            if both := drawn_with_both(first, again, twice):
                return both
        return from_schema(reading, schema, brief)

    def _counting(self, one: SchemaDraft, reading: Reading) -> SchemaDraft:
        changed = counting(one.statement, reading, self._domain.ground)
        return replace(one, statement=changed) if changed else one


def as_said(one: SchemaDraft, reading: Reading, said: Sayings, domain: Domain) -> SchemaDraft:
    """The draft with alternatives as such, with each of what must be so together, and with hours as minutes."""
    statement = each_of(one.statement, domain.keys) if said.both else one.statement
    if said.alternatives.pairs:
        held = holding(statement, reading).__getitem__
        statement = wider(statement, said.alternatives.pairs, held) or statement
    return replace(one, statement=domain.holdings.in_its_unit(statement, said.lasting))


def counts(found: Iterable[SchemaDraft | Continued], reading: Reading, says: Sayings, domain: Domain) -> list[float]:
    """How far each of these statements counts: little if it misses what the query denies of the values it uses, has a
    sum of money where none can be, or goes another way than is said."""
    denied, directions = values_denied(reading), directions_in(reading)

    def count(one: SchemaDraft | Continued) -> float:
        statement, said = one.statement, not denied.isdisjoint(one.used)
        sql = write(statement)
        missed = misses_denial(sql, one.used, denied) or (said and denies_loosely(statement, domain.keys))
        wrong_way = directions.turned_about(directions.doing_in(statement))
        misread = domain.holdings.misread(statement, says.prices, says.measured)
        misread = misread or asked_otherwise(sql, says.words)
        torn = says.twice is not None and says.twice.torn(one.used)
        return (OTHERWISE if missed or wrong_way or misread else 1.0) * (TORN if torn else 1.0)

    return [count(one) for one in found]
