"""The drafter that comes with Curtain: values found in the query, near answered questions, clauses put together anew.

It learns from answered questions alone and runs on this machine; `learning` says how. What was learned is kept in a
cache, so that 5,000 questions are there again within two seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from curtain.domain.pack.pack import Pack

from ..followups.followups import is_a_piece, leans, loses_context, may_be_of_all, may_lean, stands_alone
from ..learned.habits import with_habits
from ..query.comparisons import asks_for_a_later_one
from ..query.recognise import Reading
from ..sql.clock import on_the_clock
from ..sql.parsing import Parser
from ..sql.same_year import assumed_days
from ..sql.statements import write
from ..values import Draft, Example, Request
from .by_examples import ByExamples
from .by_schema import BySchema
from .by_turn import ByTurn
from .cache import Kept, Shelf, digest
from .caution import UNSURE, cautious, falling, merged, never_surer, never_surer_if
from .chips import chosen
from .combined import combined, supplemented, trust_in
from .domain import domain_of
from .judging import ENOUGH
from .learning import Known, Learned, Progress, learned_from, parsed, usual_columns
from .sayings import Sayings, sayings_of

__all__ = ["LocalDrafter"]

_SAMPLE = 200
# The schema is not asked where what was learned is sure enough; where very many questions were answered, only if that
# leaves nearly everything open: with 4,347 for air travel it has little to add, and takes its time.
_SURE = 0.8
_DOUBTFUL = 0.1
# Of fewer, nothing can be said of what most questions are about.
_FEW_FOR_A_HUB = 20
# So few words, if they do not name what they ask about, hardly are a question by themselves.
_A_FEW = 3
# What asks for something that no draft can say is never sure.
_BEYOND = 0.2


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
        examples = list(examples)
        self._domain = domain_of(pack, db_path, (example.question for example in examples))
        self._recogniser = self._domain.recogniser
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
        self._by_examples = ByExamples(self._domain, self._learned)
        self._by_schema = BySchema(self._domain, self._learned)
        self._by_turn = ByTurn(self._domain, self._learned, self._parser)

    def _learn_all(self, pack: Pack, examples: Sequence[Example], tell: Progress) -> Kept:
        tell("Reading the examples", 0.0)
        hub = hub_of(pack, examples)
        parser = Parser(pack.tables, hub, pack.keys.primary)
        first = parsed(examples, self._recogniser, parser)
        self._recogniser.usual = usual_columns(first)
        known = parsed(examples, self._recogniser, parser)
        digests = tuple(digest(example) for example in examples)
        learned = learned_from(known, pack.tables, tell)
        learned.trust = trust_in(self._domain.schema, known, parser)
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
        plain = chosen(self._recogniser.read(request.question), request.choices, self._domain.lexicon)
        reading = with_habits(plain, self._learned.habits)
        if not reading.words:
            return []
        said = sayings_of(reading, self._learned.memory.expected)
        alone = falling(self._alone(plain, reading, said, request))
        going_on = self._by_turn.drafts(reading, said, request)
        drafts = self._weighed(reading, request, alone, going_on)
        if self._asks_beyond(reading):
            drafts = never_surer(drafts, _BEYOND)
        drafts = cautious(drafts, said, self._knows_few)
        return [self._timed(draft) for draft in _unique(drafts)[: request.n]]

    def _timed(self, draft: Draft) -> Draft:
        """The draft with times of day as the database writes them."""
        clocks = self._parser.clocks
        statement = self._parser.parse(draft.sql) if clocks else None
        return draft if statement is None else replace(draft, sql=write(on_the_clock(statement, clocks)))

    @property
    def _knows_few(self) -> bool:
        return len(self._learned.memory.entries) < ENOUGH

    def _alone(self, plain: Reading, reading: Reading, said: Sayings, request: Request) -> list[Draft]:
        """Drafts for the query by itself. What only answered questions tell of its values, the schema does not know."""
        learned = self._by_examples.drafts(reading, said, request)
        if learned and learned[0].draft.confidence >= (_SURE if self._knows_few else _DOUBTFUL):
            return [one.draft for one in learned]
        drawn = self._by_schema.drafts(plain, said, request.n)
        return combined(learned, drawn) if self._knows_few else supplemented(learned, drawn, request.n)

    def _weighed(
        self, reading: Reading, request: Request, alone: list[Draft], going_on: Sequence[Draft]
    ) -> list[Draft]:
        """Drafts for the query by itself and for one that goes on from the turn before, by what its words point to."""
        if request.previous:
            alone = [_yearless(draft, reading) for draft in alone]
        if leans(reading) or is_a_piece(reading) or self._by_turn.goes_on(reading, request):
            drafts = merged(going_on, alone)
            lost = loses_context(request.previous, self._parser)
            unsure = lost or bool(request.previous and (not going_on or may_be_of_all(reading)))
        elif stands_alone(reading):
            drafts = merged(alone, going_on)
            unsure = bool(going_on) and may_lean(reading)
        elif going_on and len(reading.words) <= _A_FEW and not self._by_turn.names_rows(reading):
            return merged(going_on, alone)
        else:
            return sorted([*alone, *going_on], key=lambda draft: -draft.confidence)
        return never_surer(drafts, UNSURE) if unsure else drafts

    def _asks_beyond(self, reading: Reading) -> bool:
        """Whether the query asks for something that no draft can say unless an answered question does: “the second
        cheapest”, “the second flight”."""
        asked = asks_for_a_later_one([word.text for word in reading.words], self._domain.lexicon.tables)
        return asked is not None and not self._learned.memory.heard[" ".join(asked)]


def _yearless(draft: Draft, reading: Reading) -> Draft:
    """The draft, never sure if it assumes a year which the turn before may tell."""
    assumes = any(day in draft.sql for day in assumed_days(reading))
    return never_surer_if(assumes, draft)


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
