"""The drafter that comes with Curtain: values found in the query, near answered questions, clauses put together anew.

It learns from answered questions alone and runs on this machine; `learning` says how. What was learned is kept in a
cache, so that 5,000 questions are there again within two seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from curtain.domain.pack import Pack

from ..followups.followups import (
    Continued,
    before_it,
    leans,
    loses_context,
    may_be_of_all,
    may_lean,
    stands_alone,
    with_choices,
)
from ..followups.going_on import Follower
from ..followups.grouped_again import asks_for_groups
from ..followups.widened import asks_for_more
from ..learned.habits import with_habits
from ..learned.propose import IN_A_HURRY, propose
from ..learned.scoring import Proposal
from ..query.comparisons import asks_for_a_later_one
from ..query.denials import misses_denial
from ..query.lexicon import load_lexicon
from ..query.recognise import Reading, Recogniser
from ..query.series import without_followers
from ..query.small_words import points_back
from ..query.worked_out import asked_otherwise, works_out_unasked
from ..schema.breath import shown_after
from ..schema.directions import directions_in
from ..schema.focus import asks_for_work
from ..schema.misspelled import corrected, known_of
from ..schema.pack_schema import schema_of
from ..schema.reader import SchemaDraft, asks_for_columns, from_schema, from_schema_after, speaks_of_theirs
from ..schema.self_joins import about_those_below, about_those_shown, anchored, turned_up
from ..schema.subjects import about_the_subject, speaks_of_one
from ..sql.alternatives import holding, wider
from ..sql.both import each_of, gives_either
from ..sql.counting import counting
from ..sql.edits import carried_on, compares
from ..sql.ground import Ground
from ..sql.none_of import denies_loosely
from ..sql.parsing import Parser
from ..sql.possible import possible
from ..sql.same_year import assumed_days
from ..sql.statements import Column, Statement, write
from ..values import Draft, Example, Request
from .cache import Kept, Shelf, digest
from .caution import UNSURE, cautious, falling, has_some, loses_best, merged, never_surer, never_surer_if
from .chips import Chips, chosen, drawn, swaps_of, told, told_on
from .combined import Keyed, combined, supplemented, trust_in
from .holdings import holdings_of
from .judging import ENOUGH, OTHERWISE, TORN, judging
from .learning import Known, Learned, Progress, learned_from, parsed, ranked, usual_columns
from .rewritten import holds_all, joined, with_statement
from .sayings import Sayings, sayings_of, values_denied
from .shortlist import Shown, shortlist
from .two_ways import Twice, drawn_with_both, with_both

__all__ = ["LocalDrafter"]

_SAMPLE = 200
_LEAST_LIKE = 0.12
# The schema is not asked where what was learned is sure enough; where very many questions were answered, only if that
# leaves nearly everything open: with 4,347 for air travel it has little to add, and takes its time.
_SURE = 0.8
_DOUBTFUL = 0.1
# Of fewer, nothing can be said of what most questions are about.
_FEW_FOR_A_HUB = 20
# What asks for something that no draft can say is never sure.
_BEYOND = 0.2
# What is left of edits where the schema reads more of a follow-up than they do.
_REST = 0.8
_NO_WORDS = Reading("", (), ())


class LocalDrafter:
    """Drafts from the answered questions of a pack; odd queries get no draft or a cautious one, never an error.

    The first time it learns from its examples, for a few seconds, or for minutes where there are thousands; `progress`
    is called with what it does and a share between 0 and 1. Raises duckdb.Error if the database cannot be read.
    """

    def __init__(
        self,
        pack: Pack,
        db_path: Path,
        examples: Iterable[Example],
        cache: Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._lexicon = load_lexicon(pack, db_path)
        self._swaps = swaps_of(self._lexicon)
        self._schema = schema_of(pack, self._lexicon)
        self._holdings = holdings_of(self._schema, db_path)
        examples = list(examples)
        spelt = known_of(self._schema, self._lexicon, (example.question for example in examples))
        self._recogniser = Recogniser(self._lexicon, pack.periods, pack.as_of, partial(corrected, known=spelt))
        self._included = _ends_included(pack.periods)
        self._keys = pack.keys.primary
        self._ground = Ground(pack, self._lexicon.words)
        self._follower = Follower(self._ground)
        shelf = Shelf(cache, pack, db_path)
        kept = shelf.find(examples)
        if kept is None:
            kept = self._learn_all(pack, examples, progress or (lambda what, share: None))
            shelf.keep(examples, kept)
        self._parser = Parser(pack.tables, kept.hub, pack.keys.primary)
        self._learned: Learned = kept.learned
        self._recogniser.usual = kept.usual
        known = set(kept.digests)
        for example in examples:
            if digest(example) not in known:
                self.learn(example)
        self._follower.seen(self._learned.memory)

    def _learn_all(self, pack: Pack, examples: Sequence[Example], tell: Progress) -> Kept:
        tell("Reading the examples", 0.0)
        hub = hub_of(pack, examples)
        parser = Parser(pack.tables, hub, pack.keys.primary)
        first = parsed(examples, self._recogniser, parser)
        self._recogniser.usual = usual_columns(first)
        known = parsed(examples, self._recogniser, parser)
        digests = tuple(digest(example) for example in examples)
        learned = learned_from(known, pack.tables, tell)
        learned.trust = trust_in(self._schema, known, parser)
        return Kept(digests, learned, hub, self._recogniser.usual)

    def learn(self, example: Example) -> None:
        """From now on this question has been answered."""
        for known in parsed([example], self._recogniser, self._parser):
            reading = with_habits(known.reading, self._learned.habits)
            self._learned.add(Known(known.example, reading, known.statement))

    def withdraw(self, example_id: str) -> None:
        """Forget the example of this id, if it is known."""
        if example_id:
            self._learned.memory.forget(example_id)

    def drafts(self, request: Request) -> Sequence[Draft]:
        """Up to `request.n` drafts, best first."""
        plain = chosen(self._recogniser.read(request.question), request.choices, self._lexicon)
        reading = with_habits(plain, self._learned.habits)
        if not reading.words:
            return []
        said = sayings_of(reading, self._learned.memory.expected)
        alone = falling(self._alone(plain, reading, said, request))
        going_on = self._going_on(reading, said, request)
        if request.previous:
            alone = [self._yearless(draft, reading) for draft in alone]
        if leans(reading) or self._goes_on(reading, request):
            drafts = merged(going_on, alone)
            if request.previous and (not going_on or may_be_of_all(reading)):
                drafts = never_surer(drafts, UNSURE)
            if loses_context(request.previous, self._parser):
                drafts = never_surer(drafts, UNSURE)
        elif stands_alone(reading):
            drafts = merged(alone, going_on)
            if going_on and may_lean(reading):
                drafts = never_surer(drafts, UNSURE)
        else:
            drafts = sorted([*alone, *going_on], key=lambda draft: -draft.confidence)
        if self._asks_beyond(reading):
            drafts = never_surer(drafts, _BEYOND)
        drafts = cautious(drafts, said, len(self._learned.memory.entries) < ENOUGH)
        return _unique(drafts)[: request.n]

    def _yearless(self, draft: Draft, reading: Reading) -> Draft:
        """The draft, never sure if it assumes a year which the turn before may tell."""
        assumes = any(day in draft.sql for day in assumed_days(reading))
        return never_surer_if(assumes, draft)

    def _asks_beyond(self, reading: Reading) -> bool:
        """Whether the query asks for something that no draft can say unless an answered question does: “the second
        cheapest”, “the second flight”."""
        asked = asks_for_a_later_one([word.text for word in reading.words], self._lexicon.tables)
        return asked is not None and not self._learned.memory.heard[" ".join(asked)]

    def _alone(self, plain: Reading, reading: Reading, said: Sayings, request: Request) -> list[Draft]:
        """Drafts for the query by itself. What only answered questions tell of its values, the schema does not know."""
        included = self._included if request.reading == "pack" else True
        proposals = self._candidates(reading, said, included)
        if request.previous and leans(reading):
            # What an example took from the turn before it is not what this one takes.
            proposals = [one for one in proposals if not one.feature("unsaid")]
        learned = self._learned_drafts(proposals, reading, said, request.n)
        many = len(self._learned.memory.entries) >= ENOUGH
        if learned and learned[0].draft.confidence >= (_DOUBTFUL if many else _SURE):
            return [one.draft for one in learned]
        drawn = self._drawn(plain, said, request.n)
        return supplemented(learned, drawn, request.n) if many else combined(learned, drawn)

    def _candidates(self, reading: Reading, said: Sayings, included: bool | None) -> list[Proposal]:
        """What answered questions suggest, also for what is said in one breath or denied."""
        memory, reader, suits = self._learned.memory, self._learned.reader, self._holdings.suits

        def heard(part: Reading) -> list[Proposal]:
            return propose(part, memory, reader, included, suits, IN_A_HURRY)

        found = [one for one in heard(reading) if holds_all(one)]
        if said.series:
            shorter = heard(without_followers(reading, said.series))
            found += filter(None, (joined(one, said.series, reading) for one in shorter))
        if said.twice:
            once = heard(reading.without(said.twice.again))
            found += filter(None, (with_both(one, said.twice, reading) for one in once))
        saying = [self._in_minutes(said.put_into(one, self._keys), said) for one in found]
        return saying if len(memory.entries) >= ENOUGH else [self._counting(one, reading) for one in saying]

    def _in_minutes(self, proposal: Proposal, said: Sayings) -> Proposal:
        """The candidate with hours as minutes where a column holds these."""
        changed = self._holdings.in_minutes(proposal.statement, said.hours) if said.hours else proposal.statement
        return with_statement(proposal, changed) if changed != proposal.statement else proposal

    def _counting(self, proposal: Proposal, reading: Reading) -> Proposal:
        """The candidate with a count in the place of a list, if the query asks how many."""
        changed = counting(proposal.statement, reading, self._ground)
        return with_statement(proposal, changed) if changed else proposal

    def _learned_drafts(self, proposals: Sequence[Proposal], reading: Reading, said: Sayings, n: int) -> list[Keyed]:
        judge = judging(reading, said, self._learned.memory, self._holdings, self._schema)
        candidates = [
            one
            for one in ranked(self._learned, proposals)
            if one.proposal.used or one.proposal.feature("alike") > _LEAST_LIKE
        ]
        chips = Chips(reading, self._swaps)
        return [
            Keyed(one.proposal.statement, self._told(one, chips))
            for one in shortlist(candidates, judge, directions_in(reading), n)
        ]

    def _told(self, one: Shown, chips: Chips) -> Draft:
        chance = one.chance * (OTHERWISE if one.turned else 1.0)
        return told(one.proposal.sql, chance, one.proposal, chips, self._learned.memory)

    def _drawn(self, reading: Reading, said: Sayings, n: int) -> list[Keyed]:
        """Drafts from the schema alone, as sure as such drafts are right in this domain."""
        found = [self._drawn_counting(one, reading) for one in self._from_schema(reading, said.twice)[:n]]
        found = [self._as_said(one, reading, said) for one in found if possible(one.statement)]
        named = self._schema.named_by(said.beside)
        off = [self._holdings.far_off(one.statement, named, said.measures) for one in found]
        counts = zip(self._counts(found, reading, said), off, strict=True)
        shares = [self._learned.trust * count * (OTHERWISE if wrong else 1.0) for count, wrong in counts]
        chips = Chips(reading, self._swaps)
        return [
            Keyed(one.statement, drawn(one, one.confidence * share, chips))
            for one, share in zip(found, shares, strict=True)
        ]

    def _from_schema(self, reading: Reading, twice: Twice | None) -> list[SchemaDraft]:
        # Where very many questions were answered, the schema has little to add.
        brief = len(self._learned.memory.entries) >= ENOUGH
        if twice is not None:
            parts = twice.parts(reading)
            first, again = (from_schema(part, self._schema, brief, others) for part, others in parts)
            if both := drawn_with_both(first, again, twice):
                return both
        return from_schema(reading, self._schema, brief)

    def _drawn_counting(self, one: SchemaDraft, reading: Reading) -> SchemaDraft:
        changed = counting(one.statement, reading, self._ground)
        return replace(one, statement=changed) if changed else one

    def _as_said(self, one: SchemaDraft, reading: Reading, said: Sayings) -> SchemaDraft:
        """The draft with alternatives as such, with each of what must be so together, and with hours as minutes."""
        statement = each_of(one.statement, self._keys) if said.both else one.statement
        if said.alternatives.pairs:
            held = holding(statement, reading).__getitem__
            statement = wider(statement, said.alternatives.pairs, held) or statement
        return replace(one, statement=self._holdings.in_minutes(statement, said.hours))

    def _counts(self, found: Iterable[SchemaDraft | Continued], reading: Reading, says: Sayings) -> list[float]:
        """How far each of these statements counts: little if it misses what the query denies of the values it uses, has
        a sum of money where none can be, or goes another way than is said."""
        denied, directions = values_denied(reading), directions_in(reading)

        def count(one: SchemaDraft | Continued) -> float:
            statement, said = one.statement, not denied.isdisjoint(one.used)
            sql = write(statement)
            missed = misses_denial(sql, one.used, denied) or (said and denies_loosely(statement, self._keys))
            wrong_way = directions.turned_about(directions.doing_in(statement))
            misread = self._holdings.misread(statement, says.prices, says.measured)
            misread = misread or asked_otherwise(sql, says.words)
            torn = says.twice is not None and says.twice.torn(one.used)
            return (OTHERWISE if missed or wrong_way or misread else 1.0) * (TORN if torn else 1.0)

        return [count(one) for one in found]

    def _going_on(self, reading: Reading, said: Sayings, request: Request) -> list[Draft]:
        """Drafts that change the statement of the turn before."""
        earlier = before_it(request.previous, self._parser)
        if not earlier:
            return []
        words = [word.text for word in reading.words]
        changed = about_those_below(with_choices(earlier[-1], request.choices), self._schema)
        if speaks_of_one(words):
            asked = self._recogniser.read(request.previous[-1].question)
            changed = about_the_subject(asked, changed, next(iter(earlier[-2:-1]), None), self._schema)
        if points_back(words):
            changed = about_those_shown(changed, self._schema)
        guess, usual = (self._learned.reader.guess(one) for one in (reading, _NO_WORDS))
        included = self._included if request.reading == "pack" else True
        edits = self._follower.continued(
            reading, [*earlier[:-1], changed], guess, usual, self._learned.memory, included
        )
        found = [self._changed_as_said(one, changed, said) for one in edits]
        chips, old = Chips(reading, self._swaps), write(changed)
        texts = [write(one.statement) for one in found]
        unasked = [works_out_unasked(sql, old, words) or loses_best(sql, said) for sql in texts]
        counts = zip(found, self._counts(found, reading, said), unasked, strict=True)
        told_so = [
            told_on(one, one.chance * count * (OTHERWISE if wrong else 1.0), chips) for one, count, wrong in counts
        ]
        edited = sorted(told_so, key=lambda draft: -draft.confidence)
        if self._asks_who_has_most(words) or (has_some(words) and not reading.found):
            edited = never_surer(edited, UNSURE)
        carried = self._carried_on(reading, said, changed)
        # Edits that know nothing of what the schema reads there are misread.
        if not carried:
            return edited
        first, plain = carried[0], _plainly(carried[0].sql)
        surest = max((one.confidence for one in edited if _plainly(one.sql) == plain), default=0.0)
        first = replace(first, confidence=max(first.confidence, surest))
        rest = [one for one in edited if _plainly(one.sql) != plain]
        return [first, *carried[1:], *never_surer(rest, _REST * first.confidence)]

    def _asks_who_has_most(self, words: Sequence[str]) -> bool:
        """Whether the words ask of which there are the most: no edit counts so."""
        named = (other for one, other in pairwise(words) if one in ("most", "fewest", "least"))
        return any(self._ground.tables_named(word) for word in named)

    def _goes_on(self, reading: Reading, request: Request) -> bool:
        """Whether a query can only be said of the turn before, whatever its words point to."""
        earlier = before_it(request.previous, self._parser)
        if not earlier:
            return False
        more = (speaks_of_theirs, asks_for_columns)
        groups = asks_for_groups([word.text for word in reading.words])
        return groups or any(says(reading, self._schema, earlier[-1]) for says in more)

    def _carried_on(self, reading: Reading, said: Sayings, before: Statement) -> list[Draft]:
        """The statement before with what only the schema reads of a follow-up."""
        columns = asks_for_columns(reading, self._schema, before)
        theirs = columns or speaks_of_theirs(reading, self._schema, before)
        if stands_alone(reading) and not (may_lean(reading) or theirs):
            return []
        read = [self._as_said(one, reading, said) for one in from_schema_after(reading, self._schema, before)]
        words = [word.text for word in reading.words]
        asks_anew = columns or asks_for_work(words)
        found = [replace(one, statement=self._carrying(before, one, asks_anew)) for one in read]
        if columns:
            key = self._keys.get(before.root, ())
            found = [replace(one, statement=shown_after(one.statement, before, words, key)) for one in found]
        chips = Chips(reading, self._swaps)
        lost = (OTHERWISE if loses_best(write(one.statement), said) else 1.0 for one in found)
        counts = zip(self._counts(found, reading, said), lost, strict=True)
        shares = (self._learned.trust * count * share for count, share in counts)
        drafts = [drawn(one, one.confidence * share, chips) for one, share in zip(found, shares, strict=True)]
        return sorted(drafts, key=lambda draft: -draft.confidence)

    def _carrying(self, before: Statement, one: SchemaDraft, asks_anew: bool) -> Statement:
        said = one.statement
        if not one.they:
            carried = carried_on(before, said, self._ground)
            asks_for_boss = Column(said.root, self._schema.bosses.get(said.root, "")) in said.head
            return replace(carried, head=said.head) if asks_anew or asks_for_boss else carried
        # “His boss”, “who reports to them”: other rows than those before are asked about.
        whole = replace(anchored(before, one.they), root=said.root, head=said.head)
        return turned_up(carried_on(whole, said, self._ground), self._schema)

    def _changed_as_said(self, one: Continued, before: Statement, said: Sayings) -> Continued:
        """The edit with hours as minutes, and with each of what must be so together, in what was not there before; one
        that compares what is out of all bounds, or nothing where the query does, is never sure."""
        minutes = self._holdings.in_minutes(one.statement, said.hours)
        pairs = zip(one.statement.clauses, minutes.clauses, strict=True)
        clauses = tuple(old if old in before.clauses else new for old, new in pairs)
        changed = replace(one.statement, clauses=clauses)
        new = [clause for clause in clauses if clause not in before.clauses]
        loose = one.loose or self._holdings.outside(new, self._schema.named_by(said.words))
        loose = loose or (any(number in said.compared for number in one.used) and not any(map(compares, new)))
        if not said.both:
            return replace(one, statement=changed, loose=loose)
        each = each_of(changed, self._keys, before.clauses)
        loose = loose or asks_for_more(said.words) or gives_either(each, self._keys, before.clauses)
        return replace(one, statement=each, loose=loose)


def _plainly(sql: str) -> str:
    """The statement, whether it has each row once or not."""
    return sql.replace("DISTINCT ", "")


def _unique(drafts: Iterable[Draft]) -> list[Draft]:
    found: dict[str, Draft] = {}
    for draft in drafts:
        found.setdefault(draft.sql, draft)
    return list(found.values())


def hub_of(pack: Pack, examples: Sequence[Example]) -> str:
    """The table that most statements ask for, by a sample of them; of a few nothing can be said."""
    if len(examples) < _FEW_FOR_A_HUB:
        return ""
    parser = Parser(pack.tables)
    step = max(1, len(examples) // _SAMPLE)
    read = [parser.parse(example.sql) for example in examples[::step]]
    roots = Counter(statement.root for statement in read if statement is not None)
    return max(roots, key=lambda name: roots[name]) if roots else ""


def _ends_included(periods: Mapping[str, Any]) -> bool:
    return any(isinstance(period, Mapping) and period.get("ends_included") for period in periods.values())
