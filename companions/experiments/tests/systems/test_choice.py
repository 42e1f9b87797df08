"""Which systems there are, and what is said of settings that cannot work."""

import sys
from pathlib import Path
from typing import Any

import pytest

from curtain.base.errors import CurtainError
from curtain_experiments.systems.choice import BadSystem, recogniser_of, system_named


def test_the_two_systems_that_ship_differ_in_the_confidence_they_ask_for() -> None:
    robust, strict = system_named("drafts-robust", {}), system_named("drafts-strict", {})
    assert (robust.kind, strict.kind) == ("drafts", "drafts")
    assert robust.options["threshold"] < strict.options["threshold"]


def test_a_command_of_a_study_is_looked_for_in_the_path_and_beside_study_toml(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "mine"
    program.parent.mkdir()
    program.write_text("")
    by_path = system_named("a", {"a": {"command": [sys.executable, "x.py"], "deadline_s": 3}}, tmp_path)
    beside = system_named("a", {"a": {"command": ["bin/mine"]}}, tmp_path)
    assert by_path.command == (sys.executable, "x.py")
    assert by_path.deadline_s == 3
    assert beside.command == (str(program),)


def test_a_command_of_windows_leaves_out_the_ending_of_its_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `which` does there: it adds the endings of PATHEXT in the folders it is given, and takes no path apart."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "mine.exe").write_text("")

    def which(program: str, path: str = "/nowhere") -> str | None:
        place = Path(path) / f"{program}.exe"
        return str(place) if "/" not in program and place.is_file() else None

    monkeypatch.setattr("shutil.which", which)
    command = system_named("a", {"a": {"command": ["bin/mine"]}}, tmp_path).command
    assert command == (str(tmp_path / "bin" / "mine.exe"),)
    with pytest.raises(BadSystem, match="no program “mine”"):
        system_named("a", {"a": {"command": ["mine"]}}, tmp_path / "bin")


@pytest.mark.parametrize(
    ("name", "table", "sentence"),
    [
        ("draft-robust", {}, "There is no system “draft-robust”. Did you mean “drafts-robust”?"),
        ("a", {"a": {}}, "[systems.a]: write “command”, “address” with “model”"),
        ("a", {"a": {"command": "python3 x"}}, "[systems.a]: “command” must be a list of words in quotes"),
        ("a", {"a": {"command": ["no-such-program"]}}, "[systems.a]: there is no program “no-such-program”;"),
        (
            "a",
            {"a": {"command": [sys.executable], "dedline_s": 1}},
            "[systems.a]: “dedline_s” is not known here. Did you mean “deadline_s”?",
        ),
        ("a", {"a": {"address": "ftp://x", "model": "m"}}, "[systems.a]: “address” must be a web address"),
        ("a", {"a": {"command": [sys.executable], "deadline_s": 0}}, "“deadline_s” must be a number from 0.1 to 600"),
        ("a", {"a": {"address": "http://x", "model": "m", "threshold": 2}}, "[systems.a]: “threshold” must be"),
        ("a", {"a": {"plugin": ["b"]}}, "[systems.a]: write “command”"),
        ("a", {"a": {"command": [sys.executable], "no_answer": 1}}, "[systems.a]: “no_answer” must be the id of"),
        (
            "drafts-strict",
            {"drafts-strict": {"threshold": 2}},
            "[systems.drafts-strict]: “threshold” must be a number from 0 to 1",
        ),
        ("asr", {"plugin": "no-such"}, "There is no plug-in “no-such”. Plug-ins that are installed:"),
        ("asr", {"plugin": ["no-such"]}, "[asr]: write “model”, “command” ="),
        ("asr", {"model": "small.en", "modell": 1}, "[asr]: “modell” is not known here. Did you mean “model”?"),
        ("asr", {"command": []}, "[asr]: “command” must be a list of words in quotes"),
    ],
)
def test_settings_that_cannot_work_are_reported_in_a_sentence(name: str, table: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CurtainError) as caught:
        recogniser_of(table) if name == "asr" else system_named(name, table)
    assert sentence in str(caught.value)
