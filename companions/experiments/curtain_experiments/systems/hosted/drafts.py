"""Our NL tool, or a served model, answering alone: the best draft, or no answer below a confidence.

papers/004 compared a robust parser, which answers what it understood, with a full parser, which answers only what it
understood whole. By analogy `drafts-robust` takes the best draft there is, and `drafts-strict` only one that it is sure
of. What one draft is worth is the drafter's own calibrated confidence.
"""

from __future__ import annotations

import queue
from pathlib import Path

from curtain.domain.pack.pack import Pack
from curtain.drafting.values import Asked, Example, Request
from curtain_drafts.tool.service import DraftService, DraftSettings, Standing
from curtain_drafts.tool.serving.settings import DrafterChoice
from curtain_drafts.tool.store import study_store
from curtain_experiments.systems.protocol import SystemQuestion, SystemReply

SURE = 0.8
"""A draft below this confidence is likely to have left something out: the answer counts as partial."""


def examples_for(pack: Pack, study: Path | None, drafters: dict[str, object]) -> list[Example]:
    """What the drafts rest on: the pack's examples and the files that the study names, but no turn of the study.

    A system that learnt from the subjects before would be another one for each subject. Raises CurtainError.
    """
    return study_store(pack, study or pack.folder, drafters if study else {}, ())[0]


class DraftingSystem:
    """Asks one drafter through the service that a wizard's station uses, with its process, limits and checks."""

    def __init__(
        self, pack: Pack, database: Path, examples: list[Example], drafters: tuple[DrafterChoice, ...], threshold: float
    ) -> None:
        """Returns when drafts can be made. Raises RuntimeError."""
        self._threshold = threshold
        standings: queue.SimpleQueue[Standing] = queue.SimpleQueue()
        longest = max(choice.limit_s for choice in drafters)
        settings = DraftSettings(drafters, patience_s=longest)
        self._service = DraftService(pack, database, examples, settings, on_standing=standings.put)
        while not (standing := standings.get()).settled:
            pass
        if standing.fault:
            raise RuntimeError(standing.fault)

    def answer(self, question: SystemQuestion) -> SystemReply:
        """The best draft as SQL if it is sure enough, else no answer."""
        previous = tuple(Asked(turn.text, turn.sql) for turn in question.previous if turn.sql)
        asked = Request(question.text or "", previous, n=1, scenario=question.scenario_id or "")
        best = next(iter(self._service.draft(asked).result()), None)
        if best is None or best.confidence < self._threshold:
            return SystemReply(no_answer=True)
        return SystemReply(sql=best.sql, partial=best.confidence < SURE)
