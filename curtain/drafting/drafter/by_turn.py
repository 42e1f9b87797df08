"""Drafts that change the statement of the turn before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ..followups.followups import Continued, before_it, may_lean, stands_alone, with_choices
from ..followups.going_on import Follower
from ..followups.grouped_again import asks_for_groups
from ..followups.half_of_day import in_its_half
from ..followups.widened import asks_for_more
from ..query.recognise import Reading
from ..query.small_words import points_back
from ..query.worked_out import works_out_unasked
from ..schema.breath import shown_after
from ..schema.focus import asks_for_work
from ..schema.reader import SchemaDraft, asks_for_columns, from_schema_after, speaks_of_theirs
from ..schema.self_joins import about_those_below, about_those_shown, anchored, turned_up
from ..schema.subjects import about_the_subject, speaks_of_one
from ..sql.both import each_of, gives_either
from ..sql.edits import carried_on, compares
from ..sql.parsing import Parser
from ..sql.statements import Column, Statement, write
from ..values import Draft, Request
from .by_schema import as_said, counts
from .caution import UNSURE, has_some, loses_best, never_surer
from .chips import Chips, drawn, told_on
from .domain import Domain
from .judging import OTHERWISE
from .learning import Learned
from .sayings import Sayings

__all__ = ["ByTurn"]

# What is left of edits where the schema reads more of a follow-up than they do.
_REST = 0.8
_NO_WORDS = Reading("", (), ())


class ByTurn:
    """Edits of what was asked before, and what the schema reads of a query that goes on from it."""

    def __init__(self, domain: Domain, learned: Learned, parser: Parser) -> None:
        self._domain = domain
        self._learned = learned
        self._parser = parser
        self._follower = Follower(domain.ground)
        self._follower.seen(learned.memory)

    def goes_on(self, reading: Reading, request: Request) -> bool:
        """Whether a query can only be said of the turn before, whatever its words point to."""
        earlier = before_it(request.previous, self._parser)
        if not earlier:
            return False
        more = (speaks_of_theirs, asks_for_columns)
        groups = asks_for_groups([word.text for word in reading.words])
        return groups or any(says(reading, self._domain.schema, earlier[-1]) for says in more)

    def names_rows(self, reading: Reading) -> bool:
        """Whether a word names what a query may ask about: “morning flights”."""
        return any(self._domain.ground.tables_named(word.text) for word in reading.words)

    def drafts(self, reading: Reading, said: Sayings, request: Request) -> list[Draft]:
        """Best first; none without a turn before that can be taken apart."""
        earlier = before_it(request.previous, self._parser)
        if not earlier:
            return []
        before = self._meant(reading, earlier, request)
        reading = in_its_half(reading, before, self._domain.ground)
        edited = self._edited(reading, said, [*earlier[:-1], before], self._domain.includes_ends(request))
        carried = self._carried_on(reading, said, before)
        # Edits that know nothing of what the schema reads there are misread.
        if not carried:
            return edited
        first, plain = carried[0], _plainly(carried[0].sql)
        surest = max((one.confidence for one in edited if _plainly(one.sql) == plain), default=0.0)
        first = replace(first, confidence=max(first.confidence, surest))
        rest = [one for one in edited if _plainly(one.sql) != plain]
        return [first, *carried[1:], *never_surer(rest, _REST * first.confidence)]

    def _meant(self, reading: Reading, earlier: Sequence[Statement], request: Request) -> Statement:
        """The statement before as the query means it: about those below, about the one who was spoken of, or about
        those who were shown."""
        words, schema = [word.text for word in reading.words], self._domain.schema
        meant = about_those_below(with_choices(earlier[-1], request.choices), schema)
        if speaks_of_one(words):
            asked = self._domain.recogniser.read(request.previous[-1].question)
            meant = about_the_subject(asked, meant, next(iter(earlier[-2:-1]), None), schema)
        return about_those_shown(meant, schema) if points_back(words) else meant

    def _edited(self, reading: Reading, said: Sayings, earlier: Sequence[Statement], included: bool) -> list[Draft]:
        """Edits of the last of these statements, the surest first."""
        before, words = earlier[-1], [word.text for word in reading.words]
        guess, usual = (self._learned.reader.guess(one) for one in (reading, _NO_WORDS))
        edits = self._follower.continued(reading, earlier, guess, usual, self._learned.memory, included)
        found = [self._changed_as_said(one, before, said) for one in edits]
        chips, old = Chips(reading, self._domain.swaps), write(before)
        texts = [write(one.statement) for one in found]
        unasked = [works_out_unasked(sql, old, words) or loses_best(sql, said) for sql in texts]
        how_far = zip(found, counts(found, reading, said, self._domain), unasked, strict=True)
        drafts = [
            told_on(one, one.chance * count * (OTHERWISE if wrong else 1.0), chips) for one, count, wrong in how_far
        ]
        edited = sorted(drafts, key=lambda draft: -draft.confidence)
        unsure = self._asks_who_has_most(words) or (has_some(words) and not reading.found)
        return never_surer(edited, UNSURE) if unsure else edited

    def _asks_who_has_most(self, words: Sequence[str]) -> bool:
        """Whether the words ask of which there are the most: no edit counts so."""
        named = (other for one, other in pairwise(words) if one in ("most", "fewest", "least"))
        return any(self._domain.ground.tables_named(word) for word in named)

    def _carried_on(self, reading: Reading, said: Sayings, before: Statement) -> list[Draft]:
        """The statement before with what only the schema reads of a follow-up."""
        schema = self._domain.schema
        columns = asks_for_columns(reading, schema, before)
        theirs = columns or speaks_of_theirs(reading, schema, before)
        if stands_alone(reading) and not (may_lean(reading) or theirs):
            return []
        read = [as_said(one, reading, said, self._domain) for one in from_schema_after(reading, schema, before)]
        words = [word.text for word in reading.words]
        asks_anew = columns or asks_for_work(words)
        found = [replace(one, statement=self._carrying(before, one, asks_anew)) for one in read]
        if columns:
            key = self._domain.keys.get(before.root, ())
            found = [replace(one, statement=shown_after(one.statement, before, words, key)) for one in found]
        chips = Chips(reading, self._domain.swaps)
        lost = (OTHERWISE if loses_best(write(one.statement), said) else 1.0 for one in found)
        how_far = zip(counts(found, reading, said, self._domain), lost, strict=True)
        shares = (self._learned.trust * count * share for count, share in how_far)
        drafts = [drawn(one, one.confidence * share, chips) for one, share in zip(found, shares, strict=True)]
        return sorted(drafts, key=lambda draft: -draft.confidence)

    def _carrying(self, before: Statement, one: SchemaDraft, asks_anew: bool) -> Statement:
        said, schema = one.statement, self._domain.schema
        if not one.they:
            carried = carried_on(before, said, self._domain.ground)
            asks_for_boss = Column(said.root, schema.bosses.get(said.root, "")) in said.head
            return replace(carried, head=said.head) if asks_anew or asks_for_boss else carried
        # “His boss”, “who reports to them”: other rows than those before are asked about.
        whole = replace(anchored(before, one.they), root=said.root, head=said.head)
        return turned_up(carried_on(whole, said, self._domain.ground), schema)

    def _changed_as_said(self, one: Continued, before: Statement, said: Sayings) -> Continued:
        """The edit with hours in the unit of a column, and with each of what must be so together, in what was not there
        before; one that compares what is out of all bounds, or nothing where the query does, is never sure."""
        domain = self._domain
        minutes = domain.holdings.in_its_unit(one.statement, said.lasting)
        pairs = zip(one.statement.clauses, minutes.clauses, strict=True)
        clauses = tuple(old if old in before.clauses else new for old, new in pairs)
        changed = replace(one.statement, clauses=clauses)
        new = [clause for clause in clauses if clause not in before.clauses]
        loose = one.loose or domain.holdings.outside(new, domain.schema.named_by(said.words))
        loose = loose or (any(number in said.compared for number in one.used) and not any(map(compares, new)))
        if not said.both:
            return replace(one, statement=changed, loose=loose)
        each = each_of(changed, domain.keys, before.clauses)
        loose = loose or asks_for_more(said.words) or gives_either(each, domain.keys, before.clauses)
        return replace(one, statement=each, loose=loose)


def _plainly(sql: str) -> str:
    """The statement, whether it has each row once or not."""
    return sql.replace("DISTINCT ", "")
