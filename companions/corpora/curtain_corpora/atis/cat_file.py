"""The notation of `.cat` files: class and tags of a query (cat_spec.bnf, 26 Aug 1991).

    D1: wh-question context-dependent:Q2

Lines that begin with `;` are comments. Several pointers are joined by `|`. Only class A may stand alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from curtain.base.errors import CurtainError
from curtain.corpus.model.utterance import EvalClass
from curtain_corpora.atis.names import base36, number_of

BASIC_TAGS = (
    "arithmetic",
    "bad-db",
    "book",
    "cancelled",
    "disallowed",
    "hopelessly-vague",
    "ill-formed",
    "multi-sentence",
    "presupposition-failure",
    "responding",
    "testably-ambiguous",
    "trunc-utt",
    "uncooperative",
    "unanswerable",
    "underspecified",
    "ungrammatical",
    "wh-question",
    "wizard-error",
    "yes/no",
)
_CONTEXT = "context-dependent:"
_HEAD = re.compile(r"\s*(A|X|D1|D)\s*:(.*)", re.S)
_POINTER = re.compile(r"Q([0-9a-z]{1,2})", re.I | re.A)


class BadCategory(CurtainError):
    """The text of a `.cat` file does not follow its notation."""


@dataclass(frozen=True)
class Categorised:
    """What a `.cat` file holds. `pointers` are numbers of earlier queries of the scenario-session; `rest` are words
    that are neither tags nor pointers, such as the characteristics of single interpretations."""

    eval_class: EvalClass
    tags: tuple[str, ...] = ()
    pointers: tuple[int, ...] = ()
    rest: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()


def write_cat(category: Categorised) -> str:
    """The text of a file. Raises BadCategory for what the notation does not allow."""
    # File names have two digits of base 36; a pointer is printed without the leading zero (Q2).
    context = "|".join(f"Q{base36(number, 2).lstrip('0')}" for number in category.pointers)
    words = [*category.tags, *([_CONTEXT + context] if context else []), *category.rest]
    if not words and category.eval_class != "A":
        raise BadCategory(f"Class {category.eval_class} needs a tag; only class A may stand alone.")
    unknown = [tag for tag in category.tags if tag not in BASIC_TAGS]
    if unknown:
        raise BadCategory(f"“{unknown[0]}” is not one of the 19 tags of a .cat file.")
    comments = "".join(f"; {line}\n" for text in category.comments for line in text.splitlines())
    return f"{comments}{category.eval_class}: {' '.join(words)}".rstrip() + "\n"


def read_cat(text: str) -> Categorised:
    """What a file says. Raises BadCategory with what is wrong."""
    lines = text.splitlines()
    comments = tuple(line.lstrip().lstrip(";").strip() for line in lines if line.lstrip().startswith(";"))
    match = _HEAD.fullmatch("\n".join(line for line in lines if not line.lstrip().startswith(";")))
    if match is None:
        raise BadCategory("It does not begin with A:, D1:, D: or X:.")
    words = match[2].split()
    # X says why in a tag, D by its pointer; A needs nothing (cat_spec.bnf).
    if not words and match[1] != "A":
        raise BadCategory(f"Class {match[1]} needs a tag; only class A may stand alone.")
    tags, pointers, rest = _sorted_out(words)
    return Categorised(cast(EvalClass, match[1]), tags, pointers, rest, comments)


def _sorted_out(words: list[str]) -> tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...]]:
    tags: list[str] = []
    pointers: list[int] = []
    rest: list[str] = []
    for word in words:
        if word.startswith(_CONTEXT):
            pointers += [number_of(found) for found in _POINTER.findall(word[len(_CONTEXT) :])]
        # Behind the first unknown word a tag may be of a single interpretation, so it stays with the rest.
        elif word in BASIC_TAGS and not rest:
            tags.append(word)
        else:
            rest.append(word)
    return tuple(tags), tuple(pointers), tuple(rest)
