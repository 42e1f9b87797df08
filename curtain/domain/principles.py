"""The principles of interpretation of a domain: which of them a query touches, and whether a statement breaks one.

Pure: a query is a text, a statement is its `Facts`. Nothing here forbids anything; the wizard decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from .facts import Facts
from .reading import Pack, PackError
from .rule_checks import CHECKS, broken


class Principle(msgspec.Struct, frozen=True, kw_only=True):
    """One rule. `words` in a query or `columns` in a statement call for it; `reading` is what the words mean.

    `check` names what a statement is looked at for (`rule_checks`); `tables` belongs to one of these. The rule is of
    the rule-books from `since` to `until`.
    """

    id: str
    reading: str
    source: str = ""
    words: list[str] = []
    columns: list[str] = []
    sql: str = ""
    outside: str = ""
    check: list[str] = []
    tables: list[str] = []
    since: int = 0
    until: int = 9999


@dataclass(frozen=True)
class RuleBook:
    """The rules of one year."""

    year: int | None
    rules: tuple[Principle, ...]


@dataclass(frozen=True)
class Warned:
    """What a statement does against a rule, in one sentence."""

    rule: str
    sentence: str


@dataclass(frozen=True)
class Touch:
    """A rule that is called for: by these words of the query, or (none) by columns of the statement."""

    rule: Principle
    words: tuple[str, ...] = ()


def load_rules(pack: Pack, year: int | None = None) -> RuleBook:
    """The rules of the pack's principles.toml that are of this year's rule-book; without a year, of the pack's own.

    Raises PackError naming the rule that cannot be read.
    """
    document = pack.principles()
    own = document.get("rule_book")
    year = year if year is not None else (own if isinstance(own, int) else None)
    rules = [_rule(pack, number, entry) for number, entry in enumerate(document.get("principle", []), start=1)]
    return RuleBook(year, tuple(rule for rule in rules if year is None or rule.since <= year <= rule.until))


def touching(book: RuleBook, query: str, facts: Facts | None) -> list[Touch]:
    """The rules that words of the query call for, longest words first; then those that columns call for.

    Words within longer ones do not count: “home phone” is no “phone”.
    """
    found = _by_words(book, query)
    named = {touch.rule.id for touch in found}
    columns = set(facts.columns) if facts else set()
    return found + [Touch(rule) for rule in book.rules if rule.id not in named and columns & set(rule.columns)]


def warnings(pack: Pack, book: RuleBook, query: str, facts: Facts | None) -> list[Warned]:
    """What the statement does against the rules; nothing as long as it cannot be read."""
    if facts is None:
        return []
    called = {touch.rule.id for touch in touching(book, query, facts) if touch.words}
    words = f" {' '.join(_words(query))} "
    return [
        Warned(rule.id, sentence)
        for rule in book.rules
        for check in rule.check
        if (sentence := broken(check, rule, pack, facts, words, rule.id in called))
    ]


def _rule(pack: Pack, number: int, entry: object) -> Principle:
    file = pack.folder / "principles.toml"
    fields: dict[str, Any] = dict(entry) if isinstance(entry, Mapping) else {}
    if isinstance(fields.get("check"), str):
        fields["check"] = [fields["check"]]
    try:
        rule = msgspec.convert(fields, Principle)
    except msgspec.ValidationError as error:
        raise PackError(file, f"principle {fields.get('id', number)} cannot be read: {error}") from error
    unknown = [check for check in rule.check if check not in CHECKS]
    if unknown:
        raise PackError(file, f"principle {rule.id} has the check “{unknown[0]}”, which is none of {', '.join(CHECKS)}")
    return rule


def _by_words(book: RuleBook, query: str) -> list[Touch]:
    words = _words(query)
    spans = [(rule, span) for rule in book.rules for phrase in rule.words for span in _spans(_words(phrase), words)]
    longest = [(rule, span) for rule, span in spans if not any(_within(span, other) for _, other in spans)]
    touches = []
    for rule in book.rules:
        own = sorted({span for found, span in longest if found is rule}, key=lambda span: span[0] - span[1])
        if own:
            touches.append(Touch(rule, tuple(dict.fromkeys(" ".join(words[start:end]) for start, end in own))))
    return sorted(touches, key=lambda touch: -max(len(phrase.split()) for phrase in touch.words))


def _words(text: str) -> list[str]:
    """Words in lower case; “Tai's” is Tai."""
    return re.findall(r"[^\W_]+", re.sub(r"['’]s\b", "", text.lower()))


def _spans(phrase: Sequence[str], words: Sequence[str]) -> Iterator[tuple[int, int]]:
    size = len(phrase)
    if size:
        yield from (
            (at, at + size) for at in range(len(words) - size + 1) if list(words[at : at + size]) == list(phrase)
        )


def _within(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return other != span and other[0] <= span[0] and span[1] <= other[1]
