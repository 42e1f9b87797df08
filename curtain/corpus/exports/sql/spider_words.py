"""Pieces of the Spider evaluator's language: names, values, conditions in a row, and what to call what is beyond."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

from sqlglot import exp

from curtain.base.errors import CurtainError
from curtain.base.sql_names import folded

_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_WORDS = frozenset(
    (
        "select", "from", "where", "group", "order", "by", "limit", "intersect", "union", "except", "join", "on", "as",
        "not", "between", "in", "like", "is", "exists", "and", "or", "desc", "asc", "distinct", "max", "min", "count",
        "sum", "avg", "none", "having",
    )
)  # fmt: skip
_MOST_CONDITIONS = 60


class BeyondSpider(CurtainError):
    """The evaluator's language has no words for this statement; the sentence says for what of it."""


@dataclass(frozen=True)
class Atom:
    """One condition. `open_end`: its value is a column, behind which the evaluator overlooks an OR."""

    text: str
    open_end: bool = False


Conjunction = list[Atom]


def both(left: list[Conjunction], right: list[Conjunction]) -> list[Conjunction]:
    """`left AND right`, multiplied out into alternatives. Raises `BeyondSpider` when they become too many."""
    return few([[*one, *other] for one, other in product(left, right)])


def few(alternatives: list[Conjunction]) -> list[Conjunction]:
    """The alternatives as given. Raises `BeyondSpider` when they hold too many: multiplying out grows fast."""
    if sum(map(len, alternatives)) > _MOST_CONDITIONS:
        raise BeyondSpider("too many conditions without parentheses")
    return alternatives


def in_a_row(alternatives: list[Conjunction]) -> str:
    """Conditions whose value is a column stand where no OR follows them."""
    # False sorts first: what ends in a column goes to the front of its row, and rows that must end in one to the back.
    ordered = [sorted(dict.fromkeys(one), key=lambda atom: not atom.open_end) for one in alternatives]
    ordered.sort(key=lambda one: one[-1].open_end)
    if any(one[-1].open_end for one in ordered[:-1]):
        raise BeyondSpider("two columns compared beside an OR")
    return " OR ".join(" AND ".join(atom.text for atom in one) for one in ordered)


def filled(tree: exp.Expression, *but: str) -> str:
    """The first part of a node that is there and not among the named ones, or ""."""
    return next((name for name, value in tree.args.items() if value and name not in but), "")


def name_of(name: str) -> str:
    """A table's or column's name in lower case. Raises `BeyondSpider` for what Spider's tokenizer cannot hold."""
    lower = folded(name)
    if not _NAME.fullmatch(lower) or lower in _WORDS:
        raise BeyondSpider("a name that needs quotes")
    return lower


def is_value(tree: Any) -> bool:
    """Whether the expression is a constant: a number, a text or a date, with a sign or in parentheses."""
    if isinstance(tree, exp.Neg | exp.Paren):
        return is_value(tree.this)
    return isinstance(tree, exp.Literal) or _is_day(tree)


def _is_day(tree: Any) -> bool:
    return isinstance(tree, exp.Cast) and isinstance(tree.this, exp.Literal) and tree.to.this in _DAYS


_DAYS = (exp.DataType.Type.DATE, exp.DataType.Type.VARCHAR, exp.DataType.Type.TEXT)


def literal(tree: Any) -> str:
    """A constant as Spider's parser reads it. Raises `BeyondSpider` for anything else."""
    if isinstance(tree, exp.Paren):
        return literal(tree.this)
    if isinstance(tree, exp.Neg) and isinstance(tree.this, exp.Literal) and not tree.this.is_string:
        return f"-{_number(tree.this)}"
    if isinstance(tree, exp.Literal) and not tree.is_string:
        return _number(tree)
    return text_of(tree.this if _is_day(tree) else tree)


def _number(tree: exp.Literal) -> str:
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", str(tree.this)):
        raise BeyondSpider("a number in another notation")
    return str(tree.this)


def text_of(tree: Any) -> str:
    """A text in single quotes. Raises `BeyondSpider` where it holds a quote: Spider knows no way to escape one."""
    if not isinstance(tree, exp.Literal) or not tree.is_string:
        raise BeyondSpider(what(tree))
    text = str(tree.this)
    if any(sign in text for sign in "'\"") or not text.isprintable():
        raise BeyondSpider("a text with quotes in it")
    return f"'{text}'"


_SAID: tuple[tuple[tuple[type, ...], str], ...] = (
    ((exp.Is, exp.Null), "a condition on NULL"),
    ((exp.Exists,), "EXISTS"),
    ((exp.Subquery, exp.Query), "a query where the language wants a column"),
    ((exp.Case, exp.If), "CASE"),
    ((exp.Window,), "a window"),
    ((exp.Literal, exp.Boolean, exp.Cast), "a value where the language wants a column"),
    ((exp.Func,), "a function"),
    ((exp.Binary,), "arithmetic with more than two columns"),
)


def what(tree: Any) -> str:
    """What the expression is, in words for the list of skipped statements."""
    return next((words for kinds, words in _SAID if isinstance(tree, kinds)), "an expression that the language lacks")
