"""Wishes become calls that the command line takes."""

from pathlib import Path

import pytest
from typer.main import get_command

from curtain.commands.cli import app
from curtain.domain.pack.pack import bundled_packs
from curtain.ports.result import NOTHING, CommandResult
from curtain_home.control import plans
from curtain_home.control.plans import BUNDLED, CommandPlan, ExportWish, NewStudyWish, result_sentence

STUDY = Path("/lab/my study")
SESSION = STUDY / "sessions" / "e00-01"
EVERY_PLAN = [
    *plans.steps_of_new_study(NewStudyWish(STUDY, "/lab/pack", Path("/lab/a.db"))),
    plans.verify_plan(SESSION),
    plans.example_plan(Path("/lab")),
    plans.repair_plan(SESSION, STUDY / "repaired" / "e00-01"),
    plans.sample_plan(STUDY, "personnel", Path("/lab/demo.jsonl")),
    plans.export_plan(STUDY, ExportWish("kaldi", Path("/lab/out"), live=True, pilot=True, blind=True)),
    plans.retention_plan(STUDY),
    plans.check_plan(STUDY),
]
EVERY_CALL = [
    *(plan.arguments for plan in EVERY_PLAN),
    *(tuple(plans.station_arguments(kind, STUDY, True)) for kind in ("wizard", "subject", "annotate")),
]


@pytest.mark.parametrize("arguments", EVERY_CALL, ids=lambda arguments: " ".join(arguments[:2]))
def test_the_command_line_knows_every_call(arguments: tuple[str, ...]) -> None:
    command, rest = get_command(app), list(arguments)
    while hasattr(command, "commands"):
        command = command.commands[rest.pop(0)]
    # Raises for an option or an argument that the command does not take.
    assert command.make_context("curtain", rest).params


def test_an_own_database_becomes_a_pack_before_the_study_and_a_bundled_domain_needs_no_step_before() -> None:
    first, then = plans.steps_of_new_study(NewStudyWish(STUDY, "/lab/pack", Path("/lab/a.db")))
    assert (first.kind, then.kind, then.needs_before) == ("new_domain", "new_study", True)
    assert first.arguments[-1] == then.arguments[-1] == "/lab/pack"
    [plan] = plans.steps_of_new_study(NewStudyWish(STUDY, "atis"))
    assert not plan.needs_before


def test_every_bundled_domain_is_offered() -> None:
    assert sorted(name for name, _ in BUNDLED) == bundled_packs()


def test_a_folder_that_is_there_is_not_proposed(tmp_path: Path) -> None:
    assert plans.free_folder(tmp_path, "kaldi") == tmp_path / "kaldi"
    for name in ("kaldi", "kaldi-2"):
        (tmp_path / name).mkdir()
    assert plans.free_folder(tmp_path, "kaldi") == tmp_path / "kaldi-3"


DAMAGED = "listed in its job. “Repair” makes a repaired copy."
PLAYED = "The sample session r00-01 was played. It is marked as a trial."
VERIFY = plans.verify_plan(SESSION)
CHECK = plans.check_plan(STUDY)
OUTCOMES = [
    (VERIFY, "good", CommandResult(counts={"faults": 0}), "Session e00-01: everything is there and unchanged."),
    (VERIFY, "bad", CommandResult(counts={"faults": 1}), f"Session e00-01 is damaged: one problem is {DAMAGED}"),
    (VERIFY, "bad", CommandResult(counts={"faults": 2}), f"Session e00-01 is damaged: 2 problems are {DAMAGED}"),
    (VERIFY, "bad", NOTHING, "There is no session."),
    (VERIFY, "stopped", NOTHING, "Verifying e00-01: stopped. What was begun is left out."),
    (EVERY_PLAN[5], "good", CommandResult(made=("/lab/study/sessions/r00-01",)), PLAYED),
    (EVERY_PLAN[6], "good", CommandResult("8 utterances are in /lab/out."), "8 utterances are in /lab/out."),
    (EVERY_PLAN[1], "good", NOTHING, "Making my study: it is done."),
    (CHECK, "bad", CommandResult("none.", counts={"bad": 1}), "none."),
    (CHECK, "bad", CommandResult("none.", counts={"bad": 2}), "2 things are missing; the first: none."),
    (CHECK, "good", CommandResult(counts={"bad": 0}), "Everything that a session needs is there."),
]  # fmt: skip


@pytest.mark.parametrize(("plan", "end", "result", "sentence"), OUTCOMES)
def test_what_came_of_a_command_is_one_sentence(
    plan: CommandPlan, end: str, result: CommandResult, sentence: str
) -> None:
    assert result_sentence(plan, end, result, ["half", "There is no session.", ""]) == sentence


def test_a_command_that_fails_without_a_word_is_named() -> None:
    assert result_sentence(EVERY_PLAN[1], "bad", NOTHING, []) == "Making my study: it failed without a word."
