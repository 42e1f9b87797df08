"""Commands run as child processes of the same command line, one after the other."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from curtain.base.progress_bar import progress_bar
from curtain.base.terminal import announced, print_table
from curtain.ports.result import CommandResult, end_with
from curtain_home.control.commands import Activity, CommandRunner
from curtain_home.control.plans import CommandPlan

VERSION = CommandPlan("version", "Asking for the version", ("--version",))
WRONG = CommandPlan("wrong", "Doing what cannot be done", ("frobnicate",))


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[CommandRunner]:
    made = CommandRunner()
    yield made
    made.close()


def test_commands_run_in_their_order_each_with_its_end_and_none_that_needs_one_that_failed(
    qtbot: QtBot, runner: CommandRunner
) -> None:
    needy = CommandPlan("needy", "Going on", ("--version",), needs_before=True)
    done: list[Activity] = []
    runner.finished.connect(done.append)
    runner.run([VERSION, WRONG, needy, VERSION])
    qtbot.waitUntil(lambda: len(done) == 3 and runner.running is None)
    assert [(one.plan, one.end) for one in done] == [(VERSION, "good"), (WRONG, "bad"), (VERSION, "good")]
    # What it printed, or the sentence of the command.
    assert done[0].lines[0].startswith("curtain ") and done[0].share == 1.0
    assert done[0].sentence == "Asking for the version: it is done."
    assert "frobnicate" in done[1].sentence


def test_a_command_that_is_stopped_says_so_and_drops_what_waits(
    qtbot: QtBot, runner: CommandRunner, tmp_path: Path
) -> None:
    steps = tmp_path / "long.jsonl"
    steps.write_text('{"say": "who", "query": "who", "sql": ["SELECT 1"]}\n' * 50, "utf-8")
    long = CommandPlan("long", "Playing", ("rehearse", str(steps), "--out", str(tmp_path / "study"), "--headless"))
    done: list[Activity] = []
    runner.finished.connect(done.append)
    runner.run([long, VERSION])
    with qtbot.waitSignal(runner.changed):
        pass
    runner.cancel()
    qtbot.waitUntil(lambda: bool(done))
    assert [(one.plan, one.end) for one in done] == [(long, "stopped")]
    assert done[0].sentence == "Playing: stopped. What was begun is left out."
    assert runner.running is None


def test_progress_is_read_from_the_lines_of_the_child(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CURTAIN_PROGRESS", "lines")
    with progress_bar() as report:
        for share in (0.0, 0.001, 0.5, 0.5004, 1.0):
            report("Reading größe", share)
    lines = capsys.readouterr().err.splitlines()
    # One line for each per cent: a pipe must not hold the work up.
    assert list(map(announced, lines)) == [{"progress": share, "what": "Reading größe"} for share in (0.0, 0.5, 1.0)]


@pytest.mark.parametrize("line", ["", "8 utterances", '{"progress":', "[1]", '{"a": ' * 5000])
def test_any_other_line_says_nothing_to_a_window(line: str) -> None:
    assert announced(line) == {}


def test_a_table_and_a_result_are_values_for_a_window_and_words_for_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "score.html"
    for way in ("", "lines"):
        monkeypatch.setenv("CURTAIN_PROGRESS", way)
        print_table(("speaker", "turns"), [("e00", "12")], [False, True])
        assert end_with("The page is there.", [page], turns=12) == 0
    said = capsys.readouterr()
    assert said.out.count("e00") == 1 and said.out.count("The page is there.") == 2
    table, result = map(announced, said.err.splitlines())
    assert table == {"table": {"headings": ["speaker", "turns"], "rows": [["e00", "12"]], "numeric": [False, True],
                               "total": 1}}  # fmt: skip
    assert msgspec.convert(result["result"], CommandResult) == CommandResult(
        "The page is there.", (str(page),), {"turns": 12}
    )
