"""Whom a turn was about that only asked whether something is so: “is Mary Graham an engineer” tells no more of her than
her name, and “how old is she” shall be answered whatever she is. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..query.column_words import lemma, words_in
from ..query.recognise import Reading
from ..sql.align import unquoted
from ..sql.statements import Clause, Column, Statement, literals_of
from .marks import Question, question_of
from .names_beside import are_of, unit_from
from .pack_schema import Schema

__all__ = ["about_the_subject", "speaks_of_one"]

_WHETHER = words_in("is was does did has had isnt wasnt doesnt didnt hasnt hadnt")
_ONE = words_in("he she his her him hers")


def speaks_of_one(words: Sequence[str]) -> bool:
    """Whether a query speaks of one person of the turn before: “how old is she”."""
    return not _ONE.isdisjoint(words)


def about_the_subject(asked: Reading, statement: Statement, earlier: Statement | None, schema: Schema) -> Statement:
    """The statement of a turn that asked whether something is so, without what it asked of somebody who was named, or
    of the one of the turn `earlier`. Any other statement as it is."""
    words = [word.text for word in asked.words]
    if not words or words[0] not in _WHETHER:
        return statement
    if earlier is not None and words[1:2] and words[1] in _ONE:
        known = {clause.key for clause in earlier.clauses}
        return _with_these(statement, [clause for clause in statement.clauses if clause.key in known])
    question = question_of(asked, schema)
    unit = unit_from(question, 1)
    root = statement.root
    if not unit or root not in schema.people or not are_of(question, unit, root):
        return statement
    names = {text.upper() for n in unit for one in question.found[n].meanings for text in one.forms.values()}
    named = _with_these(statement, [clause for clause in statement.clauses if _says_only(clause, root, names)])
    return _of_boss(named, question, unit, schema) if named is not statement else named


def _with_these(statement: Statement, clauses: Sequence[Clause]) -> Statement:
    return replace(statement, clauses=tuple(clauses)) if clauses else statement


def _says_only(clause: Clause, root: str, names: set[str]) -> bool:
    """Whether a clause compares columns of the root with nothing but these."""
    columns = (part for part in clause.parts if isinstance(part, Column))
    texts = {unquoted(hole.text).upper() for hole in literals_of(clause.parts)}
    return bool(texts) and texts <= names and all(column.node == root for column in columns)


def _of_boss(statement: Statement, question: Question, unit: Sequence[int], schema: Schema) -> Statement:
    """Of “is Paul Tai's boss a woman” the boss is the subject: the statement that shows whose boss it is."""
    last, root = question.found[unit[-1]].last, statement.root
    boss = schema.bosses.get(root)
    above = question.words[last : last + 1] and lemma(question.words[last]) in schema.boss_words
    return replace(statement, head=("DISTINCT ", Column(root, boss))) if boss and above else statement
