"""The Comparator over batches: dicts of columns, frames and Arrow tables."""

from typing import Any

import pytest

from curtain.cas import batch
from curtain.cas.batch import score_batch, score_batches
from curtain.cas.errors import CasError

COLUMNS: dict[str, list[Any]] = {
    "id": ["right", "wrong", "nothing", "absent", "broken", "beyond", "bad reference"],
    "ref": ["((1) (2))", "5", "5", "5", "5", '(("AA"))', "((1"],
    "hyp": ["((2) (1))", "6", "NO_ANSWER", None, "((5", '(("AA" 7))', "1"],
    "max": [None, None, None, None, None, '(("AA" "BB"))', None],
}
VERDICTS = ["correct", "incorrect", "no_answer", "no_answer", "malformed", "incorrect", None]


def test_a_dict_of_columns_gets_verdicts_beside_what_it_had_and_reasons_where_they_are_asked_for() -> None:
    assert list(score_batches([COLUMNS] * 2)) == [score_batch(COLUMNS)] * 2 == [{**COLUMNS, "verdict": VERDICTS}] * 2
    judged: dict[str, list[Any]] = score_batch(COLUMNS, reasons=True)
    assert list(judged) == [*COLUMNS, "verdict", "reason"]
    # A reference that cannot be read is not judged, and the run goes on.
    assert judged["reason"][-1].startswith("not judged: line 1")


def test_equal_rows_are_judged_once_and_the_yes_no_mark_of_1990_makes_them_differ(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: list[str] = []
    judge = batch.judge  # type: ignore[attr-defined]
    monkeypatch.setattr(batch, "judge", lambda hyp, *rest: (judged.append(hyp), judge(hyp, *rest))[1])  # type: ignore[func-returns-value]
    pairs: dict[str, list[Any]] = {"ref": ["((1))"] * 5, "hyp": ["YES", "((1))"] * 2 + ["YES"]}
    marked = {**pairs, "yes_no": [None] * 4 + [True]}
    assert score_batch(pairs, dialect="1990")["verdict"] == ["incorrect", "correct"] * 2 + ["incorrect"]
    assert score_batch(marked, dialect="1990")["verdict"] == ["incorrect", "correct"] * 2 + ["correct"]
    assert sorted(judged) == ["((1))"] * 2 + ["YES"] * 3


@pytest.mark.parametrize(
    ("columns", "settings", "said"),
    [
        ({"ref": ["1"]}, {}, "no column “hyp”; it has ref"),
        ({"ref": ["1"], "hyp": ["1"]}, {"dialect": "1991"}, "no CAS dialect"),
        ({"ref": ["1"], "hyp": ["1"]}, {"epsilon": "much"}, "tolerance 'much'"),
    ],
)
def test_a_batch_or_a_setting_that_cannot_be_is_one_sentence(columns: Any, settings: Any, said: str) -> None:
    with pytest.raises(CasError, match=said):
        score_batch(columns, **settings)


def test_a_cell_that_is_no_text_is_not_judged() -> None:
    judged: dict[str, list[Any]] = score_batch({"ref": ["1", 2, None], "hyp": [[3], "2", "2"]}, reasons=True)
    assert judged["verdict"] == [None] * 3
    assert judged["reason"] == [f"not judged: “{name}” is no text" for name in ("hyp", "ref", "ref")]


def test_numpy_columns_are_read() -> None:
    numpy = pytest.importorskip("numpy")
    arrays = {name: numpy.array(column, dtype=object) for name, column in COLUMNS.items()}
    assert score_batch(arrays)["verdict"] == VERDICTS


def test_a_data_frame_keeps_its_index_and_its_missing_cells_are_missing() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS, index=range(10, 17)).assign(yes_no=pandas.array([None] * 7, dtype="boolean"))
    judged = score_batch(frame)
    assert [None if value is pandas.NA else value for value in judged["verdict"]] == VERDICTS
    assert list(judged.index) == list(range(10, 17))
    assert "verdict" not in frame
    # Dask asks with an empty frame which columns there will be.
    assert score_batch(frame.iloc[:0]).dtypes.to_dict() == judged.dtypes.to_dict()


def test_an_arrow_table_gets_two_columns_of_strings_once() -> None:
    arrow = pytest.importorskip("pyarrow")
    judged = score_batch(score_batch(arrow.table(COLUMNS), reasons=True), reasons=True)
    assert judged.column_names == [*COLUMNS, "verdict", "reason"]
    assert judged["verdict"].to_pylist() == VERDICTS
