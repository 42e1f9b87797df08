"""A draft's SQL in one short line for a person: what is asked for, and the values it is asked of. No parser, no Qt.

It is a sketch to choose by: the statement itself stands in the editor once the draft is taken. No value of it is left
out, but for how many digits a number is rounded to; days divided by those of a year are told as years.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wizard_app.desk.drafts.sketch_differences import apart
from wizard_app.desk.drafts.sql_phrases import Telling
from wizard_app.desk.drafts.sql_words import Select, depths, read_select, split, words_of

_WHETHER_ANY, _WHETHER_NONE = "whether any", "whether none"
_ONE_ROW = "answer"
_PLACES = ("from ", "to ")
# These say by themselves how they belong to what is asked for.
_APART = ("with ", "no ", "in ", "not in ", "not (")
_DATE = ("year ", "month number ", "day number ")
_MANY = frozenset({"select", "union", "intersect", "except"})
_MOST_CHARS = 400
_MOST_HEADS = 48
_DEEPEST = 30
_MOST_SELECTS = 8
# So much of a sketch is seen in a small window.
_SEEN = 60


@dataclass(frozen=True)
class _Parts:
    """What a statement asks for, of which rows, and what is done with them; each as a person says it."""

    asked: str
    conditions: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    table: str = ""
    more: str = ""
    counts: bool = False

    @property
    def in_words(self) -> str:
        """All of it as one sentence without its full stop."""
        places = [one for one in self.conditions if one.startswith(_PLACES)]
        apart = [one for one in self.conditions if one.startswith(_APART)]
        with_them = [one for one in self.conditions if one not in (*places, *apart)]
        where = [*places, *([f"with {_listed(with_them)}"] if with_them else [])]
        start = f"{self.asked} of {self._of}" if self._of else self.asked
        return ", ".join([" ".join([start, *where]), *apart, *self.behind]) + self.more

    @property
    def _of(self) -> str:
        """The rows it is asked of; nothing where “flight id” and the conditions say it already."""
        if not self.table or self.counts:
            return ""
        if not self.conditions and not any(one.startswith("for each ") for one in self.behind):
            return f"every {self.table}"
        return "" if self.asked.startswith(f"{self.table} ") else _plural(self.table)


def sketch(sql: str) -> str:
    """For example `flight id from BOSTON to DENVER with departure time below 1200`."""
    return _shortened(_parts_of(sql).in_words)


def sketches(statements: Sequence[str]) -> list[str]:
    """A sketch for each statement of a list. Where two would begin alike, each tells first what only it has; no two
    are the same."""
    parts = [_parts_of(sql) for sql in statements]
    texts = [_shortened(one.in_words) for one in parts]
    beginnings = [text[:_SEEN] for text in texts]
    for beginning in [one for one, count in Counter(beginnings).items() if count > 1]:
        places = [at for at, one in enumerate(beginnings) if one == beginning]
        pieces = [[*parts[at].conditions, *parts[at].behind] for at in places]
        same_texts = apart([statements[at] for at in places], pieces)
        for at, text in zip(places, same_texts, strict=True):
            texts[at] = f"[{text}]  {texts[at]}"
    return texts


def _parts_of(sql: str) -> _Parts:
    tokens = words_of(sql)
    start = tokens[:1] if tokens[:1] != ["("] else tokens[1:2]
    if start not in (["select"], ["with"]) or _is_too_deep(tokens):
        return _Parts(" ".join(sql.split()))
    return _parts(Telling(tokens), read_select(tokens))


def _listed(phrases: Sequence[str]) -> str:
    """“a, b and c”."""
    return " and ".join([*([", ".join(phrases[:-1])] if phrases[1:] else []), *phrases[-1:]])


def _is_too_deep(tokens: Sequence[str]) -> bool:
    return max(depths(tokens), default=0) > _DEEPEST or sum(token in _MANY for token in tokens) > _MOST_SELECTS


def _parts(telling: Telling, select: Select) -> _Parts:
    heads = [telling.expression(one) for one in split(select.heads, ",")]
    conditions = telling.conditions(select)
    if not select.sources and [*select.heads[:2]] == ["exists", "("]:
        select = read_select(select.heads[1:])
        heads, conditions = [_WHETHER_ANY], telling.conditions(select)
    more = "".join(f" {link} {_parts(telling, other).in_words}" for link, other in select.more)
    table = select.table.replace("_", " ")
    asked = _asked(_few(heads), table)
    clauses = tuple(_in_order(_dated(conditions))), tuple(_behind(telling, select))
    return _Parts(asked or _ONE_ROW, *clauses, table, more, counts=asked.startswith(("how many", "whether ")))


def _asked(heads: str, table: str) -> str:
    """What is asked for: counting and asking whether there is any name their table."""
    if heads == "count":
        return f"how many {_plural(table)}" if table else "how many"
    if heads in (_WHETHER_ANY, _WHETHER_NONE):
        return f"{heads.replace('none', 'no')} {table}".strip()
    return heads


def _plural(noun: str) -> str:
    """“employees”, “cities”, “classes”; a noun that ends with s counts as one already."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return noun if noun.endswith("s") else f"{noun}es" if noun.endswith(("x", "ch", "sh")) else f"{noun}s"


def _behind(telling: Telling, select: Select) -> Iterator[str]:
    """Order, groups and how many."""
    for key in split(select.order, ","):
        name = telling.expression([token for token in key if token not in ("asc", "desc", "nulls", "first", "last")])
        if name:
            yield f"the {'highest' if 'desc' in key else 'lowest'} {name} first"
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
        return _listed(columns)
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
