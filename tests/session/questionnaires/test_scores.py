"""Published keys of questionnaires, case by case."""

from pathlib import Path

import pytest

from curtain.session.questionnaires.instrument import load_instrument
from curtain.session.questionnaires.scores import nasa_tlx_score, scores_of, sus_score, ueq_s_scores

TLX = ("mental", "physical", "temporal", "performance", "effort", "frustration")


def _items(*values: object) -> dict[str, str]:
    return {f"q{n}": str(value) for n, value in enumerate(values, 1)}


@pytest.mark.parametrize(
    ("answers", "score"),
    [
        (_items(5, 1, 5, 1, 5, 1, 5, 1, 5, 1), 100.0), (_items(1, 5, 1, 5, 1, 5, 1, 5, 1, 5), 0.0),
        (_items(3, 3, 3, 3, 3, 3, 3, 3, 3, 3), 50.0), (_items(5, 4, 2, 1, 2, 3, 2, 4, 5, 2), 55.0),
        (_items(4, 2, 4, 1, 4, 2, 5, 1, 4, 2), 82.5), (_items(4, 2, 4, 1, 4, 2, 5, 1, 4), None),
        (_items(4, 2, 4, 1, 4, 2, 5, 1, 4, ""), None), (_items(4, 2, 4, 1, 4, 2, 5, 1, 4, 6), None),
        (_items(4, 2, 4, 1, 4, 2, 5, 1, 4, 0), None), (_items(4, 2, 4, 1, 4, 2, 5, 1, 4, "2.5"), None),
        (_items(4, 2, 4, 1, 4, 2, 5, 1, 4, "٣"), None),
    ],
)  # fmt: skip
def test_sus(answers: dict[str, str], score: float | None) -> None:
    assert sus_score(answers) == score


@pytest.mark.parametrize(
    ("answers", "scores"),
    [
        (_items(7, 7, 7, 7, 1, 1, 1, 1), {"pragmatic": 3.0, "hedonic": -3.0}),
        (_items(4, 4, 4, 4, 5, 6, 4, 4), {"pragmatic": 0.0, "hedonic": 0.75}),
        (_items(6, 6, 6, 6, 5, 5, 5), {"pragmatic": 2.0}),
        (_items("", 6, 6, 6, 5, 5, 5, 5), {"hedonic": 1.0}),
        (_items(8, 6, 6, 6, 5, 5, 5, ""), {}),
    ],
)
def test_ueq_s(answers: dict[str, str], scores: dict[str, float]) -> None:
    assert ueq_s_scores(answers) == scores


@pytest.mark.parametrize(
    ("values", "score"),
    [
        ((0, 0, 0, 0, 0, 0), 0.0), ((100, 100, 100, 100, 100, 100), 100.0), ((60, 10, 50, 20, 55, 45), 40.0),
        ((60, 10, 50, 20, 55), None), ((60, 10, 50, 20, 55, 46), None), ((60, 10, 50, 20, 55, 105), None),
    ],
)  # fmt: skip
def test_nasa_tlx_raw(values: tuple[int, ...], score: float | None) -> None:
    assert nasa_tlx_score({name: str(value) for name, value in zip(TLX, values, strict=False)}) == score


def test_scores_bear_the_name_of_their_form() -> None:
    sus = [(f"sus.q{n}", "3") for n in range(1, 11)]
    load = [(f"nasa-tlx@2.1.{name}", "20") for name in TLX]
    ueq = [(f"ueq-s.q{n}", "5") for n in range(1, 9)]
    assert scores_of([*sus, *load, *ueq, ("mine.q1", "3")]) == {
        "sus": 50.0, "nasa-tlx@2.1": 20.0, "ueq-s_pragmatic": 1.0, "ueq-s_hedonic": 1.0,
    }  # fmt: skip


def test_of_an_item_answered_twice_the_later_answer_counts() -> None:
    first = [(f"sus.q{n}", "3") for n in range(1, 11)]
    assert scores_of([*first, ("sus.q1", "5")]) == {"sus": 55.0}


def test_a_form_that_was_left_half_filled_has_no_score() -> None:
    assert scores_of([(f"sus.q{n}", "3") for n in range(1, 6)]) == {}


def test_the_keys_read_just_the_items_that_the_instruments_ask(tmp_path: Path) -> None:
    for name, count in (("sus", 1), ("ueq-s", 2), ("nasa-tlx", 1)):
        items = load_instrument(name, tmp_path).items
        for value in ("low", "high"):
            full = [(f"{name}.{one.id}", str(getattr(one, value))) for one in items if one.kind == "scale"]
            assert len(scores_of(full)) == count, name
