"""Execution accuracy for the `evaluate` library: `evaluate.load("tools/execution_accuracy")`. Curtain is installed."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from curtain.cas import Options, RowRule
from curtain_score.sql.sql_score import score_sql


class ExecutionAccuracy(evaluate.Metric):
    """The share of predicted statements that are right on each of their databases."""

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description="Runs gold and predicted SQL and compares the values exactly.",
            citation="",
            inputs_description="predictions, references: SQL. databases: the paths of the files of each statement.",
            features=datasets.Features({"predictions": text, "references": text}),
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[str],
        databases: list[list[str]],
        timeout: float = 30.0,
        rows: str = "set",
        **options: Any,
    ) -> dict[str, Any]:
        """`rows`: set, multiset or ordered; `options`: the other fields of `curtain.cas.Options`."""
        rules = Options(RowRule(rows), **options)
        pairs = zip(predictions, references, databases, strict=True)
        right = [bool(score_sql(gold, predicted, files, timeout, options=rules)) for predicted, gold, files in pairs]
        return {"accuracy": sum(right) / len(right), "right": right}
