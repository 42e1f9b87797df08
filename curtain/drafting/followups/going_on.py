"""From a follow-up and the statement before to new statements: each an edit of it, with how likely it is meant.

What the words ask for is found one after the other: to turn the direction round, to sort or count, what each value
does, a least or greatest value, conditions that a word usually stands for, something else to show. Each may be
understood in several ways; all together are as likely as the product, and less with each word that nothing explains.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ..learned.evidence import Evidence
from ..learned.memory import Memory
from ..learned.reader import Guess
from ..learned.styles import YES_NO, by_limit, by_star, yes_no_head
from ..query.column_words import PEOPLE, lemma
from ..query.comparisons import superlative_at
from ..query.recognise import Reading
from ..query.series import leaders
from ..query.small_words import BACKWARDS, LIGHT, SILENT, asks_how_many, is_narrowing, phrase_at
from ..sql.edits import (
    bounded,
    columns_of,
    counted,
    greatest,
    listed,
    named,
    negated,
    one_or_other,
    put,
    same_thing,
    sorted_by,
    touches,
    turned_round,
)
from ..sql.ground import Ground
from ..sql.same_year import assumed_days, in_the_same, without_year, year_before, years_told
from ..sql.statements import Clause, Column, Statement, table_of
from .counted_again import counted_again, said_beside_count
from .fillings import Filling, fillings
from .followups import Continued, leans, stands_alone
from .grouped_again import asks_for_groups, grouped_again
from .heads import Head, HeadWords, columns_near, heads, with_key
from .superlatives import Best, bests
from .turn import Turn, value_groups
from .usual import usual_conditions
from .widened import added_to, asks_for_more, widened

__all__ = ["Follower"]

_UNUSED = 0.3
_NO_HEAD = 0.3
_APART = 0.02
_WIDE = 8
_MOST_VALUES = 10
_MOST = 6
_FEW = 0.5
_LEAST_SHARE = 0.4
_CLEAR = 0.6
_LATER_CHOICE = 0.7
_ASKS = re.compile(
    r"^(and |but |so |okay |ok |now |then )*(what|whats|which|when|where|who|whose|in (what|which)|on (what|which)|"
    r"at (what|which)|from (what|which)|how (much|long|far|old|late|big|fast|many))\b"
    r"(?! (of (those|these|them)|ones?|about)\b)"
)
_THEIRS = re.compile(r"\b(their|its|his|her|theirs)\b|^(and |now |then )*(show|list|give|tell|display|print)\b")
_ALSO = re.compile(r"\b(with (their|its|the|his|her)|also|too|as well|add|include)\b")
_AND_THEIRS = re.compile(r"^and (list |show |give me )?(their|its|his|her)\b")
_WHAT = re.compile(r"^(and |so |now )*(what|whats|when|at what|in what|how much)\b(?! (is|are) the \w+est$)")
_SORT = re.compile(
    r"\b(list|show|give|put) (them|those|these|it|me those|me these) by\b|"
    r"\b(sort|sorted|order|ordered|rank|ranked|arrange|arranged|ordering)\b"
)
_DOWN = re.compile(r"\b(descending|highest first|largest first|most first|latest first|reverse|down|from the top)\b")
_PEOPLE = frozenset(map(lemma, (*PEOPLE, "everybody", "everyone", "people")))


@dataclass(frozen=True)
class _Edit:
    """A statement on the way, its likelihood so far, and the words and values that it uses; `plain` unless it cannot be
    told what the words are said of."""

    statement: Statement
    chance: float
    words: frozenset[int]
    values: tuple[int, ...] = ()
    guessed: int = 0
    learned: int = 0
    shared: frozenset[int] = frozenset()
    plain: bool = True

    def with_(self, statement: Statement, chance: float, words: Iterable[int], learned: bool) -> _Edit:
        """One more step."""
        made = int(statement.key != self.statement.key)
        return replace(
            self,
            statement=statement,
            chance=self.chance * chance,
            words=self.words | frozenset(words),
            guessed=self.guessed + made * (not learned),
            learned=self.learned + made * learned,
        )


class Follower:
    """Edits statements as follow-ups ask. Learns from the memory of answered questions as it grows."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._heads = HeadWords()

    def seen(self, memory: Memory) -> None:
        """Learns which words go with what is asked for; takes a tenth of a second with 4,000 questions, and nothing
        after that."""
        self._heads.seen(memory)

    def continued(
        self,
        reading: Reading,
        earlier: Sequence[Statement],
        guess: Guess,
        usual: Guess,
        memory: Memory,
        included: bool | None,
    ) -> list[Continued]:
        """Statements that go on from the last of those before, likeliest first; none if the query adds nothing to it.
        `usual` is what would be guessed of no words at all; `included` says whether the ends of periods belong to
        them."""
        before = earlier[-1]
        self.seen(memory)
        words = tuple(word.text for word in reading.words)
        year = year_before(reading, before)
        reading = in_the_same(reading, year) if year else reading
        narrowing = is_narrowing(" ".join(words)) or (year is not None and year.whole)
        keyed = with_key(memory, self._ground, before.root)
        added = tuple(added_to(earlier[:-1], before))
        turn = Turn(reading, words, before, self._ground, memory, narrowing, included, keyed, added)
        grouped = grouped_again(turn)
        if grouped is not None:
            return _told(turn, [_Edit(grouped, 1.0, frozenset(range(len(words))))])
        again = counted_again(turn)
        if again is not None:
            return _told(turn, [replace(_Edit(again[0], 1.0, frozenset(range(len(words)))), values=again[1])])
        edits = [_turned(turn)]
        many = _number_of(turn)
        edits = _best(_with_values(turn, edits, guess, many))
        sorts = _sorts(words)
        edits = edits if sorts else _best(_with_plain(turn, edits, guess, usual))
        if asks_for_more(words):
            edits = _best(_with_more(turn, edits))
        if not sorts:
            edits = _best(_with_most(turn, edits, guess, usual, many))
        edits = _best(one for edit in edits for one in self._with_head(turn, edit))
        edits = [_counted(turn, edit) for edit in edits]
        return _told(turn, edits)

    def _with_head(self, turn: Turn, edit: _Edit) -> Iterator[_Edit]:
        text = " ".join(turn.words)
        sort = _sorts(turn.words)
        asked = bool(_ASKS.match(text) or _THEIRS.search(text)) and not sort
        yield edit.with_(edit.statement, _NO_HEAD if asked else 1.0, (), True)
        here = replace(turn, before=edit.statement)
        free = sorted({*_free(turn, edit), *(edit.shared if _WHAT.match(text) else ())})
        if sort:
            yield from _sorted(here, edit)
            return
        also = bool(_ALSO.search(text)) or (bool(_AND_THEIRS.search(text)) and _lists_keys(here))
        for head in heads(here, free, self._heads):
            yield edit.with_(_headed(here, head, also), head.chance * (1.0 if asked else 0.3), head.words, head.learned)
        yield from _yes_no(here, edit)


def _sorts(words: Sequence[str]) -> bool:
    """Whether the words ask for an order: “sort them by age”, “by department” of what is no number."""
    return _SORT.search(" ".join(words)) is not None or asks_for_groups(words)


def _best(edits: Iterable[_Edit]) -> list[_Edit]:
    return heapq.nlargest(_WIDE, edits, key=lambda one: one.chance)


def _turned(turn: Turn) -> _Edit:
    edit = _Edit(turn.before, 1.0, frozenset())
    place = phrase_at(turn.words, BACKWARDS)
    if place is None or not all(map(turn.free, range(*place))):
        return edit
    pair = next((pair for pair in turn.ground.twins(turn.before.root) if touches(turn.before, pair)), None)
    return edit.with_(turned_round(turn.before, pair), 1.0, range(*place), True) if pair else edit


def _with_values(turn: Turn, edits: Iterable[_Edit], guess: Guess, many: int | None) -> Iterator[_Edit]:
    groups = [group for group in value_groups(turn) if group != (many,)][:_MOST_VALUES]
    options = [fillings(turn, group, guess.roles[group[0]]) for group in groups]
    led = leaders(turn.reading)
    pairs = [(n, groups.index((led[group[0]],))) for n, group in enumerate(groups) if (led.get(group[0]),) in groups]
    every = heapq.nlargest(_WIDE, _combined(options, pairs), key=lambda one: one[0])
    for edit, (chance, choice) in product(edits, every):
        clauses = _clauses_of(turn, groups, choice)
        statement = put(edit.statement, clauses, turn.ground, turn.narrowing) if clauses else edit.statement
        used = tuple(
            number for filling, group in zip(choice, groups, strict=True) if filling.clauses for number in group
        )
        words = [at for filling in choice for at in filling.words]
        learned = all(filling.learned for filling in choice)
        yield replace(edit.with_(statement, chance, words, learned), values=used)


def _clauses_of(turn: Turn, groups: Sequence[tuple[int, ...]], choice: Sequence[Filling]) -> list[Clause]:
    """The conditions of all values. Where the first of two values side by side is denied, as in “not Mary Smith”, not
    both may hold."""
    clauses: list[Clause] = []
    found = turn.reading.found
    last = -1
    for group, filling in zip(groups, choice, strict=True):
        both = clauses and len(filling.clauses) == 1 and found[group[0]].first == last
        other = _not_both(clauses[-1], filling.clauses[0]) if both else None
        clauses[-1 if other else len(clauses) :] = [other] if other else filling.clauses
        last = found[group[-1]].last
    return clauses


def _not_both(denied: Clause, other: Clause) -> Clause | None:
    """The denied condition, or else the contrary of the other, if they are said of one thing."""
    one, two = bounded(denied), bounded(other)
    if one is None or two is None or (one.op, two.op) != ("<>", "=") or one.column.node != two.column.node:
        return None
    return one_or_other(denied, negated(other))


def _combined(
    options: Sequence[Sequence[Filling]], pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[float, tuple[Filling, ...]]]:
    """Choices for all groups of values; `pairs` are groups that are named in one breath, and do the same."""
    for count, choice in enumerate(product(*options)):
        if count > 200:
            return
        keys = [named(clause) for filling in choice for clause in filling.clauses]
        chance = 1.0
        for filling in choice:
            chance *= filling.chance
        chance *= _APART ** sum(_about(choice[one]) != _about(choice[other]) for one, other in pairs)
        yield chance * (0.2 if len(set(keys)) < len(keys) else 1.0), choice


def _about(filling: Filling) -> set[Column]:
    return {column for clause in filling.clauses for column in columns_of(clause.parts) if column.name}


def _with_plain(turn: Turn, edits: Iterable[_Edit], guess: Guess, usual: Guess) -> Iterator[_Edit]:
    for edit in edits:
        found = usual_conditions(turn, _free(turn, edit), guess, usual)
        for choice in product((True, False), repeat=len(found)):
            changed = edit
            for taken, (clause, chance, words) in zip(choice, found, strict=True):
                if taken:
                    statement = put(changed.statement, [clause], turn.ground, turn.narrowing)
                    changed = changed.with_(statement, chance, words, True)
                else:
                    changed = replace(changed, chance=changed.chance * (1 - chance))
            yield changed


def _with_more(turn: Turn, edits: Iterable[_Edit]) -> Iterator[_Edit]:
    """Each edit as what gives more rows than before."""
    for edit in edits:
        for place, (statement, plain) in enumerate(widened(turn.before, edit.statement, turn.added)):
            yield replace(edit, statement=statement, chance=edit.chance * _LATER_CHOICE**place, plain=plain)


def _with_most(turn: Turn, edits: Iterable[_Edit], guess: Guess, usual: Guess, number: int | None) -> Iterator[_Edit]:
    found = bests(turn, guess.plain, usual.plain)
    many = int(turn.reading.found[number].form("#number") or 0) if number is not None else 0
    for edit in edits:
        yield edit.with_(edit.statement, 0.15 if found else 1.0, (), True)
        for best in found:
            if not edit.words & best.words:
                made = edit.with_(_most(turn, edit.statement, best, many), best.chance, best.words, best.learned)
                yield made if best.value else replace(made, shared=_naming_words(turn, best))


def _naming_words(turn: Turn, best: Best) -> frozenset[int]:
    """The words that name what is to be greatest, and that may say besides what is asked for."""
    ends = ("first", "last", "most", "least")
    return frozenset(at for at in best.words if turn.words[at] not in ends and superlative_at(turn.words, at) is None)


def _number_of(turn: Turn) -> int | None:
    """Which value is the number of “the three cheapest” or “the top five”, if one is."""
    for number, one in enumerate(turn.reading.found):
        text = one.form("#number") or ""
        if one.kind == "number" and text.isdigit() and 1 < int(text) <= 1000:
            behind = one.last < len(turn.words) and superlative_at(turn.words, one.last)
            before = one.first > 0 and superlative_at(turn.words, one.first - 1)
            if behind or before:
                return number
    return None


def _most(turn: Turn, statement: Statement, best: Best, many: int) -> Statement:
    if best.value:
        name = "MAX(" if best.sign > 0 else "MIN("
        return replace(statement, head=(name, best.column, ")"), tail=())
    if many:
        return sorted_by(statement, best.column, best.sign > 0, many)
    if by_limit(turn.memory):
        return sorted_by(statement, best.column, best.sign > 0, 1)
    listing = _listing(turn, statement)
    return put(listing, [greatest(listing, best.column, best.sign)], turn.ground, True)


def _listing(turn: Turn, statement: Statement) -> Statement:
    """The statement with its rows, if it counted them."""
    first = statement.head[0] if statement.head else ""
    if not (isinstance(first, str) and first.startswith("COUNT(")) or asks_how_many(" ".join(turn.words)):
        return statement
    key = [Column(statement.root, name) for name in turn.ground.key_of(statement.root)]
    return replace(statement, head=listed(key, False)) if key else statement


def _headed(turn: Turn, head: Head, also: bool) -> Statement:
    if also and not head.tail and head.parts and not any(isinstance(p, str) and "(" in p for p in head.parts):
        old = [part for part in turn.before.head if isinstance(part, Column)]
        new = [part for part in head.parts if isinstance(part, Column)]
        first = turn.before.head[0]
        if old and not (isinstance(first, str) and "(" in first):
            distinct = "DISTINCT " in (turn.before.head[0], head.parts[0])
            return replace(turn.before, head=listed(list(dict.fromkeys([*old, *new])), distinct))
    changed = replace(turn.before, head=head.parts, tail=head.tail)
    return _unbound(turn, changed) if {"other", "else", "all"} & set(turn.words) else changed


def _unbound(turn: Turn, statement: Statement) -> Statement:
    """The statement without conditions that say which thing it is that is asked for: “which other airlines”."""
    shown = [column for column in columns_of(statement.head) if column.name]
    bound = {
        clause.key
        for clause in statement.clauses
        for one in [bounded(clause)]
        if one and any(same_thing(one.column, column, turn.ground) for column in shown)
    }
    return replace(statement, clauses=tuple(clause for clause in statement.clauses if clause.key not in bound))


def _lists_keys(turn: Turn) -> bool:
    """Whether the statement before shows its rows, and not only something of them."""
    key = {Column(turn.before.root, name) for name in turn.ground.key_of(turn.before.root)}
    return bool(key) and key <= {part for part in turn.before.head if isinstance(part, Column)}


def _sorted(turn: Turn, edit: _Edit) -> Iterator[_Edit]:
    down = bool(_DOWN.search(" ".join(turn.words)))
    for column in columns_near(turn, (word for _, word in _content(turn))):
        scores = {at: turn.ground.named(word, table_of(column.node), column.name) for at, word in _content(turn)}
        score = max(scores.values(), default=0.0)
        near = 1.0 if column.node == turn.before.root else 0.7
        if score >= 0.4:
            words = [at for at, own in scores.items() if own >= 0.4]
            every = range(len(turn.words)) if words else ()
            yield edit.with_(sorted_by(turn.before, column, down), score * near, every, True)


def _content(turn: Turn) -> Iterator[tuple[int, str]]:
    return ((at, word) for at, word in enumerate(turn.words) if word not in SILENT and turn.free(at))


def _yes_no(turn: Turn, edit: _Edit) -> Iterator[_Edit]:
    """“Are any of them managers”, asked for as answered questions that begin so are."""
    if turn.words[0] not in YES_NO:
        return
    head = yes_no_head(turn.memory)
    if head:
        yield edit.with_(put(replace(edit.statement, head=head, tail=()), [], turn.ground, True), 3.0, (), True)


def _counted(turn: Turn, edit: _Edit) -> _Edit:
    """How many instead of which, if the words ask so and the head is not a number already."""
    text = " ".join(turn.words)
    first = edit.statement.head[0] if edit.statement.head else ""
    numbers = isinstance(first, str) and first.startswith(("COUNT(", "SUM(", "AVG("))
    if not asks_how_many(text) or numbers:
        return _relisted(turn, edit) if numbers else edit
    shown = [part for part in edit.statement.head if isinstance(part, Column)]
    changed = edit.statement.head != turn.before.head
    if changed and len(shown) and all(_is_number(turn, column) for column in shown[-1:]):
        return edit
    return edit.with_(counted(edit.statement, by_star(turn.memory, turn.before.root), turn.ground), 1.0, (), True)


def _is_number(turn: Turn, column: Column) -> bool:
    table = table_of(column.node)
    key = turn.ground.key_of(table)
    return turn.ground.kind(table, column.name) == "number" and column.name not in key


def _relisted(turn: Turn, edit: _Edit) -> _Edit:
    """“Which of those are women” of what was counted before lists them."""
    first = str(edit.statement.head[0])
    wh = re.match(r"^(and |now )*(which|who|list|show|what are they|whose)\b", " ".join(turn.words))
    if not wh or edit.statement.head != turn.before.head or not first.startswith("COUNT("):
        return edit
    key = [Column(edit.statement.root, name) for name in turn.ground.key_of(edit.statement.root)]
    return replace(edit, statement=replace(edit.statement, head=listed(key, True))) if key else edit


def _free(turn: Turn, edit: _Edit) -> list[int]:
    """The words that nothing uses yet."""
    return [at for at in range(len(turn.words)) if at not in edit.words and turn.free(at)]


def _unused(turn: Turn, edit: _Edit) -> int:
    """How many words that say something nothing explains."""
    free = [at for at in _free(turn, edit) if turn.words[at] not in SILENT and turn.words[at] not in LIGHT]
    tables = {table_of(part.node) for part in edit.statement.head if isinstance(part, Column)} | {turn.before.root}
    return sum(not tables & set(turn.ground.tables_named(turn.words[at])) for at in free)


def _told(turn: Turn, edits: Iterable[_Edit]) -> list[Continued]:
    """The edits that change something, each statement once, with how sure they are."""
    weighed: dict[str, tuple[float, _Edit]] = {}
    for edit in edits:
        chance = edit.chance * _UNUSED ** _unused(turn, edit)
        key = edit.statement.key
        if key != turn.before.key and chance > weighed.get(key, (0.0,))[0]:
            weighed[key] = chance, edit
    best = heapq.nlargest(_MOST, weighed.values(), key=lambda one: one[0])
    total = sum(chance for chance, _ in best) or 1.0
    loose = [
        not edit.plain
        or _cuts_loose(turn, edit)
        or _guesses_year(turn, edit)
        or said_beside_count(turn.before, edit.statement)
        for _, edit in best
    ]
    return [
        Continued(
            edit.statement,
            edit.values,
            _evidence(turn, edit, chance / total, place == 0),
            # Where the likeliest is never sure, no other is surer.
            loose[0] or loose[place],
        )
        for place, (chance, edit) in enumerate(best)
    ]


def _cuts_loose(turn: Turn, edit: _Edit) -> bool:
    """Whether an edit of groups, or of the first few of something, asks about other rows than these, or may do so: a
    number or “the most” may be said of the groups."""
    text = "".join(part for part in turn.before.tail if isinstance(part, str))
    if not re.search(r"\b(GROUP BY|LIMIT)\b", text):
        return False
    same = (edit.statement.head, edit.statement.tail) == (turn.before.head, turn.before.tail)
    measures = any(turn.reading.found[number].is_measure for number in edit.values)
    most = any(superlative_at(turn.words, at) for at in range(len(turn.words)))
    return turn.narrowing or not same or measures or most


def _guesses_year(turn: Turn, edit: _Edit) -> bool:
    """Whether an edit compares something with a day of which nothing tells the year."""
    days, told = assumed_days(turn.reading), years_told(turn.before)
    new = (clause for clause in edit.statement.clauses if clause not in turn.before.clauses)
    return bool(days) and any(without_year(clause, days, told) for clause in new)


def _evidence(turn: Turn, edit: _Edit, share: float, first: bool) -> Evidence:
    idle = sum(not one.weak for n, one in enumerate(turn.reading.found) if n not in turn.reading.removed)
    return Evidence(
        share=share,
        words=float(_unused(turn, edit)),
        values=float(idle - sum(not turn.reading.found[n].weak for n in edit.values)),
        first=float(first),
        guessed=float(edit.guessed > 0),
        leans=float(leans(turn.reading)),
        whole=float(stands_alone(turn.reading)),
        several=float(edit.learned + edit.guessed > 1),
        rows=float(_names_rows(turn) or _names_one(turn, edit)),
    )


def _names_one(turn: Turn, edit: _Edit) -> bool:
    """Whether the statement is now about one row by its name or key, and was not before."""

    def single(statement: Statement) -> bool:
        says = [one for one in map(bounded, statement.clauses) if one and one.op == "="]
        return any(one.column.node == statement.root and turn.ground.identifies(one.column) for one in says)

    return single(edit.statement) and not single(turn.before)


def _names_rows(turn: Turn) -> bool:
    """Whether the words name the things that they ask about themselves: “the flights that leave at noon”."""
    return any(
        turn.free(at) and (turn.ground.tables_named(word) or lemma(word) in _PEOPLE)
        for at, word in enumerate(turn.words)
    )
