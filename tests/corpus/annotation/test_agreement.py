"""Where annotators differ, and what waits for a ruling."""

import json
from pathlib import Path
from typing import Any

import pytest

from curtain.base.clock import Clock
from curtain.commands.corpus.upkeep import agreement
from curtain.corpus.annotation.agreement import (
    Judgements,
    agreement_of,
    agreement_of_all,
    agreement_table,
    differences,
    judged_by_two,
    measures,
)
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.annotation.row import Layer, LayerRow
from curtain.session.bundle.bundle import Bundle

# (judgements, agreed, kappa); the second is the example of two raters with 20 yes/yes, 5, 10 and 15 no/no: 0.4.
COUNTED = [
    ([], 0, None),
    ([("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15, 35, 0.4),
    ([("A", "A"), ("X", "X"), ("D", "D")], 3, 1.0),
]


@pytest.mark.parametrize(("judgements", "agreed", "kappa"), COUNTED)
def test_agreement_is_counted_and_compared_with_chance(
    judgements: list[tuple[str, str]], agreed: int, kappa: float | None
) -> None:
    found = agreement_of(judgements)
    assert (found.turns, found.agreed) == (len(judgements), agreed)
    assert found.kappa == (None if kappa is None else pytest.approx(kappa))


def row(layer: Layer, value: dict[str, Any], by: str) -> LayerRow:
    return new_row("e00-01-002", layer, value, by, Clock())


def test_the_toy_knows_who_differs_and_that_somebody_has_ruled(toy: Path) -> None:
    by_path = {path: differences(Layers(Bundle(path))) for path in sorted((toy / "sessions").iterdir())}
    assert [found for found in by_path.values() if found] == [
        {"0a1-02-008": ("category",)},
        {"e00-02-003": ("category",)},
    ]
    for path, utterance_id in ((path, one) for path, found in by_path.items() for one in found):
        standing = Layers(Bundle(path)).standing("category")
        assert [row.by for row in standing.finals(utterance_id)] == ["w1", "w2"]
        assert (ruling := standing.ruling(utterance_id)) is not None and ruling.by == "judge"


def test_each_two_annotators_are_compared_on_what_both_have_finished(toy: Path) -> None:
    judgements = Judgements.of(Layers(Bundle(path)) for path in sorted((toy / "sessions").iterdir()))
    assert judged_by_two(judgements, "class") == {("w1", "w2"): [("X", "X"), ("A", "X")]}
    found = {measure: (who, one.turns, one.agreed) for measure, who, one in agreement_table(judgements)}
    assert found["class"] == found["category"] == (("w1", "w2"), 2, 1) and found["tags"] == (("w1", "w2"), 2, 0)
    assert set(found) <= set(measures())


def test_the_order_of_tags_and_marks_in_a_transcription_are_no_difference(own_toy: Path) -> None:
    layers = Layers(Bundle(own_toy / "sessions" / "e00-01"))
    layers.add(row("transcription", {"sro": "what is [cough] mary smith's salary"}, "w2"))
    layers.add(row("category", {"category": "0", "eval_class": "A", "tags": ["wh-question"]}, "w2"))
    assert differences(layers) == {}
    layers.add(row("transcription", {"sro": "what is mary smith salary"}, "w2"))
    assert differences(layers) == {"e00-01-002": ("transcription",)}


def test_all_annotators_together_are_measured_on_the_turns_that_count(own_toy: Path) -> None:
    layers = Layers(Bundle(own_toy / "sessions" / "e00-01"))
    layers.add(row("transcription", {"sro": "what is mary smith salary"}, "w2"))
    layers.add(row("transcription", {"sro": "what is mary smith's salary"}, "w3"))
    judgements = Judgements.of([layers])
    words = agreement_of_all(judgements)["words"]
    assert (words.turns, words.agreed, words.kappa) == (3, 1, None)
    assert words.word_error_rate == pytest.approx(2 * 2 / (4 * 5 + 2 * 5))
    assert agreement_of_all(judgements, [{2}]) == agreement_of_all(judgements)
    assert agreement_of_all(judgements, [{3}]) == {}


def test_every_layer_is_read_once_for_all_measures(toy: Path) -> None:
    asked: list[Layer] = []

    class Counted(Layers):
        def rows(self, layer: Layer) -> tuple[LayerRow, ...]:
            asked.append(layer)
            return super().rows(layer)

    judgements = Judgements.of([Counted(Bundle(toy / "sessions" / "e00-01"))])
    agreement_table(judgements)
    agreement_of_all(judgements)
    assert sorted(asked) == sorted(set(asked))


def test_the_command_tells_each_two_and_all(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert agreement(toy, as_json=True) == 0
    printed = json.loads(capsys.readouterr().out)
    (classes,) = [one for one in printed["pairs"] if one["measure"] == "class"]
    assert (classes["annotators"], classes["judged"], classes["agreed"], classes["kappa"]) == (["w1", "w2"], 2, 1, 0.0)
    assert printed["all"]["class"]["ac1"] == pytest.approx(0.2)
    assert agreement(toy) == 0
    assert "w1 and w2" in capsys.readouterr().out
