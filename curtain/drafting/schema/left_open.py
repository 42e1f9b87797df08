"""What a query over a schema leaves open: who the one head of a department is, and whether two kinds are both meant."""

from __future__ import annotations

from collections.abc import Sequence

from ..query.column_words import lemma
from .marks import Question
from .pack_schema import Schema
from .plan import Plan
from .verbs import stands_for_above

__all__ = ["leaves_open", "names_one_of_two"]

_AND = (("and",), ("and", "the"))


def leaves_open(plan: Plan) -> bool:
    """Whether a query can be meant in two ways of which no draft can say which."""
    return _asks_for_one_head(plan.question, plan.schema) or _is_one_of_two_kinds(plan)


def names_one_of_two(plan: Plan) -> bool:
    """Whether only the last of two names is taken for who stands above: “Gray's and Lander's people”."""
    question, names = plan.question, plan.focus.above.names if plan.focus.above else ()
    first = min((question.found[n].first for n in names), default=0)
    others = (question.found[n] for n in question.names if n not in names)
    return any(one.last < first and question.words[one.last : first] in _AND for one in others)


def _asks_for_one_head(question: Question, schema: Schema) -> bool:
    """Whether the one above all of a department or the like is asked for: those there may have several above them."""
    said = [at for at, word in enumerate(question.words) if _stands_above(word, schema)] if schema.bosses else []
    if any(_is_beside_things(question, schema, at) for at in said):
        return True
    named = [form for n in question.names for form in question.found[n].meanings[0].forms]
    tables = {form.strip("%").split(".")[0] for form in named}
    several = any(_is_plural(question.words, at) for at in said)
    return bool(said and named) and not several and tables.isdisjoint(schema.bosses)


def _stands_above(word: str, schema: Schema) -> bool:
    return lemma(word) in schema.boss_words or stands_for_above(word, schema)


def _is_plural(words: Sequence[str], at: int) -> bool:
    return words[at].endswith("s") and not words[at].endswith("ss") and words[max(0, at - 1)] != "who"


def _is_beside_things(question: Question, schema: Schema, at: int) -> bool:
    """“Heads of divisions”, “department heads”: above whom, is not said."""
    words = question.words
    behind = at + 2 + (words[at + 2 : at + 3] == ("the",)) if words[at + 1 : at + 2] == ("of",) else -1
    named = {question.found[n].first for n in question.names}
    things = (one for one in question.marks if one.last == at or (one.first == behind and one.last not in named))
    senses = [sense for one in things for sense in one.senses[:1]]
    return any(not one.column and one.table not in schema.people for one in senses)


def _is_one_of_two_kinds(plan: Plan) -> bool:
    """Whether those above others, or the rows of a table, stand beside another kind: “managers and engineers over 50”,
    “boats and members”. Nothing says whether both are meant at once."""
    question, above = plan.question, plan.focus.above
    words, marks = question.words, question.marks
    if above is not None and above.way == "are":
        named = [question.found[n] for n in question.names]
        behind = any(words[above.last : one.first] in _AND for one in named)
        return behind or any(words[one.last : above.first] in _AND for one in named)
    tables = [{one.table for one in mark.senses[:1] if not one.column} for mark in marks[:2]]
    beside = len(marks) > 1 and words[marks[0].last : marks[1].first] in _AND
    return beside and all(tables) and tables[0] != tables[1]
