"""What else a follow-up asks for of the same rows: heads of answered questions, and columns that its words name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .edits import columns_of, listed
from .features import masked, senses
from .fillings import Turn
from .ground import Ground
from .memory import Memory, phrases
from .small_words import AGGREGATES, LIGHT, SILENT
from .statements import Column, Part, Statement, literals_of, table_of

__all__ = ["Head", "HeadWords", "columns_near", "heads"]

_FEW = 1.0
_LEAST = 0.12
_MOST = 5
_FAR = 2


@dataclass(frozen=True)
class Head:
    """What a statement may ask for instead, how likely, and whether an answered question asks so."""

    parts: tuple[Part, ...]
    tail: tuple[Part, ...]
    chance: float
    words: frozenset[int]
    learned: bool


class HeadWords:
    """Which words of answered questions go with which heads; `seen` brings it up to date."""

    def __init__(self) -> None:
        self._done = 0
        self._gone = 0
        self._times: Counter[str] = Counter()
        self._heads: dict[str, Counter[str]] = {}
        self.times: Counter[str] = Counter()

    def seen(self, memory: Memory) -> None:
        """Learns what has been added; begins anew if something was withdrawn."""
        gone = sum(not entry.live for entry in memory.entries)
        if gone != self._gone or self._done > len(memory.entries):
            self.__init__()  # type: ignore[misc]
            self._gone = gone
        for entry in memory.entries[self._done :]:
            if entry.live:
                self._learn(entry.words, memory.shapes[entry.shape].head)
        self._done = len(memory.entries)

    def _learn(self, words: Sequence[str], head: str) -> None:
        self.times[head] += 1
        for name in _names(words):
            self._times[name] += 1
            self._heads.setdefault(name, Counter())[head] += 1

    def likely(self, words: Sequence[str], about: frozenset[str]) -> dict[str, float]:
        """How likely each head is by those words and pairs of words that have one of `about` in them."""
        total = sum(self.times.values()) or 1
        found: dict[str, float] = {}
        weight = 0.0
        for name in _names(words):
            times = self._times[name]
            if times and not about.isdisjoint(name.lstrip("~").split()):
                rare = math.log((total + 1) / (times + 0.5))
                weight += rare
                for head, many in self._heads[name].items():
                    found[head] = found.get(head, 0.0) + rare * many / (times + _FEW)
        return {head: score / weight for head, score in found.items()} if weight else {}


def _names(words: Sequence[str]) -> list[str]:
    plain = [word for word in words if not word.isupper()]
    return [*phrases(words), *(f"~{sense}" for sense in dict.fromkeys(senses(plain)))]


def heads(turn: Turn, free: Sequence[int], known: HeadWords) -> list[Head]:
    """What the statement before may be asked for by those words that nothing else uses, likeliest first."""
    asked = _asked_words(turn, free)
    if not asked:
        return []
    found: dict[str, Head] = {}
    for one in [*_learned(turn, asked, known), *_named(turn, asked)]:
        name = f"{_text(one.parts)}|{_text(one.tail)}"
        old = found.get(name)
        chance = one.chance + (old.chance if old else 0.0)
        learned = one.learned or (old is not None and old.learned)
        found[name] = Head(one.parts, one.tail, chance, one.words | (old.words if old else frozenset()), learned)
    now = f"{_text(turn.before.head)}|{_text(turn.before.tail)}"
    rest = [one for name, one in found.items() if name != now and one.chance > _LEAST]
    return sorted(rest, key=lambda one: -one.chance)[:_MOST]


def _text(parts: Iterable[Part]) -> str:
    head = Statement("", tuple(parts), ()).key
    return head.replace("DISTINCT ", "")


def _asked_words(turn: Turn, free: Sequence[int]) -> dict[int, str]:
    """The words that may say what is asked for; verbs that are said of everything only where there is no other, and
    the question words that ask for a certain kind of thing."""
    words = {at: turn.words[at] for at in free}
    own = {at: word for at, word in words.items() if word not in SILENT and word not in LIGHT}
    light = {at: word for at, word in words.items() if word in LIGHT}
    asks = {at: word for at, word in words.items() if word in ("when", "where", "who") or _how(turn.words, at)}
    return own or (light | asks if asks or light else {})


def _how(words: Sequence[str], at: int) -> bool:
    """“much” of “how much” and the like."""
    return at > 0 and words[at - 1] == "how" and words[at] in ("much", "long", "far", "old", "big", "fast", "late")


def _learned(turn: Turn, asked: Mapping[int, str], known: HeadWords) -> Iterator[Head]:
    words = masked(turn.reading)
    about = frozenset(asked.values()) | frozenset(senses(list(asked.values())))
    likely = known.likely(words, about)
    for key, chance in sorted(likely.items(), key=lambda one: -one[1])[:12]:
        meanings = turn.memory.by_head.get(key, {})
        shape = next((turn.memory.shapes[k[0]] for m in meanings if (k := turn.memory.meanings.get(m, []))), None)
        if shape is None or shape.form.statement.root != turn.before.root:
            continue
        statement = shape.form.statement
        if any(hole.name for parts in (statement.head, statement.tail) for hole in literals_of(parts)):
            continue
        if statement.tail and not {"each", "every", "per"} & set(turn.words):
            continue
        columns = [one for one in columns_of(statement.head) if one.name]
        naming, own = _naming(turn, asked, columns)
        yield Head(statement.head, statement.tail, 0.6 * chance + 0.3 * naming, own or frozenset(asked), True)


def _naming(turn: Turn, asked: Mapping[int, str], columns: Sequence[Column]) -> tuple[float, frozenset[int]]:
    """How well the words name what these columns show, and which of the words do."""
    shown = [column for column in columns if not _is_own_key(turn, column)]
    if not shown:
        return 0.0, frozenset()
    best = {at: max(_names_column(turn.ground, word, one) for one in shown) for at, word in asked.items()}
    each = [max(_names_column(turn.ground, word, one) for word in asked.values()) for one in shown]
    own = frozenset(at for at, score in best.items() if score >= 0.4)
    return (0.6 * sum(best.values()) / len(best) + 0.4 * sum(each) / len(each)), own


def _names_column(ground: Ground, word: str, column: Column) -> float:
    table = table_of(column.node)
    if column.name not in ground.tables.get(table, {}):
        return 0.0
    called = 0.9 if table in ground.tables_named(word)[:1] and column.name in ground.key_of(table) else 0.0
    return max(called, ground.named(word, table, column.name))


def _is_own_key(turn: Turn, column: Column) -> bool:
    return column.node == turn.before.root and column.name in turn.ground.key_of(turn.before.root)


def _named(turn: Turn, asked: Mapping[int, str]) -> Iterator[Head]:
    """Columns and tables that the words name, written as the answered questions write such heads."""
    function = next((AGGREGATES[word] for word in turn.words if word in AGGREGATES), "")
    plain = {at: word for at, word in asked.items() if word not in AGGREGATES}
    vague = [(places, table, column) for places, table, column in turn.ground.vaguely(turn.words)]
    for places, table, name in vague:
        if set(places) & set(plain):
            for column in _reached(turn, table, name)[:1]:
                yield _shown(turn, [column], 0.75, frozenset(places), function)
    for column in columns_near(turn):
        score, own = _naming(turn, plain, [column]) if plain else (0.0, frozenset())
        if score >= 0.3:
            far = 1.0 if column.node == turn.before.root else 0.8 if column.node.count(">") < _FAR else 0.6
            yield _shown(turn, [column], 0.7 * score * far, own, function)
    for at, word in plain.items():
        for table in turn.ground.tables_named(word)[:1]:
            columns = [c for name in turn.ground.key_of(table) for c in _reached(turn, table, name)[:1]]
            if columns and table != turn.before.root:
                yield _shown(turn, columns, 0.55 * _share(plain, 1), frozenset([at]), "")
            elif columns:
                yield Head(listed(columns, _distinct(turn)), (), 0.5 * _share(plain, 1), frozenset([at]), False)


def _share(words: Mapping[int, str], many: int) -> float:
    return many / max(1, len(words))


def _reached(turn: Turn, table: str, name: str) -> list[Column]:
    if table == turn.before.root:
        return [Column(table, name)]
    nodes = turn.ground.nodes_for(turn.before, table, turn.memory.way(turn.before.root, table))
    return [Column(node, name) for node in nodes]


def columns_near(turn: Turn) -> Iterator[Column]:
    """The columns of the root, of tables that the statement has, and of those that are usually joined to it."""
    usual = [way.most_common(1)[0][0] for (root, _), way in turn.memory.ways.items() if root == turn.before.root]
    there = [column.node for clause in turn.before.clauses for column in columns_of(clause.parts)]
    for node in dict.fromkeys([turn.before.root, *there, *usual]):
        for name in turn.ground.tables.get(table_of(node), {}):
            yield Column(node, name)


def _shown(turn: Turn, columns: Sequence[Column], chance: float, words: frozenset[int], function: str) -> Head:
    if function:
        column = columns[0]
        number = turn.ground.kind(table_of(column.node), column.name) == "number"
        return Head((f"{function}(", column, ")"), (), chance * (1.0 if number else 0.2), words, False)
    beside = [Column(turn.before.root, name) for name in turn.ground.key_of(turn.before.root)]
    of_root = all(column.node == turn.before.root for column in columns)
    also = [*beside, *columns] if of_root and _with_key(turn) else list(columns)
    return Head(listed(list(dict.fromkeys(also)), _distinct(turn)), (), chance, words, False)


def _with_key(turn: Turn) -> bool:
    """Whether answered questions show the key of a row beside what is asked of it."""
    key = turn.ground.key_of(turn.before.root)
    votes: Counter[bool] = Counter()
    for head, meanings in turn.memory.by_head.items():
        if head.startswith(f"{turn.before.root}|") and "(" not in head:
            shape = next((turn.memory.shapes[k[0]] for m in meanings if (k := turn.memory.meanings.get(m, []))), None)
            names = [one.name for one in columns_of(shape.form.statement.head)] if shape else []
            if names and not set(names) <= set(key):
                votes[set(key) <= set(names)] += 1
    return votes[True] > votes[False]


def _distinct(turn: Turn) -> bool:
    """Whether a row that comes several times is to come once: always, but where one row is meant."""
    single = {column.name for clause in turn.before.clauses for column in columns_of(clause.parts)}
    key = turn.ground.primary.get(turn.before.root, ())
    first = turn.before.head[0] if turn.before.head else ""
    return first == "DISTINCT " or not (set(key) & single or any(name.endswith("_name") for name in single))
