"""The annotators of `curtain demo --study` over written sessions; the tutorial's test plays them."""

from pathlib import Path

from curtain.commands.run.example_study import ANNOTATORS, annotate
from curtain.corpus.annotation.checks import check_study
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.model.reader import read_session
from curtain.session.bundle.bundle import Bundle
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import Sitting, alone, out

SCIENTISTS = "SELECT employee_id FROM employee WHERE job_title = 'CHIEF SCIENTIST'"


def test_annotation_follows_from_the_session_and_from_what_depends_on_the_turn_before(tmp_path: Path) -> None:
    turns = (alone("who is there", SCIENTISTS), alone("who of them", SCIENTISTS), out("how is that computed"))
    answers = {SCIENTISTS: {"sql": SCIENTISTS, "total": 1, "cas_min": "((1))", "cas_max": "((1 2))",
                            "sql_max": SCIENTISTS, "max_error": None}}  # fmt: skip
    study = make_toy(tmp_path / "study", annotated=False, answers=answers,
                     sittings=[Sitting("e00-01", "2026-03-01", "complaint", turns)])  # fmt: skip
    session = study / "sessions" / "e00-01"
    annotate(session, ["e00-01-002"])
    classes = [(one.eval_class, one.category) for one in read_session(session).utterances]
    assert classes == [("A", "0"), ("D1", "3"), ("X", "X")]
    assert check_study(study).findings == []
    # They differ on what depends on the turn before.
    layers = Layers(Bundle(session)).standing("category").finals("e00-01-002")
    assert [(row.by, row.value["eval_class"]) for row in layers] == [(ANNOTATORS[0], "A"), (ANNOTATORS[1], "D1")]
