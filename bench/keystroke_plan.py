"""Which keys answer a question, and how long they take by the Keystroke-Level Model; nothing here opens a window.

A key is a letter or a chord such as `Ctrl+Return`. A wizard who writes SQL by hand is given every help that the editor
has: names and values are completed with Tab as soon as the wanted one is the first in the list and that saves keys;
aliases are as short as can be, columns are named without their table wherever that is clear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_lowercase

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope
from sqlglot.optimizer.simplify import simplify

from curtain.qt.sql_text import EditorSchema, completions

# Card, Moran and Newell, "The keystroke-level model for user performance time with interactive systems" (1980).
K_S = 0.28
"""One key of an average non-secretary typist (40 words a minute)."""
M_S = 1.35
"""Getting ready for the next step in one's mind."""
ENOUGH_TO_OFFER = 2

SEND_QUERY, RUN, SEND_ANSWER, COMPLETE = "Ctrl+Return", "F5", "Ctrl+Shift+Return", "Tab"


@dataclass(frozen=True)
class Plan:
    """Keys in their order, and how often the wizard stops to think; `waits_s` for the station, or while reading."""

    keys: tuple[str, ...]
    thoughts: int
    waits_s: float = 0.0

    @property
    def strokes(self) -> int:
        return sum(strokes_of(key) for key in self.keys)

    @property
    def seconds(self) -> float:
        return self.seconds_at(K_S)

    def seconds_at(self, key_s: float) -> float:
        return self.strokes * key_s + self.thoughts * M_S + self.waits_s


@dataclass(frozen=True)
class Written:
    """A statement as a wizard would type it, and how many pieces of it have to be thought of."""

    sql: str
    thoughts: int
    keys: tuple[str, ...]


def strokes_of(key: str) -> int:
    """A chord counts each of its keys; a capital and a sign above another count the shift key too."""
    if len(key) > 1:
        return key.count("+") + 1
    return 2 if key.isupper() or key in '~!@#$%^&*()_+{}|:"<>?' else 1


def by_hand(question: str, written: Written) -> Plan:
    """The query, the statement, run, look, send."""
    return Plan((*question, SEND_QUERY, *written.keys, RUN, SEND_ANSWER), 1 + written.thoughts + 1)


def with_draft(question: str, place: int, waits_s: float) -> Plan:
    """The query, the drafts read down to the right one, that one taken, look, send."""
    return Plan((*question, SEND_QUERY, f"Alt+{place}", SEND_ANSWER), 1 + place + 1, waits_s)


def in_vain(question: str, written: Written, read: int, waits_s: float) -> Plan:
    """All drafts read and none is right: the statement is written by hand."""
    plan = by_hand(question, written)
    return Plan(plan.keys, plan.thoughts + read, waits_s)


# -- SQL as short as it can be typed ---------------------------------------------------------------------


def written(sql: str, schema: EditorSchema) -> Written:
    """The statement with the shortest names, its keys and its thoughts: one for each SELECT and each value."""
    tree = _shortened(sqlglot.parse_one(sql, read="duckdb"), schema)
    text = _tight(tree.sql("duckdb"))
    selects, values = len(list(tree.find_all(exp.Select))), len(list(tree.find_all(exp.Literal)))
    return Written(text, selects + values, tuple(_keys(text, schema)))


def without_joins(sql: str) -> str:
    """What is left if no table had to be joined: no statement, but nothing shorter could ask for the same values."""
    tree = sqlglot.parse_one(sql, read="duckdb")
    for equal in list(tree.find_all(exp.EQ)):
        if isinstance(equal.this, exp.Column) and isinstance(equal.expression, exp.Column):
            equal.replace(exp.true())
    for column in tree.find_all(exp.Column):
        column.set("table", None)
    for select in tree.find_all(exp.Select):
        select.set("joins", None)
    text = _tight(simplify(tree).sql("duckdb"))
    return re.sub(r"\b(\w+) \w+alias\d+", r"\1", text)


def _shortened(tree: exp.Expr, schema: EditorSchema) -> exp.Expr:
    columns = {table.lower(): {name.lower() for name in names} for table, names in schema.tables.items()}
    for scope in traverse_scope(tree):
        _shorten_scope(scope, columns)
    for name in tree.find_all(exp.Identifier):
        name.set("quoted", False)
        name.set("this", name.this.lower())
    return tree


def _shorten_scope(scope: Scope, columns: dict[str, set[str]]) -> None:
    """The tables of one FROM get one letter each, none if there is only one; columns lose it where that is clear."""
    own = {
        name: node
        for name, node in scope.sources.items()
        if isinstance(node, exp.Table) and node.find_ancestor(exp.Select) is scope.expression
    }
    letters = dict(zip(own, ascii_lowercase, strict=False)) if len(own) > 1 else dict.fromkeys(own, "")
    for column in list(scope.columns):
        if column.table in own:
            clear = sum(column.name.lower() in columns[node.name.lower()] for node in own.values()) == 1
            letter = letters[column.table]
            column.set("table", None if clear or not letter else exp.to_identifier(letter))
    for name, node in own.items():
        node.set("alias", exp.TableAlias(this=exp.to_identifier(letters[name])) if letters[name] else None)


def _tight(sql: str) -> str:
    """In small letters, without the blanks that nobody needs to type."""
    pieces = re.split(r"('(?:[^']|'')*')", sql)
    for at in range(0, len(pieces), 2):
        plain = pieces[at].lower().replace(" as ", " ")
        # The blank after a comma stays: with it the editor knows the table that follows.
        pieces[at] = re.sub(r"\s*(<>|<=|>=|[=<>])\s*", r"\1", plain)
    return "".join(pieces).strip()


# -- keys with completion --------------------------------------------------------------------------------


def _keys(text: str, schema: EditorSchema) -> Iterator[str]:
    """Letters, and Tab wherever the editor's first proposal is the rest of the word and saves a key."""
    at = 0
    while at < len(text):
        taken = _completed(text, at, schema)
        if taken:
            yield COMPLETE
            at += taken
        else:
            yield text[at]
            at += 1


def _completed(text: str, at: int, schema: EditorSchema) -> int:
    """How many letters Tab would write here; 0 if it would write others, or only one."""
    offered = completions(text[:at], "", schema)
    if not offered.items or (offered.typed < ENOUGH_TO_OFFER and not offered.closing):
        return 0
    whole = offered.items[0] + offered.closing
    begun = at - offered.typed
    after = text[begun + len(whole) : begun + len(whole) + 1]
    fits = text[begun : begun + len(whole)].lower() == whole.lower() and not (after.isalnum() or after == "_")
    rest = len(whole) - offered.typed
    return rest if fits and rest > 1 else 0
