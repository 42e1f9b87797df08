"""The command line answers bad input with one plain sentence, exit 2 and no traceback."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from curtain.commands import cli
from curtain.commands.cli import app
from curtain.commands.layout import help_of
from curtain.commands.table import ALL
from curtain.domain.pack.pack import load_pack
from curtain.ports.companion import Family
from curtain.session.study.study import load_study, new_study
from tests.stories.conftest import run_curtain
from tests.support.child_program import Child
from tests.support.everywhere import Call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new_study(tmp_path / "study", "personnel")
    (tmp_path / "study" / "study.toml").write_text('domain = "personnel"\ncolour = "blue"\n', "utf-8")
    (tmp_path / "torn.jsonl").write_text('{"say": "x", "query": ', "utf-8")
    (tmp_path / "silent.jsonl").write_text('{"query": "x", "sql": ["SELECT 1"]}\n', "utf-8")
    (tmp_path / "strange.jsonl").write_text('{"say": "x", "sql": ["SELECT 1"], "colour": 1}\n', "utf-8")
    (tmp_path / "nofile.jsonl").write_text('{"audio": "gone.wav", "sql": ["SELECT 1"]}\n', "utf-8")
    (tmp_path / "noise.wav").write_bytes(b"not a sound")
    (tmp_path / "badwav.jsonl").write_text('{"audio": "noise.wav", "sql": ["SELECT 1"]}\n', "utf-8")
    (tmp_path / "fine.jsonl").write_text('{"say": "x", "sql": ["SELECT 1"]}\n', "utf-8")
    (tmp_path / "dance.jsonl").write_text('{"do": "dance"}\n', "utf-8-sig")
    (tmp_path / "early.jsonl").write_text('{"do": "correct", "sql": ["SELECT 1"]}\n', "utf-8")
    (tmp_path / "place.jsonl").write_text('{"do": "scenario", "id": "nowhere"}\n', "utf-8")
    (tmp_path / "letter.jsonl").write_text('{"say": "x", "message": 99}\n', "utf-8")
    (tmp_path / "blank.jsonl").write_text('{"say": "x", "message": 1}\n', "utf-8")
    (tmp_path / "empty.jsonl").write_text("\n", "utf-8")
    (tmp_path / "notes").mkdir()
    (tmp_path / "a-file").write_text("", "utf-8")
    return tmp_path


CASES = [
    (["frobnicate"], "frobnicate"),
    (["verfy"], "Did you mean 'verify'? “curtain --help”"),
    (["turns"], "bundle"),
    (["answer", "--colour", "blue"], "--colour"),
    (["draft"], "question"),
    (["draft", "who", "--questions", "empty.jsonl"], "question"),
    (["draft", "who", "--examples", "torn.jsonl"], "line 1"),
    (["draft", "--list"], "--study"),
    (["draft", "who", "--previous", "garbage (("], "--previous"),
    (["draft", "--study", "study", "who"], "colour"),
    (["draft", "--study", "nowhere", "--withdraw", "x"], "nowhere"),
    (["answer", "--domain", "nowhere", "--sql", "SELECT 1"], "nowhere"),
    (["answer", "--sql", "DELETE FROM employee"], "SELECT"),
    (["answer", "--sql", "SELECT nme FROM employee"], "nme"),
    (["answer", "--sql", ""], "statement"),
    (["answer", "--rule-book", "1990", "--sql", "SELECT 1"], "1989"),
    (["study", "new", "a-file"], "a-file"),
    (["study", "new", "a-file/inside"], "a-file"),
    (["study", "new", "fresh", "--domain", "nowhere"], "nowhere"),
    (["wizard", "--study", "study"], "colour"),
    (["wizard", "--study", "nowhere"], "nowhere"),
    (["subject", "--mic-file", "gone.wav"], "gone.wav"),
    (["subject", "--spool", "a-file/spool"], "a-file"),
    (["rehearse", "gone.jsonl"], "gone.jsonl"),
    (["rehearse", "torn.jsonl"], "line 1"),
    (["rehearse", "silent.jsonl"], "line 1"),
    (["rehearse", "strange.jsonl"], "colour"),
    (["rehearse", "nofile.jsonl"], "gone.wav"),
    (["rehearse", "badwav.jsonl"], "noise.wav"),
    (["rehearse", "empty.jsonl"], "no steps"),
    (["rehearse", "fine.jsonl", "--domain", "nowhere"], "nowhere"),
    (["rehearse", "fine.jsonl", "--out", "study"], "colour"),
    (["rehearse", "fine.jsonl", "--speaker", "much too long"], "much too long"),
    (["rehearse", "dance.jsonl"], "turn, cancel, correct"),
    (["rehearse", "early.jsonl"], "step 1"),
    (["rehearse", "place.jsonl", "--out", "new"], "Step 1"),
    (["rehearse", "letter.jsonl", "--out", "new"], "Step 1"),
    (["rehearse", "blank.jsonl", "--out", "new"], "topic"),
    (["rehearse", "fine.jsonl", "--out", "new", "--mic", "Golden Ear"], "Golden Ear"),
    (["turns", "nowhere"], "nowhere"),
    (["turns", "notes"], "notes"),
    (["verify", "nowhere"], "nowhere"),
    (["repair", "nowhere"], "nowhere"),
]


ENDING = ("wizard", "subject")
"""These end their process; all others are called in this one."""


@pytest.mark.parametrize(("arguments", "named"), CASES, ids=[" ".join(case[0]) for case in CASES])
def test_a_wrong_call_is_answered_with_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, call: Call, arguments: list[str], named: str
) -> None:
    monkeypatch.chdir(folder)
    if arguments[0] in ENDING:
        done = run_curtain(*arguments, timeout=60)
        code, printed = done.returncode, done.stderr
    else:
        code, _, printed = call(*arguments)
    assert code == 2, printed
    assert named in printed
    assert "Traceback" not in printed
    assert len(printed.strip().splitlines()) == 1, printed


def every_entry() -> Iterator[tuple[str, tuple[str, str] | Family]]:
    for name, entry in ((name, entry) for entries in ALL.values() for name, entry in entries.items()):
        yield name, entry
        if isinstance(entry, Family):
            yield from ((f"{name} {inner}", one) for inner, one in entry.commands.items())


def command_of(name: str) -> Any:
    command = get_command(app)
    for word in name.split():
        command = command.commands[word]  # type: ignore[attr-defined]
    return command


def test_the_help_holds_whole_sentences_and_no_types_of_python() -> None:
    for command in ("", *(name for name, _ in every_entry())):
        shown = CliRunner().invoke(app, [*command.split(), "--help"], env={"COLUMNS": "80"}, terminal_width=80)
        assert shown.exit_code == 0 and command in shown.output, shown.output
        assert max(map(len, shown.output.splitlines())) <= 80, shown.output
        assert "<" not in shown.output and "list[" not in shown.output, shown.output
        assert "..." not in shown.output.partition("\n")[2], shown.output


def test_the_version_is_that_of_the_package() -> None:
    for option in ("--version", "-V"):
        assert CliRunner().invoke(app, [option]).output == f"curtain {metadata.version('curtain-woz')}\n"


def test_the_commands_stand_under_their_headings() -> None:
    shown = CliRunner().invoke(app, ["-h"]).output
    headings = [line.rstrip(":") for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Options", *ALL]
    for heading, entries in ALL.items():
        section = shown.partition(f"\n{heading}:\n")[2].partition("\n\n")[0]
        assert [line.split()[0] for line in section.splitlines() if line[2] != " "] == list(entries)


# An option whose help differs from command to command, and why.
_DIFFERS = {
    "--out": "says what the command makes there",
    "--seed": "an annotator's sample and a study's split keep theirs",
    "--pilot": "a station makes a trial, an export includes trials",
    "--use": "the default differs",
    "--list": "says what is listed",
    "--look": "says what is looked at, and nothing is made",
    "--language": "the wizard reads English where there is no translation; a subject chooses of four",
    "--study": "the demo makes a study, the others read one",
    "--by": "who you are; of a score, what it is broken down by",
    "--n": "counts drafts, or questions to measure with",
    "--speaker": "who speaks in a rehearsal, or whose turns are exported",
    "--connect": "the subject's station may be on this computer, a measured one is on another",
}


def test_every_option_has_one_name_and_one_meaning() -> None:
    names_of: dict[str, set[str]] = {}
    meanings_of: dict[str, set[str]] = {}
    for name, entry in every_entry():
        assert "tell" not in help_of(entry).lower() and "told" not in help_of(entry)
        for option in command_of(name).params if not isinstance(entry, Family) else ():
            if option.param_type_name == "option":
                present = next(one for one in option.opts if one.startswith("--"))
                assert option.help and "tell" not in option.help and "told" not in option.help, (name, present)
                names_of.setdefault(option.help, set()).add(present)
                meanings_of.setdefault(present, set()).add(option.help)
    assert {text: names for text, names in names_of.items() if len(names) > 1} == {}
    several = {option: texts for option, texts in meanings_of.items() if len(texts) > 1}
    assert set(several) == set(_DIFFERS), several


@pytest.mark.parametrize(
    ("command", "earlier", "present"),
    [
        ("draft", "--who", "--by"), ("wizard", "--wizard", "--by"), ("train", "--wizard", "--by"),
        ("train", "--sessions", "--session"), ("repair", "--to", "--out"), ("solution", "--reason", "--why"),
        ("system run", "--on", "--questions"),
    ],
)  # fmt: skip
def test_an_earlier_name_is_accepted_and_not_shown(command: str, earlier: str, present: str) -> None:
    options = {name: one for one in command_of(command).params for name in one.opts}
    assert options[earlier] is options[present]
    shown = CliRunner().invoke(app, [*command.split(), "--help"]).output.split()
    assert present in shown and earlier not in shown and f"{earlier}," not in shown


def test_the_shell_completes_commands_without_loading_them() -> None:
    asked = {"_CURTAIN_COMPLETE": "complete_bash", "COMP_WORDS": "curtain ve", "COMP_CWORD": "1"}
    script = "import sys; from curtain.commands.cli import main\nsys.argv[0] = 'curtain'; main()"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, env=os.environ | asked, check=False
    )
    assert done.stdout.split() == ["verify"], done.stderr


@pytest.fixture
def opened_windows(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """The windows that the command line would open, with their options."""
    opened: list[tuple[str, list[str]]] = []

    def open_window(module: str, options: list[str]) -> int:
        opened.append((module, list(options)))
        return 0

    monkeypatch.setattr("curtain.commands.windows.open_window", open_window)
    return opened


@pytest.mark.parametrize("window", [["wizard", "--study", "study"], ["subject"], ["home"]])
def test_a_window_takes_a_theme_and_a_size_and_refuses_what_is_none(
    opened_windows: list[tuple[str, list[str]]], window: list[str]
) -> None:
    CliRunner().invoke(app, [*window, "--theme", "dark", "--text-size", "125"])
    [(_, options)] = opened_windows
    assert [options[options.index(name) + 1] for name in ("--theme", "--text-size")] == ["dark", "125"]
    assert "'pink' is not one of" in CliRunner().invoke(app, [*window, "--theme", "pink"]).output


def test_alone_it_opens_the_home_window_where_there_is_a_display(
    monkeypatch: pytest.MonkeyPatch, call: Call, opened_windows: list[tuple[str, list[str]]]
) -> None:
    monkeypatch.setattr("curtain.qt.windows.display.has_display", lambda: True)
    assert (call()[0], opened_windows) == (0, [("curtain_home", [])])


def test_alone_without_the_home_window_it_prints_its_help(
    monkeypatch: pytest.MonkeyPatch, call: Call, opened_windows: list[tuple[str, list[str]]]
) -> None:
    monkeypatch.setattr("curtain.commands.cli.ALL", {"Run": {}})
    assert (call()[0], opened_windows) == (2, [])


def test_alone_without_a_display_it_prints_its_help(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if sys.platform in ("win32", "darwin"):
        pytest.skip("these systems always have a display")
    done = run_curtain()
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: ") and "\n  demo " in done.stderr


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """Files that never end, lead to themselves or are nested beyond all reason."""
    if sys.platform == "win32":
        pytest.skip("Windows has no such files")
    for name in ("split", "buried", "deep", "loop", "study"):
        new_study(tmp_path / name, "personnel")
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "split" / "splits.json")
    os.mkfifo(tmp_path / "buried" / "tombstones.jsonl")
    (tmp_path / "piped").mkdir()
    os.mkfifo(tmp_path / "piped" / "study.toml")
    (tmp_path / "deep" / "study.toml").write_text(f"texts = {DEEP}\n", "utf-8")
    (tmp_path / "deep" / "tombstones.jsonl").write_text(f"{DEEP}\n", "utf-8")
    (tmp_path / "study" / "tombstones.jsonl").write_text(f"{DEEP}\n", "utf-8")
    (tmp_path / "study" / "splits.json").write_text(DEEP, "utf-8")
    (tmp_path / "loop" / "circle").symlink_to("circle")
    (tmp_path / "loop" / "study.toml").write_text('domain = "personnel"\nmirror = "circle/copy"\n', "utf-8")
    (tmp_path / "ring.toml").symlink_to("ring.toml")
    (tmp_path / "deep.json").write_text(DEEP, "utf-8")
    (tmp_path / "one").write_text("1", "utf-8")
    (tmp_path / "escape\x1b[2Jname").write_text("((", "utf-8")
    return tmp_path


TRAPS = [
    (["compare", "pipe", "one"], "named pipe"),
    (["compare", "one", "pipe"], "named pipe"),
    (["compare", "--pairs", "pipe"], "named pipe"),
    (["compare", "one", "/dev/zero"], "device"),
    (["score", "pipe", "one"], "named pipe"),
    (["score", "/dev/zero", "one"], "device"),
    (["split", "split"], "named pipe"),
    (["split", "study"], "splits.json"),
    (["tombstones", "buried"], "named pipe"),
    (["tombstones", "study"], "tombstones.jsonl"),
    (["tombstones", "deep"], "too deeply"),
    (["annotate", "--check", "piped"], "named pipe"),
    (["rehearse", "pipe"], "named pipe"),
    (["rehearse", "ring.toml"], "ring.toml"),
    (["rehearse", "/dev/zero"], "device"),
    (["draft", "--questions", "pipe"], "named pipe"),
    (["domain", "new", "pipe", "--out", "made"], "named pipe"),
    (["domain", "new", "ring.toml", "--out", "made"], "ring.toml"),
    (["compare", "escape\x1b[2Jname", "one"], "escape\\u001b[2Jname"),
]


@pytest.mark.parametrize(("arguments", "named"), TRAPS, ids=[" ".join(case[0]) for case in TRAPS])
def test_a_file_that_never_ends_is_refused_in_one_sentence(
    traps: Path, monkeypatch: pytest.MonkeyPatch, call: Call, arguments: list[str], named: str
) -> None:
    monkeypatch.chdir(traps)
    code, _, seen = call(*arguments)
    assert code == 2, seen
    assert named in seen
    assert len(seen.strip().splitlines()) == 1, seen


def test_a_mirror_behind_a_link_to_itself_is_no_problem_and_a_pipe_for_the_withdrawn_examples_is_reported(
    traps: Path, call: Call
) -> None:
    assert call("tombstones", str(traps / "loop"))[0] == 0
    os.mkfifo(traps / "loop" / "withdrawn.jsonl")
    code, _, seen = call("draft", "--study", str(traps / "loop"), "--list")
    assert code == 0 and "withdrawn.jsonl cannot be read: it is a named pipe" in seen


@pytest.mark.parametrize(
    ("home", "temporary", "where"),
    [
        ("good", "good", "good/log/command-line.log"), ("file", "good", "good/curtain-fault-"),
        ("~", "good", "good/curtain-fault-"), ("file", "file", "cannot be written: "),
    ],
)  # fmt: skip
def test_a_problem_of_ours_is_one_sentence_wherever_it_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call, home: str, temporary: str, where: str
) -> None:
    (tmp_path / "good").mkdir()
    (tmp_path / "file").write_text("in the way")
    monkeypatch.chdir(tmp_path)
    places = {"good": tmp_path / "good", "file": tmp_path / "file", "~": Path("~")}
    monkeypatch.setattr("platformdirs.user_log_dir", lambda *_: str(places[home] / "log"))
    monkeypatch.setattr("tempfile.tempdir", str(places[temporary]))
    monkeypatch.setattr("curtain.domain.worker.answer.answer_statement", lambda *_, **__: 1 / 0)
    code, _, reported = call("answer", "--sql", "SELECT 1")
    assert code == 70
    assert (
        reported.startswith("Curtain met an error of its own (ZeroDivisionError); the details ") and where in reported
    )
    assert reported.count("\n") == 1
    assert not (tmp_path / "~").exists()


def test_an_answer_is_printed_as_it_is(call: Call) -> None:
    sql = """SELECT '[/b] [bold] :smile:' || chr(27) || '[2J' AS "[/i]" FROM employee LIMIT 1"""
    code, out, _ = call("answer", "--sql", sql)
    assert code == 0
    assert "[/i]" in out
    assert out.count("[/b] [bold] :smile:") >= 2
    assert "\x1b" not in out


def test_an_answer_comes_through_the_shell_s_own_pipe(traps: Path) -> None:
    bash = shutil.which("bash") or pytest.skip("there is no bash")
    line = f"{sys.executable} -m curtain compare <(echo '((1))') <(echo '((1))')"
    done = subprocess.run([bash, "-c", line], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "correct\n"), done.stderr


def test_a_study_finds_the_pack_beside_it_from_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "domain.toml").write_text('title = "Things"\nas_of = 1992-04-20\n', "utf-8")
    (tmp_path / "pack" / "schema.sql").write_text("CREATE TABLE thing (id INTEGER PRIMARY KEY);", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert call("study", "new", "lab", "--domain", "pack")[0] == 0
    monkeypatch.chdir(tmp_path / "pack")
    assert load_pack(load_study(tmp_path / "lab").domain).title == "Things"


def test_the_command_line_starts_without_the_rooms_that_a_command_may_need() -> None:
    heavy = ("numpy", "duckdb", "sqlglot", "PySide6", "curtain.corpus", "curtain_drafts.tool", "curtain.domain")
    printed_text = f"import sys, curtain.commands.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", printed_text], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_a_rehearsal_that_is_ended_from_outside_leaves_no_folder(tmp_path: Path, name: str) -> None:
    number = getattr(signal, name)
    script, temporary = tmp_path / "script.jsonl", tmp_path / "temporary"
    script.write_text('{"say": "who", "query": "who", "sql": ["SELECT 1"]}\n', "utf-8")
    temporary.mkdir()
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen", "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "curtain", "rehearse", str(script), "--out", str(tmp_path / "study"), "--headless"]
    with Child(command, stderr=subprocess.PIPE, text=True, env=env) as process:
        assert "sounds are ready" in process.stderr.readline()
        assert list(temporary.glob("curtain-rehearsal-*"))
        process.send_signal(number)
        assert process.wait(60) == 128 + number
    assert list(temporary.glob("curtain-rehearsal-*")) == []


ENDED = [
    ("signal.raise_signal(signal.SIGINT)", "", 130, "Stopped."),
    # A library turns Ctrl+C into a problem of its own.
    ("signal.raise_signal(signal.SIGINT)", "RuntimeError('Query interrupted')", 130, "Stopped."),
    ("signal.raise_signal(signal.SIGINT)", "CurtainError('The worker is gone.')", 130, "Stopped."),
    ("print_line('x' * 10 ** 6)", "", 0, ""),
    ("[print_line('x' * 1000) for _ in range(1000)]", "", 0, ""),
]


@pytest.mark.parametrize(("act", "then", "code", "sentence"), ENDED)
def test_a_command_that_is_stopped_or_whose_reader_leaves_ends_quietly(
    act: str, then: str, code: int, sentence: str
) -> None:
    script = f"""
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # as a terminal leaves it, and nohup does not
from curtain.base.errors import CurtainError
from curtain.base.terminal import print_line
from curtain.commands import cli
@cli.app.command("act")
def act():
    try:
        {act}
    except KeyboardInterrupt:
        raise {then}
sys.argv[1:] = ["act"]
cli.main()
"""
    with Child([sys.executable, "-c", script], stderr=subprocess.PIPE) as command:
        command.stdout.close()
        said = command.stderr.read().decode()
        assert (command.wait(), said.strip()) == (code, sentence)


def test_the_home_window_opens_from_a_program_that_has_no_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Windows starts one without a console."""
    opened: list[tuple[str, bool]] = []

    def main() -> None:
        with sys.stdout, sys.stderr:
            opened.append((sys.argv[1], sys.stdout.writable() and sys.stderr.writable()))

    monkeypatch.setattr(cli, "main", main)
    monkeypatch.setattr(sys, "argv", ["curtain-home"])
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    cli.open_home()
    assert opened == [("home", True)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no names that are not text")
@pytest.mark.parametrize("by", ["name", "option", "link", "current folder"])
def test_a_name_that_is_not_utf8_is_refused_in_one_sentence(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff"))
    odd.mkdir()
    (tmp_path / "link").symlink_to(odd)
    if by == "current folder":
        monkeypatch.chdir(odd)
    given = {"name": [odd / "new"], "option": [f"--out={odd}/x"], "link": [tmp_path / "link" / "new"]}.get(by, ["new"])
    code, _, problem = call("study", "new", *given)
    assert (code, problem.count("\n")) == (2, 1)
    assert "odd\\xff" in problem and "is no UTF-8 text. If it is a name, rename it; else correct it." in problem
    assert not list(odd.iterdir())
