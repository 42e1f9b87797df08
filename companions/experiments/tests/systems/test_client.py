"""Which systems there are; what one does costs the turn, never more, and settings that cannot work are refused."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companions.experiments.tests.systems.given import system_that
from curtain.base.errors import CurtainError
from curtain.domain.pack.pack import load_pack
from curtain_experiments.desk.replying import table_of_cas
from curtain_experiments.systems.choice import BadSystem, SystemChoice, recogniser_of, system_named
from curtain_experiments.systems.client import SystemClient
from curtain_experiments.systems.protocol import HostedSystemError, SystemQuestion, SystemReply
from curtain_experiments.systems.starting import SystemGround, start_system

QUESTION = SystemQuestion(utterance_id="e00-01-001", text="how many employees are there")


@contextmanager
def running(choice: SystemChoice) -> Iterator[SystemClient]:
    with closing(start_system(choice, SystemGround(load_pack("personnel"), Path("none.duckdb")))) as client:
        yield client


def problem_of(client: SystemClient, text: str) -> HostedSystemError:
    with pytest.raises(HostedSystemError) as caught:
        client.ask(SystemQuestion(utterance_id="e00-01-001", text=text)).result(60)
    return caught.value


def test_a_reply_comes_back_with_the_time_it_took() -> None:
    with running(system_that("answers")) as client:
        timed = client.ask(QUESTION).result(60)
    assert timed.reply.sql == "SELECT count(*) FROM employee"
    assert timed.reply.partial
    assert timed.ms >= 0


@pytest.mark.parametrize(
    ("act", "kind", "shown"),
    [
        ("crashes", "crash", "ended with exit code 7"),
        ("babbles", "rubbish", "said something that is not JSON: Traceback"),
        ("overdoes", "rubbish", "more than 1 MiB"),
        ("both", "rubbish", "several of “cas”, “sql”, “message” and “no_answer”"),
    ],
)
def test_a_problem_is_one_sentence_and_the_next_question_is_answered(act: str, kind: str, shown: str) -> None:
    with running(system_that("obeys")) as client:
        problem = problem_of(client, act)
        after = client.ask(QUESTION).result(60)
    assert problem.kind == kind
    assert shown in str(problem)
    assert after.reply.sql is not None


def test_a_system_that_hangs_is_silent_at_its_deadline_and_started_anew() -> None:
    with running(system_that("obeys", deadline_s=1.0)) as client:
        # Started: a slow machine must not take the start of Python for a hang.
        while True:
            try:
                client.ask(QUESTION).result(60)
                break
            except HostedSystemError:
                continue
        problem = problem_of(client, "hangs")
    assert problem.kind == "silence"
    assert str(problem) == "The system “obeys” gave no answer within 1 second."


def test_a_person_can_stop_a_question_that_hangs() -> None:
    with running(system_that("obeys")) as client:
        client.ask(QUESTION).result(60)
        waiting = client.ask(SystemQuestion(utterance_id="e00-01-002", text="hangs"))
        while not waiting.done():
            client.stop()
        problem = waiting.exception()
    assert isinstance(problem, HostedSystemError)
    assert problem.kind == "stopped"


def test_a_stop_between_two_questions_fails_neither() -> None:
    with running(system_that("obeys")) as client:
        client.ask(QUESTION).result(60)
        client.stop()
        assert client.ask(QUESTION).result(60)


def test_a_program_that_is_not_there_is_reported_in_one_sentence() -> None:
    with running(SystemChoice("mine", "command", command=("/no/such/program",), start_s=None)) as client:
        problem = problem_of(client, "anything")
    assert problem.kind == "missing"
    assert str(problem) == "The system “mine” could not be started: No such file or directory."


def test_closing_ends_a_question_that_hangs() -> None:
    with running(system_that("hangs")) as client:
        waiting = client.ask(QUESTION)
    assert isinstance(waiting.exception(60), HostedSystemError)


@pytest.mark.parametrize(
    ("cas", "rows"), [("5.0[lb]", [["5.0[lb]"]]), ("((5[lb]))", [["5[lb]"]]), ("contingent-failure", [])]
)
def test_an_answer_in_our_own_dialect_is_shown_and_kept(cas: str, rows: list[list[str]]) -> None:
    shown = table_of_cas(SystemReply(cas=cas), "curtain")
    assert shown is not None
    assert (shown[0].rows, shown[1]) == (rows, cas)


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
