"""The names of tables and columns in a query, where they stand, and which column is meant near which table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from curtain.domain.pack.names import split_name

from ..algebra.query import Column
from ..language.english import english, lemma, word_at
from ..language.recognise import Found, Reading
from .graph import Graph, Sketch

_LONGEST = 5
_SPOKEN = frozenset(["name", "number", "names", "numbers"])


@dataclass(frozen=True)
class Mention:
    """Words [first, last) that may name tables and columns, with how likely each is meant, the likeliest first."""

    first: int
    last: int
    targets: Mapping[Column, float]

    @cached_property
    def tables(self) -> list[str]:
        """The tables that may be meant, likeliest first."""
        return [target.table for target in self.targets if not target.name]

    @cached_property
    def columns(self) -> list[Column]:
        """The columns that may be meant, likeliest first."""
        return [target for target in self.targets if target.name]

    @property
    def span(self) -> tuple[int, int]:
        """Its first word and the one behind its last."""
        return self.first, self.last

    @property
    def table(self) -> str:
        """The likeliest table; empty if no table is meant."""
        return self.tables[0] if self.tables else ""


class Line:
    """A query as a line of words: which are values, which names.

    `spoken_of` are the columns of the statement of the turn before, with the values they are compared with, empty for
    those that it only shows; `root` is its table, empty for a first turn. `included` says whether the ends of periods
    belong to them. The words up to `begin` only say that it goes on (“what about”), and where it `corrects`, a “no”
    denies nothing.
    """

    def __init__(
        self, reading: Reading, graph: Graph, included: bool = True, spoken_of: Mapping[Column, str] | None = None,
        root: str = "",
    ) -> None:  # fmt: skip
        self.reading, self.graph, self.included, self.root = reading, graph, included, root
        self.spoken_of: Mapping[Column, str] = spoken_of or {}
        self.words: list[str] = list(reading.words)
        self._lemmas = [lemma(word) for word in self.words]
        self.values = {
            number: self._counted(one)
            for number, one in enumerate(reading.found)
            if number not in reading.removed and one.meanings and not self._is_name(one) and not self._is_pronoun(one)
        }
        self.value_at = {place: number for number, one in self.values.items() for place in range(one.first, one.last)}
        self.corrects, self.begin = False, 0
        unnamed: set[int] = set()
        if root:
            self.corrects = bool(self.phrase("turns.correcting", 0)) or reading.text[:3].lower() in ("no,", "no.")
            self.begin = max(self.phrase("turns.opening", 0), self.corrects)
            self.begin += self.phrase("turns.asking", self.begin)
            unnamed.update(range(self.begin), *(range(*span) for span in self.spans("turns.back")))
        self.mentions = [one for one in self._names() if one.first not in unnamed]

    def telling(self, silent: Iterable[str]) -> list[int]:
        """The places of the words that stand in none of these lists of english.toml."""
        quiet = frozenset().union(*map(english().words, silent))
        return [at for at, word in enumerate(self.words) if word not in quiet]

    def text(self, place: int) -> str:
        """The word at a place; empty beyond the ends."""
        return word_at(self.words, place)

    def phrase(self, name: str, at: int) -> int:
        """How many words the phrase of this list of english.toml has that begins here; 0 without one."""
        return english().phrase_at(name, self.words, at)

    def spans(self, name: str) -> list[tuple[int, int]]:
        """The words [first, last) of each phrase of this list in it."""
        return [(at, at + size) for at in range(len(self.words)) if (size := self.phrase(name, at))]

    def _is_name(self, one: Found) -> bool:
        """Whether a word is the name of a table or column rather than a part of some longer text in the database."""
        targets = self.graph.index.get(tuple(self._lemmas[one.first : one.last]), {})
        return one.meanings[0].first[0][0] == "%" and any(weight >= 0.7 for weight in targets.values())

    def _counted(self, one: Found) -> Found:
        """A number that is compared is a number, whatever else it may be the code of: “more than 2 albums”."""
        periods = tuple(meaning for meaning in one.meanings if "#begin" in meaning.forms)
        if periods:
            return replace(one, meanings=periods)
        numbers = tuple(meaning for meaning in one.meanings if "#number" in meaning.forms)
        times = (meaning for meaning in one.meanings if "#time" in meaning.forms)
        before = english().bound_before(self.words, one.first)
        bound = before if before and not before.weak else english().bound_after(self.words, one.last)
        return replace(one, meanings=(*numbers, *times), weak=False) if numbers and bound else one

    def _is_pronoun(self, one: Found) -> bool:
        """Whether a “one” stands for a thing: “which one earns most”."""
        before, words = self.text(one.first - 1), self.words[one.first : one.last]
        if self.text(one.last) == "one":
            return words in (["first"], ["last"])
        if words == ["one"] and self.root and not self.text(one.last) and before in ("with", "like", "as"):
            return True
        stands = before in ("", "which", "the", "that", "this", "any")
        return words == ["one"] and (stands or self.text(one.last) in english().words("asking.relative"))

    def _names(self) -> Iterator[Mention]:
        """The names in it, none overlapping another."""
        at = 0
        while at < len(self.words):
            one = self._at(at)
            if one is not None:
                yield one
            at = one.last if one else at + 1

    def _at(self, at: int) -> Mention | None:
        silent = english().words("dull.words") - _SPOKEN
        for size in range(min(_LONGEST, len(self.words) - at), 0, -1):
            if any(place in self.value_at and not self.is_weak(place) for place in range(at, at + size)):
                continue
            targets = self.graph.index.get(tuple(self._lemmas[at : at + size]))
            if targets and not (size == 1 and self.words[at] in silent):
                return Mention(at, at + size, dict(sorted(targets.items(), key=lambda one: -one[1])))
        return None

    def is_weak(self, place: int) -> bool:
        """Whether a value may be no value at all: a number in words, or a name that is a common word."""
        return self.values[self.value_at[place]].weak

    def mention_at(self, place: int) -> Mention | None:
        """The name that begins here."""
        return next((one for one in self.mentions if one.first == place), None)

    def next_mention(self, at: int, skip: frozenset[str] | None = None) -> Mention | None:
        """The name that begins here, or behind words that say nothing."""
        skip = skip or english().words("comparing.skipped") | english().words("comparing.before_a_name")
        while at < len(self.words):
            one = self.mention_at(at)
            if one is not None or self.words[at] not in skip:
                return one
            at += 1
        return None

    def mentions_before(self, at: int, most: int = 4) -> list[Mention]:
        """The names among so many words before a place, the nearest first."""
        return [one for one in reversed(self.mentions) if at - most <= one.first and one.last <= at]

    def towards(self, column: Column, at: int) -> Column:
        """The column, with the direction that the words before a place say: `from`, `to`."""
        since = max((place + 1 for place in self.value_at if place < at), default=0)
        way = english().direction(self.words[since:at])
        return replace(column, node=f"{column.node}#{way}") if way else column


def best(line: Line, sketch: Sketch, targets: Iterable[Column], weights: Mention) -> Column | None:
    """The likeliest of several columns: one of the root, or near it."""
    root, graph = sketch.root, line.graph
    near = set(graph.neighbours(root)) if root else set()

    def rank(target: Column) -> float:
        score = weights.targets[target] + (0.6 if target.table == root else 0.3 if target.table in near else 0.0)
        if root and target.table not in (root, *near):
            path = graph.path(root, target.table)
            score -= 2.0 if path is None else 0.05 * path[0].count(">")
        return score

    return max(targets, key=rank, default=None)


def measured_by(line: Line, sketch: Sketch, adjective: str) -> tuple[Column, int] | None:
    """The column that an adjective measures, and 1 if much of it is meant, else -1."""
    stems = english().adjectives.get(adjective, ())
    for table, (stem, sign) in product(near_tables(line, sketch), stems):
        for column in sorted(line.graph.columns(table), key=lambda one: one not in line.spoken_of):
            if line.graph.is_amount(column) and lemma(stem) in map(lemma, split_name(column.name)):
                return column, sign
    return None


def near_tables(line: Line, sketch: Sketch) -> list[str]:
    """The table that is asked about, those one step away, and those two steps away."""
    near = [sketch.root, *line.graph.neighbours(sketch.root)]
    return list(dict.fromkeys([*near, *(other for table in near[1:] for other in line.graph.neighbours(table))]))


def denial(line: Line, at: int) -> tuple[int, int] | None:
    """The words [first, last) that deny what begins here; None if nothing does."""
    for place in range(at - 1, max(line.corrects - 1, at - 5), -1):
        size = english().negated(line.words, place) or line.phrase("comparing.denying", place)
        if size:
            return place, place + size
        named = any(one.first <= place < one.last == at for one in line.mentions)
        if not named and line.words[place] not in english().words("comparing.behind_a_denial"):
            return None
    return None
