"""Numbers as they are said and as they are written: `forty five`, `four five` and `fünfundvierzig` are 45."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any

from curtain.base.speech.spoken_forms import number_words
from curtain.session.study.languages import language_code

# Letters that Unicode does not take apart into a letter and an accent.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "a", "œ": "o"})
_HAN_TEN_THOUSAND = 10_000


def plain_letters(text: str) -> str:
    """Without case and accents; `ü`, `u` and `ue` are one."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(sign for sign in decomposed if not unicodedata.combining(sign)).translate(_LETTERS)
    return re.sub(r"(?<=[ao])e|(?<=[^q]u)e", "", plain)


def knows_numbers_of(language: str) -> bool:
    """Whether the number words of a language, such as `de` or `pt-BR`, are known here."""
    return language_code(language).partition("-")[0] in _table()["languages"]


@cache
def figures_of_months() -> dict[str, str]:
    """The number of a month, of two figures, by its name in plain letters."""
    names = ((name, n) for months in _table()["months"] for n, name in enumerate(months.split(), 1))
    return {plain_letters(name): f"{n:02}" for name, n in names}


def reads_as_number(word: str) -> bool:
    """Whether a word of plain letters is a number word, or several that are written as one."""
    return bool(_values(word)) and word not in _links()


def numbers_in(words: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """The numbers that words of plain letters say: figures, the first word, and the one behind the last."""
    at = 0
    while at < len(words):
        if not reads_as_number(words[at]):
            at += 1
            continue
        end = at + 1
        while end < len(words) and _goes_on(words, end):
            end += 1
        yield from _run(words, at, end)
        at = end


def _goes_on(words: Sequence[str], at: int) -> bool:
    is_link = words[at] in _links() and at + 1 < len(words)
    return reads_as_number(words[at]) or (is_link and reads_as_number(words[at + 1]))


def _run(words: Sequence[str], start: int, end: int) -> Iterator[tuple[str, int, int]]:
    if end - start == 1 and words[start] == _table()["only_among_others"]:
        return
    if all(_is_han(word) for word in words[start:end]):
        yield _han([_values(word)[0] for word in words[start:end]]), start, end
        return
    values, places = _without_links([(value, at) for at in range(start, end) for value in _values(words[at])])
    taken = 0
    for number, size in _cardinals(values):
        first, last = places[taken], places[taken + size - 1]
        yield str(number), min(first, last), max(first, last) + 1
        taken += size


def _without_links(spoken: Sequence[tuple[int | str, int]]) -> tuple[list[int], list[int]]:
    """The numbers and where they stand; German says units before tens: `fünf und vierzig`."""
    values: list[int] = []
    places: list[int] = []
    before: int | str = 0
    for value, place in spoken:
        if not isinstance(value, str):
            if before == _table()["units_before_tens"] and values and 0 < values[-1] < 10 and 20 <= value < 100:
                values.insert(-1, value)
                places.append(place)
            else:
                values.append(value)
                places.append(place)
        before = value
    return values, places


def _cardinals(values: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each number that the values make, the longest first, and how many of them it takes."""
    total, current, least, size = 0, -1, 10**12, 0
    for value in values:
        if size and not _fits(value, total, current, least):
            yield total + max(current, 0), size
            total, current, least, size = 0, -1, 10**12, 0
        if value >= 1000:
            total, current, least = total + (1 if current < 0 else current) * value, -1, value
        elif value == 100 and current > 0:
            current *= 100
        else:
            current = max(current, 0) + value
        size += 1
    if size:
        yield total + max(current, 0), size


def _fits(value: int, total: int, current: int, least: int) -> bool:
    """Whether a value goes on with the number said so far; `current` is its part below a thousand, -1 before it."""
    if value >= 1000:
        return current > 0 and value < least
    if value == 100 and current > 0:
        return current < 100
    if value == 0 or current < 0:
        return value > 0 and total > 0
    if value < 10:
        return current > 0 and current % 10 == 0 and current % 100 != 10
    return value < 100 and current > 0 and current % 100 == 0


def _is_han(word: str) -> bool:
    return len(word) == 1 and not word.isascii() and not word.isdigit()


def _han(values: Sequence[int | str]) -> str:
    """`四十五` is 45, `七三一` is 731."""
    numbers = [int(value) for value in values]
    if max(numbers) < 10:
        return "".join(map(str, numbers))
    total = section = figure = 0
    for number in numbers:
        if number < 10:
            figure = number
        elif number < _HAN_TEN_THOUSAND:
            section, figure = section + (figure or 1) * number, 0
        else:
            total, section, figure = total + (section + figure or 1) * number, 0, 0
    return str(total + section + figure)


def forms_of_figures(figures: str) -> frozenset[str]:
    """The figures, and those of the same time of day on a clock of 24 hours: `520` is also 1720."""
    hour, minute = figures[:-2], figures[-2:]
    if len(figures) in (3, 4) and int(hour) <= 12 and int(minute) < 60:
        return frozenset((figures, f"{int(hour) % 12 + 12}{minute}"))
    return frozenset((figures,))


@cache
def _values(word: str) -> tuple[int | str, ...]:
    """The numbers of a word, with the words that link them; none if it holds anything else."""
    if word in _links():
        return (word,)
    if word in _numbers():
        return (_numbers()[word],)
    if len(word) == 1:
        value = unicodedata.numeric(word, -1.0)
        return (int(value),) if _is_han(word) and value >= 0 else ()
    if not _compound().fullmatch(word):
        return ()
    return tuple(_numbers().get(part, part) for part in _parts().findall(word))


@cache
def _compound() -> re.Pattern[str]:
    return re.compile(rf"(?:{_alternatives()})(?:(?:{_table()['units_before_tens']})?(?:{_alternatives()}))*")


@cache
def _parts() -> re.Pattern[str]:
    return re.compile(f"{_alternatives()}|{_table()['units_before_tens']}")


def _alternatives() -> str:
    return "|".join(sorted(map(plain_letters, _table()["numbers"]), key=len, reverse=True))


@cache
def _numbers() -> dict[str, int]:
    return {plain_letters(word): value for word, value in {**_table()["numbers"], **number_words()}.items()}


@cache
def _links() -> frozenset[str]:
    return frozenset(_table()["links"])


@cache
def common_words() -> frozenset[str]:
    """Words that say nothing by themselves."""
    return frozenset(map(plain_letters, _table()["common"].split()))


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((resources.files("curtain.corpus.redaction") / "figures.toml").read_text("utf-8"))
