"""Statements over a table that refers to itself, seen from the other end: from those below to those above them, from
somebody's boss to the boss. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..sql.statements import Clause, Column, Part, Statement, Sub
from .pack_schema import Schema

__all__ = ["about_those_below", "about_those_shown", "anchored", "turned_up"]

Move = Callable[[str], str]


def turned_up(statement: Statement, schema: Schema) -> Statement:
    """The statement about those below instead of those above them, which answers alike: “Paul Tai's boss” is looked for
    from Paul Tai on."""
    root = statement.root
    down = schema.above(root, "d") if root in schema.bosses else ""
    if not down or not any(_is_under(node, down) for node in _nodes(statement)):
        return statement
    return turned_up(_moved(statement, _from(down, root, schema.above(root))), schema)


def about_those_below(statement: Statement, schema: Schema) -> Statement:
    """The statement with those as its root whom it lists or counts, where it was written from the one above them: “who
    reports to Gray” is about these, and not about Gray."""
    root = statement.root
    if root not in schema.bosses:
        return statement
    down, beside = schema.above(root, "d"), schema.above(root, "ud")
    nodes = {part.node for part in statement.head if isinstance(part, Column)}
    if not nodes and any(_is_under(node, down) for node in _nodes(statement)):
        nodes = {down}
    if nodes == {down}:
        return _moved(statement, _from(down, root, schema.above(root)))
    return _moved(statement, _from(beside, root, beside)) if nodes == {beside} else statement


def about_those_shown(statement: Statement, schema: Schema) -> Statement:
    """The statement whose rows are those that it shows: after “who is Mary Graham's boss” it is the boss of whom more
    is asked."""
    root = statement.root
    if root not in schema.bosses or any(isinstance(part, str) and "(" in part for part in statement.head):
        return statement
    shown = {part for part in statement.head if isinstance(part, Column)}
    boss, key = Column(root, schema.bosses[root]), Column(root, schema.keys[root][0])
    if statement.tail:
        there = Clause((key, " IN ", Sub(statement)))
        return Statement(root, (key,), (there,)) if shown == {boss} else statement
    up, down = schema.above(root), schema.above(root, "d")
    if {column.node for column in shown} == {up}:
        return _once(_moved(statement, _from(up, root, down)))
    if shown == {boss}:
        return replace(_moved(statement, lambda node: down + node.removeprefix(root)), head=("DISTINCT ", key))
    return statement


def anchored(statement: Statement, node: str) -> Statement:
    """The statement with all that it says of its root said of this node instead."""
    root = statement.root
    return statement if node == root else _moved(statement, lambda own: node + own.removeprefix(root))


def _from(inside: str, root: str, outside: str) -> Move:
    """Sees a node from the one `inside`: that becomes the root, and what was the root lies `outside`."""

    def move(node: str) -> str:
        return root + node.removeprefix(inside) if _is_under(node, inside) else outside + node.removeprefix(root)

    return move


def _is_under(node: str, top: str) -> bool:
    return node == top or node.startswith(f"{top}>")


def _nodes(statement: Statement) -> Iterator[str]:
    every = (statement.head, statement.tail, *(clause.parts for clause in statement.clauses))
    yield from (part.node for parts in every for part in parts if isinstance(part, Column))


def _moved(statement: Statement, move: Move) -> Statement:
    """The statement with its nodes moved; one that a nested SELECT looks out of stays."""
    if any(_looks_out(part) for clause in statement.clauses for part in clause.parts):
        return statement

    def at(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        return tuple(replace(part, node=move(part.node)) if isinstance(part, Column) else part for part in parts)

    clauses = tuple(Clause(at(clause.parts)) for clause in statement.clauses)
    return replace(statement, head=at(statement.head), clauses=clauses, tail=at(statement.tail))


def _looks_out(part: Part) -> bool:
    if not isinstance(part, Sub):
        return False
    inner = (one for parts in (part.statement.head, *(c.parts for c in part.statement.clauses)) for one in parts)
    return any(one.up > 0 if isinstance(one, Column) else _looks_out(one) for one in inner)


def _once(statement: Statement) -> Statement:
    """The statement with each row once, as many as there may be below it."""
    head = statement.head
    return statement if head[:1] == ("DISTINCT ",) else replace(statement, head=("DISTINCT ", *head))
