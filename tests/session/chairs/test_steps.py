"""`curtain turns` names who worked on which part, and when."""

from collections.abc import Sequence

from curtain.session.events import wizard_events as w
from curtain.session.turns.turns import fold
from tests.session.test_turns import Line, answer, journal, opened, spoken, started

TIED: Line = (5, w.LinkRestored(subject_epoch=1, offset_ns=0, rtt_ns=0), None)


def _steps(*lines: Line) -> Sequence[dict[str, object]]:
    of_subject = [started(), *spoken(1, 1000, 3000)]
    (turn,) = fold(journal(of_subject), journal([*opened(), TIED, *lines]))
    steps: Sequence[dict[str, object]] = turn.as_json()["steps"]
    return steps


def test_each_step_of_a_turn_names_its_person_and_its_times() -> None:
    steps = _steps(
        (4000, w.PartTaken(wizard_id="t1", part="transcription"), 1),
        (7000, w.PartDone(wizard_id="t1", part="transcription"), 1),
        (7500, w.PartTaken(wizard_id="a1", part="answer"), 1),
        (9000, answer(), 1),
        (9001, w.PartDone(wizard_id="a1", part="answer"), 1),
    )
    transcription, reply = steps
    assert (transcription["by"], transcription["end"]) == ("t1", "done")
    assert (reply["by"], reply["end"]) == ("a1", "done")
    assert [int(str(step["ended"])) - int(str(step["began"])) for step in steps] == [3000, 1501]


def test_a_part_that_changed_hands_is_a_step_of_each_person() -> None:
    steps = _steps(
        (4000, w.PartTaken(wizard_id="a1", part="answer"), 1),
        (5000, w.PartTaken(wizard_id="w0", part="answer", handed_by="a1"), 1),
        (6000, w.PartReturned(wizard_id="w0", part="answer", left=True), 1),
        (6500, w.PartTaken(wizard_id="a1", part="answer"), 1),
    )
    assert [(step["by"], step["end"]) for step in steps] == [("a1", "handed_over"), ("w0", "left"), ("a1", None)]


def test_a_turn_of_a_wizard_alone_has_no_steps() -> None:
    assert _steps((4000, w.QuerySent(text="a"), 1), (9000, answer(), 1)) == ()
