"""Reads the closing formula of a scenario: “End scenario. The answer is flight 1203.” (Hirschman et al. 1992)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FORMULA = re.compile(
    r"""^\W*(?:end|and|finish)(?:\s+of)?\s+(?:the\s+|this\s+)?(?:scenario|task)\b[\W_]*
        (?:(?:and\s+)?(?:the|my)\s+(?:answer|solution)\s+is\b[\s:,]*(?P<answer>.*?))?[\s.]*$""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class EndStatement:
    """The subject ended the scenario; `answer` is empty if none was stated."""

    answer: str


def read_end_statement(query: str) -> EndStatement | None:
    """The end statement in a query, or None if the query is a question like any other."""
    match = _FORMULA.match(query.strip())
    return EndStatement((match["answer"] or "").strip()) if match else None
