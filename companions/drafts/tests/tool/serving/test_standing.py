"""What several drafters are together: one is enough to draft, and a problem counts when there is nothing else."""

import pytest

from curtain_drafts.tool.serving.standing import Standing, together

LOADING, READY = Standing(), Standing(ready=True)
HALF, QUARTER = Standing(4000, 0.5), Standing(200, 0.25)
BROKEN, ABSENT = Standing(problem="It is broken."), Standing(problem="It is not installed.")


@pytest.mark.parametrize(
    ("each", "whole"),
    [
        ([LOADING, LOADING], LOADING), ([HALF, LOADING], HALF), ([HALF, QUARTER], QUARTER),
        ([READY, HALF], Standing(4000, 0.5, ready=True)), ([BROKEN, READY], READY), ([BROKEN, LOADING], LOADING),
        ([BROKEN, HALF], HALF), ([BROKEN, ABSENT], BROKEN),
    ],
)  # fmt: skip
def test_several_drafters_stand_as_the_best_of_them_and_learn_as_the_slowest(
    each: list[Standing], whole: Standing
) -> None:
    assert together(each) == whole
