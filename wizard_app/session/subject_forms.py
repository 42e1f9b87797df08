"""Questionnaires as they cross the curtain: in one language, and only those that ask the subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from curtain.link.messages import Form, FormItem
from curtain.session.questionnaires.instrument import Instrument, InstrumentItem
from curtain.session.study.languages import ENGLISH

__all__ = ["forms_for"]


def forms_for(
    instruments: Sequence[Instrument], when: Literal["scenario", "session"], language: str, of: str = ""
) -> list[Form]:
    """The forms that the subject fills in at this moment; `of` is put behind their names, such as “@scenario”.

    What asks the wizard would tell the subject that there is one, so it never gets this far.
    """
    return [
        Form(
            name=one.id + of,
            title=_in(one.title, language),
            items=[_item(item, language) for item in one.items],
        )
        for one in instruments
        if one.asks == "subject" and one.when == when
    ]


def _item(item: InstrumentItem, language: str) -> FormItem:
    choices = {option.id: _in(option.text, language) for option in item.options}
    steps = {str(value): str(value) for value in item.values} if item.kind == "scale" else {}
    return FormItem(
        id=item.id,
        kind=item.kind,
        text=_in(item.text, language),
        values=[*choices, *steps],
        labels=[*choices.values(), *steps.values()],
        low=_in(item.low_text, language),
        high=_in(item.high_text, language),
    )


def _in(words: Mapping[str, str], language: str) -> str:
    return words.get(language) or words.get(ENGLISH, "")
