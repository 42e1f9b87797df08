"""A script of a dozen steps through both real stations: every turn comes back whole."""

import json
import shutil
import stat
import sys
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
import soxr

from curtain.commands.sessions.sessions import turns, verify
from curtain.rehearsal.script import read_script
from curtain.rehearsal.stage import say_to_file
from tests.stories.conftest import SCRIPT, Rehearsed
from tests.support.everywhere import Call

pytestmark = [pytest.mark.stations]

STEPS = [step for step in read_script(SCRIPT) if step.do != "correct"]
EXACT_MS = 20
PRE_ROLL_AND_TAIL_MS = 600


def samples_of(path: Path) -> tuple[np.ndarray, int]:
    return soundfile.read(path, dtype="float64")


def test_every_step_is_a_turn_in_its_order(rehearsed: Rehearsed) -> None:
    assert [turn["turn"] for turn in rehearsed.turns] == list(range(1, len(STEPS) + 1))
    assert [turn["query"] for turn in rehearsed.turns] == [step.query for step in STEPS]


@pytest.mark.skipif(sys.platform == "win32", reason="a profile's folders are private there by themselves")
def test_the_study_its_recordings_and_the_spool_are_for_one_person(rehearsed: Rehearsed) -> None:
    study = rehearsed.bundle.path.parents[1]
    made = [study, *study.rglob("*")]
    assert {".wav", ".jsonl", ".log"} <= {path.suffix for path in made}
    assert [str(path) for path in made if stat.S_IMODE(path.lstat().st_mode) & 0o077] == []


def test_every_turn_ends_as_the_script_says(rehearsed: Rehearsed) -> None:
    wanted = ["cancelled" if s.do == "cancel" else "message" if s.message is not None else "answer" for s in STEPS]
    assert [turn["outcome"] for turn in rehearsed.turns] == wanted


def test_the_attempts_are_kept_the_failing_ones_too(rehearsed: Rehearsed) -> None:
    for turn, step in zip(rehearsed.turns, STEPS, strict=True):
        kept = [attempt["sql"] for attempt in turn["attempts"]]
        assert kept[: len(step.statements)] == step.statements
    failed = [attempt for turn in rehearsed.turns for attempt in turn["attempts"] if attempt["error"]]
    assert len(failed) >= 2
    assert all(attempt["rows"] is None and "Traceback" not in attempt["error"] for attempt in failed)


def test_the_mark_of_a_yes_no_question_is_what_the_script_says(rehearsed: Rehearsed) -> None:
    answers = {turn["query"]: (turn["yes_no"], turn["cas_min"], turn["cas_max"]) for turn in rehearsed.turns}
    assert answers["is anyone called nobody"] == (False, "()", "()")
    assert answers["any attorneys in irving"] == (True, "TRUE", "TRUE")


def test_a_draft_that_was_taken_is_kept_with_the_list_it_came_from(rehearsed: Rehearsed) -> None:
    [turn] = [turn for turn, step in zip(rehearsed.turns, STEPS, strict=True) if step.draft is not None]
    drafts = turn["drafts"]
    assert (drafts["way"], drafts["taken"]["place"], drafts["edits"]) == ("unaided", 1, 0)
    assert drafts["taken"]["sql"] == drafts["shown"][0]["sql"] == turn["sql_min"]
    assert drafts["question"] == turn["query"]
    assert turn["cas_min"] == "((6))"


def test_a_canned_message_is_kept_with_its_blanks(rehearsed: Rehearsed) -> None:
    weather = next(turn for turn in rehearsed.turns if turn["blanks"])
    assert weather["message_id"] == "no_information"
    assert weather["blanks"] == {"topic": "the weather"}
    assert weather["message"] == "No information is available on the weather."


def test_a_correction_keeps_both_answers_and_is_tagged(rehearsed: Rehearsed) -> None:
    corrected = [turn for turn in rehearsed.turns if turn["corrections"]]
    assert [turn["query"] for turn in corrected] == ["give me the average salary"]
    assert corrected[0]["tags"] == ["wizard-error"]
    assert corrected[0]["sql_min"] == "SELECT round(avg(salary), 2) FROM employee"
    assert corrected[0]["corrections"][0]["sql_min"].endswith("WHERE department = 11")


def test_the_times_of_a_turn_follow_one_another(rehearsed: Rehearsed) -> None:
    for turn in (turn for turn in rehearsed.turns if turn["outcome"] != "cancelled"):
        times = turn["times"]
        sent = times["answer_sent"] or times["message_sent"]
        walked = [times["key_down"], times["key_up"], times["take_saved"], sent, times["painted"]]
        assert walked == sorted(walked), turn
        assert all(isinstance(time, int) for time in walked)


def test_both_clocks_are_tied_for_the_start_of_the_subjects_station_that_recorded(rehearsed: Rehearsed) -> None:
    starts = [e.data["number"] for e in rehearsed.bundle.read_subject_journal().entries if e.type == "epoch"]
    ties = [e.data for e in rehearsed.bundle.read_wizard_journal().entries if e.type == "link_restored"]
    assert starts == [1]
    assert ties and {tie["subject_epoch"] for tie in ties} == {1}
    # Both stations run on one machine and read one clock, so the true offset is 0.
    assert all(abs(tie["offset_ns"]) <= tie["rtt_ns"] // 2 + 1 for tie in ties)


def test_each_recording_is_as_long_as_the_key_was_held_with_pre_roll_and_tail(rehearsed: Rehearsed) -> None:
    for turn in (turn for turn in rehearsed.turns if turn["audio"]):
        with wave.open(str(rehearsed.bundle.path / turn["audio"])) as file:
            assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16000, 1, 2)
            length_ms = 1000 * file.getnframes() / file.getframerate()
        held_ms = turn["times"]["key_up"] - turn["times"]["key_down"]
        assert length_ms == pytest.approx(held_ms + PRE_ROLL_AND_TAIL_MS, abs=EXACT_MS), turn["turn"]


def test_each_recording_holds_what_was_said(rehearsed: Rehearsed, tmp_path: Path) -> None:
    for turn, step in zip(rehearsed.turns, STEPS, strict=True):
        if turn["audio"] is None or step.say is None:
            continue
        said, rate = samples_of(say_to_file(step.say, tmp_path / f"{turn['turn']}.wav"))
        heard, heard_rate = samples_of(rehearsed.bundle.path / turn["audio"])
        assert best_match(soxr.resample(said, rate, heard_rate), heard) > 0.99, step.say


def best_match(said: np.ndarray, heard: np.ndarray) -> float:
    """The highest normalised correlation of `said` with any stretch of `heard`, both 1-d; 1.0 if it is all there."""
    size = 1 << (len(said) + len(heard)).bit_length()
    across = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(said, size)), size)[: len(heard)]
    at = int(np.argmax(across))
    stretch = heard[at : at + len(said)]
    said = said[: len(stretch)]
    return float(across[at] / (np.linalg.norm(said) * np.linalg.norm(stretch) + 1e-12))


def test_session_json_tells_database_rule_book_and_sound(rehearsed: Rehearsed) -> None:
    about = rehearsed.bundle.read_session_json()
    assert about["domain"] == "personnel" and len(about["domain_content_sha256"]) == 64
    assert about["principles"] == 1989
    assert about["audio"] == [{"microphone": "replay", "sample_rate": 16000}]


def test_the_bundle_is_closed_and_verified(rehearsed: Rehearsed) -> None:
    assert (verify(rehearsed.bundle.path), rehearsed.bundle.state) == (0, "closed")


def test_the_command_prints_the_same_turns(rehearsed: Rehearsed, capsys: pytest.CaptureFixture[str]) -> None:
    assert turns(rehearsed.bundle.path) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    # The command alone knows what the domain accepts as the answer of a task, and so that none was stated.
    assert {turn["scenario"].pop("solution") for turn in printed} == {"none"}
    for turn in printed:
        turn["scenario"].pop("solution_from")
    assert printed == [{**turn, "scenario": _without_verdict(turn["scenario"])} for turn in rehearsed.turns]


def _without_verdict(scenario: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in scenario.items() if key not in ("solution", "solution_from")}


@pytest.mark.soak
def test_the_same_script_gives_the_same_answers_again(
    rehearsed: Rehearsed, rehearse: Callable[..., Rehearsed], tmp_path: Path
) -> None:
    again = rehearse(SCRIPT, tmp_path / "again")
    assert [essence(turn) for turn in again.turns] == [essence(turn) for turn in rehearsed.turns]


def essence(turn: dict[str, Any]) -> tuple[object, ...]:
    statements = [(attempt["sql"], attempt["rows"], attempt["error"]) for attempt in turn["attempts"]]
    return (turn["turn"], turn["query"], turn["outcome"], turn["cas_min"], turn["message"], turn["tags"], statements)


def test_nobody_left_anything_behind_in_the_logs(rehearsed: Rehearsed) -> None:
    study = rehearsed.bundle.path.parent.parent
    for log in [*study.glob("logs/*"), *study.glob("spool/logs/*")]:
        text = log.read_text("utf-8", errors="replace")
        assert "Traceback" not in text and "WARNING" not in text, f"{log.name}: {text[:400]}"


def test_turns_of_a_damaged_journal_are_printed_with_a_warning(
    rehearsed: Rehearsed, tmp_path: Path, call: Call
) -> None:
    shutil.copytree(rehearsed.bundle.path.parents[1], tmp_path / "study")
    copy = tmp_path / "study" / "sessions" / rehearsed.bundle.path.name
    content = bytearray((copy / "wizard.events.jsonl").read_bytes())
    content[len(content) // 2] ^= 1
    (copy / "wizard.events.jsonl").write_bytes(content)
    code, printed, warning = call("turns", copy)
    assert code == 1 and len(printed.splitlines()) == len(rehearsed.turns)
    assert "wizard.events.jsonl" in warning and len(warning.splitlines()) == 1
