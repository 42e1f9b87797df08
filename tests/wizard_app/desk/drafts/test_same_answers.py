import pytest

from curtain.domain.wire import Result
from curtain.drafting.values import Draft
from wizard_app.desk.drafts.rows import repeated

TWO = (("1203", "CO"), ("98", "UA"))


def drafts(*confidences: float) -> list[Draft]:
    return [Draft(f"SELECT {number}", confidence) for number, confidence in enumerate(confidences, 1)]


def previews(*rows: tuple[tuple[str, ...], ...], total: int | None = None) -> dict[str, Result]:
    return {
        f"SELECT {number}": Result(
            sql=f"SELECT {number}", total=len(one) if total is None else total, rows=list(map(list, one))
        )
        for number, one in enumerate(rows, 1)
    }


@pytest.mark.parametrize(
    ("sure", "answers", "hidden"),
    [
        ((0.5, 0.7, 0.2), (TWO, TWO, TWO), {1: 2, 3: 2}), ((0.5, 0.5), (TWO, TWO), {2: 1}),
        ((0.5, 0.4), (TWO, TWO[::-1]), {2: 1}), ((0.5, 0.4), (TWO, TWO[:1]), {}),
        # Two questions often have these in common.
        *(((0.5, 0.4), (rows, rows), {}) for rows in ((), (("0",),), (("Yes",),), (("",),))),
    ],
)  # fmt: skip
def test_of_drafts_with_one_answer_in_any_order_the_surest_stays_or_the_first(
    sure: tuple[float, ...], answers: tuple[tuple[tuple[str, ...], ...], ...], hidden: dict[int, int]
) -> None:
    assert repeated(drafts(*sure), previews(*answers)) == hidden


def test_answers_that_are_not_known_whole_are_not_compared() -> None:
    assert repeated(drafts(0.5, 0.4), previews(TWO, TWO, total=900)) == {}
    assert repeated(drafts(0.5, 0.4), {}) == {}
    fault = {"SELECT 1": Result(sql="SELECT 1", error="too slow"), "SELECT 2": Result(sql="SELECT 2", error="too slow")}
    assert repeated(drafts(0.5, 0.4), fault) == {}
