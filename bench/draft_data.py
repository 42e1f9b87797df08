"""Questions with their SQL for bench/draft.py, read from a folder that is no part of the project."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from curtain.drafting.values import Example

_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@dataclass(frozen=True)
class Asked:
    """A question with the SQL that counts as right; `shape` is the same for SQL that differs in its values alone.
    `faulty`: it names a weekday, and its SQL a date of another one."""

    id: str
    question: str
    sql: str
    shape: str
    faulty: bool

    @property
    def example(self) -> Example:
        """The same as an answered question."""
        return Example(self.question, self.sql, id=self.id, source="bench")


def read(path: Path) -> list[Asked]:
    """The questions of a gzipped file, one JSON object a line."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [_asked(json.loads(line)) for line in file]


def _asked(line: dict[str, Any]) -> Asked:
    faulty = _false_date(line["question"], line["sql"])
    return Asked(line["id"], line["question"], line["sql"], str(line.get("template", "")), faulty)


def _false_date(question: str, sql: str) -> bool:
    said = {day for day in _DAYS if re.search(rf"\b{day}", question.lower())}
    return bool(said) and any(day not in said for day in _weekdays(sql))


def _weekdays(sql: str) -> Iterable[str]:
    """The weekdays of all whole dates in the SQL."""
    parts: dict[str, dict[str, int]] = {}
    for alias, part, number in re.findall(r"(\w+)\.(DAY_NUMBER|MONTH_NUMBER|YEAR) = (\d+)", sql, re.IGNORECASE):
        parts.setdefault(alias, {})[part.upper()] = int(number)
    for found in parts.values():
        try:
            yield _DAYS[date(found["YEAR"], found["MONTH_NUMBER"], found["DAY_NUMBER"]).weekday()]
        except (KeyError, ValueError):
            continue


def some(questions: Sequence[Asked], many: int) -> list[Asked]:
    """So many of the questions, evenly spread over a fixed shuffle."""
    import random

    return random.Random(17).sample(list(questions), min(many, len(questions)))
