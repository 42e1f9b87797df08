"""A script that names who does a part is played by their stations, and the journal names them."""

import json
from pathlib import Path

import pytest

from curtain.rehearsal.player import play
from curtain.rehearsal.stage import RehearsalPlan
from curtain.session.bundle.bundle import Bundle
from curtain.session.turns.turns import read_turns
from tests.stories.kills import write_noise

# The short form is tests/test_rehearsal.py; tests/stories/test_chairs.py has real chairs in every run.
pytestmark = [pytest.mark.stations, pytest.mark.soak]

COUNT = "SELECT count(*) FROM employee WHERE department = 45"
BY_TWO = {"query_by": "tess", "answer_by": "ann"}


def test_a_rehearsal_with_two_chairs_says_who_did_what(tmp_path: Path) -> None:
    write_noise(tmp_path / "ask.wav", 0.6, 1)
    steps = [
        {"do": "join", "who": "tess", "as": "transcriber"},
        {"do": "join", "who": "ann", "as": "answerer"},
        {"audio": "ask.wav", "query": "how many work in department 45", "sql": COUNT, **BY_TWO},
        {"audio": "ask.wav", "query": "will it rain", "message": "unable", **BY_TWO},
        {"type": "how many work in department 10", "draft": 1, "answer_by": "ann"},
        {"do": "correct", "message": "unable"},
    ]
    script = tmp_path / "script.jsonl"
    script.write_text("".join(json.dumps(step) + "\n" for step in steps), "utf-8")
    plan = RehearsalPlan(script, "personnel", tmp_path / "study", headless=True)
    bundle = Bundle(play(plan, lambda sentence: None))
    first, second, typed = read_turns(bundle)
    assert [(step.part, step.by, step.end) for step in typed.steps] == [("answer", "ann", "done")]
    assert (typed.modality, typed.query_by, len(typed.corrections)) == ("text", "subject", 1)
    assert (first.outcome, second.outcome) == ("answer", "message")
    for turn in (first, second):
        assert (turn.query_wizard_id, turn.reply.wizard_id if turn.reply else None) == ("tess", "ann")
        assert [(step.part, step.by, step.end) for step in turn.steps] == [
            ("transcription", "tess", "done"), ("answer", "ann", "done")
        ]  # fmt: skip
    assert [str(fault) for fault in bundle.verify()] == []
