"""Whether the answer that a subject stated solves a scenario (papers/004, "Finding the Correct Solution").

A pack lists the accepted wordings of each closed scenario. A statement is correct if it holds one of them, word for
word, apart from case, accents and punctuation: "The answer is Boeing 727." holds "Boeing 727".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal

from curtain.corpus.model.domains import Domains
from curtain.domain.pack.pack import PackError

__all__ = ["SolutionVerdict", "accepted_solutions", "judged_solution"]

SolutionVerdict = Literal["correct", "incorrect", "none"]

_WORD = re.compile(r"[^\W_]+(?:\.[0-9]+)?")
# A thousands' comma inside a number; other commas part words.
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


def judged_solution(stated: str | None, accepted: Iterable[str]) -> SolutionVerdict | None:
    """The verdict on a stated answer; `none` where nothing was stated, None where no wording is accepted anywhere."""
    wordings = list(accepted)
    if stated is None or not stated.strip():
        return "none"
    if not wordings:
        return None
    words = _words(stated)
    return "correct" if any(_holds(words, _words(wording)) for wording in wordings) else "incorrect"


def accepted_solutions(domains: Domains, domain: str, scenario_id: str) -> tuple[str, ...]:
    """The accepted wordings of a scenario; none where the pack is not on this machine or lists none."""
    try:
        solution = domains.pack(domain).solution(scenario_id)
    except PackError:
        return ()
    return tuple(solution.accepted) if solution is not None else ()


def _words(text: str) -> list[str]:
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(letter)
    )
    return _WORD.findall(_THOUSANDS.sub("", plain))


def _holds(words: Sequence[str], wording: Sequence[str]) -> bool:
    """Whether the words of a wording stand in a row."""
    size = len(wording)
    return size > 0 and any(list(words[at : at + size]) == list(wording) for at in range(len(words) - size + 1))
