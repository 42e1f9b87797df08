"""Figures are offered as they are usually said."""

import json
from pathlib import Path

import pytest

from curtain.base.speech.spoken_forms import spoken_forms
from curtain.corpus.annotation.sro import check_sro

DATA = Path(__file__).parents[1] / "data" / "spoken_forms.jsonl"
SAID = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


def spoken(text: str) -> str:
    for one in reversed(spoken_forms(text)):
        text = text[: one.start] + one.words + text[one.end :]
    return text


@pytest.mark.parametrize(("text", "said"), SAID)
def test_figures_as_they_are_said(text: str, said: str) -> None:
    assert spoken(text) == said


@pytest.mark.parametrize("text", [text for text, _ in SAID] + ["12:99 1-800-555 3rd9 $ 5 9999999999999999 ١٢"])
def test_what_is_offered_leaves_no_figure_to_mend(text: str) -> None:
    assert not [fault for fault in check_sro(spoken(text)) if fault.blocks]
