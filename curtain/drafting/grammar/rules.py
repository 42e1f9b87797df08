"""Drafts from the schema alone: several sketches of a query, each a statement, with what it leaves unexplained."""

from __future__ import annotations

from collections.abc import Iterator

from ..language.english import english
from ..language.recognise import Reading
from .building import build
from .graph import Graph
from .mentions import Line
from .outline import RuleDraft
from .projection import sketched
from .sketch import Sketch

__all__ = ["outlines"]

_MOST = 8
_MOST_FLIPPED = 4


def outlines(reading: Reading, graph: Graph, included: bool = True) -> list[RuleDraft]:
    """The statements that the rules find, best first: each statement once."""
    line = Line(reading, graph)
    if not line.words or not graph.pack.tables:
        return []
    found: dict[str, RuleDraft] = {}
    for cost, flips in _flips(line):
        sketch = sketched(line, flips, included, graph.pack.yes_no == "boolean")
        query = build(sketch, graph) if sketch is not None else None
        if sketch is not None and query is not None and query.select:
            ignored = _ignored(line, sketch)
            share = len(ignored) / max(1, len(line.words))
            # Between 0 and 1; the weights of the ranker say what it is worth.
            score = max(0.0, 1.0 - 0.25 * cost - 1.5 * share - 0.1 * sketch.cost)
            one = RuleDraft(query, score, share, tuple(sorted(sketch.values)), ignored)
            if query.sense not in found or found[query.sense].score < score:
                found[query.sense] = one
    return sorted(found.values(), key=lambda one: -one.score)[:_MOST]


def _flips(line: Line) -> Iterator[tuple[float, dict[str, int]]]:
    """The likeliest meanings of all words, then others of one word at a time."""
    yield 0.0, {}
    yield 1.0, {"root": 1}
    ambiguous = [number for number, one in line.values.items() if sum(len(m.forms) for m in one.meanings) > 1]
    for number in ambiguous[:_MOST_FLIPPED]:
        if not line.values[number].is_measure:
            yield 1.0, {f"value {number}": 1}


def _ignored(line: Line, sketch: Sketch) -> tuple[int, ...]:
    """The words that nothing in the sketch explains."""
    silent = english().words("dull.words") | english().words("asking.yes_no") | english().words("asking.relative")
    silent |= english().words("likeness.polite") | english().words("comparing.skipped") | {"either", "both", "who"}
    return tuple(place for place, word in enumerate(line.words) if place not in sketch.words and word not in silent)
