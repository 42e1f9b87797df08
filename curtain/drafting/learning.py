"""From answered questions to everything that drafting rests on: memory, models, ranking, confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random

import numpy as np

from .align import Aligned, align, places_of
from .confidence import Confidence, margins
from .followups import leans, out_of_context, reduced
from .habits import Habits, find_habits, with_habits
from .memory import Memory, said_in, unsaid
from .parsing import Parser
from .propose import START, Proposal, propose
from .rank import Group, Ranker
from .reader import Reader
from .recognise import Reading, Recogniser
from .statements import Hole, Statement, map_holes, write
from .values import Example

__all__ = ["Known", "Learned", "Progress", "learned_from", "ranked"]

Progress = Callable[[str, float], None]
Tables = Mapping[str, Mapping[str, str]]

_FOLDS = 3
_MOST_HELD_BACK = 1500
_LEAST = 40
_ROUNDS_IN_TURN = 5
_SEED = 7


@dataclass(frozen=True)
class Known:
    """An answered question, read."""

    example: Example
    reading: Reading
    statement: Statement


@dataclass
class Learned:
    """All that drafting needs beside the recogniser."""

    memory: Memory = field(default_factory=Memory)
    reader: Reader = field(default_factory=Reader)
    ranker: Ranker = field(default_factory=lambda: Ranker(START))
    confidence: Confidence = field(default_factory=Confidence)
    habits: Habits = field(default_factory=Habits)

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
    order = list(range(len(known)))
    Random(_SEED).shuffle(order)
    groups: list[Group] = []
    for fold in range(_FOLDS):
        tell("Learning to rank", 0.5 + 0.15 * fold)
        held = [number for place, number in enumerate(order) if place % _FOLDS == fold]
        out = set(held)
        part = Learned(_memory(tables))
        _remember(part, [(known[n], aligned[n]) for n in range(len(known)) if n not in out], _ROUNDS_IN_TURN)
        groups += _tried(part, [known[n] for n in held[: _MOST_HELD_BACK // _FOLDS]])
    learned.ranker.fit(groups)
    _calibrate(learned, groups)


def _tried(part: Learned, held: Sequence[Known]) -> list[Group]:
    groups = []
    for one in held:
        proposals = propose(one.reading, part.memory, part.reader)
        if proposals:
            wanted = one.statement.key
            right = np.array([proposal.statement.key == wanted for proposal in proposals])
            groups.append(Group(np.array([proposal.features for proposal in proposals]), right))
    return groups


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


def ranked(learned: Learned, proposals: Sequence[Proposal]) -> list[tuple[Proposal, float]]:
    """The candidates best first, each with how likely it is right."""
    if not proposals:
        return []
    features = np.array([proposal.features for proposal in proposals])
    scores = learned.ranker.scores(features)
    chances = learned.confidence.of(_evidence(features, scores))
    order = np.argsort(-scores, kind="stable")
    return [(proposals[n], float(chances[n])) for n in order]


def parsed(examples: Iterable[Example], recogniser: Recogniser, parser: Parser) -> list[Known]:
    """The examples that can be used, read. Of one that leans on the turn before, only what it says itself."""
    found = []
    for example in examples:
        statement = parser.parse(example.sql)
        if statement is None:
            continue
        own = reduced(statement, example.previous, parser)
        if own is not statement:
            example = replace(example, sql=write(own))
            own = parser.parse(example.sql) or own
        found.append(Known(example, recogniser.read(example.question), own))
    return found
