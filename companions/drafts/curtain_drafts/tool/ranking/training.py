"""From answered questions to everything that ranking rests on: memory, models, weights, and which draft stands first.

Answered questions and the rules each order their own list. What they say of a statement is put together with weights
that bench/draft_fit.py fits over several databases: a softmax over all statements, and that none of them is right.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain, zip_longest
from random import Random

import msgspec
import numpy as np

from curtain_drafts.drafting.values import Example

from ..algebra.query import Statement, literals_of
from ..algebra.reading import SqlReader
from ..examples.align import Aligned, align
from ..examples.meaning import MeaningModel
from ..examples.memory import Memory, Remembered
from ..examples.models import Neighbours
from ..examples.propose import suggestions
from ..examples.query_view import Sight, look
from ..examples.reader import Reader
from ..grammar.graph import RuleDraft
from ..language.recognise import Reading, Recogniser
from .candidate import FEATURES, START, WEIGHTS, Candidate, after_turn, from_rules, from_suggestion
from .contradictions import MOST_SURE, equalities
from .ranker import Floats, Group, fitted, hits

EVIDENCE = tuple(WEIGHTS["chooser"])
"""What speaks for a statement, by name; the same names have weights where questions are found by words alone."""

BY_MEANING, BY_WORDS = (np.array([WEIGHTS[name][each] for each in EVIDENCE]) for name in ("chooser", "by words"))
"""How much each weighs."""

MANY, _GROWING = 100, ("answered", "share", "rules")
"""From so many answered questions on, some evidence counts more, or less, by the logarithm of how many there are."""

_Evidence = Mapping[str, float]
_AGAINST = (("ignored", "unexplained"), ("breaks", "breaks"))


def of_answered(candidates: Sequence[Candidate], ranker: Floats, seen: Sight) -> list[Candidate]:
    """The candidates of answered questions, best first, with their evidence."""

    def speaks(one: Candidate) -> dict[str, float]:
        entry = seen.memory.entries[one.like] if one.like >= 0 else None
        _, by_words, by_meaning = seen.likeness[:, one.like] if entry else np.zeros(3)
        both = {seen.scenario, entry.example.scenario if entry else ""}
        return {
            "answered": 1.0,
            "made": float(one.made),
            "meaning": by_meaning,
            "words": by_words,
            "same words": one.features["same words"],
            "scenario": float(both == {seen.scenario} != {""}),
            "elsewhere": float(len(both - {""}) > 1),
        }

    scores = [float(np.dot(one.row, ranker)) for one in candidates]
    return _best_first(candidates, scores, "share", len(seen.memory.entries), [*map(speaks, candidates)])


def of_rules(candidates: Sequence[Candidate], answered: int) -> list[Candidate]:
    """The candidates of the rules, best first, with their evidence, where so many questions were answered."""
    rows = [{"rules": 1.0, "rules' score": one.features["score"]} for one in candidates]
    return _best_first(candidates, [row["rules' score"] for row in rows], "rules' share", answered, rows)


def _best_first(
    candidates: Sequence[Candidate], scores: Sequence[float], share: str, answered: int, speaks: Sequence[_Evidence]
) -> list[Candidate]:
    """The candidates by their scores, each with what speaks for it, and its share of all by its score (a softmax)."""
    powers = np.exp(np.array(scores) - max(scores, default=0.0))
    shares, size = np.log(powers / powers.sum() + 1e-6).tolist(), math.log(max(1.0, answered / MANY))
    made = list[Candidate]()
    for one, own, said in zip(candidates, shares, speaks, strict=True):
        row = {**said, share: own, **{name: one.features[old] for name, old in _AGAINST}}
        row |= {f"{name} of many": size * row[name] for name in _GROWING if name in row}
        made.append(replace(one, evidence=(row,)))
    return [made[number] for number in np.argsort(-powers, kind="stable")]


def joined(one: Candidate, rules: Candidate) -> Candidate:
    """One candidate where an answered question and the rules propose the same statement, of which the chances add up.
    The rules do without the tables that the answered question joined for nothing."""
    evidence = tuple({**row, "both": 1.0} for row in (*one.evidence, *rules.evidence))
    if one.made or one.doubts:
        return replace(rules, evidence=evidence)
    ignored = tuple(at for at in rules.ignored if at in one.ignored)
    return replace(rules, like=one.like, evidence=evidence, ignored=ignored, doubts=())


def rows_of(one: Candidate) -> list[list[float]]:
    """What speaks for a candidate in each list, in the order of EVIDENCE, 0 where it has nothing."""
    return [[row.get(name, 0.0) for name in EVIDENCE] for row in one.evidence]


def chances(candidates: Sequence[Candidate], by_meaning: bool) -> Floats:
    """How likely each is right; the rest is the chance that none is."""
    weights = BY_MEANING if by_meaning else BY_WORDS
    scores = [np.logaddexp.reduce(np.array(rows_of(one)) @ weights) for one in candidates]
    powers = np.exp(np.array([*scores, 0.0]) - max(0.0, *scores))
    likely: Floats = powers[:-1] / powers.sum()
    return likely


Progress = Callable[[str, float], None]
Rules = Callable[[Reading], Sequence[RuleDraft]]
"""The drafts of the schema's rules for a query, best first."""
Folds = Sequence[Sequence[Group]]
"""The questions that were held back together, in turn."""

_MOST_HELD = 200
# Of fewer questions nobody learns how to rank, nor what to put together.
_LEAST, _LEAST_TO_COMBINE, _NEVER = 200, 1_000, 1e3
POINTS_BACK = 0.5
"""A question that leans on the turn before more than this points back to it."""
# Of what rests on the names of tables alone, 37 % are right in one database and all in another; what changes the turn
# before rests on them, too.
_MOST_BY_RULES = 0.78
_ROUNDS_OF_MORE = 4
_ROUNDS_IN_TURN = 5
_SEED = 7
_OFTEN = 2


@dataclass(frozen=True)
class Known:
    """An answered question, read."""

    example: Example
    reading: Reading
    query: Statement


class Kept(msgspec.Struct, frozen=True):
    """What was learned before from examples of these digests, in a form that can be written: weights of the ranker,
    whether conditions are put together, the reader, the memory; and of all their statements the table that most ask
    for, and what `usual_columns` and `usual_days` say."""

    digests: frozenset[str]
    ranker: list[float]
    combined: bool
    reader: Reader
    memory: Remembered = msgspec.field(default_factory=Remembered)
    hub: str = ""
    columns: dict[str, int] = {}
    days: dict[str, str] = {}


@dataclass
class Learned:
    """All that drafting needs of answered questions: what was asked, what words mean, the weights of what speaks for a
    candidate, and whether conditions that occurred apart are put together (`combined`)."""

    memory: Memory
    reader: Reader = field(default_factory=Reader)
    ranker: Floats = field(default_factory=lambda: np.array(START))
    combined: bool = False

    @classmethod
    def of(cls, tables: Mapping[str, Mapping[str, str]], meaning: MeaningModel | None = None) -> Learned:
        """Without any question."""
        columns = {(table, name): kind for table, own in tables.items() for name, kind in own.items()}
        return cls(Memory(columns, near=Neighbours(meaning)))

    def remember(self, pairs: Iterable[tuple[Known, Aligned]], rounds: int = 8) -> None:
        """More answered questions."""
        entries = [self.memory.add(known.example, known.reading, aligned) for known, aligned in pairs]
        self.reader.fit(entries, self.memory, rounds)

    def kept(self, examples: Iterable[Example], hub: str, columns: dict[str, int], days: dict[str, str]) -> Kept:
        """All that was learned from these examples."""
        digests, ranker = frozenset(one.digest for one in examples), self.ranker.tolist()
        return Kept(digests, ranker, self.combined, self.reader, self.memory.remembered(), hub, columns, days)

    def add(self, known: Known) -> None:
        """One more answered question, used from now on."""
        self.remember([(known, align(known.query, known.reading))], _ROUNDS_OF_MORE)

    def tune(self, kinds: Sequence[Folds]) -> None:
        """How to rank, from folds of questions of each kind whose answers are known. The weights stay unless those that
        other folds teach are no worse for any kind, and better for one."""
        gains = [0] * len(kinds)
        for half in (0, 1):
            weights = fitted([group for folds in kinds for fold in folds[1 - half :: 2] for group in fold], self.ranker)
            for number, folds in enumerate(kinds):
                held = list(chain(*folds[half::2]))
                gains[number] += hits(held, weights) - hits(held, self.ranker)
        if min(gains) >= 0 and max(gains) > 0:
            self.ranker = fitted([group for folds in kinds for fold in folds for group in fold], self.ranker)

    def answered(
        self, reading: Reading, included: bool | None = None, scenario: str = ""
    ) -> tuple[Sight, list[Candidate]]:
        """What answered questions propose, each statement once; and what was seen."""
        seen = look(reading, self.memory, self.reader, scenario)
        known = [from_suggestion(one, seen) for one in suggestions(seen, included, self.combined)]
        known.sort(key=lambda one: (one.made, -one.features["alike"]))
        return seen, _each_once(known, seen)

    def candidates(
        self, reading: Reading, rules: Rules, included: bool | None = None, plain: Reading | None = None,
        scenario: str = "",
    ) -> tuple[Sight, list[Candidate]]:  # fmt: skip
        """What answered questions and the rules of the schema propose, each statement once; and what was seen. The
        rules read the query `plain`: as if nothing were answered."""
        seen, known = self.answered(reading, included, scenario)
        alone = look(plain or reading, Memory(self.memory.columns), Reader())
        own = _each_once([from_rules(one, alone) for one in rules(alone.reading)], alone)
        candidates = {one.query.sense: one for one in of_answered(known, self.ranker, seen)}
        for one in of_rules(own, len(self.memory.entries)):
            sense = one.query.sense
            candidates[sense] = joined(candidates[sense], one) if sense in candidates else one
        return seen, list(candidates.values())

    def with_turn(
        self, alone: Sequence[Candidate], edits: Sequence[RuleDraft], lean: float, seen: Sight
    ) -> list[Candidate]:
        """The candidates for a query that may go on from the turn before, with those that change its statement."""
        ranked = self.ranked(alone)
        beside = ranked[0][0] if ranked else None
        turns = {one.query.sense: after_turn(one, lean, beside, seen) for one in edits}
        # Of 23 drafts that left out the turn before a follow-up of development, none was right.
        left_out = ("the question before is left out",) if lean > POINTS_BACK else ()
        others = (one for one in alone if one.query.sense not in turns)
        return [*turns.values(), *(replace(one, doubts=(*one.doubts, *left_out)) for one in others)]

    def ranked(self, candidates: Sequence[Candidate]) -> list[tuple[Candidate, float]]:
        """The candidates with how likely each is right, best first; second the best of another source."""
        if not candidates:
            return []
        likely = chances(candidates, self.memory.near.meaning is not None)
        order: list[int] = np.argsort(-likely, kind="stable").tolist()
        first = candidates[order[0]].alone
        other = next((at for at, number in enumerate(order) if candidates[number].alone != first), 0)
        if other > 1:
            order.insert(1, order.pop(other))
            likely[order[1]] = likely[order[2]]
        capped = np.minimum(likely, [_most_sure(one) for one in candidates])
        # None is surer than the one before it, or than the first leaves room for.
        sure = np.minimum.accumulate(capped[order])
        sure[1:] = np.minimum(sure[1:], 1 - sure[0])
        return [(candidates[n], float(chance)) for n, chance in zip(order, sure, strict=True)]


def learned_from(
    known: Sequence[Known],
    tables: Mapping[str, Mapping[str, str]],
    report: Progress,
    meaning: MeaningModel | None = None,
    kept: Kept | None = None,
    examples: Iterable[Example] = (),
) -> Learned:
    """Learns answered questions, and from holding some back by lot, in turn, how to rank. What was `kept` was learned
    before from some of the `examples`, and all but these is new."""
    pairs = [(one, align(one.query, one.reading)) for one in known]
    learned = Learned.of(tables, meaning)
    report("Learning the examples", 0.2)
    if kept is not None:
        learned = Learned(learned.memory, kept.reader, np.array(kept.ranker), kept.combined)
        learned.memory.recall(kept.memory, {one.digest: one for one in examples})
        learned.remember(pairs, _ROUNDS_OF_MORE)
        return learned
    learned.remember(pairs)
    if len(pairs) < _LEAST:
        return learned
    # Both kinds of questions come: those answered in other words, and those that nobody has asked in any words. The
    # former alone would teach that the nearest example is always right, the latter that likeness says nothing.
    by_lot, by_shape = _by_lot(len(pairs)), _by_shape([one.query.key for _, one in pairs])
    folds = [*by_lot, *by_shape]
    groups: list[list[Group]] = []
    for place, fold in enumerate(folds):
        report("Learning to rank", 0.4 + 0.6 * place / len(folds))
        out, part = set(fold), Learned.of(tables, meaning)
        part.combined = len(pairs) >= _LEAST_TO_COMBINE
        part.remember([pair for n, pair in enumerate(pairs) if n not in out], _ROUNDS_IN_TURN)
        shapes, again = part.memory.shapes, place < len(by_lot)
        asked = [n for n in fold if not again or pairs[n][1].query.key in shapes][:_MOST_HELD]
        groups.append([one for n in asked if (one := _group(part, known[n]))])
    learned.tune([groups[: len(by_lot)], groups[len(by_lot) :]])
    held, last = list(chain(*groups)), learned.ranker.copy()
    last[FEATURES.index("made")] = -_NEVER
    learned.combined = len(pairs) >= _LEAST_TO_COMBINE and hits(held, learned.ranker) > hits(held, last)
    return learned


def _most_sure(one: Candidate) -> float:
    """How sure a draft may be at most. A word that nothing explains may be the one that matters, however alike the rest
    is to an answered question."""
    by_rules = one.turn or (one.alone and one.like < 0)
    return MOST_SURE if one.doubts or one.ignored else _MOST_BY_RULES if by_rules else 1.0


def _each_once(candidates: Iterable[Candidate], seen: Sight) -> list[Candidate]:
    """Each statement once, the first of several."""
    once: dict[str, Candidate] = {}
    for one in candidates:
        once.setdefault(one.query.sense, one)
    return [one.doubted(seen) for one in once.values()]


def _group(part: Learned, one: Known) -> Group | None:
    _, candidates = part.answered(one.reading)
    if not candidates:
        return None
    right = np.array([candidate.query.sense == one.query.sense for candidate in candidates])
    return Group(np.array([candidate.row for candidate in candidates]), right)


def _by_lot(many: int) -> list[list[int]]:
    """Two of three parts of the questions."""
    order = Random(_SEED).sample(range(many), many)
    return [order[fold::3] for fold in (0, 1)]


def _by_shape(keys: Sequence[str]) -> list[list[int]]:
    """All questions of two fifths of the shapes; each shape comes once before it comes again."""
    numbers: dict[str, list[int]] = {}
    for number, key in enumerate(keys):
        numbers.setdefault(key, []).append(number)
    shapes = Random(_SEED).sample(sorted(numbers), len(numbers))
    rows = (zip_longest(*(numbers[key] for key in shapes[at::5])) for at in (0, 1))
    return [[number for row in fold for number in row if number is not None] for fold in rows]


def parsed(
    examples: Iterable[Example], recogniser: Recogniser, reader: SqlReader,
    stands_alone: Callable[[Known], bool] = lambda known: not known.example.previous,
) -> list[Known]:  # fmt: skip
    """The examples that can be read. One that depends on the turn before is kept for its words only where it is asked
    again after such a turn."""
    read = ((example, reader.read(example.sql)) for example in examples)
    known = (Known(each, recogniser.read(each.question), query) for each, query in read if query is not None)
    return [one for one in known if stands_alone(one)]


def usual_columns(known: Iterable[Known]) -> dict[str, int]:
    """How often each column is compared with a literal, for the order of what a word may mean."""
    return dict(Counter(column for one in known for column, _ in literals_of(one.query)))


def usual_days(known: Iterable[Known]) -> dict[str, str]:
    """The date, in ISO form, that a day said from today (“monday”) mostly had in answered questions, which may be of
    sessions of another day than the pack's."""
    times: dict[str, Counter[str]] = {}
    for one in known:
        kinds = {meaning.kind: meaning.label for value in one.reading.found for meaning in value.meanings}
        if "relative day" in kinds and "date" not in kinds:
            times.setdefault(kinds["relative day"], Counter()).update(set(_dates_in(one.query)))
    most = ((label, *own.most_common(1)[0], own.total()) for label, own in times.items() if own)
    return {label: day for label, day, many, every in most if many >= _OFTEN and 2 * many > every}


def _dates_in(query: Statement) -> Iterator[str]:
    """The dates of which a statement names day, month and year."""
    parts: dict[str, dict[str, int]] = defaultdict(dict)
    for column, text in equalities(query.where):
        for name in {"day", "month", "year"}.intersection(column.name.split("_") if text.isdigit() else ()):
            parts[column.node][name] = int(text)
    for own in parts.values():
        try:
            yield date(**own).isoformat()
        except (TypeError, ValueError):
            continue
