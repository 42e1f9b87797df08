"""From bundles and layers to utterances: what stands in before anybody annotates, and what annotation changes."""

from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.annotation.row import Layer, Status
from curtain.corpus.annotation.values import BadValue
from curtain.corpus.exports.utterance_table import row_of
from curtain.corpus.model.reader import read_for_annotation, read_session
from curtain.corpus.model.utterance import ContextLink, Session, Utterance
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.speaker import SpeakerDescription
from curtain.session.events.subject_events import FormFilled
from curtain.session.events.wizard_events import SpeakerDescribed
from curtain.session.journal.journal import Journal
from tests.corpus.given import stated


def turn_of(session: Session, number: int) -> Utterance:
    return next(one for one in session.utterances if one.turn == number)


def say(study: Path, one: str, layer: Layer, value: dict[str, Any], minute: int = 0, **more: Any) -> None:
    moment = datetime(2026, 4, 1, tzinfo=UTC) + timedelta(minutes=minute)
    status: Status = more.get("status", "final")
    row = new_row(one, layer, value, more.get("by", "w9"), Clock(wall=lambda: moment), status=status)
    Layers(Bundle(study / "sessions" / one[:6])).add(row)


# -- before annotation ---------------------------------------------------------------------------------


def test_the_answer_sent_stands_in_as_reference(bare_toy: Path) -> None:
    one = turn_of(read_session(bare_toy / "sessions" / "e00-01"), 2)
    assert (one.query, one.sro, one.lsn) == ("What is Mary Smith's salary?", None, "WHAT IS MARY SMITH'S SALARY")
    (reference,) = one.references
    assert reference.cas_min == "((52000))" and reference.cas_max is not None and reference.sql_max is not None
    assert (one.category, one.eval_class, one.tags, one.annotators) == (None, None, (), ())


def test_what_the_live_session_knows_becomes_tags(bare_toy: Path) -> None:
    first, second = (read_session(bare_toy / "sessions" / name) for name in ("e00-01", "e00-02"))
    assert turn_of(first, 8).tags == ("yes/no",) and turn_of(first, 8).yes_no
    assert turn_of(second, 11).tags == ("wizard-error",) and turn_of(second, 11).clipped
    cut = turn_of(read_session(bare_toy / "sessions" / "0a1-01"), 4)
    assert cut.tags == ("trunc-utt",) and cut.cut_short and cut.eval_class is None


@pytest.mark.parametrize(
    ("session", "number", "outcome", "tag"),
    [
        ("e00-01", 7, "message", "unanswerable"),
        ("e00-01", 9, "cancelled", "cancelled"),
        ("m10-01", 11, "open", "unanswerable"),
    ],
)
def test_a_turn_without_a_database_answer_is_excluded_by_itself(
    bare_toy: Path, session: str, number: int, outcome: str, tag: str
) -> None:
    one = turn_of(read_session(bare_toy / "sessions" / session), number)
    assert (one.outcome, one.eval_class, one.category) == (outcome, "X", "X")
    assert one.tags == (tag,) and one.reasons == ("no_database_answer",) and one.references == ()


def test_a_session_is_described(toy: Path) -> None:
    session = read_session(toy / "sessions" / "0a1-01", site="lab ä")
    assert (session.site, session.domain, session.rule_book, session.dialect) == ("lab ä", "personnel", "1992", "1992")
    assert (session.recorded, session.wizard_ids, session.consent_id) == ("2026-03-05", ("w2", "zwei/ö"), "c-2026-2")
    assert session.closed and len(session.manifest_sha256) == 64 and len(session.annotations_sha256) == 64
    opened = read_session(toy / "sessions" / "m10-01")
    assert (opened.closed, opened.manifest_sha256, opened.dialect) == (False, "", "1989")


def test_solutions_and_questionnaire_come_along(toy: Path) -> None:
    session = read_session(toy / "sessions" / "e00-01")
    assert stated(session) == [("balance", "52000", "typed")]
    assert session.questionnaire == (("questionnaire.easy", "yes"), ("questionnaire.comment", "Schön, “quick”"))


def test_the_table_of_utterances_tells_the_scenarios_answer_and_when_it_was_found(toy: Path) -> None:
    session = read_session(toy / "sessions" / "e00-01")
    row = row_of(session, turn_of(session, 5))
    assert row["scenario_start_ms"] < row["start_ms"] < row["scenario_answer_ms"] < row["scenario_end_ms"]
    assert (row["scenario_answer"], row["given_up"]) == ("52000", False)
    practice = row_of(session, turn_of(session, 1))
    assert (practice["scenario_answer"], practice["scenario_end_ms"]) == (None, None)
    left = read_session(toy / "sessions" / "0a1-01")
    assert row_of(left, left.utterances[0])["given_up"]


def test_what_a_speaker_stated_comes_along_without_what_is_hidden(toy: Path, own_toy: Path) -> None:
    assert read_session(toy / "sessions" / "e00-01").speaker is None
    bundle = Bundle(own_toy / "sessions" / "zz9-01")
    stated = {"age": "20-29", "sex": "female", "region": "Boston", "native_english": False}
    bundle.update_session_json(speaker=stated)
    assert read_session(bundle.path).speaker == SpeakerDescription("20-29", "female", "Boston", False)
    with Journal(bundle.wizard_journal, Clock()) as journal:
        journal.append(SpeakerDescribed(speaker=SpeakerDescription(age="30-39"))).result()
    assert read_session(bundle.path).speaker == SpeakerDescription("30-39")


def test_a_session_has_the_scores_of_its_questionnaires(own_toy: Path) -> None:
    folder = own_toy / "sessions" / "m10-01"
    assert read_session(folder).scores == {}
    with Journal(Bundle(folder).subject_journal, Clock()) as journal:
        # Half of the form before a kill, the whole of it after.
        journal.append(FormFilled(form="sus", values={"q1": "5", "q2": "1"})).result()
        assert read_session(folder).scores == {}
        journal.append(FormFilled(form="sus", values={f"q{n}": "3" for n in range(1, 11)})).result()
    assert read_session(folder).scores == {"sus": 50.0}


def test_a_recording_begins_before_its_key_and_lasts_as_long_as_its_frames(toy: Path) -> None:
    one = turn_of(read_session(toy / "sessions" / "e00-01"), 2)
    times = dict(one.times)
    assert one.frames is not None and one.sample_rate_hz == 16000 and one.start_ms is not None
    assert one.start_ms == times["key_down"] - 300
    assert one.end_ms == one.start_ms + round(1000 * one.frames / 16000)
    assert one.wizard_latency_ms == times["answer_sent"] - times["key_up"]


def test_the_subject_waited_until_the_first_answer_and_not_until_its_correction(toy: Path) -> None:
    turns = [one for path in (toy / "sessions").iterdir() for one in read_session(path).utterances]
    corrected = [one for one in turns if "wizard-error" in one.tags and one.outcome == "answer"]
    assert corrected
    for one in corrected:
        times = dict(one.times)
        assert one.wizard_latency_ms is not None
        assert one.wizard_latency_ms < times["answer_sent"] - times["key_up"]


def test_a_cleared_history_marks_the_turn_after_it(toy: Path) -> None:
    session = read_session(toy / "sessions" / "0a1-02")
    assert [one.turn for one in session.utterances if one.history_cleared] == [3]


def test_notes_and_what_the_tool_was_asked_come_along(toy: Path) -> None:
    session = read_session(toy / "sessions" / "e00-01")
    assert turn_of(session, 10).notes == ("Second try; the subject waited.",)
    assert turn_of(session, 12).nl_input == "how many scientists in department 45"
    assert turn_of(session, 1).practice and turn_of(session, 1).split == "none"


def test_a_folder_that_is_no_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CurtainError):
        read_session(tmp_path)


def test_an_odd_session_json_is_no_traceback(own_toy: Path) -> None:
    bundle = Bundle(own_toy / "sessions" / "zz9-01")
    keys = ("wizard_ids", "domain", "principles", "pilot", "consent_id", "dialect", "speaker_id", "speaker")
    for value in (5, "x", None, [1], {"a": []}):
        bundle.update_session_json(**dict.fromkeys(keys, value))
        assert len(read_session(bundle.path).utterances) == 11, value


# -- with annotation -----------------------------------------------------------------------------------


def test_annotation_replaces_what_stood_in(toy: Path) -> None:
    session = read_session(toy / "sessions" / "e00-01")
    one = turn_of(session, 5)
    assert (one.category, one.eval_class, one.tags) == ("3", "D1", ("wh-question",))
    assert one.context == (ContextLink("e00-01-004", "answer"),)
    three = turn_of(session, 3)
    assert (three.sro, three.lsn) == ("[uh] how about <paula> paul tai", "HOW ABOUT PAULA PAUL TAI")


def test_readings_keep_their_weight_and_whether_they_need_context(toy: Path) -> None:
    session = read_session(toy / "sessions" / "0a1-01")
    assert [one.reads for one in turn_of(session, 10).references] == ["with_context", "without_context"]
    ambiguous = turn_of(read_session(toy / "sessions" / "e00-02"), 8)
    assert [one.weight for one in ambiguous.references] == [2.0, 1.0, 1.0]


def test_a_ruling_counts_over_annotators_who_differ(toy: Path) -> None:
    one = turn_of(read_session(toy / "sessions" / "e00-02"), 3)
    assert (one.eval_class, one.tags, one.annotators) == ("A", (), ("judge", "w1", "w2"))


def test_an_excluded_turn_has_no_reference(own_toy: Path) -> None:
    say(own_toy, "e00-01-002", "category", {"category": "X", "eval_class": "X", "tags": ["book"]})
    assert turn_of(read_session(own_toy / "sessions" / "e00-01"), 2).references == ()


def test_an_answer_by_hand_counts_until_a_statement_is_run_again(own_toy: Path) -> None:
    one = "e00-01-002"
    say(own_toy, one, "cas", {"references": [{"sql_min": None, "cas_min": "((1) OR (2))"}]}, minute=1)
    folder = own_toy / "sessions" / "e00-01"
    assert turn_of(read_session(folder), 2).references[0].cas_min == "((1) OR (2))"
    say(own_toy, one, "sql", {"references": [{"sql_min": "SELECT 3", "cas_min": "((3))"}]}, minute=2)
    assert turn_of(read_session(folder), 2).references[0].cas_min == "((3))"


@pytest.mark.parametrize(
    ("layer", "value"),
    [("category", {"eval_class": "B"}), ("sql", {"references": 1}), ("transcription", {"lsn": ""}), ("note", {"a": 1})],
)
def test_a_row_that_holds_something_else_is_named(own_toy: Path, layer: Layer, value: dict[str, Any]) -> None:
    say(own_toy, "e00-01-002", layer, value)
    with pytest.raises(BadValue, match=f"annotations/{layer}.jsonl of e00-01-002"):
        read_session(own_toy / "sessions" / "e00-01")


def test_fields_of_the_future_are_passed_over(own_toy: Path) -> None:
    value = {"category": "0", "eval_class": "A", "mood": {"of": "tomorrow"}}
    say(own_toy, "e00-01-002", "category", value)
    assert turn_of(read_session(own_toy / "sessions" / "e00-01"), 2).eval_class == "A"


def test_whoever_annotates_sees_what_is_redacted_and_what_was_filled_in(toy: Path) -> None:
    session, filled = read_for_annotation(toy / "sessions" / "0a1-01")
    one = turn_of(session, 6)
    assert one.query is not None and "quill" in one.query and one.redactions and "QUILL" in (one.lsn or "")
    assert len(filled) == len(session.utterances)
    assert filled[6].category.eval_class == "X" and filled[0].references.references[0].cas_min is not None


def test_every_field_of_an_utterance_has_a_value_somewhere_in_the_toy(toy: Path) -> None:
    sessions = [read_session(path, splits={"e00": "train"}) for path in sorted((toy / "sessions").iterdir())]
    turns = [one for session in sessions for one in session.utterances]
    unused = {
        each.name for each in fields(Utterance) if all(getattr(one, each.name) in (None, (), False) for one in turns)
    }
    # The toy has no conditions; tests/corpus/test_experiment.py has.
    of_experiments = {"condition_id", "hypothesis", "answered_by", "taken_over", "late_ms"}
    assert unused <= {"recovered", "answered_since", *of_experiments}
