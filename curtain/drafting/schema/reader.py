"""Drafts from the schema alone, for packs with no or few answered questions.

The structure of a question is read in the classic way of interfaces to databases (Androutsopoulos, Ritchie and
Thanisch 1995, sections 3 and 4): which table is asked about, what of it, and which conditions its values make.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..query.column_words import words_in
from ..query.recognise import Reading
from ..query.worked_out import AGGREGATES
from ..sql.statements import Statement, write
from .above import above_in, stands_below_somebody
from .amounts import measured
from .breath import names_columns_alone, without_pointers
from .counts import counted, none_counted
from .focus import Focus, asks_for_work, focuses, speaks_of_age
from .heads import statements_of
from .left_open import leaves_open, names_one_of_two
from .marks import FUNCTION_WORDS, MOST_WORDS, Question, question_of
from .numbers import Amount
from .pack_schema import Schema
from .places import named
from .plan import Plan
from .rivals import rivalled, rivals
from .self_joins import turned_up
from .spoken import spoken_of, stood_above
from .values import candidates_of
from .words import Mark

__all__ = ["SchemaDraft", "asks_for_columns", "from_schema", "from_schema_after", "speaks_of_theirs"]

_ALL = words_in("all every everyone everybody each")
_EACH = words_in("every each")
_ARE = words_in("is are was were do does did has have")
_MOST = 8
# No reading's own doubt raises its score by more.
_SUREST = 1.25
_CLOSE = 0.3
_TIED = 0.02
_EITHER = 0.5
_SECOND = 0.8
# Of what a query leaves open, one way.
_OPEN = 0.5
# So many things that may be asked for, and so many decisions of each made otherwise.
_MANY, _FEW = (6, 3), (3, 1)
_UNTOLD = 0.3
_LEAST_EXPLAINED = 0.34


@dataclass(frozen=True)
class SchemaDraft:
    """A statement made from the schema alone: the numbers of the found values it uses, the share of the words that say
    something which it explains, and how likely it is right. `they` is the node of those of the turn before, if that is
    not the root: “his boss”, “who reports to them”."""

    statement: Statement
    used: tuple[int, ...]
    explained: float
    confidence: float
    they: str = ""


def from_schema(
    reading: Reading, schema: Schema, brief: bool = False, apart: Collection[int] = ()
) -> list[SchemaDraft]:
    """Up to eight drafts, likeliest first; none for what is no question about these tables. `brief` looks at the
    likeliest readings alone; the words at the places `apart` are not read, and not missed either."""
    if not 0 < len(reading.words) <= MOST_WORDS or _is_sql(reading):
        return []
    question = question_of(reading, schema)
    marks = tuple(one for one in question.marks if one.first not in apart)
    return _ranked(replace(question, marks=marks, idle=question.idle | frozenset(apart)), schema, brief)


def from_schema_after(reading: Reading, schema: Schema, before: Statement) -> list[SchemaDraft]:
    """The same for a query that goes on from this statement, as if it stood alone, where it says what edits do not
    know: an age that is called one, years of two digits, a time of service, a comparison with somebody or with an
    average, “his boss”."""
    if not 0 < len(reading.words) <= MOST_WORDS or before.root not in schema.tables or before.tail:
        return []
    question = question_of(reading, schema, before.root)
    if _names_columns(question, schema):
        question = without_pointers(question)
    elif not _says_more(question, schema):
        return []
    drafts = (one for one in _ranked(question, schema) if not one.statement.tail)
    return [one for one in drafts if one.they or one.statement.root == before.root]


def asks_for_columns(reading: Reading, schema: Schema, before: Statement) -> bool:
    """Whether a query names nothing but columns of what the turn before was about: “names and ages please”."""
    known = before.root in schema.tables and len(reading.words) <= MOST_WORDS
    return known and _names_columns(question_of(reading, schema, before.root), schema)


def _names_columns(question: Question, schema: Schema) -> bool:
    return names_columns_alone(question) and not (schema.bosses and _asks_of_theirs(question, schema))


def speaks_of_theirs(reading: Reading, schema: Schema, before: Statement) -> bool:
    """Whether a query speaks of those above or below those of the turn before: “his boss”, “who reports to them”."""
    return bool(schema.bosses) and _asks_of_theirs(question_of(reading, schema, before.root), schema)


def _asks_of_theirs(question: Question, schema: Schema) -> bool:
    above = above_in(question, schema)
    return above is not None and bool(above.path) and not (above.names or above.behind or above.ahead)


def _says_more(question: Question, schema: Schema) -> bool:
    if _asks_of_theirs(question, schema) or asks_for_work(question.words):
        return True
    worded = any(amount.served or amount.short or _is_called_age(question, amount) for amount in question.amounts)
    return worded or _names_rivals(question) or (question.asks == "AVG" and speaks_of_age(question))


def _is_called_age(question: Question, amount: Amount) -> bool:
    """Whether an age is said in a way that edits do not know: “who of them is 45”, “over the age of 60”."""
    told = any(question.found[n].form("#age") for n in amount.found)
    return amount.aged and (told or amount.op in ("=", "<>") or "age" in question.words)


def _names_rivals(question: Question) -> bool:
    place = rivals(question.words)
    if place is None:
        return False
    named = any(question.found[n].first == place[1] for n in question.names)
    return named or AGGREGATES.get(question.words[place[1]]) == "AVG"


def _ranked(question: Question, schema: Schema, brief: bool = False) -> list[SchemaDraft]:
    best: dict[str, SchemaDraft] = {}

    def hopeless(weight: float) -> bool:
        """Whether a reading with this weight can come among the best no more."""
        scores = heapq.nlargest(_MOST, (draft.confidence for draft in best.values()))
        return len(scores) == _MOST and weight * _SUREST < scores[-1]

    for draft in _drafts(question, schema, hopeless, *(_FEW if brief else _MANY)):
        sql = write(draft.statement)
        if sql not in best or best[sql].confidence < draft.confidence:
            best[sql] = draft
    ranked = sorted(best.values(), key=lambda draft: -draft.confidence)[:_MOST]
    either = _says_not_which_people(ranked, schema)
    return [replace(one, confidence=min(one.confidence, _EITHER)) if either else one for one in _calibrated(ranked)]


def _says_not_which_people(ranked: Sequence[SchemaDraft], schema: Schema) -> bool:
    """Whether two kinds of people may as well be meant: members or trainers by “women”."""
    best = ranked[:2]
    roots = {one.statement.root for one in best}
    return len(roots & schema.people) == 2 and best[0].confidence - best[1].confidence < _TIED


def _calibrated(drafts: Sequence[SchemaDraft]) -> list[SchemaDraft]:
    """Scores made into chances: of drafts with 0.8, four in five are right; none is surer than the one before it."""
    scores = [draft.confidence for draft in drafts]
    found: list[SchemaDraft] = []
    for place, draft in enumerate(drafts):
        rival = scores[0] if place else max(scores[1:2], default=0.0)
        told = 1.0 if draft.explained == 1.0 else draft.explained - _UNTOLD
        chance = _chance(scores[place], told, scores[place] - rival)
        found.append(replace(draft, confidence=round(min([chance, *(one.confidence for one in found[-1:])]), 4)))
    return found


def _chance(score: float, told: float, lead: float) -> float:
    """The logistic regression of whether drafts were right on their score, the share of words explained and the lead
    over the next draft (for others: behind the first), with each of four domains weighing the same."""
    return 1 / (1 + math.exp(3.82 - 3.36 * score - 1.72 * told - 1.57 * lead))


def _is_sql(reading: Reading) -> bool:
    words = [word.text for word in reading.words]
    return words[0] in ("select", "with", "insert", "delete", "update", "drop", "create") and bool(
        {"from", "into", "table", "set"} & set(words)
    )


def _drafts(
    question: Question, schema: Schema, hopeless: Callable[[float], bool], asked: int, flips: int
) -> Iterator[SchemaDraft]:
    start = partial(Plan, question, schema, candidates=candidates_of(question, schema), amounts={}, leads={})
    for focus in focuses(question, schema)[:asked]:
        if hopeless(focus.weight):
            continue
        plan = _planned(start(focus, frozenset()))
        yield from _of_plan(plan, focus.weight)
        for n in sorted(range(len(plan.close)), key=lambda n: -plan.close[n])[:flips]:
            weight = focus.weight * plan.close[n] * _SECOND
            if plan.close[n] > _CLOSE and not hopeless(weight):
                yield from _of_plan(_planned(start(focus, frozenset([n]))), weight)


def _planned(plan: Plan) -> Plan:
    """The plan with everything in it that the query says."""
    plan.explained |= plan.focus.covers | plan.question.idle
    stood_above(plan)
    if not plan.schema.bosses and stands_below_somebody(plan.question):
        plan.give_up()
    if _they(plan) and not plan.question.they:
        # “His boss”, and nobody is spoken of.
        plan.give_up()
    if _asks_of_all(plan.question.words) or names_one_of_two(plan):
        plan.give_up()
    if leaves_open(plan):
        plan.doubt *= _OPEN
    before = set(plan.explained)
    rivalled(plan, _behind)
    counts = [*none_counted(plan), *plan.question.amounts]
    numbers = [amount for amount in counts if counted(plan, amount, _behind)]
    told = plan.explained - before
    for first, item in _items(plan.question, plan.focus):
        if first not in told and item not in numbers:
            _put_in(plan, item)
    return plan


def _asks_of_all(words: Sequence[str]) -> bool:
    """Whether it is asked if all are something, which no draft tells: “is everyone over 30”."""
    asks = words[0] in _ARE and words[1:2] != ("you",)
    asks = asks and not (_ALL.isdisjoint(words[1:3]) and _EACH.isdisjoint(words))
    return asks or (words[0] in _ALL and not _ARE.isdisjoint(words[1:2]))


def _put_in(plan: Plan, item: Mark | Amount | int) -> None:
    if isinstance(item, Mark):
        spoken_of(plan, item)
    elif isinstance(item, Amount):
        measured(plan, item)
    else:
        named(plan, item)


def _behind(outer: Plan, table: str, places: range) -> Plan:
    """What the words at these places say of the rows of a table that is counted or averaged apart."""
    focus = Focus(table, (), frozenset(), 1.0, "rows")
    plan = Plan(outer.question, outer.schema, focus, frozenset(), outer.candidates, outer.amounts, outer.leads)
    # A “not” before these words is said of what they tell about, and not of what they tell.
    plan.spent |= {first for first, _ in plan.question.nots if first < places.start}
    alone = table in plan.schema.people or table == outer.focus.root
    for first, item in _items(plan.question, focus):
        if first in places and (alone or _is_of(plan, item, table)):
            _put_in(plan, item)
    return plan


def _is_of(plan: Plan, item: Mark | Amount | int, table: str) -> bool:
    """Whether what is said is said of this very table, and not of what else the query is about."""
    if isinstance(item, Mark):
        return False
    if isinstance(item, Amount):
        fits = plan.measure(item).fits(table, False)
        return any(fit.by_words > 0 for fit in fits)
    return any(one.table == table and one.own for one in plan.candidates[item])


def _items(question: Question, focus: Focus) -> list[tuple[int, Mark | Amount | int]]:
    items: list[tuple[int, Mark | Amount | int]] = [(question.found[n].first, n) for n in question.names]
    items += [(amount.first, amount) for amount in question.amounts]
    items += [(mark.first, mark) for mark in question.marks if mark.first not in focus.covers]
    # What is spoken of comes first: the values belong to it wherever they stand.
    return sorted(items, key=lambda one: (not isinstance(one[1], Mark), one[0]))


def _of_plan(plan: Plan, weight: float) -> Iterator[SchemaDraft]:
    for share, statement in statements_of(plan):
        explained = _explained(plan)
        if explained >= _LEAST_EXPLAINED:
            score = weight * plan.doubt * share * _whole(plan) * (0.25 + 0.75 * explained)
            statement = turned_up(statement, plan.schema)
            chance, used = round(min(1.0, score), 4), tuple(sorted(plan.used))
            yield SchemaDraft(statement, used, round(explained, 3), chance, _they(plan))


def _they(plan: Plan) -> str:
    above = plan.focus.above
    return (plan.named_above() or "") if above is not None and not (above.names or above.behind or above.ahead) else ""


def _explained(plan: Plan) -> float:
    words = [at for at, word in enumerate(plan.question.words) if word not in FUNCTION_WORDS]
    return sum(at in plan.explained for at in words) / len(words) if words else float(bool(plan.explained))


def _whole(plan: Plan) -> float:
    """Values that were found and are not used speak against a draft."""
    wanted = set(plan.question.names) | {n for one in plan.question.amounts for n in one.found}
    return 0.5 ** len(wanted - plan.used)
