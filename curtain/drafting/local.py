"""The drafter that comes with Curtain: values found in the query, nearest answered examples, values replaced."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import duckdb

from curtain.domain.pack import Pack

from .values import Chip, Draft, Example, Request, Value

__all__ = ["LocalDrafter"]


class LocalDrafter:
    """Drafts from the answered examples of a pack; raises nothing on odd queries, and has no draft for them."""

    def __init__(self, pack: Pack, db_path: Path, examples: Iterable[Example], cache: Path | None = None) -> None:
        self._phrases = _phrases(pack, db_path)
        self._longest = max((len(phrase) for phrase in self._phrases), default=1)
        self._examples: list[tuple[Example, Counter[str], list[Chip]]] = []
        for example in examples:
            self.learn(example)

    def learn(self, example: Example) -> None:
        """From now on this question has been answered."""
        chips = self._chips(example.question)
        self._examples.append((example, Counter(_masked(example.question, chips)), chips))

    def withdraw(self, example_id: str) -> None:
        """Forget the example of this id, if it is known."""
        self._examples = [known for known in self._examples if known[0].id != example_id]

    def drafts(self, request: Request) -> Sequence[Draft]:
        """Up to `request.n` drafts, best first."""
        question = request.question[:1000]
        chips = self._chips(question)
        words = Counter(_masked(question, chips))
        near = sorted(((_likeness(words, known[1]), known) for known in self._examples), key=lambda one: -one[0])
        found: dict[str, Draft] = {}
        for score, (example, _, theirs) in near[: 10 * request.n]:
            sql = _replaced(example.sql, theirs, chips)
            if score > 0 and sql not in found and len(found) < request.n:
                found[sql] = Draft(sql, score, tuple(chips), because=f"like “{example.question}”")
        return list(found.values())

    def _chips(self, question: str) -> list[Chip]:
        words = list(re.finditer(r"\w+", question.lower()))
        chips, at = [], 0
        while at < len(words):
            for size in range(min(self._longest, len(words) - at), 0, -1):
                value = self._phrases.get(tuple(word.group() for word in words[at : at + size]))
                if value:
                    start, end = words[at].start(), words[at + size - 1].end()
                    kind = value.column.split(".")[1].split("_")[0]
                    chips.append(Chip(start, end, question[start:end], kind, value))
                    break
            at += size
        return chips


def _phrases(pack: Pack, db_path: Path) -> dict[tuple[str, ...], Value]:
    found: dict[tuple[str, ...], Value] = {}
    with duckdb.connect(str(db_path), read_only=True) as database:
        for table, columns in pack.tables.items():
            for column, kind in columns.items():
                if not kind.startswith("VARCHAR"):
                    continue
                rows = database.execute(f'SELECT DISTINCT "{column}" FROM "{table}" LIMIT 1000').fetchall()
                for (text,) in rows:
                    if text and len(text) > 2:
                        found.setdefault(
                            tuple(re.findall(r"\w+", text.lower())), Value(f"{table}.{column}", text, text)
                        )
    found.pop((), None)
    return found


def _masked(question: str, chips: Sequence[Chip]) -> list[str]:
    for chip in reversed(chips):
        question = f"{question[: chip.start]} {chip.kind.upper()} {question[chip.end :]}"
    words = re.findall(r"\w+", question)
    return [*words, *(" ".join(pair) for pair in zip(words, words[1:], strict=False))]


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    shared = sum((one & other).values())
    return shared / math.sqrt((sum(one.values()) or 1) * (sum(other.values()) or 1))


def _replaced(sql: str, theirs: Sequence[Chip], ours: Sequence[Chip]) -> str:
    waiting = list(ours)
    for number, chip in enumerate(theirs):
        match = next((one for one in waiting if one.kind == chip.kind), None)
        if match:
            waiting.remove(match)
            sql = sql.replace(f"'{chip.value.value}'", f"'\x00{number}'")
            sql = sql.replace(f"\x00{number}", match.value.value.replace("'", "''"))
    return sql
