"""What a station's drafts may rest on: pack, files, and the turns that the study has answered."""

import json
from pathlib import Path

import pytest

from curtain.base.clock import Clock
from curtain.base.record_file import add_record
from curtain.base.table import Table
from curtain.domain.pack.pack import load_pack
from curtain.session.bundle.bundle import Bundle
from curtain.session.events import wizard_events as w
from curtain.session.events.subject_events import KeyDown
from curtain.session.journal.journal import Journal
from curtain.session.study.study import Study, load_study, new_study
from curtain_drafts.desk.start import store_of
from curtain_drafts.drafting.values import Asked, Example
from curtain_drafts.tool.store import WITHDRAWN, Withdrawal

TABLE = Table(headings=[], rows=[], numeric=[], total=0)
ONE, TWO = "SELECT employee_id FROM employee", "SELECT COUNT(*) FROM employee"


def record(study: Study, session_id: str, *turns: tuple[str, str], practice: bool = False) -> None:
    bundle = Bundle.create(study, session_id, {"wizard_ids": ["w"], "domain": "personnel"})
    journal = Journal(bundle.wizard_journal, Clock())
    opened = w.SessionOpened(session_id=session_id, speaker_id=session_id[:3], wizard_ids=[], scenario_ids=["1"])
    journal.append(opened, None)
    journal.append(w.ScenarioStarted(scenario_id="1", number=1, of=1, practice=practice), None)
    subject = Journal(bundle.subject_journal, Clock())
    for number, (query, sql) in enumerate(turns, start=1):
        # Of turns that the subject's record lacks, nothing is learned.
        subject.append(KeyDown(source="key", pressed_ns=0), number)
        journal.append(w.QuerySent(text=query), number)
        journal.append(w.AnswerSent(sql=sql, table=TABLE, cas_min="()"), number)
    journal.close()
    subject.close()


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = new_study(tmp_path / "study", "personnel")
    record(made, "e00-01", ("who is there", ONE), ("how many are they", TWO))
    record(made, "e01-01", ("who", ONE), practice=True)
    return made


def test_the_turns_of_earlier_sessions_are_examples_with_what_came_before_them(study: Study) -> None:
    examples, problems = store_of(study, load_pack("personnel"))
    assert problems == []
    assert examples[-2:] == [
        Example("who is there", ONE, (), "e00-01-001", "study", "1"),
        Example("how many are they", TWO, (Asked("who is there", ONE),), "e00-01-002", "study", "1"),
    ]


def test_a_study_that_must_not_learn_has_no_turns_as_examples(study: Study) -> None:
    (study.folder / "study.toml").write_text('domain = "personnel"\nlearn = false\n', "utf-8")
    unlearning = load_study(study.folder)
    assert {example.source for example in store_of(unlearning, load_pack("personnel"))[0]} == {"pack"}


def test_the_store_is_pack_files_and_turns_less_what_was_withdrawn(study: Study) -> None:
    (study.folder / "more.jsonl").write_text(json.dumps({"question": "all of them", "sql": ONE}) + "\n{\n", "utf-8")
    (study.folder / "good.jsonl").write_text(json.dumps({"question": "all of them", "sql": ONE}) + "\n", "utf-8")
    text = 'domain = "personnel"\n[drafters.curtain]\nexamples = ["more.jsonl", "good.jsonl"]\n'
    (study.folder / "study.toml").write_text(text, "utf-8")
    add_record(study.folder / WITHDRAWN, Withdrawal(id="e00-01-001", who="w", when="2026-03-01T09:30:00+00:00"))
    (study.sessions_folder / "e02-01").mkdir()
    pack = load_pack("personnel")
    examples, problems = store_of(load_study(study.folder), pack)
    assert len(examples) == len(pack.examples()) + 2
    assert [example.id for example in examples[-2:]] == ["good.jsonl:1", "e00-01-002"]
    bad_line, bad_session = problems
    assert "more.jsonl line 2 is not JSON" in bad_line
    assert "e02-01" in bad_session
