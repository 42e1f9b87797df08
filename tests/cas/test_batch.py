"""The Comparator over batches: dicts of columns, frames, Arrow tables, and a local cluster."""

from pathlib import Path
from typing import Any

import pytest

from curtain.cas.batch import score_batch, score_batches
from curtain.cas.errors import CasError

COLUMNS: dict[str, list[Any]] = {
    "id": ["right", "wrong", "nothing", "absent", "broken", "beyond", "bad reference"],
    "ref": ["((1) (2))", "5", "5", "5", "5", '(("AA"))', "((1"],
    "hyp": ["((2) (1))", "6", "NO_ANSWER", None, "((5", '(("AA" 7))', "1"],
    "max": [None, None, None, None, None, '(("AA" "BB"))', None],
}
VERDICTS = ["correct", "incorrect", "no_answer", "no_answer", "malformed", "incorrect", None]


def test_a_dict_of_columns_gets_verdict_and_reason_beside_what_it_had() -> None:
    judged = score_batch(COLUMNS)
    assert judged["verdict"] == VERDICTS
    assert judged["id"] == COLUMNS["id"]
    assert list(judged) == [*COLUMNS, "verdict", "reason"]


def test_a_reference_that_cannot_be_read_is_not_judged_and_says_why_without_ending_the_run() -> None:
    judged: dict[str, list[Any]] = score_batch(COLUMNS)
    assert judged["verdict"][-1] is None
    assert judged["reason"][-1].startswith("not judged: line 1")


def test_maximum_and_yes_no_may_be_left_out() -> None:
    judged: dict[str, list[Any]] = score_batch({"ref": ["1"], "hyp": ["((1))"]})
    assert judged["verdict"] == ["correct"]


def test_the_yes_no_mark_is_used_in_1990() -> None:
    batch: dict[str, list[Any]] = {"ref": ["((1))", "((1))"], "hyp": ["YES", "YES"], "yes_no": [True, None]}
    assert score_batch(batch, dialect="1990")["verdict"] == ["correct", "incorrect"]


@pytest.mark.parametrize(
    ("batch", "settings", "said"),
    [
        ({"ref": ["1"]}, {}, "no column “hyp”; it has ref"),
        ({"ref": ["1"], "hyp": ["1"]}, {"dialect": "1991"}, "no CAS dialect"),
        ({"ref": ["1"], "hyp": ["1"]}, {"epsilon": "-1"}, "tolerance '-1'"),
        ({"ref": ["1"], "hyp": ["1"]}, {"epsilon": "much"}, "tolerance 'much'"),
    ],
)
def test_a_batch_or_a_setting_that_cannot_be_is_one_sentence(batch: Any, settings: Any, said: str) -> None:
    with pytest.raises(CasError, match=said):
        score_batch(batch, **settings)


def test_a_cell_that_is_no_text_is_not_judged() -> None:
    judged: dict[str, list[Any]] = score_batch({"ref": ["1", 2], "hyp": [3, "2"]})
    assert judged["verdict"] == [None, None]
    assert judged["reason"] == ["not judged: “hyp” is no text", "not judged: “ref” is no text"]


def test_a_stream_of_batches_keeps_its_order() -> None:
    batches: list[dict[str, list[Any]]] = [{"ref": ["1"], "hyp": [str(number)]} for number in range(3)]
    assert [one["verdict"] for one in score_batches(batches)] == [["incorrect"], ["correct"], ["incorrect"]]


def test_numpy_columns_give_numpy_columns() -> None:
    numpy = pytest.importorskip("numpy")
    judged: dict[str, Any] = score_batch({name: numpy.array(column, dtype=object) for name, column in COLUMNS.items()})
    assert judged["verdict"].tolist() == VERDICTS


def test_a_data_frame_keeps_its_index_and_its_missing_cells_are_missing() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS, index=range(10, 17)).assign(yes_no=pandas.array([None] * 7, dtype="boolean"))
    judged = score_batch(frame)
    assert [None if value is pandas.NA else value for value in judged["verdict"]] == VERDICTS
    assert list(judged.index) == list(range(10, 17))
    assert "verdict" not in frame


def test_an_empty_frame_has_columns_of_the_same_type_as_a_full_one() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS)
    assert score_batch(frame.iloc[:0]).dtypes.to_dict() == score_batch(frame).dtypes.to_dict()


def test_an_arrow_table_gets_two_columns_of_strings_once() -> None:
    arrow = pytest.importorskip("pyarrow")
    judged = score_batch(score_batch(arrow.table(COLUMNS)))
    assert judged.column_names == [*COLUMNS, "verdict", "reason"]
    assert judged["verdict"].to_pylist() == VERDICTS


@pytest.mark.soak
def test_a_local_cluster_gives_the_same_verdicts_as_one_process(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    dataframe = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    count = 20_000
    frame = pandas.DataFrame(
        {
            "id": [f"p{number}" for number in range(count)],
            "ref": [f'(({number} "A") ({number + 1} "B"))' for number in range(count)],
            "hyp": [f'(("B" {number + 1 + (number % 7 == 0)}) ("A" {number}))' for number in range(count)],
        }
    )
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        frame.to_parquet(tmp_path / "table.parquet", row_group_size=count // 8)
        table = dataframe.read_parquet(tmp_path / "table.parquet", blocksize=count)
        assert table.npartitions > 1
        judged = table.map_partitions(score_batch).compute()
    expected = ["incorrect" if number % 7 == 0 else "correct" for number in range(count)]
    assert judged["verdict"].tolist() == expected
    assert judged["id"].tolist() == frame["id"].tolist()
