import logging
import sys
import threading

import pytest

from curtain.base.errors import CurtainError
from curtain.qt import problems


@pytest.fixture
def installed(qtbot, tmp_path):
    made = problems.Problems("subject", tmp_path)
    yield made
    made.close()


def raised(error):
    try:
        raise error
    except type(error):
        return sys.exc_info()


def log_text(folder):
    return (folder / "subject.log").read_text("utf-8")


def test_a_problem_meant_for_a_person_is_reported_in_its_own_words_and_any_other_without_details(qtbot, installed):
    for error, seen in ((CurtainError("The disk is full."), True), (ValueError("The disk is full."), False)):
        with qtbot.waitSignal(installed.problem) as shown:
            sys.excepthook(*raised(error))
        assert (shown.args == ["The disk is full."], "disk" in shown.args[0]) == (seen, seen)


def test_a_problem_in_a_thread_is_reported_too(qtbot, installed):
    with qtbot.waitSignal(installed.problem):
        threading.Thread(target=lambda: 1 // 0).start()


def test_the_log_names_kind_and_place_but_no_value(installed, tmp_path):
    sys.excepthook(*raised(ValueError("what the subject said")))
    assert "ValueError at test_problems.py:" in log_text(tmp_path)
    assert "what the subject said" not in log_text(tmp_path)


def test_a_logged_exception_keeps_its_values_to_itself_as_well(installed, tmp_path):
    try:
        raise ValueError("canary")
    except ValueError:
        logging.getLogger("x").exception("a step failed")
    assert "a step failed" in log_text(tmp_path)
    assert "canary" not in log_text(tmp_path)


@pytest.mark.parametrize(
    ("said", "logged"),
    [
        ("take e00-01-007.wav waits in memory", "take (id)-007.wav waits in memory"),
        ("[Errno 28] No space: '/spool/e00-01-" + "a" * 32 + "/audio'", "'/spool/(id)/audio'"),
        ("session e00-02 does not open on 2026-11-26", "session (id) does not open on 2026-11-26"),
        ("the word de00-01 and e00-011 are no ids", "the word de00-01 and e00-011 are no ids"),
    ],
)
def test_no_log_call_leaves_the_id_of_a_session_or_utterance(installed, tmp_path, said, logged):
    logging.getLogger("x").warning("%s", said)
    assert logged in log_text(tmp_path)


def test_the_log_never_grows_beyond_ten_mebibytes(installed, tmp_path, monkeypatch):
    for handler in logging.getLogger().handlers:
        if getattr(handler, "maxBytes", 0):
            monkeypatch.setattr(handler, "maxBytes", 2000)
    for number in range(500):
        logging.getLogger("x").info("line %d", number)
    files = list(tmp_path.glob("subject.log*"))
    assert len(files) == problems.LOG_FILES
    assert problems.LOG_FILES * problems.LOG_BYTES == 10 * 1024 * 1024


def test_a_log_that_cannot_be_written_costs_nothing(qtbot, tmp_path):
    (tmp_path / "file").write_text("in the way")
    made = problems.Problems("subject", tmp_path / "file")
    with qtbot.waitSignal(made.problem):
        sys.excepthook(*raised(ValueError("x")))
    made.close()


def test_closing_gives_the_hooks_back(qtbot, tmp_path):
    before = sys.excepthook
    problems.Problems("subject", tmp_path).close()
    assert sys.excepthook is before
