"""What the rules of the schema hand to the ranker."""

from __future__ import annotations

from dataclasses import dataclass

from ..algebra.query import Statement

__all__ = ["RuleDraft"]


@dataclass(frozen=True)
class RuleDraft:
    """A statement of the rules: how well it fits, the share of the words of the query that nothing in it explains, the
    values that it uses, and the places of the unexplained words."""

    query: Statement
    score: float
    unexplained: float
    used: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
