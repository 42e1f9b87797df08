"""The Comparator as a metric of evaluation frameworks. Each framework is imported only by its own adapter.

Targets and outputs are texts: an answer in CAS, `((1 "A") (2 "B"))`, or a JSON list of rows, `[[1, "A"], [2, "B"]]`.
"""

from __future__ import annotations

import json
from typing import Any

from . import CasError, Options, Relation, Verdict, compare, from_rows

_CAS_RULES = Options()


def judge(output: str, target: str, options: Options = _CAS_RULES) -> Verdict:
    """The verdict on a model's text. Raises CasError if the target cannot be read."""
    return compare(_answer(output), _answer(target), options=options)


def _answer(text: str) -> Relation | str:
    """A list of rows as a table; any other text is an answer in CAS, which the Comparator reads or refuses."""
    try:
        rows = json.loads(text)
        return from_rows([row if isinstance(row, list) else [row] for row in rows]) if isinstance(rows, list) else text
    except (ValueError, CasError):  # as are rows of different lengths
        return text


def inspect_scorer(options: Options = _CAS_RULES) -> Any:
    """A scorer for inspect-ai: `Task(..., scorer=inspect_scorer())`. The reason is the score's explanation."""
    from inspect_ai.scorer import CORRECT, INCORRECT, Score, accuracy, scorer, stderr

    @scorer(metrics=[accuracy(), stderr()], name="same_answer")
    def same_answer() -> Any:
        async def score(state: Any, target: Any) -> Any:
            output = state.output.completion
            verdict = judge(output, target.text, options)
            return Score(value=CORRECT if verdict else INCORRECT, answer=output, explanation=verdict.reason)

        return score

    return same_answer()


def harness_metric(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """For lm-evaluation-harness: `process_results: !function ...harness_metric`; `doc["answer"]` is the target.

    The task lists `same_answer` under `metric_list`, with `aggregation: mean`.
    """
    return {"same_answer": float(bool(judge(results[0], doc["answer"])))}
