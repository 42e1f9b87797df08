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


def test_of_drafts_with_one_answer_the_surest_stays() -> None:
    assert repeated(drafts(0.5, 0.7, 0.2), previews(TWO, TWO, TWO)) == {1: 2, 3: 2}


def test_of_equally_sure_ones_the_first_stays() -> None:
    assert repeated(drafts(0.5, 0.5), previews(TWO, TWO)) == {2: 1}


def test_the_order_of_rows_makes_no_other_answer() -> None:
    assert repeated(drafts(0.5, 0.4), previews(TWO, TWO[::-1])) == {2: 1}


@pytest.mark.parametrize("rows", [(), (("0",),), (("Yes",),), (("",),)])
def test_what_two_questions_often_have_in_common_makes_them_not_one(rows: tuple[tuple[str, ...], ...]) -> None:
    assert repeated(drafts(0.5, 0.4), previews(rows, rows)) == {}


def test_answers_that_are_not_known_whole_are_not_compared() -> None:
    assert repeated(drafts(0.5, 0.4), previews(TWO, TWO, total=900)) == {}
    assert repeated(drafts(0.5, 0.4), {}) == {}
    fault = {"SELECT 1": Result(sql="SELECT 1", error="too slow"), "SELECT 2": Result(sql="SELECT 2", error="too slow")}
    assert repeated(drafts(0.5, 0.4), fault) == {}


def test_other_answers_stay_apart() -> None:
    assert repeated(drafts(0.5, 0.4), previews(TWO, TWO[:1])) == {}
