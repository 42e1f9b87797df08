"""Practice at the real desk by its keys alone: a right answer, a wrong one, a message, and the table at the end."""

from pathlib import Path

import msgspec
import numpy as np
import pytest
import soundfile

from curtain.rehearsal.player import fill_field, run_statements, send_query
from curtain.rehearsal.stations import RunningStation
from curtain.session.study.study import new_study
from curtain_practice.course import COURSE_FILE, Course, Exercise, ExerciseReference, StepTimes
from curtain_practice.sittings import read_turns

pytestmark = [pytest.mark.stations]

REFERENCE = ExerciseReference(cas_min="((48))", sql_min="SELECT count(*) FROM employee WHERE department = 45")
SLOW = StepTimes(transcribe_ms=9000, answer_ms=20_000)


def _course(folder: Path) -> Path:
    tone = (6000 * np.sin(np.arange(16_000) / 20)).astype(np.int16)
    soundfile.write(folder / "tone.ogg", tone, 16_000)
    count = {"audio": "tone.ogg", "query": "how many employees are there in department 45", "references": (REFERENCE,)}
    exercises = (
        Exercise(utterance_id="e00-01-001", scenario_id="complaint", times=SLOW, **count),
        # Typed by the subject.
        Exercise(utterance_id="e00-01-002", scenario_id="complaint", **count | {"audio": ""}),
        Exercise(
            utterance_id="e00-01-003", scenario_id="advertisement", audio="tone.ogg", query="what is the weather like",
            message_id="not_understood",
        ),
    )  # fmt: skip
    path = folder / COURSE_FILE
    path.write_bytes(msgspec.json.encode(Course(title="Toy", domain="personnel", exercises=exercises)))
    return path


def test_each_reply_is_judged_at_once_with_its_reason_and_kept_and_the_last_page_sums_the_sitting_up(
    tmp_path: Path,
) -> None:
    study = new_study(tmp_path / "study", "personnel", practice="none").folder
    settings = (study / "study.toml").read_text("utf-8").replace("wizard_level = 0", "wizard_level = 0.9")
    (study / "study.toml").write_text(settings, "utf-8")
    options = ["--study", str(study), "--wizard", "kim", "--course", str(_course(tmp_path))]
    pages: list[dict[str, str]] = []

    def judged(window: RunningStation, place: int) -> None:
        window.wait("window", judged=place)
        widgets = window.look()["widgets"]
        pages.append(
            {
                name: str(widgets.get(name, {}).get("text", ""))
                for name in ("verdict", "reason", "times", "given", "typed")
            }
        )
        window.keys("Return")

    with RunningStation("training", options, tmp_path / "log.txt", {"TMPDIR": str(tmp_path / "tmp")}) as window:
        for place, sql in ((1, "SELECT count(*) FROM employee WHERE department = 45"), (2, "SELECT 47")):
            window.wait("window", state="transcribe" if place == 1 else "answer")
            if place == 1:
                send_query(window, "how many employees are there in department 45")
            run_statements(window, [sql])
            window.keys("Ctrl+Shift+Return")
            judged(window, place)
        window.wait("window", state="transcribe", scenario="advertisement")
        send_query(window, "what is the weather like")
        window.keys("Ctrl+M")
        fill_field(window, "message_filter", " 7")
        window.keys("Return")
        judged(window, 3)
        window.wait("window", results=1)
        summary = window.text_of("results_summary")
    rows = read_turns(study, "kim")
    assert [page["verdict"] for page in pages[:2]] == ["Right", "Not right"]
    assert pages[0]["reason"] == "" and pages[1]["reason"] != ""
    assert "(9.0)" in pages[0]["times"] and "(29.0)" in pages[0]["times"]
    assert pages[1]["typed"] == "The subject typed it."
    assert [(one.right, one.expected, one.given) for one in rows[:2]] == [
        (True, "answer", "answer"), (False, "answer", "answer"),
    ]  # fmt: skip
    assert rows[2].right and rows[2].given == "not_understood"
    assert rows[0].times.total_ms is not None and not rows[0].missed
    # No recording stays.
    assert [path for path in study.rglob("*") if path.suffix in (".wav", ".ogg")] == []
    assert summary.startswith(f"{sum(one.right for one in rows)} of 3 replies were right")
    assert "not reached yet" in summary
