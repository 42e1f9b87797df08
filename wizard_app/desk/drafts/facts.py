"""What the journal keeps of drafts: the list that was on the screen, the draft that was taken, the values changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from curtain.drafting.values import Chip, Choice, Draft
from curtain.session.events import wizard_events as wizard
from wizard_app.desk.drafts.control import DraftInput, DraftsOnScreen


def shown_fact(shown: DraftsOnScreen, wanted: DraftInput) -> wizard.DraftShown:
    """The journal's line for the list of drafts that was on the screen."""
    return wizard.DraftShown(
        drafts=[draft.sql for draft in shown.drafts],
        # Four decimals are more than anybody compares, and keep the line short.
        confidences=[round(draft.confidence, 4) for draft in shown.drafts],
        drafters=[draft.drafter for draft in shown.drafts],
        question=shown.request.question,
        reworded=wanted.reworded is not None and wanted.reworded != wanted.query,
    )


def taken_fact(number: int, draft: Draft, choices: Iterable[Choice], chips: Sequence[Chip]) -> wizard.DraftTaken:
    """The journal's line for a draft that was taken: its place from 1, and the values that were changed."""
    return wizard.DraftTaken(
        sql=draft.sql,
        place=number,
        drafter=draft.drafter,
        confidence=round(draft.confidence, 4),
        chips=list(_changed(choices, chips)),
    )


def _changed(choices: Iterable[Choice], chips: Sequence[Chip]) -> Iterator[wizard.ChipChanged]:
    """What each value was when it was found first."""
    for choice in choices:
        chip = next((chip for chip in chips if chip.said == choice.said), None)
        if chip is not None:
            to = choice.value.value if choice.value is not None else None
            yield wizard.ChipChanged(kind=chip.kind, said=chip.said, was=chip.value.value, to=to)
