"""The principles of interpretation of a domain: which of them a query touches, and whether a statement breaks one.

Pure: a query is a text, a statement is its `Facts`. Nothing here forbids anything; the wizard decides.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import msgspec

from curtain.base.errors import CurtainError
from curtain.base.words import words_in

from ..maximum.yes_no import is_yes_no
from ..pack.reader import Pack, PackError, as_struct
from .cautions import cautions
from .checks import CHECKS, broken
from .statement_facts import Facts


class RuleExample(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question that a rule is shown by, and its statement."""

    question: str
    sql: str


class Principle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule. `words` in a query or `columns` in a statement call for it; `reading` is what the words mean.

    `check` names what a statement is looked at for (`checks`); `tables` belongs to one of these. `also` are the
    numbers of the same rule elsewhere. The rule is of the rule-books from `since` to `until`, and `replaced_by` is the
    rule that came instead.
    """

    id: str
    reading: str
    source: str = ""
    also: list[str] = []
    words: list[str] = []
    columns: list[str] = []
    sql: str = ""
    outside: str = ""
    check: list[str] = []
    tables: list[str] = []
    since: int = 0
    until: int = 9999
    replaced_by: str = ""
    example: RuleExample | None = None

    def holds_in(self, year: int | None) -> bool:
        """Whether the rule-book of `year` (four digits) has it; without a year every principle holds."""
        return year is None or self.since <= year <= self.until


class Book(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What else is different under the rule-book of a year; what is empty is as domain.toml has it."""

    dialect: Literal["", "1989", "1990", "1992"] = ""
    yes_no: Literal["", "boolean", "alternates"] = ""


class _Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """principles.toml as it stands."""

    rule_book: int | None = None
    minimum: Literal["", "head", "key and attribute"] = ""
    rule_books: dict[str, Book] = {}
    source: dict[str, str] = {}
    principle: list[Any] = []


@dataclass(frozen=True)
class RuleBook:
    """The rules of one year; `former` are those of other years."""

    year: int | None
    rules: tuple[Principle, ...]
    former: tuple[Principle, ...] = ()

    def find(self, number: str) -> Principle | None:
        """The rule that holds under this number: the one that has it, or that came in its place."""
        for _ in range(len(self._replaced) + 1):
            if number in self._by_number or number not in self._replaced:
                break
            number = self._replaced[number]
        return self._by_number.get(number)

    def other_numbers(self, rule: Principle) -> list[str]:
        """Under which numbers a rule stands elsewhere, those that it came in place of among them."""
        return self._others.get(rule.id, [])

    @cached_property
    def _by_number(self) -> dict[str, Principle]:
        return {number: rule for rule in self.rules for number in (rule.id, *rule.also)}

    @cached_property
    def _replaced(self) -> dict[str, str]:
        return {rule.id: rule.replaced_by for rule in self.former if rule.replaced_by}

    @cached_property
    def _others(self) -> dict[str, list[str]]:
        others = {rule.id: list(rule.also) for rule in self.rules if rule.also}
        for number in self._replaced:
            if rule := self.find(number):
                others.setdefault(rule.id, []).append(number)
        return others


class UnknownRuleBook(CurtainError):
    """A pack has no rule-book of this year: names what asked for it and the years there are."""

    def __init__(self, asked_by: str, year: int, pack: str, years: Sequence[int]) -> None:
        there = f"known are {_listed(years)}" if years else "it has none"
        super().__init__(f"{asked_by}: the domain “{pack}” has no rule-book of {year}; {there}.")


@dataclass(frozen=True)
class Warned:
    """What a statement does against a rule, in one sentence; `SQL` in place of a rule is what holds in any domain."""

    rule: str
    sentence: str


@dataclass(frozen=True)
class Touch:
    """A rule that is called for: by these words of the query, or (none) by columns of the statement."""

    rule: Principle
    words: tuple[str, ...] = ()


def load_rules(pack: Pack, year: int | None = None) -> RuleBook:
    """The rules of the pack's principles.toml that are of this year's rule-book; without a year, of the pack's own.

    Raises PackError naming what cannot be read.
    """
    document = _document(pack)
    year = year or pack.rule_book or document.rule_book
    rules = _rules(pack, document)
    held = tuple(rule for rule in rules if rule.holds_in(year))
    return RuleBook(year, held, tuple(rule for rule in rules if not rule.holds_in(year)))


def rule_books(pack: Pack) -> list[int]:
    """The years of which the pack has a rule-book; without a list of them, those in which something changed."""
    document = _document(pack)
    if document.rule_books:
        return sorted(int(year) for year in document.rule_books)
    ends = {year for rule in _rules(pack, document) for year in (rule.since, rule.until)} - {0, 9999}
    return sorted(ends | ({document.rule_book} if document.rule_book else set()))


def under_rule_book(pack: Pack, year: int | None, asked_by: str) -> Pack:
    """The pack under the rule-book of a year, with what follows from it for answers; None is the pack's own year.

    `asked_by` is the setting that names the year, as a person knows it. Raises UnknownRuleBook, PackError.
    """
    document = _document(pack)
    if year is not None and year not in (years := rule_books(pack)):
        raise UnknownRuleBook(asked_by, year, pack.name, years)
    book = document.rule_books.get(str(year or document.rule_book), Book())
    return replace(pack, rule_book=year, dialect=book.dialect or pack.dialect, yes_no=book.yes_no or pack.yes_no)


def touching(book: RuleBook, query: str, facts: Facts | None) -> list[Touch]:
    """The rules that words of the query call for, the most specific first; then those that columns call for.

    More words are more specific than fewer, words with columns of the statement more than without, long words more
    than short ones: “which” and “show” stand in every query. Words within longer ones do not count: “home phone” is
    no “phone”.
    """
    columns = set(facts.columns) if facts else set()
    touched = sorted(_by_words(book, query), key=lambda touch: _generality(touch, columns))
    named = {touch.rule.id for touch in touched}
    return touched + [Touch(rule) for rule in book.rules if rule.id not in named and columns & set(rule.columns)]


def _generality(touch: Touch, columns: set[str]) -> tuple[int, bool, int]:
    words = max(len(phrase.split()) for phrase in touch.words)
    return -words, not columns & set(touch.rule.columns), -max(map(len, touch.words))


def warnings(pack: Pack, book: RuleBook, query: str, facts: Facts | None) -> list[Warned]:
    """What the statement does against the rules; nothing as long as it cannot be read."""
    if facts is None:
        return []
    called = {touch.rule.id for touch in touching(book, query, facts) if touch.words}
    words = f" {' '.join(_words(query))} "
    of_rules = [
        Warned(rule.id, sentence)
        for rule in book.rules
        for check in rule.check
        if (sentence := broken(check, rule, pack, facts, words, rule.id in called))
    ]
    return of_rules + [Warned("SQL", sentence) for sentence in cautions(facts, is_yes_no(query))]


def _document(pack: Pack) -> _Document:
    file = pack.folder / "principles.toml"
    document = as_struct(file, pack.principles(), _Document)
    wrong = [year for year in document.rule_books if not re.fullmatch(r"[12]\d{3}", year)]
    if wrong:
        raise PackError(file, f"[rule_books] names “{wrong[0]}”, which is no year")
    if document.rule_book and document.rule_books and str(document.rule_book) not in document.rule_books:
        raise PackError(file, f"rule_book is {document.rule_book}, which is not among [rule_books]")
    return document


def _rules(pack: Pack, document: _Document) -> list[Principle]:
    rules = [_rule(pack, number, entry) for number, entry in enumerate(document.principle, start=1)]
    problem = next(_problems(rules), None)
    if problem:
        raise PackError(pack.folder / "principles.toml", problem)
    return rules


def _problems(rules: Sequence[Principle]) -> Iterator[str]:
    """What does not fit between rules: each number stands for one rule, and what came instead is there."""
    numbers: set[str] = set()
    by_id = {rule.id: rule for rule in rules}
    for rule in rules:
        for number in (rule.id, *rule.also):
            if number in numbers:
                yield f"principle {rule.id}: the number {number} stands for another principle, too"
            numbers.add(number)
        successor = by_id.get(rule.replaced_by)
        if rule.replaced_by and not successor:
            yield f"principle {rule.id} is replaced by {rule.replaced_by}, which is no principle here"
        elif successor and not successor.holds_in(rule.until + 1):
            yield f"principle {rule.id} ends with {rule.until}, and {successor.id} does not hold in {rule.until + 1}"


def _rule(pack: Pack, number: int, entry: object) -> Principle:
    file = pack.folder / "principles.toml"
    fields: dict[str, Any] = dict(entry) if isinstance(entry, Mapping) else {}
    if isinstance(fields.get("check"), str):
        fields["check"] = [fields["check"]]
    rule = as_struct(file, fields, Principle, f"principle {fields.get('id', number)} cannot be read: ")
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
        rule_spans = sorted({span for found, span in longest if found is rule}, key=lambda span: span[0] - span[1])
        if rule_spans:
            touches.append(Touch(rule, tuple(dict.fromkeys(" ".join(words[start:end]) for start, end in rule_spans))))
    return touches


def _words(text: str) -> list[str]:
    """Words in lower case; “Tai's” is Tai."""
    return words_in(re.sub(r"['’]s\b", "", text.lower()))


def _spans(phrase: Sequence[str], words: Sequence[str]) -> Iterator[tuple[int, int]]:
    size = len(phrase)
    if size:
        yield from (
            (at, at + size) for at in range(len(words) - size + 1) if list(words[at : at + size]) == list(phrase)
        )


def _within(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return other != span and other[0] <= span[0] and span[1] <= other[1]


def _listed(years: Sequence[int]) -> str:
    *some, last = map(str, years)
    return f"{', '.join(some)} and {last}" if some else last
