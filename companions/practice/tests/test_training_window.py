"""Practice at the real desk by its keys alone: a right answer, a wrong one, a message, and the table at the end."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pytest
import soundfile

from curtain.rehearsal.player import fill_field, run_statements, send_query
from curtain.rehearsal.stations import RunningStation
from curtain.session.study.study import new_study
from curtain_practice.course import COURSE_FILE, Course, Exercise, ExerciseReference, StepTimes
from curtain_practice.sittings import PracticeTurn, read_turns

pytestmark = [pytest.mark.stations]

REFERENCE = ExerciseReference(cas_min="((48))", sql_min="SELECT count(*) FROM employee WHERE department = 45")
SLOW = StepTimes(transcribe_ms=9000, answer_ms=20_000)


@dataclass(frozen=True)
class Practised:
    """What the pages said, and the rows that were kept."""

    pages: list[dict[str, str]]
    rows: list[PracticeTurn]
    summary: str
    table: str
    left: list[Path]


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


@pytest.fixture(scope="module")
def practised(tmp_path_factory: pytest.TempPathFactory) -> Practised:
    folder = tmp_path_factory.mktemp("practice")
    study = new_study(folder / "study", "personnel", practice="none").folder
    settings = (study / "study.toml").read_text("utf-8").replace("wizard_level = 0", "wizard_level = 0.9")
    (study / "study.toml").write_text(settings, "utf-8")
    options = ["--study", str(study), "--wizard", "kim", "--course", str(_course(folder))]
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

    with RunningStation("training", options, folder / "log.txt", {"TMPDIR": str(folder / "tmp")}) as window:
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
        table = str(window.ask("texts")["texts"])
    left = [path for path in study.rglob("*") if path.suffix in (".wav", ".ogg")]
    return Practised(pages, read_turns(study, "kim"), summary, table, left)


def test_each_reply_is_judged_at_once_with_its_reason(practised: Practised) -> None:
    assert [page["verdict"] for page in practised.pages[:2]] == ["Right", "Not right"]
    assert practised.pages[0]["reason"] == "" and practised.pages[1]["reason"] != ""
    assert "(9.0)" in practised.pages[0]["times"] and "(29.0)" in practised.pages[0]["times"]


def test_what_was_judged_is_kept_and_no_recording_stays(practised: Practised) -> None:
    assert [(one.right, one.expected, one.given) for one in practised.rows[:2]] == [
        (True, "answer", "answer"),
        (False, "answer", "answer"),
    ]
    assert practised.rows[2].right and practised.rows[2].given == "not_understood"
    assert practised.pages[1]["typed"] == "The subject typed it."
    assert practised.rows[0].times.total_ms is not None and not practised.rows[0].missed
    assert practised.left == []


def test_the_last_page_sums_the_sitting_up(practised: Practised) -> None:
    right = sum(one.right for one in practised.rows)
    assert practised.summary.startswith(f"{right} of 3 replies were right")
    assert "not reached yet" in practised.summary
