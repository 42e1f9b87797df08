"""The mixed model of a report: it finds what was put into the runs, and says in a sentence what it lacks."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from curtain.base.errors import CurtainError
from curtain_experiments.commands.report import ReportOptions, report_run
from curtain_experiments.report.mixed import mixed_effects
from curtain_experiments.runs.run import RunRecord, runs_csv


def _runs(subjects: int, effect_s: float = 40.0, conditions: tuple[str, ...] = ("robust", "full")) -> list[RunRecord]:
    """Two scenarios under each condition; subjects differ by 30 s, runs by 10 s."""
    noise = np.random.default_rng(1992)
    return [
        RunRecord(
            f"s{number:02}", str(place), condition, session=f"s{number:02}-{condition}", position=float(place),
            completion_s=float(200 + level + effect_s * (condition == "full") + 5 * place + noise.normal(0, 10)),
            queries=float(4 + place), no_answer=1.0,
        )
        for number, level in enumerate(noise.normal(0, 30, subjects))
        for place in (1, 2, 3, 4)
        for condition in (conditions[(place > 2) ^ (number % 2) if len(conditions) > 1 else 0],)
    ]  # fmt: skip


def test_the_effect_that_was_put_in_is_found_and_the_spread_of_subjects_beside_it() -> None:
    (time,) = [one for one in mixed_effects(_runs(30)) if one.measure == "completion time, s"]
    assert (time.first, time.second, time.runs, time.subjects) == ("robust", "full", 120, 30)
    assert time.low < -40 < time.high and time.high - time.low < 12 and time.p < 0.001
    assert 20 < time.subject_sd < 45


def test_a_model_of_many_runs_holds_some_subjects_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curtain_experiments.report.mixed.MOST_RUNS", 40)
    (time, _) = mixed_effects(_runs(30))
    assert (time.runs, time.subjects, time.note) == (40, 10, "The model holds 10 of 30 subjects.")
    assert time.high < 0


def test_what_never_varies_has_no_model() -> None:
    assert "without an answer" not in {one.measure for one in mixed_effects(_runs(8))}


@pytest.mark.parametrize(
    ("runs", "sentence"),
    [(_runs(8, conditions=("robust",)), "have one only"), (_runs(3), "needs 5 subjects with one of these")],
)
def test_runs_without_a_comparison_are_refused(runs: list[RunRecord], sentence: str) -> None:
    with pytest.raises(CurtainError, match=sentence):
        mixed_effects(runs)


def test_without_statsmodels_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "statsmodels.formula.api", None)
    with pytest.raises(CurtainError, match="pip install 'curtain-woz\\[stats\\]'"):
        mixed_effects(_runs(8))


def test_page_and_figures_hold_the_model_when_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("".join(runs_csv(_runs(12))), "utf-8")
    for mixed in (False, True):
        out = tmp_path / str(mixed)
        report_run(out, ReportOptions(runs=tmp_path / "runs.csv", mixed=mixed), say=lambda _: None)
        assert bool(json.loads((out / "report.json").read_text("utf-8"))["mixed_model"]) is mixed
        assert ("Also: mixed model" in (out / "report.html").read_text("utf-8")) is mixed
