"""`curtain check --study` over an experiment: one plain sentence for each thing that cannot work."""

import sys
from pathlib import Path

import pytest

from curtain.commands.run.check import look_around
from curtain.commands.study.trust import trust
from curtain.session.study.study import new_study

pytestmark = pytest.mark.usefixtures("looked_at_once")
TWO = """
[[conditions]]
id = "a"
who = "typist"
system = "{0}"
[[conditions]]
id = "b"
"""


def findings(folder: Path, settings: str, *scenarios: str) -> dict[str, tuple[bool, str]]:
    study = new_study(folder / "study", "personnel", scenarios=scenarios or ("fair", "team"), practice="none").folder
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write(settings)
    return {one.what: (one.well, one.text) for one in look_around(None, study, "personnel")}


@pytest.mark.parametrize(
    ("settings", "what", "sentence"),
    [
        (TWO.format("draft-robust"), "system draft-robust", "There is no system “draft-robust”. Did you mean"),
        (
            TWO.format("drafts-strict") + '[systems.drafts-strict]\nno_answer = "no_information"\n',
            "system drafts-strict",
            "“no_answer” = “no_information”, which is no canned message without blanks",
        ),
        (TWO.format("drafts-strict") + "latency = -1\n", "study", "“latency” must be “natural” or seconds"),
        (TWO.format("drafts-strict") + '[[conditions]]\nid = "b"\n', "study", "the condition “b” stands twice"),
        (
            TWO.format("drafts-strict") + "[design]\nscenarios_per_condition = 2\n",
            "design",
            "2 conditions of 2 need 4 scenarios, and the study offers 2. Condition “b” has too few",
        ),
    ],
)
def test_what_cannot_work_is_reported(tmp_path: Path, settings: str, what: str, sentence: str) -> None:
    well, text = findings(tmp_path, settings)[what]
    assert not well
    assert sentence in text


def test_an_experiment_that_can_run_is_well(tmp_path: Path) -> None:
    shown = findings(tmp_path, TWO.format("drafts-strict") + 'recogniser = 0.15\n[design]\norder = "alternate"\n')
    assert shown["conditions"][0] and "“recogniser” puts in no errors any more" in shown["conditions"][1]
    assert shown["design"] == (True, "alternate; the plans begin anew after 2 subjects.")
    assert shown["system drafts-strict"] == (True, "drafts, 20 s for an answer.")


def test_a_person_agrees_to_a_program_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = TWO.format("mine") + f'[systems.mine]\ncommand = ["{sys.executable}", "x.py"]\n'
    findings(tmp_path, settings)
    assert trust(tmp_path / "study", yes=True) == 0
    assert trust(tmp_path / "study", yes=False) == 0
    assert capsys.readouterr().out.count("starts a program") == 1
