"""Which systems there are, and what one does: asked a turn at a time, or over a file by `curtain system run`."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companions.experiments.tests.systems.given import system_that
from curtain.base.errors import CurtainError
from curtain.cas.scoring.readings import ComparisonRules
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.splits import Splits, write_splits
from curtain.corpus.redaction.export_log import read_exports
from curtain.domain.pack.pack import database, load_pack
from curtain.session.study.study import load_study
from curtain_drafts.tool.store import BadExamples
from curtain_experiments.commands.systems import SystemRun
from curtain_experiments.commands.systems import run as system_run
from curtain_experiments.desk.replying import table_of_cas
from curtain_experiments.systems.choice import BadSystem, SystemChoice, recogniser_of, system_named
from curtain_experiments.systems.client import SystemClient
from curtain_experiments.systems.offline.questions import read_test_questions
from curtain_experiments.systems.offline.runner import run_over
from curtain_experiments.systems.protocol import HostedSystemError, SystemQuestion, SystemReply
from curtain_experiments.systems.starting import SystemGround, agreements_of, start_system
from curtain_score.score_files import ScoreOptions, make_report
from tests.corpus.toy import make_toy

QUESTION = SystemQuestion(utterance_id="e00-01-001", text="how many employees are there")


@contextmanager
def running(choice: SystemChoice) -> Iterator[SystemClient]:
    with closing(start_system(choice, SystemGround(load_pack("personnel"), Path("none.duckdb")))) as client:
        yield client


def problem_of(client: SystemClient, text: str) -> HostedSystemError:
    with pytest.raises(HostedSystemError) as caught:
        client.ask(SystemQuestion(utterance_id="e00-01-001", text=text)).result(60)
    return caught.value


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


@pytest.fixture(scope="module")
def ground() -> SystemGround:
    pack = load_pack("personnel")
    return SystemGround(pack, database(pack))


def written(folder: Path, *lines: dict[str, object]) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def answers_in(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


CHAIN = (
    {"id": "a1", "question": "answers"},
    {"id": "b1", "question": "refuses"},
    {"id": "a2", "question": "tells", "previous": ["a1"]},
    {"id": "c1", "question": "tells", "previous": [{"question": "before", "sql": "SELECT 3"}]},
)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_chain_is_told_what_the_system_answered_before(tmp_path: Path, ground: SystemGround, jobs: int) -> None:
    questions = read_test_questions(written(tmp_path, *CHAIN))
    counts = run_over(system_that("obeys"), ground, questions, tmp_path / "a.jsonl", jobs)
    answers = answers_in(tmp_path / "a.jsonl")
    assert [line["id"] for line in answers] == ["a1", "b1", "a2", "c1"]
    assert [line["answer"] for line in answers] == [
        "((423))", "NO_ANSWER", '"SELECT count(*) FROM employee"', '"SELECT 3"',
    ]  # fmt: skip
    assert (counts.answered, counts.no_answer, counts.problems) == (3, 1, 0)


def test_problems_are_no_answers_that_say_why(tmp_path: Path, ground: SystemGround) -> None:
    lines = ({"id": act, "question": act} for act in ("crashes", "babbles", "writes"))
    counts = run_over(
        system_that("obeys"), ground, read_test_questions(written(tmp_path, *lines)), tmp_path / "a.jsonl"
    )
    answers = answers_in(tmp_path / "a.jsonl")
    assert counts.problems == 3
    assert [line["answer"] for line in answers] == ["NO_ANSWER"] * 3
    assert [str(line["fault"]).split(":")[0] for line in answers] == ["crash", "rubbish", "sql"]


def test_a_run_that_was_killed_goes_on_behind_its_torn_line(tmp_path: Path, ground: SystemGround) -> None:
    questions, out = read_test_questions(written(tmp_path, *CHAIN)), tmp_path / "a.jsonl"
    out.write_text('{"id":"a1","answer":"((7))","sql":"SELECT 7","text":"answers"}\n{"id":"b1","ans', "utf-8")
    counts = run_over(system_that("obeys"), ground, questions, out)
    answers = answers_in(out)
    assert counts.kept == 1
    assert answers[0]["answer"] == "((7))"
    assert answers[2]["answer"] == '"SELECT 7"'
    assert len(answers) == 4


def test_answers_of_other_questions_are_not_written_over(tmp_path: Path, ground: SystemGround) -> None:
    out = tmp_path / "a.jsonl"
    out.write_text('{"id":"other","answer":"((7))"}\n', "utf-8")
    with pytest.raises(CurtainError, match="answers “other”, which is none of these questions"):
        run_over(system_that("answers"), ground, read_test_questions(written(tmp_path, *CHAIN)), out)
    assert "other" in out.read_text("utf-8")


def test_a_system_that_cannot_start_is_one_sentence_and_leaves_no_file_of_problems(
    tmp_path: Path, ground: SystemGround
) -> None:
    choice = SystemChoice("mine", "command", command=("/no/such/program",), start_s=None)
    with pytest.raises(HostedSystemError) as problem:
        run_over(choice, ground, read_test_questions(written(tmp_path, *CHAIN)), tmp_path / "a.jsonl")
    assert problem.value.kind == "missing"
    assert str(problem.value) == "The system “mine” could not be started: No such file or directory."
    assert not (tmp_path / "a.jsonl").exists()


def test_our_nl_tool_answers_alone_and_the_result_is_scored(tmp_path: Path, ground: SystemGround) -> None:
    asked = written(
        tmp_path,
        {"id": "1", "question": "how many employees are there in department 45"},
        {"id": "2", "question": "how many employees are there in department 20"},
        {"id": "3", "question": "zzz bla fnord"},
    )
    references = tmp_path / "refs.jsonl"
    references.write_text('{"id":"1","ref":"((48))"}\n{"id":"2","ref":"((1))"}\n{"id":"3","ref":"((1))"}\n', "utf-8")
    out = tmp_path / "a.jsonl"
    strict = SystemChoice("drafts-strict", "drafts", {"threshold": 0.8})
    run_over(strict, ground, read_test_questions(asked), out)
    report = make_report(references, [out], ScoreOptions(ComparisonRules()))
    answers = answers_in(out)
    assert answers[0]["answer"] == "((48))"
    assert answers[2]["answer"] == "NO_ANSWER"
    assert [one.outcome for one in report.sheets[0].items] == ["correct", "incorrect", "no_answer"]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([{"id": "1"}], "line 1 has no “question”"),
        ([{"id": "1", "question": "a"}, {"id": "1", "question": "b"}], "has the id “1” twice"),
        (
            [{"id": "1", "question": "a", "previous": ["2"]}, {"id": "2", "question": "b"}],
            "the question “1” stands before “2”, which it follows",
        ),
        ([], "has no questions"),
    ],
)
def test_bad_questions_are_reported_in_a_sentence(
    tmp_path: Path, lines: list[dict[str, object]], sentence: str
) -> None:
    with pytest.raises(BadExamples, match=sentence):
        read_test_questions(written(tmp_path, *lines))


def test_turns_without_words_are_passed_over(tmp_path: Path) -> None:
    rows = [
        {"utterance_id": "a1", "query": "How many?", "audio": "a1.wav"},
        {"utterance_id": "a2", "query": None, "lsn": None, "audio": None},
        {"utterance_id": "a3", "query": "And now?", "previous": ["a1", "a2"]},
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    counts: list[int] = []
    asked = read_test_questions(path, counts.append)
    assert ([(one.id, one.after, one.given) for one in asked], counts) == ([("a1", (), ()), ("a3", ("a1",), ())], [1])


def run_system(study: Path, split: str, out: Path) -> None:
    system_run(SystemRun("mine", out=out, study=study, split=split))


def test_a_system_runs_over_the_test_turns_of_a_study_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    study = make_toy(tmp_path / "toy")
    command = [sys.executable, str(Path(__file__).with_name("system_that.py")), "obeys"]
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[systems.mine]\ncommand = {json.dumps(command)}\n")
    choice = system_named("mine", load_study(study).systems, study)
    for agreement in agreements_of(choice):
        agreement.give()
    speakers = sorted({one.session_id[:3] for one in load_study(study).sessions()})
    write_splits(study, Splits(by_speaker=dict.fromkeys(speakers, "test")))
    out = tmp_path / "answers.jsonl"
    run_system(study, "test", out)
    whole = out.read_bytes()
    asked = [line["id"] for line in answers_in(out)]
    assert len(asked) > 10 and len(set(asked)) == len(asked)
    out.write_bytes(b"".join(whole.splitlines(keepends=True)[:4]) + b'{"id":')
    run_system(study, "test", out)
    again = [line["id"] for line in answers_in(out)]
    assert again == asked
    # Whoever withdraws is found there.
    [noted] = read_exports(study)
    assert (noted.path, noted.sessions) == (out, tuple(sorted({name.rpartition("-")[0] for name in asked})))
    with pytest.raises(CurtainError, match="has no turns"):
        run_system(study, "dev", tmp_path / "dev.jsonl")
    # What a turn depends on is known from its annotation, though the questions are blind.
    depending = {
        one.utterance_id for session in open_corpus([study]).sessions() for one in session.utterances if one.context
    }
    teller = f"{command[0]} {command[1]} tells"
    system_run(SystemRun(teller, tmp_path / "r.jsonl", study=study, split="test"))
    behind = {str(line["id"]) for line in answers_in(tmp_path / "r.jsonl") if line["answer"] != '"none"'}
    assert behind and behind <= depending
