"""What a statement is looked at for. A rule of principles.toml names checks in `check`.

| check | warns when |
|---|---|
| arithmetic | the statement computes: + - * / SUM AVG ... (001, rule 2.16) |
| sorting | it has an ORDER BY or a LIMIT |
| period | the query names a period of the day and the statement includes an end point of it (001, rule 2.4.4) |
| key | an entity that the query names is shown by a name, by a part of its key, or by columns that the query does not
ask for (000, S-4; 001, rule 2.1) |
| uses | words call for the rule and the statement uses none of its `columns` |
| contains | a column of the rule is compared with = to a word of the rule: `job_title = 'SCIENTIST'` (000, S-6) |
| together | the first of the rule's `tables` is shown and the second not used: a fare without its flight (001, 2.3.8) |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from curtain.base.words import words_in

from ..guard.functions import names_in
from ..pack.entities import Entity
from ..pack.reader import Pack
from .statement_facts import Facts

if TYPE_CHECKING:
    from .principles import Principle

_ASKING = names_in("when how")
"""Words that ask for an attribute without naming it."""

_SMALL = names_in("the of and for one")


Check = Callable[["Principle", Pack, Facts, str], str]


def broken(check: str, rule: Principle, pack: Pack, facts: Facts, words: str, called: bool) -> str:
    """What the statement does against the rule, or an empty text. `words` are those of the query in lower case with a
    blank before, between and after them; `called` says that some of them call for the rule."""
    test, always = CHECKS[check]
    return test(rule, pack, facts, words) if always or called else ""


def _arithmetic(rule: Principle, pack: Pack, facts: Facts, words: str) -> str:
    return f"The statement computes with {', '.join(facts.arithmetic)}." if facts.arithmetic else ""


def _sorting(rule: Principle, pack: Pack, facts: Facts, words: str) -> str:
    if facts.limited:
        return "LIMIT may cut off rows that are equal; a comparison with MIN or MAX keeps them all."
    return "The statement sorts; the order of rows means nothing in an answer." if facts.ordered else ""


def _period(rule: Principle, pack: Pack, facts: Facts, words: str) -> str:
    for name, ends in _periods_named(pack, words):
        for bound in facts.bounds:
            timed = bound.column in rule.columns or not rule.columns
            if timed and bound.operator in ("<=", ">=") and bound.value in ends:
                taken = f"{bound.column} {bound.operator} {bound.value}"
                return f"The end points do not belong to the {name}; {taken} takes one in."
    return ""


def _periods_named(pack: Pack, words: str) -> Iterator[tuple[str, set[str]]]:
    """The periods in the query whose ends are outside them, with these ends; midnight, 0, has nothing before it."""
    rest = words
    # The longest name first: “late afternoon” is not also an afternoon.
    for name in sorted(pack.periods, key=len, reverse=True):
        period = pack.periods[name]
        if f" {name} " not in rest or not isinstance(period, Mapping) or period.get("ends_included"):
            continue
        rest = rest.replace(f" {name} ", " ")
        yield name, {str(period[end]) for end in ("begin", "end") if period.get(end)}


def _key(rule: Principle, pack: Pack, facts: Facts, words: str) -> str:
    entity = _entity_of(rule, pack)
    shown = [one.column for one in facts.shown if one.column]
    if entity is None or facts.counted or not shown:
        return ""
    key = [f"{entity.table}.{column}" for column in entity.key]
    if len(key) > 1:
        columns = {column.split(".")[-1] for column in shown}
        missing = [column for column in key if column.split(".")[-1] not in columns]
        return f"{_listed(missing)} is missing: the key is {_listed(key)}." if key[0] in shown and missing else ""
    if any(pack.entities.named_by(*column.split(".", 1)) == entity for column in shown):
        return ""
    # Who asks for names gets names: here they do not stand in for the key.
    if " name" in words:
        return ""
    if names := [column for column in shown if column in _names_of(entity, pack)]:
        return f"More than one {_spaced(entity.name)} may have the same {_called(names[0], pack)}; add {entity.key[0]}."
    return f"{key[0]} is missing: it is the key." if _unasked(entity, shown, rule, pack, words) else ""


def _entity_of(rule: Principle, pack: Pack) -> Entity | None:
    for entity in pack.entities.all:
        if {f"{entity.table}.{column}" for column in entity.key} <= set(rule.columns):
            return entity
    return None


def _names_of(entity: Entity, pack: Pack) -> set[str]:
    """The columns that say what an entity is called."""
    decoded = pack.codes.get(f"{entity.table}.{entity.key[0]}")
    columns = [f"{entity.table}.{column}" for column in pack.tables.get(entity.table, ()) if column.endswith("name")]
    return {*columns, *([decoded] if isinstance(decoded, str) else [])}


def _unasked(entity: Entity, shown: list[str], rule: Principle, pack: Pack, words: str) -> bool:
    """Whether attributes of an entity stand in its place: its columns, if the query asks for none of them. A column
    that refers to another entity shows that one."""
    entity_columns = [column for column in shown if column.startswith(f"{entity.table}.")]
    if _ASKING & set(words.split()) or any(_asked(column, rule, pack, words) for column in entity_columns):
        return False
    return any(pack.entities.named_by(*column.split(".", 1)) is None for column in entity_columns)


def _asked(column: str, rule: Principle, pack: Pack, words: str) -> bool:
    """Whether the query has a word of a column: of its name, its heading or what it is vaguely called; words for the
    entity itself say nothing."""
    name = column.split(".")[-1]
    heading = pack.headings.get(column) or pack.headings.get(name) or ""
    called = [vague for vague, meant in pack.vague.items() if meant == column]
    parts = _stems(" ".join([name.replace("_", " "), heading, *called]))
    return bool((parts - _stems(" ".join(rule.words))) & _stems(words))


def _stems(text: str) -> set[str]:
    """Words in the singular, as far as English spells it with an s."""
    words = (word.lower().removesuffix("s") for word in words_in(text) if len(word) > 2)
    return {f"{word[:-2]}y" if word.endswith("ie") else word for word in words} - _SMALL


def _uses(rule: Principle, pack: Pack, facts: Facts, words: str) -> str:
    if not rule.columns or set(rule.columns) & set(facts.columns):
        return ""
    return f"The statement does not use {_listed(rule.columns, 'or')}."


def _contains(rule: Principle, pack: Pack, facts: Facts, words: str) -> str:
    for bound in facts.bounds:
        if bound.operator == "=" and bound.column in rule.columns and bound.value.lower() in rule.words:
            return f"{bound.column} is to contain {bound.value}: LIKE '%{bound.value}%'."
    return ""


def _together(rule: Principle, pack: Pack, facts: Facts, words: str) -> str:
    if len(rule.tables) < 2:
        return ""
    first, second = rule.tables[:2]
    shown = any(one.column.startswith(f"{first}.") for one in facts.shown)
    return f"The statement shows {first} without {second}." if shown and second not in facts.tables else ""


def _called(column: str, pack: Pack) -> str:
    """A column by its heading, as within a sentence; by its name where it has none."""
    name = column.split(".")[-1]
    heading = pack.headings.get(column) or pack.headings.get(name) or _spaced(name)
    return heading[:1].lower() + heading[1:]


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _listed(columns: list[str], last: str = "and") -> str:
    *some, last_column = columns
    return f"{', '.join(some)} {last} {last_column}" if some else last_column


CHECKS: Mapping[str, tuple[Check, bool]] = {
    "arithmetic": (_arithmetic, True),
    "sorting": (_sorting, True),
    "period": (_period, True),
    "key": (_key, False),
    "uses": (_uses, False),
    "contains": (_contains, False),
    "together": (_together, True),
}
"""Each check, and whether it looks at every statement or only where words call for the rule."""
