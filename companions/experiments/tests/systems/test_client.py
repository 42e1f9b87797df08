"""A system under test may do anything: it costs the turn, never more."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companions.experiments.tests.systems.given import system_that
from curtain.domain.pack.pack import load_pack
from curtain_experiments.desk.replying import table_of_cas
from curtain_experiments.systems.choice import SystemChoice
from curtain_experiments.systems.client import SystemClient
from curtain_experiments.systems.protocol import SystemFault, SystemQuestion, SystemReply
from curtain_experiments.systems.starting import SystemGround, start_system

QUESTION = SystemQuestion(utterance_id="e00-01-001", text="how many employees are there")


@contextmanager
def running(choice: SystemChoice) -> Iterator[SystemClient]:
    with closing(start_system(choice, SystemGround(load_pack("personnel"), Path("none.duckdb")))) as client:
        yield client


def fault_of(client: SystemClient, text: str) -> SystemFault:
    with pytest.raises(SystemFault) as caught:
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
def test_a_fault_is_one_sentence_and_the_next_question_is_answered(act: str, kind: str, shown: str) -> None:
    with running(system_that("obeys")) as client:
        fault = fault_of(client, act)
        after = client.ask(QUESTION).result(60)
    assert fault.kind == kind
    assert shown in str(fault)
    assert after.reply.sql is not None


def test_a_system_that_hangs_is_silent_at_its_deadline_and_started_anew() -> None:
    with running(system_that("obeys", deadline_s=1.0)) as client:
        # Started: a slow machine must not take the start of Python for a hang.
        while True:
            try:
                client.ask(QUESTION).result(60)
                break
            except SystemFault:
                continue
        fault = fault_of(client, "hangs")
    assert fault.kind == "silence"
    assert str(fault) == "The system “obeys” gave no answer within 1 second."


def test_a_person_can_stop_a_question_that_hangs() -> None:
    with running(system_that("obeys")) as client:
        client.ask(QUESTION).result(60)
        waiting = client.ask(SystemQuestion(utterance_id="e00-01-002", text="hangs"))
        while not waiting.done():
            client.stop()
        fault = waiting.exception()
    assert isinstance(fault, SystemFault)
    assert fault.kind == "stopped"


def test_a_stop_between_two_questions_fails_neither() -> None:
    with running(system_that("obeys")) as client:
        client.ask(QUESTION).result(60)
        client.stop()
        assert client.ask(QUESTION).result(60)


def test_a_program_that_is_not_there_is_reported_in_one_sentence() -> None:
    with running(SystemChoice("mine", "command", command=("/no/such/program",), start_s=None)) as client:
        fault = fault_of(client, "anything")
    assert fault.kind == "missing"
    assert str(fault) == "The system “mine” could not be started: No such file or directory."


def test_closing_ends_a_question_that_hangs() -> None:
    with running(system_that("hangs")) as client:
        waiting = client.ask(QUESTION)
    assert isinstance(waiting.exception(60), SystemFault)


@pytest.mark.parametrize(
    ("cas", "rows"), [("5.0[lb]", [["5.0[lb]"]]), ("((5[lb]))", [["5[lb]"]]), ("contingent-failure", [])]
)
def test_an_answer_in_our_own_dialect_is_shown_and_kept(cas: str, rows: list[list[str]]) -> None:
    shown = table_of_cas(SystemReply(cas=cas), "curtain")
    assert shown is not None
    assert (shown[0].rows, shown[1]) == (rows, cas)
