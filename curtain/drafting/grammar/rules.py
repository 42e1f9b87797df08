"""Drafts from the schema alone: several sketches of a query, each a statement, with what it leaves unexplained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..algebra.query import Statement
from ..language.english import english
from ..language.recognise import Reading
from .building import build
from .graph import Graph
from .mentions import Line
from .projection import sketched
from .sketch import RuleDraft, Sketch

_MOST = 8
_MOST_FLIPPED = 4
_SILENT = ("dull.words", "asking.yes_no", "asking.relative", "likeness.polite", "comparing.skipped", "asking.silent")


def outlines(reading: Reading, graph: Graph, included: bool = True) -> list[RuleDraft]:
    """The statements that the rules find, best first: each statement once."""
    line = Line(reading, graph, included)
    if not line.words or not graph.pack.tables:
        return []
    found: list[RuleDraft] = []
    for cost, flips in _flips(line):
        sketch = sketched(line.flipped(flips))
        query = build(sketch, graph) if sketch is not None else None
        if sketch is not None and query is not None and query.select:
            found.append(rule_draft(query, sketch, line, _SILENT, cost, 1.5))
    return best_of(found)[:_MOST]


def rule_draft(
    query: Statement, sketch: Sketch, line: Line, silent: Iterable[str], cost: float, weight: float
) -> RuleDraft:
    """A statement with what it leaves unexplained. The score is between 0 and 1: less by `cost`, and by `weight` times
    the share of the words of no `silent` list that nothing in the sketch explains."""
    quiet = frozenset().union(*map(english().words, silent))
    ignored = tuple(at for at, word in enumerate(line.words) if at not in sketch.words and word not in quiet)
    share = len(ignored) / len(line.words)
    # The weights of the ranker say what the score is worth.
    return RuleDraft(query, max(0.0, 1.0 - cost - weight * share), share, tuple(sorted(sketch.values)), ignored)


def best_of(drafts: Iterable[RuleDraft]) -> list[RuleDraft]:
    """The drafts best first, each statement once."""
    found: dict[str, RuleDraft] = {}
    for one in sorted(drafts, key=lambda draft: -draft.score):
        found.setdefault(one.query.sense, one)
    return list(found.values())


def _flips(line: Line) -> Iterator[tuple[float, dict[str, int]]]:
    """The likeliest meanings of all words, then others of one word at a time, each with its cost."""
    yield 0.0, {}
    yield 0.25, {"root": 1}
    ambiguous = [number for number, one in line.values.items() if sum(len(m.forms) for m in one.meanings) > 1]
    yield from ((0.25, {f"value {n}": 1}) for n in ambiguous[:_MOST_FLIPPED] if not line.values[n].is_measure)
