"""Sums and averages that words behind or between the others ask for: “what do the clerks earn in total”. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["lists_only", "worked_out"]

_PHRASES = {"in total": "SUM", "altogether": "SUM", "all together": "SUM", "on average": "AVG"}
_LAST = {"in all": "SUM"}
_WORKS_OUT = re.compile(r"\b(SUM|AVG|COUNT|MEDIAN) ?\(", re.IGNORECASE)


def worked_out(words: Sequence[str]) -> str:
    """SUM or AVG if words ask for it by such a phrase; else nothing."""
    text = f" {' '.join(words)} "
    found = (function for phrase, function in _PHRASES.items() if f" {phrase} " in text)
    last = (function for phrase, function in _LAST.items() if text.endswith(f" {phrase} "))
    return next(found, "") or next(last, "")


def lists_only(sql: str, words: Sequence[str]) -> bool:
    """Whether a statement lists what is asked for in total or on average."""
    return bool(worked_out(words)) and _WORKS_OUT.search(sql) is None
