"""From answered questions to everything that drafting rests on: memory, models, ranking, confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random

import numpy as np

from ..followups.followups import leans, out_of_context, reduced
from ..learned.confidence import Confidence, margins
from ..learned.habits import Habits, find_habits, with_habits
from ..learned.memory import Memory, said_in, unsaid
from ..learned.propose import THE_SAME, propose
from ..learned.rank import Group, Ranker
from ..learned.reader import Reader
from ..learned.scoring import FEATURES, START, Proposal
from ..query.recognise import Reading, Recogniser
from ..sql.align import Aligned, align, places_of
from ..sql.parsing import Parser
from ..sql.possible import possible
from ..sql.statements import Hole, Statement, map_holes, write
from ..values import Example

__all__ = ["Known", "Learned", "Progress", "Ranked", "learned_from", "ranked"]

Progress = Callable[[str, float], None]
Tables = Mapping[str, Mapping[str, str]]

_MOST_BY_LOT = 600
_MOST_BY_SHAPE = 300
_ITS_SHARE = 3
_WEIGHT_OF_SHAPES = 3
_MOST_AFTERWARDS = 80
_LEAST = 40
_ROUNDS_IN_TURN = 5
_SEED = 7
# Before anything is learned of what comes after a wrong first, the order is that of the first.
_AS_BEFORE = (*(0.0 for _ in START), 1.0)


@dataclass(frozen=True)
class Known:
    """An answered question, read."""

    example: Example
    reading: Reading
    statement: Statement


@dataclass
class Learned:
    """All that drafting needs beside the recogniser. `ranker` tells which candidate comes first, `afterwards` the order
    of the others: they are wanted where the first is wrong."""

    memory: Memory = field(default_factory=Memory)
    reader: Reader = field(default_factory=Reader)
    ranker: Ranker = field(default_factory=lambda: Ranker(START))
    afterwards: Ranker = field(default_factory=lambda: Ranker(_AS_BEFORE))
    confidence: Confidence = field(default_factory=Confidence)
    habits: Habits = field(default_factory=Habits)
    trust: float = 1.0

    def add(self, known: Known) -> None:
        """One more answered question, used from now on."""
        entry = self.memory.add(known.example, known.reading, align(known.statement, known.reading))
        self.reader.fit([entry], self.memory, rounds=4)


def learned_from(known: Sequence[Known], tables: Tables, progress: Progress | None = None) -> Learned:
    """Learns answered questions, and from holding some back in turn, how to rank and how sure to be."""
    tell = progress or (lambda what, share: None)
    habits = find_habits((one.reading, align(one.statement, one.reading)) for one in known)
    known = [Known(one.example, with_habits(one.reading, habits), one.statement) for one in known]
    aligned = [align(one.statement, one.reading) for one in known]
    known, aligned = _by_themselves(known, aligned)
    learned = Learned(_memory(tables), habits=habits)
    tell("Learning the examples", 0.4)
    _remember(learned, list(zip(known, aligned, strict=True)))
    if len(known) >= _LEAST:
        _tune(learned, known, aligned, tables, tell)
    return learned


def _by_themselves(known: Sequence[Known], aligned: Sequence[Aligned]) -> tuple[list[Known], list[Aligned]]:
    """Of a question that leans on a turn that is not told, only what it says itself."""
    said = Counter(pair for one in aligned for clause in one.statement.clauses for pair in said_in(clause))
    out_known, out_aligned = [], []
    for one, own in zip(known, aligned, strict=True):
        if leans(one.reading) and any(unsaid(clause, said) for clause in own.statement.clauses):
            statement = out_of_context(own.statement, lambda clause: unsaid(clause, said))
            statement = _numbered(statement)
            one = replace(one, example=replace(one.example, sql=write(statement)), statement=statement)
            own = align(one.statement, one.reading)
        out_known.append(one)
        out_aligned.append(own)
    return out_known, out_aligned


def _numbered(statement: Statement) -> Statement:
    """The statement with unnamed holes, numbered in the order in which `write` writes them."""
    numbers = count()
    return map_holes(statement, lambda hole: Hole(next(numbers), hole.text))


def usual_columns(known: Iterable[Known]) -> dict[str, int]:
    """How often each form of a value is compared with a literal."""
    counts: Counter[str] = Counter()
    for one in known:
        for clause in one.statement.clauses:
            counts.update(column for column, _ in places_of(clause.parts))
    return dict(counts)


def _memory(tables: Tables) -> Memory:
    return Memory(columns={(table, column) for table, columns in tables.items() for column in columns})


def _remember(learned: Learned, pairs: Sequence[tuple[Known, Aligned]], rounds: int = 8) -> None:
    for known, aligned in pairs:
        learned.memory.add(known.example, known.reading, aligned)
    learned.reader.fit(learned.memory.entries, learned.memory, rounds)


def _tune(learned: Learned, known: Sequence[Known], aligned: Sequence[Aligned], tables: Tables, tell: Progress) -> None:
    """Ranking is learned from questions held back by lot and from shapes held back whole, since both will be met;
    confidence from those by lot alone, since they are as questions come."""

    def groups(folds: Sequence[Sequence[int]], most: int, from_share: float) -> list[Group]:
        found: list[Group] = []
        for place, fold in enumerate(folds):
            tell("Learning to rank", from_share + 0.1 * place)
            out = set(fold)
            part = Learned(_memory(tables))
            _remember(part, [(known[n], aligned[n]) for n in range(len(known)) if n not in out], _ROUNDS_IN_TURN)
            found += _tried(part, [known[n] for n in fold[:most]])
        return found

    by_lot = groups(_by_lot(len(known)), _MOST_BY_LOT, 0.5)
    by_shape = groups(_by_shape(aligned), _MOST_BY_SHAPE, 0.8)
    learned.ranker.fit(by_lot + by_shape * _WEIGHT_OF_SHAPES)
    learned.afterwards.fit([left for group in by_lot + by_shape if (left := _without_first(learned, group))])
    _calibrate(learned, by_lot)


def _by_lot(many: int) -> list[list[int]]:
    """Thirds of the questions."""
    order = list(range(many))
    Random(_SEED).shuffle(order)
    return [order[fold::3] for fold in range(3)]


def _by_shape(aligned: Sequence[Aligned]) -> list[list[int]]:
    """All questions of a sixth of the shapes, twice; those of a shape that has many come last."""
    keys = [one.statement.key for one in aligned]
    shapes = sorted(set(keys))
    Random(_SEED).shuffle(shapes)
    fold_of = {key: place % 6 for place, key in enumerate(shapes)}
    seen: Counter[str] = Counter()
    turns = []
    for key in keys:
        seen[key] += 1
        turns.append(seen[key])
    order = sorted(range(len(keys)), key=lambda number: turns[number] > _ITS_SHARE)
    return [[number for number in order if fold_of[keys[number]] == fold] for fold in range(2)]


def _tried(part: Learned, held: Sequence[Known]) -> list[Group]:
    groups = []
    for one in held:
        proposals = propose(one.reading, part.memory, part.reader)
        if proposals:
            wanted = one.statement.key
            right = np.array([proposal.statement.key == wanted for proposal in proposals])
            groups.append(Group(np.array([proposal.features for proposal in proposals]), right))
    return groups


def _without_first(learned: Learned, group: Group) -> Group | None:
    """The candidates after a first that is wrong, best first; None if it is right."""
    scores = learned.ranker.scores(group.features)
    order = np.argsort(-scores, kind="stable")[:_MOST_AFTERWARDS]
    if group.right[order[0]]:
        return None
    return Group(_with_scores(group.features, scores)[order[1:]], group.right[order[1:]])


def _with_scores(features: np.ndarray, scores: np.ndarray) -> np.ndarray:
    return np.column_stack([features, scores])


def _calibrate(learned: Learned, groups: Sequence[Group]) -> None:
    rows, right = [], []
    for group in groups:
        scores = learned.ranker.scores(group.features)
        order = np.argsort(-scores, kind="stable")[:5]
        rows.append(_evidence(group.features, scores)[order])
        right.append(group.right[order])
    if rows:
        learned.confidence.fit(np.concatenate(rows), np.concatenate(right))


def _evidence(features: np.ndarray, scores: np.ndarray) -> np.ndarray:
    return np.concatenate([margins(scores.tolist()), features], axis=1)


@dataclass(frozen=True)
class Ranked:
    """A candidate, how likely it is right, and its score among the others where the first is wrong."""

    proposal: Proposal
    chance: float
    afterwards: float


def ranked(learned: Learned, proposals: Sequence[Proposal]) -> list[Ranked]:
    """The candidates, most likely first."""
    if not proposals:
        return []
    features = np.array([proposal.features for proposal in proposals])
    scores = learned.ranker.scores(features)
    chances = learned.confidence.of(_evidence(features, scores))
    if not learned.confidence.fitted:
        # With a few examples likeness is all there is to go by.
        chances = np.minimum(chances, features[:, FEATURES.index("alike")])
    # What was answered in these very words comes before what was put together, and is no less sure.
    other = np.array([proposal.feature("alike") < THE_SAME or proposal.made for proposal in proposals])
    order = np.lexsort((-scores, other))
    chances[order[0]] = chances.max() if not other[order[0]] else chances[order[0]]
    afterwards = learned.afterwards.scores(_with_scores(features, scores))
    return [Ranked(proposals[n], float(chances[n]), float(afterwards[n])) for n in order]


def parsed(examples: Iterable[Example], recogniser: Recogniser, parser: Parser) -> list[Known]:
    """The examples that can be used, read. Of one that leans on the turn before, only what it says itself."""
    found = []
    for example in examples:
        statement = parser.parse(example.sql)
        if statement is None or not possible(statement):
            continue
        own = reduced(statement, example.previous, parser)
        if own is not statement:
            example = replace(example, sql=write(own))
            own = parser.parse(example.sql) or own
        found.append(Known(example, recogniser.read(example.question), own))
    return found
