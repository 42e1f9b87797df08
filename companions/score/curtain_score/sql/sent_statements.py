"""What was sent beside what annotators wrote since, on altered copies of the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curtain_score.sql.on_copies import CopyItem, CopyScore, readings_on_copies


@dataclass(frozen=True, slots=True)
class SentStatement:
    """The statement behind an answer that a subject got, and the minimum statement of each annotated reading.

    `readings` is empty where nobody has annotated: a statement is no reference for itself.
    """

    utterance: str
    condition: str
    sql: str
    readings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConditionOnCopies:
    """The statements sent under one condition. `unannotated` answers have no reference, and are in no count."""

    condition: str
    score: CopyScore
    unannotated: int

    @property
    def items(self) -> Mapping[str, CopyItem]:
        """The answers that were judged, by utterance."""
        return {item.id: item for item in self.score.judged}


def sent_on_copies(sent: Sequence[SentStatement], databases: Sequence[Path]) -> list[ConditionOnCopies]:
    """For each condition, in the order of its first answer, how many statements are right on each database.

    The answers are those of one domain, whose copies `databases` are.
    """
    results = []
    for condition in dict.fromkeys(statement.condition for statement in sent):
        under = [statement for statement in sent if statement.condition == condition]
        readings = {statement.utterance: statement.readings for statement in under if statement.readings}
        answers = {statement.utterance: statement.sql for statement in under}
        score = readings_on_copies(readings, answers, databases, 2)
        results.append(ConditionOnCopies(condition, score, len(under) - len(readings)))
    return results
