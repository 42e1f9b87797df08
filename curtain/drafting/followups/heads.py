"""What else a follow-up asks for of the same rows: heads of answered questions, and columns that its words name."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..learned.memory import Memory, phrases
from ..query.features import masked, senses
from ..query.small_words import LIGHT, SILENT
from ..query.worked_out import AGGREGATES
from ..sql.edits import bounded, columns_of, listed
from ..sql.ground import Ground
from ..sql.statements import Column, Part, Statement, literals_of, table_of
from .turn import FollowUpTurn

__all__ = ["Head", "HeadWords", "columns_near", "heads", "with_key"]

_FEW = 1.0
_ALIKE = 0.4
_TWICE = 0.1
_LEARNED = 0.9
_WORKED_OUT = ("AVG(", "SUM(", "MAX(", "MIN(", "MEDIAN(", "COUNT(")
_HOW = frozenset(["how"])
_ASK_FOR_NUMBERS = frozenset([*AGGREGATES, "highest", "lowest", "most", "least", "many", "number", "count", "median"])
_BY_NAME = 0.55
_LEAST = 0.12
_MOST = 5
_NEAR = (1.0, 0.85, 0.7, 0.3)


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
        self._gone = 0
        self._forget()

    def _forget(self) -> None:
        self._done = 0
        self._heads: dict[str, Counter[str]] = defaultdict(Counter)
        self.times: Counter[str] = Counter()

    def seen(self, memory: Memory) -> None:
        """Learns what has been added; begins anew if something was withdrawn."""
        gone = sum(not entry.live for entry in memory.entries)
        if gone != self._gone or self._done > len(memory.entries):
            # Counts cannot be taken back: what a withdrawn entry taught is learned again without it.
            self._forget()
            self._gone = gone
        for entry in memory.entries[self._done :]:
            if entry.live:
                self._learn(entry.words, memory.shapes[entry.shape].head)
        self._done = len(memory.entries)

    def _learn(self, words: Sequence[str], head: str) -> None:
        self.times[head] += 1
        for name in _names(words):
            self._heads[name][head] += 1

    def likely(self, words: Sequence[str], about: frozenset[str], root: str) -> dict[str, float]:
        """How likely each head of a table is by those words and pairs of words that have one of `about` in them."""
        total = sum(self.times.values()) or 1
        found: dict[str, float] = {}
        weight = 0.0
        for name in _names(words):
            heads = {head: many for head, many in self._heads.get(name, {}).items() if head.startswith(f"{root}|")}
            times = sum(heads.values())
            if times and not about.isdisjoint(name.lstrip("~").split()):
                rare = math.log((total + 1) / (times + 0.5)) * (_ALIKE if name.startswith("~") else 1.0)
                weight += rare
                for head, many in heads.items():
                    found[head] = found.get(head, 0.0) + rare * many / (times + _FEW)
        return {head: score / weight for head, score in found.items()} if weight else {}


def _names(words: Sequence[str]) -> list[str]:
    plain = [word for word in words if not word.isupper()]
    return [*phrases(words), *(f"~{sense}" for sense in dict.fromkeys(senses(plain)))]


def heads(turn: FollowUpTurn, free: Sequence[int], known: HeadWords) -> list[Head]:
    """What the statement before may be asked for by those words that nothing else uses, likeliest first."""
    asked = _asked_words(turn, free)
    if not asked:
        return []
    found: dict[str, Head] = {}
    for one in [*_learned(turn, asked, known), *_named(turn, asked)]:
        name = f"{_text(one.parts)}|{_text(one.tail)}"
        old = found.get(name)
        chance = max(one.chance, old.chance) + _TWICE if old else one.chance
        learned = one.learned or (old is not None and old.learned)
        found[name] = Head(one.parts, one.tail, chance, one.words | (old.words if old else frozenset()), learned)
    now = f"{_text(turn.before.head)}|{_text(turn.before.tail)}"
    rest = [one for name, one in found.items() if name != now and one.chance > _LEAST]
    return sorted(rest, key=lambda one: -one.chance)[:_MOST]


def _text(parts: Iterable[Part]) -> str:
    head = Statement("", tuple(parts), ()).key
    return head.replace("DISTINCT ", "")


def _asked_words(turn: FollowUpTurn, free: Sequence[int]) -> dict[int, str]:
    """The words that may say what is asked for; verbs that are said of everything only where there is no other, and
    the question words that ask for a certain kind of thing."""
    words = {at: turn.words[at] for at in free if not _of_rows(turn, turn.words[at])}
    own = {at: word for at, word in words.items() if word not in SILENT and word not in LIGHT}
    worked_out = {at: word for at, word in own.items() if word in AGGREGATES}
    light = {at: word for at, word in words.items() if word in LIGHT}
    asks = {at: word for at, word in words.items() if word in ("when", "where", "who") or _how(turn.words, at)}
    if own == worked_out and (light or asks):
        return own | light | asks
    return own or (light | asks if asks or light else {})


def _of_rows(turn: FollowUpTurn, word: str) -> bool:
    """Whether a word names the rows that the statement shows already: “only the evening flights”."""
    root = turn.before.root
    shown = any(_is_own_key(turn, column) for column in columns_of(turn.before.head))
    return shown and root in turn.ground.tables_named(word)


def _how(words: Sequence[str], at: int) -> bool:
    """“much” of “how much” and the like."""
    return at > 0 and words[at - 1] == "how" and words[at] in ("much", "long", "far", "old", "big", "fast", "late")


def _learned(turn: FollowUpTurn, asked: Mapping[int, str], known: HeadWords) -> Iterator[Head]:
    words = masked(turn.reading)
    about = frozenset(asked.values()) | frozenset(senses(list(asked.values())))
    likely = known.likely(words, about, turn.before.root)
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
        if not columns:
            continue
        naming, own = _naming(turn, asked, columns)
        if naming < 0.3 and (all(word in LIGHT for word in asked.values()) or _only_key(turn, columns)):
            continue
        fits = _fits(turn, statement.head, columns)
        score = fits * (_LEARNED * chance + 0.3 * naming)
        yield Head(statement.head, statement.tail, score, own or frozenset(asked), True)


def _fits(turn: FollowUpTurn, head: tuple[Part, ...], columns: Sequence[Column]) -> float:
    """Less for a number that nobody asks for, and for a key beside what is asked for where that is not usual."""
    if str(head[0]).startswith(_WORKED_OUT) and not set(turn.words) & _ASK_FOR_NUMBERS:
        return 0.3
    if _HOW & set(turn.words) and all(c.name in turn.ground.key_of(table_of(c.node)) for c in columns):
        return 0.3
    beside = any(_is_own_key(turn, column) for column in columns) and not _only_key(turn, columns)
    return 0.6 if beside and not turn.with_key else 1.0


def _only_key(turn: FollowUpTurn, columns: Sequence[Column]) -> bool:
    return all(_is_own_key(turn, column) for column in columns)


def _naming(turn: FollowUpTurn, asked: Mapping[int, str], columns: Sequence[Column]) -> tuple[float, frozenset[int]]:
    """How well the words name what these columns show, and which of the words do."""
    shown = [column for column in columns if not _is_own_key(turn, column)]
    if not shown:
        return 0.0, frozenset()
    best = {at: max(_names_column(turn.ground, word, one) for one in shown) for at, word in asked.items()}
    each = [max(_names_column(turn.ground, word, one) for word in asked.values()) for one in shown]
    own = frozenset(at for at, score in best.items() if score >= 0.4)
    return (0.8 * sum(best.values()) / len(best) + 0.2 * sum(each) / len(each)), own


def _names_column(ground: Ground, word: str, column: Column) -> float:
    table = table_of(column.node)
    called = 0.9 if table in ground.tables_named(word)[:1] and column.name in ground.key_of(table) else 0.0
    return max(called, ground.named(word, table, column.name))


def _is_own_key(turn: FollowUpTurn, column: Column) -> bool:
    return column.node == turn.before.root and column.name in turn.ground.key_of(turn.before.root)


def _named(turn: FollowUpTurn, asked: Mapping[int, str]) -> Iterator[Head]:
    """Columns and tables that the words name, written as the answered questions write such heads."""
    function = next((AGGREGATES[word] for word in turn.words if word in AGGREGATES), "")
    plain = {at: word for at, word in asked.items() if word not in AGGREGATES}
    if function and not plain:
        yield from _of_the_same(turn, function, frozenset(asked))
    vague = [(places, table, column) for places, table, column in turn.ground.vaguely(turn.words)]
    for places, table, name in vague:
        # “Their names”, of departments, are not those of people.
        words, root = [turn.words[at] for at in places], turn.before.root
        if set(places) & set(plain) and (table == root or not turn.ground.named_at_all(words, root)):
            for column in _reached(turn, table, name)[:1]:
                far = _NEAR[min(column.node.count(">"), len(_NEAR) - 1)]
                yield _shown(turn, [column], 0.75 * far, frozenset(places), function)
    for column in columns_near(turn, plain.values()):
        score, own = _naming(turn, plain, [column])
        if score >= 0.3:
            far = _NEAR[min(column.node.count(">"), len(_NEAR) - 1)]
            yield _shown(turn, [column], _BY_NAME * score * far, own, function)
    for at, word in plain.items():
        for table in turn.ground.tables_named(word)[:1]:
            columns = [c for name in turn.ground.key_of(table) for c in _reached(turn, table, name)[:1]]
            if columns and table != turn.before.root:
                yield _shown(turn, columns, 0.55 * _share(plain, 1), frozenset([at]), "")
            elif columns:
                yield Head(listed(columns, _distinct(turn)), (), 0.5 * _share(plain, 1), frozenset([at]), False)


def _of_the_same(turn: FollowUpTurn, function: str, words: frozenset[int]) -> Iterator[Head]:
    """“And the total” of what was asked before."""
    columns = [one for one in columns_of(turn.before.head) if one.name]
    kinds = [turn.ground.kind(table_of(one.node), one.name) for one in columns]
    if kinds == ["number"] and not _only_key(turn, columns):
        yield _shown(turn, columns, 1.0, words, function)


def _share(words: Mapping[int, str], many: int) -> float:
    return many / max(1, len(words))


def _reached(turn: FollowUpTurn, table: str, name: str) -> list[Column]:
    if table == turn.before.root:
        return [Column(table, name)]
    nodes = turn.ground.nodes_for(turn.before, table, turn.memory.way(turn.before.root, table))
    return [Column(node, name) for node in nodes]


def columns_near(turn: FollowUpTurn, words: Iterable[str] | None = None) -> Iterator[Column]:
    """The columns of the root, of tables that the statement has, and of those that are usually joined to it; if words
    are given, those that one of them may name."""
    said = None if words is None else list(words)
    usual = [way.most_common(1)[0][0] for (root, _), way in turn.memory.ways.items() if root == turn.before.root]
    there = [column.node for clause in turn.before.clauses for column in columns_of(clause.parts)]
    for node in dict.fromkeys([turn.before.root, *there, *usual]):
        table = table_of(node)
        names = turn.ground.tables.get(table, {}) if said is None else turn.ground.named_at_all(said, table)
        yield from (Column(node, name) for name in names)


def _shown(turn: FollowUpTurn, columns: Sequence[Column], chance: float, words: frozenset[int], function: str) -> Head:
    if function:
        column = columns[0]
        number = turn.ground.kind(table_of(column.node), column.name) == "number"
        return Head((f"{function}(", column, ")"), (), chance * (1.0 if number else 0.2), words, False)
    node = columns[0].node
    beside = [Column(node, name) for name in turn.ground.key_of(table_of(node))] if turn.with_key else []
    return Head(listed(list(dict.fromkeys([*beside, *columns])), _distinct(turn)), (), chance, words, False)


def with_key(memory: Memory, ground: Ground, root: str) -> bool:
    """Whether answered questions show the key of a row beside what is asked of it."""
    key = set(ground.key_of(root))
    votes: Counter[bool] = Counter()
    for head, meanings in memory.by_head.items():
        if head.startswith(f"{root}|") and "(" not in head:
            shape = next((memory.shapes[k[0]] for m in meanings if (k := memory.meanings.get(m, []))), None)
            columns = columns_of(shape.form.statement.head) if shape else []
            names = {one.name for one in columns if one.node == root}
            if names and not names <= key:
                votes[key <= names] += 1
    return votes[True] > votes[False]


def _distinct(turn: FollowUpTurn) -> bool:
    """Whether a row that comes several times is to come once: always, but where one row is meant."""
    says = [one for one in map(bounded, turn.before.clauses) if one and one.op == "="]
    single = {one.column.name for one in says if one.column.node == turn.before.root}
    key = turn.ground.primary.get(turn.before.root, ())
    first = turn.before.head[0] if turn.before.head else ""
    return first == "DISTINCT " or not (set(key) & single or any(name.endswith("_name") for name in single))
