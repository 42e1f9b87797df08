"""The words of a query that nothing in a draft explains. No widgets here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curtain.drafting.query.small_words import LIGHT, SILENT
from curtain.drafting.values import Draft
from wizard_app.drafts.sql_words import all_words, is_value, plain, unquoted

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
# Two forms of a word share so many letters at least, and all but so few.
_STEM, _ENDING = 4, 3

Span = tuple[int, int]


def ignored(question: str, draft: Draft) -> tuple[Span, ...]:
    """The stretches [start, end) of the question that neither the draft's values, nor the words on which it rests, nor
    its example, nor a name or value in its SQL explains. Stretches with only small words between them are one."""
    explained = [*draft.rests_on, *((chip.start, chip.end) for chip in draft.chips)]
    known = _known_words(draft)
    stretches: list[Span] = []
    open_to = False
    for start, end, word in _words(question):
        if any(start < to and begin < end for begin, to in explained) or _is_known(word, known):
            open_to = False
        elif word in SILENT or word in LIGHT:
            continue
        elif open_to:
            stretches[-1] = (stretches[-1][0], end)
        else:
            stretches.append((start, end))
            open_to = True
    return tuple(stretches)


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    return ((match.start(), match.end(), match[0].casefold()) for match in _WORD.finditer(text))


def _known_words(draft: Draft) -> set[str]:
    """All words of the example, and of the names and values in the SQL."""
    example = draft.example.question if draft.example is not None else ""
    tokens = (unquoted(one) if is_value(one) else plain(one).replace("_", " ") for one in all_words(draft.sql))
    return {word for text in (example, *tokens) for _, _, word in _words(text)}


def _is_known(word: str, known: set[str]) -> bool:
    """Whether it is one of them, or another form of one: “salaries” for “salary”."""
    return word in known or any(_same_stem(word, other) for other in known)


def _same_stem(word: str, other: str) -> bool:
    shared = next(
        (at for at, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other))
    )
    return shared >= _STEM and max(len(word), len(other)) - shared <= _ENDING
