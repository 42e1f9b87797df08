"""A draft's SQL in one short line for a person: what is asked for, and the values it is asked of. No parser, no Qt.

It is a sketch to choose by: the statement itself stands in the editor once the draft is taken. No value of it is left
out, but for how many digits a number is rounded to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from wizard_app.drafts.sketch_differences import apart
from wizard_app.drafts.sql_phrases import Telling
from wizard_app.drafts.sql_words import Select, depths, read_select, split, words_of

_DATE = ("year ", "month number ", "day number ")
_MANY = frozenset({"select", "union", "intersect", "except"})
_MOST_CHARS = 400
_MOST_HEADS = 48
_DEEPEST = 30
_MOST_SELECTS = 8
# So much of a sketch is seen in a small window.
_SEEN = 60


def sketch(sql: str) -> str:
    """For example `flight id: from BOSTON, to DENVER, departure time < 1200`."""
    tokens = words_of(sql)
    start = tokens[:1] if tokens[:1] != ["("] else tokens[1:2]
    if start not in (["select"], ["with"]) or _is_too_deep(tokens):
        return _shortened(" ".join(sql.split()))
    return _shortened(_told(Telling(tokens), read_select(tokens)))


def sketches(statements: Sequence[str]) -> list[str]:
    """A sketch for each statement of a list. Where two would begin alike, each tells first what only it has; no two
    are the same."""
    texts = [sketch(sql) for sql in statements]
    beginnings = [text[:_SEEN] for text in texts]
    for beginning in [one for one, count in Counter(beginnings).items() if count > 1]:
        places = [at for at, one in enumerate(beginnings) if one == beginning]
        same_texts = apart([statements[at] for at in places], [texts[at] for at in places])
        for at, text in zip(places, same_texts, strict=True):
            texts[at] = f"[{text}]  {texts[at]}"
    return texts


def _is_too_deep(tokens: Sequence[str]) -> bool:
    return max(depths(tokens), default=0) > _DEEPEST or sum(token in _MANY for token in tokens) > _MOST_SELECTS


def _told(telling: Telling, select: Select) -> str:
    heads = [telling.expression(one) for one in split(select.heads, ",")]
    conditions = telling.conditions(select)
    if not select.sources and [*select.heads[:2]] == ["exists", "("]:
        heads, conditions = ["whether any"], telling.conditions(read_select(select.heads[1:]))
    rest = ", ".join([*_in_order(_dated(conditions)), *_behind(telling, select)])
    text = f"{_few(heads) or 'answer'}: {rest or 'all of ' + (select.table or 'one row')}"
    return " ".join([text, *(f"{link} {_told(telling, other)}" for link, other in select.more)])


def _behind(telling: Telling, select: Select) -> Iterator[str]:
    """Order, groups and how many."""
    for key in split(select.order, ","):
        name = telling.expression([token for token in key if token not in ("asc", "desc", "nulls", "first", "last")])
        if name:
            yield f"{'highest' if 'desc' in key else 'lowest'} {name} first"
    if groups := ", ".join(telling.expression(one) for one in split(select.group, ",")):
        yield f"for each {groups}"
    if select.limit and [*select.limit] != ["all"]:
        yield f"only {telling.expression(select.limit)}"
    if select.offset:
        yield f"after {telling.expression(select.offset)}"


def _few(columns: Sequence[str]) -> str:
    """All columns if they are short; else those first that are no keys, since these tell what was asked for."""
    columns = list(dict.fromkeys(filter(None, columns)))
    whole = ", ".join(columns)
    if len(whole) <= _MOST_HEADS or len(columns) < 3 or any(any(map(str.isdigit, one)) for one in columns):
        return whole
    telling = sorted(columns, key=lambda one: one.endswith((" code", " id")))
    return f"{', '.join(telling[:2])} + {len(columns) - 2}"


def _in_order(conditions: Sequence[str]) -> list[str]:
    """From where, to where, then the rest: drafts that differ in a place differ at the front."""
    return sorted(conditions, key=lambda one: (not one.startswith("from "), not one.startswith("to ")))


def _dated(conditions: list[str]) -> list[str]:
    """Year, month and day of one date as one."""
    date_parts = [next((one for one in conditions if one.startswith(name)), "") for name in _DATE]
    figures = [part.rsplit(" ", 1)[-1] for part in date_parts]
    if not all(
        one.isdigit() and part == name + one for one, part, name in zip(figures, date_parts, _DATE, strict=True)
    ):
        return conditions
    date = f"date {figures[0]}-{figures[1]:0>2}-{figures[2]:0>2}"
    return [date if one == date_parts[0] else one for one in conditions if one not in date_parts[1:]]


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else text[: _MOST_CHARS - 1] + "…"
