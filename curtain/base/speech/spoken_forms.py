"""Figures in a text as they are usually said: numbers, times, dollars, ordinals, and numbers that are names.

How a figure was said can only be heard, so these are offers: whoever transcribes takes one or writes another.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import accumulate, pairwise
from typing import Any

from curtain.base.hearing import HeardWord
from curtain.base.words import SIGN_OF_WORD

_FIGURES = re.compile(
    r"""(?<!\\)(?:
        (?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?!\d)
      | \$\s?(?P<dollars>\d+(?:,\d{3})*)(?:\.(?P<cents>\d\d)(?!\d))?
        (?P<scale>\s+(?:hundred|thousand|million|billion)\b)?
      | (?P<ordinal>\d+)(?:st|nd|rd|th)\b
      | (?P<groups>\d+(?:-\d+)+)
      | (?P<number>\d+(?:,\d{3})+|\d+)(?:\.(?P<decimals>\d+))?
    )(?:\s?(?P<half>[ap])\.?m\b\.?|\s?(?P<percent>%))?""",
    re.VERBOSE | re.IGNORECASE,
)
_MOST_FIGURES = 12


@dataclass(frozen=True)
class SpokenForm:
    """`words` in place of the characters from `start` to `end`."""

    start: int
    end: int
    words: str


def number_words() -> dict[str, int]:
    """The single words that stand for a number, ordinals too."""
    ones = {word: value for value, word in enumerate(_word("ones"))}
    tens = {word: 10 * value for value, word in enumerate(_word("tens")) if word}
    large = {_word("hundred"): 100} | {word: 1000**place for place, word in enumerate(_word("scales")) if place}
    ordinals = {" ".join(_ordinal(value)): value for value in (ones | tens | large).values() if value}
    return {_word("naught"): 0, **ones, **tens, **large, **{w.split()[-1]: value for w, value in ordinals.items()}}


def as_transcribed(words: Sequence[HeardWord], language: str = "en") -> tuple[HeardWord, ...]:
    """What a recogniser wrote, with capitals, marks and figures, as it is transcribed: `5:20` is “five twenty”.

    What one written word becomes shares its time. Only English figures have words; others stay.
    """
    starts = [0, *accumulate(len(word.text) + 1 for word in words)]
    text = " ".join(word.text for word in words)
    forms = spoken_forms(text) if language == "en" else []
    bounds = sorted({0, len(text), *(start for start in starts[1:-1] if not _cuts(start - 1, forms))})
    spelled: list[HeardWord] = []
    for begin, end in pairwise(bounds):
        written = [word for word, start in zip(words, starts, strict=False) if begin <= start < end]
        inside = [form for form in forms if begin <= form.start < end]
        spelled += _spread(_spoken(text, begin, end, inside), written)
    return tuple(spelled)


def in_words(text: str) -> str:
    """The text with each figure as it is usually said."""
    return _with_words(text, 0, len(text), spoken_forms(text))


def _with_words(text: str, begin: int, end: int, forms: Iterable[SpokenForm]) -> str:
    parts, place = [], begin
    for form in forms:
        parts += [text[place : form.start], form.words]
        place = form.end
    return "".join([*parts, text[place:end]])


def _cuts(place: int, forms: Iterable[SpokenForm]) -> bool:
    return any(form.start < place < form.end for form in forms)


def _spoken(text: str, begin: int, end: int, forms: Iterable[SpokenForm]) -> list[str]:
    """The words of a part of the text: lower case, without marks. “U.S.” is “u s”, “o'clock” stays."""
    plain = _with_words(text, begin, end, forms).lower().replace("’", "'")
    return re.findall(rf"{SIGN_OF_WORD}+(?:'{SIGN_OF_WORD}+)*", plain)


def _spread(spoken: Sequence[str], written: Sequence[HeardWord]) -> Iterator[HeardWord]:
    if not spoken:
        return
    start, step = written[0].start_s, (written[-1].end_s - written[0].start_s) / len(spoken)
    confidence = min(word.confidence for word in written)
    for at, word in enumerate(spoken):
        yield HeardWord(word, start + at * step, start + (at + 1) * step, confidence)


def spoken_forms(text: str) -> list[SpokenForm]:
    """What each figure of the text may have been, in their order. A figure behind a backslash stays."""
    return [SpokenForm(found.start(), found.end(), _apart(text, found)) for found in _FIGURES.finditer(text)]


def _apart(text: str, match: re.Match[str]) -> str:
    """The words, with blanks where a letter stands right beside the figure: `DC10` becomes `DC ten`."""
    before = " " if text[: match.start()][-1:].isalnum() else ""
    after = " " if text[match.end() :][:1].isalnum() else ""
    return f"{before}{' '.join(_words(text, match))}{after}"


def _words(text: str, match: re.Match[str]) -> Iterator[str]:
    yield from _figure(text, match)
    if match["half"]:
        yield _word("half")[match["half"].lower()]
    if match["percent"]:
        yield _word("percent")


def _figure(text: str, match: re.Match[str]) -> Iterator[str]:
    if match["hour"]:
        yield from _time(int(match["hour"]), match["minute"], bool(match["half"]))
    elif match["dollars"]:
        yield from _dollars(match)
    elif match["ordinal"]:
        yield from _ordinal(int(match["ordinal"]))
    elif match["groups"]:
        yield from (word for group in match["groups"].split("-") for word in _digits(group))
    elif match["decimals"]:
        yield from (*_cardinal(_value(match["number"])), _word("point"), *_digits(match["decimals"]))
    else:
        yield from _number(match["number"], _is_name(text[: match.start()]))


def _time(hour: int, minute: str, half: bool) -> Iterator[str]:
    yield from _cardinal(hour)
    if minute != "00":
        yield from _pair(minute)
    elif not half:
        yield _word("full_hour")


def _dollars(match: re.Match[str]) -> Iterator[str]:
    amount, cents = _value(match["dollars"]), int(match["cents"] or 0)
    yield from _cardinal(amount)
    if match["scale"]:
        yield match["scale"].strip()
    yield _word("dollar")[amount != 1 or bool(match["scale"])]
    if cents:
        yield from (_word("and"), *_cardinal(cents), _word("cent")[cents != 1])


def _ordinal(number: int) -> Iterator[str]:
    *first, last = _cardinal(number)
    regular = f"{last.removesuffix('y')}ieth" if last.endswith("y") else f"{last}th"
    yield from (*first, _word("ordinal").get(last, regular))


def _number(figures: str, is_name: bool) -> Iterator[str]:
    """A count, a year, the number of a flight, or figures one by one, whatever the figures look like."""
    plain = figures.replace(",", "")
    if plain[0] == "0" and len(plain) > 1:
        yield from _digits(plain)
    # Four figures without a comma are a year or a flight; 2000 and 1,250 are counts.
    elif len(plain) == 4 and plain == figures and plain[1:] != "000":
        yield from _halves(plain)
    elif len(plain) == 3 and is_name and plain[1:] != "00":
        yield from (*_cardinal(int(plain[0])), *_pair(plain[1:]))
    elif plain == figures and len(plain) > 6:
        yield from _digits(plain)
    else:
        yield from _cardinal(int(plain))


def _halves(figures: str) -> Iterator[str]:
    """`1989` is nineteen eighty nine, `1900` nineteen hundred."""
    yield from _cardinal(int(figures[:2]))
    yield from [_word("hundred")] if figures[2:] == "00" else _pair(figures[2:])


def _pair(figures: str) -> Iterator[str]:
    """`05` is oh five."""
    if figures[0] == "0":
        # People say “oh” inside a number, and “zero” for the number itself.
        yield _word("naught")
    yield from _cardinal(int(figures))


def _digits(figures: str) -> Iterator[str]:
    return (_word("naught") if figure == "0" else _word("ones")[int(figure)] for figure in figures)


def _cardinal(number: int) -> list[str]:
    if number == 0:
        return [_word("ones")[0]]
    if number >= 10**_MOST_FIGURES:
        return list(_digits(str(number)))
    words: list[str] = []
    for place in reversed(range(len(_word("scales")))):
        group = number // 1000**place % 1000
        if group:
            words += [*_below_thousand(group), *([_word("scales")[place]] if place else [])]
    return words


def _below_thousand(number: int) -> Iterator[str]:
    hundreds, rest = divmod(number, 100)
    if hundreds:
        yield from (_word("ones")[hundreds], _word("hundred"))
    if rest >= 20:
        yield _word("tens")[rest // 10]
        rest %= 10
    if rest:
        yield _word("ones")[rest]


def _is_name(before: str) -> bool:
    """Behind “flight” a number is a name; so it is behind a letter, as in `B747`."""
    words = re.findall(r"[^\W\d_]+", before)
    if before[-1:].isalpha():
        return True
    return bool(words) and before.rstrip().endswith(words[-1]) and words[-1].lower() in _word("named_by_number")


def _value(figures: str) -> int:
    return int(figures.replace(",", ""))


def _word(name: str) -> Any:
    return _table()[name]


@cache
def _table() -> dict[str, Any]:
    text = (resources.files("curtain.base.speech") / "spoken_numbers.toml").read_text("utf-8")
    return tomllib.loads(text)
