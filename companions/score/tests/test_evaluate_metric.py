"""The `evaluate` library loads our metric from its folder; tested where that library is installed."""

from pathlib import Path

import duckdb
import pytest

evaluate = pytest.importorskip("evaluate")
FOLDER = Path(__file__).resolve().parents[3] / "tools" / "execution_accuracy"


def test_the_metric_loads_and_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    database = str(tmp_path / "one.duckdb")
    duckdb.connect(database).close()
    metric = evaluate.load(str(FOLDER), cache_dir=str(tmp_path / "cache"))
    given = {"predictions": ["SELECT 1", "SELECT 2"], "references": ["SELECT 1", "SELECT 1"]}
    result = metric.compute(**given, databases=[[database]] * 2)
    assert result == {"accuracy": 0.5, "right": [True, False]}
    near = metric.compute(**given, databases=[[database]] * 2, rows="multiset", text_numbers=True)
    assert near == result
